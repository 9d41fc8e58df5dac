use entente::{
    generation::policy::Delivery,
    records::{Record, Replay, san},
};
use serde::{Deserialize, Serialize};

/// A position of a data set, with its columns in every format. None of them depends on the machine or the time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Position {
    /// The position, as FEN.
    pub fen: String,
    /// The constraint that it satisfies.
    pub constraint: String,
    /// The rating at which White was simulated, if any.
    pub white_elo: Option<u16>,
    /// The rating at which Black was simulated, if any.
    pub black_elo: Option<u16>,
    /// The length of its game, in plies.
    pub plies: u32,
    /// The position that the game starts from, as FEN.
    pub root: String,
    /// The game in UCI notation.
    pub moves: Vec<String>,
    /// The game in standard algebraic notation.
    pub san: Vec<String>,
    /// The method, with its network and settings.
    pub method: String,
    /// How the game was produced, for methods with a policy.
    pub delivered_by: Option<Delivery>,
    /// The mean surprise of the game's moves, in nats per ply, for methods with a policy.
    pub surprise: Option<f64>,
    /// The evaluation for White in centipawns, if judged conditions of the constraint needed one; 10,000 is a mate.
    pub centipawns: Option<i32>,
    /// The seed. Together with the index it determines all random numbers.
    pub seed: u64,
    /// The index of the candidate.
    pub index: u64,
}

impl Position {
    /// The last position of a game that was found.
    pub fn new(record: Record, replay: &Replay) -> Position {
        let policy = record.policy.as_ref();
        Position {
            white_elo: policy.and_then(|policy| policy.white_elo),
            black_elo: policy.and_then(|policy| policy.black_elo),
            plies: record.plies as u32,
            san: san(&replay.root, &replay.moves),
            delivered_by: policy.map(|policy| policy.delivered_by),
            surprise: policy.map(|policy| policy.surprise),
            centipawns: record.centipawns,
            fen: record.fen,
            constraint: record.constraint,
            root: record.root,
            moves: record.moves,
            method: record.method,
            seed: record.seed,
            index: record.index,
        }
    }

    /// The position as a line of JSON, with its line break.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("numbers and strings are always JSON") + "\n"
    }
}
