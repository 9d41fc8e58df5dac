//! Numbers, ranges and comparisons.

use std::fmt::Display;

use super::{ParseError, Reader};
use crate::{Comparison, IntegerRange};

impl Reader {
    /// `cmp = ("=" | "!=") range | ("<" | "<=" | ">" | ">=") int`, with numbers up to `most`. If no operator is next,
    /// the error lists the operators, and `otherwise` ends the list.
    pub(crate) fn comparison<T: TryFrom<i32> + Copy + Ord + Display>(
        &mut self,
        most: i32,
        otherwise: &str,
    ) -> Result<Comparison<T>, ParseError> {
        Ok(if self.eat_word("!=") {
            Comparison::NotIn(self.range(most)?)
        } else if self.eat_word("<=") {
            Comparison::AtMost(self.integer(most)?)
        } else if self.eat_word(">=") {
            Comparison::AtLeast(self.integer(most)?)
        } else if self.eat('=') {
            Comparison::In(self.range(most)?)
        } else if self.eat('<') {
            Comparison::Less(self.integer(most)?)
        } else if self.eat('>') {
            Comparison::Greater(self.integer(most)?)
        } else {
            return Err(self.error(&format!("=, !=, <, <=, >{otherwise}")));
        })
    }

    /// `range = int [ ".." int ]`, the lower number first.
    pub(crate) fn range<T: TryFrom<i32> + Copy + Ord + Display>(
        &mut self,
        most: i32,
    ) -> Result<IntegerRange<T>, ParseError> {
        let low = self.integer(most)?;
        if !self.eat_word("..") {
            return Ok(IntegerRange::exactly(low));
        }
        self.skip_space();
        let start = self.position;
        let high = self.integer(most)?;
        IntegerRange::new(low, high).ok_or_else(|| {
            self.position = start;
            let expected = format!("a number of at least {low}, the low end of the range");
            self.error_found(&expected, &high.to_string())
        })
    }

    fn integer<T: TryFrom<i32>>(&mut self, most: i32) -> Result<T, ParseError> {
        let negative = self.eat('-');
        let magnitude = self.natural("a number", most)?;
        let number = if negative { -magnitude } else { magnitude };
        Ok(T::try_from(number).unwrap_or_else(|_| unreachable!("{most} was chosen to fit")))
    }

    pub(crate) fn natural(&mut self, what: &str, most: i32) -> Result<i32, ParseError> {
        self.skip_space();
        let digits: String =
            self.characters[self.position..].iter().take_while(|c| c.is_ascii_digit()).collect();
        if digits.is_empty() {
            return Err(self.error(what));
        }
        match digits.parse::<i32>() {
            Ok(number) if number <= most => {
                self.position += digits.len();
                Ok(number)
            }
            _ => Err(self.error_found(&format!("{what}, at most {most}"), &digits)),
        }
    }
}
