//! The text being parsed and the position in it, with readers for what all conditions share: words, numbers,
//! comparisons.

mod number;

use std::sync::Arc;

use thiserror::Error;

/// The greatest number that may be written.
pub(super) const MAX_NUMBER: i8 = 99;

/// A text that is not a constraint.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "constraint, column {column}: expected {expected}, found {found}{}",
    .suggestion.as_ref().map_or(String::new(), |word| format!("; did you mean '{word}'?"))
)]
pub struct ParseError {
    /// Where the error is, in characters from 1.
    pub column: usize,
    /// What was expected there.
    pub expected: String,
    /// What was found there.
    pub found: String,
    /// What the user may have meant.
    pub suggestion: Option<String>,
}

/// A text, and how much of it has been read.
pub(super) struct Reader {
    pub(super) characters: Vec<char>,
    /// The next character, from 0.
    pub(super) position: usize,
    /// How deeply the parser is nested in parentheses and `!`.
    pub(super) nesting: usize,
    /// The position of the last rating read.
    pub(super) rating: Option<usize>,
    /// Names that stand for constraints, with their texts.
    pub(super) defined: Arc<[(String, String)]>,
}

impl Reader {
    /// A reader of `text`.
    pub(super) fn new(text: &str) -> Reader {
        Reader {
            characters: text.chars().collect(),
            position: 0,
            nesting: 0,
            rating: None,
            defined: Arc::default(),
        }
    }

    pub(super) fn skip_space(&mut self) {
        while self.characters.get(self.position).is_some_and(|c| c.is_whitespace()) {
            self.position += 1;
        }
    }

    /// The next character, which may be white space.
    pub(super) fn next_character(&self) -> Option<char> {
        self.characters.get(self.position).copied()
    }

    /// The next character after any white space.
    pub(super) fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.next_character()
    }

    pub(super) fn eat(&mut self, character: char) -> bool {
        let found = self.peek() == Some(character);
        self.position += usize::from(found);
        found
    }

    /// Skips `word` if it is next. No white space is allowed within it.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        self.skip_space();
        let length = word.chars().count();
        let found = self.characters[self.position..].iter().take(length).copied().eq(word.chars());
        self.position += if found { length } else { 0 };
        found
    }

    /// Skips `word`, in upper or lower case, and the opening parenthesis after it, if they are next.
    pub(super) fn eat_function(&mut self, word: &str) -> bool {
        let start = self.position_of_next();
        self.position = start;
        let found = self.word().eq_ignore_ascii_case(word) && {
            self.position += word.len();
            self.eat('(')
        };
        self.position = if found { self.position } else { start };
        found
    }

    /// True if `word` is the next word, in upper or lower case.
    pub(super) fn is_next(&mut self, word: &str) -> bool {
        self.word().eq_ignore_ascii_case(word)
    }

    /// Skips `word`, in upper or lower case, if it is the next word.
    pub(super) fn eat_name(&mut self, word: &str) -> bool {
        let found = self.is_next(word);
        self.position += if found { word.len() } else { 0 };
        found
    }

    /// Reads a text in double or single quotes. Returns where it begins, and the text; `expected` is what it says.
    /// An apostrophe before a letter does not end the text, so that 'King's Gambit' is a name.
    pub(super) fn quoted(&mut self, expected: &str) -> Result<(usize, String), ParseError> {
        let quote = self.peek().filter(|c| matches!(c, '"' | '\''));
        let Some(quote) = quote else { return Err(self.error(expected)) };
        let start = self.position + 1;
        let is_end = |index: &usize| {
            let next = self.characters.get(index + 1);
            self.characters[*index] == quote && (quote == '"' || !next.is_some_and(|c| c.is_alphabetic()))
        };
        let Some(end) = (start..self.characters.len()).find(is_end) else {
            self.position = self.characters.len();
            return Err(self.error(&format!("the closing quote {quote}")));
        };
        self.position = end + 1;
        Ok((start, self.characters[start..end].iter().collect()))
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
