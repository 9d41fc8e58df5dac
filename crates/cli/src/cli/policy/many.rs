//! The moves of many positions: a row for each, in their order.

use std::{
    io::{self, Write as _},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use anyhow::{Context as _, ensure};
use entente::{
    generation::policy::{Asked, Inquiry},
    parallel::in_order,
    settings::choices,
    skill::Skilled,
};
use entente_constraint::counted;
use entente_network::PolicySession;

use super::{
    input::{Entries, Entry},
    row::{Predicted, Row, Table},
};
use crate::{
    cli::{FOUND, INTERRUPTED, interrupts, sink::Sink},
    whole_file::WholeFile,
};

choices! {
    /// The format of rows.
    Format {
        /// A table of one position for people
        Table = "table",
        /// JSON lines: one object per position
        Jsonl = "jsonl",
        /// Parquet, for DuckDB, pandas or Polars; needs --output
        Parquet = "parquet",
    }
}

/// Writes a row for each position of `entries` and returns the exit status.
///
/// # Errors
/// Wrong input, a network that cannot be run, and a file that cannot be written.
pub(super) fn write(
    entries: Entries,
    inquiry: &Inquiry<'_>,
    count: usize,
    threads: usize,
    format: Format,
    output: Option<&Path>,
) -> anyhow::Result<u8> {
    let begun = Instant::now();
    let stop = Arc::new(AtomicBool::new(false));
    let partial = interrupts::watch_file(Arc::clone(&stop))?;
    let mut sink = Rows::open(format, output, &partial)?;
    let mut batches = Batches { entries, is_over: false, stop: &stop };
    let mut workers: Vec<Skilled<PolicySession>> = (0..threads).map(|_| inquiry.session()).collect();
    let (mut positions, mut surprise) = (0, Mean::default());
    let mut is_closed = false;
    in_order(
        &mut batches,
        &mut workers,
        4 * threads,
        |session, batch: anyhow::Result<Vec<Entry>>| rows(inquiry, &batch?, session, count),
        |batch| {
            for row in batch {
                positions += 1;
                surprise.add(row.surprise());
                is_closed = !sink.write(row)?;
                if is_closed {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        },
    )?;
    let entries = batches.entries;
    entries.finish_progress();
    if is_closed {
        return Ok(FOUND);
    }
    let is_cut = stop.load(Ordering::Relaxed);
    if is_cut && positions == 0 {
        let _ = writeln!(io::stderr(), "stopped: no rows were written");
        return Ok(INTERRUPTED);
    }
    ensure!(positions > 0, "{}: expected positions or games with moves, found none", entries.name());
    sink.finish()?;
    let seconds = begun.elapsed().as_secs_f64();
    let cut = if is_cut { "stopped: " } else { "" };
    let mut summary = format!("{cut}{} in {seconds:.1} s", counted(positions, "position", "positions"));
    if let Some(mean) = surprise.mean() {
        summary += &format!(", mean surprise of the moves played {mean:.3} nats");
    }
    summary += &entries.left_out();
    let _ = writeln!(io::stderr(), "{summary}");
    Ok(if is_cut { INTERRUPTED } else { FOUND })
}

/// The rows of some positions, with at most `count` moves in each; 0: all.
fn rows(
    inquiry: &Inquiry<'_>,
    entries: &[Entry],
    session: &mut Skilled<PolicySession>,
    count: usize,
) -> anyhow::Result<Vec<Row>> {
    let asked = entries.iter().map(|entry| Asked { game: &entry.game, ratings: entry.ratings });
    let answers = inquiry.answer(&asked.collect::<Vec<_>>(), session)?;
    let predicted = Predicted { results: inquiry.policy.predicts_results(), goal: inquiry.predicts_goal() };
    let rows = entries.iter().zip(&answers).map(|(entry, answer)| Row::new(entry, answer, predicted, count));
    Ok(rows.collect())
}

/// The entries in groups of at least [`Inquiry::BATCH`], as long as there are as many, up to the first error.
struct Batches<'a> {
    entries: Entries,
    is_over: bool,
    /// Set by Ctrl-C.
    stop: &'a AtomicBool,
}

impl Iterator for Batches<'_> {
    type Item = anyhow::Result<Vec<Entry>>;

    fn next(&mut self) -> Option<anyhow::Result<Vec<Entry>>> {
        let mut batch = Vec::new();
        self.is_over |= self.stop.load(Ordering::Relaxed);
        while batch.len() < Inquiry::BATCH && !self.is_over {
            match self.entries.next() {
                Some(Ok(entries)) => batch.extend(entries),
                Some(Err(error)) => {
                    self.is_over = true;
                    return Some(Err(error));
                }
                None => self.is_over = true,
            }
        }
        (!batch.is_empty()).then_some(Ok(batch))
    }
}

/// A mean of numbers that may be missing.
#[derive(Default)]
struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    fn add(&mut self, number: Option<f32>) {
        if let Some(number) = number {
            self.sum += f64::from(number);
            self.count += 1;
        }
    }

    fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

/// The destination of the rows.
enum Rows {
    Lines(Sink),
    Table(Box<Table<WholeFile>>),
}

impl Rows {
    /// Opens the destination, and puts the name of its temporary file into `partial` if it has one.
    fn open(format: Format, output: Option<&Path>, partial: &OnceLock<PathBuf>) -> anyhow::Result<Rows> {
        if format != Format::Parquet {
            let sink = Sink::open(output)?;
            if let Some(path) = sink.partial() {
                partial.get_or_init(|| path.to_owned());
            }
            return Ok(Rows::Lines(sink));
        }
        let path = output.context("--format parquet: expected a file to write, --output FILE")?;
        let name = || format!("--output {}", path.display());
        let file = WholeFile::create(path).with_context(name)?;
        partial.get_or_init(|| file.partial().to_owned());
        Ok(Rows::Table(Box::new(Table::begin(file).with_context(name)?)))
    }

    /// Writes a row; false if the reader has closed the pipe.
    fn write(&mut self, row: Row) -> anyhow::Result<bool> {
        match self {
            Rows::Lines(sink) => {
                let line = serde_json::to_string(&row)? + "\n";
                match sink.write(line) {
                    Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(false),
                    written => written.context("cannot write the rows")?,
                }
            }
            Rows::Table(table) => table.write(row).context("cannot write the table")?,
        }
        Ok(true)
    }

    fn finish(self) -> anyhow::Result<()> {
        match self {
            Rows::Lines(sink) => sink.finish(),
            Rows::Table(table) => Ok(table.finish()?.finish()?),
        }
    }
}
