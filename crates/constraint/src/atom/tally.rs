//! The size of a set of men or squares: `P@d=1`, `isolated(P@d)`, `attacks(N, [qrk])>=2`.

use std::fmt::{self, Display, Formatter};

use shakmaty::{Bitboard, Board, Chess, Color, Position};

use super::{Atom, Condition};
use crate::{
    Comparison, Kinds, ParseError, Region, Selection, Situation,
    reader::{MAX_NUMBER, Reader},
};

/// A comparison of the number of men or squares in a set, or of the difference between two such numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tally {
    /// The set that is counted.
    pub set: Selection,
    /// The set whose number is subtracted, if any.
    pub minus: Option<Selection>,
    /// The comparison that the number must satisfy.
    pub comparison: Comparison,
}

impl Tally {
    /// At least one member of `set`.
    pub(crate) fn any(set: Selection) -> Tally {
        Tally { set, minus: None, comparison: Comparison::AtLeast(1) }
    }

    /// The number that is compared.
    pub fn number(&self, board: &Board) -> i8 {
        let size = |set: &Selection| set.squares(board).count() as i8;
        size(&self.set) - self.minus.as_ref().map_or(0, size)
    }

    /// True if the condition holds on `board`.
    pub fn holds_on(&self, board: &Board) -> bool {
        self.comparison.holds(self.number(board))
    }

    /// True if the condition says no more than that at least one man has a property, so that no comparison is written.
    fn is_plain(&self) -> bool {
        self.minus.is_none()
            && self.comparison == Comparison::AtLeast(1)
            && !matches!(self.set, Selection::Men(..))
    }

    /// `tally = set [ [ "-" set ] compare ]`, from the start of the set. Without a comparison, at least one member is
    /// required.
    pub(crate) fn read(reader: &mut Reader) -> Result<Tally, ParseError> {
        let set = Selection::read(reader)?;
        Tally::read_rest(reader, set, false)
    }

    /// The rest of a tally after its first set. If `must_compare`, a comparison must follow.
    pub(crate) fn read_rest(
        reader: &mut Reader,
        set: Selection,
        must_compare: bool,
    ) -> Result<Tally, ParseError> {
        let minus = if reader.subtracts() { Some(Selection::read(reader)?) } else { None };
        if minus.is_none() && !must_compare && !reader.compares() {
            return Ok(Tally::any(set));
        }
        let otherwise = if minus.is_some() { " or >=" } else { ", >=, or '-' and another set" };
        let comparison = reader.comparison(MAX_NUMBER.into(), otherwise)?;
        Ok(Tally { set, minus, comparison })
    }
}

impl Reader {
    /// Skips a minus sign before other men or another set, if it is next. One before `@` begins the next condition.
    pub(crate) fn subtracts(&mut self) -> bool {
        let start = self.position;
        if self.eat('-') && self.peek() != Some('@') {
            return true;
        }
        self.position = start;
        false
    }

    /// True if a comparison is next.
    pub(crate) fn compares(&mut self) -> bool {
        match self.peek() {
            Some('=' | '<' | '>') => true,
            Some('!') => self.characters.get(self.position + 1) == Some(&'='),
            _ => false,
        }
    }
}

impl Condition for Tally {
    fn holds(&self, situation: Situation<'_>) -> bool {
        self.holds_on(situation.position.board())
    }

    fn in_words(&self) -> String {
        let comparison = self.comparison.in_words();
        match &self.minus {
            None => format!("the number of {} is {comparison}", self.set.in_words()),
            Some(minus) => format!(
                "the number of {} minus the number of {} is {comparison}",
                self.set.in_words(),
                minus.in_words()
            ),
        }
    }

    fn mirrored(&self) -> Atom {
        let (set, minus) = (self.set.mirrored(), self.minus.as_ref().map(Selection::mirrored));
        Atom::Tally(Box::new(Tally { set, minus, comparison: self.comparison }))
    }

    fn places_men(&self) -> bool {
        true
    }

    fn named_squares(&self, position: &Chess) -> Bitboard {
        let squares = self.set.squares(position.board());
        // Many framed empty squares would not help the reader.
        let is_too_large = self.set.kinds() == Kinds::EMPTY_SQUARE && squares.count() > 8;
        if is_too_large { Bitboard::EMPTY } else { squares }
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.set)?;
        if let Some(minus) = &self.minus {
            // `N@d-b` would be the files d to b.
            let is_file =
                matches!(self.set, Selection::Men(_, Some(Region::Files(first, last))) if first == last);
            let is_bishop = *minus == Selection::Men([Color::Black.bishop()].into_iter().collect(), None);
            write!(f, "{}{minus}", if is_file && is_bishop { " - " } else { "-" })?;
        }
        if self.is_plain() { Ok(()) } else { write!(f, "{}", self.comparison) }
    }
}
