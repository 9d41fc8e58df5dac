use shakmaty::{
    CastlingMode, Chess, Position,
    fen::{Fen, ParseFenError},
    uci::UciMove,
};
use thiserror::Error;

/// Why a `position` command cannot be obeyed.
#[derive(Debug, Error)]
pub(super) enum PositionError {
    #[error("position: FEN '{fen}': {error}")]
    Fen { fen: String, error: ParseFenError },
    #[error("position: FEN '{fen}': {reason}")]
    Rules { fen: String, reason: String },
    #[error("position: move {number}, '{m}', is not a move such as e2e4 or e7e8q")]
    Notation { number: usize, m: String },
    #[error("position: move {number}, '{m}', is not legal")]
    Illegal { number: usize, m: String },
}

/// The position after `moves` from `fen`, or from the initial position.
pub(super) fn set_up(fen: Option<&str>, moves: &[String]) -> Result<Chess, PositionError> {
    let mut position = match fen {
        None => Chess::default(),
        Some(text) => text
            .parse::<Fen>()
            .map_err(|error| PositionError::Fen { fen: text.to_owned(), error })?
            .into_position(CastlingMode::Standard)
            .map_err(|error: shakmaty::PositionError<Chess>| PositionError::Rules {
                fen: text.to_owned(),
                reason: error.to_string(),
            })?,
    };
    for (index, text) in moves.iter().enumerate() {
        let error = (index + 1, text.clone());
        let m: UciMove = text
            .to_ascii_lowercase()
            .parse()
            .map_err(|_| PositionError::Notation { number: error.0, m: error.1.clone() })?;
        let m = m.to_move(&position).map_err(|_| PositionError::Illegal { number: error.0, m: error.1 })?;
        position.play_unchecked(m);
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use shakmaty::{Color, EnPassantMode};

    use super::*;

    fn after(fen: Option<&str>, moves: &str) -> Result<Chess, String> {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        set_up(fen, &moves).map_err(|error| error.to_string())
    }

    #[test]
    fn moves_are_played_from_the_position_named() {
        assert_eq!(after(None, "").unwrap(), Chess::default());
        let castled = after(None, "e2e4 e7e5 g1f3 b8c6 F1C4 f8c5 e1g1").unwrap();
        assert!(Fen::from_position(&castled, EnPassantMode::Legal).to_string().contains("/RNBQ1RK1 b kq"));
        assert_eq!(after(Some("8/P7/8/8/8/8/8/K1k5 w - -"), "a7a8n").unwrap().turn(), Color::Black);
    }

    #[test]
    fn what_cannot_be_obeyed_is_named() {
        assert_eq!(after(None, "e2e4 0000 e7e5").unwrap_err(), "position: move 2, '0000', is not legal");
        assert_eq!(after(None, "e2e5").unwrap_err(), "position: move 1, 'e2e5', is not legal");
        assert_eq!(
            after(None, "e2e4 Nf6").unwrap_err(),
            "position: move 2, 'Nf6', is not a move such as e2e4 or e7e8q"
        );
        assert!(after(Some("8/8/8/8"), "").unwrap_err().starts_with("position: FEN '8/8/8/8': "));
        let no_kings = after(Some("8/8/8/8/8/8/8/8 w - - 0 1"), "").unwrap_err();
        assert!(no_kings.contains("missing king"), "{no_kings}");
    }
}
