use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use entente::{generation::DEFAULT_MAX_PLIES, records::Replay, settings::Method};
use entente_cli::tournament::{Entrant, Folder, Manifest};
use entente_constraint::{Constraint, Target};
use entente_network::encoding::goal_policy::RatingScale;

use super::{Grid, SatisfyingGame, Window};
use crate::{games::read_tournament, samples::goal::GameInfo};

/// Tournaments whose entrants are the methods to compare. Entrants whose names differ only in the rating at the end,
/// such as "natural 1500" and "natural 2200 FIDE", are one method.
#[derive(Clone, Debug)]
pub struct Tournaments {
    parts: Vec<Part>,
    /// The methods, in the order in which they first appear.
    pub methods: Vec<String>,
}

/// The rating of an entrant and its scale.
type Told = (u16, RatingScale);

/// One tournament.
#[derive(Clone, Debug)]
struct Part {
    folder: Folder,
    manifest: Manifest,
    /// For each entrant, the index of its method, and its rating if it has one.
    entrants: Vec<(usize, Option<Told>)>,
}

impl Tournaments {
    /// Opens the tournaments in the folders.
    ///
    /// # Errors
    ///
    /// If a folder has no tournament, or the tournaments have different constraints or lengths.
    pub fn open(folders: &[PathBuf]) -> anyhow::Result<Tournaments> {
        let mut all = Tournaments { parts: Vec::new(), methods: Vec::new() };
        for path in folders {
            let (folder, name) = (Folder::new(path), path.display());
            let manifest = folder.manifest()?.with_context(|| format!("{name}: no tournament"))?;
            if let Some(first) = all.parts.first() {
                let (ours, theirs) = (&manifest.plan, &first.manifest.plan);
                let other = first.folder.path().display();
                ensure!(
                    ours.constraints == theirs.constraints,
                    "{name}: the constraints differ from those in {other}"
                );
                ensure!(ours.max_plies == theirs.max_plies, "{name}: max-plies differs from that in {other}");
            }
            for entrant in &manifest.plan.entrants {
                let (settings, who) = (&entrant.settings, &entrant.name);
                let is_one = settings.white_elo == settings.black_elo;
                ensure!(is_one, "{name}: entrant \"{who}\": expected the same rating (elo) for both players");
            }
            let entrants = manifest.plan.entrants.iter().map(|entrant| all.method(entrant)).collect();
            all.parts.push(Part { folder, manifest, entrants });
        }
        Ok(all)
    }

    /// The index of an entrant's method, and its rating. Adds the method if it is new.
    fn method(&mut self, entrant: &Entrant) -> (usize, Option<Told>) {
        let rating = entrant.settings.white_elo.map(|rating| (rating, entrant.settings.rating_scale));
        let without = rating.and_then(|(rating, scale)| {
            let window = Window { rating, scale, reach: 0 };
            let ending = |ending: String| entrant.name.strip_suffix(&format!(" {ending}"));
            ending(window.to_string()).or_else(|| ending(rating.to_string()))
        });
        let name = without.unwrap_or(&entrant.name);
        let place = self.methods.iter().position(|other| other == name).unwrap_or_else(|| {
            self.methods.push(name.to_owned());
            self.methods.len() - 1
        });
        (place, rating)
    }

    /// The methods that play with this network, or model people with it: a file, or the name of an embedded one.
    pub fn users(&self, file: &str) -> Vec<String> {
        let is_same = |other: &str| {
            let paths = [file, other].map(|path| Path::new(path).canonicalize().ok());
            file == other || (paths[0].is_some() && paths[0] == paths[1])
        };
        let mut uses = vec![false; self.methods.len()];
        for part in &self.parts {
            for (entrant, (method, _)) in part.manifest.plan.entrants.iter().zip(&part.entrants) {
                let settings = &entrant.settings;
                let by_policy = settings.method.is_none_or(Method::has_policy);
                let usual = by_policy.then(|| [Some(settings.policy_name()), settings.human_name()]);
                let named = settings.network.as_deref();
                uses[*method] |= usual.into_iter().flatten().flatten().chain(named).any(is_same);
            }
        }
        let users = self.methods.iter().zip(uses).filter(|(_, uses)| *uses);
        users.map(|(method, _)| method.clone()).collect()
    }

    /// The grid of the tournaments' constraints and of windows around their ratings. A rating in a window differs by at
    /// most `reach` points.
    ///
    /// # Errors
    ///
    /// If no entrant has a rating.
    pub fn grid(&self, reach: u16) -> anyhow::Result<Grid> {
        let entrants = self.parts.iter().flat_map(|part| &part.entrants);
        let windows = Window::around(entrants.filter_map(|(_, told)| *told), reach);
        ensure!(
            !windows.is_empty(),
            "no entrant has a rating (elo), so there are no human games to compare with"
        );
        let plan = &self.parts.first().context("no tournament")?.manifest.plan;
        let targets = plan.constraints.iter().map(|text| {
            let constraint: Constraint = text.parse()?;
            Ok(Target::new(constraint)?)
        });
        let targets = targets.collect::<anyhow::Result<_>>()?;
        Ok(Grid { targets, windows, max_plies: plan.max_plies.unwrap_or(DEFAULT_MAX_PLIES) as usize })
    }

    /// The games that met their constraint, by method. The games of an entrant without a rating are distributed over
    /// all ratings.
    ///
    /// # Errors
    ///
    /// If results cannot be read.
    pub fn games(&self, grid: &Grid) -> anyhow::Result<Vec<Vec<SatisfyingGame>>> {
        let mut methods = vec![Vec::new(); self.methods.len()];
        for part in &self.parts {
            part.read(grid, &mut methods)?;
        }
        Ok(methods)
    }
}

impl Part {
    fn read(&self, grid: &Grid, methods: &mut [Vec<SatisfyingGame>]) -> anyhow::Result<()> {
        let width = grid.targets.len() as u64;
        read_tournament(&self.folder, &self.manifest, |game, record, Replay { moves, last, .. }| {
            let (entrant, constraint) = ((game.pairing / width) as usize, (game.pairing % width) as usize);
            let (method, told) = self.entrants[entrant];
            let rating = match told {
                Some(told) => grid.windows.iter().position(|window| (window.rating, window.scale) == told),
                None => Some(game.index as usize % grid.windows.len()),
            };
            if let Some(rating) = rating {
                let window = grid.windows[rating];
                let number = methods[method].len();
                methods[method].push(SatisfyingGame {
                    game: number,
                    constraint,
                    rating,
                    info: GameInfo::generated([window.rating; 2], window.scale),
                    moves,
                    last,
                    delivered_by: record.policy.as_ref().map(|policy| policy.delivered_by),
                    surprise: Vec::new(),
                    losses: Vec::new(),
                });
            }
        })
    }
}
