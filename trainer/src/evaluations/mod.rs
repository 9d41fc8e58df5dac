//! Positions with an engine's evaluations, from which evaluation networks learn.
//!
//! The inputs are games whose moves have evaluations, tables of positions, and positions that an engine evaluates in a
//! [`Labelling`]. The output is a store of [`LabelledPosition`]s without duplicates. Positions of a game always belong
//! to the game's [`Split`](crate::games::Split).

mod build;
mod choice;
mod label;
mod labels;
mod position;
mod store;
mod table;
mod text;

pub use build::{Builder, Counts};
pub use choice::{Choice, Chooser, Chosen};
pub use label::Labelling;
pub use labels::{Labels, Purpose};
pub use position::{LabelledPosition, SCORE_BOUND};
pub use store::{Description, EvaluationStore, EvaluationStoreError};
pub use table::{Row, TableError, read_table};
pub use text::evaluation;

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use shakmaty::{Chess, Position, uci::UciMove};

    use crate::games::{GameResult, RatingScale, StoredGame, TimeClass};

    /// A game with these moves.
    pub(super) fn game(moves: &str) -> StoredGame {
        let mut position = Chess::default();
        let play = |word: &str| {
            let m = word.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(m);
            m
        };
        StoredGame {
            white_rating: 1500,
            black_rating: 1500,
            players: [None; 2],
            scale: RatingScale::Online,
            result: GameResult::Draw,
            time_class: TimeClass::Blitz,
            time_control: None,
            eco: None,
            opening: None,
            source: Arc::from("test"),
            moves: moves.split_whitespace().map(play).collect(),
            evaluations: Vec::new(),
            clocks: Vec::new(),
        }
    }
}
