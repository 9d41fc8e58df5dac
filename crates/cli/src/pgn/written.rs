use shakmaty::{CastlingSide, Chess, File, Move, Position, Rank, Role, Square};

use super::signs::are_signs;

/// A move as a file writes it: in standard notation, or with its origin, as in `e2-e4`, `Ng1-f3` or `e7e8q`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Castling, also with zeros.
    Castle(CastlingSide),
    /// A move of a man. Without a role it is a pawn's, or any man's if the origin is complete.
    Man {
        /// The letter of the piece.
        role: Option<Role>,
        /// The file of the origin.
        file: Option<File>,
        /// The rank of the origin.
        rank: Option<Rank>,
        /// The target.
        to: Square,
        /// What a pawn becomes.
        promotion: Option<Role>,
    },
    /// `--`, `Z0` and the like: a side passes, as analysts write. No game has such a move.
    Null,
}

/// Why a move cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unplayable {
    /// The rules forbid it.
    Illegal,
    /// Two men can make it.
    Ambiguous,
    /// A null move.
    Null,
}

impl Written {
    /// Reads a move with all signs behind it, such as `Nf3`, `a8Q`, `exd6e.p.+` or `Nf3+-`.
    pub fn read(token: &[u8]) -> Option<Written> {
        if matches!(token, b"--" | b"Z0" | b"0000" | b"@@@@" | b"null" | b"pass") {
            return Some(Written::Null);
        }
        let (written, rest) = castling(token).or_else(|| man(token))?;
        are_signs(rest).then_some(written)
    }

    /// The move in this position.
    ///
    /// # Errors
    /// If the move is not legal, or not the only one that is written like this.
    pub fn play(self, position: &Chess) -> Result<Move, Unplayable> {
        let (role, file, rank, to, promotion) = match self {
            Written::Null => return Err(Unplayable::Null),
            Written::Castle(side) => {
                return position.castling_moves(side).first().copied().ok_or(Unplayable::Illegal);
            }
            Written::Man { role, file, rank, to, promotion } => (role, file, rank, to, promotion),
        };
        let origin = file.zip(rank).map(|(file, rank)| Square::from_coords(file, rank));
        let role = role.or_else(|| position.board().role_at(origin?)).unwrap_or(Role::Pawn);
        if role == Role::King
            && let Some(from) = origin
            && let Some(side) = castling_side(from, to)
            && let Some(castle) = position.castling_moves(side).first()
        {
            return Ok(*castle);
        }
        // "e5" is never a capture.
        let file = if role == Role::Pawn { file.or(Some(to.file())) } else { file };
        let candidates = position.san_candidates(role, to);
        let mut fitting = candidates.iter().filter(|m| {
            m.from().is_some_and(|from| {
                file.is_none_or(|file| file == from.file()) && rank.is_none_or(|rank| rank == from.rank())
            }) && m.promotion() == promotion
                && !m.is_castle()
        });
        match (fitting.next(), fitting.next()) {
            (Some(m), None) => Ok(*m),
            (Some(_), Some(_)) => Err(Unplayable::Ambiguous),
            (None, _) => Err(Unplayable::Illegal),
        }
    }
}

/// The side on which a king castles that moves two files.
fn castling_side(from: Square, to: Square) -> Option<CastlingSide> {
    let files = to.file() as i32 - from.file() as i32;
    (from.rank() == to.rank() && files.abs() == 2).then(|| CastlingSide::from_king_side(files > 0))
}

/// `O-O` and `O-O-O`, with letters or zeros and any of the dashes, and what follows.
fn castling(token: &[u8]) -> Option<(Written, &[u8])> {
    let wing = |text: &'_ [u8]| text.first().is_some_and(|byte| matches!(byte, b'O' | b'0' | b'o'));
    let mut rest = wing(token).then_some(&token[1..])?;
    let mut wings = 1;
    while wings < 3 {
        let dash = ["-", "–", "—", "‑", "−"].iter().find(|dash| rest.starts_with(dash.as_bytes()));
        let Some(dash) = dash else { break };
        let after = &rest[dash.len()..];
        if !wing(after) {
            break;
        }
        (rest, wings) = (&after[1..], wings + 1);
    }
    let side = match wings {
        2 => CastlingSide::KingSide,
        3 => CastlingSide::QueenSide,
        _ => return None,
    };
    Some((Written::Castle(side), rest))
}

/// The move of a man, and what follows.
fn man(token: &[u8]) -> Option<(Written, &[u8])> {
    let (role, mut rest) = piece(token);
    let mut coordinates: [(Option<File>, Option<Rank>); 2] = [(None, None); 2];
    for place in &mut coordinates {
        *place = (take(&mut rest, file), take(&mut rest, rank));
        let separator = ["-", "x", "×", ":", "–", "—"].iter().find(|sign| rest.starts_with(sign.as_bytes()));
        // A dash after the target belongs to a sign, such as "-+".
        if let Some(separator) =
            separator.filter(|sign| rest.get(sign.len()).is_some_and(|&b| file(b).is_some()))
        {
            rest = &rest[separator.len()..];
        }
    }
    let [mut origin, mut target] = coordinates;
    if target == (None, None) {
        (origin, target) = ((None, None), origin);
    }
    // In "R1e4" and "Nbd2" the first file or rank is the origin's; in "Ra1" it is part of the target.
    if let (Some(to_file), Some(to_rank)) = target {
        let to = Square::from_coords(to_file, to_rank);
        let is_last = to_rank == Rank::First || to_rank == Rank::Eighth;
        let is_pawn = matches!(role, None | Some(Role::Pawn));
        let promotion = if is_pawn && is_last { promotion(&mut rest) } else { None };
        let (file, rank) = origin;
        return Some((Written::Man { role, file, rank, to, promotion }, rest));
    }
    None
}

fn take<T>(rest: &mut &[u8], read: fn(u8) -> Option<T>) -> Option<T> {
    let found = read(*rest.first()?)?;
    *rest = &rest[1..];
    Some(found)
}

fn file(byte: u8) -> Option<File> {
    File::from_char(char::from(byte)).filter(|_| byte.is_ascii_lowercase())
}

fn rank(byte: u8) -> Option<Rank> {
    Rank::from_char(char::from(byte))
}

/// The letter or figurine of a piece, and what follows.
fn piece(token: &[u8]) -> (Option<Role>, &[u8]) {
    if let Some(role) = token.first().and_then(|&byte| letter(byte)) {
        return (Some(role), &token[1..]);
    }
    // White's figurines are U+2654 to U+2659, king to pawn, followed by Black's.
    match token {
        [0xe2, 0x99, figurine @ 0x94..=0x9f, rest @ ..] => {
            let roles = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
            (Some(roles[usize::from(figurine - 0x94) % 6]), rest)
        }
        _ => (None, token),
    }
}

fn letter(byte: u8) -> Option<Role> {
    Role::from_char(char::from(byte)).filter(|_| byte.is_ascii_uppercase())
}

/// `=Q`, `Q`, `(Q)` or `/Q`, also in lower case.
fn promotion(rest: &mut &[u8]) -> Option<Role> {
    let at = usize::from(matches!(rest.first(), Some(b'=' | b'(' | b'/')));
    let role = rest.get(at).and_then(|&byte| Role::from_char(char::from(byte)))?;
    if !matches!(role, Role::Knight | Role::Bishop | Role::Rook | Role::Queen) {
        return None;
    }
    let is_closed = rest[0] != b'(' || rest.get(at + 1) == Some(&b')');
    if !is_closed {
        return None;
    }
    *rest = &rest[at + 1 + usize::from(rest[0] == b'(')..];
    Some(role)
}
