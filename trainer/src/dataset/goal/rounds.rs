use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

use entente::encoding::goal_policy::RatingScale;
use rand::{Rng, RngExt, SeedableRng, rngs::ChaCha8Rng, seq::SliceRandom};

use super::{Archive, Sample, Sampler, Trace};

/// Samples of a game that is drawn.
pub const SAMPLES_A_GAME: usize = 12;
/// Games of a chunk, which one thread draws by itself.
const GAMES_A_CHUNK: usize = 64;
/// The width of a band of ratings.
const BAND: u16 = 200;

/// Draws games so that online and tournament games, and bands of ratings, are better balanced than the collection is.
#[derive(Debug)]
pub(super) struct Balance {
    /// Bands with the sum of the chances of all before and of this one.
    bands: Vec<(f64, Vec<u32>)>,
}

impl Balance {
    /// Online games together are drawn with chance `online`; within either kind a band with the square root of its
    /// number of games.
    pub fn new(archive: &Archive, online: f64) -> Balance {
        let mut bands: std::collections::BTreeMap<(bool, u16), Vec<u32>> = Default::default();
        for game in 0..archive.len() {
            let info = archive.info(game);
            if archive.game_plies(game) > 0 {
                let key = (info.scale == RatingScale::Online, info.mean_rating() / BAND);
                bands.entry(key).or_default().push(game as u32);
            }
        }
        let weight = |games: &[u32]| (games.len() as f64).sqrt();
        let total = |wanted: bool| -> f64 {
            bands.iter().filter(|((online, _), _)| *online == wanted).map(|(_, games)| weight(games)).sum()
        };
        let totals = [total(false), total(true)];
        let shares = if totals[0] == 0.0 || totals[1] == 0.0 { [1.0; 2] } else { [1.0 - online, online] };
        let mut sum = 0.0;
        let bands = bands
            .into_iter()
            .map(|((online, _), games)| {
                let kind = usize::from(online);
                sum += shares[kind] * weight(&games) / totals[kind];
                (sum, games)
            })
            .collect();
        Balance { bands }
    }

    fn draw(&self, rng: &mut impl Rng) -> usize {
        let number: f64 = rng.random();
        let band = self.bands.iter().find(|(sum, _)| number < *sum).or(self.bands.last());
        let (_, games) = band.expect("an archive is never empty");
        games[rng.random_range(0..games.len())] as usize
    }
}

/// An endless stream of samples in rounds, within which they are shuffled; drawn ahead in the background.
///
/// Seed and number determine a round, whatever the number of threads.
pub struct Rounds {
    receiver: mpsc::Receiver<Vec<Sample>>,
    stopped: Arc<AtomicBool>,
}

impl Rounds {
    /// The rounds from number `first` on, of at least `samples` samples each, drawn by `threads` threads.
    pub fn new(
        archive: Arc<Archive>,
        sampler: Sampler,
        online: f64,
        samples: usize,
        seed: u64,
        first: u64,
        threads: usize,
    ) -> Rounds {
        // One round waits while the next is drawn.
        let (sender, receiver) = mpsc::sync_channel(0);
        let stopped = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&stopped);
        thread::spawn(move || {
            let balance = Balance::new(&archive, online);
            for number in first.. {
                let round = draw_round(&archive, &sampler, &balance, samples, seed, number, threads, &stop);
                if stop.load(Ordering::Relaxed) || sender.send(round).is_err() {
                    return;
                }
            }
        });
        Rounds { receiver, stopped }
    }

    /// The next round.
    pub fn next_round(&mut self) -> Vec<Sample> {
        self.receiver.recv().expect("the drawing thread goes on until it is dropped")
    }
}

impl Drop for Rounds {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

#[allow(clippy::too_many_arguments)]
fn draw_round(
    archive: &Archive,
    sampler: &Sampler,
    balance: &Balance,
    samples: usize,
    seed: u64,
    number: u64,
    threads: usize,
    stop: &AtomicBool,
) -> Vec<Sample> {
    let chunks = samples.div_ceil(GAMES_A_CHUNK * SAMPLES_A_GAME).max(1);
    let next = AtomicUsize::new(0);
    let mut drawn: Vec<(usize, Vec<Sample>)> = thread::scope(|scope| {
        let draw = || {
            let mut drawn = Vec::new();
            loop {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                if chunk >= chunks || stop.load(Ordering::Relaxed) {
                    return drawn;
                }
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                rng.set_stream(number * chunks as u64 + chunk as u64 + 1);
                drawn.push((chunk, draw_chunk(archive, sampler, balance, &mut rng)));
            }
        };
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(draw)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    });
    drawn.sort_by_key(|(chunk, _)| *chunk);
    let mut round: Vec<Sample> = drawn.into_iter().flat_map(|(_, samples)| samples).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    round.shuffle(&mut rng);
    round
}

fn draw_chunk(archive: &Archive, sampler: &Sampler, balance: &Balance, rng: &mut ChaCha8Rng) -> Vec<Sample> {
    let mut samples = Vec::with_capacity(GAMES_A_CHUNK * SAMPLES_A_GAME);
    let mut game = balance.draw(rng);
    let mut trace = Trace::new(archive, game);
    for _ in 0..GAMES_A_CHUNK {
        let next = balance.draw(rng);
        let other = Trace::new(archive, next);
        for _ in 0..SAMPLES_A_GAME {
            let ply = sampler.draw_ply(trace.plies(), rng);
            samples.push(sampler.draw(archive.info(game), &trace, ply, &other, rng));
        }
        (game, trace) = (next, other);
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::{super::GoalKind, *};
    use crate::dataset::goal::tests::archive;

    fn round(threads: usize, first: u64) -> Vec<Sample> {
        let archive = Arc::new(archive(40));
        Rounds::new(archive, Sampler::default(), 0.5, 3000, 7, first, threads).next_round()
    }

    #[test]
    fn a_round_depends_on_seed_and_number_alone() {
        let text = |samples: Vec<Sample>| -> Vec<String> {
            samples.iter().map(|sample| format!("{sample:?}")).collect()
        };
        let one = text(round(1, 3));
        assert!(one.len() >= 3000);
        assert_eq!(one, text(round(3, 3)));
        assert_ne!(one, text(round(1, 4)));
    }

    #[test]
    fn kinds_and_sources_have_about_their_shares() {
        let samples = round(2, 0);
        let share = |is_it: &dyn Fn(&Sample) -> bool| {
            samples.iter().filter(|sample| is_it(sample)).count() as f64 / samples.len() as f64
        };
        let online = share(&|sample| sample.game.scale == RatingScale::Online);
        assert!((online - 0.5).abs() < 0.15, "{online}: only a quarter of the games is");
        // A goal that cannot be drawn leaves a sample without one.
        let plain = share(&|sample| sample.kind == GoalKind::Plain);
        assert!(plain > 0.2, "{plain}");
        for kind in [GoalKind::Hindsight, GoalKind::Foreign, GoalKind::Perturbed] {
            assert!(share(&|sample| sample.kind == kind) > 0.02, "{kind:?}");
        }
    }
}
