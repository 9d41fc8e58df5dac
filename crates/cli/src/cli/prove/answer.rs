//! The answer to a problem, as a line of JSON.

use entente::{
    engine::{GamesWanted, Proof, Verdict},
    records::pgn::movetext,
};
use entente_search::proof::LineError;
use serde::{Deserialize, Serialize};
use shakmaty::{Move, Position as _};

use super::input::Asked;

/// A line of the results.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Answer {
    /// The line of the file.
    pub line: u64,
    /// The problem's name, if it has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    id: Option<String>,
    /// The text of the line.
    pub problem: String,
    /// The question, in the words of the command line.
    pub question: String,
    /// `found`, `illegal`, `none`, `undetermined`, or `error` for a line that is no problem.
    outcome: String,
    /// True if the question is fully answered.
    pub decided: bool,
    /// The length of the games found.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    plies: Option<u32>,
    /// The proved lower bound on the length of a game.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    at_least: Option<u32>,
    /// The number of games found of that length, if games are counted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    solutions: Option<usize>,
    /// True if there are no other games of that length.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    all: Option<bool>,
    /// The game, in UCI notation.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    moves: Vec<String>,
    /// The game, as movetext of PGN.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    game: Option<String>,
    /// Other games of the same length.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    others: Vec<Vec<String>>,
    /// For games found by a policy, the mean surprise in nats per ply: −ln of the probability that a human plays the
    /// move.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    surprise: Option<f64>,
    /// The name of the rule that proves the diagram illegal.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    rule: Option<String>,
    /// The reason why the diagram is illegal.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    reason: Option<String>,
    /// The squares that the reason names.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    squares: Vec<String>,
    /// Why the line is no problem.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    error: Option<String>,
    /// What to know of the question.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    note: Option<String>,
    /// Positions searched.
    nodes: u64,
    /// Time taken.
    seconds: f64,
}

impl Answer {
    /// The beginning of every line.
    pub(super) const BEGINS: &str = "{\"line\":";

    /// The answer for a problem. `question` is `wanted` in words.
    pub(super) fn new(asked: &Asked, wanted: GamesWanted, question: &str, proof: &Proof) -> Answer {
        let uci = |game: &Vec<Move>| -> Vec<String> {
            game.iter().map(|m| m.to_uci(proof.start.castles().mode()).to_string()).collect()
        };
        let (rule, reason) = match &proof.verdict {
            Verdict::Illegal { rule, reason } => (Some((*rule).to_owned()), Some(reason.clone())),
            _ => (None, None),
        };
        let is_counted = wanted.are_counted() && !proof.games.is_empty();
        let rounded = |number: f64| (number * 1e4).round() / 1e4;
        Answer {
            line: asked.line,
            id: asked.id().map(str::to_owned),
            problem: asked.text.clone(),
            question: question.to_owned(),
            outcome: proof.verdict.word().to_owned(),
            decided: proof.is_decided(wanted),
            plies: proof.games.first().map(|game| game.len() as u32),
            at_least: matches!(wanted, GamesWanted::Shortest(_))
                .then_some(proof.at_least)
                .filter(|_| !proof.verdict.is_illegal()),
            solutions: is_counted.then_some(proof.games.len()),
            all: is_counted.then_some(proof.is_all),
            moves: proof.games.first().map(uci).unwrap_or_default(),
            game: proof.games.first().map(|game| movetext(&proof.start, game)),
            others: proof.games.iter().skip(1).map(uci).collect(),
            surprise: proof.surprise.map(rounded),
            rule,
            reason,
            squares: proof.verdict.squares().iter().map(ToString::to_string).collect(),
            error: None,
            note: asked.note(&proof.start).map(str::to_owned),
            nodes: proof.nodes,
            seconds: (proof.time.as_secs_f64() * 1e3).round() / 1e3,
        }
    }

    /// The answer for a line that is no problem.
    pub(super) fn unreadable(asked: &Asked, question: &str, error: &LineError) -> Answer {
        Answer {
            line: asked.line,
            problem: asked.text.clone(),
            question: question.to_owned(),
            outcome: "error".to_owned(),
            error: Some(error.to_string()),
            ..Answer::default()
        }
    }

    /// True for a line that is no problem.
    pub(super) fn is_unreadable(&self) -> bool {
        self.error.is_some()
    }

    /// The answer as a line of JSON, with its line break.
    pub(super) fn json(&self) -> String {
        serde_json::to_string(self).expect("an answer is always JSON") + "\n"
    }

    /// True if a game was found.
    pub(super) fn is_found(&self) -> bool {
        self.outcome == "found"
    }

    /// True if it is proved that there is no such game.
    pub(super) fn is_refuted(&self) -> bool {
        matches!(&*self.outcome, "illegal" | "none")
    }
}
