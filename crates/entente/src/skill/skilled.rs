use std::sync::Arc;

use entente_network::{
    Calibration, Corrector, NetworkError, Policy, PolicySession, Query, Skill,
    encoding::{
        Distribution,
        skill::{encode, losses},
    },
};
use entente_search::Limits;
use shakmaty::Position;

use super::{ShallowSearch, strength};
use crate::predictor::{Answer, MovePredictor, PolicyPair, PredictionRequest};

/// A predictor that corrects another one by a short search of the likely moves, if the policy has a skill.
pub struct Skilled<P> {
    inner: P,
    /// The correction of the policy's predictions.
    correction: Option<Arc<Correction>>,
    /// The correction of the human network's predictions; without such a network, the same.
    human: Option<Arc<Correction>>,
    shallow_search: ShallowSearch,
    rows: Vec<f32>,
    purpose: Purpose,
}

/// A skill, and its network.
struct Correction {
    skill: Arc<Skill>,
    corrector: Corrector,
}

impl Correction {
    fn of(policy: &Policy) -> Option<Arc<Correction>> {
        policy.skill().map(Correction::new)
    }

    fn new(skill: &Arc<Skill>) -> Arc<Correction> {
        Arc::new(Correction { skill: Arc::clone(skill), corrector: Corrector::new(skill) })
    }
}

/// What the predicted moves are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// Each move is as likely as humans are to play it.
    Prediction,
    /// The moves form whole games that look human.
    Games,
    /// The moves form a player of the given strength.
    Play,
}

impl Purpose {
    /// How corrected logits are changed for this purpose.
    fn calibration(self, skill: &Skill, strength: u16) -> Calibration {
        match self {
            Purpose::Prediction => Calibration::NONE,
            Purpose::Games => {
                // Temperatures change during a game; the code that draws moves applies them.
                let caution = skill.cooling(strength).map_or(0.0, |cooling| cooling.caution);
                Calibration { caution, ..Calibration::NONE }
            }
            Purpose::Play => skill.calibration(strength),
        }
    }
}

impl Skilled<PolicySession> {
    /// A session of the policy with the skill in its file, if it has one.
    pub fn of(policy: &Policy) -> Skilled<PolicySession> {
        Skilled::new(policy.session(), policy.skill())
    }

    /// A session of the policy, with its skill if `is_wanted`.
    pub fn of_if(policy: &Policy, is_wanted: bool) -> Skilled<PolicySession> {
        Skilled::new(policy.session(), policy.skill().filter(|_| is_wanted))
    }
}

impl Skilled<PolicyPair> {
    /// Sessions of both policies, each with its own skill if `is_wanted` and if it has one.
    pub fn of_pair(policy: &Policy, human: Option<&Policy>, is_wanted: bool) -> Skilled<PolicyPair> {
        let pair = PolicyPair::new(policy, human);
        if !is_wanted {
            return Skilled::new(pair, None);
        }
        let correction = Correction::of(policy);
        let human = human.map_or_else(|| correction.clone(), Correction::of);
        Skilled { correction, human, ..Skilled::new(pair, None) }
    }
}

impl<P> Skilled<P> {
    /// The answers of `inner`, corrected by `skill`; unchanged without a skill.
    pub fn new(inner: P, skill: Option<&Arc<Skill>>) -> Skilled<P> {
        let correction = skill.map(Correction::new);
        Skilled {
            inner,
            human: correction.clone(),
            correction,
            shallow_search: ShallowSearch::new(),
            rows: Vec::new(),
            purpose: Purpose::Prediction,
        }
    }

    /// For drawing the moves of whole games: with the [caution](entente_network::Cooling::caution) of the skill.
    pub fn for_games(self) -> Skilled<P> {
        Skilled { purpose: Purpose::Games, ..self }
    }

    /// For drawing the moves of play: with the [calibration](entente_network::Calibration) of the skill.
    pub fn for_play(self) -> Skilled<P> {
        Skilled { purpose: Purpose::Play, ..self }
    }

    /// The skill with which it corrects predictions of human moves, if there is one.
    pub fn skill(&self) -> Option<&Skill> {
        self.human.as_ref().map(|correction| &*correction.skill)
    }

    /// Corrects an answer by one search of the moves that any of its predictions finds likely. False if `until` ends
    /// the search.
    fn correct(&mut self, request: &PredictionRequest<'_>, answer: &mut Answer, until: Limits<'_>) -> bool {
        let query = request.query();
        let parts = [
            (Some(*query), if query.aim.is_none() { &self.human } else { &self.correction }),
            (request.without_goal(), &self.correction),
            (request.without_goal().filter(|_| answer.human.is_some()), &self.human),
        ];
        let parts = parts.map(|(query, correction)| query.map(|query| (query, correction.as_deref())));
        let parts: Vec<(Query<'_>, Option<&Correction>)> = parts.into_iter().flatten().collect();
        // One search serves all predictions: the one that the human network asks for, if there is one.
        let Some(Correction { skill, .. }) = parts.iter().rev().find_map(|(_, correction)| *correction)
        else {
            return true;
        };
        let Query { position, moves, .. } = *query;
        let chances: Vec<Distribution> =
            answer.predictions().map(|prediction| Distribution::new(prediction.logits.clone())).collect();
        let likeliest = |index: usize| chances.iter().map(|of| of.probability(index)).fold(0.0, f32::max);
        let probabilities: Vec<f32> = (0..moves.len()).map(likeliest).collect();
        let Some(scores) = self.shallow_search.scores(skill, query, &probabilities, until) else {
            return false;
        };
        let strength = strength(&query.context, position.turn());
        for (((query, correction), prediction), chances) in
            parts.into_iter().zip(answer.predictions_mut()).zip(&chances)
        {
            let Some(Correction { skill, corrector }) = correction else { continue };
            let Calibration { temperature, caution, .. } = self.purpose.calibration(skill, strength);
            let (context, has_goal) = (&query.context, !query.aim.is_none());
            encode(position, moves, context, has_goal, chances.logarithms(), &scores, &mut self.rows);
            let corrections = corrector.corrections(&self.rows);
            let logs = chances.logarithms().iter().zip(corrections).zip(losses(&scores));
            prediction.logits =
                logs.map(|((log, more), loss)| (log + more) / temperature - caution * loss).collect();
        }
        true
    }
}

impl<P: MovePredictor> MovePredictor for Skilled<P> {
    fn predict(
        &mut self,
        requests: &[PredictionRequest<'_>],
        until: Limits<'_>,
    ) -> Result<Vec<Answer>, NetworkError> {
        let mut answers = self.inner.predict(requests, until)?;
        let uncorrected = requests
            .iter()
            .zip(&mut answers)
            .position(|(request, answer)| !self.correct(request, answer, until));
        answers.truncate(uncorrected.unwrap_or(answers.len()));
        Ok(answers)
    }

    fn evaluations(&self) -> u64 {
        self.inner.evaluations()
    }

    fn nodes(&self) -> u64 {
        self.inner.nodes() + self.shallow_search.nodes()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use entente_network::{
        Cooling, Layer, NetworkKind as _, Prediction, SkillEffort,
        encoding::{
            goal_policy::{Aim, Context},
            skill::FEATURES,
            softmax,
        },
    };
    use entente_search::{position_from_fen, scorer::EvaluationNetwork};
    use shakmaty::{Chess, MoveList, Position};

    use super::*;

    /// A policy that subtracts 6 from the logit of a move that loses five pawns, and less from other moves.
    fn policy() -> Policy {
        let mut weights = vec![0.0; FEATURES];
        weights[1] = -3.0;
        let skill = Skill {
            evaluation: EvaluationNetwork::embedded().fingerprint(),
            glance: 0.0,
            look: 0.01,
            efforts: vec![SkillEffort { from: 0, depths: 1, nodes: 1000, slack: 200, study: None }],
            cooling: Vec::new(),
            calibration: Vec::new(),
            layers: vec![Layer { weights: vec![weights], biases: vec![0.0] }],
        };
        Policy::open(Policy::DEFAULT).unwrap().with_skill(Some(skill))
    }

    const CAUTION: Cooling =
        Cooling { at: 1000, opening: 1.0, middle: None, late: 1.0, caution: 0.5, review: 0.0 };

    fn ask(position: &Chess, moves: &MoveList, session: &mut impl MovePredictor) -> Prediction {
        let context = Context { ratings: [Some(1000); 2], ..Context::default() };
        session.predict_one(&Query { position, moves, played: &[], context, aim: &Aim::NONE }).unwrap()
    }

    #[test]
    fn a_move_that_hangs_the_queen_loses_its_probability() {
        // The queen can move to a square where a pawn can take it, and players may overlook that.
        let position = position_from_fen("4k3/8/2p5/8/8/3Q4/8/4K3 w - - 0 1").unwrap();
        let moves = position.legal_moves();
        let chance = |prediction: &Prediction| {
            let place = moves.iter().position(|m| m.to_string() == "Qd3-d5").unwrap();
            softmax(&prediction.logits)[place]
        };
        let policy = policy();
        let alone = ask(&position, &moves, &mut policy.session());
        let mut session = Skilled::of(&policy);
        let skilled = ask(&position, &moves, &mut session);
        assert!(chance(&skilled) < chance(&alone) / 50.0, "{} and {}", chance(&skilled), chance(&alone));
        assert_eq!((skilled.value, skilled.result), (alone.value, alone.result));
        assert!(session.nodes() > 0 && session.evaluations() == 1);
        // With caution even more is subtracted, but only when whole games are drawn.
        let skill = Skill { cooling: vec![CAUTION], ..Skill::clone(policy.skill().unwrap()) };
        let cautious = policy.clone().with_skill(Some(skill));
        assert_eq!(ask(&position, &moves, &mut Skilled::of(&cautious)), skilled);
        let of_games = ask(&position, &moves, &mut Skilled::of(&cautious).for_games());
        assert!(chance(&of_games) < chance(&skilled) / 5.0, "{}", chance(&of_games));
        // The same in play, where moves are also drawn more evenly.
        let calibration = vec![Calibration { at: 1000, temperature: 2.0, caution: 1.0 }];
        let skill = Skill { calibration, ..Skill::clone(policy.skill().unwrap()) };
        let calibrated = policy.clone().with_skill(Some(skill));
        assert_eq!(ask(&position, &moves, &mut Skilled::of(&calibrated)), skilled);
        let of_play = ask(&position, &moves, &mut Skilled::of(&calibrated).for_play());
        let ratio = |prediction: &Prediction| {
            let logits = &prediction.logits;
            let [hung, kept] =
                ["Qd3-d5", "Qd3-d4"].map(|name| moves.iter().position(|m| m.to_string() == name).unwrap());
            logits[kept] - logits[hung]
        };
        // Half the difference of the logits, and caution for the difference in pawns lost.
        let pawns = ratio(&of_play) - ratio(&skilled) / 2.0;
        assert!((3.0..=5.0).contains(&pawns), "{pawns}");
        // A policy without a skill is unchanged.
        let none = policy.with_skill(None);
        assert_eq!(ask(&position, &moves, &mut Skilled::of(&none)), alone);
    }

    #[test]
    fn an_answer_depends_on_its_query_alone() {
        let (policy, positions) =
            (policy(), [Chess::default(), position_from_fen("4k3/8/2p5/8/8/3Q4/8/4K3 w - - 0 1").unwrap()]);
        let moves = positions.each_ref().map(Chess::legal_moves);
        let mut session = Skilled::of(&policy);
        let queries = [0, 1, 0].map(|index: usize| Query {
            position: &positions[index],
            moves: &moves[index],
            played: &[],
            context: Context { ratings: [Some(1000); 2], ..Context::default() },
            aim: &Aim::NONE,
        });
        let requests = queries.map(PredictionRequest::Single);
        let together = session.predict(&requests, Limits::none()).unwrap();
        assert_eq!(together[0], together[2]);
        for (answer, index) in together.iter().zip([0, 1, 0]) {
            assert_eq!(answer.prediction, ask(&positions[index], &moves[index], &mut Skilled::of(&policy)));
        }
        let stop = AtomicBool::new(true);
        assert!(session.predict(&requests, Limits::until(&stop)).unwrap().is_empty());
    }
}
