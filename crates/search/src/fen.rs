use shakmaty::{
    CastlingMode, Chess, PositionError,
    fen::{Fen, ParseFenError},
};
use thiserror::Error;

/// Why a text does not describe a position.
#[derive(Debug, Error)]
pub enum FenError {
    /// The text is not a FEN.
    #[error(transparent)]
    Notation(#[from] ParseFenError),
    /// The position is illegal.
    #[error(transparent)]
    Rules(#[from] Box<PositionError<Chess>>),
}

/// The position that a FEN describes. The castling field, the en passant field and the move counters may be missing.
///
/// Some GUIs and editors write en passant squares on which no pawn can capture, and castling rights of kings and rooks
/// that have moved. These are ignored.
///
/// # Errors
/// [`FenError`] if `text` does not describe a position.
pub fn position_from_fen(text: &str) -> Result<Chess, FenError> {
    let position = text.parse::<Fen>()?.into_position(CastlingMode::Standard);
    Ok(position
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .map_err(Box::new)?)
}
