use std::io;

use entente::records::{Sample, Statistics};
use shakmaty::Position as _;

use super::{
    Position, Selection, card,
    columns::{GROUP_ROWS, Table},
};
use crate::tournament::{Folder, Journal, Manifest, TournamentError};

/// Writes `positions.jsonl`, `positions.parquet` and the card, `README.md`. The positions are ordered by rating,
/// constraint and index.
///
/// # Errors
/// If the candidates cannot be read or contain an illegal game, or if a file cannot be written.
pub fn publish(
    folder: &Folder,
    manifest: &Manifest,
    journal: &Journal,
    selection: &Selection,
) -> Result<(), TournamentError> {
    let path = folder.file("positions.parquet");
    let wrong = |error| TournamentError::file(&path)(io::Error::other(error));
    let mut lines = folder.create("positions.jsonl")?;
    let mut table = Table::begin(folder.create("positions.parquet")?, GROUP_ROWS).map_err(wrong)?;
    let mut rows = Vec::new();
    for share in &selection.shares {
        let mut statistics = Statistics::default();
        journal.replay_these(share.kept.iter().copied(), |_, played| {
            let record = played.record;
            let replay = record.replay().map_err(|error| {
                let candidate = format!("candidate {} for {}", record.index, record.constraint);
                TournamentError::folder(folder.path(), format!("{candidate}: {error}"))
            })?;
            statistics.count(Sample::of(&record, replay.last.board()));
            let position = Position::new(record, &replay);
            lines.write(&position.line())?;
            table.write(&position).map_err(wrong)
        })?;
        rows.push(card::Row::new(share, &statistics));
    }
    // Both files are complete before the first gets its name.
    let table = table.finish().map_err(wrong)?;
    lines.finish()?;
    table.finish()?;
    folder.write("README.md", &card::card(manifest, selection, &rows))
}
