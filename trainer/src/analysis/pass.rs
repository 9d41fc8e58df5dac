use std::{
    collections::BTreeMap,
    ops::Range,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::sync_channel,
    },
    thread,
};

use anyhow::bail;
use entente_search::scorer::{EvaluationNetwork, NetworkScorer};
use shakmaty::{Chess, Position as _};

use super::{
    Study, Subject, WantedConstraints,
    rows::{GameRow, squares_of},
    study::Openings,
    tally::{Band, Facts, add_game, expected},
    wanted_constraints::Finder,
};
use crate::{
    games::{
        GameStore, StoreError, StoredGame,
        block::{BlockError, Ranks},
    },
    progress::ProgressObserver,
};

/// Games that met a constraint, each with the index of the constraint.
pub type Rows = Vec<(usize, GameRow)>;

/// A pass over blocks of a store.
pub struct Pass<'a> {
    /// The store.
    pub store: &'a GameStore,
    /// The blocks to read.
    pub blocks: Range<usize>,
    /// The constraints.
    pub wanted: &'a WantedConstraints,
    /// Number of threads that read and count.
    pub threads: usize,
    /// Ends the pass when it is set.
    pub stop: &'a AtomicBool,
}

impl Pass<'_> {
    /// Counts the games that `subject` selects. `rows`, if given, gets the games that met constraints, block by block,
    /// in the order of the store. If a block is finished before an earlier one, its rows wait in memory.
    ///
    /// # Errors
    ///
    /// If a block cannot be read, `rows` returns an error, or the pass was stopped.
    pub fn run(
        &self,
        subject: Subject,
        shard: entente_cli::tournament::Shard,
        mut rows: Option<&mut dyn FnMut(Rows) -> anyhow::Result<()>>,
        observer: &dyn ProgressObserver,
    ) -> anyhow::Result<Study> {
        let wants_rows = rows.is_some();
        let next = AtomicUsize::new(self.blocks.start);
        let failed = AtomicBool::new(false);
        let parts: Mutex<Vec<Study>> = Mutex::default();
        let (sender, receiver) = sync_channel::<(usize, Rows)>(2 * self.threads);
        observer.begin("analysing", (self.blocks.len().max(1)) as u64, "blocks");
        let work = |sender: std::sync::mpsc::SyncSender<(usize, Rows)>| -> Result<(), StoreError> {
            let mut worker = Worker::new(self.wanted, Study::new(subject.clone(), shard), wants_rows);
            loop {
                let block = next.fetch_add(1, Ordering::Relaxed);
                let is_over = self.stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
                if block >= self.blocks.end || is_over {
                    break;
                }
                let add =
                    &mut |game: &StoredGame, ranks: Ranks<'_>| worker.add(game, ranks).map(|()| Vec::new());
                let read = self.store.read_block_by(block, add);
                read.inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
                observer.done(1);
                if wants_rows && sender.send((block, std::mem::take(&mut worker.rows))).is_err() {
                    break;
                }
            }
            let mut study = worker.study;
            study.openings = worker.openings.into_names();
            parts.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(study);
            Ok(())
        };
        let outcome = thread::scope(|scope| {
            let work = &work;
            let workers: Vec<_> = (0..self.threads.max(1))
                .map(|_| {
                    let sender = sender.clone();
                    scope.spawn(move || work(sender))
                })
                .collect();
            drop(sender);
            // Blocks arrive in any order and are written in the order of the store.
            let (mut early, mut due, mut written) = (BTreeMap::new(), self.blocks.start, Ok(()));
            for (block, some) in receiver {
                early.insert(block, some);
                while let Some(some) = early.remove(&due) {
                    due += 1;
                    if let (Some(rows), Ok(())) = (&mut rows, &written) {
                        written = rows(some);
                        failed.fetch_or(written.is_err(), Ordering::Relaxed);
                    }
                }
            }
            let read: Result<Vec<()>, StoreError> =
                workers.into_iter().map(|worker| worker.join().expect("no panic")).collect();
            read?;
            written
        });
        observer.end();
        outcome?;
        if self.stop.load(Ordering::Relaxed) {
            bail!("interrupted; nothing was written");
        }
        let mut study = Study::new(subject, shard);
        let parts = parts.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        parts.iter().for_each(|part| study.merge(part));
        Ok(study.in_order())
    }
}

/// The state of a counting thread.
pub(super) struct Worker<'a> {
    finder: Finder<'a>,
    scorer: NetworkScorer,
    study: Study,
    openings: Openings,
    wants_rows: bool,
    rows: Rows,
}

impl<'a> Worker<'a> {
    fn new(wanted: &'a WantedConstraints, study: Study, wants_rows: bool) -> Worker<'a> {
        Worker {
            finder: Finder::new(wanted),
            scorer: NetworkScorer::new(EvaluationNetwork::embedded()),
            study,
            openings: Openings::default(),
            wants_rows,
            rows: Rows::new(),
        }
    }

    /// Replays a game until no further constraint can be met.
    fn add(&mut self, game: &StoredGame, ranks: Ranks<'_>) -> Result<(), BlockError> {
        let ratings = [game.white_rating, game.black_rating];
        if !self.study.subject.selection.has(ratings, game.scale) {
            return Ok(());
        }
        let name = game.opening.as_ref().or(game.eco.as_ref());
        let facts = Facts {
            band: Band::of(ratings, game.scale),
            result: Some(game.result),
            opening: name.map(|name| self.openings.number(name)),
        };
        add_game(&mut self.study.games, &facts, ranks.len() as u32);
        let Worker { finder, scorer, study, rows, wants_rows, .. } = self;
        finder.begin();
        ranks.play(|m, mover, position| {
            finder.after(m, mover, position, |constraint, ply| {
                study.tallies[constraint].add(&facts, ply, position, expected(scorer, position));
                if *wants_rows {
                    rows.push((constraint, row(game, ply, position)));
                }
            })
        })
    }
}

/// A game as a row of a table.
fn row(game: &StoredGame, ply: u32, position: &Chess) -> GameRow {
    let text = |text: &Option<std::sync::Arc<str>>| text.as_deref().unwrap_or_default().to_owned();
    GameRow {
        result: Some(game.result),
        white_elo: Some(game.white_rating),
        black_elo: Some(game.black_rating),
        rating_scale: scale_name(game.scale).to_owned(),
        time_control: game
            .time_control
            .map_or_else(|| "-".to_owned(), |control| format!("{}+{}", control.base, control.increment)),
        eco: text(&game.eco),
        opening: text(&game.opening),
        satisfied_after: ply,
        squares: squares_of(position.board()),
    }
}

/// The name of a rating scale in tables.
pub(super) fn scale_name(scale: entente_network::encoding::goal_policy::RatingScale) -> &'static str {
    use entente_network::encoding::goal_policy::RatingScale;
    match scale {
        RatingScale::Online => "online",
        RatingScale::Fide => "fide",
        RatingScale::ChessCom => "chess.com",
    }
}
