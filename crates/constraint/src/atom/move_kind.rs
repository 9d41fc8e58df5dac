//! Kinds of moves, in `best=capture`, `best=B@h7` and `bad=capture`.

use std::fmt::{self, Display, Formatter};

use shakmaty::{Color, Move, Piece};

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
