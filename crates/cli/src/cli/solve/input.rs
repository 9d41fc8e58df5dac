//! The positions to solve: a FEN or EPD in each line, or a table of puzzles.

use std::{io::BufRead, io::BufReader, path::Path};

use anyhow::{Context as _, bail, ensure};
use entente_search::{fen_of_epd, position_from_fen};
use shakmaty::{Chess, Move, Position as _, uci::UciMove};

use crate::cli::input_file;

/// A position to solve.
#[derive(Debug)]
pub(in crate::cli) struct Entry {
    /// The position.
    pub position: Chess,
    /// The moves that solve it, if they are known.
    pub moves: Vec<Move>,
    /// The move that led to the position, if it is known.
    pub previous: Option<Move>,
}

/// The positions of a file, or of standard input for "-".
///
/// # Errors
/// If it cannot be read, or a line is neither a position nor a row of a table with the columns FEN and Moves.
pub(in crate::cli) fn read(path: &Path) -> anyhow::Result<Vec<Entry>> {
    let name = if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() };
    let (text, progress) = input_file::open(path).with_context(|| name.clone())?;
    let mut reader = BufReader::new(text);
    let start = reader.fill_buf().with_context(|| name.clone())?;
    let first = start.split(|byte| *byte == b'\n').next().unwrap_or_default().to_ascii_lowercase();
    let columns: Vec<&[u8]> = first.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).collect();
    let entries = match (place(&columns, b"fen"), place(&columns, b"moves")) {
        (Some(fen), Some(moves)) => of_table(reader, &name, (fen, moves)),
        _ => of_lines(reader, &name),
    };
    progress.finish_and_clear();
    let entries = entries?;
    ensure!(!entries.is_empty(), "{name}: expected positions, found none");
    Ok(entries)
}

/// The place of a column in the header; its name may be quoted.
fn place(columns: &[&[u8]], name: &[u8]) -> Option<usize> {
    columns.iter().position(|column| {
        let bare = column.strip_prefix(b"\"").and_then(|column| column.strip_suffix(b"\"")).unwrap_or(column);
        bare == name
    })
}

fn of_table(reader: impl BufRead, name: &str, (fen, moves): (usize, usize)) -> anyhow::Result<Vec<Entry>> {
    let mut table = csv::ReaderBuilder::new().flexible(true).from_reader(reader);
    let mut entries = Vec::new();
    for row in table.records() {
        let row = row.with_context(|| name.to_owned())?;
        let line = row.position().map_or(0, csv::Position::line);
        let field = |place: usize, what: &str| {
            row.get(place)
                .with_context(|| format!("{name}, line {line}: expected a column {what}, found the end"))
        };
        let before = position_from_fen(field(fen, "FEN")?)
            .with_context(|| format!("{name}, line {line}: expected the FEN of a legal position"))?;
        let mut moves = self::moves(&before, field(moves, "Moves")?)
            .with_context(|| format!("{name}, line {line}"))?
            .into_iter();
        let Some(previous) = moves.next() else {
            bail!("{name}, line {line}: expected the move that leads to the position, and the solution")
        };
        let mut position = before;
        position.play_unchecked(previous);
        let moves: Vec<Move> = moves.collect();
        ensure!(!moves.is_empty(), "{name}, line {line}: expected a solution after the first move");
        entries.push(Entry { position, moves, previous: Some(previous) });
    }
    Ok(entries)
}

fn of_lines(reader: impl BufRead, name: &str) -> anyhow::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for (text, line) in reader.lines().zip(1..) {
        let text = text.with_context(|| format!("{name}, line {line}"))?;
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let position = position_from_fen(&fen_of_epd(text))
            .with_context(|| format!("{name}, line {line}: expected a legal position in FEN or EPD"))?;
        entries.push(Entry { position, moves: Vec::new(), previous: None });
    }
    Ok(entries)
}

/// Legal moves in UCI notation from `start`, separated by spaces.
///
/// # Errors
/// If one of them is not a legal move.
pub(super) fn moves(start: &Chess, text: &str) -> anyhow::Result<Vec<Move>> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for word in text.split_ascii_whitespace() {
        let m = word.parse::<UciMove>().ok().and_then(|m| m.to_move(&position).ok());
        let m = m.with_context(|| {
            format!("move {}: expected a legal move such as e2e4, found {word:?}", moves.len() + 1)
        })?;
        position.play_unchecked(m);
        moves.push(m);
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_lists_of_positions_are_read() {
        let table = "PuzzleId,FEN,Moves,Rating\n1,rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2,d8h4,9\n";
        let error = of_table(table.as_bytes(), "t.csv", (1, 2)).unwrap_err();
        assert_eq!(error.to_string(), "t.csv, line 2: expected a solution after the first move");
        let table = "FEN,Moves\nrnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2,g2g4 d8h4\n";
        let entries = of_table(table.as_bytes(), "t.csv", (0, 1)).unwrap();
        assert_eq!((entries.len(), entries[0].moves.len(), entries[0].previous.is_some()), (1, 1, true));
        let table = table.replace("d8h4", "d8h5");
        let error = of_table(table.as_bytes(), "t.csv", (0, 1)).unwrap_err();
        assert!(format!("{error:#}").contains("line 2: move 2: expected a legal move"), "{error:#}");
        let lines = "\u{feff}# two\n8/8/8/8/8/4k3/4p3/4K3 w - -\n\n8/8/8/8/8/4k3/4p3/4K3 w - - id \"x\";\n";
        assert_eq!(of_lines(lines.as_bytes(), "l").unwrap().len(), 2);
        let error = of_lines("8/8 w\n".as_bytes(), "l").unwrap_err();
        assert!(error.to_string().starts_with("l, line 1: expected a legal position"), "{error}");
    }
}
