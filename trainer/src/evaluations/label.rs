use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

use anyhow::anyhow;
use entente_search::{Game, Score};
use rand::{SeedableRng, rngs::ChaCha8Rng, seq::SliceRandom};
use shakmaty::{Color, Position};

use super::{Choice, Chooser, LabelledPosition, Labels};
use crate::{
    games::{Evaluation, GameStore, StoredGame},
    progress::ProgressObserver,
    valuer::{Judgement, Valuer},
};

/// Has an engine evaluate positions of games.
#[derive(Clone, Copy, Debug)]
pub struct Labelling<'a> {
    /// The games.
    pub store: &'a GameStore,
    /// Which of their positions are labelled.
    pub choice: Choice,
    /// The seed with which positions are drawn.
    pub seed: u64,
    /// The engine.
    pub judgement: &'a Judgement,
    /// The number of engines that run at the same time.
    pub threads: usize,
}

impl Labelling<'_> {
    /// The blocks of the store in the order of labelling. The order is random, so that the first blocks are
    /// representative of all.
    pub fn order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.store.block_count() as u32).collect();
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(self.seed));
        order
    }

    /// Adds blocks to `labels` until these have `positions` positions, there are no more games, or `stop` is set. The
    /// labels of a block depend only on the block, the choice, the seed and the engine.
    ///
    /// # Errors
    ///
    /// If an engine gives an invalid answer, or games cannot be read, or labels cannot be written. The labels of
    /// finished blocks are kept.
    pub fn run(
        &self,
        labels: &mut Labels,
        positions: usize,
        stop: &AtomicBool,
        observer: &dyn ProgressObserver,
    ) -> anyhow::Result<()> {
        let order: Vec<u32> = self.order().into_iter().filter(|block| !labels.has(*block)).collect();
        observer.begin("labelling", positions as u64, "positions");
        observer.done(labels.len() as u64);
        let (next, failed, labels) = (AtomicUsize::new(0), AtomicBool::new(false), Mutex::new(labels));
        let is_over = || stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
        let work = || -> anyhow::Result<()> {
            let mut worker = Worker { chooser: Chooser::new(self.choice), valuer: self.judgement.open()? };
            while let Some(block) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                if lock(&labels).len() >= positions {
                    break;
                }
                let games = self.store.read_block(*block as usize)?;
                let seed = self.seed << 32 | u64::from(*block);
                let Some(labelled) = worker.label(&games, seed, &is_over, observer)? else { break };
                lock(&labels).add(*block, labelled)?;
            }
            Ok(())
        };
        let worked = thread::scope(|scope| {
            let worker = || {
                // An error ends the work of all threads.
                let worked = work();
                failed.fetch_or(worked.is_err(), Ordering::Relaxed);
                worked
            };
            let workers: Vec<_> = (0..self.threads.max(1)).map(|_| scope.spawn(worker)).collect();
            let join = |worker: thread::ScopedJoinHandle<'_, _>| {
                worker.join().unwrap_or_else(|_| Err(anyhow!("a thread that labels positions panicked")))
            };
            workers.into_iter().map(join).collect::<Vec<anyhow::Result<()>>>()
        });
        observer.end();
        worked.into_iter().collect()
    }
}

fn lock<'a, T>(mutex: &'a Mutex<T>) -> std::sync::MutexGuard<'a, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The state of a thread.
struct Worker {
    chooser: Chooser,
    valuer: Box<dyn Valuer>,
}

impl Worker {
    /// The labelled positions of games; `None` if `is_over` becomes true before they are done.
    fn label(
        &mut self,
        games: &[StoredGame],
        seed: u64,
        is_over: &dyn Fn() -> bool,
        observer: &dyn ProgressObserver,
    ) -> anyhow::Result<Option<Vec<LabelledPosition>>> {
        let mut labelled = Vec::new();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // Clear the engine only once for all games: clearing takes milliseconds, and the games have little in common.
        self.valuer.begin()?;
        for game in games {
            if is_over() {
                return Ok(None);
            }
            let (split, before) = (game.split(), labelled.len());
            for chosen in self.chooser.positions(game, &mut rng) {
                let score = self.valuer.score(&Game::new(chosen.position.clone()))?;
                let (board, turn) = (chosen.position.board(), chosen.position.turn());
                let result = chosen.was_played.then_some(game.result);
                labelled.push(LabelledPosition::new(
                    board,
                    turn,
                    for_white(score, turn),
                    result,
                    split,
                    true,
                ));
            }
            observer.done((labelled.len() - before) as u64);
        }
        Ok(Some(labelled))
    }
}

/// Converts a score for the side to move to an evaluation for White.
fn for_white(score: Score, turn: Color) -> Evaluation {
    let bounded = |number: i32| number.clamp(-i32::from(i16::MAX), i32::from(i16::MAX)) as i16;
    match score {
        // The side to move is mated.
        Score::Mate(0) => Evaluation::Mate(0),
        Score::Mate(moves) => Evaluation::Mate(bounded(turn.fold_wb(moves, -moves))),
        Score::Centipawns(centipawns) => {
            Evaluation::Centipawns(bounded(turn.fold_wb(centipawns, -centipawns)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_converted_to_white() {
        use Color::{Black, White};
        for (score, turn, expected) in [
            (Score::Centipawns(31), White, Evaluation::Centipawns(31)),
            (Score::Centipawns(31), Black, Evaluation::Centipawns(-31)),
            (Score::Centipawns(-70_000), White, Evaluation::Centipawns(-i16::MAX)),
            (Score::Mate(3), Black, Evaluation::Mate(-3)),
            (Score::Mate(-2), Black, Evaluation::Mate(2)),
            (Score::Mate(0), Black, Evaluation::Mate(0)),
        ] {
            assert_eq!(for_white(score, turn), expected);
        }
    }
}
