//! Recursive descent over the grammar of `docs/constraints.md`, one function a rule.

mod atom;
mod man;
mod number;

use std::str::FromStr;

use shakmaty::Color;
use thiserror::Error;

use super::{Constraint, Tuple};

/// The deepest nesting of parentheses and `!`; input is untrusted and the parser recurses.
const MAX_NESTING: usize = 64;
/// The greatest number that may be written.
pub(super) const MAX_NUMBER: i8 = 99;

/// A text that is not a constraint.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "constraint, column {column}: expected {expected}, found {found}{}",
    .suggestion.as_ref().map_or(String::new(), |word| format!("; did you mean '{word}'?"))
)]
pub struct ParseError {
    /// Where, in characters from 1.
    pub column: usize,
    /// What could have stood there.
    pub expected: String,
    /// What stood there.
    pub found: String,
    /// What may be meant.
    pub suggestion: Option<String>,
}

impl FromStr for Constraint {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Constraint, ParseError> {
        let mut parser = Parser { characters: text.chars().collect(), position: 0, nesting: 0, rating: None };
        let constraint = parser.any()?;
        match parser.peek() {
            None => Ok(constraint),
            Some(_) => Err(parser.error("'&', '|', another condition or the end")),
        }
    }
}

/// A text, and how far it is read.
pub(super) struct Parser {
    pub(super) characters: Vec<char>,
    /// The next character, from 0.
    pub(super) position: usize,
    nesting: usize,
    /// Where the last rating stands.
    pub(super) rating: Option<usize>,
}

impl Parser {
    /// `constraint = and { "|" and }`
    fn any(&mut self) -> Result<Constraint, ParseError> {
        let before = self.rating;
        let mut parts = vec![self.all()?];
        while self.eat('|') {
            parts.push(self.all()?);
        }
        if parts.len() > 1 {
            self.refuse_ratings_since(before, "'|'")?;
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

    /// `unary = "!" unary | [ "mirror" ] "(" constraint ")" | tuple | atom`
    fn unary(&mut self) -> Result<Constraint, ParseError> {
        let next = self.peek();
        if self.nesting == MAX_NESTING && matches!(next, Some('!' | '(' | 'm' | 'M')) {
            return Err(self.error(&format!("at most {MAX_NESTING} nested parentheses and '!'")));
        }
        self.nesting += 1;
        let constraint = match next {
            Some('!') => {
                self.position += 1;
                let before = self.rating;
                let denied = self.unary()?;
                self.refuse_ratings_since(before, "'!'")?;
                Constraint::Not(Box::new(denied))
            }
            Some('(') => {
                self.position += 1;
                if self.peek().is_some_and(|c| c.is_ascii_digit()) {
                    Tuple::read(self, Color::White)?.into()
                } else {
                    let inner = self.any()?;
                    self.expect(')', "'&', '|', another condition or ')'")?;
                    inner
                }
            }
            Some('[') => self.of_a_class()?,
            _ if self.eat_function("mirror") => {
                let before = self.rating;
                let inner = self.any()?;
                self.refuse_ratings_since(before, "'mirror'")?;
                self.expect(')', "'&', '|', another condition or ')'")?;
                inner.mirrored()
            }
            _ => Constraint::Atom(self.atom()?),
        };
        self.nesting -= 1;
        Ok(constraint)
    }

    /// Ratings are wishes for the whole game: what holds for one way to meet the rest cannot be said of them.
    fn refuse_ratings_since(&mut self, before: Option<usize>, under: &str) -> Result<(), ParseError> {
        match self.rating {
            Some(position) if self.rating != before => {
                self.position = position;
                Err(self.error_found(
                    &format!("a rating to stand for the whole constraint, not under {under}"),
                    "one",
                ))
            }
            _ => Ok(()),
        }
    }

    fn skip_space(&mut self) {
        while self.characters.get(self.position).is_some_and(|c| c.is_whitespace()) {
            self.position += 1;
        }
    }

    /// The next character, even white space.
    pub(super) fn next_character(&self) -> Option<char> {
        self.characters.get(self.position).copied()
    }

    /// The next character that is no white space.
    pub(super) fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.next_character()
    }

    fn eat(&mut self, character: char) -> bool {
        let found = self.peek() == Some(character);
        self.position += usize::from(found);
        found
    }

    /// Skips `word`, whose characters must stand together, if it is next.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        self.skip_space();
        let length = word.chars().count();
        let found = self.characters[self.position..].iter().take(length).copied().eq(word.chars());
        self.position += if found { length } else { 0 };
        found
    }

    /// Skips `word`, in upper or lower case, and the parenthesis behind it, if they are next.
    fn eat_function(&mut self, word: &str) -> bool {
        let start = self.position_of_next();
        self.position = start;
        let found = self.word().eq_ignore_ascii_case(word) && {
            self.position += word.len();
            self.eat('(')
        };
        self.position = if found { self.position } else { start };
        found
    }

    pub(super) fn expect(&mut self, character: char, expected: &str) -> Result<(), ParseError> {
        if self.eat(character) { Ok(()) } else { Err(self.error(expected)) }
    }

    pub(super) fn error(&mut self, expected: &str) -> ParseError {
        let found = self.peek().map_or("the end".to_owned(), |c| format!("'{c}'"));
        self.error_found(expected, &found)
    }

    pub(super) fn error_found(&self, expected: &str, found: &str) -> ParseError {
        let (column, expected, found) = (self.position + 1, expected.to_owned(), found.to_owned());
        ParseError { column, expected, found, suggestion: None }
    }
}

fn one_or(mut parts: Vec<Constraint>, combine: impl Fn(Vec<Constraint>) -> Constraint) -> Constraint {
    if parts.len() == 1 { parts.remove(0) } else { combine(parts) }
}

#[cfg(test)]
mod tests;
