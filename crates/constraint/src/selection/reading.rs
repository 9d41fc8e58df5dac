//! How selections are read.

use shakmaty::Piece;

use super::{Kinds, Property, Relation, Selection};
use crate::{ParseError, Region, reader::Reader};

/// The deepest nesting of properties. The input is untrusted, and the reader recurses.
const DEEPEST: usize = 8;

/// The properties that are also written as places: `N@outpost`.
const PLACES: [&str; 3] = ["outpost", "open", "halfopen"];

impl Selection {
    /// `set = men [ "@" where ] | property "(" set ")" | relation "(" set "," set ")"`
    pub(crate) fn read(reader: &mut Reader) -> Result<Selection, ParseError> {
        Selection::read_at_depth(reader, 0)
    }

    fn read_at_depth(reader: &mut Reader, depth: usize) -> Result<Selection, ParseError> {
        const EXPECTED: &str = "men such as P, [BN] or N@d5, or a set such as passed(P)";
        if depth == DEEPEST {
            return Err(reader.error(&format!("at most {DEEPEST} sets within each other")));
        }
        let word = reader.word();
        if word.len() > 2 {
            let (property, relation) = (Property::named(&word), Relation::named(&word));
            if property.is_none() && relation.is_none() {
                return Err(reader.error_at_word(EXPECTED, &word, &words()));
            }
            reader.position += word.len();
            reader.expect('(', &format!("'(' and the men, such as {}", example(&word)))?;
            let start = reader.position_of_next();
            let first = Selection::read_at_depth(reader, depth + 1)?;
            if let Some(property) = property {
                check(reader, start, &first, property.is_of_pawns())?;
                reader.expect(')', "')'")?;
                return Ok(Selection::With(property, Box::new(first)));
            }
            let relation = relation.expect("one of the two");
            check(reader, start, &first, false)?;
            reader.expect(',', &format!("',' and other men, as in {}", example(&word)))?;
            let start = reader.position_of_next();
            let second = Selection::read_at_depth(reader, depth + 1)?;
            if relation == Relation::Shields {
                check(reader, start, &second, false)?;
            }
            reader.expect(')', "')'")?;
            return Ok(Selection::Related(relation, Box::new([first, second])));
        }
        let kinds: Kinds = match reader.peek() {
            Some('[') => reader.class()?.into_iter().collect(),
            Some('-') => {
                reader.position += 1;
                Kinds::EMPTY_SQUARE
            }
            Some(letter) if Piece::from_char(letter).is_some() => {
                reader.position += 1;
                Piece::from_char(letter).into_iter().collect()
            }
            _ => return Err(reader.error(EXPECTED)),
        };
        if reader.eat('@') {
            return Selection::read_place(reader, kinds);
        }
        if kinds == Kinds::EMPTY_SQUARE {
            return Err(reader.error("'@' and the squares that must be empty"));
        }
        Ok(Selection::Men(kinds, None))
    }

    /// The rest of `men "@" where`, after the `@`.
    pub(crate) fn read_place(reader: &mut Reader, kinds: Kinds) -> Result<Selection, ParseError> {
        let word = reader.word();
        if let Some(place) = PLACES.iter().find(|place| word.eq_ignore_ascii_case(place)) {
            if kinds == Kinds::EMPTY_SQUARE {
                return Err(reader.error_found("squares, such as d4 or a-c", &format!("'{word}'")));
            }
            reader.position += word.len();
            let property = Property::named(place).expect("a property");
            return Ok(Selection::With(property, Box::new(Selection::Men(kinds, None))));
        }
        Ok(Selection::Men(kinds, Some(Region::read(reader, &PLACES)?)))
    }
}

/// Refuses a set that contains squares instead of men, or other men than pawns where only pawns make sense. It begins
/// at `start`.
fn check(reader: &mut Reader, start: usize, set: &Selection, only_pawns: bool) -> Result<(), ParseError> {
    let expected = match set.kinds() {
        kinds if only_pawns && !kinds.are_within(Kinds::PAWNS) => "pawns: P, p or [Pp]",
        Kinds::EMPTY_SQUARE => "men, not squares",
        _ => return Ok(()),
    };
    reader.position = start;
    Err(reader.error_found(expected, &format!("'{set}'")))
}

/// The words for properties and relations.
pub(super) fn words() -> Vec<&'static str> {
    let relations = Relation::ALL.iter().map(|(name, _)| *name);
    Property::ALL.iter().map(|(name, _)| *name).chain(relations).collect()
}

/// A correct use of a word.
fn example(word: &str) -> String {
    let word = word.to_ascii_lowercase();
    match (Property::named(&word), word.as_str()) {
        (Some(property), _) if property.is_of_pawns() => format!("{word}(P)"),
        (Some(_), _) => format!("{word}(N)"),
        (None, "shields") => format!("{word}(n, q)"),
        (None, _) => format!("{word}(N, [qr])"),
    }
}
