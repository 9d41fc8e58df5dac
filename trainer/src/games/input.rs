//! Opens a PGN file, plain or compressed, as a stream of text.

use std::{
    fs::File,
    io::{self, BufReader, Cursor, Read},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;

/// Counts the bytes read, for the progress bar.
struct Counting<R> {
    inner: R,
    count: Arc<AtomicU64>,
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

/// Opens a PGN file: plain text, zstd, gzip or bzip2, with any number of frames or members. The first bytes decide the
/// format, not the name. `count` grows by the number of bytes read from the file.
///
/// # Errors
///
/// If the file cannot be read, or its first bytes show another format.
pub fn open(path: &Path, count: Arc<AtomicU64>) -> io::Result<Box<dyn Read + Send>> {
    let mut file = Counting { inner: File::open(path)?, count };
    let mut magic = [0; 8];
    let mut known = 0;
    while known < magic.len() {
        match file.read(&mut magic[known..]) {
            Ok(0) => break,
            Ok(read) => known += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let start = &magic[..known];
    let whole = BufReader::with_capacity(1 << 18, Cursor::new(start.to_vec()).chain(file));
    if let Some((_, format)) = FOREIGN.iter().find(|(magic, _)| start.starts_with(magic)) {
        let message = format!("this is {format}, expected PGN text, plain or as .zst, .gz or .bz2");
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    Ok(if is_zstd(start) {
        let mut decoder = zstd::stream::read::Decoder::with_buffer(whole)?;
        decoder.window_log_max(WINDOW_LOG)?;
        Box::new(decoder)
    } else if start.starts_with(&[0x1f, 0x8b]) {
        Box::new(MultiGzDecoder::new(whole))
    } else if start.starts_with(b"BZh") {
        Box::new(MultiBzDecoder::new(whole))
    } else {
        Box::new(whole)
    })
}

/// True if both paths lead to the same file.
pub fn same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// The first bytes of formats that users may give by mistake.
const FOREIGN: [(&[u8], &str); 7] = [
    (b"PK\x03\x04", "a ZIP archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"\xfd7zXZ\0", "xz-compressed"),
    (b"Rar!", "a RAR archive"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
    (super::store::MAGIC, "a game store"),
];

/// True for a zstd frame, and for a skippable frame (0x184D2A50 to …5F), which parallel compressors write first.
fn is_zstd(start: &[u8]) -> bool {
    start.starts_with(&[0x28, 0xb5, 0x2f, 0xfd])
        || (start.len() >= 4 && start[0] & 0xf0 == 0x50 && start[1..4] == [0x2a, 0x4d, 0x18])
}
