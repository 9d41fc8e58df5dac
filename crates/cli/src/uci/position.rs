use entente_search::{Chess960, FenError, Game, searchable_position_from_fen};
use shakmaty::{CastlingMode, Chess, uci::UciMove};
use thiserror::Error;

/// A `position` command that cannot be executed.
#[derive(Debug, Error)]
pub(super) enum PositionError {
    #[error("position: FEN '{fen}': {error}")]
    Fen { fen: String, error: FenError },
    #[error("position: move {number}, '{m}', is not a move such as e2e4 or e7e8q")]
    Notation { number: usize, m: String },
    #[error("position: move {number}, '{m}', is not legal")]
    Illegal { number: usize, m: String },
}

/// The number of standard chess among the initial positions of Chess960.
const STANDARD: u32 = 518;

/// The game of `moves` from `fen`, or from the initial position. If it is one of Chess960, castling is written as the king
/// taking its own rook.
///
/// Whatever can be searched is accepted, because GUIs send such positions: impossible castling rights and en passant
/// squares are dropped, and there may be more men than in chess.
pub(super) fn set_up(fen: Option<&str>, moves: &[String], is_chess960: bool) -> Result<Game, PositionError> {
    let root = match fen {
        None if is_chess960 => Chess960::start(STANDARD).unwrap_or_default(),
        None => Chess::default(),
        Some(text) => {
            let error = |error| PositionError::Fen { fen: text.to_owned(), error };
            let mode = is_chess960.then_some(CastlingMode::Chess960);
            searchable_position_from_fen(text, mode).map_err(error)?
        }
    };
    let mut game = Game::new(root);
    for (index, text) in moves.iter().enumerate() {
        let error = (index + 1, text.clone());
        let m: UciMove = text
            .to_ascii_lowercase()
            .parse()
            .map_err(|_| PositionError::Notation { number: error.0, m: error.1.clone() })?;
        let m =
            m.to_move(game.position()).map_err(|_| PositionError::Illegal { number: error.0, m: error.1 })?;
        game.play(m);
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use shakmaty::{Color, EnPassantMode, Position, fen::Fen};

    use super::*;

    fn after(fen: Option<&str>, moves: &str) -> Result<Chess, String> {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        set_up(fen, &moves, false).map(|game| game.position().clone()).map_err(|error| error.to_string())
    }

    #[test]
    fn moves_are_played_from_the_given_position() {
        assert_eq!(after(None, "").unwrap(), Chess::default());
        let castled = after(None, "e2e4 e7e5 g1f3 b8c6 F1C4 f8c5 e1g1").unwrap();
        assert!(Fen::from_position(&castled, EnPassantMode::Legal).to_string().contains("/RNBQ1RK1 b kq"));
        assert_eq!(after(Some("8/P7/8/8/8/8/8/K1k5 w - -"), "a7a8n").unwrap().turn(), Color::Black);
    }

    #[test]
    fn impossible_rights_are_dropped() {
        let fen =
            |text| Fen::from_position(&after(Some(text), "").expect(text), EnPassantMode::Always).to_string();
        // A king and a rook that have moved; a pawn that cannot have moved two squares; both.
        assert_eq!(fen("r3k2r/8/8/8/8/8/8/R2K3R w KQkq - 0 1"), "r3k2r/8/8/8/8/8/8/R2K3R w kq - 0 1");
        assert_eq!(fen("4k3/8/8/8/8/8/8/4K3 w - e6 0 1"), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(fen("4k3/8/8/8/8/8/8/4K3 w KQkq e6 0 1"), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        // As an editor and an old GUI write them.
        assert_eq!(
            fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 12345"),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 12345"
        );
    }

    #[test]
    fn errors_name_the_move_or_the_fen() {
        assert_eq!(after(None, "e2e4 0000 e7e5").unwrap_err(), "position: move 2, '0000', is not legal");
        assert_eq!(after(None, "e2e5").unwrap_err(), "position: move 1, 'e2e5', is not legal");
        assert_eq!(
            after(None, "e2e4 Nf6").unwrap_err(),
            "position: move 2, 'Nf6', is not a move such as e2e4 or e7e8q"
        );
        assert!(after(Some("8/8/8/8"), "").unwrap_err().starts_with("position: FEN '8/8/8/8': "));
        let too_many = after(Some("QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/8/K1k5 b - - 0 1"), "").unwrap_err();
        assert!(too_many.contains("white has too many men to search"), "{too_many}");
        let no_kings = after(Some("8/8/8/8/8/8/8/8 w - - 0 1"), "").unwrap_err();
        assert!(no_kings.contains("missing king"), "{no_kings}");
    }
}
