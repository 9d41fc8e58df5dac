use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
};

use entente::parallel::{self, map_in_order};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::SliceRandom};

use super::{Archive, Sample, Sampler, Trace, balance::Balance};

/// Number of samples from each game that is drawn.
pub const SAMPLES_A_GAME: usize = 12;
/// Number of games in a chunk, which a single thread draws.
const GAMES_A_CHUNK: usize = 64;
/// Maximum number of plies tried for each sample from the policy's own games.
const TRIES: usize = 3;

/// The games from which samples are drawn.
#[derive(Clone, Debug)]
pub struct Source {
    /// Human games.
    pub archive: Arc<Archive>,
    /// The share of online games among them.
    pub online: f64,
    /// The number of games that one player's moves count as, at most; 0: no limit.
    pub player_games: u32,
    /// The policy's own games, and their share of the games drawn.
    pub own: Option<(Arc<Archive>, f64)>,
}

/// An endless stream of samples in rounds. Samples are shuffled within a round, and rounds are drawn ahead in the
/// background.
///
/// A round depends only on the seed and its number, and not on the number of threads.
pub struct Rounds {
    receiver: mpsc::Receiver<Vec<Sample>>,
    stopped: Arc<AtomicBool>,
}

impl Rounds {
    /// The rounds from number `first` on, with about `samples` samples each, drawn by `threads` threads.
    pub fn new(
        source: Source,
        sampler: Sampler,
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
            let balance = Balance::new(&source.archive, source.online, source.player_games);
            let draw = Draw { source, sampler, balance, samples, seed, threads, stop };
            for number in first.. {
                let round = draw.round(number);
                if draw.stop.load(Ordering::Relaxed) || sender.send(round).is_err() {
                    return;
                }
            }
        });
        Rounds { receiver, stopped }
    }

    /// The next round.
    pub fn next_round(&mut self) -> Vec<Sample> {
        self.receiver.recv().expect("the drawing thread runs until `Rounds` is dropped")
    }
}

impl Drop for Rounds {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

/// The state of the drawing thread.
struct Draw {
    source: Source,
    sampler: Sampler,
    balance: Balance,
    /// Minimum number of samples in a round.
    samples: usize,
    seed: u64,
    threads: usize,
    stop: Arc<AtomicBool>,
}

impl Draw {
    /// Draws the round with this number; an incomplete one if it is stopped.
    fn round(&self, number: u64) -> Vec<Sample> {
        let chunks = self.samples.div_ceil(GAMES_A_CHUNK * SAMPLES_A_GAME).max(1);
        let taken = (0..chunks).take_while(|_| !self.stop.load(Ordering::Relaxed));
        let Ok(drawn) = map_in_order(taken, &mut parallel::threads(self.threads), |(), chunk| {
            let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
            rng.set_stream(number * chunks as u64 + chunk as u64 + 1);
            Ok::<_, Infallible>(self.chunk(&mut rng))
        });
        let mut round: Vec<Sample> = drawn.into_iter().flatten().collect();
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        round.shuffle(&mut rng);
        round
    }

    fn chunk(&self, rng: &mut ChaCha8Rng) -> Vec<Sample> {
        let Draw { source: Source { archive, own, .. }, sampler, balance, .. } = self;
        let mut samples = Vec::with_capacity(GAMES_A_CHUNK * SAMPLES_A_GAME);
        let (mut game, mut shares) = balance.draw(rng);
        let mut trace = Trace::new(archive, game);
        for _ in 0..GAMES_A_CHUNK {
            if let Some((own, share)) = own
                && rng.random_bool(*share)
            {
                let game = rng.random_range(0..own.len());
                let trace = Trace::new(own, game);
                // If the goal already holds, there is no sample, and another ply is tried.
                let draws = (0..TRIES * SAMPLES_A_GAME).filter_map(|_| {
                    let ply = sampler.draw_ply(trace.plies(), [1.0; 2], rng);
                    sampler.draw_own(own.info(game), &trace, ply, rng)
                });
                samples.extend(draws.take(SAMPLES_A_GAME));
                continue;
            }
            let (next, next_shares) = balance.draw(rng);
            let other = Trace::new(archive, next);
            for _ in 0..SAMPLES_A_GAME {
                let ply = sampler.draw_ply(trace.plies(), shares, rng);
                samples.push(sampler.draw(archive.info(game), &trace, ply, &other, rng));
            }
            (game, shares, trace) = (next, next_shares, other);
        }
        samples
    }
}

#[cfg(test)]
mod tests {
    use entente_network::encoding::goal_policy::RatingScale;

    use super::{super::GoalKind, *};
    use crate::samples::goal::tests::archive;

    fn round(threads: usize, first: u64) -> Vec<Sample> {
        let source = Source { archive: Arc::new(archive(40)), online: 0.5, player_games: 0, own: None };
        Rounds::new(source, Sampler::default(), 3000, 7, first, threads).next_round()
    }

    #[test]
    fn a_round_depends_only_on_seed_and_number() {
        let text = |samples: Vec<Sample>| -> Vec<String> {
            samples.iter().map(|sample| format!("{sample:?}")).collect()
        };
        let one = text(round(1, 3));
        assert!(one.len() >= 3000);
        assert_eq!(one, text(round(3, 3)));
        assert_ne!(one, text(round(1, 4)));
    }

    #[test]
    fn own_games_have_their_share_and_teach_only_moves() {
        let archive = Arc::new(archive(40));
        let own = Some((Arc::clone(&archive), 0.5));
        let source = Source { archive, online: 0.5, player_games: 0, own };
        let samples = Rounds::new(source, Sampler::default(), 3000, 7, 0, 1).next_round();
        let own: Vec<&Sample> = samples.iter().filter(|sample| sample.result.is_none()).collect();
        let share = own.len() as f64 / samples.len() as f64;
        assert!((share - 0.5).abs() < 0.1, "{share}");
        for sample in own {
            assert!(sample.teaches_policy && sample.reached.is_none() && !sample.aim.is_none());
            assert!(sample.distance <= sample.context.plies_left, "{sample:?}");
        }
    }

    #[test]
    fn kinds_and_sources_have_about_their_shares() {
        let samples = round(2, 0);
        let share = |is_it: &dyn Fn(&Sample) -> bool| {
            samples.iter().filter(|sample| is_it(sample)).count() as f64 / samples.len() as f64
        };
        let online = share(&|sample| sample.game.scale == RatingScale::Online);
        assert!((online - 0.5).abs() < 0.15, "{online}, although only a quarter of the games are online");
        // If no goal can be drawn, the sample has none.
        let plain = share(&|sample| sample.kind == GoalKind::Plain);
        assert!(plain > 0.2, "{plain}");
        for kind in [GoalKind::Hindsight, GoalKind::Foreign, GoalKind::Perturbed] {
            assert!(share(&|sample| sample.kind == kind) > 0.02, "{kind:?}");
        }
    }
}
