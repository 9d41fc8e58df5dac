//! A recursive-descent parser for the grammar in `docs/constraints.md`, with one function for each rule.

mod atom;
mod fen;
mod man;
mod parts;
mod shorthand;

pub(crate) use atom::is_word_of_the_language;
pub use parts::Part;

use std::str::FromStr;

use shakmaty::Color;

use super::{
    Atom, Constraint, Earlier, Tuple,
    reader::{ParseError, Reader},
};

/// The deepest nesting of parentheses and `!`. The input is untrusted, and the parser recurses.
const MAX_NESTING: usize = 64;

/// The most earlier positions that a constraint may ask for in order.
const MAX_STAGES: usize = 8;

impl FromStr for Constraint {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Constraint, ParseError> {
        Constraint::read_all(&mut Reader::new(text))
    }
}

impl Constraint {
    /// Reads the rest of a text, which must be a constraint.
    pub(super) fn read_all(reader: &mut Reader) -> Result<Constraint, ParseError> {
        let constraint = reader.any()?;
        match reader.peek() {
            None => Ok(constraint),
            Some(_) => Err(reader.error("'&', '|', another condition or the end")),
        }
    }
}

impl Reader {
    /// `constraint = sequence { "|" sequence }`
    fn any(&mut self) -> Result<Constraint, ParseError> {
        let before = self.rating;
        let mut parts = vec![self.sequence()?];
        while self.eat('|') {
            parts.push(self.sequence()?);
        }
        if parts.len() > 1 {
            self.refuse_ratings_since(before, "'|'")?;
        }
        Ok(one_or(parts, Constraint::Any))
    }

    /// `sequence = and { "then" and }`. All but the last held at earlier positions, in this order.
    fn sequence(&mut self) -> Result<Constraint, ParseError> {
        let (mut start, mut before) = (self.position_of_next(), self.rating);
        let mut last = self.all()?;
        while self.eat_name("then") {
            let earlier = self.earlier(last, start, before, "'then'")?;
            (start, before) = (self.position_of_next(), self.rating);
            let mut parts = vec![earlier];
            match self.all()? {
                Constraint::All(others) => parts.extend(others),
                other => parts.push(other),
            }
            last = Constraint::All(parts);
        }
        Ok(last)
    }

    /// The condition that `inner`, which begins at `start`, held at an earlier position of the game.
    fn earlier(
        &mut self,
        inner: Constraint,
        start: usize,
        rating_before: Option<usize>,
        under: &str,
    ) -> Result<Constraint, ParseError> {
        self.refuse_ratings_since(rating_before, under)?;
        if inner.stages() >= MAX_STAGES {
            self.position = start;
            let expected = format!("at most {MAX_STAGES} earlier positions in order");
            return Err(self.error_found(&expected, "more"));
        }
        if let Some(judged) = inner.first_judged() {
            self.position = start;
            let expected =
                format!("no condition that search decides under {under}; only the last position is judged");
            return Err(self.error_found(&expected, &format!("'{judged}'")));
        }
        Ok(Constraint::Atom(Atom::Earlier(Box::new(Earlier(inner)))))
    }

    /// `and = unary { [ "&" | "," ] unary }`
    fn all(&mut self) -> Result<Constraint, ParseError> {
        let mut parts = Vec::new();
        loop {
            parts.push(self.unary()?);
            if let Some(Constraint::Atom(Atom::Diagram(_))) = parts.last() {
                parts.extend(self.fields_of_a_fen().into_iter().map(Constraint::Atom));
            }
            let is_joined = self.eat('&') || self.eat(',');
            if !is_joined && (matches!(self.peek(), None | Some('|' | ')')) || self.is_next("then")) {
                return Ok(one_or(parts, Constraint::All));
            }
        }
    }

    /// `unary = "!" unary | [ "mirror" | "flip" | "shift" | "earlier" ] "(" constraint ")" | tuple | shorthand | atom`
    fn unary(&mut self) -> Result<Constraint, ParseError> {
        let next = self.peek();
        if self.nesting == MAX_NESTING
            && matches!(next, Some('!' | '(' | 'm' | 'M' | 'f' | 'F' | 's' | 'S' | 'e' | 'E'))
        {
            return Err(self.error(&format!("at most {MAX_NESTING} nested parentheses and '!'")));
        }
        self.nesting += 1;
        let constraint = match next {
            Some('!') => {
                self.position += 1;
                let before = self.rating;
                let mut negated = self.unary()?;
                // "!fen=…" with a whole FEN negates all that the FEN says.
                if let Constraint::Atom(Atom::Diagram(_)) = negated {
                    let fields = self.fields_of_a_fen().into_iter().map(Constraint::Atom);
                    negated = one_or([negated].into_iter().chain(fields).collect(), Constraint::All);
                }
                self.refuse_ratings_since(before, "'!'")?;
                Constraint::Not(Box::new(negated))
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
                self.transformed("mirror", |inner| match inner.first_of_first_moves() {
                    Some(atom) => Err(atom.clone()),
                    None => Ok(inner.clone().mirrored()),
                })?
            }
            _ if self.eat_function("earlier") => {
                let (start, before) = (self.position_of_next(), self.rating);
                let inner = self.any()?;
                let earlier = self.earlier(inner, start, before, "'earlier'")?;
                self.expect(')', "'&', '|', another condition or ')'")?;
                earlier
            }
            _ if self.eat_function("flip") => self.transformed("flip", Constraint::flipped)?,
            _ if self.eat_function("shift") => self.transformed("shift", Constraint::shifted)?,
            _ => match self.defined()? {
                Some(constraint) => constraint,
                None => match self.shorthand()? {
                    Some(constraint) => constraint,
                    None => Constraint::Atom(self.atom()?),
                },
            },
        };
        self.nesting -= 1;
        Ok(constraint)
    }

    /// Reads a name that stands for a constraint, if one is next.
    fn defined(&mut self) -> Result<Option<Constraint>, ParseError> {
        let start = self.position_of_next();
        let word = self.word();
        let Some(index) = self.defined.iter().position(|(name, _)| word.eq_ignore_ascii_case(name)) else {
            return Ok(None);
        };
        self.position += word.len();
        // Only earlier names occur in the text, so this ends.
        let mut inner =
            Reader { defined: self.defined[..index].into(), ..Reader::new(&self.defined[index].1) };
        let constraint = inner.any()?;
        if inner.rating.is_some() {
            self.rating = Some(start);
        }
        Ok(Some(constraint))
    }

    /// Reads the rest of `word "(" constraint ")"`, after the parenthesis, and transforms the constraint.
    fn transformed(
        &mut self,
        word: &str,
        transform: impl Fn(&Constraint) -> Result<Constraint, Atom>,
    ) -> Result<Constraint, ParseError> {
        let start = self.position_of_next();
        let before = self.rating;
        let inner = self.any()?;
        self.refuse_ratings_since(before, &format!("'{word}'"))?;
        self.expect(')', "'&', '|', another condition or ')'")?;
        transform(&inner).map_err(|atom| {
            self.position = start;
            self.error_found(&format!("conditions that '{word}' can move on the board"), &format!("'{atom}'"))
        })
    }

    /// Refuses ratings that were read after `before`. Ratings apply to the whole game, so they cannot belong to only
    /// one way to satisfy the constraint.
    fn refuse_ratings_since(&mut self, before: Option<usize>, under: &str) -> Result<(), ParseError> {
        match self.rating {
            Some(position) if self.rating != before => {
                self.position = position;
                Err(self.error_found(
                    &format!("no rating under {under}, because ratings apply to the whole constraint"),
                    "one",
                ))
            }
            _ => Ok(()),
        }
    }
}

impl Constraint {
    /// The first condition that an oracle must judge.
    fn first_judged(&self) -> Option<&Atom> {
        self.atoms().into_iter().find(|atom| matches!(atom, Atom::Judged(_)))
    }

    /// The first condition on the first moves of the game, also under `earlier`.
    fn first_of_first_moves(&self) -> Option<&Atom> {
        self.atoms().into_iter().find_map(|atom| match atom {
            Atom::Opening(_) | Atom::Begins(_) => Some(atom),
            Atom::Earlier(earlier) => earlier.0.first_of_first_moves(),
            _ => None,
        })
    }
}

fn one_or(mut parts: Vec<Constraint>, combine: impl Fn(Vec<Constraint>) -> Constraint) -> Constraint {
    if parts.len() == 1 { parts.remove(0) } else { combine(parts) }
}

#[cfg(test)]
mod tests;
