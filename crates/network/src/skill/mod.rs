//! The skill of a policy: the effort of short searches, and a small network that predicts how human players use their
//! results.

mod corrector;
mod drawing;

pub use corrector::Corrector;
pub use drawing::{Calibration, Cooling};
use entente_search::{MAX_DEPTHS, scorer::EvaluationNetwork};
use serde::{Deserialize, Serialize};

use super::NetworkError;
use crate::encoding::skill::FEATURES;

/// The key in an ONNX file's `metadata_props` whose value is the policy's skill, as JSON.
pub const SKILL_KEY: &str = "skill";

/// How a short search corrects the move probabilities of a policy.
///
/// A network of fully connected layers, with rectifiers between them, reads the
/// [`FEATURES`](crate::encoding::skill::FEATURES) of each move. Its output is added to the logarithm of the move's
/// probability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skill {
    /// The [fingerprint](EvaluationNetwork::fingerprint) of the evaluation network that the search uses.
    pub evaluation: String,
    /// The least probability, in [0, 1], of moves that are searched once, at the first depth.
    pub glance: f32,
    /// The least probability, in [0, 1], of moves that are searched as deeply as the effort allows.
    pub look: f32,
    /// The efforts of players, in order of strength. The first also applies to weaker players.
    pub efforts: Vec<SkillEffort>,
    /// How moves of whole games are drawn, in order of strength; empty if the method decides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cooling: Vec<Cooling>,
    /// How moves are drawn in play, in order of strength; empty if they are drawn as predicted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calibration: Vec<Calibration>,
    /// The layers. The first reads the features of a move, and the last has one output.
    pub layers: Vec<Layer>,
}

/// The search effort of players from some strength on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkillEffort {
    /// The least strength: an online rating, to which ratings on other scales are converted.
    pub from: u16,
    /// The number of depths that are searched.
    pub depths: usize,
    /// The number of nodes at which the search ends, except at the first depth.
    pub nodes: u32,
    /// Moves that are worse than the best by more than this, in centipawns, are not searched more deeply.
    pub slack: i32,
    /// The final, deeper search of the remaining moves, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub study: Option<Study>,
}

/// A final, deeper search, like a player's calculation. The search learns on the way which moves it can skip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// The depth, in plies after each move.
    pub plies: u32,
    /// The number of nodes above which the depth is reduced.
    pub nodes: u32,
}

/// A fully connected layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// The weights `[outputs][inputs]`.
    pub weights: Vec<Vec<f32>>,
    /// The bias of each output.
    pub biases: Vec<f32>,
}

impl SkillEffort {
    /// Checks that these are valid efforts of a skill.
    ///
    /// # Errors
    /// A description of what is expected, for messages.
    pub fn check(efforts: &[SkillEffort]) -> Result<(), String> {
        if efforts.is_empty() || !efforts.is_sorted_by(|a, b| a.from < b.from) {
            return Err("expected efforts in order of strength".to_owned());
        }
        for SkillEffort { from, depths, nodes, slack, study } in efforts {
            // A study uses the last place of a profile.
            let most = MAX_DEPTHS - usize::from(study.is_some());
            if let Some(Study { plies, nodes }) = study
                && (*plies > MAX_PLIES || *nodes > MAX_NODES)
            {
                return Err(format!(
                    "expected a study of up to {MAX_PLIES} plies and {MAX_NODES} nodes, found {plies} and {nodes} \
                     from strength {from} on"
                ));
            }
            if !(1..=most).contains(depths) || *nodes > MAX_NODES || *slack < 0 {
                return Err(format!(
                    "expected 1 to {most} depths, up to {MAX_NODES} nodes and a slack of at least 0, found \
                     {depths}, {nodes} and {slack} from strength {from} on"
                ));
            }
        }
        Ok(())
    }
}

/// The most outputs of a layer.
const WIDEST: usize = 1024;
/// The most layers.
const MAX_LAYERS: usize = 8;
/// The most nodes of a search, which take some seconds.
const MAX_NODES: u32 = 10_000_000;
/// The most plies of a study.
const MAX_PLIES: u32 = 40;

impl Skill {
    /// Reads the skill in the metadata of the network called `name`.
    ///
    /// # Errors
    /// [`NetworkError::Skill`] if it is not a valid skill, or was fitted with another evaluation network.
    pub fn read(name: &str, text: &str) -> Result<Skill, NetworkError> {
        let error = |reason: String| NetworkError::Skill { name: name.to_owned(), reason };
        let skill: Skill = serde_json::from_str(text).map_err(|fault| error(fault.to_string()))?;
        skill.check().map_err(error)?;
        Ok(skill)
    }

    /// The JSON text that [`Skill::read`] reads.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("numbers and lists become JSON")
    }

    fn check(&self) -> Result<(), String> {
        let Skill { evaluation, glance, look, efforts, cooling, calibration, layers } = self;
        let own = EvaluationNetwork::embedded().fingerprint();
        if *evaluation != own {
            return Err(format!(
                "it was fitted with another evaluation network ({evaluation}) than this program's ({own}): fit it \
                 again with entente-trainer skill"
            ));
        }
        if ![*glance, *look].iter().all(|share| (0.0..=1.0).contains(share)) {
            return Err(format!("expected probabilities from 0 to 1, found glance {glance} and look {look}"));
        }
        SkillEffort::check(efforts)?;
        Cooling::check(cooling)?;
        Calibration::check(calibration)?;
        let mut inputs = FEATURES;
        if layers.is_empty() || layers.len() > MAX_LAYERS {
            return Err(format!("expected 1 to {MAX_LAYERS} layers, found {}", layers.len()));
        }
        for (layer, number) in layers.iter().zip(1..) {
            let outputs = if number == layers.len() { 1 } else { layer.biases.len() };
            let fits = (1..=WIDEST).contains(&outputs)
                && layer.biases.len() == outputs
                && layer.weights.len() == outputs
                && layer.weights.iter().all(|row| row.len() == inputs);
            if !fits {
                let found = layer.weights.first().map_or(0, Vec::len);
                return Err(format!(
                    "expected layer {number} to map {inputs} numbers to {outputs}, found {found} to {}",
                    layer.biases.len()
                ));
            }
            if !layer.weights.iter().flatten().chain(&layer.biases).all(|number| number.is_finite()) {
                return Err(format!("expected finite numbers in layer {number}"));
            }
            inputs = outputs;
        }
        Ok(())
    }

    /// The search effort of players of a strength.
    pub fn effort(&self, strength: u16) -> SkillEffort {
        let last = self.efforts.iter().rev().find(|effort| effort.from <= strength);
        *last.unwrap_or(&self.efforts[0])
    }

    /// How moves of whole games are drawn for players of a strength; `None` if the skill has no cooling.
    pub fn cooling(&self, strength: u16) -> Option<Cooling> {
        Cooling::between(&self.cooling, strength)
    }

    /// How moves are drawn in play for players of a strength; [`Calibration::NONE`] if the skill has no calibration.
    pub fn calibration(&self, strength: u16) -> Calibration {
        Calibration::between(&self.calibration, strength).unwrap_or(Calibration::NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill() -> Skill {
        let effort = |from, depths| SkillEffort { from, depths, nodes: 1000, slack: 200, study: None };
        let mut first = vec![vec![0.0; FEATURES]; 2];
        (first[0][0], first[1][1]) = (1.0, -1.0);
        Skill {
            evaluation: EvaluationNetwork::embedded().fingerprint(),
            glance: 0.001,
            look: 0.01,
            efforts: vec![
                effort(0, 1),
                SkillEffort { study: Some(Study { plies: 6, nodes: 5000 }), ..effort(2000, 3) },
            ],
            cooling: vec![
                Cooling { at: 1000, opening: 1.0, middle: None, late: 0.9, caution: 0.0, review: 0.0 },
                Cooling { at: 2000, opening: 0.8, middle: Some(0.7), late: 0.5, caution: 0.5, review: 0.0 },
            ],
            calibration: vec![Calibration { at: 1000, temperature: 1.5, caution: 0.0 }],
            layers: vec![
                Layer { weights: first, biases: vec![0.0, 0.5] },
                Layer { weights: vec![vec![2.0, 10.0]], biases: vec![-1.0] },
            ],
        }
    }

    #[test]
    fn a_skill_is_read_as_written_and_computes_corrections() {
        let skill = skill();
        assert_eq!(Skill::read("net", &skill.text()).unwrap(), skill);
        let mut rows = vec![0.0; 2 * FEATURES];
        (rows[0], rows[1]) = (3.0, 2.0);
        // 2·3 + 10·max(0, 0.5 − 2) − 1, and 2·0 + 10·0.5 − 1.
        assert_eq!(Corrector::new(&skill).corrections(&rows), [5.0, 4.0]);
        assert_eq!([0, 1999, 2000, 4000].map(|strength| skill.effort(strength).depths), [1, 1, 3, 3]);
    }

    #[test]
    fn invalid_skills_are_refused_with_what_was_expected() {
        let refusal = |change: &dyn Fn(&mut Skill)| {
            let mut skill = skill();
            change(&mut skill);
            Skill::read("net", &skill.text()).unwrap_err().to_string()
        };
        for (change, expected) in [
            (
                &(|skill: &mut Skill| skill.evaluation.clear()) as &dyn Fn(&mut Skill),
                "another evaluation network ()",
            ),
            (&|skill| skill.look = 2.0, "probabilities from 0 to 1"),
            (&|skill| skill.efforts.clear(), "efforts in order of strength"),
            (&|skill| skill.efforts.reverse(), "efforts in order of strength"),
            (&|skill| skill.efforts[0].depths = 9, "1 to 6 depths"),
            (&|skill| skill.efforts[1].depths = 6, "1 to 5 depths"),
            (
                &|skill| skill.efforts[1].study = Some(Study { plies: 41, nodes: 1 }),
                "up to 40 plies and 10000000 nodes, found 41 and 1 from strength 2000",
            ),
            (&|skill| skill.efforts[1].nodes = u32::MAX, "up to 10000000 nodes"),
            (&|skill| skill.cooling.reverse(), "cooling in order of strength"),
            (&|skill| skill.cooling[1].late = 0.0, "temperatures from 0.01 to 10"),
            (&|skill| skill.cooling[1].caution = -1.0, "caution and review from 0 to 10"),
            (&|skill| skill.cooling[0].review = 11.0, "caution and review from 0 to 10"),
            (&|skill| skill.calibration[0].temperature = 0.0, "calibration in order of strength"),
            (&|skill| skill.layers.clear(), "1 to 8 layers, found 0"),
            (&|skill| skill.layers[0].weights[1].truncate(3), "layer 1 to map 58 numbers to 2"),
            (&|skill| skill.layers[1].weights.push(vec![0.0; 2]), "layer 2 to map 2 numbers to 1"),
            (&|skill| skill.layers[1].biases[0] = f32::NAN, "network net: its skill cannot be used"),
        ] {
            let found = refusal(change);
            assert!(found.contains(expected), "{found}");
        }
        for text in ["", "{}", "[1, 2]", "\u{0}"] {
            assert!(Skill::read("net", text).is_err(), "{text:?}");
        }
    }
}
