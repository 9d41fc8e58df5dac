use std::collections::HashMap;

use entente::generation::{Outcome, Replay};
use entente_constraint::{Constraint, Situation, Target};
use entente_search::position_from_fen;

use super::{Manifest, Played, Schedule, schedule};

/// What a game of the plan must be.
pub(super) struct Rules {
    schedule: Schedule,
    root: String,
    /// The places of entrants and constraints, by name.
    entrants: HashMap<String, u64>,
    constraints: HashMap<String, Rule>,
    /// Constraints of each entrant.
    width: u64,
    plan_seed: u64,
}

/// What a game for a constraint must be.
struct Rule {
    /// Its place among the constraints.
    place: u64,
    target: Target,
    max_plies: usize,
}

impl Rules {
    /// Those of a plan. Constraints that are none have no games.
    pub(super) fn new(manifest: &Manifest) -> Rules {
        let plan = &manifest.plan;
        let entrants = plan.entrants.iter().map(|entrant| entrant.name.clone());
        let root = position_from_fen(&plan.root).unwrap_or_default();
        let constraints = plan.constraints.iter().zip(0..).filter_map(|(text, place)| {
            let target = Target::new(text.parse::<Constraint>().ok()?).ok()?;
            let max_plies = plan.longest(&target, &root) as usize;
            Some((text.clone(), Rule { place, target, max_plies }))
        });
        Rules {
            schedule: manifest.schedule(),
            root: plan.root.clone(),
            entrants: entrants.zip(0..).collect(),
            constraints: constraints.collect(),
            width: plan.constraints.len() as u64,
            plan_seed: plan.seed,
        }
    }

    /// The place of a game among all games, by its names.
    pub(super) fn ordinal(&self, entrant: &str, constraint: &str, index: u64) -> Option<u64> {
        let entrant = self.entrants.get(entrant)?;
        let rule = self.constraints.get(constraint)?;
        self.schedule.ordinal(entrant * self.width + rule.place, index)
    }

    /// The place of a game that was played as the rules ask, and the game itself; whether its moves are legal and lead
    /// where they should is asked too.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn check(&self, played: &Played) -> Result<(u64, Replay), String> {
        let Played { entrant, record } = played;
        // As text of the program: what is damaged may hold anything.
        let name = format!("game {} of {entrant:?} for {:?}", record.index, record.constraint);
        let wrong = |what: String| Err(format!("{name}: {what}"));
        let known = self.ordinal(entrant, &record.constraint, record.index);
        let (Some(ordinal), Some(rule)) = (known, self.constraints.get(&record.constraint)) else {
            return wrong("it is not of the plan".to_owned());
        };
        if !self.schedule.is_here(ordinal) {
            return wrong("it is not to be played here".to_owned());
        }
        let seed = schedule::seed(self.plan_seed, entrant, &record.constraint);
        if record.seed != seed {
            return wrong(format!("seed {} instead of {seed}", record.seed));
        }
        if record.root != self.root || record.plies != record.moves.len() || record.plies > rule.max_plies {
            return wrong("another root, or another number of plies, than it should have".to_owned());
        }
        if record.method.chars().any(char::is_control) {
            return wrong("its method is no name".to_owned());
        }
        let is_found = record.outcome == Outcome::Found;
        if (record.distance == 0) != is_found || (record.first_attempt_distance == 0 && !is_found) {
            return wrong("its distances and its outcome contradict each other".to_owned());
        }
        let replay = record.replay().map_err(|error| format!("{name}: {error}"))?;
        let situation = Situation { position: &replay.last, ply: record.plies as u32 };
        // What has to be judged is not judged again: found or not, either may be right.
        let (may, must) = (rule.target.is_satisfied(situation), rule.target.is_surely_satisfied(situation));
        if (is_found && !may) || (!is_found && must) {
            return wrong("its outcome is not that of its last position".to_owned());
        }
        Ok((ordinal, replay))
    }
}
