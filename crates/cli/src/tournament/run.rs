//! Plays games on several threads and records them in a folder.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use entente::{
    generation::{Generation, GenerationError, Generator},
    records::Record,
};

use super::{
    Game, Pairing, Schedule, TournamentError,
    journal::{Journal, Played},
};

/// The progress of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TournamentProgress {
    /// The number of games to play here.
    pub games: u64,
    /// The number of games played.
    pub done: u64,
    /// The number of these games that were found.
    pub satisfied: u64,
}

/// The number of games per thread that may wait to be written.
const WAITING: usize = 4;

/// How long running games may still take after a stop: well within the half minute that schedulers grant.
const GRACE: Duration = Duration::from_secs(5);
/// How often a stop is checked for.
const NOTICED: Duration = Duration::from_millis(50);

/// Plays the games that `journal` lacks, and records each one as soon as it is finished. Returns early if `stop` is
/// set: then no more games are begun, and running games are finished within `GRACE` or dropped.
///
/// # Errors
/// [`TournamentError::Generation`] if a network cannot be run, [`TournamentError::File`] if results cannot be written.
/// Games recorded before are kept.
pub fn run(
    schedule: Schedule,
    pairings: &[Pairing],
    journal: &mut Journal,
    threads: usize,
    stop: &AtomicBool,
    mut progress: impl FnMut(TournamentProgress),
) -> Result<(), TournamentError> {
    let is_done: Vec<bool> = schedule.ordinals().map(|ordinal| journal.is_done(ordinal)).collect();
    let missing = schedule.ordinals().zip(is_done).filter(|(_, is_done)| !is_done);
    play(missing.map(|(ordinal, _)| schedule.game(ordinal)), pairings, journal, threads, stop, |journal| {
        progress(TournamentProgress {
            games: schedule.here(),
            done: journal.done,
            satisfied: journal.satisfied,
        });
    })
}

/// Plays `games`, and records each one as soon as it is finished. `advance` is called at the beginning and after each
/// game. Returns early if `stop` is set, as [`run`] does.
///
/// # Errors
/// The same as [`run`].
pub(crate) fn play(
    games: impl Iterator<Item = Game> + Send,
    pairings: &[Pairing],
    journal: &mut Journal,
    threads: usize,
    stop: &AtomicBool,
    mut advance: impl FnMut(&Journal),
) -> Result<(), TournamentError> {
    let mut appender = journal.appender()?;
    let games = Mutex::new(games);
    let (failed, cut) = (AtomicBool::new(false), AtomicBool::new(false));
    advance(journal);
    thread::scope(|scope| {
        let (_ended, end) = mpsc::channel();
        let cut = &cut;
        scope.spawn(move || cut_when_late(stop, &end, cut));
        let (sender, receiver) = mpsc::sync_channel(threads * WAITING);
        for _ in 0..threads.max(1) {
            let (sender, games, failed) = (sender.clone(), &games, &failed);
            scope.spawn(move || {
                let mut player = GamePlayer { pairings, current: None };
                while !failed.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
                    let next = games.lock().expect("no thread panics with the lock held").next();
                    let Some(game) = next else { break };
                    let played = player.play(game, cut);
                    // A game that was cut short is not a result of the plan.
                    if cut.load(Ordering::Relaxed) || sender.send((game.ordinal, played)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut result = Ok(());
        for (ordinal, played) in receiver {
            // After a failed write, the file may end in half a line.
            if result.is_ok() {
                result = played.and_then(|(played, seconds)| {
                    journal.append(&mut appender, ordinal, &played, Some(seconds))
                });
                failed.fetch_or(result.is_err(), Ordering::Relaxed);
                advance(journal);
            }
        }
        result
    })?;
    appender.finish()
}

/// Sets `cut` when `stop` has been set for `GRACE`. Ends when all senders of `end` are dropped.
fn cut_when_late(stop: &AtomicBool, end: &Receiver<()>, cut: &AtomicBool) {
    let goes_on = |time| end.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
    while !stop.load(Ordering::Relaxed) {
        if !goes_on(NOTICED) {
            return;
        }
    }
    if goes_on(GRACE) {
        cut.store(true, Ordering::Relaxed);
    }
}

/// Generates games one after another. It keeps the generator of a pairing until it plays another pairing.
struct GamePlayer<'a> {
    pairings: &'a [Pairing],
    current: Option<(u64, Generator)>,
}

impl GamePlayer<'_> {
    /// Generates a game and measures the time in seconds.
    fn play(&mut self, game: Game, stop: &AtomicBool) -> Result<(Played, f32), TournamentError> {
        let pairing = &self.pairings[game.pairing as usize];
        let generation = self.generate(game, stop).map_err(|error| TournamentError::Generation {
            entrant: pairing.entrant.clone(),
            constraint: pairing.context.constraint.clone(),
            error,
        })?;
        let record = Record::new(&pairing.context, &generation);
        Ok((Played { entrant: pairing.entrant.clone(), record }, generation.time.as_secs_f32()))
    }

    fn generate(&mut self, game: Game, stop: &AtomicBool) -> Result<Generation, GenerationError> {
        let generator = match self.current.take() {
            Some((pairing, generator)) if pairing == game.pairing => generator,
            _ => self.pairings[game.pairing as usize].generator()?,
        };
        let (_, generator) = self.current.insert((game.pairing, generator));
        generator.generate(game.index, stop)
    }
}
