use super::{Manifest, journal::Journal};

/// Name and size of a tournament.
pub(super) struct Heading {
    /// Its name.
    pub title: String,
    /// What was played.
    pub lead: String,
}

impl Heading {
    /// Of what is there.
    pub fn new(manifest: &Manifest, journal: &Journal) -> Heading {
        let Manifest { version, shard, plan } = manifest;
        let mut lead = format!(
            "{} games: {} of each of {} {} for each of {} {}; seed {}, entente {version}.",
            journal.done,
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
        if !journal.is_complete() {
            lead += &format!(" Not finished: {} games are missing.", journal.missing().count());
        }
        if plan.entrants.iter().any(|entrant| entrant.settings.movetime.is_some()) {
            lead += " Time was limited: another run may differ.";
        }
        Heading { title: plan.name.clone(), lead }
    }
}
