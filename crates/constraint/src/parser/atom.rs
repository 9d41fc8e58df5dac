//! Single conditions, recognised by their first word.

use shakmaty::Color;

use super::shorthand::SHORTHANDS;
use crate::{
    Atom, Constraint, Property, Relation, Tally, Tuple,
    atom::{CONDITION, KEYWORDS},
    nearest,
    reader::{ParseError, Reader},
};

/// The other words of the grammar, which are not keywords of conditions.
const OTHERS: [&str; 6] = ["black", "mirror", "flip", "shift", "earlier", "then"];

/// All words that begin a condition or a set.
fn words_of_the_language() -> impl Iterator<Item = &'static str> {
    let keywords = KEYWORDS.iter().map(|(keyword, _)| *keyword);
    let properties = Property::ALL.iter().map(|(name, _)| *name);
    let relations = Relation::ALL.iter().map(|(name, _)| *name);
    OTHERS.into_iter().chain(SHORTHANDS).chain(keywords).chain(properties).chain(relations)
}

/// True if a name would hide a word of the language.
pub(crate) fn is_word_of_the_language(word: &str) -> bool {
    words_of_the_language().chain(["let"]).any(|known| known.eq_ignore_ascii_case(word))
}

/// Words that newcomers to the language may write, and what they mean.
const MEANT: [(&str, &str); 4] = [("and", "&"), ("or", "|"), ("not", "!"), ("mate", "checkmate")];

/// The material in the notation of the language: men in upper case, and `v` between the sides.
fn in_material(word: &str) -> String {
    word.to_ascii_uppercase().replace('V', "v")
}

impl Reader {
    /// `atom = count | material | square | diagram | castling | check | end | turn | rating | ply | judged`
    pub(super) fn atom(&mut self) -> Result<Atom, ParseError> {
        let start = self.position_of_next();
        let atom = self.atom_at(start);
        atom.map_err(|error| {
            if error.suggestion.is_some() || error.column > start + 2 {
                return error;
            }
            match self.meant_by_the_word_at(start) {
                Some((found, meant)) => ParseError {
                    column: start + 1,
                    // The full list of conditions does not help a user who wrote the right one in another notation.
                    expected: "a condition".to_owned(),
                    found,
                    suggestion: Some(meant),
                },
                None => error,
            }
        })
    }

    fn atom_at(&mut self, start: usize) -> Result<Atom, ParseError> {
        let word = self.word();
        // One letter, or two by mistake, is a man; three or more are a word.
        if word.len() < 3 {
            return self.of_a_man();
        }
        if Property::named(&word).is_some() || Relation::named(&word).is_some() {
            return Ok(Atom::Tally(Box::new(Tally::read(self)?)));
        }
        self.position += word.len();
        if let Some((_, read)) = KEYWORDS.iter().find(|(keyword, _)| keyword.eq_ignore_ascii_case(&word)) {
            return read(self, start);
        }
        match OTHERS.iter().find(|other| other.eq_ignore_ascii_case(&word)) {
            Some(&"black") if self.eat('(') => Ok(Atom::Tuple(Tuple::read(self, Color::Black)?)),
            Some(&"black") => {
                self.position = start;
                Err(self.error("'black(' before the five numbers (q,r,b,n,p), or a count such as b=1"))
            }
            Some(&"earlier") => Err(self.error("'(' and what held at an earlier position")),
            Some(&"then") => {
                self.position = start;
                Err(self.error_found("what came before 'then'", "'then'"))
            }
            Some(word) => Err(self.error(&format!("'(' and the constraint to {word}"))),
            None => {
                self.position = start;
                let defined = self.defined.iter().map(|(name, _)| name.as_str());
                let mut words: Vec<&str> = words_of_the_language().collect();
                words.extend(defined);
                Err(self.error_at_word(CONDITION, &word, &words))
            }
        }
    }

    /// The text at `start` up to white space, and the condition that it means in another notation, if it does.
    fn meant_by_the_word_at(&self, start: usize) -> Option<(String, String)> {
        let word = self.field_at(start);
        let is_condition = |text: &String| text.parse::<Constraint>().is_ok();
        // A placement has slashes, and material begins with a king.
        let meant = match word.chars().next() {
            _ if word.contains('/') => Some(format!("fen={word}")).filter(is_condition),
            Some('K' | 'k') => Some(format!("material={}", in_material(&word))).filter(is_condition),
            _ => None,
        };
        if let Some(meant) = meant {
            return Some((format!("'{word}'"), meant));
        }
        // Programming languages double these operators.
        let before = *self.characters.get(start.checked_sub(1)?)?;
        let is_twice = "&|".contains(before) && self.characters.get(start) == Some(&before);
        is_twice.then(|| (format!("'{before}{before}'"), before.to_string()))
    }

    /// Reads one of `words`.
    pub(crate) fn one_of(&mut self, words: &[&'static str]) -> Result<&'static str, ParseError> {
        self.skip_space();
        let word = self.word();
        match words.iter().find(|known| known.eq_ignore_ascii_case(&word)) {
            Some(known) => {
                self.position += word.len();
                Ok(known)
            }
            None if word.is_empty() => Err(self.error(&words.join(", "))),
            None => Err(self.error_at_word(&words.join(", "), &word, words)),
        }
    }

    pub(crate) fn position_of_next(&mut self) -> usize {
        self.skip_space();
        self.position
    }

    /// The next letters, and dots between them, without consuming them.
    pub(crate) fn word(&mut self) -> String {
        self.skip_space();
        let rest = &self.characters[self.position..];
        let is_letter = |index: usize| rest.get(index).is_some_and(char::is_ascii_alphabetic);
        let belongs =
            |index: &usize| is_letter(*index) || (rest.get(*index) == Some(&'.') && is_letter(index + 1));
        (0..).take_while(belongs).map(|index| rest[index]).collect()
    }

    /// An error at `word`, with the most similar of `words` as a suggestion, if there is one.
    pub(crate) fn error_at_word(&self, expected: &str, word: &str, words: &[&str]) -> ParseError {
        let word_in_case = word.to_ascii_lowercase();
        let nearest = nearest(word, words.iter().copied());
        let longer = words.iter().copied().find(|known| word.len() > 2 && known.starts_with(&word_in_case));
        let nearest = nearest.or(longer);
        let meant = MEANT.iter().find(|(written, _)| *written == word_in_case).map(|(_, meant)| *meant);
        let error = self.error_found(expected, &format!("'{word}'"));
        ParseError { suggestion: meant.or(nearest).map(str::to_owned), ..error }
    }
}
