use shakmaty::{
    CastlingMode, Chess, PositionError,
    fen::{Fen, ParseFenError},
};
use thiserror::Error;

/// Why a text is no position.
#[derive(Debug, Error)]
pub enum FenError {
    /// It is no FEN.
    #[error(transparent)]
    Notation(#[from] ParseFenError),
    /// No such position can stand on a board.
    #[error(transparent)]
    Rules(#[from] Box<PositionError<Chess>>),
}

/// The position that a FEN describes; its counters, and its castling and en passant fields, may be missing.
///
/// GUIs and editors write en passant squares on which nobody can take, and castling rights of kings and rooks
/// that have moved: these are dropped.
///
/// # Errors
/// [`FenError`] if it is none.
pub fn position_from_fen(text: &str) -> Result<Chess, FenError> {
    let position = text.parse::<Fen>()?.into_position(CastlingMode::Standard);
    Ok(position
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .map_err(Box::new)?)
}
