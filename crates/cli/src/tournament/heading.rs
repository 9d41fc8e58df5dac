use entente_constraint::{counted, noun};

use super::Manifest;

/// The heading of a tournament's tables and report.
pub(super) struct Heading {
    /// The name of the tournament.
    pub title: String,
    /// A paragraph with the numbers of games, entrants and constraints.
    pub lead: String,
}

impl Heading {
    /// The heading after `done` games.
    pub(super) fn new(manifest: &Manifest, done: u64) -> Heading {
        let Manifest { version, shard, plan, .. } = manifest;
        let mut lead = format!(
            "{}: {} of each of {} for each of {}; seed {}, entente {version}.",
            counted(done, "game", "games"),
            plan.games,
            counted(plan.entrants.len(), "entrant", "entrants"),
            counted(plan.constraints.len(), "constraint", "constraints"),
            plan.seed,
        );
        if shard.of > 1 {
            lead += &format!(" Shard {shard}.");
        }
        let missing = manifest.schedule().here() - done;
        if missing > 0 {
            lead += &format!(
                " Not finished: {} {} missing.",
                counted(missing, "game", "games"),
                noun(missing, "is", "are")
            );
        }
        if plan.entrants.iter().any(|entrant| entrant.settings.movetime.is_some()) {
            lead += " Time was limited: another run may differ.";
        }
        Heading { title: plan.name.clone(), lead }
    }
}
