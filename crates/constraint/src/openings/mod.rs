//! Openings: the list of names, ECO codes and moves in `data/openings.tsv`, and the positions that belong to a name.
//!
//! The list is that of [lichess-org/chess-openings](https://github.com/lichess-org/chess-openings), which is in the
//! public domain (CC0). [`List::named`] finds openings by name, [`List::of_codes`] by ECO code, and [`Lines`] knows the
//! moves that lead to them.

mod lines;
mod names;

use std::{ops::RangeInclusive, sync::OnceLock};

use shakmaty::{Chess, EnPassantMode, Move, Position as _, uci::UciMove, zobrist::Zobrist64};

pub(crate) use lines::Lines;
pub(crate) use names::NameError;

const DATA: &str = include_str!("../../data/openings.tsv");

/// A line of the list.
#[derive(Debug)]
pub(crate) struct Entry {
    /// The ECO code, such as B90.
    pub code: &'static str,
    /// The name, such as "Sicilian Defense: Najdorf Variation".
    pub name: &'static str,
    /// The moves from the initial position.
    pub moves: Vec<Move>,
    /// The keys of the positions from the initial one to that of the opening.
    pub keys: Vec<u64>,
}

impl Entry {
    /// The opening's position.
    pub(crate) fn position(&self) -> Chess {
        let mut position = Chess::default();
        self.moves.iter().for_each(|m| position.play_unchecked(*m));
        position
    }

    /// The key of the opening's position.
    pub(crate) fn key(&self) -> u64 {
        *self.keys.last().expect("the initial position is there")
    }
}

/// All known openings, in the order of their moves.
#[derive(Debug)]
pub(crate) struct List {
    entries: Vec<Entry>,
    /// The names, once they are needed.
    names: OnceLock<Vec<names::Name>>,
}

impl List {
    /// The list of the program. It is read when it is needed for the first time.
    pub(crate) fn get() -> &'static List {
        static LIST: OnceLock<List> = OnceLock::new();
        LIST.get_or_init(|| List::read(DATA))
    }

    fn read(text: &'static str) -> List {
        let mut entries: Vec<Entry> = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split('\t');
            let mut field = || fields.next().expect("four fields");
            let (code, name, shared) =
                (field(), field(), field().parse::<usize>().expect("a number of plies"));
            let (mut moves, mut keys) = (Vec::new(), vec![key(&Chess::default())]);
            if let Some(before) = entries.last() {
                moves = before.moves[..shared].to_vec();
                keys = before.keys[..=shared].to_vec();
            }
            let mut position = Chess::default();
            moves.iter().for_each(|m| position.play_unchecked(*m));
            for text in field().split_whitespace() {
                let m = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&position).ok());
                let m = m.expect("the moves are legal");
                position.play_unchecked(m);
                moves.push(m);
                keys.push(key(&position));
            }
            entries.push(Entry { code, name, moves, keys });
        }
        List { entries, names: OnceLock::new() }
    }

    /// The entries with ECO codes in a range.
    pub(crate) fn of_codes(&self, codes: &RangeInclusive<String>) -> Vec<&Entry> {
        let is_in =
            |entry: &&Entry| codes.start().as_str() <= entry.code && entry.code <= codes.end().as_str();
        self.entries.iter().filter(is_in).collect()
    }

    /// The entries of an opening and of its variations.
    pub(crate) fn of_name(&self, name: &str) -> Vec<&Entry> {
        self.entries.iter().filter(|entry| names::is_variation_of(entry.name, name)).collect()
    }
}

/// What identifies a position of an opening: the board, the side to move, the castling rights and a legal en passant
/// capture.
pub(crate) fn key(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_all_codes_and_its_moves_lead_to_its_positions() {
        let list = List::get();
        assert!(list.entries.len() > 3500);
        for volume in 'A'..='E' {
            for number in 0..100 {
                let code = format!("{volume}{number:02}");
                assert!(!list.of_codes(&(code.clone()..=code.clone())).is_empty(), "{code}");
            }
        }
        let najdorf = list.of_codes(&("B90".to_owned()..="B90".to_owned()));
        let main = najdorf.iter().find(|entry| entry.name == "Sicilian Defense: Najdorf Variation").unwrap();
        let fen = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6";
        let position: Chess = fen
            .parse::<shakmaty::fen::Fen>()
            .unwrap()
            .into_position(shakmaty::CastlingMode::Standard)
            .unwrap();
        assert_eq!((main.moves.len(), main.key()), (10, key(&position)));
        assert_eq!(main.keys.len(), main.moves.len() + 1);
    }
}
