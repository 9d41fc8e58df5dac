//! Conditions that begin with a man: counts, classes and squares.

use shakmaty::{Piece, Role};

use super::one_or;
use crate::{
    Atom, Class, Constraint, Count, Kinds, Selection, Square, Sum, Tally,
    atom::CONDITION,
    reader::{MAX_NUMBER, ParseError, Reader},
};

impl Reader {
    /// `count = piece ["-" piece] cmp`, `square = (piece | "-") "@" where`
    pub(super) fn of_a_man(&mut self) -> Result<Atom, ParseError> {
        if self.eat('-') {
            self.expect('@', "'@' and a square that must be empty")?;
            let set = Selection::read_place(self, Kinds::EMPTY_SQUARE)?;
            return self.placed(set).map(|mut atoms| atoms.remove(0));
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
        let kind: Kinds = [piece].into_iter().collect();
        if self.eat('@') {
            let set = Selection::read_place(self, kind)?;
            return self.placed(set).map(|mut atoms| atoms.remove(0));
        }
        if self.subtracts_set() {
            let tally = Tally::read_rest(self, Selection::Men(kind, None), true)?;
            return Ok(Atom::Tally(Box::new(tally)));
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
        let kinds = || men.iter().copied().collect::<Kinds>();
        if self.eat('@') {
            let set = Selection::read_place(self, kinds())?;
            let atoms = self.placed(set)?.into_iter().map(Constraint::Atom);
            return Ok(one_or(atoms.collect(), Constraint::Any));
        }
        if self.subtracts_set() {
            let tally = Tally::read_rest(self, Selection::Men(kinds(), None), true)?;
            return Ok(Atom::Tally(Box::new(tally)).into());
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

    /// The condition that begins with the men of `set` on certain squares: a number of them, or at least one. One of
    /// several kinds on a square is an alternative for each kind.
    fn placed(&mut self, set: Selection) -> Result<Vec<Atom>, ParseError> {
        match set {
            Selection::Men(kinds, Some(region)) if !self.compares() && !self.subtracts_next() => {
                let square = |man| Atom::Square(Square { man, region });
                Ok(match kinds {
                    Kinds::EMPTY_SQUARE => vec![square(None)],
                    _ => kinds.pieces().map(|man| square(Some(man))).collect(),
                })
            }
            set => Ok(vec![Atom::Tally(Box::new(Tally::read_rest(self, set, false)?))]),
        }
    }

    /// True if a minus sign before other men or another set is next.
    fn subtracts_next(&mut self) -> bool {
        let start = self.position;
        let subtracts = self.subtracts();
        self.position = start;
        subtracts
    }

    /// True if a minus sign is next, and after it a set that is not only kinds of men: `P-passed(P)=0`, `P-P@d=0`.
    fn subtracts_set(&mut self) -> bool {
        let start = self.position;
        let is_set = self.subtracts() && {
            self.word().len() > 2 || {
                let mut men = self.characters[self.position..].iter();
                let is_man =
                    |c: &char| c.is_whitespace() || "[]-".contains(*c) || Piece::from_char(*c).is_some();
                men.find(|c| !is_man(c)) == Some(&'@')
            }
        };
        self.position = start;
        is_set
    }

    /// `class = "[" piece { piece } "]"`
    pub(crate) fn class(&mut self) -> Result<Vec<Piece>, ParseError> {
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
