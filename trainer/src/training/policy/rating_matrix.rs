use std::{fmt::Write as _, sync::Arc};

use entente_network::encoding::goal_policy::{Context, RatingScale};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use serde::{Deserialize, Serialize};

use super::{SamplePrediction, held_out::source};
use crate::samples::goal::{Archive, ReplayedGame, Sample};

/// The middles of the bands, which are 200 wide. The last one also has all higher ratings.
const BANDS: [u16; 7] = [1200, 1400, 1600, 1800, 2000, 2200, 2400];
const HALF: u16 = 100;

/// The cross-entropy of the moves of players in each rating band, if the network is given each of several ratings. If
/// the network uses them, it is lowest with the true one.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct RatingMatrix {
    /// For each scale, its name and its rows.
    pub scales: Vec<(String, Vec<RatingRow>)>,
}

/// A rating band.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct RatingRow {
    /// The number of positions.
    pub positions: usize,
    /// The cross-entropy, in nats, for each of the given ratings.
    pub losses: Vec<f64>,
}

/// The samples of a matrix.
#[derive(Debug)]
pub struct RatingSamples {
    /// The samples by scale and band.
    groups: Vec<Vec<Vec<Sample>>>,
}

const SCALES: [RatingScale; 3] = [RatingScale::Online, RatingScale::ChessCom, RatingScale::Fide];

impl RatingSamples {
    /// Draws up to `positions` positions for each band and scale, from games in which both players are in the band.
    pub fn new(archive: &Arc<Archive>, positions: usize, seed: u64) -> RatingSamples {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let band = |rating: u16| {
            let last = BANDS.len() - 1;
            (0..=last).find(|index| {
                let (low, high) = (BANDS[*index] - HALF, BANDS[*index] + HALF);
                rating >= low && (rating < high || *index == last)
            })
        };
        let mut groups = vec![vec![Vec::new(); BANDS.len()]; SCALES.len()];
        let mut games = vec![vec![Vec::new(); BANDS.len()]; SCALES.len()];
        for game in 0..archive.len() {
            let info = archive.info(game);
            let [white, black] = info.ratings.map(band);
            let scale = SCALES.iter().position(|scale| *scale == info.scale);
            if let (Some(band), Some(scale)) = (white.filter(|_| white == black), scale)
                && archive.game_plies(game) > 0
            {
                games[scale][band].push(game);
            }
        }
        for (games, groups) in games.iter().flatten().zip(groups.iter_mut().flatten()) {
            if games.is_empty() {
                continue;
            }
            // Draw a few positions from each of many games.
            for _ in 0..positions.div_ceil(SAMPLES) {
                let game = games[rng.random_range(0..games.len())];
                let replayed = ReplayedGame::new(archive, game);
                for _ in 0..SAMPLES {
                    let ply = rng.random_range(0..replayed.plies());
                    groups.push(Sample::plain(archive.info(game), &replayed, ply));
                }
            }
        }
        RatingSamples { groups }
    }

    /// All samples with each of the ratings in turn.
    pub fn told(&self) -> Vec<Sample> {
        let mut told = Vec::new();
        for rating in BANDS {
            for sample in self.groups.iter().flatten().flatten() {
                let context = Context { ratings: [Some(rating); 2], ..sample.context };
                told.push(Sample { context, ..sample.clone() });
            }
        }
        told
    }

    /// Computes the matrix from `predictions`, one for each of [`RatingSamples::told`].
    pub fn matrix(&self, predictions: &[SamplePrediction]) -> RatingMatrix {
        let all = predictions.len() / BANDS.len();
        let mut start = 0;
        let mut scales = Vec::new();
        for (scale, bands) in SCALES.iter().zip(&self.groups) {
            let mut rows = Vec::new();
            for group in bands {
                let mean = |told: usize| {
                    let part = &predictions[told * all + start..][..group.len()];
                    part.iter().map(|seen| seen.surprise).sum::<f64>() / group.len().max(1) as f64
                };
                rows.push(RatingRow { positions: group.len(), losses: (0..BANDS.len()).map(mean).collect() });
                start += group.len();
            }
            // Leave out scales without games.
            if rows.iter().any(|row| row.positions > 0) {
                scales.push((source(*scale).to_owned(), rows));
            }
        }
        RatingMatrix { scales }
    }
}

/// Number of positions from each game that is drawn.
const SAMPLES: usize = 10;

impl RatingMatrix {
    /// The matrix as tables in Markdown. The least value of each row is bold.
    pub fn table(&self) -> String {
        let mut text = String::new();
        for (scale, rows) in &self.scales {
            let _ = writeln!(
                text,
                "\nCross-entropy of games {scale} by the players' rating (rows: ±{HALF}, the last one also above) and \
                 the rating that the network is given (columns):\n"
            );
            text += "| rating | positions |";
            BANDS.iter().for_each(|band| _ = write!(text, " {band} |"));
            text += "\n|---|---|";
            text += &"---|".repeat(BANDS.len());
            text.push('\n');
            for (band, RatingRow { positions, losses }) in BANDS.iter().zip(rows) {
                if *positions == 0 {
                    continue;
                }
                let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
                let _ = write!(text, "| {band} | {positions} |");
                for loss in losses {
                    let mark = if *loss == least { "**" } else { "" };
                    let _ = write!(text, " {mark}{loss:.4}{mark} |");
                }
                text.push('\n');
            }
        }
        text
    }
}
