//! Games to play through in a browser: boards as cards, each with its game.

use indicatif::HumanCount;
use serde::Serialize;
use shakmaty::{Bitboard, CastlingMode, Chess, EnPassantMode, Move, fen::Fen};

use super::san;

/// The games of a page; what the page's script reads.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Gallery {
    /// The names of those who generated them.
    names: Vec<String>,
    /// The constraints.
    constraints: Vec<String>,
    games: Vec<Entry>,
}

/// A game to be shown.
#[derive(Clone, Debug)]
pub struct GalleryGame<'a> {
    /// Who generated it; may be empty.
    pub name: &'a str,
    /// What its last position is to satisfy.
    pub constraint: &'a str,
    /// Whether it does.
    pub is_found: bool,
    /// Where it starts.
    pub root: &'a Chess,
    /// Its moves.
    pub moves: &'a [Move],
    /// Where it ends.
    pub last: &'a Chess,
    /// Squares of the last position to point at.
    pub marked: Bitboard,
    /// A line about it.
    pub note: String,
    /// The command that generates it again.
    pub command: String,
    /// Tags for its PGN beside the usual ones.
    pub tags: [(&'static str, String); 6],
}

impl GalleryGame<'_> {
    /// The usual line about a game; `distance` is 0 where it was found.
    pub fn note(plies: usize, nodes: u64, distance: u32) -> String {
        let plies = if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") };
        let away = if distance == 0 { String::new() } else { format!(", {distance} away") };
        let nodes = if nodes == 1 { "1 node".to_owned() } else { format!("{} nodes", HumanCount(nodes)) };
        format!("{plies}{away}, {nodes}")
    }
}

/// A game as the script reads it; short names, for there may be thousands.
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
    note: String,
    command: String,
    tags: serde_json::Map<String, serde_json::Value>,
}

impl Gallery {
    /// How many games there are.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Adds a game behind the others.
    pub fn add(&mut self, game: &GalleryGame<'_>) {
        let fen = |position: &Chess| Fen::from_position(position, EnPassantMode::Legal).to_string();
        let uci: Vec<String> =
            game.moves.iter().map(|m| m.to_uci(CastlingMode::Standard).to_string()).collect();
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
            note: game.note.clone(),
            command: game.command.clone(),
            tags: tags.collect(),
        };
        self.games.push(entry);
    }

    /// The games as JSON that may stand in a page's script element: nothing in it ends the element.
    pub fn json(&self) -> String {
        let text = serde_json::to_string(self).expect("numbers and strings are always JSON");
        text.replace('<', "\\u003c")
    }
}

/// The place of `text` among `texts`, at the end if it was not there.
fn place(texts: &mut Vec<String>, text: &str) -> usize {
    // Games of the same kind follow each other: the last is the likeliest.
    texts.iter().rposition(|other| other == text).unwrap_or_else(|| {
        texts.push(text.to_owned());
        texts.len() - 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_game_ends_the_script_that_holds_it() {
        let root = Chess::default();
        let mut gallery = Gallery::default();
        let constraint = "Q<=1 </script><script>alert(1)</script>";
        for name in ["a", "b", "a"] {
            gallery.add(&GalleryGame {
                name,
                constraint,
                is_found: true,
                root: &root,
                moves: &[],
                last: &root,
                marked: Bitboard::EMPTY,
                note: String::new(),
                command: String::new(),
                tags: ["Event", "White", "Black", "Result", "Method", "Seed"]
                    .map(|name| (name, "7".to_owned())),
            });
        }
        let json = gallery.json();
        assert!(!json.contains('<'));
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value["constraints"][0], constraint);
        assert_eq!((&value["games"][2]["e"], &value["games"][2]["n"]), (&0.into(), &3.into()));
        assert_eq!(value["games"][0]["root"], serde_json::Value::Null);
    }
}
