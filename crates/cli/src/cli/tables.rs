//! Tables of endings, for conditions, solutions and play that would otherwise be as good as a search.

use std::{
    io::{self, Write as _},
    num::NonZero,
    sync::atomic::AtomicBool,
};

use anyhow::Context as _;
use clap::Args;
use entente::{generation::Job, judge::endings::endings_of};
use entente_endings::{Endings, EndingsError, Material, Progress, Store, syzygy_folders};

use super::progress::ProgressLine;

/// Where tables of endings are.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct TableFlags {
    /// Folders with Syzygy endgame tablebases, separated by ':' (on Windows by ';')
    ///
    /// Without them, tables of the endings that a constraint asks for or that are on the board, of up to five men such as
    /// KRPvKR, are made when they are first needed, and kept in the user's cache.
    #[arg(long, value_name = "FOLDERS", display_order = 15, hide_short_help = true)]
    tables: Option<String>,
}

impl TableFlags {
    /// The folders as they were given.
    pub(super) fn given(&self) -> Option<&str> {
        self.tables.as_deref()
    }

    /// The tables, with those of the `wanted` endings, which are made if they are missing; that is shown on standard
    /// error. If they cannot be made, a note says why.
    ///
    /// # Errors
    /// If a folder of Syzygy tablebases cannot be read.
    pub(super) fn open(&self, wanted: &[Material]) -> anyhow::Result<Endings> {
        let folders = self.tables.as_deref().map(syzygy_folders).unwrap_or_default();
        let endings = Endings::new(&folders, Store::of_user()).context("--tables")?;
        for material in wanted {
            if let Err(error) = prepare(&endings, *material) {
                let _ = writeln!(io::stderr(), "note: without an exact table of {material}: {error}");
            }
        }
        Ok(endings)
    }

    /// Gives the jobs with judged conditions the tables, with those of the endings that they ask for. Returns the tables in
    /// words, or `None` if no conditions are judged.
    ///
    /// # Errors
    /// If a folder of Syzygy tablebases cannot be read.
    pub(super) fn give_to<'a>(
        &self,
        jobs: impl Iterator<Item = &'a mut Job>,
    ) -> anyhow::Result<Option<Vec<String>>> {
        let mut judged: Vec<&mut Job> = jobs.filter(|job| job.target.is_judged()).collect();
        if judged.is_empty() {
            return Ok(None);
        }
        let mut wanted: Vec<Material> = Vec::new();
        for job in &judged {
            for material in endings_of(&job.target, &job.root) {
                if !wanted.contains(&material) {
                    wanted.push(material);
                }
            }
        }
        let endings = self.open(&wanted)?;
        judged.iter_mut().for_each(|job| job.endings = Some(endings.clone()));
        let made = wanted.iter().filter(|material| endings.is_loaded(**material)).map(ToString::to_string);
        let syzygy = self.tables.iter().map(|_| format!("Syzygy up to {} men", endings.max_men()));
        Ok(Some(made.chain(syzygy).collect()))
    }
}

/// Loads the table of an ending, or makes it.
fn prepare(endings: &Endings, material: Material) -> Result<(), EndingsError> {
    let threads = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let line = ProgressLine::new(100, 0, "percent");
    let progress = |progress: Progress| {
        let done = (progress.complete as f64 + progress.part) / progress.total.max(1) as f64;
        line.set((100.0 * done) as u64, &format!("making the table of {}, once", progress.material));
    };
    let prepared = endings.prepare(material, threads, &progress, &AtomicBool::new(false));
    line.finish();
    for replaced in prepared?.replaced {
        let _ = writeln!(io::stderr(), "note: {replaced}; it was made again");
    }
    Ok(())
}
