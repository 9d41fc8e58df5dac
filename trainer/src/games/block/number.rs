//! Writes and reads numbers of variable length.

use super::BlockError;

/// Appends an unsigned LEB128 number.
pub(super) fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Zigzag coding: maps numbers with a small absolute value to small unsigned numbers.
pub(super) fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

/// The inverse of [`zigzag`].
pub(super) fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// The rest of the content, which is not read yet.
pub(super) struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    /// Reads `count` bytes; `what` names the column in errors.
    pub(super) fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], BlockError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(BlockError::Ends(what))?;
        self.0 = rest;
        Ok(taken)
    }

    /// Reads an LEB128 number.
    pub(super) fn number(&mut self, what: &'static str) -> Result<u64, BlockError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1, what)?[0];
            // Only one bit of the tenth byte fits into 64 bits.
            if shift == 63 && byte > 1 {
                break;
            }
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(BlockError::Value { column: what, value: number })
    }

    /// Reads a number that must be at most `largest`.
    pub(super) fn bounded(&mut self, what: &'static str, largest: usize) -> Result<usize, BlockError> {
        let value = self.number(what)?;
        usize::try_from(value)
            .ok()
            .filter(|&value| value <= largest)
            .ok_or(BlockError::Value { column: what, value })
    }
}
