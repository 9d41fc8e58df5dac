//! Kinds of moves, in `best=capture`, `best=B@h7` and `bad=capture`.

use std::fmt::{self, Display, Formatter};

use shakmaty::{Board, Color, Move, Piece, Square};

use crate::{Kinds, ParseError, Region, men::name, reader::Reader};

/// A kind of move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// A capture.
    Capture,
    /// A move that gives check.
    Check,
    /// No capture, promotion or check.
    Quiet,
    /// A move that lets the opponent win material.
    Sacrifice,
    /// `N`, `B@h7`, `[Pp]@centre`: a move of one of these men, and to one of these squares if they are given.
    Of(Kinds, Option<Region>),
}

const WORDS: [(&str, MoveKind); 4] = [
    ("capture", MoveKind::Capture),
    ("check", MoveKind::Check),
    ("quiet", MoveKind::Quiet),
    ("sacrifice", MoveKind::Sacrifice),
];

impl MoveKind {
    /// `kind = "capture" | "check" | "quiet" | "sacrifice" | men [ "@" where ]`.
    pub(super) fn read(reader: &mut Reader) -> Result<MoveKind, ParseError> {
        const EXPECTED: &str = "a kind of move: capture, check, quiet, sacrifice, or men such as N or B@h7";
        reader.skip_space();
        let word = reader.word();
        if word.len() > 1 {
            let words = WORDS.map(|(word, _)| word);
            let known = WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(&word));
            let Some((known, kind)) = known else {
                return Err(reader.error_at_word(EXPECTED, &word, &words));
            };
            reader.position += known.len();
            return Ok(*kind);
        }
        let kinds: Kinds = match reader.peek() {
            Some('[') => reader.class()?.into_iter().collect(),
            letter => match letter.and_then(Piece::from_char) {
                Some(piece) => {
                    reader.position += 1;
                    [piece].into_iter().collect()
                }
                None => return Err(reader.error(EXPECTED)),
            },
        };
        let region = if reader.eat('@') { Some(Region::read(reader, &[])?) } else { None };
        Ok(MoveKind::Of(kinds, region))
    }

    /// True if a move of `mover` is one of these men's, and goes where it must. True for the other kinds, which the men
    /// do not decide.
    pub fn fits(self, m: Move, mover: Color) -> bool {
        match self {
            MoveKind::Of(kinds, region) => {
                // Castling is a move of the king, whose destination is not the rook's square.
                let to = m.castling_side().map_or(m.to(), |side| side.king_to(mover));
                kinds.contains(m.role().of(mover))
                    && region.is_none_or(|region| region.squares().contains(to))
            }
            _ => true,
        }
    }

    /// About how many moves the men of `mover` are away from such a move: 0 if one of them attacks a square to which the
    /// move may go, 1 if not; `None` if there is no such man. 0 for pawns, for kings, which may castle, and for moves to any
    /// square.
    pub fn remoteness(self, board: &Board, mover: Color) -> Option<u32> {
        let MoveKind::Of(kinds, Some(region)) = self else { return Some(0) };
        let men = kinds.on(board) & board.by_color(mover);
        let to = region.squares();
        let others = board.pawns() | board.kings();
        let reaches = |from: Square| {
            others.contains(from) || (board.attacks_from(from) & to & !board.by_color(mover)).any()
        };
        men.any().then(|| u32::from(!men.into_iter().any(reaches)))
    }

    /// The kind in words: "a capture", "a move of a white bishop to h7".
    pub(super) fn in_words(self) -> String {
        match self {
            MoveKind::Capture => "a capture".to_owned(),
            MoveKind::Check => "a check".to_owned(),
            MoveKind::Quiet => "quiet: no capture, promotion or check".to_owned(),
            MoveKind::Sacrifice => "a sacrifice".to_owned(),
            MoveKind::Of(kinds, region) => {
                let men: Vec<String> = kinds.pieces().map(|piece| format!("a {}", name(piece))).collect();
                let to = region.map_or_else(String::new, |region| format!(" to {}", region.one_in_words()));
                format!("a move of {}{to}", men.join(" or "))
            }
        }
    }

    /// The kind with White and Black exchanged.
    pub(super) fn mirrored(self) -> MoveKind {
        match self {
            MoveKind::Of(kinds, region) => MoveKind::Of(kinds.mirrored(), region.map(Region::mirrored)),
            same => same,
        }
    }

    /// The kind with its region replaced.
    pub(crate) fn with_region(self, replace: impl Fn(Region) -> Region) -> MoveKind {
        match self {
            MoveKind::Of(kinds, Some(region)) => MoveKind::Of(kinds, Some(replace(region))),
            same => same,
        }
    }

    /// The squares to which the move goes, if they are given.
    pub(crate) fn region(self) -> Option<Region> {
        match self {
            MoveKind::Of(_, region) => region,
            _ => None,
        }
    }
}

impl Display for MoveKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            MoveKind::Of(kinds, None) => write!(f, "{kinds}"),
            MoveKind::Of(kinds, Some(region)) => write!(f, "{kinds}@{region}"),
            kind => {
                let word = WORDS.into_iter().find_map(|(word, known)| (known == *kind).then_some(word));
                f.write_str(word.unwrap_or_default())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Atom, Constraint, Judged};

    #[test]
    fn a_man_that_attacks_the_square_is_there_in_a_move() {
        let board: Board = "6k1/5ppp/8/8/8/3B4/8/6K1".parse().unwrap();
        for (condition, mover, expected) in [
            ("best=B@h7", Color::White, Some(0)),
            ("best=B@h6", Color::White, Some(1)),
            ("best=B@h6-h7", Color::White, Some(0)),
            ("best=[BN]@a6", Color::White, Some(0)),
            ("best=N@h7", Color::White, None),
            ("best=B@h7", Color::Black, None),
            ("best=B", Color::White, Some(0)),
            ("best=capture", Color::White, Some(0)),
            // No man goes to the square of one of its own. A pawn may go forward, and a king castle.
            ("best=B@g1", Color::White, Some(1)),
            ("best=p@h5", Color::Black, Some(0)),
            ("best=k@c8", Color::Black, Some(0)),
        ] {
            let Ok(Constraint::Atom(Atom::Judged(Judged::Best(kind)))) = condition.parse() else {
                panic!("{condition}")
            };
            assert_eq!(kind.remoteness(&board, mover), expected, "{condition}");
        }
    }
}
