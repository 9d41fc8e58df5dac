use std::path::Path;

use anyhow::{Context as _, bail};
use entente_cli::tournament::{Folder, Manifest, Shard};
use entente_search::scorer::{EvaluationNetwork, NetworkScorer};

use super::{
    Selection, Study, Subject, WantedConstraints,
    tally::{Band, Facts, add_game, expected},
};
use crate::{
    files::{file_name, sha256_file},
    games::read_tournament,
};

/// A tournament of generated games.
pub struct Generated {
    folder: Folder,
    manifest: Manifest,
}

impl Generated {
    /// Opens the tournament in a folder; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn open(path: &Path) -> anyhow::Result<Option<Generated>> {
        let folder = Folder::new(path);
        Ok(folder.manifest()?.map(|manifest| Generated { folder, manifest }))
    }

    /// Counts the games that met their constraints. Each counts only for its own constraint, because generated games
    /// are not a fair sample for other constraints.
    ///
    /// # Errors
    ///
    /// If the games cannot be read, or there is no such entrant or no such game.
    pub fn study(&self, selection: Selection) -> anyhow::Result<Study> {
        let Generated { folder, manifest } = self;
        let name = || folder.path().display().to_string();
        let plan = &manifest.plan;
        let is_wanted = |entrant: &str| selection.entrant.as_ref().is_none_or(|wanted| wanted == entrant);
        let wanted: Vec<bool> = plan.entrants.iter().map(|entrant| is_wanted(&entrant.name)).collect();
        if !wanted.contains(&true) {
            let names: Vec<&str> = plan.entrants.iter().map(|entrant| entrant.name.as_str()).collect();
            bail!("option --entrant: {} only has {}", name(), names.join(", "));
        }
        let constraints = WantedConstraints::of(&plan.constraints).with_context(name)?;
        let results = folder.path().join("results.jsonl");
        let subject = Subject {
            source: file_name(folder.path()),
            hash: sha256_file(&results).with_context(|| format!("cannot read {}", results.display()))?,
            is_generated: true,
            selection: selection.clone(),
            constraints: constraints.names().to_vec(),
        };
        let mut study = Study::new(subject, Shard::WHOLE);
        let scorer = NetworkScorer::new(EvaluationNetwork::embedded());
        let width = plan.constraints.len() as u64;
        read_tournament(folder, manifest, |game, _, replay| {
            let [entrant, constraint] =
                [game.pairing / width, game.pairing % width].map(|place| place as usize);
            let settings = &plan.entrants[entrant].settings;
            let ratings = [settings.white_elo, settings.black_elo].map(|rating| rating.unwrap_or(0));
            if wanted[entrant] && selection.has(ratings, settings.rating_scale) {
                let band = Band::of(ratings, settings.rating_scale);
                let facts = Facts { band, result: None, opening: None };
                let plies = replay.moves.len() as u32;
                add_game(&mut study.games, &facts, plies);
                study.tallies[constraint].add(&facts, plies, &replay.last, expected(&scorer, &replay.last));
            }
        })?;
        if study.games.is_empty() {
            bail!("{}: no selected game met its constraint", name());
        }
        Ok(study)
    }
}
