use entente::generation::{Record, Replay, policy::Delivery, san};
use serde::Serialize;

/// A position of a data set, with the columns that it has in every format. Nothing of it depends on the machine or on
/// the time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Position {
    /// The position, as FEN.
    pub fen: String,
    /// The constraint that it satisfies.
    pub constraint: String,
    /// The rating that White was told to play like, if any.
    pub white_elo: Option<u16>,
    /// Black's.
    pub black_elo: Option<u16>,
    /// Plies of the game that leads to it.
    pub plies: u32,
    /// The position that the game starts from, as FEN.
    pub root: String,
    /// The game in UCI notation.
    pub moves: Vec<String>,
    /// The game in standard algebraic notation.
    pub san: Vec<String>,
    /// The method, with its network and what was set.
    pub method: String,
    /// What found it, for methods with a policy.
    pub delivered_by: Option<Delivery>,
    /// The mean surprise of the game's moves, in nats a ply, for methods with a policy.
    pub surprise: Option<f64>,
    /// What the position is worth to White, in centipawns, where the constraint made a judge say so; 10,000 is a mate.
    pub centipawns: Option<i32>,
    /// With the index it decides everything.
    pub seed: u64,
    /// Which candidate of the seed it is.
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

    /// Its line, with the line break.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("numbers and strings are always JSON") + "\n"
    }
}
