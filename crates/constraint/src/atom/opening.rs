//! The opening: `opening="Sicilian, Najdorf"`, `eco=B90..B99`.

use std::{
    collections::HashSet,
    fmt::{self, Debug, Display, Formatter},
    hash::{Hash, Hasher},
    ops::RangeInclusive,
    sync::{Arc, OnceLock},
};

use shakmaty::Chess;

use super::{Atom, Condition, number_of};
use crate::{
    ParseError, Situation,
    openings::{Entry, Lines, List, NameError, key},
    reader::Reader,
};

/// The game goes through a position of an opening.
#[derive(Clone)]
pub struct Opening {
    which: Which,
    positions: Arc<Positions>,
}

/// An opening as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Which {
    /// The name in the list.
    Name(&'static str),
    /// The first and the last ECO code.
    Codes(RangeInclusive<String>),
}

/// The positions of an opening.
#[derive(Default)]
struct Positions {
    keys: HashSet<u64>,
    /// The ways to them, once they are needed.
    lines: OnceLock<Lines>,
}

impl Opening {
    fn new(which: Which) -> Opening {
        let keys = entries(&which).into_iter().map(Entry::key).collect();
        Opening { which, positions: Arc::new(Positions { keys, lines: OnceLock::new() }) }
    }

    /// The rest of `opening = "opening=" '"' name '"'`.
    pub(super) fn read_name(reader: &mut Reader) -> Result<Atom, ParseError> {
        const EXPECTED: &str = "the name of an opening in quotes, such as \"Sicilian, Najdorf\"";
        reader.expect('=', &format!("'=' and {EXPECTED}"))?;
        let (start, text) = reader.quoted(EXPECTED)?;
        match List::get().named(&text) {
            Ok(name) => Ok(Atom::Opening(Opening::new(Which::Name(name)))),
            Err(error) => {
                reader.position = start;
                let found = format!("'{text}'");
                Err(match error {
                    NameError::Unknown(suggestion) => ParseError {
                        suggestion,
                        ..reader.error_found("the name of an opening, such as Sicilian, Najdorf", &found)
                    },
                    NameError::Several(names) => {
                        let names = names.join("; ");
                        reader.error_found(&format!("the name of one opening, such as {names}"), &found)
                    }
                })
            }
        }
    }

    /// The rest of `eco = "eco=" code [ ".." code ]`.
    pub(super) fn read_codes(reader: &mut Reader) -> Result<Atom, ParseError> {
        reader.expect('=', "'=' and an ECO code, such as B90 or B90..B99")?;
        let first = code(reader)?;
        let start = reader.position;
        let last = if reader.eat_word("..") { code(reader)? } else { first.clone() };
        if last < first {
            reader.position = start + 2;
            return Err(
                reader.error_found(&format!("a code that is not before {first}"), &format!("'{last}'"))
            );
        }
        Ok(Atom::Opening(Opening::new(Which::Codes(first..=last))))
    }

    /// A number by which notes on a game know that it has gone through the opening.
    pub(super) fn number(&self) -> u64 {
        number_of(&("opening", &self.which))
    }

    /// True if a position belongs to the opening.
    pub(crate) fn contains(&self, position: &Chess) -> bool {
        self.positions.keys.contains(&key(position))
    }

    /// The positions of the opening.
    pub(crate) fn positions(&self) -> Vec<Chess> {
        let positions = self.entries().into_iter().map(Entry::position);
        positions.collect()
    }

    fn entries(&self) -> Vec<&'static Entry> {
        entries(&self.which)
    }

    /// The fewest plies from a position to the opening on a known way; `None` if the position is on none.
    pub(crate) fn plies_from(&self, position: &Chess) -> Option<u32> {
        self.positions.lines.get_or_init(|| Lines::to(&self.positions.keys)).plies_from(position)
    }
}

/// The lines of an opening in the list.
fn entries(which: &Which) -> Vec<&'static Entry> {
    match which {
        Which::Name(name) => List::get().of_name(name),
        Which::Codes(codes) => List::get().of_codes(codes),
    }
}

/// Reads an ECO code: a letter from A to E and two digits.
fn code(reader: &mut Reader) -> Result<String, ParseError> {
    const EXPECTED: &str = "an ECO code from A00 to E99";
    reader.skip_space();
    let code: String =
        reader.characters[reader.position..].iter().take(3).collect::<String>().to_ascii_uppercase();
    let mut letters = code.chars();
    let is_code = letters.next().is_some_and(|letter| ('A'..='E').contains(&letter))
        && code.len() == 3
        && letters.all(|digit| digit.is_ascii_digit());
    if !is_code {
        return Err(reader.error(EXPECTED));
    }
    reader.position += 3;
    Ok(code)
}

impl Condition for Opening {
    fn holds(&self, situation: Situation<'_>) -> bool {
        situation.has_happened(self.number(), true, |here| self.contains(here.position))
    }

    fn in_words(&self) -> String {
        match &self.which {
            Which::Name(name) => format!("the game goes through the opening {name}"),
            Which::Codes(codes) if codes.start() == codes.end() => {
                format!("the game goes through a position with the ECO code {}", codes.start())
            }
            Which::Codes(codes) => {
                format!(
                    "the game goes through a position with an ECO code from {} to {}",
                    codes.start(),
                    codes.end()
                )
            }
        }
    }

    /// Never used: [`Constraint::mirrored`](crate::Constraint::mirrored) is refused for this condition.
    fn mirrored(&self) -> Atom {
        Atom::Opening(self.clone())
    }
}

impl Display for Opening {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.which {
            Which::Name(name) => write!(f, "opening=\"{name}\""),
            Which::Codes(codes) if codes.start() == codes.end() => write!(f, "eco={}", codes.start()),
            Which::Codes(codes) => write!(f, "eco={}..{}", codes.start(), codes.end()),
        }
    }
}

impl Debug for Opening {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.which.fmt(f)
    }
}

impl PartialEq for Opening {
    fn eq(&self, other: &Opening) -> bool {
        self.which == other.which
    }
}

impl Eq for Opening {}

impl Hash for Opening {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.which.hash(state);
    }
}
