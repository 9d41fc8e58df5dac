use std::path::PathBuf;

use anyhow::{Context, ensure};
use entente::{
    constraint::{Constraint, Target},
    encoding::goal_policy::RatingScale,
    generation::Replay,
    tournament::{Entrant, Folder, Manifest},
};

use super::{Grid, MetGame};
use crate::{dataset::goal::GameInfo, games::read_tournament};

/// Tournaments whose entrants are methods to be compared: those that differ in nothing but the rating that ends their
/// name, such as "natural 1500", are one.
#[derive(Clone, Debug)]
pub struct Tournaments {
    parts: Vec<Part>,
    /// The methods, in the order in which they first appear.
    pub methods: Vec<String>,
}

/// One tournament.
#[derive(Clone, Debug)]
struct Part {
    folder: Folder,
    manifest: Manifest,
    /// For each entrant its method, and its rating if it has one.
    entrants: Vec<(usize, Option<u16>)>,
}

impl Tournaments {
    /// Those in the folders.
    ///
    /// # Errors
    /// If there is none in one of them, or they are not for the same constraints and lengths.
    pub fn open(folders: &[PathBuf]) -> anyhow::Result<Tournaments> {
        let mut all = Tournaments { parts: Vec::new(), methods: Vec::new() };
        for path in folders {
            let (folder, name) = (Folder::new(path), path.display());
            let manifest = folder.manifest()?.with_context(|| format!("{name}: no tournament"))?;
            if let Some(first) = all.parts.first() {
                let (ours, theirs) = (&manifest.plan, &first.manifest.plan);
                let other = first.folder.path().display();
                ensure!(ours.constraints == theirs.constraints, "{name}: other constraints than in {other}");
                ensure!(ours.max_plies == theirs.max_plies, "{name}: another max-plies than in {other}");
            }
            for entrant in &manifest.plan.entrants {
                let policy = &entrant.settings;
                let is_like_people = policy.white_elo == policy.black_elo
                    && (policy.white_elo.is_none() || policy.rating_scale == RatingScale::Online);
                let who = &entrant.name;
                ensure!(
                    is_like_people,
                    "{name}: entrant \"{who}\": expected one rating of both, on the scale online"
                );
            }
            let entrants = manifest.plan.entrants.iter().map(|entrant| all.method(entrant)).collect();
            all.parts.push(Part { folder, manifest, entrants });
        }
        Ok(all)
    }

    /// The method that an entrant is, and its rating.
    fn method(&mut self, entrant: &Entrant) -> (usize, Option<u16>) {
        let rating = entrant.settings.white_elo;
        let without = rating.and_then(|rating| entrant.name.strip_suffix(&format!(" {rating}")));
        let name = without.unwrap_or(&entrant.name);
        let place = self.methods.iter().position(|other| other == name).unwrap_or_else(|| {
            self.methods.push(name.to_owned());
            self.methods.len() - 1
        });
        (place, rating)
    }

    /// Their constraints and ratings, with windows that reach so far.
    ///
    /// # Errors
    /// If no entrant has a rating, or the windows overlap.
    pub fn grid(&self, reach: u16) -> anyhow::Result<Grid> {
        let entrants = self.parts.iter().flat_map(|part| &part.entrants);
        let mut ratings: Vec<u16> = entrants.filter_map(|(_, rating)| *rating).collect();
        ratings.sort_unstable();
        ratings.dedup();
        ensure!(!ratings.is_empty(), "no entrant has a rating (elo) to compare people of");
        let overlap = ratings.windows(2).any(|pair| u32::from(pair[1] - pair[0]) <= 2 * u32::from(reach));
        ensure!(!overlap, "--reach {reach}: the windows of ratings overlap");
        let plan = &self.parts.first().context("no tournament")?.manifest.plan;
        let targets = plan.constraints.iter().map(|text| {
            let constraint: Constraint = text.parse()?;
            Ok(Target::new(constraint)?)
        });
        let targets = targets.collect::<anyhow::Result<_>>()?;
        Ok(Grid { targets, ratings, reach, max_plies: plan.max_plies as usize })
    }

    /// The games that met their constraint, by method. Those of an entrant without a rating are shared out among all
    /// ratings.
    ///
    /// # Errors
    /// If results cannot be read.
    pub fn games(&self, grid: &Grid) -> anyhow::Result<Vec<Vec<MetGame>>> {
        let mut methods = vec![Vec::new(); self.methods.len()];
        for part in &self.parts {
            part.read(grid, &mut methods)?;
        }
        Ok(methods)
    }
}

impl Part {
    fn read(&self, grid: &Grid, methods: &mut [Vec<MetGame>]) -> anyhow::Result<()> {
        let width = grid.targets.len() as u64;
        read_tournament(&self.folder, &self.manifest, |game, record, Replay { moves, last, .. }| {
            let (entrant, constraint) = ((game.pairing / width) as usize, (game.pairing % width) as usize);
            let (method, told) = self.entrants[entrant];
            let rating = match told {
                Some(told) => grid.ratings.iter().position(|rating| *rating == told),
                None => Some(game.index as usize % grid.ratings.len()),
            };
            if let Some(rating) = rating {
                let number = methods[method].len();
                methods[method].push(MetGame {
                    game: number,
                    constraint,
                    rating,
                    info: GameInfo::generated([grid.ratings[rating]; 2], RatingScale::Online),
                    moves,
                    last,
                    delivered_by: record.policy.as_ref().map(|policy| policy.delivered_by),
                    surprise: Vec::new(),
                });
            }
        })
    }
}
