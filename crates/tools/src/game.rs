//! A game as arguments: where it starts, and its moves.

use entente::settings::Kind;
use entente_search::Game;
use shakmaty::{Chess, Position as _, uci::UciMove};

use crate::{
    Refusal,
    arguments::Arguments,
    parameter::{Parameter, Shape},
};

/// The most moves of a game.
pub const MOST_MOVES: usize = 1200;

/// Where a game starts.
pub(crate) const ROOT: Parameter = Parameter::optional(
    "root",
    Kind::Text,
    "The FEN of the position in which the game starts [default: the initial position]",
);

/// The moves of a game.
pub(crate) const MOVES: Parameter = Parameter {
    name: "moves",
    shape: Shape::Texts(MOST_MOVES),
    is_required: false,
    help: "The moves of the game from there, in UCI notation, such as e2e4 and e7e8q [default: none]",
};

/// The game of the arguments [`ROOT`] and [`MOVES`].
///
/// # Errors
/// If the root is not a position, or a move is not legal; the error says which.
pub(crate) fn game_of(arguments: &Arguments) -> Result<Game, Refusal> {
    let root = arguments.position("root")?.unwrap_or_default();
    game(root, arguments.texts("moves"))
}

/// The game with these moves in UCI notation.
///
/// # Errors
/// If a move is not legal; the error says which.
pub fn game<'a>(root: Chess, moves: impl Iterator<Item = &'a str>) -> Result<Game, Refusal> {
    let mut game = Game::new(root);
    for (index, text) in moves.enumerate() {
        let m = text.parse::<UciMove>().ok().and_then(|m| m.to_move(game.position()).ok());
        let m = m.ok_or_else(|| {
            let turn = game.position().turn().fold_wb("White", "Black");
            let reason = format!("expected a legal move of {turn} in UCI notation at number {}", index + 1);
            Refusal::of("moves", format!("{reason}, found {text:?}"))
        })?;
        game.play(m);
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn illegal_moves_are_named_with_their_number() {
        let moves = ["e2e4", "e7e5", "e1e8"];
        let error = game(Chess::default(), moves.into_iter()).unwrap_err().to_string();
        assert_eq!(
            error,
            "moves: expected a legal move of White in UCI notation at number 3, found \"e1e8\""
        );
        let game = game(Chess::default(), moves[..2].iter().copied()).unwrap();
        assert_eq!(game.moves().len(), 2);
    }
}
