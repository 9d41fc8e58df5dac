//! Castling rights: `castling=KQ`, `castling>=k`.

use std::fmt::{self, Display, Formatter};

use shakmaty::{Bitboard, CastlingSide, Chess, Color, File, Piece, Position, Rank, Role, Square};

use super::{Atom, Condition};
use crate::{ParseError, Situation, men::side, reader::Reader};

/// The castling rights that must remain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Castling {
    /// The rights, in the order of [`RIGHTS`].
    pub rights: [bool; 4],
    /// True if other rights may remain too.
    pub at_least: bool,
}

/// The four castling rights with their letters in a FEN.
pub const RIGHTS: [(char, Color, CastlingSide); 4] = [
    ('K', Color::White, CastlingSide::KingSide),
    ('Q', Color::White, CastlingSide::QueenSide),
    ('k', Color::Black, CastlingSide::KingSide),
    ('q', Color::Black, CastlingSide::QueenSide),
];

/// The king and the rook that castle on `wing` in games from `root`, each with its initial square: the king first. They
/// are those of standard chess if the right is lost.
pub fn homes(root: &Chess, color: Color, wing: CastlingSide) -> [(Square, Piece); 2] {
    let rank = color.fold_wb(Rank::First, Rank::Eighth);
    let file = if wing == CastlingSide::KingSide { File::H } else { File::A };
    let usual = [File::E, file].map(|file| Square::from_coords(file, rank));
    let [king, rook] = match (root.board().king_of(color), root.castles().rook(color, wing)) {
        (Some(king), Some(rook)) => [king, rook],
        _ => usual,
    };
    [(king, Role::King.of(color)), (rook, Role::Rook.of(color))]
}

impl Castling {
    /// The initial squares of the rooks of the named rights, in games from `root`.
    pub(crate) fn rooks(self, root: &Chess) -> Bitboard {
        let held = RIGHTS.into_iter().zip(self.rights).filter(|(_, held)| *held);
        held.map(|((_, color, side), _)| homes(root, color, side)[1].0).collect()
    }

    /// True if the condition holds in `position`.
    pub fn holds_in(self, position: &Chess) -> bool {
        RIGHTS.into_iter().zip(self.rights).all(|((_, color, side), wanted)| {
            let held = position.castles().has(color, side);
            held == wanted || (held && self.at_least)
        })
    }

    /// The named rights.
    fn named(self) -> impl Iterator<Item = (char, Color, CastlingSide)> {
        RIGHTS.into_iter().zip(self.rights).filter(|(_, is_named)| *is_named).map(|(right, _)| right)
    }

    /// The rest of `castling = "castling" ("=" | ">=") ("none" | letters of KQkq)`.
    pub(super) fn read(reader: &mut Reader) -> Result<Atom, ParseError> {
        let at_least = reader.eat_word(">=");
        if !at_least {
            reader.expect('=', "'=' or '>=' and the rights: none, or letters of KQkq")?;
        }
        let word = reader.word();
        let mut rights = [false; 4];
        if word.eq_ignore_ascii_case("none") {
            reader.position += word.len();
            return Ok(Atom::Castling(Castling { rights, at_least }));
        }
        if word.is_empty() {
            return Err(reader.error("none, or letters of KQkq"));
        }
        let start = reader.position;
        for letter in word.chars() {
            match RIGHTS.iter().position(|(right, ..)| *right == letter) {
                Some(right) if !rights[right] => rights[right] = true,
                Some(_) => return Err(reader.error("each of KQkq at most once")),
                None => {
                    reader.position = start;
                    return Err(reader.error_at_word("none, or letters of KQkq", &word, &["none"]));
                }
            }
            reader.position += 1;
        }
        Ok(Atom::Castling(Castling { rights, at_least }))
    }
}

impl Condition for Castling {
    fn holds(&self, situation: Situation<'_>) -> bool {
        self.holds_in(situation.position)
    }

    fn in_words(&self) -> String {
        let in_words = |(_, color, wing)| {
            let wing = if wing == CastlingSide::KingSide { "kingside" } else { "queenside" };
            format!("{} {wing}", side(color))
        };
        let rights: Vec<String> = self.named().map(in_words).collect();
        match (rights.is_empty(), self.at_least) {
            (true, false) => "no castling rights remain".to_owned(),
            (true, true) => "any castling rights, or none".to_owned(),
            (false, false) => format!("the castling rights are exactly: {}", rights.join(", ")),
            (false, true) => format!("the castling rights are at least: {}", rights.join(", ")),
        }
    }

    fn mirrored(&self) -> Atom {
        let [a, b, c, d] = self.rights;
        Atom::Castling(Castling { rights: [c, d, a, b], ..*self })
    }
}

impl Display for Castling {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(if self.at_least { "castling>=" } else { "castling=" })?;
        if self.rights == [false; 4] {
            return f.write_str("none");
        }
        self.named().try_for_each(|(letter, ..)| write!(f, "{letter}"))
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    #[test]
    fn rights_are_exact_unless_others_are_allowed() {
        let kingside_and_queenside = position("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1");
        let holds = |rights, at_least| Castling { rights, at_least }.holds_in(&kingside_and_queenside);
        assert!(holds([true, false, false, true], false) && holds([true, false, false, false], true));
        assert!(!holds([true, false, false, false], false) && !holds([true, true, false, true], true));
        assert!(holds([false; 4], true) && !holds([false; 4], false));
    }
}
