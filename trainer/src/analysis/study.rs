use std::{collections::HashMap, path::Path};

use anyhow::{Context as _, bail, ensure};
use entente_cli::tournament::Shard;
use entente_network::encoding::goal_policy::RatingScale;
use serde::{Deserialize, Serialize};

use super::{
    Counter,
    tally::{BAND, Band, OfBand, PLACES, Tally, merge_bands, sum},
};
use crate::training::replace_file;

/// What a study is of: two can be joined if these are the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// The store or the tournament, by its name.
    pub source: String,
    /// SHA-256 of the store; of a tournament's results.
    pub hash: String,
    /// True if a program generated the games: each counts for the constraint that it was generated for alone, and ends there.
    pub is_generated: bool,
    /// Which games.
    pub selection: Selection,
    /// The constraints.
    pub constraints: Vec<String>,
}

/// Which games of a source are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// The mean of both ratings is from the first to below the second of these.
    pub ratings: Option<(u16, u16)>,
    /// The scale of the ratings.
    pub scale: Option<RatingScale>,
    /// The entrant of a tournament.
    pub entrant: Option<String>,
}

impl Selection {
    /// True if games of these players are wanted.
    pub fn has(&self, ratings: [u16; 2], scale: RatingScale) -> bool {
        let mean = ((u32::from(ratings[0]) + u32::from(ratings[1])) / 2) as u16;
        self.ratings.is_none_or(|(from, below)| (from..below).contains(&mean))
            && self.scale.is_none_or(|wanted| wanted == scale)
    }
}

/// What games say about constraints, counted; all of it whole numbers, so that it does not matter in which order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// What it is of.
    pub subject: Subject,
    /// Which part.
    pub shard: Shard,
    /// All games, by their players.
    pub games: Vec<OfBand>,
    /// By constraint, in their order.
    pub tallies: Vec<Tally>,
    /// The names of openings, each by its number.
    pub openings: Vec<String>,
}

/// Names of openings, numbered as they come.
#[derive(Debug, Default)]
pub(super) struct Openings {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Openings {
    /// The number of a name.
    pub(super) fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// The names, in the order of their numbers.
    pub(super) fn into_names(self) -> Vec<String> {
        self.names
    }
}

/// No player has a higher rating.
const HIGHEST: u16 = 10_000;

/// The file of a study in a folder of results.
pub const STUDY: &str = "analysis.json.zst";

impl Study {
    /// Without games.
    pub fn new(subject: Subject, shard: Shard) -> Study {
        let tallies = subject.constraints.iter().map(|_| Tally::default()).collect();
        Study { subject, shard, games: Vec::new(), tallies, openings: Vec::new() }
    }

    /// Adds the games of another one, whatever part it is.
    pub fn merge(&mut self, other: &Study) {
        let mut openings = Openings::default();
        self.openings.iter().for_each(|name| _ = openings.number(name));
        let numbers: Vec<u32> = other.openings.iter().map(|name| openings.number(name)).collect();
        self.openings = openings.into_names();
        merge_bands(&mut self.games, &other.games);
        let renamed = |number: u32| numbers[number as usize];
        for (ours, theirs) in self.tallies.iter_mut().zip(&other.tallies) {
            ours.merge(theirs, &renamed);
        }
    }

    /// The same with openings in the order of their names, so that equal studies are equal in every byte.
    pub fn in_order(mut self) -> Study {
        let mut order: Vec<u32> = (0..self.openings.len() as u32).collect();
        order.sort_by(|a, b| self.openings[*a as usize].cmp(&self.openings[*b as usize]));
        let mut numbers = vec![0; order.len()];
        (0..).zip(&order).for_each(|(new, old)| numbers[*old as usize] = new);
        self.openings = order.iter().map(|old| self.openings[*old as usize].clone()).collect();
        for place in self.tallies.iter_mut().flat_map(|tally| &mut tally.places) {
            let mut renamed = Counter::default();
            renamed.merge(&place.openings, |number| numbers[number as usize]);
            place.openings = renamed;
        }
        self
    }

    /// All games whose bands are wanted.
    pub fn of(&self, is_wanted: impl Fn(Band) -> bool) -> OfBand {
        sum(&self.games, is_wanted)
    }

    /// Writes it into a folder.
    ///
    /// # Errors
    ///
    /// If that is not possible.
    pub fn save(&self, folder: &Path) -> anyhow::Result<()> {
        const LEVEL: i32 = 3;
        let path = folder.join(STUDY);
        let write = || -> anyhow::Result<()> {
            let bytes = zstd::encode_all(&serde_json::to_vec(self)?[..], LEVEL)?;
            Ok(replace_file(&path, &bytes)?)
        };
        write().with_context(|| format!("cannot write {}", path.display()))
    }

    /// Reads the one of a folder.
    ///
    /// # Errors
    ///
    /// If there is none, or it is damaged.
    pub fn open(folder: &Path) -> anyhow::Result<Study> {
        let path = folder.join(STUDY);
        let file = std::fs::File::open(&path)
            .with_context(|| format!("{}: no analysis ({STUDY} cannot be read)", folder.display()))?;
        let study: Study = zstd::Decoder::new(file)
            .map_err(anyhow::Error::from)
            .and_then(|reader| Ok(serde_json::from_reader(std::io::BufReader::new(reader))?))
            .with_context(|| format!("{}: damaged, or of another version", path.display()))?;
        study.check().map_err(|what| anyhow::anyhow!("{}: damaged: {what}", path.display()))?;
        Ok(study)
    }

    /// What of it does not fit together.
    fn check(&self) -> Result<(), &'static str> {
        let openings = self.openings.len() as u32;
        let is_whole = |tally: &Tally| {
            tally.places.len() == PLACES
                && tally.bands.iter().all(|band| band.places.len() == PLACES)
                && tally.places.iter().all(|place| place.openings.iter().all(|(number, _)| number < openings))
        };
        if self.tallies.len() != self.subject.constraints.len() {
            return Err("as many counts as constraints are wanted");
        }
        let is_sound = |band: &OfBand| {
            band.band.from.is_multiple_of(BAND)
                && band.band.from <= HIGHEST
                && band.plies.is_sound(band.games)
        };
        let of_all = |tally: &Tally| {
            let in_order = |bands: &[OfBand]| bands.is_sorted_by(|one, other| one.band < other.band);
            let is_part =
                |band: &OfBand| self.games.iter().any(|all| all.band == band.band && all.games >= band.games);
            in_order(&tally.bands) && tally.bands.iter().all(|band| is_sound(band) && is_part(band))
        };
        if !self.games.iter().all(is_sound) || !self.tallies.iter().all(of_all) {
            return Err("numbers do not fit together");
        }
        if !(1..=self.shard.of).contains(&self.shard.number) || self.shard.of > Shard::MOST {
            return Err("there is no such shard");
        }
        if self.subject.selection.ratings.is_some_and(|(from, below)| from >= below) {
            return Err("there are no such ratings");
        }
        if !self.tallies.iter().all(is_whole) {
            return Err("squares or openings are missing");
        }
        Ok(())
    }

    /// Joins the studies of folders, which must be all parts of one, in the order of the parts.
    ///
    /// # Errors
    ///
    /// If one cannot be read, is of something else or there twice, or one is missing.
    pub fn join<P: AsRef<Path>>(folders: &[P]) -> anyhow::Result<(Study, Vec<usize>)> {
        let mut parts = Vec::new();
        for (index, folder) in folders.iter().map(AsRef::as_ref).enumerate() {
            let study = Study::open(folder)?;
            parts.push((study, index));
        }
        parts.sort_by_key(|(study, _)| study.shard.number);
        let name = |index: usize| folders[index].as_ref().display();
        let Some((first, index)) = parts.first() else { bail!("expected at least one part") };
        let of = first.shard.of;
        for (study, other) in &parts[1..] {
            ensure!(
                study.subject == first.subject,
                "{}: not of the same games and constraints as {}",
                name(*other),
                name(*index)
            );
            ensure!(
                study.shard.of == of,
                "{}: shard {}, and {} is shard {}",
                name(*other),
                study.shard,
                name(*index),
                first.shard
            );
        }
        for number in 1..=of {
            let mut those = parts.iter().filter(|(study, _)| study.shard.number == number);
            let shard = Shard { number, of };
            match (those.next(), those.next()) {
                (None, _) => bail!("shard {shard} is missing; nothing was merged"),
                (Some((_, one)), Some((_, other))) => {
                    bail!("{}: shard {shard}, as {} is", name(*other), name(*one))
                }
                _ => {}
            }
        }
        let mut all = Study::new(first.subject.clone(), Shard::WHOLE);
        parts.iter().for_each(|(study, _)| all.merge(study));
        Ok((all.in_order(), parts.iter().map(|(_, index)| *index).collect()))
    }
}
