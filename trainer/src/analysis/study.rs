use std::{collections::HashMap, path::Path};

use anyhow::{Context as _, bail, ensure};
use entente_cli::{tournament::Shard, whole_file::replace_file};
use entente_network::encoding::goal_policy::RatingScale;
use serde::{Deserialize, Serialize};

use super::{
    Counter,
    tally::{BAND, Band, BandTally, PLACES, Tally, merge_bands, sum},
};

/// The subject of a study. Two studies can be joined only if they have the same subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// The name of the store or the tournament.
    pub source: String,
    /// The SHA-256 of the store or of the tournament's results.
    pub hash: String,
    /// True if a program generated the games. Each then ends at its constraint and counts only for it.
    pub is_generated: bool,
    /// The selected games.
    pub selection: Selection,
    /// The constraints.
    pub constraints: Vec<String>,
}

/// Which games of a source are selected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// The range of the mean of both ratings: the lower limit, and the exclusive upper limit.
    pub ratings: Option<(u16, u16)>,
    /// The scale of the ratings.
    pub scale: Option<RatingScale>,
    /// The entrant of a tournament.
    pub entrant: Option<String>,
}

impl Selection {
    /// True if games with these ratings are selected.
    pub fn has(&self, ratings: [u16; 2], scale: RatingScale) -> bool {
        let mean = ((u32::from(ratings[0]) + u32::from(ratings[1])) / 2) as u16;
        self.ratings.is_none_or(|(from, below)| (from..below).contains(&mean))
            && self.scale.is_none_or(|wanted| wanted == scale)
    }
}

/// Counts of games that meet constraints. All are integers, so the order of counting does not matter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// The subject.
    pub subject: Subject,
    /// The part of the source.
    pub shard: Shard,
    /// All selected games, by rating band.
    pub games: Vec<BandTally>,
    /// The counts of each constraint, in their order.
    pub tallies: Vec<Tally>,
    /// The names of openings; the index is the number of the opening.
    pub openings: Vec<String>,
}

/// Names of openings, numbered in the order in which they occur.
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

/// The highest rating that a valid study may have.
const HIGHEST: u16 = 10_000;

/// The name of the file of a study in a folder of results.
pub const STUDY: &str = "analysis.json.zst";

impl Study {
    /// A study without games.
    pub fn new(subject: Subject, shard: Shard) -> Study {
        let tallies = subject.constraints.iter().map(|_| Tally::default()).collect();
        Study { subject, shard, games: Vec::new(), tallies, openings: Vec::new() }
    }

    /// Adds the games of another study, of any part.
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

    /// The same study with openings sorted by name, so that equal studies have the same bytes.
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

    /// The sum over all games in the bands for which `is_wanted` is true.
    pub fn of(&self, is_wanted: impl Fn(Band) -> bool) -> BandTally {
        sum(&self.games, is_wanted)
    }

    /// Writes the study to a folder.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn save(&self, folder: &Path) -> anyhow::Result<()> {
        const LEVEL: i32 = 3;
        let path = folder.join(STUDY);
        let write = || -> anyhow::Result<()> {
            let bytes = zstd::encode_all(&serde_json::to_vec(self)?[..], LEVEL)?;
            Ok(replace_file(&path, &bytes)?)
        };
        write().with_context(|| format!("cannot write {}", path.display()))
    }

    /// Reads the study of a folder.
    ///
    /// # Errors
    ///
    /// If there is no study, or it is damaged.
    pub fn open(folder: &Path) -> anyhow::Result<Study> {
        let path = folder.join(STUDY);
        let file = std::fs::File::open(&path)
            .with_context(|| format!("{}: no analysis (cannot read {STUDY})", folder.display()))?;
        let study: Study = zstd::Decoder::new(file)
            .map_err(anyhow::Error::from)
            .and_then(|reader| Ok(serde_json::from_reader(std::io::BufReader::new(reader))?))
            .with_context(|| format!("{}: damaged or from another version", path.display()))?;
        study.check().map_err(|what| anyhow::anyhow!("{}: damaged: {what}", path.display()))?;
        Ok(study)
    }

    /// Checks that the parts of the study are consistent; the error says what is not.
    fn check(&self) -> Result<(), &'static str> {
        let openings = self.openings.len() as u32;
        let is_whole = |tally: &Tally| {
            tally.places.len() == PLACES
                && tally.bands.iter().all(|band| band.places.len() == PLACES)
                && tally.places.iter().all(|place| place.openings.iter().all(|(number, _)| number < openings))
        };
        if self.tallies.len() != self.subject.constraints.len() {
            return Err("the number of counts differs from the number of constraints");
        }
        let is_sound = |band: &BandTally| {
            band.band.from.is_multiple_of(BAND)
                && band.band.from <= HIGHEST
                && band.plies.is_sound(band.games)
        };
        let of_all = |tally: &Tally| {
            let in_order = |bands: &[BandTally]| bands.is_sorted_by(|one, other| one.band < other.band);
            let is_part = |band: &BandTally| {
                self.games.iter().any(|all| all.band == band.band && all.games >= band.games)
            };
            in_order(&tally.bands) && tally.bands.iter().all(|band| is_sound(band) && is_part(band))
        };
        if !self.games.iter().all(is_sound) || !self.tallies.iter().all(of_all) {
            return Err("counts are inconsistent");
        }
        if !(1..=self.shard.of).contains(&self.shard.number) || self.shard.of > Shard::MAX {
            return Err("invalid shard");
        }
        if self.subject.selection.ratings.is_some_and(|(from, below)| from >= below) {
            return Err("invalid range of ratings");
        }
        if !self.tallies.iter().all(is_whole) {
            return Err("squares or openings are missing");
        }
        Ok(())
    }

    /// Joins the studies of folders, which must be all parts of one source. Returns the study and the indices of the
    /// folders in the order of the parts.
    ///
    /// # Errors
    ///
    /// If a study cannot be read or has another subject, or a part occurs twice or is missing.
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
                "{}: other games or constraints than in {}",
                name(*other),
                name(*index)
            );
            ensure!(
                study.shard.of == of,
                "{}: shard {}, but {} is shard {}",
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
                    bail!("{}: shard {shard}, the same as {}", name(*other), name(*one))
                }
                _ => {}
            }
        }
        let mut all = Study::new(first.subject.clone(), Shard::WHOLE);
        parts.iter().for_each(|(study, _)| all.merge(study));
        Ok((all.in_order(), parts.iter().map(|(_, index)| *index).collect()))
    }
}
