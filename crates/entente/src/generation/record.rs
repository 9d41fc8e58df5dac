use entente_search::position_from_fen;
use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, Move, Position, uci::UciMove};
use thiserror::Error;

use super::{
    Generation, Outcome, Provenance, fen,
    policy::{Delivery, PolicyReport},
};

/// A generated position as a JSON object, with everything but the time that it took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Which position of the seed this is, from 0.
    pub index: u64,
    /// Whether it was found.
    pub outcome: Outcome,
    /// The constraint as text.
    pub constraint: String,
    /// The method, with depth and evaluator.
    pub method: String,
    /// With the index it decides everything.
    pub seed: u64,
    /// The FEN of the position that the game starts from.
    pub root: String,
    /// The FEN of the position that satisfies, or the closest one met.
    pub fen: String,
    /// The length of the game to it.
    pub plies: usize,
    /// The game, in UCI notation.
    pub moves: Vec<String>,
    /// How far the position is from the constraint: men, or plies by an estimate.
    pub distance: u32,
    /// Games begun, or searches of the root.
    pub attempts: u32,
    /// The distance at the end of the first attempt.
    pub first_attempt_distance: u32,
    /// Positions searched.
    pub nodes: u64,
    /// Positions that the evaluator or the policy was asked about; some answers are remembered.
    pub evaluations: u64,
    /// What the position is worth to White, in centipawns, if the constraint made a judge say so; 10,000 is a mate.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub centipawns: Option<i32>,
    /// What only methods with a policy have to say.
    #[serde(flatten, skip_serializing_if = "Option::is_none", default)]
    pub policy: Option<PolicyRecord>,
}

/// How a game of a method with a policy came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyRecord {
    /// What found it.
    pub delivered_by: Delivery,
    /// White's rating, if it was told.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub white_elo: Option<u16>,
    /// Black's rating, if it was told.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub black_elo: Option<u16>,
    /// The mean of −ln of what people without a goal would have given the moves, in nats a ply.
    pub surprise: f64,
    /// The mean share of that which leads out of reach, a ply.
    pub masked: f64,
    /// Plies played while the plies were running out.
    pub tilted: u32,
    /// Plies played by search.
    pub finished: u32,
}

impl PolicyRecord {
    /// What `report` says of a game of so many plies; `None` if it was not found.
    pub fn new(report: &PolicyReport, plies: usize) -> Option<PolicyRecord> {
        let [white_elo, black_elo] = report.ratings;
        // Enough digits to compare, and few enough to read.
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

    /// White's and Black's rating, as far as players of one played the game: nobody of that rating played what search
    /// found.
    pub fn ratings(&self) -> [Option<u16>; 2] {
        match self.delivered_by {
            Delivery::Search => [None, None],
            _ => [self.white_elo, self.black_elo],
        }
    }
}

/// Why a record is no proof.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordError {
    /// The game starts from something that is no position.
    #[error("the root {0:?} is no legal position")]
    Root(String),
    /// A move cannot be played.
    #[error("ply {ply}: {text:?} is no legal move")]
    Illegal {
        /// Counted from 1.
        ply: usize,
        /// As it stands there.
        text: String,
    },
    /// The game ends elsewhere.
    #[error("the game ends in {found}, not in {expected}")]
    Elsewhere {
        /// Where it ends.
        found: String,
        /// What the record says.
        expected: String,
    },
}

/// A record's game, played over again.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Where it starts.
    pub root: Chess,
    /// Its moves, all legal.
    pub moves: Vec<Move>,
    /// Where it ends.
    pub last: Chess,
}

impl Record {
    /// What `generation` is, in a run that `context` describes.
    pub fn new(context: &Provenance, generation: &Generation) -> Record {
        let uci = |m: &Move| m.to_uci(CastlingMode::Standard).to_string();
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
            policy: generation
                .report
                .as_ref()
                .and_then(|report| PolicyRecord::new(report, generation.moves.len())),
        }
    }

    /// Plays the game over again.
    ///
    /// # Errors
    /// [`RecordError`] if it is not legal, or does not end where the record says.
    pub fn replay(&self) -> Result<Replay, RecordError> {
        let root = position_from_fen(&self.root).map_err(|_| RecordError::Root(self.root.clone()))?;
        let mut last = root.clone();
        let mut moves = Vec::with_capacity(self.moves.len());
        for (index, text) in self.moves.iter().enumerate() {
            let uci = text.parse::<UciMove>().ok();
            let Some(m) = uci.and_then(|uci| uci.to_move(&last).ok()) else {
                return Err(RecordError::Illegal { ply: index + 1, text: text.clone() });
            };
            last.play_unchecked(m);
            moves.push(m);
        }
        let found = fen(&last).to_string();
        if found != self.fen {
            return Err(RecordError::Elsewhere { found, expected: self.fen.clone() });
        }
        Ok(Replay { root, moves, last })
    }
}
