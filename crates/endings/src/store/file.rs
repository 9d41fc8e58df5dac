//! The file of a table.
//!
//! | Bytes | What |
//! |---|---|
//! | 8 | `EntEnd` and the bytes 0x1a 0x0a |
//! | 4 | the version of the format |
//! | 16 | the name of the ending, padded with zeros |
//! | 8 | the length in bytes of all planes |
//! | 4 | the CRC-32 of everything after these four bytes |
//! | 4 | the number of chunks |
//! | 4 each | the compressed length of each chunk |
//! | | the chunks, each a Zstandard frame |
//!
//! Numbers have their least significant byte first. The planes are those of the slices in order: with the stronger
//! side to move its wins, then its losses; then the same for the other side. A chunk has whole pairs of planes, and
//! the least number of them that makes [`CHUNK`] bytes.

use std::{
    num::NonZero,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use crate::{layout::Layout, material::Material, table::Table};

const MAGIC: [u8; 8] = *b"EntEnd\x1a\x0a";
/// Changes with the format, and with every change of what the bits of a table mean.
const VERSION: u32 = 1;
const NAME: usize = 16;
/// Where the checksum is.
const CHECKSUM: usize = 8 + 4 + NAME + 8;
const HEADER: usize = CHECKSUM + 4 + 4;
/// The least length of a chunk but the last, before compression.
const CHUNK: usize = 1 << 22;
const LEVEL: i32 = 6;

/// The planes of one slice with one side to move.
type Unit = (usize, usize);

/// The bytes of a file.
pub(crate) fn encode(table: &Table, threads: NonZero<usize>) -> std::io::Result<Vec<u8>> {
    let chunks = chunks(&table.layout);
    let compressed = on_threads(&chunks, threads, |units| {
        let mut planes = Vec::with_capacity(units.len() * unit_bytes(&table.layout));
        for &(slice, turn) in units {
            let pairs = &table.slices[slice][turn];
            for plane in 0..2 {
                planes.extend(pairs.iter().skip(plane).step_by(2).flat_map(|word| word.to_le_bytes()));
            }
        }
        zstd::bulk::compress(&planes, LEVEL)
    });
    let compressed = compressed.into_iter().collect::<std::io::Result<Vec<_>>>()?;

    let mut name = [0; NAME];
    let text = table.layout.material.to_string();
    name[..text.len()].copy_from_slice(text.as_bytes());
    let mut bytes = Vec::from(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(name);
    bytes.extend((table.layout.bytes() as u64).to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend((compressed.len() as u32).to_le_bytes());
    bytes.extend(compressed.iter().flat_map(|chunk| (chunk.len() as u32).to_le_bytes()));
    compressed.iter().for_each(|chunk| bytes.extend(chunk));
    let checksum = crc32fast::hash(&bytes[CHECKSUM + 4..]);
    bytes[CHECKSUM..CHECKSUM + 4].copy_from_slice(&checksum.to_le_bytes());
    Ok(bytes)
}

/// Checks that the bytes are the whole file of an ending, and returns its chunks.
///
/// # Errors
///
/// A text that says what is wrong.
pub(crate) fn check<'a>(layout: &Layout, bytes: &'a [u8]) -> Result<Vec<&'a [u8]>, String> {
    let number = |at: usize| bytes[at..at + 4].try_into().map_or(0, u32::from_le_bytes);
    if bytes.len() < HEADER || bytes[..8] != MAGIC {
        return Err("this is not a table of an ending; expected a file that begins with EntEnd".to_string());
    }
    if number(8) != VERSION {
        return Err(format!("this table has version {} of the format; expected {VERSION}", number(8)));
    }
    let name = String::from_utf8_lossy(&bytes[12..12 + NAME]);
    let name = name.trim_end_matches('\0');
    if name != layout.material.to_string() {
        return Err(format!("this is the table of {name:?}; expected that of {}", layout.material));
    }
    let length = bytes[CHECKSUM - 8..CHECKSUM].try_into().map_or(0, u64::from_le_bytes);
    if length != layout.bytes() as u64 {
        return Err(format!("the table has {length} bytes before compression; expected {}", layout.bytes()));
    }
    if crc32fast::hash(&bytes[CHECKSUM + 4..]) != number(CHECKSUM) {
        return Err("the checksum does not match: the file is damaged or incomplete".to_string());
    }
    let count = number(HEADER - 4) as usize;
    let mut at = HEADER + 4 * count;
    let lengths = (0..count).map(|chunk| {
        let length = HEADER + 4 * chunk;
        bytes.get(length..length + 4)?.try_into().ok().map(|bytes| u32::from_le_bytes(bytes) as usize)
    });
    let chunks = lengths.map(|length| {
        let chunk = bytes.get(at..at + length?)?;
        at += chunk.len();
        Some(chunk)
    });
    let found = chunks.collect::<Option<Vec<_>>>();
    let found = found.filter(|found| found.len() == self::chunks(layout).len() && at == bytes.len());
    found.ok_or_else(|| "the lengths of the chunks do not match the length of the file".to_string())
}

/// The table of an ending from the bytes of its file, with those sides to move that are wanted.
///
/// # Errors
///
/// A text that says what is wrong with the bytes.
pub(crate) fn decode(
    material: Material,
    bytes: &[u8],
    turns: [bool; 2],
    threads: NonZero<usize>,
) -> Result<Table, String> {
    let layout = Layout::new(material);
    let compressed = check(&layout, bytes)?;
    let work: Vec<_> = chunks(&layout).into_iter().zip(compressed).collect();
    let unit = unit_bytes(&layout);
    let planes = on_threads(&work, threads, |(units, compressed)| {
        let (length, half) = (units.len() * unit, unit / 2);
        if units.iter().all(|&(_, turn)| !turns[turn]) {
            return Ok(vec![Box::default(); units.len()]);
        }
        let planes =
            zstd::bulk::decompress(compressed, length).map_err(|error| format!("a chunk: {error}"))?;
        if planes.len() != length {
            return Err(format!("a chunk has {} bytes; expected {length}", planes.len()));
        }
        let parts = units.iter().zip(planes.chunks_exact(unit)).map(|(&(_, turn), planes)| {
            if turns[turn] { interleave(&planes[..half], &planes[half..]) } else { Box::default() }
        });
        Ok(parts.collect::<Vec<_>>())
    });
    let mut units = planes.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten();
    let mut slices = Vec::with_capacity(layout.pawns.len());
    while let (Some(first), Some(second)) = (units.next(), units.next()) {
        slices.push([first, second]);
    }
    Ok(Table { layout, slices })
}

/// Words of wins and losses in turn.
fn interleave(wins: &[u8], losses: &[u8]) -> Box<[u64]> {
    let words = |plane: &[u8]| -> Vec<u64> {
        plane.chunks_exact(8).map(|bytes| bytes.try_into().map_or(0, u64::from_le_bytes)).collect()
    };
    words(wins).into_iter().zip(words(losses)).flat_map(|(win, loss)| [win, loss]).collect()
}

fn unit_bytes(layout: &Layout) -> usize {
    2 * size_of::<u64>() * layout.words()
}

fn chunks(layout: &Layout) -> Vec<Vec<Unit>> {
    let units: Vec<Unit> = (0..layout.pawns.len()).flat_map(|slice| [(slice, 0), (slice, 1)]).collect();
    units.chunks(CHUNK.div_ceil(unit_bytes(layout))).map(<[Unit]>::to_vec).collect()
}

/// Does the work on several threads, and returns the results in the order of the items.
fn on_threads<T: Sync, R: Send>(
    items: &[T],
    threads: NonZero<usize>,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let take = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return };
            let result = work(item);
            results.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((index, result));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get().min(items.len()) {
            scope.spawn(take);
        }
        take();
    });
    let mut results = results.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    results.sort_unstable_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}
