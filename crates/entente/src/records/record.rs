use serde::{Deserialize, Serialize};
use shakmaty::{Move, Position as _};

use super::{Provenance, fen};
use crate::{
    difficulty::PuzzleRating,
    generation::{
        Generation, Outcome,
        policy::{Delivery, PolicyReport},
    },
};

/// A generated position as a JSON object, with everything except the time that it took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The index of the position among those of the seed, from 0.
    pub index: u64,
    /// Whether it was found.
    pub outcome: Outcome,
    /// The constraint as text.
    pub constraint: String,
    /// The method, with depth and evaluator.
    pub method: String,
    /// The seed. Seed and index determine everything else.
    pub seed: u64,
    /// The FEN of the position from which the game starts.
    pub root: String,
    /// The FEN of the position that satisfies the constraint, or of the nearest one reached.
    pub fen: String,
    /// The length of the game that leads to it.
    pub plies: usize,
    /// The game, in UCI notation.
    pub moves: Vec<String>,
    /// The distance of the position from the constraint: a number of men, or an estimated number of plies.
    pub distance: u32,
    /// The number of games started, or of searches of the root.
    pub attempts: u32,
    /// The distance at the end of the first attempt.
    pub first_attempt_distance: u32,
    /// The number of positions searched.
    pub nodes: u64,
    /// The number of evaluations asked for. Some were answered from a cache.
    pub evaluations: u64,
    /// The evaluation of the position for White, in centipawns, if the constraint made a judge evaluate it; 10,000 is a
    /// mate.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub centipawns: Option<i32>,
    /// The predicted rating of the position as a puzzle, and its error, if the constraint made a judge predict it.
    #[serde(flatten, skip_serializing_if = "Option::is_none", default)]
    pub puzzle: Option<PuzzleRecord>,
    /// How the game was produced, if the method has a policy.
    #[serde(flatten, skip_serializing_if = "Option::is_none", default)]
    pub policy: Option<PolicyRecord>,
}

/// The predicted rating of a position as a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PuzzleRecord {
    /// The rating, on the scale of Lichess's puzzles.
    pub puzzle_rating: i16,
    /// Two real puzzles in three with this prediction have a rating at most this far from it.
    pub puzzle_error: i16,
}

impl From<PuzzleRating> for PuzzleRecord {
    fn from(rated: PuzzleRating) -> PuzzleRecord {
        PuzzleRecord { puzzle_rating: rated.rating, puzzle_error: rated.error }
    }
}

/// How a method with a policy produced a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyRecord {
    /// What found it.
    pub delivered_by: Delivery,
    /// White's rating, if the network was given one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub white_elo: Option<u16>,
    /// Black's rating, if the network was given one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub black_elo: Option<u16>,
    /// The mean of −ln of the probabilities that the policy without a goal gives the moves, in nats per ply.
    pub surprise: f64,
    /// The mean probability per ply of the moves that lead out of reach, which were masked.
    pub masked: f64,
    /// The number of plies at which the action values changed the policy because few plies were left.
    pub tilted: u32,
    /// The number of plies played by search.
    pub finished: u32,
}

impl PolicyRecord {
    /// The record of a game of `plies` plies; `None` if the game did not reach the constraint.
    pub fn new(report: &PolicyReport, plies: usize) -> Option<PolicyRecord> {
        let [white_elo, black_elo] = report.ratings;
        // Enough digits to compare runs, but still readable.
        let rounded = |number: f64| (number * 1e4).round() / 1e4;
        Some(PolicyRecord {
            delivered_by: report.by?,
            white_elo,
            black_elo,
            surprise: rounded(report.mean_surprise().unwrap_or(0.0)),
            masked: rounded(report.masked / plies.max(1) as f64),
            tilted: report.tilted,
            finished: report.finished,
        })
    }

    /// The ratings of White and Black. A game found by search has none, because it is not how rated players play.
    pub fn ratings(&self) -> [Option<u16>; 2] {
        match self.delivered_by {
            Delivery::Search => [None, None],
            _ => [self.white_elo, self.black_elo],
        }
    }
}

impl Record {
    /// The record of `generation`, which belongs to the run that `context` describes.
    pub fn new(context: &Provenance, generation: &Generation) -> Record {
        let uci = |m: &Move| m.to_uci(context.root.castles().mode()).to_string();
        Record {
            index: generation.index,
            outcome: generation.outcome,
            constraint: context.constraint.clone(),
            method: context.method.clone(),
            seed: context.seed,
            root: fen(&context.root).to_string(),
            fen: fen(&generation.position).to_string(),
            plies: generation.moves.len(),
            moves: generation.moves.iter().map(uci).collect(),
            distance: generation.distance.number(),
            attempts: generation.attempts,
            first_attempt_distance: generation.first_attempt_distance,
            nodes: generation.nodes,
            evaluations: generation.evaluations,
            centipawns: generation.centipawns,
            puzzle: generation.puzzle.map(PuzzleRecord::from),
            policy: generation
                .report
                .as_ref()
                .and_then(|report| PolicyRecord::new(report, generation.moves.len())),
        }
    }
}
