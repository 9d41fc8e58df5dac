use shakmaty::{
    CastlingMode, Chess, Color, Position, PositionError, Role,
    fen::{Fen, ParseFenError},
};
use thiserror::Error;

use crate::Chess960;

/// Why a text does not describe a position.
#[derive(Debug, Error)]
pub enum FenError {
    /// The text is not a FEN.
    #[error(transparent)]
    Notation(#[from] ParseFenError),
    /// The position is illegal.
    #[error(transparent)]
    Rules(#[from] Box<PositionError<Chess>>),
    /// One side has so many strong men that a position may have more moves than move lists can hold.
    #[error("{0} has too many men to search: positions with more than 256 moves could arise")]
    TooManyMoves(Color),
}

/// The position that a FEN describes. The castling field, the en passant field and the move counters may be missing.
///
/// Some GUIs and editors write en passant squares on which no pawn can capture, and castling rights of kings and rooks
/// that have moved. These are ignored.
///
/// The position is one of Chess960 if its castling rights name the files of rooks that stand elsewhere than in the
/// initial position (Shredder-FEN), or if no man has moved from the first two ranks of another initial position (X-FEN).
///
/// ```
/// let position = entente_search::position_from_fen("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9")?;
/// assert!(position.castles().mode().is_chess960());
/// # use shakmaty::Position as _;
/// # Ok::<(), entente_search::FenError>(())
/// ```
///
/// # Errors
/// [`FenError`] if `text` does not describe a position.
pub fn position_from_fen(text: &str) -> Result<Chess, FenError> {
    position_from_fen_in(text, None)
}

/// As [`position_from_fen`]; the rules of castling are `mode`, if that is known.
///
/// # Errors
/// [`FenError`] if `text` does not describe a position.
pub fn position_from_fen_in(text: &str, mode: Option<CastlingMode>) -> Result<Chess, FenError> {
    let fen = text.parse::<Fen>()?;
    let mode = mode.unwrap_or_else(|| castling_mode(text, &fen));
    let position = fen.into_position(mode);
    Ok(position
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .map_err(Box::new)?)
}

/// The position that a FEN of a GUI describes, if it can be searched at all.
///
/// No game may lead to it: there may be too many men, or a check that no move gives. The FEN may have odd or missing
/// move counters, then those of a new game count, and an upper-case side to move. Otherwise it is read as by
/// [`position_from_fen`], and as one of Chess960 if `mode` says so.
///
/// # Errors
/// [`FenError`] if `text` does not describe a position, or one that cannot be searched: without exactly one king for
/// each side, with a pawn on the first or last rank, with the king of the side that is not to move in check, or with
/// more strong men than the rules allow by far.
pub fn searchable_position_from_fen(text: &str, mode: Option<CastlingMode>) -> Result<Chess, FenError> {
    let text = with_usual_fields(text);
    let fen = text.parse::<Fen>()?;
    let mode = mode.unwrap_or_else(|| castling_mode(&text, &fen));
    let position = fen.into_position(mode);
    let position: Chess = position
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .map_err(Box::new)?;
    match Color::ALL.into_iter().find(|color| may_have_too_many_moves(&position, *color)) {
        Some(color) => Err(FenError::TooManyMoves(color)),
        None => Ok(position),
    }
}

/// The rules of castling by which a FEN is read; see [`position_from_fen`].
fn castling_mode(text: &str, fen: &Fen) -> CastlingMode {
    let setup = fen.as_setup();
    let rights = text.split_ascii_whitespace().nth(2).unwrap_or_default();
    let names_files = || rights.bytes().any(|letter| matches!(letter.to_ascii_lowercase(), b'a'..=b'h'));
    let is_initial = || Chess960::number_of(&setup.board).is_some();
    match CastlingMode::detect(setup) {
        CastlingMode::Chess960 if names_files() || is_initial() => CastlingMode::Chess960,
        _ => CastlingMode::Standard,
    }
}

/// The FEN at the beginning of a line with a FEN or an EPD. Without counters behind the first four fields, those of the
/// operations `hmvc` (the half-move clock) and `fmvn` (the number of the move) are used, or 0 and 1. Other operations
/// are left out.
///
/// ```
/// let fen = entente_search::fen_of_epd("4k3/8/8/8/8/8/8/4K2R w K - id \"rook\"; hmvc 12; fmvn 40;");
/// assert_eq!(fen, "4k3/8/8/8/8/8/8/4K2R w K - 12 40");
/// ```
pub fn fen_of_epd(line: &str) -> String {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let is_number = |word: &&&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let counters = words.iter().skip(4).take(2).take_while(is_number).count();
    let fen = words[..words.len().min(4 + counters)].join(" ");
    if counters > 0 || words.len() <= 4 {
        return fen;
    }
    let operations = words[4..].join(" ");
    let operand = |code: &str| {
        operations.split(';').find_map(|operation| {
            let value = operation.trim().strip_prefix(code)?.strip_prefix(' ')?.trim();
            value.parse::<u32>().ok()
        })
    };
    match (operand("hmvc"), operand("fmvn")) {
        (None, None) => fen,
        (clock, number) => format!("{fen} {} {}", clock.unwrap_or(0), number.unwrap_or(1).max(1)),
    }
}

/// The text with fields that the parser takes. A counter that is not a number is replaced, because it does not matter
/// which position is meant: GUIs write negative ones, and EPD has its operations there.
fn with_usual_fields(text: &str) -> String {
    let mut fields = text.split_whitespace();
    let mut usual: Vec<String> = fields.by_ref().take(4).map(str::to_owned).collect();
    if let Some(turn) = usual.get_mut(1) {
        turn.make_ascii_lowercase();
    }
    // As in `-0` for `- 0`.
    if let Some(square) = usual.get_mut(3).filter(|square| square.starts_with('-')) {
        square.truncate(1);
    }
    let counters: Vec<Option<u32>> = fields.map(|word| word.parse().ok()).collect();
    usual.extend(match counters[..] {
        _ if usual.len() < 4 => None,
        [Some(plies), Some(number), ..] => Some(format!("{plies} {number}")),
        [Some(plies), ..] => Some(format!("{plies} 1")),
        _ => Some("0 1".to_owned()),
    });
    usual.join(" ")
}

/// True if positions may arise in which `color` has more moves than a list of shakmaty holds, 256. With the men of the
/// initial position and their promotions there are at most 218; each further man adds at most the moves that it has on
/// an empty board.
fn may_have_too_many_moves(position: &Chess, color: Color) -> bool {
    const MOST: usize = 256;
    const MOST_IN_CHESS: usize = 218;
    let count = |role: Role| position.board().by_piece(role.of(color)).count();
    // A pawn may become a queen, so both count as queens.
    let queens = (count(Role::Queen) + count(Role::Pawn)).saturating_sub(9);
    let pieces = [(Role::Rook, 14), (Role::Bishop, 13), (Role::Knight, 8)];
    let others = pieces.map(|(role, moves)| count(role).saturating_sub(2) * moves);
    // Promoted pieces replace queens, which have more moves.
    let unpromoted = 9_usize.saturating_sub(count(Role::Queen) + count(Role::Pawn)) * 27;
    let added = (queens * 27 + others.iter().sum::<usize>()).saturating_sub(unpromoted);
    MOST_IN_CHESS + added > MOST
}

#[cfg(test)]
mod tests {
    use shakmaty::EnPassantMode;

    use super::*;

    fn read(text: &str) -> Result<String, String> {
        let position = searchable_position_from_fen(text, None).map_err(|error| error.to_string())?;
        Ok(Fen::from_position(&position, EnPassantMode::Legal).to_string())
    }

    #[test]
    fn odd_counters_and_fields_whose_meaning_is_plain_are_understood() {
        for odd in [
            "4k3/8/8/8/8/8/8/4K2R w - -",
            "4k3/8/8/8/8/8/8/4K2R",
            "4k3/8/8/8/8/8/8/4K2R W - - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w - -0 0 1",
            "4k3/8/8/8/8/8/8/4K2R w - - -1 1",
            "4k3/8/8/8/8/8/8/4K2R w - - 0 0",
            "4k3/8/8/8/8/8/8/4K2R w - - dm 40 0 1",
            "4k3/8/8/8/8/8/8/4K2R w KQkq e3 99999999999 1",
        ] {
            let read = read(odd).unwrap_or_else(|error| panic!("{odd}: {error}"));
            let [plain, castled] =
                ["w - - 0 1", "w K - 0 1"].map(|end| format!("4k3/8/8/8/8/8/8/4K2R {end}"));
            assert!(read == plain || read == castled, "{odd}: {read}");
        }
        assert_eq!(read("4k3/8/8/8/8/8/8/4K2R b - - 7 31").unwrap(), "4k3/8/8/8/8/8/8/4K2R b - - 7 31");
        for wrong in ["", "x", "4k3/8/8/8/8/8/8/4K2R x - - 0 1", "4k3/8/8/8/8/8/8/4K2R w - e9 0 1", "8/8/8/8"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn positions_that_no_game_reaches_are_read_if_they_can_be_searched() {
        for (fen, moves) in [
            ("4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w KQ - 0 1", 19),
            ("4k3/8/8/8/8/P7/PPPPPPPP/R3K2R w KQ - 0 1", 24),
            ("4k3/8/5N2/1B6/8/8/4R3/4K3 b - - 0 1", 3),
        ] {
            assert!(position_from_fen(fen).is_err(), "{fen}");
            let position =
                searchable_position_from_fen(fen, None).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(position.legal_moves().len(), moves, "{fen}");
        }
        for (fen, reason) in [
            ("8/8/8/8/8/8/8/K7 w - - 0 1", "king"),
            ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "king"),
            ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "check"),
            ("Pk6/8/8/8/8/8/8/K7 w - - 0 1", "pawns"),
            ("QQQQQQQQ/QQQQQQQQ/8/8/8/8/k7/2K5 b - - 0 1", "white has too many men to search"),
        ] {
            let error = read(fen).unwrap_err();
            assert!(error.contains(reason), "{fen}: {error}");
        }
    }

    #[test]
    fn the_men_of_chess_and_their_promotions_are_never_too_many() {
        for men in ["QQQQQQQQ/QRRBBNN1", "QQQQQQQQ/RRRBBNN1", "QPPPP3/RRRRBBNN", "QPPPPPPP/PRRBBNN1"] {
            let fen = format!("8/{men}/8/8/8/k7/2K5 b - - 0 1");
            assert!(read(&fen).is_ok(), "{fen}");
        }
        assert!(read("8/QQQQQQQQ/QQQRRBBN/8/8/8/k7/2K5 b - - 0 1").is_err());
    }

    #[test]
    fn counters_of_an_epd_are_operations() {
        let placement = "4k3/8/8/8/8/8/8/4K2R w K -";
        for (operations, counters) in [
            ("", ""),
            (" id \"hmvc 3\";", ""),
            (" hmvc 7;", " 7 1"),
            (" fmvn 40; hmvc 12; id \"rook\";", " 12 40"),
            (" fmvn 0;", " 0 1"),
            (" 12 40", " 12 40"),
            (" 3 9 id \"rook\"; hmvc 5;", " 3 9"),
        ] {
            assert_eq!(fen_of_epd(&format!("{placement}{operations}")), format!("{placement}{counters}"));
        }
    }
}
