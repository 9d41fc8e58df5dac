//! Proof games as PGN, with tags that say how they were produced.

use shakmaty::{Chess, Color, Move, Position};

use super::{PolicyRecord, Provenance, fen, san};

/// Whether a game whose tag `Variant` has this value is played by the rules of standard chess.
pub fn is_standard(variant: &str) -> bool {
    ["standard", "chess", "from position"].iter().any(|name| variant.eq_ignore_ascii_case(name))
}

/// Whether a game whose tag `Variant` has this value is one of Chess960.
pub fn is_chess960(variant: &str) -> bool {
    ["chess960", "chess 960", "fischerandom", "fischer random", "freestyle"]
        .iter()
        .any(|name| variant.eq_ignore_ascii_case(name))
}

/// The PGN text of a game that ends in `last`, followed by an empty line. `number` counts the games of a file, from 1.
pub fn pgn(
    context: &Provenance,
    number: u64,
    moves: &[Move],
    last: &Chess,
    policy: Option<&PolicyRecord>,
) -> String {
    let root = &context.root;
    let mut pgn = String::new();
    let mut tag = |name: &str, value: &str| pgn.push_str(&tag(name, value));
    let [event, white, black, result, method, seed] = context.tags(last, policy);
    tag("Event", &event.1);
    tag("Site", "?");
    tag("Date", "????.??.??");
    tag("Round", &number.to_string());
    for (name, value) in [&white, &black, &result] {
        tag(name, value);
    }
    let ratings = policy.map_or([None, None], PolicyRecord::ratings);
    for (name, elo) in ["WhiteElo", "BlackElo"].into_iter().zip(ratings) {
        if let Some(elo) = elo {
            tag(name, &elo.to_string());
        }
    }
    if root.castles().mode().is_chess960() {
        tag("Variant", "Chess960");
    }
    // Compare FENs, because equal positions may have different counters.
    if fen(root) != fen(&Chess::default()) {
        tag("SetUp", "1");
        tag("FEN", &fen(root).to_string());
    }
    tag("Constraint", &context.constraint);
    tag(method.0, &method.1);
    tag(seed.0, &seed.1);
    tag("PlyCount", &moves.len().to_string());
    if let Some(policy) = policy {
        tag("Surprise", &format!("{:.4}", policy.surprise));
    }
    tag("FinalFEN", &fen(last).to_string());
    let text = movetext(root, moves);
    let separator = if text.is_empty() { "" } else { " " };
    pgn.push('\n');
    pgn.push_str(&wrapped(&format!("{text}{separator}{}", result.1), 80));
    pgn.push_str("\n\n");
    pgn
}

/// A tag on its own line.
pub(super) fn tag(name: &str, value: &str) -> String {
    let escaped = value.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{name} \"{escaped}\"]\n")
}

impl Provenance {
    /// The tags that describe the run, and the result of a game that ends in `last`.
    pub fn tags(&self, last: &Chess, policy: Option<&PolicyRecord>) -> [(&'static str, String); 6] {
        let method = match policy {
            Some(policy) => format!("{}; {}", self.method, policy.delivered_by.in_words()),
            None => self.method.clone(),
        };
        [
            ("Event", self.event.clone()),
            ("White", self.player.clone()),
            ("Black", self.player.clone()),
            ("Result", result(last).to_owned()),
            ("Method", method),
            ("Seed", self.seed.to_string()),
        ]
    }
}

/// The result in PGN; `*` if the game is not over.
pub(super) fn result(position: &Chess) -> &'static str {
    if position.is_checkmate() {
        position.turn().fold_wb("0-1", "1-0")
    } else if position.is_stalemate() || position.is_insufficient_material() || position.halfmoves() >= 150 {
        "1/2-1/2"
    } else {
        "*"
    }
}

/// The moves in standard algebraic notation, with move numbers.
pub fn movetext(root: &Chess, moves: &[Move]) -> String {
    let mut turn = root.turn();
    let mut number = root.fullmoves().get();
    let mut words = Vec::new();
    for (index, san) in san(root, moves).into_iter().enumerate() {
        match turn {
            Color::White => words.push(format!("{number}.")),
            Color::Black if index == 0 => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(san);
        number = number.saturating_add(u32::from(turn.is_black()));
        turn = turn.other();
    }
    words.join(" ")
}

/// Breaks `text` at spaces into lines of at most `width` characters.
pub fn wrapped(text: &str, width: usize) -> String {
    joined(text.split(' '), width)
}

/// Joins `words` with spaces into lines of at most `width` characters. A longer word gets a longer line. A word may
/// contain spaces, and is not broken there.
pub fn joined<'a>(words: impl IntoIterator<Item = &'a str>, width: usize) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > width {
            lines.push('\n');
            column = 0;
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += word.len();
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_only_between_words() {
        assert_eq!(wrapped("e4 e5 Nf3 Nc6", 6), "e4 e5\nNf3\nNc6");
        for before in 1..20 {
            let first = "x".repeat(before);
            let text = joined([&*first, "{ −1.26 }", "*"], 20);
            assert!(text.lines().any(|line| line.contains("{ −1.26 }")), "{text}");
            assert_eq!(text.replace('\n', " "), format!("{first} {{ −1.26 }} *"));
        }
    }
}
