use std::sync::Arc;

use entente_network::encoding::goal_policy::RatingScale;
use rand::{SeedableRng, rngs::ChaCha8Rng, seq::SliceRandom};

use crate::{
    games::TimeClass,
    samples::goal::{Archive, ReplayedGame, Sample, Shares},
};

/// Which positions are used.
#[derive(Clone, Debug)]
pub struct Bands {
    /// The ratings in the middle of the bands.
    pub ratings: Vec<u16>,
    /// The maximum distance of both ratings from the middle.
    pub width: u16,
    /// The scale of the ratings.
    pub scale: RatingScale,
    /// The number of plies before the first position of a game that is used.
    pub first_ply: usize,
    /// The number of positions after which no further game is drawn for a band.
    pub most: usize,
    /// Games of players with more games than this are left out; 0: no limit.
    pub player_games: u32,
}

/// The positions of a band, with the games from which they come.
#[derive(Clone, Debug)]
pub struct Positions {
    /// The rating in the middle of the band.
    pub rating: u16,
    /// The positions, with the moves before them.
    pub samples: Vec<Sample>,
    /// The number of each position's game.
    pub games: Vec<usize>,
}

/// Draws positions for each band: whole games, without bullet, in a random order, until there are enough positions.
pub fn draw(archive: &Arc<Archive>, bands: &Bands, seed: u64) -> Vec<Positions> {
    let shares = Shares::new(archive, bands.player_games);
    let mut order: Vec<usize> = (0..archive.len()).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    bands
        .ratings
        .iter()
        .map(|middle| {
            let mut positions = Positions { rating: *middle, samples: Vec::new(), games: Vec::new() };
            for game in &order {
                if positions.samples.len() >= bands.most {
                    break;
                }
                let info = archive.info(*game);
                let is_near = info.ratings.iter().all(|rating| rating.abs_diff(*middle) <= bands.width);
                let is_slow = !matches!(info.time_class, TimeClass::UltraBullet | TimeClass::Bullet);
                // Leave out players with very many games, who would dominate the sample.
                let is_rare = shares.of(*game).into_iter().all(|share| share == 1.0);
                if !(is_near && is_slow && is_rare && info.scale == bands.scale) {
                    continue;
                }
                let replayed = ReplayedGame::new(archive, *game);
                for ply in bands.first_ply..replayed.plies() {
                    positions.samples.push(Sample::plain(info, &replayed, ply).with_moves(&replayed, ply));
                    positions.games.push(*game);
                }
            }
            positions
        })
        .collect()
}
