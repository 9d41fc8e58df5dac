//! Games to play through in a browser: a card with a board for each game.

use entente::records::{ratings, san};
use serde::Serialize;
use shakmaty::{Bitboard, Chess, EnPassantMode, Move, Position, fen::Fen};

/// The games of a page, as its script reads them.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Gallery {
    /// The names of the entrants.
    names: Vec<String>,
    /// The constraints.
    constraints: Vec<String>,
    games: Vec<Entry>,
}

/// A game of the gallery.
#[derive(Clone, Debug)]
pub struct GalleryGame<'a> {
    /// The name of the entrant; may be empty.
    pub name: &'a str,
    /// The constraint.
    pub constraint: &'a str,
    /// True if the last position satisfies it.
    pub is_found: bool,
    /// The initial position.
    pub root: &'a Chess,
    /// The moves.
    pub moves: &'a [Move],
    /// The last position.
    pub last: &'a Chess,
    /// Squares of the last position with a frame.
    pub marked: Bitboard,
    /// White's and Black's rating, if the players had one.
    pub ratings: [Option<u16>; 2],
    /// How the game differs from human games, if it does.
    pub caveat: Option<&'static str>,
    /// The distance of the last position from the constraint; 0 if it was found.
    pub distance: u32,
    /// The command that generates the game again.
    pub command: String,
    /// Further tags for its PGN.
    pub tags: [(&'static str, String); 6],
}

impl GalleryGame<'_> {
    /// The line under its board with the facts that players ask for first, such as `3 · Black to move · move 19 ·
    /// 1500`.
    fn caption(&self, number: usize) -> String {
        let side = self.last.turn().fold_wb("White", "Black");
        let moves = self.last.fullmoves();
        let state = if self.last.is_checkmate() {
            format!("{side} is mated")
        } else if self.last.is_stalemate() {
            format!("{side} is stalemated")
        } else {
            format!("{side} to move")
        };
        let ratings = ratings(self.ratings).map_or(String::new(), |ratings| format!(" · {ratings}"));
        let caveat = self.caveat.map_or(String::new(), |caveat| format!(" · {caveat}"));
        format!("{number} · {state} · move {moves}{ratings}{caveat}")
    }
}

/// A game as the script reads it. Names are short because there may be thousands of games.
#[derive(Clone, Debug, Serialize)]
struct Entry {
    c: usize,
    e: usize,
    n: usize,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    fen: String,
    uci: String,
    san: String,
    mark: String,
    caption: String,
    #[serde(skip_serializing_if = "is_zero")]
    away: u32,
    command: String,
    tags: serde_json::Map<String, serde_json::Value>,
}

impl Gallery {
    /// The number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// True if there are no games.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Adds a game at the end.
    pub fn add(&mut self, game: &GalleryGame<'_>) {
        let fen = |position: &Chess| Fen::from_position(position, EnPassantMode::Legal).to_string();
        let uci: Vec<String> =
            game.moves.iter().map(|m| m.to_uci(game.root.castles().mode()).to_string()).collect();
        let marked: Vec<String> = game.marked.into_iter().map(|square| square.to_string()).collect();
        let tags = game.tags.iter().map(|(name, value)| ((*name).to_owned(), value.clone().into()));
        let entry = Entry {
            c: place(&mut self.constraints, game.constraint),
            e: place(&mut self.names, game.name),
            n: self.games.len() + 1,
            ok: game.is_found,
            root: Some(fen(game.root)).filter(|root| *root != fen(&Chess::default())),
            fen: fen(game.last),
            uci: uci.join(" "),
            san: san(game.root, game.moves).join(" "),
            mark: marked.join(" "),
            caption: game.caption(self.games.len() + 1),
            away: game.distance,
            command: game.command.clone(),
            tags: tags.collect(),
        };
        self.games.push(entry);
    }

    /// The games as JSON for a script element, escaped so that nothing in it ends the element.
    pub fn json(&self) -> String {
        let text = serde_json::to_string(self).expect("numbers and strings are always JSON");
        text.replace('<', "\\u003c")
    }
}

/// True for 0. serde requires a reference.
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The place of `text` among `texts`, to which it is added if necessary.
fn place(texts: &mut Vec<String>, text: &str) -> usize {
    // Games of the same kind are usually adjacent, so the last text is the most likely.
    texts.iter().rposition(|other| other == text).unwrap_or_else(|| {
        texts.push(text.to_owned());
        texts.len() - 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game without moves in the position `last`.
    fn game<'a>(last: &'a Chess, constraint: &'a str) -> GalleryGame<'a> {
        GalleryGame {
            name: "",
            constraint,
            is_found: true,
            root: last,
            moves: &[],
            last,
            marked: Bitboard::EMPTY,
            ratings: [None, None],
            caveat: None,
            distance: 0,
            command: String::new(),
            tags: ["Event", "White", "Black", "Result", "Method", "Seed"].map(|name| (name, "7".to_owned())),
        }
    }

    #[test]
    fn a_caption_has_the_side_to_move_and_the_ratings() {
        for (fen, ratings, caption) in [
            ("8/8/8/8/8/8/8/K6k b - - 0 19", [Some(1500), Some(1500)], "3 · Black to move · move 19 · 1500"),
            (
                "8/8/8/8/8/8/8/K6k w - - 0 2",
                [Some(1500), Some(1800)],
                "3 · White to move · move 2 · 1500–1800",
            ),
            ("8/8/8/8/8/8/8/K6k w - - 0 2", [None, Some(1800)], "3 · White to move · move 2 · 1800"),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 40", [None, None], "3 · Black is mated · move 40"),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 40", [None, None], "3 · Black is stalemated · move 40"),
        ] {
            let last: Chess =
                fen.parse::<Fen>().unwrap().into_position(shakmaty::CastlingMode::Standard).unwrap();
            assert_eq!(GalleryGame { ratings, ..game(&last, "") }.caption(3), caption);
            let caveat = Some("by search");
            let helped = GalleryGame { ratings, caveat, ..game(&last, "") }.caption(3);
            assert_eq!(helped, format!("{caption} · by search"));
        }
    }

    #[test]
    fn nothing_in_a_game_ends_the_script_element() {
        let root = Chess::default();
        let mut gallery = Gallery::default();
        let constraint = "Q<=1 </script><script>alert(1)</script>";
        for name in ["a", "b", "a"] {
            gallery.add(&GalleryGame { name, ..game(&root, constraint) });
        }
        let json = gallery.json();
        assert!(!json.contains('<'));
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value["constraints"][0], constraint);
        assert_eq!((&value["games"][2]["e"], &value["games"][2]["n"]), (&0.into(), &3.into()));
        assert_eq!(value["games"][0]["root"], serde_json::Value::Null);
    }
}
