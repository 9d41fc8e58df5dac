use std::collections::BTreeMap;

use entente::generation::Outcome;
use entente_search::position_from_fen;
use shakmaty::{Chess, EnPassantMode, Position as _, zobrist::Zobrist128};

use crate::tournament::{Journal, Schedule, TournamentError};

/// What tells positions apart: the men and their squares, the side to move, the castling rights, and the en passant
/// square where a pawn can be taken. Of 128 bits, so that among all positions that a data set can hold no two different
/// ones are taken for equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(u128);

impl Key {
    /// That of a position.
    pub fn of(position: &Chess) -> Key {
        let hash: Zobrist128 = position.zobrist_hash(EnPassantMode::Legal);
        Key(hash.0)
    }
}

/// The candidates that were generated, by what tells their positions apart: sixteen bytes each.
#[derive(Clone, Debug)]
pub struct Candidates {
    schedule: Schedule,
    /// Those that are generated in any case, in their order; 0 for what was not found.
    first: Vec<u128>,
    /// Those beyond.
    more: BTreeMap<u64, u128>,
}

impl Candidates {
    /// None yet.
    pub fn new(schedule: Schedule) -> Candidates {
        Candidates { schedule, first: Vec::new(), more: BTreeMap::new() }
    }

    /// Reads the candidates of these places from the journal.
    ///
    /// # Errors
    /// If it cannot be read.
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

    /// What tells the position of a candidate apart; `None` if it was not found, or not generated.
    pub fn key(&self, ordinal: u64) -> Option<Key> {
        let first = self.first.get(ordinal as usize).filter(|_| ordinal < self.schedule.total());
        first.or_else(|| self.more.get(&ordinal)).copied().filter(|&key| key != 0).map(Key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_side_to_move_rights_and_en_passant_tell_positions_apart_and_counters_do_not() {
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
        // A square behind a pawn that nobody can take says nothing.
        let nobody = |square: &str| key(&format!("4k3/8/8/3p4/8/8/8/4K3 w - {square} 0 1"));
        assert_eq!(nobody("d6"), nobody("-"));
    }
}
