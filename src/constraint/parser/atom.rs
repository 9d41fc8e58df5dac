//! Single conditions, by the word that they begin with.

use shakmaty::Color;

use crate::constraint::reader::{ParseError, Reader};
use crate::constraint::{
    Atom, Tuple,
    atom::{CONDITION, KEYWORDS},
};

/// Words that the grammar knows beside those that begin conditions.
const OTHERS: [&str; 2] = ["black", "mirror"];

/// What people write who do not know the language.
const MEANT: [(&str, &str); 4] = [("and", "&"), ("or", "|"), ("not", "!"), ("mate", "checkmate")];

impl Reader {
    /// `atom = count | material | square | diagram | castling | check | end | turn | rating | ply`
    pub(super) fn atom(&mut self) -> Result<Atom, ParseError> {
        let start = self.position_of_next();
        let word = self.word();
        // One letter, or two by mistake, is a man; more are a word.
        if word.len() < 3 {
            return self.of_a_man();
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
            Some(_) => Err(self.error("'(' and the constraint to be mirrored")),
            None => {
                self.position = start;
                let words: Vec<&str> =
                    OTHERS.into_iter().chain(KEYWORDS.map(|(keyword, _)| keyword)).collect();
                Err(self.error_at_word(CONDITION, &word, &words))
            }
        }
    }

    /// One of `words`.
    pub(in crate::constraint) fn one_of(
        &mut self,
        words: &[&'static str],
    ) -> Result<&'static str, ParseError> {
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

    pub(in crate::constraint) fn position_of_next(&mut self) -> usize {
        self.skip_space();
        self.position
    }

    /// The letters that stand next, and dots between them.
    pub(in crate::constraint) fn word(&mut self) -> String {
        self.skip_space();
        let rest = &self.characters[self.position..];
        let is_letter = |index: usize| rest.get(index).is_some_and(char::is_ascii_alphabetic);
        let belongs =
            |index: &usize| is_letter(*index) || (rest.get(*index) == Some(&'.') && is_letter(index + 1));
        (0..).take_while(belongs).map(|index| rest[index]).collect()
    }

    /// An error at a word, with the one of `words` that is most like it, if one is.
    pub(in crate::constraint) fn error_at_word(
        &self,
        expected: &str,
        word: &str,
        words: &[&str],
    ) -> ParseError {
        let word_in_case = word.to_ascii_lowercase();
        let distance = |known: &&&str| strsim::damerau_levenshtein(&word_in_case, known);
        let nearest = words.iter().min_by_key(distance).filter(|known| 3 * distance(known) <= word.len());
        let longer = words.iter().find(|known| word.len() > 2 && known.starts_with(&word_in_case));
        let nearest = nearest.or(longer);
        let meant = MEANT.iter().find(|(written, _)| *written == word_in_case).map(|(_, meant)| meant);
        let error = self.error_found(expected, &format!("'{word}'"));
        ParseError { suggestion: meant.or(nearest).map(|word| (*word).to_owned()), ..error }
    }
}
