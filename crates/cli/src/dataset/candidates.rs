use std::collections::BTreeMap;

use entente::generation::Outcome;
use entente_search::position_from_fen;
use shakmaty::{Chess, EnPassantMode, Position as _, zobrist::Zobrist128};

use crate::tournament::{Journal, Schedule, TournamentError};

/// A hash of a position: the men and their squares, the side to move, the castling rights, and the en passant square if
/// a pawn can be captured there. It has 128 bits, so that collisions are practically impossible in the largest data
/// set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(u128);

impl Key {
    /// The key of a position.
    pub fn of(position: &Chess) -> Key {
        let hash: Zobrist128 = position.zobrist_hash(EnPassantMode::Legal);
        Key(hash.0)
    }
}

/// The keys of the candidates generated, which take sixteen bytes each.
#[derive(Clone, Debug)]
pub struct Candidates {
    schedule: Schedule,
    /// The regular candidates, by ordinal; 0 if a position was not found.
    first: Vec<u128>,
    /// The replacements, by ordinal.
    more: BTreeMap<u64, u128>,
}

impl Candidates {
    /// No candidates yet.
    pub fn new(schedule: Schedule) -> Candidates {
        Candidates { schedule, first: Vec::new(), more: BTreeMap::new() }
    }

    /// Reads the candidates with these ordinals from the journal.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub fn read(
        &mut self,
        journal: &Journal,
        ordinals: impl IntoIterator<Item = u64>,
    ) -> Result<(), TournamentError> {
        journal.replay_these(ordinals, |ordinal, played| {
            let record = &played.record;
            let position = position_from_fen(&record.fen).ok().filter(|_| record.outcome == Outcome::Found);
            self.add(ordinal, position.map(|position| Key::of(&position)));
            Ok(())
        })
    }

    /// Adds a candidate; `None` if it was not found.
    pub(super) fn add(&mut self, ordinal: u64, key: Option<Key>) {
        let key = key.map_or(0, |Key(key)| key);
        let slot = ordinal as usize;
        if ordinal >= self.schedule.total() {
            self.more.insert(ordinal, key);
            return;
        }
        if slot >= self.first.len() {
            self.first.resize(slot + 1, 0);
        }
        self.first[slot] = key;
    }

    /// The key of a candidate; `None` if it was not found or not generated.
    pub fn key(&self, ordinal: u64) -> Option<Key> {
        let first = self.first.get(ordinal as usize).filter(|_| ordinal < self.schedule.total());
        first.or_else(|| self.more.get(&ordinal)).copied().filter(|&key| key != 0).map(Key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_depend_on_men_side_to_move_rights_and_en_passant_but_not_on_counters() {
        let key = |fen: &str| Key::of(&position_from_fen(fen).unwrap());
        let base = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(key(base), key("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 9 40"));
        for other in [
            "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
            "r3k2r/8/8/4P3/3p4/8/8/R3K2R w KQkq - 0 1",
        ] {
            assert_ne!(key(base), key(other), "{other}");
        }
        // An en passant square does not count if no pawn can capture there.
        let without_capture = |square: &str| key(&format!("4k3/8/8/3p4/8/8/8/4K3 w - {square} 0 1"));
        assert_eq!(without_capture("d6"), without_capture("-"));
    }
}
