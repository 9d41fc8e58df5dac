//! Conditions that begin with a man: counts, classes and squares.

use shakmaty::{Piece, Role};

use super::one_or;
use crate::{
    Atom, Class, Constraint, Count, Region, Square, Sum,
    atom::CONDITION,
    reader::{MAX_NUMBER, ParseError, Reader},
};

impl Reader {
    /// `count = piece ["-" piece] cmp`, `square = (piece | "-") "@" where`
    pub(super) fn of_a_man(&mut self) -> Result<Atom, ParseError> {
        if self.eat('-') {
            self.expect('@', "'@' and a square that must be empty")?;
            return Ok(Atom::Square(Square { man: None, region: Region::read(self)? }));
        }
        let Some(piece) = self.peek().and_then(Piece::from_char) else {
            let word = self.word();
            return Err(if word == "or" {
                self.error_at_word(CONDITION, &word, &[])
            } else {
                self.error(CONDITION)
            });
        };
        self.position += 1;
        if self.eat('@') {
            return Ok(Atom::Square(Square { man: Some(piece), region: Region::read(self)? }));
        }
        if piece.role == Role::King {
            return Err(self.error("'@' and the king's square; kings are not counted"));
        }
        let subtracts = self.eat('-');
        if subtracts && self.peek() == Some('[') {
            let minus = Some(self.class()?.into_iter().collect());
            let comparison = self.comparison(MAX_NUMBER.into(), " or >=")?;
            return Ok(Atom::Sum(Sum { class: Class::EMPTY.with(piece), minus, comparison }));
        }
        let minus =
            if subtracts { Some(self.counted("a piece letter: QRBNP or qrbnp, or '['")?) } else { None };
        let otherwise =
            if minus.is_some() { " or >=" } else { ", >=, '@' and a square, or '-' and a piece letter" };
        let named = [0, 1].map(|offset| self.characters.get(self.position + offset).copied());
        if let [Some(file @ 'a'..='h'), Some(rank @ '1'..='8')] = named {
            let suggestion = Some(format!("{}@{file}{rank}", piece.char()));
            let error = self.error_found("'@' before a square", &format!("'{file}{rank}'"));
            return Err(ParseError { suggestion, ..error });
        }
        let comparison = self.comparison(MAX_NUMBER.into(), otherwise)?;
        Ok(Atom::Count(Count { piece, minus, comparison }))
    }

    /// `sum = class ["-" (class | piece)] cmp`, or a class on a square.
    pub(super) fn of_a_class(&mut self) -> Result<Constraint, ParseError> {
        let start = self.position;
        let men = self.class()?;
        if self.eat('@') {
            let region = Region::read(self)?;
            let squares = men.iter().map(|man| Atom::Square(Square { man: Some(*man), region }).into());
            return Ok(one_or(squares.collect(), Constraint::Any));
        }
        if men.iter().any(|man| man.role == Role::King) {
            self.position = start;
            return Err(self.error("'@' and a square after a class with a king; kings are not counted"));
        }
        let minus = match self.eat('-') {
            true if self.peek() == Some('[') => Some(self.class()?.into_iter().collect()),
            true => Some(Class::EMPTY.with(self.counted("a piece letter: QRBNP or qrbnp, or '['")?)),
            false => None,
        };
        let comparison = self.comparison(MAX_NUMBER.into(), ", >=, '@' and a square, or '-' and men")?;
        Ok(Atom::Sum(Sum { class: men.into_iter().collect(), minus, comparison }).into())
    }

    /// `class = "[" piece { piece } "]"`
    fn class(&mut self) -> Result<Vec<Piece>, ParseError> {
        self.expect('[', "'['")?;
        let mut men: Vec<Piece> = Vec::new();
        while let Some(piece) = self.peek().and_then(Piece::from_char) {
            if men.contains(&piece) {
                return Err(self.error("each piece letter once, or ']'"));
            }
            men.push(piece);
            self.position += 1;
        }
        if men.is_empty() {
            return Err(self.error("piece letters: KQRBNP White, kqrbnp Black"));
        }
        self.expect(']', "another piece letter, or ']'")?;
        Ok(men)
    }

    fn counted(&mut self, expected: &str) -> Result<Piece, ParseError> {
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
}
