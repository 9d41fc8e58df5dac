//! Positions and what an engine says of them, from which evaluation networks learn.
//!
//! In come games whose moves have evaluations, tables of positions, and what a [`Labelling`] has an engine say of
//! positions; out comes a store of [`LabelledPosition`]s, each position once. Positions of a game belong to the game's
//! [`Split`](crate::games::Split) for ever.

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

    /// A game of these moves.
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
