//! Themes of solutions: `theme=fork`. A theme is read from the moves of a [`SolutionLine`], not from a look at the
//! board: a fork counts only if the solution plays it.
//!
//! The words are those of Lichess's puzzles where it has them, and definitions follow the usual meaning of the words in
//! books on tactics. `docs/themes.md` defines each in words.

mod defenders;
mod double;
mod exchange;
mod first_move;
mod line;
mod lines;
mod mates;
mod men;
mod moves;
mod outlook;
#[cfg(test)]
mod tests;

use std::fmt::{self, Display, Formatter};

pub use line::SolutionLine;
pub use moves::is_repetition;

/// What a solution is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Theme {
    /// A man attacks two or more men at once and wins one.
    Fork,
    /// A man that may not move, since its king stands behind it, is won, or cannot capture.
    Pin,
    /// A valuable man steps aside, and the man behind it is won.
    Skewer,
    /// A man steps aside, and the bishop, rook or queen behind it gives check or wins something.
    Discovered,
    /// Two men give check at once.
    DoubleCheck,
    /// A defender is made to leave what it defends.
    Deflection,
    /// A king, queen or rook is made to go to a square where it is attacked.
    Decoy,
    /// A defender is captured.
    CapturingDefender,
    /// A line between a defender and what it defends is closed.
    Interference,
    /// A man makes way for another one.
    Clearance,
    /// A move in between, before a recapture.
    Intermezzo,
    /// A man acts through a man of the enemy.
    Xray,
    /// A man without a safe square is won.
    Trapped,
    /// A man that is not protected is taken.
    Hanging,
    /// Material is given up.
    Sacrifice,
    /// A queen is given up.
    QueenSacrifice,
    /// A rook is given up for less than a rook.
    RookSacrifice,
    /// A rook is given up for a knight or bishop.
    ExchangeSacrifice,
    /// A knight or bishop is given up.
    MinorSacrifice,
    /// A pawn becomes a queen, rook, bishop or knight.
    Promotion,
    /// A pawn becomes a rook, bishop or knight.
    Underpromotion,
    /// A pawn is taken in passing.
    EnPassant,
    /// A pawn gets to the sixth or seventh rank or beyond, as its side sees it.
    AdvancedPawn,
    /// A move without capture, check or direct threat.
    QuietMove,
    /// The only defence: everything else loses.
    Defence,
    /// Any move would be good for the opponent, who has to move.
    Zugzwang,
    /// A draw by checks without end.
    Perpetual,
    /// A draw by stalemate.
    Stalemate,
    /// A forced mate.
    Mate,
    /// A mate on the first or last rank, where own men shut in the king.
    BackRank,
    /// A knight mates a king that is shut in by its own men.
    Smothered,
    /// A rook and a knight mate in the corner.
    Arabian,
    /// A rook or queen mates on the edge, and a knight covers the squares beside.
    Anastasia,
    /// A rook mates beside the king, protected by a knight that a pawn protects.
    Hook,
    /// Two bishops mate on crossing diagonals, and own men shut in the king.
    Boden,
    /// Two bishops mate on diagonals side by side.
    DoubleBishop,
    /// A queen mates diagonally, and own men take the two squares behind the king.
    Dovetail,
    /// A queen mates on the same file or rank, and own men take the squares on both sides behind the king.
    Epaulette,
}

/// The themes with their words: the canonical one first, then others that mean the same.
const WORDS: [(Theme, &[&str], &str); 38] = [
    (Theme::Fork, &["fork"], "a fork"),
    (Theme::Pin, &["pin"], "a pin"),
    (Theme::Skewer, &["skewer"], "a skewer"),
    (Theme::Discovered, &["discovered", "discovered-attack", "discovered-check"], "a discovered attack"),
    (Theme::DoubleCheck, &["double-check"], "a double check"),
    (Theme::Deflection, &["deflection"], "a deflection"),
    (Theme::Decoy, &["decoy", "attraction"], "a decoy"),
    (
        Theme::CapturingDefender,
        &["capturing-defender", "capture-the-defender", "removing-the-defender", "remove-the-defender"],
        "the capture of a defender",
    ),
    (Theme::Interference, &["interference"], "an interference"),
    (Theme::Clearance, &["clearance"], "a clearance"),
    (Theme::Intermezzo, &["intermezzo", "zwischenzug", "in-between-move"], "a move in between"),
    (Theme::Xray, &["xray", "x-ray", "x-ray-attack"], "an X-ray attack"),
    (Theme::Trapped, &["trapped", "trapped-piece"], "a trapped piece"),
    (Theme::Hanging, &["hanging", "hanging-piece"], "a hanging piece"),
    (Theme::Sacrifice, &["sacrifice"], "a sacrifice"),
    (Theme::QueenSacrifice, &["queen-sacrifice"], "a queen sacrifice"),
    (Theme::RookSacrifice, &["rook-sacrifice"], "a rook sacrifice"),
    (Theme::ExchangeSacrifice, &["exchange-sacrifice"], "an exchange sacrifice"),
    (
        Theme::MinorSacrifice,
        &["minor-sacrifice", "piece-sacrifice", "knight-sacrifice", "bishop-sacrifice"],
        "a sacrifice of a knight or bishop",
    ),
    (Theme::Promotion, &["promotion"], "a promotion"),
    (Theme::Underpromotion, &["underpromotion", "under-promotion"], "an underpromotion"),
    (Theme::EnPassant, &["en-passant"], "a capture en passant"),
    (Theme::AdvancedPawn, &["advanced-pawn"], "an advanced pawn"),
    (Theme::QuietMove, &["quiet-move", "quiet"], "a quiet move"),
    (Theme::Defence, &["defence", "defense", "defensive-move"], "the only defence"),
    (Theme::Zugzwang, &["zugzwang"], "a zugzwang"),
    (Theme::Perpetual, &["perpetual", "perpetual-check"], "a perpetual check"),
    (Theme::Stalemate, &["stalemate", "stalemate-trick"], "a stalemate"),
    (Theme::Mate, &["mate"], "a mate"),
    (Theme::BackRank, &["back-rank", "back-rank-mate"], "a back-rank mate"),
    (Theme::Smothered, &["smothered", "smothered-mate"], "a smothered mate"),
    (Theme::Arabian, &["arabian", "arabian-mate"], "an Arabian mate"),
    (Theme::Anastasia, &["anastasia", "anastasia-mate"], "an Anastasia mate"),
    (Theme::Hook, &["hook", "hook-mate"], "a hook mate"),
    (Theme::Boden, &["boden", "boden-mate"], "a Boden mate"),
    (Theme::DoubleBishop, &["double-bishop", "double-bishop-mate"], "a mate by two bishops"),
    (Theme::Dovetail, &["dovetail", "dovetail-mate"], "a dovetail mate"),
    (Theme::Epaulette, &["epaulette", "epaulette-mate"], "an epaulette mate"),
];

impl Theme {
    /// Every theme, in the order of the documentation.
    pub const ALL: [Theme; WORDS.len()] = {
        let mut all = [Theme::Fork; WORDS.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = WORDS[index].0;
            index += 1;
        }
        all
    };

    /// The word for the theme in the language.
    pub fn word(self) -> &'static str {
        self.row().1[0]
    }

    /// The theme in words: "a fork".
    pub fn in_words(self) -> &'static str {
        self.row().2
    }

    /// The theme that a word means, in upper or lower case, with or without hyphens: `backRankMate` is `back-rank`.
    pub fn of_word(word: &str) -> Option<Theme> {
        let plain = |word: &str| word.replace(['-', '_'], "").to_ascii_lowercase();
        let word = plain(word);
        WORDS
            .iter()
            .find_map(|(theme, words, _)| words.iter().any(|known| plain(known) == word).then_some(*theme))
    }

    /// True for sacrifices.
    pub fn is_sacrifice(self) -> bool {
        (Theme::Sacrifice..=Theme::MinorSacrifice).contains(&self)
    }

    /// True for mates.
    pub fn is_mate(self) -> bool {
        self >= Theme::Mate
    }

    /// True for themes of games that are saved rather than won.
    pub fn saves(self) -> bool {
        matches!(self, Theme::Defence | Theme::Perpetual | Theme::Stalemate)
    }

    /// True if the theme may be decided by a search of other moves than those of the line.
    pub fn needs_search(self) -> bool {
        matches!(self, Theme::Defence | Theme::Zugzwang | Theme::Perpetual)
    }

    /// True if the line shows the theme. Of themes that [need a search](Theme::needs_search), a line shows
    /// only some perpetual checks.
    pub fn is_shown_by(self, line: &SolutionLine) -> bool {
        match self {
            Theme::Fork => double::fork(line),
            Theme::Discovered => double::discovered(line),
            Theme::DoubleCheck => double::double_check(line),
            Theme::Pin => lines::pin(line),
            Theme::Skewer => lines::skewer(line),
            Theme::Xray => lines::xray(line),
            Theme::Interference => lines::interference(line),
            Theme::Clearance => lines::clearance(line),
            Theme::Deflection => defenders::deflection(line),
            Theme::Decoy => defenders::decoy(line),
            Theme::CapturingDefender => defenders::capturing_defender(line),
            Theme::Intermezzo => defenders::intermezzo(line),
            Theme::Trapped => men::trapped(line),
            Theme::Hanging => men::hanging(line),
            Theme::Sacrifice => men::sacrificed(line).is_some(),
            Theme::QueenSacrifice
            | Theme::RookSacrifice
            | Theme::ExchangeSacrifice
            | Theme::MinorSacrifice => men::sacrificed(line) == Some(self),
            Theme::Promotion => moves::promotion(line, false),
            Theme::Underpromotion => moves::promotion(line, true),
            Theme::EnPassant => moves::en_passant(line),
            Theme::AdvancedPawn => moves::advanced_pawn(line),
            Theme::QuietMove => moves::quiet(line),
            Theme::Perpetual => moves::perpetual(line),
            Theme::Stalemate => moves::stalemate(line),
            Theme::Mate => line.is_mate(),
            Theme::BackRank => mates::back_rank(line),
            Theme::Smothered => mates::smothered(line),
            Theme::Arabian => mates::arabian(line),
            Theme::Anastasia => mates::anastasia(line),
            Theme::Hook => mates::hook(line),
            Theme::Boden => mates::two_bishops(line, true),
            Theme::DoubleBishop => mates::two_bishops(line, false),
            Theme::Dovetail => mates::dovetail(line),
            Theme::Epaulette => mates::epaulette(line),
            Theme::Defence | Theme::Zugzwang => false,
        }
    }

    fn row(self) -> &'static (Theme, &'static [&'static str], &'static str) {
        WORDS.iter().find(|(theme, ..)| *theme == self).expect("every theme has a word")
    }
}

impl Display for Theme {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
