//! The conditions of a text that must all hold, each with its place in the text.

use std::ops::Range;

use crate::{
    Atom, Constraint,
    reader::{ParseError, Reader},
};

/// One of the conditions that must all hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it stands in the text, in characters from 0.
    pub range: Range<usize>,
    /// What it says.
    pub constraint: Constraint,
}

impl Constraint {
    /// Reads a text as the conditions that must all hold, so that an editor can take one of them out. A text with
    /// alternatives, or with positions in order, is a single part.
    ///
    /// # Errors
    /// If the text is not a constraint.
    pub fn parts(text: &str) -> Result<Vec<Part>, ParseError> {
        let whole: Constraint = text.parse()?;
        let mut reader = Reader::new(text);
        let mut parts = Vec::new();
        loop {
            let start = reader.position_of_next();
            let constraint = reader.unary_with_fields()?;
            parts.push(Part { range: start..reader.end_of_last(), constraint });
            let is_joined = reader.eat('&') || reader.eat(',');
            match reader.peek() {
                None => return Ok(parts),
                Some('|') => break,
                Some(_) if !is_joined && reader.is_next("then") => break,
                Some(_) => {}
            }
        }
        let mut reader = Reader::new(text);
        let start = reader.position_of_next();
        reader.position = reader.characters.len();
        Ok(vec![Part { range: start..reader.end_of_last(), constraint: whole }])
    }
}

impl Reader {
    /// Where what has been read ends, without the white space after it.
    fn end_of_last(&self) -> usize {
        let read = &self.characters[..self.position];
        read.iter().rposition(|c| !c.is_whitespace()).map_or(0, |last| last + 1)
    }

    /// `unary`, and after a diagram the other fields of its FEN.
    fn unary_with_fields(&mut self) -> Result<Constraint, ParseError> {
        let constraint = self.unary()?;
        let Constraint::Atom(Atom::Diagram(_)) = constraint else { return Ok(constraint) };
        let fields = self.fields_of_a_fen().into_iter().map(Constraint::Atom);
        let mut parts: Vec<Constraint> = [constraint].into_iter().chain(fields).collect();
        Ok(if parts.len() == 1 { parts.remove(0) } else { Constraint::All(parts) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let characters: Vec<char> = text.chars().collect();
        let parts = Constraint::parts(text).unwrap();
        parts.into_iter().map(|part| characters[part.range].iter().collect()).collect()
    }

    #[test]
    fn conditions_that_must_all_hold_are_found_in_the_text() {
        for (text, parts) in [
            ("Q=0", &["Q=0"][..]),
            (" Q=0 & N@f5,!k@g8  turn = white ", &["Q=0", "N@f5", "!k@g8", "turn = white"]),
            ("(1,2,1,1,7) (Q=0 | q=0) bishops=opposite", &["(1,2,1,1,7)", "(Q=0 | q=0)", "bishops=opposite"]),
            (
                "opening=\"Sicilian, Najdorf\" attacks(N, [qr])>=2",
                &["opening=\"Sicilian, Najdorf\"", "attacks(N, [qr])>=2"],
            ),
            (" Q=0 R=1 | q=0 ", &["Q=0 R=1 | q=0"]),
            ("Q=0 then q=0", &["Q=0 then q=0"]),
            ("fen=8/8/8/8/8/8/8/K1k5 w - - Q=0", &["fen=8/8/8/8/8/8/8/K1k5 w - -", "Q=0"]),
        ] {
            assert_eq!(texts(text), parts, "{text}");
        }
        assert_eq!(Constraint::parts("Q=").unwrap_err().column, 3);
    }

    #[test]
    fn the_parts_mean_what_the_text_means() {
        for text in ["Q=0 N@f5 !k@g8", "castled=opposite (Q=1 | q=1) only", "material=KRPvKR P@7"] {
            let parts = Constraint::parts(text).unwrap();
            let parts: Vec<Constraint> = parts.into_iter().map(|part| part.constraint).collect();
            let again: Constraint = Constraint::All(parts).to_string().parse().unwrap();
            let whole: Constraint = text.parse().unwrap();
            assert_eq!(again.to_string(), whole.to_string(), "{text}");
        }
    }
}
