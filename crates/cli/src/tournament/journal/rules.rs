use std::collections::HashMap;

use entente::{generation::Outcome, records::Replay};
use entente_constraint::{Constraint, Situation, Target};
use entente_search::position_from_fen;

use super::{Manifest, Played, Schedule, schedule};

/// The rules that the games of a plan must follow.
pub(super) struct Rules {
    schedule: Schedule,
    root: String,
    /// The places of the entrants, by name.
    entrants: HashMap<String, u64>,
    constraints: HashMap<String, Rule>,
    /// The number of constraints.
    width: u64,
    plan_seed: u64,
}

/// The rule for the games of a constraint.
struct Rule {
    /// The place of the constraint in the plan.
    place: u64,
    target: Target,
    max_plies: usize,
}

impl Rules {
    /// The rules of a plan. Invalid constraints have no games.
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

    /// The ordinal of a game, by the names of its entrant and constraint.
    pub(super) fn ordinal(&self, entrant: &str, constraint: &str, index: u64) -> Option<u64> {
        let entrant = self.entrants.get(entrant)?;
        let rule = self.constraints.get(constraint)?;
        self.schedule.ordinal(entrant * self.width + rule.place, index)
    }

    /// Checks a game, including that its moves are legal and lead to its last position. Returns its ordinal and the
    /// replayed game.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn check(&self, played: &Played) -> Result<(u64, Replay), String> {
        let Played { entrant, record } = played;
        // Escaped, because damaged names may contain anything.
        let name = format!("game {} of {entrant:?} for {:?}", record.index, record.constraint);
        let wrong = |what: String| Err(format!("{name}: {what}"));
        let known = self.ordinal(entrant, &record.constraint, record.index);
        let (Some(ordinal), Some(rule)) = (known, self.constraints.get(&record.constraint)) else {
            return wrong("not in the plan".to_owned());
        };
        if !self.schedule.is_here(ordinal) {
            return wrong("belongs to another shard".to_owned());
        }
        let seed = schedule::seed(self.plan_seed, entrant, &record.constraint);
        if record.seed != seed {
            return wrong(format!("seed {} instead of {seed}", record.seed));
        }
        if record.root != self.root || record.plies != record.moves.len() || record.plies > rule.max_plies {
            return wrong("wrong root or number of plies".to_owned());
        }
        if record.method.chars().any(char::is_control) {
            return wrong("the method contains control characters".to_owned());
        }
        let is_found = record.outcome == Outcome::Found;
        if (record.distance == 0) != is_found || (record.first_attempt_distance == 0 && !is_found) {
            return wrong("the distances and the outcome contradict each other".to_owned());
        }
        let replay = record.replay().map_err(|error| format!("{name}: {error}"))?;
        let situation = Situation::root(&replay.root).after(&replay.moves, &replay.last);
        // Conditions that search judges are not judged again, so that either outcome may be right.
        let (may, must) =
            (rule.target.is_satisfied(situation), rule.target.is_certainly_satisfied(situation));
        if (is_found && !may) || (!is_found && must) {
            return wrong("the outcome does not match the last position".to_owned());
        }
        Ok((ordinal, replay))
    }
}
