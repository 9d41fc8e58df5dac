//! Puzzles with ratings, from a table.

use std::path::Path;

use anyhow::{Context as _, ensure};
use entente_search::position_from_fen;
use serde::Deserialize;
use shakmaty::{Chess, Move, Position as _, uci::UciMove};

/// A table of puzzles.
#[derive(Clone, Debug)]
pub struct Puzzles(pub Vec<RatedPuzzle>);

/// A puzzle with its rating.
#[derive(Clone, Debug)]
pub struct RatedPuzzle {
    /// The position before the opponent's move, as the table has it.
    pub fen: String,
    /// The position to solve.
    pub position: Chess,
    /// The solution: the solver's moves and the replies in between.
    pub solution: Vec<Move>,
    /// The rating.
    pub rating: f64,
}

/// A row of the table.
#[derive(Deserialize)]
struct Row {
    #[serde(alias = "FEN")]
    fen: String,
    #[serde(alias = "Moves")]
    moves: String,
    #[serde(alias = "Rating")]
    rating: f64,
}

impl Puzzles {
    /// Reads a table in CSV with the columns `fen`, `moves` and `rating`; Lichess's own table of puzzles is one. A
    /// puzzle begins with a move of the opponent.
    ///
    /// # Errors
    /// If the file cannot be read, lacks a column, or has a puzzle with a wrong position or move.
    pub fn read(path: &Path) -> anyhow::Result<Puzzles> {
        let name = || path.display().to_string();
        let mut reader = csv::Reader::from_path(path).with_context(name)?;
        let mut puzzles = Vec::new();
        for (row, line) in reader.deserialize().zip(2..) {
            let place = || format!("{}, line {line}", path.display());
            let row: Row = row
                .with_context(|| format!("{}: expected the columns fen, moves and rating", path.display()))?;
            puzzles.push(RatedPuzzle::new(row).with_context(place)?);
        }
        ensure!(!puzzles.is_empty(), "{}: expected puzzles, found none", path.display());
        Ok(Puzzles(puzzles))
    }
}

impl RatedPuzzle {
    fn new(row: Row) -> anyhow::Result<RatedPuzzle> {
        let Row { fen, moves, rating } = row;
        let mut position = position_from_fen(&fen)
            .with_context(|| format!("fen {fen:?}: expected the FEN of a legal position"))?;
        ensure!(rating.is_finite() && rating > 0.0, "rating: expected a positive number, found {rating}");
        let start = position.clone();
        let mut played = Vec::new();
        for text in moves.split_whitespace() {
            let m = text.parse::<UciMove>().ok().and_then(|m| m.to_move(&position).ok());
            let m =
                m.with_context(|| format!("moves: expected legal moves in UCI notation, found {text:?}"))?;
            position.play_unchecked(m);
            played.push(m);
        }
        ensure!(played.len() >= 2, "moves: expected the opponent's move and a solution, found {moves:?}");
        let solution = played.split_off(1);
        let mut position = start;
        position.play_unchecked(played[0]);
        Ok(RatedPuzzle { fen, position, solution, rating })
    }

    /// The number of moves that the solver must find.
    pub fn moves(&self) -> usize {
        self.solution.len().div_ceil(2)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn read(text: &str) -> Result<Puzzles, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("puzzles.csv");
        fs::write(&path, text).unwrap();
        Puzzles::read(&path).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn the_solution_begins_after_the_first_move() {
        let row = "6k1/5ppp/8/8/8/8/5PPP/R6K b - - 0 1,h7h6 a1a8 g8h7 a8a7,900.5";
        let Puzzles(puzzles) = read(&format!("id,fen,moves,rating\nx,{row}\n")).unwrap();
        let [puzzle] = &puzzles[..] else { panic!("{puzzles:?}") };
        assert_eq!((puzzle.moves(), puzzle.solution.len(), puzzle.rating), (2, 3, 900.5));
        assert!(puzzle.position.is_legal(puzzle.solution[0]));
        let lichess = read(&format!("FEN,Moves,Rating\n{row}\n")).unwrap();
        assert_eq!(lichess.0[0].position, puzzle.position);
    }

    #[test]
    fn errors_name_the_line_and_what_was_expected() {
        let good = "6k1/5ppp/8/8/8/8/5PPP/R6K b - - 0 1,h7h6 a1a8,900";
        for (row, expected) in [
            ("6k1/5ppp/8/8/8/8/5PPP/R6K b - - 0 1,h7h6 a1b8,900", "line 3: moves: expected legal moves"),
            ("6k1/5ppp/8/8/8/8/5PPP/R6K b - - 0 1,h7h6,900", "line 3: moves: expected the opponent's move"),
            ("6k1/5ppp b - - 0 1,h7h6 a1a8,900", "line 3: fen"),
            ("6k1/5ppp/8/8/8/8/5PPP/R6K b - - 0 1,h7h6 a1a8,-1", "line 3: rating"),
        ] {
            let error = read(&format!("fen,moves,rating\n{good}\n{row}\n")).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        assert!(read("fen,moves\na,b\n").unwrap_err().contains("columns fen, moves and rating"));
        assert!(read("fen,moves,rating\n").unwrap_err().contains("found none"));
    }
}
