//! Numbers of variable length, written and read.

use super::BlockError;

/// Writes an unsigned LEB128 number.
pub(super) fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Small numbers of either sign to small unsigned ones.
pub(super) fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

/// The inverse of [`zigzag`].
pub(super) fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// What is left of the content.
pub(super) struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    /// The next bytes.
    pub(super) fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], BlockError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(BlockError::Ends(what))?;
        self.0 = rest;
        Ok(taken)
    }

    /// The next LEB128 number.
    pub(super) fn number(&mut self, what: &'static str) -> Result<u64, BlockError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1, what)?[0];
            // The tenth byte has room for one bit.
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

    /// The next number, at most `largest`.
    pub(super) fn bounded(&mut self, what: &'static str, largest: usize) -> Result<usize, BlockError> {
        let value = self.number(what)?;
        usize::try_from(value)
            .ok()
            .filter(|&value| value <= largest)
            .ok_or(BlockError::Value { column: what, value })
    }
}
