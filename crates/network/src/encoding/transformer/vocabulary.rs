//! The move vocabulary of the transformer: all moves of chess in UCI notation, numbered.
//!
//! A lone man is placed on every square, and all its moves are collected. Pawn captures with promotion and castling,
//! which need other men, are added. Moves that several kinds of men can make occur once. The moves are numbered in the
//! order of their names. There are 1,968: 1,792 that queens or knights can make, and 176 promotions.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use shakmaty::{
    Bitboard, Color, Move, Piece, Rank, Role, Square,
    attacks::{attacks, pawn_attacks},
    uci::UciMove,
};
use thiserror::Error;

use crate::encoding::moves::ends;

/// Distinct moves in UCI notation. The number of a move is its index in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    moves: Vec<UciMove>,
    /// The number of each move, by [`slot`]; [`NONE`] if the vocabulary lacks it.
    indices: Vec<u16>,
}

/// Why a list is not a valid vocabulary.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VocabularyError {
    /// An entry is not a move: its index and text.
    #[error("entry {0}: \"{1}\" is not a move in UCI notation, such as e2e4 or b2a1q")]
    NoMove(usize, String),
    /// An entry repeats an earlier one: its index and text.
    #[error("entry {0}: \"{1}\" repeats an earlier entry")]
    Repeated(usize, String),
    /// It has no entries, or more than there are moves: the number of entries.
    #[error("expected 1 to {SLOTS} moves, found {0}")]
    Size(usize),
}

const NONE: u16 = u16::MAX;
/// The roles to which a pawn can promote.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
const SLOTS: usize = 64 * 64 * (PROMOTIONS.len() + 1);

/// The castling moves of each colour, as moves of the king.
const CASTLING: [(Color, [&str; 2]); 2] =
    [(Color::White, ["e1g1", "e1c1"]), (Color::Black, ["e8g8", "e8c8"])];

impl Vocabulary {
    /// The vocabulary of all moves of chess.
    pub fn of_chess() -> Vocabulary {
        let names: BTreeSet<String> = Vocabulary::by_man().into_values().flatten().collect();
        let names: Vec<String> = names.into_iter().collect();
        Vocabulary::new(&names).expect("distinct moves")
    }

    /// The vocabulary of the moves with these names, in this order.
    ///
    /// # Errors
    /// [`VocabularyError`] if a name is not a move or occurs twice, or if there are none or too many.
    pub fn new(names: &[String]) -> Result<Vocabulary, VocabularyError> {
        if names.is_empty() || names.len() > SLOTS {
            return Err(VocabularyError::Size(names.len()));
        }
        let mut vocabulary = Vocabulary { moves: Vec::new(), indices: vec![NONE; SLOTS] };
        for (index, name) in names.iter().enumerate() {
            let parsed = name.parse().ok().filter(|uci: &UciMove| uci.to_string() == *name);
            let slot = parsed.and_then(slot);
            let (Some(uci), Some(slot)) = (parsed, slot) else {
                return Err(VocabularyError::NoMove(index, name.clone()));
            };
            if vocabulary.indices[slot] != NONE {
                return Err(VocabularyError::Repeated(index, name.clone()));
            }
            vocabulary.indices[slot] = index as u16;
            vocabulary.moves.push(uci);
        }
        Ok(vocabulary)
    }

    /// The moves of each kind of man, in the order of their names. The keys are `black_bishop` and so on.
    pub fn by_man() -> BTreeMap<String, Vec<String>> {
        let mut all = BTreeMap::new();
        for color in Color::ALL {
            for role in Role::ALL {
                let mut moves = BTreeSet::new();
                for from in Square::ALL {
                    lone_moves(Piece { color, role }, from, &mut moves);
                }
                if role == Role::King {
                    let castling = CASTLING.into_iter().filter(|(side, _)| *side == color);
                    moves.extend(castling.flat_map(|(_, moves)| moves.map(str::to_owned)));
                }
                let mut name = String::new();
                let _ = write!(name, "{}_", color.fold_wb("white", "black"));
                let _ = write!(name, "{role:?}");
                all.insert(name.to_lowercase(), moves.into_iter().collect());
            }
        }
        all
    }

    /// The number of moves.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// True if there are no moves, which is never the case.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The names of the moves, in order.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.moves.iter().map(UciMove::to_string)
    }

    /// The moves, in order.
    pub fn moves(&self) -> &[UciMove] {
        &self.moves
    }

    /// The number of a move; `None` if the vocabulary lacks it. Castling is the king's move by two files.
    pub fn index(&self, m: Move) -> Option<u16> {
        let (from, to) = ends(m);
        self.index_of(UciMove::Normal { from, to, promotion: m.promotion() })
    }

    /// The number of a move in UCI notation; `None` if the vocabulary lacks it.
    pub fn index_of(&self, uci: UciMove) -> Option<u16> {
        slot(uci).map(|slot| self.indices[slot]).filter(|index| *index != NONE)
    }

    /// A fingerprint of the vocabulary: the CRC-32 of the names, each followed by a line feed, in hexadecimal.
    pub fn fingerprint(&self) -> String {
        let mut text = String::new();
        self.moves.iter().for_each(|uci| _ = writeln!(text, "{uci}"));
        format!("{:08x}", crc32fast::hash(text.as_bytes()))
    }
}

/// The index of a move in [`Vocabulary::indices`]; `None` for drops and for promotions that standard chess does not
/// have.
fn slot(uci: UciMove) -> Option<usize> {
    let UciMove::Normal { from, to, promotion } = uci else { return None };
    let kind = match promotion {
        None => 0,
        Some(role) => 1 + PROMOTIONS.iter().position(|promotion| *promotion == role)?,
    };
    Some((from.to_usize() * 64 + to.to_usize()) * (PROMOTIONS.len() + 1) + kind)
}

/// Adds the moves of a man that is alone on the board and, for a pawn, captures with promotion.
fn lone_moves(man: Piece, from: Square, moves: &mut BTreeSet<String>) {
    if man.role != Role::Pawn {
        moves.extend(attacks(from, man, Bitboard::EMPTY).into_iter().map(|to| format!("{from}{to}")));
        return;
    }
    let (home, last) = man.color.fold_wb((Rank::Second, Rank::Seventh), (Rank::Seventh, Rank::Second));
    let north = man.color.fold_wb(8, -8);
    // Pawns never stand on the first or the last rank.
    if matches!(from.rank(), Rank::First | Rank::Eighth) {
        return;
    }
    let step = from.offset(north);
    if from.rank() == last {
        for to in step.into_iter().chain(pawn_attacks(man.color, from)) {
            moves.extend(PROMOTIONS.map(|role| format!("{from}{to}{}", role.char())));
        }
        return;
    }
    let double = step.filter(|_| from.rank() == home).and_then(|step| step.offset(north));
    moves.extend(step.into_iter().chain(double).map(|to| format!("{from}{to}")));
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
    use shakmaty::{Chess, Position};

    use super::*;

    #[test]
    fn the_number_of_moves_agrees_with_a_count_by_hand() {
        let vocabulary = Vocabulary::of_chess();
        assert_eq!(vocabulary.len(), 1968);
        let by_man = Vocabulary::by_man();
        let count = |name: &str| by_man[name].len();
        // Rooks have 64 · 14 moves, bishops 560, knights 336, and kings 420 and castling. Pawns have 40 single and 8
        // double pushes, 8 · 4 promotions, and 14 · 4 promotions with capture.
        assert_eq!((count("white_rook"), count("black_bishop"), count("white_queen")), (896, 560, 1456));
        assert_eq!((count("black_knight"), count("white_king"), count("black_king")), (336, 422, 422));
        assert_eq!((count("white_pawn"), count("black_pawn"), by_man.len()), (136, 136, 12));
        assert!(by_man["black_pawn"].iter().any(|name| name == "b2a1q"));
        let names: Vec<String> = vocabulary.names().collect();
        assert!(names.is_sorted());
        assert_eq!((names[0].as_str(), names[1967].as_str()), ("a1a2", "h8h7"));
        assert_eq!(Vocabulary::new(&names).unwrap(), vocabulary);
        assert_eq!(names[usize::from(vocabulary.index_of("b2a1q".parse().unwrap()).unwrap())], "b2a1q");
    }

    #[test]
    fn legal_moves_have_distinct_numbers() {
        let vocabulary = Vocabulary::of_chess();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..200 {
            let mut position = Chess::default();
            for _ in 0..200 {
                let moves = position.legal_moves();
                let numbers: BTreeSet<u16> = moves.iter().map(|m| vocabulary.index(*m).unwrap()).collect();
                assert_eq!(numbers.len(), moves.len());
                let Some(m) = moves.get(rng.random_range(0..moves.len().max(1))) else { break };
                position.play_unchecked(*m);
            }
        }
    }

    #[test]
    fn invalid_vocabularies_are_refused() {
        let refusal = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            Vocabulary::new(&names).unwrap_err().to_string()
        };
        assert!(refusal(&["e2e4", "E2E4"]).contains("entry 1: \"E2E4\" is not a move"));
        assert!(refusal(&["e2e4", "0000"]).contains("is not a move"));
        assert!(refusal(&["e7e8k"]).contains("is not a move"));
        assert!(refusal(&["e2e4", "e2e5", "e2e4"]).contains("entry 2: \"e2e4\" repeats an earlier entry"));
        assert!(refusal(&[]).contains("found 0"));
    }
}
