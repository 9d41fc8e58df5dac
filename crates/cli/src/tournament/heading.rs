use super::Manifest;

/// Name and size of a tournament.
pub(super) struct Heading {
    /// Its name.
    pub title: String,
    /// What was played.
    pub lead: String,
}

impl Heading {
    /// Of so many games that were played.
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
