use std::{
    ops::{ControlFlow, Range},
    sync::atomic::{AtomicBool, Ordering},
};

use anyhow::bail;
use entente::parallel::in_order;
use entente_search::scorer::{EvaluationNetwork, NetworkScorer};
use shakmaty::{Chess, Position as _};

use super::{
    Questions, Study, Subject,
    questions::Finder,
    rows::{GameRow, squares_of},
    study::Openings,
    tally::{Band, Facts, add_game, expected},
};
use crate::{
    games::{
        GameStore, StoredGame,
        block::{BlockError, Ranks},
    },
    progress::ProgressObserver,
};

/// Games that met a constraint, each with the index of the constraint.
pub type Rows = Vec<(usize, GameRow)>;

/// For each thread, the number of blocks whose rows may wait in memory for an earlier block.
const BLOCKS_AHEAD: usize = 4;

/// A pass over blocks of a store.
pub struct Pass<'a> {
    /// The store.
    pub store: &'a GameStore,
    /// The blocks to read.
    pub blocks: Range<usize>,
    /// The constraints.
    pub questions: &'a Questions,
    /// Number of threads that read and count.
    pub threads: usize,
    /// Ends the pass when it is set.
    pub stop: &'a AtomicBool,
}

impl Pass<'_> {
    /// Counts the games that `subject` selects. `rows`, if given, gets the games that met constraints, block by block,
    /// in the order of the store.
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
        let worker = || Worker::new(self.questions, Study::new(subject.clone(), shard), rows.is_some());
        let mut workers: Vec<Worker<'_>> = (0..self.threads.max(1)).map(|_| worker()).collect();
        observer.begin("analysing", (self.blocks.len().max(1)) as u64, "blocks");
        let blocks = self.blocks.clone().take_while(|_| !self.stop.load(Ordering::Relaxed));
        let count = |worker: &mut Worker<'_>, block| -> anyhow::Result<Rows> {
            let add = &mut |game: &StoredGame, ranks: Ranks<'_>| worker.add(game, ranks).map(|()| Vec::new());
            self.store.read_block_by(block, add)?;
            observer.done(1);
            Ok(std::mem::take(&mut worker.rows))
        };
        let window = BLOCKS_AHEAD * workers.len();
        let outcome = in_order(blocks, &mut workers, window, count, |found| {
            rows.as_mut().map_or(Ok(()), |rows| rows(found))?;
            Ok(ControlFlow::Continue(()))
        });
        observer.end();
        outcome?;
        if self.stop.load(Ordering::Relaxed) {
            bail!("interrupted; nothing was written");
        }
        let mut study = Study::new(subject, shard);
        for worker in workers {
            study.merge(&worker.into_study());
        }
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
    fn new(questions: &'a Questions, study: Study, wants_rows: bool) -> Worker<'a> {
        Worker {
            finder: Finder::new(questions),
            scorer: NetworkScorer::new(EvaluationNetwork::embedded()),
            study,
            openings: Openings::default(),
            wants_rows,
            rows: Rows::new(),
        }
    }

    /// What this thread counted.
    fn into_study(self) -> Study {
        Study { openings: self.openings.into_names(), ..self.study }
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
            finder.after(m, mover, position, |question, ply| {
                study.tallies[question].add(&facts, ply, position, expected(scorer, position));
                if *wants_rows {
                    rows.push((question, row(game, ply, position)));
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
