//! Names for constraints: `let iqp = isolated(P@d)`, in a file that users keep.

use std::sync::Arc;

use thiserror::Error;

use super::{Constraint, ParseError, parser::is_word_of_the_language, reader::Reader};

/// The most conditions in a definition, with those of the names in it. Names that stand for names could otherwise grow
/// without limit.
const MAX_CONDITIONS: usize = 4096;

/// Names that stand for constraints. A constraint may use them wherever a condition may stand.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    /// The names in lower case, and the texts of their constraints, in which only earlier names occur.
    defined: Arc<[(String, String)]>,
}

/// A text that does not define names.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "line {line}, column {column}: expected {expected}, found {found}{}",
    .suggestion.as_ref().map_or(String::new(), |word| format!("; did you mean '{word}'?"))
)]
pub struct DefinitionError {
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    /// What was expected there.
    pub expected: String,
    /// What was found there.
    pub found: String,
    /// What the user may have meant.
    pub suggestion: Option<String>,
}

impl Definitions {
    /// The definitions in `text`: `let NAME = CONSTRAINT`, each from the beginning of a line to the next `let`. `#`
    /// begins a comment. A constraint may use the names before it.
    ///
    /// # Errors
    /// [`DefinitionError`] if a line is not part of a definition, a name is a word of the language or is defined twice,
    /// or a constraint is not valid or too large.
    pub fn read(text: &str) -> Result<Definitions, DefinitionError> {
        let mut definitions = Definitions::default();
        for (first, definition) in split(text) {
            let at = |error: ParseError| located(error, first, &definition);
            let mut reader = definitions.reader(&definition);
            let name = name(&mut reader).map_err(at)?;
            let start = reader.position_of_next();
            let constraint = Constraint::read_all(&mut reader).map_err(at)?;
            if constraint.size() > MAX_CONDITIONS {
                reader.position = start;
                let expected = format!("at most {MAX_CONDITIONS} conditions, with those of the names");
                return Err(at(reader.error_found(&expected, "more")));
            }
            let text = reader.characters[start..].iter().collect();
            definitions.defined = definitions.defined.iter().cloned().chain([(name, text)]).collect();
        }
        Ok(definitions)
    }

    /// The constraint that `text` describes, in which names stand for their constraints.
    ///
    /// # Errors
    /// [`ParseError`] if the text is not a constraint.
    pub fn parse(&self, text: &str) -> Result<Constraint, ParseError> {
        Constraint::read_all(&mut self.reader(text))
    }

    /// The names, in the order of the text.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.defined.iter().map(|(name, _)| name.as_str())
    }

    fn reader(&self, text: &str) -> Reader {
        Reader { defined: Arc::clone(&self.defined), ..Reader::new(text) }
    }
}

/// The definitions of a text, without comments, each with the number of its first line.
fn split(text: &str) -> Vec<(usize, String)> {
    let mut definitions: Vec<(usize, String)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let begins = line.split_whitespace().next() == Some("let");
        match definitions.last_mut() {
            Some((_, definition)) if !begins => {
                definition.push('\n');
                definition.push_str(line);
            }
            _ if line.trim().is_empty() => {}
            _ => definitions.push((index + 1, line.to_owned())),
        }
    }
    definitions
}

/// Reads `let NAME =`.
fn name(reader: &mut Reader) -> Result<String, ParseError> {
    const EXPECTED: &str = "a name of at least three letters that is not a word of the language";
    if reader.word() != "let" {
        return Err(reader.error("'let', a name, '=' and a constraint"));
    }
    reader.position += "let".len();
    let name = reader.word().to_ascii_lowercase();
    if name.is_empty() {
        return Err(reader.error(EXPECTED));
    }
    if name.len() < 3 || is_word_of_the_language(&name) {
        return Err(reader.error_found(EXPECTED, &format!("'{name}'")));
    }
    if reader.defined.iter().any(|(known, _)| *known == name) {
        return Err(reader.error_found("a name that is not defined yet", &format!("'{name}'")));
    }
    reader.position += name.len();
    reader.expect('=', "'=' and a constraint")?;
    Ok(name)
}

/// The error with its place in a text whose part `definition` begins on line `first`.
fn located(error: ParseError, first: usize, definition: &str) -> DefinitionError {
    let before: Vec<char> = definition.chars().take(error.column - 1).collect();
    let line = first + before.iter().filter(|c| **c == '\n').count();
    let column = 1 + before.iter().rev().take_while(|c| **c != '\n').count();
    let ParseError { expected, found, suggestion, .. } = error;
    DefinitionError { line, column, expected, found, suggestion }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "
# Structures that trainers teach.
let iqp = isolated(P@d) P@d=1      # the isolated queen's pawn
let middlegame = Q=1 q=1
    [rbn]>=4                       # on a second line
let Carlsbad = P@d4 p@d5 P@c=0 p@e=0
let both = iqp middlegame | mirror(iqp) middlegame
";

    #[test]
    fn names_stand_for_their_constraints() {
        let definitions = Definitions::read(FILE).unwrap();
        assert_eq!(definitions.names().collect::<Vec<_>>(), ["iqp", "middlegame", "carlsbad", "both"]);
        for (text, meaning) in [
            ("IQP turn=white", "(isolated(P@d) P@d=1) turn=white"),
            ("!carlsbad", "!(P@d4 p@d5 P@c=0 p@e=0)"),
            ("flip(iqp)", "isolated(P@e) P@e=1"),
            (
                "both | N@f5",
                "(isolated(P@d) P@d=1) (Q=1 q=1 [rbn]>=4) | mirror(isolated(P@d) P@d=1) (Q=1 q=1 [rbn]>=4) | N@f5",
            ),
        ] {
            let written = definitions.parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let normal = |constraint: &Constraint| constraint.to_string().replace(['(', ')'], "");
            assert_eq!(normal(&written), normal(&meaning.parse().unwrap()), "{text}");
        }
        assert_eq!(definitions.parse("iqpp").unwrap_err().suggestion.as_deref(), Some("iqp"));
        assert!("iqp".parse::<Constraint>().is_err());
    }

    #[test]
    fn errors_name_the_line_and_the_column() {
        for (text, line, column, expected) in [
            ("Q=1", 1, 1, "'let'"),
            ("let x = Q=1", 1, 5, "three letters"),
            ("let = Q=1", 1, 5, "a name"),
            ("let passed = Q=1", 1, 5, "not a word of the language"),
            ("let turn = Q=1", 1, 5, "not a word of the language"),
            ("let one Q=1", 1, 9, "'='"),
            ("let one = Q=1\n\nlet one = Q=2", 3, 5, "not defined yet"),
            ("let one = Q=1\nlet two = one\n  Q=x", 3, 5, "a number"),
            ("let two = one\nlet one = Q=1", 1, 11, "a condition"),
        ] {
            let error = Definitions::read(text).unwrap_err();
            assert_eq!((error.line, error.column), (line, column), "{text}: {error}");
            assert!(error.expected.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn names_of_names_cannot_grow_without_limit() {
        let mut text = "let aaa = Q=1 | R=1".to_owned();
        for (name, before) in ["bbb", "ccc", "ddd", "eee", "fff", "ggg"]
            .into_iter()
            .zip(["aaa", "bbb", "ccc", "ddd", "eee", "fff"])
        {
            text += &format!("\nlet {name} = {}", [before; 8].join(" | "));
        }
        assert!(Definitions::read(&text).unwrap_err().expected.contains("at most 4096"));
    }

    #[test]
    fn ratings_under_a_name_are_refused_where_ratings_are() {
        let definitions = Definitions::read("let club = elo=1500 Q=1").unwrap();
        assert!(definitions.parse("club q=1").is_ok());
        assert_eq!(definitions.parse("q=1 | club").unwrap_err().column, 7);
    }
}
