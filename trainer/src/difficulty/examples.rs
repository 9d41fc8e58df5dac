//! Puzzles with the features that the engine finds, and their split.

use std::path::Path;

use anyhow::{Context as _, ensure};
use entente::{
    difficulty::{FEATURES, Rater},
    parallel::map_in_order,
};
use entente_network::NetworkError;
use entente_search::Limits;

use super::{Puzzles, RatedPuzzle};
use crate::{files::sha256, progress::ProgressObserver};

/// One in so many puzzles is kept back.
const KEPT_BACK: u8 = 4;
/// The number of folds of the cross-validation.
pub(super) const FOLDS: u8 = 5;

/// A puzzle with the features of the engine's own solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// The puzzle's rating.
    pub rating: f64,
    /// The number of moves of the puzzle's own solution.
    pub moves: f64,
    /// True if the engine's solution begins with the same move.
    pub is_solved: bool,
    /// True if it takes no part in the fit.
    pub is_kept_back: bool,
    /// The fold of the cross-validation.
    pub(super) fold: u8,
    /// One number for each of [`FEATURES`].
    pub features: Vec<f64>,
}

/// All examples of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Examples {
    /// The puzzles that the engine calls puzzles.
    pub all: Vec<Example>,
    /// The number of others: the engine finds that no move or that several moves solve them.
    pub left_out: usize,
}

impl Examples {
    /// Finds the features of all puzzles.
    ///
    /// # Errors
    /// [`NetworkError`] if the policy of human moves cannot be run.
    pub fn find(
        puzzles: &Puzzles,
        threads: usize,
        observer: &dyn ProgressObserver,
    ) -> Result<Examples, NetworkError> {
        let mut raters = (0..threads.max(1)).map(|_| Rater::new()).collect::<Result<Vec<_>, _>>()?;
        observer.begin("solving", puzzles.0.len() as u64, "puzzles");
        let found = map_in_order(&puzzles.0, &mut raters, |rater, puzzle: &RatedPuzzle| {
            let found = rater.features(&puzzle.position, Limits::none())?;
            observer.done(1);
            Ok::<_, NetworkError>(found.map(|(own, features)| {
                let is_solved = own.steps[0].solution() == puzzle.solution[0];
                Example::new(puzzle, is_solved, features)
            }))
        })?;
        observer.end();
        let all: Vec<Example> = found.into_iter().flatten().collect();
        let left_out = puzzles.0.len() - all.len();
        Ok(Examples { all, left_out })
    }

    /// Those that take part in the fit, or those that do not.
    pub fn part(&self, is_kept_back: bool) -> Vec<&Example> {
        self.all.iter().filter(|example| example.is_kept_back == is_kept_back).collect()
    }

    /// Writes them as CSV, so that [`Examples::read`] need not find them again.
    ///
    /// # Errors
    /// If the table cannot be written.
    pub fn csv(&self) -> anyhow::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let own = ["rating", "moves_given", "solved", "kept_back", "fold", "left_out"];
        writer.write_record(own.into_iter().chain(FEATURES.iter().map(String::as_str)))?;
        for example in &self.all {
            let flags = [example.is_solved, example.is_kept_back].map(|flag| u8::from(flag).to_string());
            let own = [example.rating.to_string(), example.moves.to_string()].into_iter();
            let rest = [example.fold.to_string(), self.left_out.to_string()];
            let features = example.features.iter().map(f64::to_string);
            writer.write_record(own.chain(flags).chain(rest).chain(features))?;
        }
        Ok(writer.into_inner().map_err(|error| error.into_error())?)
    }

    /// Reads what [`Examples::csv`] wrote.
    ///
    /// # Errors
    /// If the file cannot be read, or has other features.
    pub fn read(path: &Path) -> anyhow::Result<Examples> {
        let name = || path.display().to_string();
        let mut reader = csv::Reader::from_path(path).with_context(name)?;
        let header = reader.headers().with_context(name)?;
        ensure!(
            header.iter().skip(6).eq(FEATURES.iter().map(String::as_str)),
            "{}: expected the features of this program; without --features they are found again",
            path.display()
        );
        let (mut all, mut left_out) = (Vec::new(), 0);
        for (row, line) in reader.deserialize().zip(2..) {
            let row: Vec<f64> = row.with_context(|| format!("{}, line {line}: expected numbers", name()))?;
            let [rating, moves, solved, kept_back, fold, left, ref features @ ..] = row[..] else {
                anyhow::bail!("{}, line {line}: expected more columns", name());
            };
            left_out = left as usize;
            let features = features.to_vec();
            let (is_solved, is_kept_back) = (solved == 1.0, kept_back == 1.0);
            all.push(Example { rating, moves, is_solved, is_kept_back, fold: fold as u8, features });
        }
        Ok(Examples { all, left_out })
    }
}

impl Example {
    /// The example of a puzzle. A hash of its FEN decides whether it is kept back, so it is so whatever else is in the
    /// table.
    fn new(puzzle: &RatedPuzzle, is_solved: bool, features: Vec<f64>) -> Example {
        let hash = sha256(puzzle.fen.as_bytes());
        let byte = |place: usize| u8::from_str_radix(&hash[2 * place..2 * place + 2], 16).unwrap_or(0);
        Example {
            rating: puzzle.rating,
            moves: puzzle.moves() as f64,
            is_solved,
            is_kept_back: byte(0) % KEPT_BACK == 0,
            fold: byte(1) % FOLDS,
            features,
        }
    }
}
