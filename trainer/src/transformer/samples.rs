//! Samples for the transformer: a stretch of a game's moves, the board after it, and the next move.

use std::sync::Arc;

use entente_network::{
    Query,
    encoding::{
        goal_policy::{Aim, Context, last_moves},
        transformer::{RIGHTS, SQUARES, encode, vocabulary},
    },
};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Move};
use tch::{Device, Tensor};

use crate::samples::{
    Permutation,
    goal::{Archive, GameInfo},
};

/// A position of a game, the moves that led to it, and the next one.
#[derive(Clone, Debug)]
pub struct MoveSample {
    /// The position.
    pub position: Chess,
    /// The moves before it, or the last ones of these.
    pub played: Vec<Move>,
    /// The move that was played.
    pub next: Move,
    /// The number of plies before it, including those that `played` leaves out.
    pub ply: usize,
    /// Information about the game.
    pub game: GameInfo,
}

impl MoveSample {
    /// The query for a network; `legal` are the legal moves. It has the players' ratings but no clocks.
    pub fn query<'a>(&'a self, legal: &'a [Move]) -> Query<'a> {
        let known = |rating: u16| Some(rating).filter(|rating| *rating > 0);
        let context = Context {
            ratings: self.game.ratings.map(known),
            scale: known(self.game.ratings[0]).map(|_| self.game.scale),
            ply: self.ply as u32,
            last_moves: last_moves(&self.played),
            ..Context::default()
        };
        Query { position: &self.position, moves: legal, played: &self.played, context, aim: &Aim::NONE }
    }

    /// The index of the move that was played among the `legal` moves.
    ///
    /// # Panics
    ///
    /// If it is not among them.
    pub fn place_of_next(&self, legal: &[Move]) -> usize {
        legal.iter().position(|m| *m == self.next).expect("games are legal")
    }
}

/// How many stretches are drawn from a game in each epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stretches {
    /// From the first move to a random point.
    pub from_start: u64,
    /// From a random point to the last move.
    pub to_end: u64,
    /// Between two random points.
    pub random: u64,
}

impl Stretches {
    /// The number of all stretches.
    pub fn total(self) -> u64 {
        self.from_start + self.to_end + self.random
    }
}

/// All samples of a run. A sample is determined by its number alone, so an interrupted run continues exactly where it
/// stopped.
#[derive(Clone, Debug)]
pub struct Stretching {
    archive: Arc<Archive>,
    /// The indices of the games with at least one move.
    games: Arc<Vec<usize>>,
    stretches: Stretches,
    seed: u64,
}

impl Stretching {
    /// The samples of `archive`; `None` if its games have no moves.
    pub fn new(archive: Arc<Archive>, stretches: Stretches, seed: u64) -> Option<Stretching> {
        let games: Vec<usize> = (0..archive.len()).filter(|game| archive.game_plies(*game) > 0).collect();
        (!games.is_empty()).then(|| Stretching { archive, games: Arc::new(games), stretches, seed })
    }

    /// The number of samples in an epoch, which visits each game once.
    pub fn epoch(&self) -> u64 {
        self.games.len() as u64 * self.stretches.total()
    }

    /// The `count` samples from number `first` on. Every epoch has the games in a different order.
    pub fn samples(&self, first: u64, count: u64) -> Vec<MoveSample> {
        let total = self.stretches.total();
        let mut samples = Vec::new();
        let mut number = first;
        while number < first + count {
            let visit = number / total;
            let until = ((visit + 1) * total).min(first + count);
            self.of_visit(visit, number % total..number % total + (until - number), &mut samples);
            number = until;
        }
        samples
    }

    /// Appends the samples with these numbers from a visit to a game.
    fn of_visit(&self, visit: u64, numbers: std::ops::Range<u64>, samples: &mut Vec<MoveSample>) {
        let length = self.games.len() as u64;
        let order = Permutation::new(length, self.seed ^ (visit / length) << 32);
        let game = self.games[order.at(visit % length) as usize];
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(visit);
        let plies = self.archive.game_plies(game);
        let replayed: Vec<(Chess, Move)> = self.archive.replay(game).collect();
        let Stretches { from_start, to_end, .. } = self.stretches;
        for number in 0..numbers.end {
            let ply = rng.random_range(0..plies);
            let begin = rng.random_range(0..=ply);
            let (begin, ply) = match number {
                number if number < from_start => (0, ply),
                number if number < from_start + to_end => (ply, plies - 1),
                _ => (begin, ply),
            };
            if number >= numbers.start {
                samples.push(sample(&replayed, begin, ply, *self.archive.info(game)));
            }
        }
    }
}

/// The sample whose next move comes after `ply` plies, with the moves from `begin` on.
pub fn sample(replayed: &[(Chess, Move)], begin: usize, ply: usize, game: GameInfo) -> MoveSample {
    let (position, next) = replayed[ply].clone();
    let played = replayed[begin..ply].iter().map(|(_, m)| *m).collect();
    MoveSample { position, played, next, ply, game }
}

/// The number of a move in the vocabulary.
pub fn index(m: Move) -> usize {
    usize::from(vocabulary().index(m).expect("all moves of standard chess"))
}

/// The inputs of a network that sees the last `moves` moves, and the targets. Shapes: moves [batch, moves], squares
/// [batch, 64], rights [batch, 6], and the numbers of the moves that were played `[batch]`.
pub fn batch(samples: &[MoveSample], moves: usize, device: Device) -> ([Tensor; 3], Tensor) {
    let rows = samples.len();
    let mut inputs = [moves, SQUARES, RIGHTS].map(|length| vec![0.0f32; rows * length]);
    let [all_moves, all_squares, all_rights] = &mut inputs;
    let of_inputs =
        all_moves.chunks_mut(moves).zip(all_squares.chunks_mut(SQUARES)).zip(all_rights.chunks_mut(RIGHTS));
    for (sample, ((moves, squares), rights)) in samples.iter().zip(of_inputs) {
        encode(&sample.position, &sample.played, moves, squares, rights);
    }
    let next: Vec<i64> = samples.iter().map(|sample| index(sample.next) as i64).collect();
    let inputs = inputs.map(|numbers| Tensor::from_slice(&numbers).view([rows as i64, -1]).to_device(device));
    (inputs, Tensor::from_slice(&next).to_device(device))
}

#[cfg(test)]
mod tests {
    use entente_network::encoding::goal_policy::RatingScale;
    use shakmaty::Position as _;

    use super::*;
    use crate::samples::tests::random_game;

    #[test]
    fn samples_depend_only_on_their_number_and_each_epoch_has_each_game_once() {
        let games: Vec<Vec<Move>> = (0..5).map(|seed| random_game(seed, 20 + seed as usize)).collect();
        let info = |number: usize| GameInfo::generated([1000 + number as u16, 1500], RatingScale::Fide);
        let archive = Archive::of(games.iter().enumerate().map(|(number, game)| (info(number), &game[..])));
        let stretches = Stretches { from_start: 2, to_end: 1, random: 1 };
        let all = Stretching::new(Arc::new(archive), stretches, 3).unwrap();
        assert_eq!(all.epoch(), 20);
        let whole = all.samples(0, 40);
        let parts: Vec<MoveSample> = [(0, 3), (3, 10), (13, 27)]
            .into_iter()
            .flat_map(|(first, count)| all.samples(first, count))
            .collect();
        let keys = |samples: &[MoveSample]| -> Vec<String> {
            samples.iter().map(|sample| format!("{sample:?}")).collect()
        };
        assert_eq!(keys(&whole), keys(&parts));
        for epoch in whole.chunks(20) {
            let mut ratings: Vec<u16> = epoch.chunks(4).map(|four| four[0].game.ratings[0]).collect();
            ratings.sort_unstable();
            assert_eq!(ratings, [1000, 1001, 1002, 1003, 1004]);
        }
        for (number, sample) in whole.iter().enumerate() {
            let game = &games[usize::from(sample.game.ratings[0]) - 1000];
            assert_eq!((sample.next, sample.position.is_legal(sample.next)), (game[sample.ply], true));
            assert!(game[..sample.ply].ends_with(&sample.played));
            match number % 4 {
                0 | 1 => assert_eq!(sample.played.len(), sample.ply),
                2 => assert_eq!(sample.ply, game.len() - 1),
                _ => (),
            }
        }
    }
}
