//! The result of a search for proof games, as people read it.

use std::fmt::Write as _;

use entente::{
    engine::{GamesWanted, Proof, Verdict},
    records::pgn::movetext,
};
use entente_constraint::counted;
use shakmaty::Chess;

/// The answer in words, and the games. `shortest` is what the caller calls the wish for a shortest game.
pub fn in_words(wanted: GamesWanted, proof: &Proof, shortest: &str) -> String {
    let plies = proof.games.first().map_or(0, Vec::len) as u32;
    let mut text = match &proof.verdict {
        Verdict::Illegal { reason, .. } if proof.start == Chess::default() => format!("illegal: {reason}"),
        // The diagram may be legal in games from the initial position.
        Verdict::Illegal { reason, .. } => format!("unreachable: {reason}"),
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
            (_, false) => format!("; a shorter game may exist, and {shortest} finds out"),
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
    proof.games.iter().for_each(|game| text += &(movetext(&proof.start, game) + "\n"));
    text
}
