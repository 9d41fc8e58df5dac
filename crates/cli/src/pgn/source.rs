//! Text from a file that may be compressed, or in UTF-16.

use std::{
    io::{self, BufReader, Cursor, Read},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;

use super::utf16::Utf16;

/// Counts the bytes read, for a progress bar.
pub struct Counting<R> {
    /// What is read.
    pub inner: R,
    /// Grows by the number of bytes.
    pub count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// Base-2 logarithm of the maximum window size of a zstd frame; `zstd --long=27` and `--ultra -22` write such windows.
const WINDOW_LOG: u32 = 27;

/// The number of bytes that tell what a file is. Further on, damaged text may have any byte.
const MAGIC_BYTES: usize = 8;

/// The text of a stream that is plain, or compressed with zstd, gzip or bzip2, with any number of frames or members.
/// The first bytes decide the format, not a name. UTF-16 becomes UTF-8.
///
/// # Errors
/// If it cannot be read, or its first bytes show that it is not text.
pub fn decoded(stream: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let (start, whole) = peeked(stream);
    if let Some((_, format)) = FOREIGN.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Err(refused(format));
    }
    let text: Box<dyn Read + Send> = if is_zstd(&start) {
        let mut decoder = zstd::stream::read::Decoder::with_buffer(BufReader::with_capacity(1 << 18, whole))?;
        decoder.window_log_max(WINDOW_LOG)?;
        Box::new(decoder)
    } else if start.starts_with(&[0x1f, 0x8b]) {
        Box::new(MultiGzDecoder::new(BufReader::with_capacity(1 << 18, whole)))
    } else if start.starts_with(b"BZh") {
        Box::new(MultiBzDecoder::new(BufReader::with_capacity(1 << 18, whole)))
    } else {
        return plain(&start, whole);
    };
    let (start, whole) = peeked(text);
    plain(&start, whole)
}

/// Fails once, and then ends.
struct Failed(Option<io::Error>);

impl Read for Failed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// The first bytes of a stream, and the whole stream. An error comes again when the stream is read up to it.
fn peeked(mut stream: impl Read + Send + 'static) -> (Vec<u8>, Box<dyn Read + Send>) {
    let mut start = vec![0; 512];
    let (mut known, mut failed) = (0, None);
    // Someone may be typing: more is read only while nothing tells what it is.
    while known < MAGIC_BYTES {
        match stream.read(&mut start[known..]) {
            Ok(0) => break,
            Ok(read) => known += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                failed = Some(error);
                break;
            }
        }
    }
    start.truncate(known);
    let whole: Box<dyn Read + Send> = match failed {
        Some(error) => Box::new(Cursor::new(start.clone()).chain(Failed(Some(error)))),
        None => Box::new(Cursor::new(start.clone()).chain(stream)),
    };
    (start, whole)
}

/// Text in UTF-8, an 8-bit encoding, or UTF-16.
fn plain(start: &[u8], whole: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let is_ascii = |byte: u8| byte == b'\n' || byte == b'\r' || byte == b'\t' || (b' '..0x7f).contains(&byte);
    match *start {
        [0xff, 0xfe, ..] => Ok(Box::new(Utf16::new(whole, false))),
        [0xfe, 0xff, ..] => Ok(Box::new(Utf16::new(whole, true))),
        [a, 0, b, 0, ..] if is_ascii(a) && is_ascii(b) => Ok(Box::new(Utf16::new(whole, false))),
        [0, a, 0, b, ..] if is_ascii(a) && is_ascii(b) => Ok(Box::new(Utf16::new(whole, true))),
        _ if start.iter().take(MAGIC_BYTES).any(|&byte| byte == 0) => Err(refused("binary data")),
        _ => Ok(whole),
    }
}

fn refused(format: &str) -> io::Error {
    let message = format!("this is {format}, expected text, plain or as .zst, .gz or .bz2");
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// The first bytes of formats that users may give by mistake.
const FOREIGN: [(&[u8], &str); 9] = [
    (b"PK\x03\x04", "a ZIP archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"\xfd7zXZ\0", "xz-compressed"),
    (b"Rar!", "a RAR archive"),
    (b"\x89EGS\r\n\x1a\n", "a game store"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format", "a database"),
    (b"\x7fELF", "a program"),
    (b"%PDF", "a PDF document"),
];

/// True for a zstd frame, and for a skippable frame (0x184D2A50 to …5F), which parallel compressors write first.
fn is_zstd(start: &[u8]) -> bool {
    start.starts_with(&[0x28, 0xb5, 0x2f, 0xfd])
        || (start.len() >= 4 && start[0] & 0xf0 == 0x50 && start[1..4] == [0x2a, 0x4d, 0x18])
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn read(bytes: Vec<u8>) -> io::Result<String> {
        let mut text = String::new();
        decoded(Cursor::new(bytes))?.read_to_string(&mut text)?;
        Ok(text)
    }

    const TEXT: &str = "[White \"Žofie\"]\n\n1. e4 {𝄞} e5 *\n";

    #[test]
    fn compressed_text_and_every_encoding_is_read() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(TEXT.as_bytes()).unwrap();
        let gzip = gzip.finish().unwrap();
        let mut bzip = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip.write_all(TEXT.as_bytes()).unwrap();
        let zstd = zstd::encode_all(TEXT.as_bytes(), 1).unwrap();
        let little: Vec<u8> = TEXT.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = TEXT.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let twice = [gzip.clone(), gzip.clone()].concat();
        for bytes in [TEXT.into(), gzip, bzip.finish().unwrap(), zstd, little.clone(), big.clone()] {
            assert_eq!(read(bytes).unwrap(), TEXT);
        }
        assert_eq!(read(twice).unwrap(), TEXT.repeat(2));
        assert_eq!(read([b"\xff\xfe".to_vec(), little].concat()).unwrap(), format!("\u{feff}{TEXT}"));
        assert_eq!(read([b"\xfe\xff".to_vec(), big].concat()).unwrap(), format!("\u{feff}{TEXT}"));
    }

    #[test]
    fn what_is_not_text_is_refused_by_its_name() {
        for (bytes, name) in [
            (b"PK\x03\x04abcdef".to_vec(), "a ZIP archive"),
            (b"\xfd7zXZ\0abc".to_vec(), "xz-compressed"),
            (b"\x01\x02\0\x03\0\0\0\0".to_vec(), "binary data"),
        ] {
            let error = read(bytes).unwrap_err().to_string();
            assert_eq!(error, format!("this is {name}, expected text, plain or as .zst, .gz or .bz2"));
        }
        assert!(read(b"\x1f\x8bnonsense and more of it".to_vec()).is_err());
    }
}
