//! The answer to a problem, as a line of JSON and in words.

use std::fmt::Write as _;

use entente::engine::{GamesWanted, Proof, Verdict};
use entente_constraint::counted;
use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, Color, Move, Position, san::SanPlus};

use super::input::Asked;

/// A line of the results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// `found`, `illegal`, `none` or `undetermined`.
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
            game.iter().map(|m| m.to_uci(CastlingMode::Standard).to_string()).collect()
        };
        let (rule, reason) = match &proof.verdict {
            Verdict::Illegal { rule, reason } => (Some((*rule).to_owned()), Some(reason.clone())),
            _ => (None, None),
        };
        let is_counted = wanted.are_counted() && !proof.games.is_empty();
        let rounded = |number: f64| (number * 1e4).round() / 1e4;
        Answer {
            line: asked.line,
            id: asked.problem.id.clone(),
            problem: asked.text.clone(),
            question: question.to_owned(),
            outcome: word(&proof.verdict).to_owned(),
            decided: proof.is_decided(wanted),
            plies: proof.games.first().map(|game| game.len() as u32),
            at_least: matches!(wanted, GamesWanted::Shortest(_))
                .then_some(proof.at_least)
                .filter(|_| !proof.verdict.is_illegal()),
            solutions: is_counted.then_some(proof.games.len()),
            all: is_counted.then_some(proof.is_all),
            moves: proof.games.first().map(uci).unwrap_or_default(),
            others: proof.games.iter().skip(1).map(uci).collect(),
            surprise: proof.surprise.map(rounded),
            rule,
            reason,
            nodes: proof.nodes,
            seconds: (proof.time.as_secs_f64() * 1e3).round() / 1e3,
        }
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

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Found => "found",
        Verdict::Illegal { .. } => "illegal",
        Verdict::NoSuchLength => "none",
        Verdict::Undetermined => "undetermined",
    }
}

/// The answer in words, and the games.
pub(super) fn in_words(wanted: GamesWanted, proof: &Proof) -> String {
    let plies = proof.games.first().map_or(0, Vec::len) as u32;
    let mut text = match &proof.verdict {
        Verdict::Illegal { reason, .. } => format!("illegal: {reason}"),
        Verdict::NoSuchLength => match wanted {
            GamesWanted::Exact { plies, .. } => {
                format!("there is no game of exactly {}", counted(plies, "ply", "plies"))
            }
            _ => format!("there is no game of fewer than {}", counted(proof.at_least, "ply", "plies")),
        },
        Verdict::Undetermined => "undetermined: no game was found within the limits".to_owned(),
        Verdict::Found => format!("found: {}", counted(plies, "ply", "plies")),
    };
    let is_open = !proof.verdict.is_illegal() && proof.verdict != Verdict::NoSuchLength;
    let is_searched = matches!(wanted, GamesWanted::Shortest(_));
    if is_open && !matches!(wanted, GamesWanted::Exact { .. }) {
        text += &match (proof.at_least, proof.games.is_empty()) {
            (least, false) if least == plies => ", and no game is shorter".to_owned(),
            (least, _) if is_searched => format!("; every game has at least {least}"),
            (_, false) => "; a shorter game may exist, and --shortest finds out".to_owned(),
            (_, true) => String::new(),
        };
    }
    if wanted.are_counted() && !proof.games.is_empty() {
        text += &match (proof.games.len(), proof.is_all) {
            (1, true) => "; it is the only one of this length".to_owned(),
            (1, false) if wanted.count() == 1 => String::new(),
            (count, true) => format!("; there are {count} of this length"),
            (count, false) if count < wanted.count() => {
                format!("; {count} of this length found, and there may be others")
            }
            (count, false) => format!("; there are at least {count} of this length"),
        };
    }
    if let Some(surprise) = proof.surprise {
        write!(text, "; surprise {surprise:.2} nats per ply").expect("writing to a string cannot fail");
    }
    text.push('\n');
    proof.games.iter().for_each(|game| text += &(movetext(game) + "\n"));
    text
}

/// A game from the initial position in SAN, with move numbers.
fn movetext(game: &[Move]) -> String {
    let mut position = Chess::default();
    let mut words = Vec::new();
    for m in game {
        if position.turn() == Color::White {
            words.push(format!("{}.", position.fullmoves()));
        }
        words.push(SanPlus::from_move_and_play_unchecked(&mut position, *m).to_string());
    }
    words.join(" ")
}
