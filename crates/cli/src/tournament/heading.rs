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
            "{done} games: {} of each of {} {} for each of {} {}; seed {}, entente {version}.",
            plan.games,
            plan.entrants.len(),
            if plan.entrants.len() == 1 { "entrant" } else { "entrants" },
            plan.constraints.len(),
            if plan.constraints.len() == 1 { "constraint" } else { "constraints" },
            plan.seed,
        );
        if shard.of > 1 {
            lead += &format!(" Shard {shard}.");
        }
        let missing = manifest.schedule().here() - done;
        if missing > 0 {
            lead += &format!(" Not finished: {missing} games are missing.");
        }
        if plan.entrants.iter().any(|entrant| entrant.settings.movetime.is_some()) {
            lead += " Time was limited: another run may differ.";
        }
        Heading { title: plan.name.clone(), lead }
    }
}
