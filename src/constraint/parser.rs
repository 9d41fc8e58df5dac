//! Recursive descent over the grammar of `docs/constraints.md`, one function a rule.

use std::str::FromStr;

use shakmaty::{Color, Piece, Role};
use thiserror::Error;

use super::{Atom, Comparison, Constraint, Count, IntegerRange, Tuple};

/// The deepest nesting of parentheses and `!`; input is untrusted and the parser recurses.
const MAX_NESTING: usize = 64;
/// The greatest number that may be written.
pub(super) const MAX_NUMBER: i8 = 99;

/// A text that is not a constraint.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("constraint, column {column}: expected {expected}, found {found}")]
pub struct ParseError {
    /// Where, in characters from 1.
    pub column: usize,
    /// What could have stood there.
    pub expected: String,
    /// What stood there.
    pub found: String,
}

impl FromStr for Constraint {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Constraint, ParseError> {
        let mut parser = Parser { characters: text.chars().collect(), position: 0, nesting: 0 };
        let constraint = parser.any()?;
        match parser.peek() {
            None => Ok(constraint),
            Some(_) => Err(parser.error("'&', '|', another condition or the end")),
        }
    }
}

struct Parser {
    characters: Vec<char>,
    position: usize,
    nesting: usize,
}

impl Parser {
    /// `constraint = and { "|" and }`
    fn any(&mut self) -> Result<Constraint, ParseError> {
        let mut parts = vec![self.all()?];
        while self.eat('|') {
            parts.push(self.all()?);
        }
        Ok(one_or(parts, Constraint::Any))
    }

    /// `and = unary { [ "&" | "," ] unary }`
    fn all(&mut self) -> Result<Constraint, ParseError> {
        let mut parts = vec![self.unary()?];
        while self.eat('&') || self.eat(',') || !matches!(self.peek(), None | Some('|' | ')')) {
            parts.push(self.unary()?);
        }
        Ok(one_or(parts, Constraint::All))
    }

    /// `unary = "!" unary | "(" constraint ")" | tuple | atom`
    fn unary(&mut self) -> Result<Constraint, ParseError> {
        if self.nesting == MAX_NESTING {
            return Err(self.error(&format!("at most {MAX_NESTING} nested parentheses and '!'")));
        }
        self.nesting += 1;
        let constraint = match self.peek() {
            Some('!') => {
                self.position += 1;
                Constraint::Not(Box::new(self.unary()?))
            }
            Some('(') => {
                self.position += 1;
                if self.peek().is_some_and(|c| c.is_ascii_digit()) {
                    self.tuple(Color::White)?.into()
                } else {
                    let inner = self.any()?;
                    self.expect(')', "'&', '|', another condition or ')'")?;
                    inner
                }
            }
            _ => Constraint::Atom(self.atom()?),
        };
        self.nesting -= 1;
        Ok(constraint)
    }

    /// The rest of `tuple = "(" Q "," R "," B "," N "," P ")"`, behind the opening parenthesis.
    fn tuple(&mut self, color: Color) -> Result<Tuple, ParseError> {
        let mut counts = [0; 5];
        let names = ["queens", "rooks", "bishops", "knights", "pawns"];
        for (index, (count, name)) in counts.iter_mut().zip(names).enumerate() {
            if index > 0 {
                self.expect(',', &format!("',' and the number of {name}"))?;
            }
            *count = self.natural(&format!("the number of {name}"))?;
        }
        self.expect(')', "')' after the five numbers (Q,R,B,N,P)")?;
        Ok(Tuple { color, counts })
    }

    /// `atom = count | …`
    fn atom(&mut self) -> Result<Atom, ParseError> {
        let start = self.position;
        if self.eat_word("black") {
            if !self.eat('(') {
                self.position = start;
                self.skip_space();
                return Err(
                    self.error("'black(' before the five numbers (q,r,b,n,p), or a count such as b=1")
                );
            }
            return Ok(Atom::Tuple(self.tuple(Color::Black)?));
        }
        let piece = self.piece(
            "a condition: a count such as Q=1 or p>=5 (QRBNP White, qrbnp Black), \
             (Q,R,B,N,P), black(q,r,b,n,p), '!' or '('",
        )?;
        let minus = if self.eat('-') { Some(self.piece("a piece letter: QRBNP or qrbnp")?) } else { None };
        let comparison = self.comparison(minus.is_some())?;
        Ok(Atom::Count(Count { piece, minus, comparison }))
    }

    fn piece(&mut self, expected: &str) -> Result<Piece, ParseError> {
        match self.peek().and_then(Piece::from_char) {
            Some(Piece { role: Role::King, .. }) => {
                Err(self.error(&format!("{expected}; kings are not counted")))
            }
            Some(piece) => {
                self.position += 1;
                Ok(piece)
            }
            None => Err(self.error(expected)),
        }
    }

    /// `cmp = ("=" | "!=") range | ("<" | "<=" | ">" | ">=") int`
    fn comparison(&mut self, is_difference: bool) -> Result<Comparison, ParseError> {
        Ok(if self.eat_word("!=") {
            Comparison::NotIn(self.range()?)
        } else if self.eat_word("<=") {
            Comparison::AtMost(self.integer()?)
        } else if self.eat_word(">=") {
            Comparison::AtLeast(self.integer()?)
        } else if self.eat('=') {
            Comparison::In(self.range()?)
        } else if self.eat('<') {
            Comparison::Less(self.integer()?)
        } else if self.eat('>') {
            Comparison::Greater(self.integer()?)
        } else if is_difference {
            return Err(self.error("=, !=, <, <=, > or >="));
        } else {
            return Err(self.error("=, !=, <, <=, >, >= or '-' and a piece letter"));
        })
    }

    /// `range = int [ ".." int ]`, low first.
    fn range(&mut self) -> Result<IntegerRange, ParseError> {
        let low = self.integer()?;
        if !self.eat_word("..") {
            return Ok(IntegerRange::exactly(low));
        }
        self.skip_space();
        let start = self.position;
        let high = self.integer()?;
        IntegerRange::new(low, high).ok_or_else(|| {
            self.position = start;
            self.error_found(
                &format!("a number of at least {low}, the low end of the range"),
                &format!("{high}"),
            )
        })
    }

    fn integer(&mut self) -> Result<i8, ParseError> {
        let negative = self.eat('-');
        let magnitude = self.natural("a number")? as i8;
        Ok(if negative { -magnitude } else { magnitude })
    }

    fn natural(&mut self, what: &str) -> Result<u8, ParseError> {
        self.skip_space();
        let digits: String =
            self.characters[self.position..].iter().take_while(|c| c.is_ascii_digit()).collect();
        if digits.is_empty() {
            return Err(self.error(what));
        }
        match digits.parse::<u8>() {
            Ok(number) if number <= MAX_NUMBER as u8 => {
                self.position += digits.len();
                Ok(number)
            }
            _ => Err(self.error_found(&format!("{what}, at most {MAX_NUMBER}"), &digits)),
        }
    }

    fn skip_space(&mut self) {
        while self.characters.get(self.position).is_some_and(|c| c.is_whitespace()) {
            self.position += 1;
        }
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.characters.get(self.position).copied()
    }

    fn eat(&mut self, character: char) -> bool {
        let found = self.peek() == Some(character);
        self.position += usize::from(found);
        found
    }

    /// Skips `word`, whose characters must stand together, if it is next.
    fn eat_word(&mut self, word: &str) -> bool {
        self.skip_space();
        let length = word.chars().count();
        let found = self.characters[self.position..].iter().take(length).copied().eq(word.chars());
        self.position += if found { length } else { 0 };
        found
    }

    fn expect(&mut self, character: char, expected: &str) -> Result<(), ParseError> {
        if self.eat(character) { Ok(()) } else { Err(self.error(expected)) }
    }

    fn error(&mut self, expected: &str) -> ParseError {
        let found = self.peek().map_or("the end".to_owned(), |c| format!("'{c}'"));
        self.error_found(expected, &found)
    }

    fn error_found(&self, expected: &str, found: &str) -> ParseError {
        ParseError { column: self.position + 1, expected: expected.to_owned(), found: found.to_owned() }
    }
}

fn one_or(mut parts: Vec<Constraint>, combine: impl Fn(Vec<Constraint>) -> Constraint) -> Constraint {
    if parts.len() == 1 { parts.remove(0) } else { combine(parts) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::constraint::arbitrary::any_constraint;

    fn parse(text: &str) -> Constraint {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn error(text: &str) -> ParseError {
        text.parse::<Constraint>().expect_err(text)
    }

    #[test]
    fn white_space_commas_and_ampersands_all_mean_and() {
        assert_eq!(parse("Q=1 R=2"), parse("Q=1&R=2"));
        assert_eq!(parse("Q=1, R=2"), parse("Q=1 & R=2"));
        assert_eq!(parse("  ( 1 , 2,1,1 ,7 )"), parse("(1,2,1,1,7)"));
    }

    #[test]
    fn and_binds_tighter_than_or() {
        assert_eq!(parse("Q=1 R=2 | q=0"), parse("(Q=1 R=2) | q=0"));
        assert_ne!(parse("Q=1 (R=2 | q=0)"), parse("Q=1 R=2 | q=0"));
    }

    #[test]
    fn errors_name_the_column_and_what_was_expected() {
        assert_eq!(
            error("(1,2,1").to_string(),
            "constraint, column 7: expected ',' and the number of knights, found the end"
        );
        let range = error("Q=1..0");
        assert_eq!((range.column, range.found.as_str()), (6, "0"));
        let doubled = error("pp=2");
        assert_eq!((doubled.column, doubled.found.as_str()), (2, "'p'"));
        assert!(doubled.expected.starts_with('='), "{doubled}");
        assert_eq!(error("").found, "the end");
        assert_eq!(error("Q=1 )").column, 5);
        assert_eq!(error("Q=300").column, 3);
        assert!(error("K=1").expected.contains("kings are not counted"));
        assert_eq!(error("Q=1 & ♛").found, "'♛'");
    }

    #[test]
    fn black_before_a_tuple_means_the_other_side() {
        let tuple = |color| Constraint::from(Tuple { color, counts: [0, 2, 2, 2, 8] });
        assert_eq!(parse("(0,2,2,2,8)"), tuple(Color::White));
        for text in ["black(0,2,2,2,8)", "black (0,2,2,2,8)", "  black\t( 0, 2,2,2 ,8)", "(black(0,2,2,2,8))"]
        {
            assert_eq!(parse(text), tuple(Color::Black), "{text}");
        }
        assert_eq!(parse("!black (0,2,2,2,8)"), Constraint::Not(Box::new(tuple(Color::Black))));
        assert_eq!(
            parse("(0,2,2,2,8) black (0,2,2,2,8)"),
            Constraint::All(vec![tuple(Color::White), tuple(Color::Black)])
        );
        let short = error("black (0,2,2,2)");
        assert_eq!((short.column, short.expected.as_str()), (15, "',' and the number of pawns"));
        for (text, column) in [("black Q=1", 1), ("black (Q=1)", 8), ("white (0,2,2,2,8)", 1)] {
            assert_eq!(error(text).column, column, "{text}");
        }
    }

    #[test]
    fn numbers_of_three_digits_are_refused_where_they_stand() {
        for (text, column) in [
            ("Q<=200", 4),
            ("Q=-100", 4),
            ("Q=1..100", 6),
            ("Q-q>=128", 6),
            ("(100,2,2,2,8)", 2),
            ("Q=99999999999", 3),
        ] {
            let error = error(text);
            assert_eq!(error.column, column, "{text}");
            assert!(error.expected.ends_with("at most 99"), "{text}: {error}");
        }
    }

    #[test]
    fn deep_nesting_is_an_error_and_not_a_crash() {
        assert!(error(&"(".repeat(100_000)).expected.contains("nested"));
        assert!(error(&"!".repeat(100_000)).expected.contains("nested"));
    }

    proptest! {
        #[test]
        fn what_is_printed_parses_to_the_same(constraint in any_constraint()) {
            prop_assert_eq!(parse(&constraint.to_string()), constraint);
        }

        #[test]
        fn any_text_parses_or_fails_with_a_column_inside_it(text in "\\PC{0,40}") {
            if let Err(error) = text.parse::<Constraint>() {
                prop_assert!((1..=text.chars().count() + 1).contains(&error.column));
            }
        }
    }
}
