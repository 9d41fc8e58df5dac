use std::io::{self, Read};

/// Turns UTF-16 into UTF-8 as it is read. Text that is not valid becomes replacement characters.
pub(super) struct Utf16<R> {
    inner: R,
    is_big_endian: bool,
    /// The bytes of a unit, and a unit of a pair, that wait for the rest.
    byte: Option<u8>,
    unit: Option<u16>,
    ready: Vec<u8>,
    taken: usize,
}

impl<R: Read> Utf16<R> {
    pub(super) fn new(inner: R, is_big_endian: bool) -> Utf16<R> {
        Utf16 { inner, is_big_endian, byte: None, unit: None, ready: Vec::new(), taken: 0 }
    }

    /// Decodes what the next read gives; false at the end.
    fn fill(&mut self) -> io::Result<bool> {
        let mut bytes = [0; 1 << 14];
        let read = self.inner.read(&mut bytes)?;
        self.ready.clear();
        self.taken = 0;
        let mut units: Vec<u16> = self.unit.take().into_iter().collect();
        for &byte in &bytes[..read] {
            match self.byte.take() {
                None => self.byte = Some(byte),
                Some(first) if self.is_big_endian => units.push(u16::from_be_bytes([first, byte])),
                Some(first) => units.push(u16::from_le_bytes([first, byte])),
            }
        }
        // The first half of a pair waits for the second one.
        if read > 0 && units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) {
            self.unit = units.pop();
        }
        let mut buffer = [0; 4];
        for c in char::decode_utf16(units) {
            let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
            self.ready.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
        }
        Ok(read > 0)
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.ready.len() {
            if !self.fill()? && self.ready.is_empty() {
                return Ok(0);
            }
        }
        let rest = &self.ready[self.taken..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.taken += length;
        Ok(length)
    }
}
