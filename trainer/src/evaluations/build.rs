use std::{collections::HashSet, io::Read};

use entente_search::AlphaBeta;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position};

use super::{LabelledPosition, TableError, read_table, table::Row};
use crate::games::{Evaluation, GameResult, Split, StoredGame};

/// In a quiet position, captures gain at most this, in centipawns.
pub(super) const QUIET: i32 = 60;

/// Collects labelled positions without duplicates.
#[derive(Debug)]
pub struct Builder {
    positions: Vec<LabelledPosition>,
    keys: HashSet<u64>,
    search: AlphaBeta,
    counts: Counts,
}

/// Counts of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Positions with an evaluation.
    pub found: u64,
    /// Positions that repeat an earlier one.
    pub repeated: u64,
    /// Rows of tables without a valid position and evaluation.
    pub faulty: u64,
    /// Positions that were kept and are quiet: not in check, and without a capture that gains.
    pub quiet: u64,
}

/// A position whose split is not known yet.
type Waiting = (Chess, Evaluation);

impl Default for Builder {
    fn default() -> Builder {
        let (positions, keys, counts) = (Vec::new(), HashSet::new(), Counts::default());
        Builder { positions, keys, search: AlphaBeta::short(), counts }
    }
}

impl Builder {
    /// The counts so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The positions in the order in which they were found.
    pub fn into_positions(self) -> Vec<LabelledPosition> {
        self.positions
    }

    /// Adds the positions of a game after the moves that have evaluations.
    pub fn add_game(&mut self, game: &StoredGame) {
        let split = game.split();
        let mut position = Chess::default();
        for (m, evaluation) in game.moves.iter().zip(&game.evaluations) {
            position.play_unchecked(*m);
            if let Some(evaluation) = evaluation {
                self.add(&position, *evaluation, Some(game.result), split);
            }
        }
    }

    /// Adds labelled positions.
    pub fn add_labelled(&mut self, positions: impl IntoIterator<Item = LabelledPosition>) {
        positions.into_iter().for_each(|position| self.keep(position));
    }

    /// Adds the rows of a table (see [`read_table`]). Consecutive rows count as one game as long as the move numbers do
    /// not fall. `fault` is called with the line and the reason for each invalid row.
    ///
    /// # Errors
    ///
    /// If the table lacks a column or cannot be read. The rows before the error are added.
    pub fn add_table(
        &mut self,
        source: impl Read,
        mut fault: impl FnMut(u64, &str),
    ) -> Result<(), TableError> {
        let (mut game, mut fullmoves): (Vec<Waiting>, u32) = (Vec::new(), 0);
        let read = read_table(source, |row| match row {
            Ok(Row { position, fullmoves: next, evaluation }) => {
                if next < fullmoves {
                    self.add_rows(&mut game);
                }
                fullmoves = next;
                game.push((position, evaluation));
            }
            Err((line, reason)) => {
                self.counts.faulty += 1;
                fault(line, &reason);
            }
        });
        self.add_rows(&mut game);
        read
    }

    /// Adds the rows of a game. Its boards determine the split.
    fn add_rows(&mut self, game: &mut Vec<Waiting>) {
        let boards: Vec<String> = game.iter().map(|(position, _)| position.board().to_string()).collect();
        let split = Split::of_text(&boards.join(" "));
        for (position, evaluation) in game.drain(..) {
            self.add(&position, evaluation, None, split);
        }
    }

    fn add(&mut self, position: &Chess, evaluation: Evaluation, result: Option<GameResult>, split: Split) {
        let is_quiet = self.search.is_quiet(position, QUIET) && !position.is_game_over();
        let (board, turn) = (position.board(), position.turn());
        self.keep(LabelledPosition::new(board, turn, evaluation, result, split, is_quiet));
    }

    fn keep(&mut self, labelled: LabelledPosition) {
        self.counts.found += 1;
        if !self.keys.insert(labelled.key()) {
            self.counts.repeated += 1;
            return;
        }
        self.counts.quiet += u64::from(labelled.is_quiet());
        self.positions.push(labelled);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "FEN,Evaluation
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1,+30
rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2,+50
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1,+20
nonsense,1
rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR w KQkq - 2 4,+60
";

    #[test]
    fn a_table_gives_each_position_once_with_one_split_per_game() {
        let (mut builder, mut faults) = (Builder::default(), Vec::new());
        builder.add_table(TABLE.as_bytes(), |line, _| faults.push(line)).unwrap();
        let Counts { found, repeated, faulty, quiet } = builder.counts();
        // Exchanging pawns gains nothing. In the last position, a queen can be captured.
        assert_eq!((found, repeated, faulty, quiet, faults), (4, 1, 1, 2, vec![5]));
        let positions = builder.into_positions();
        assert_eq!(positions.iter().map(LabelledPosition::score).collect::<Vec<_>>(), [-30, 50, 60]);
        assert_eq!(positions[0].split(), positions[1].split());
    }
}
