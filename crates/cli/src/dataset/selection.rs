//! Selects the candidates to keep.
//!
//! Each pair of a rating and a constraint first has as many candidates as positions wanted. The first of equal
//! positions is kept, in the order of the pairs and then of the candidates. Then each pair in turn takes further
//! candidates, in order, to replace duplicates and those not found. The selection depends only on the candidates: a
//! single run, a resumed run and merged shards give the same result.

use std::collections::HashSet;

use super::candidates::{Candidates, Key};
use crate::tournament::Schedule;

/// A pair ends after this many consecutive candidates without a new position, or after as many as positions wanted if
/// that is more.
const FRUITLESS: u64 = 100;

/// The candidates kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The selection of each pair, in order.
    pub shares: Vec<Share>,
    /// The number of positions wanted for each pair.
    pub wanted: u64,
}

/// The selection of a pair of a rating and a constraint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// The ordinals of the candidates kept, in the order of their indices.
    pub kept: Vec<u64>,
    /// The number of candidates considered.
    pub candidates: u64,
    /// The number of candidates not found.
    pub not_found: u64,
    /// The number of candidates equal to one that is kept.
    pub equal: u64,
    /// The number of consecutive candidates since the last one that was kept.
    fruitless: u64,
}

impl Selection {
    /// Selects from each pair's candidates up to its entry in `limits`, all of which must be in `candidates`.
    pub fn new(schedule: Schedule, limits: &[u64], candidates: &Candidates) -> Selection {
        let wanted = schedule.games;
        let mut selection = Selection { shares: vec![Share::default(); limits.len()], wanted };
        let mut seen = HashSet::new();
        let places = |pairing: usize, from: u64, to: u64| {
            (from..to).filter_map(move |index| schedule.ordinal(pairing as u64, index))
        };
        for (pairing, share) in selection.shares.iter_mut().enumerate() {
            places(pairing, 0, wanted).for_each(|ordinal| share.consider(ordinal, candidates, &mut seen));
        }
        for (pairing, (share, &limit)) in selection.shares.iter_mut().zip(limits).enumerate() {
            for ordinal in places(pairing, wanted, limit) {
                if share.is_over(wanted) {
                    break;
                }
                share.consider(ordinal, candidates, &mut seen);
            }
        }
        selection
    }

    /// The number of further candidates for each pair; 0 if it needs none, or if more are unlikely to help.
    pub fn more(&self, schedule: Schedule) -> impl Iterator<Item = u64> {
        self.shares.iter().map(move |share| {
            let missing = self.wanted - share.kept.len() as u64;
            if share.is_over(self.wanted) { 0 } else { missing.min(schedule.most - share.candidates) }
        })
    }

    /// The number of positions kept.
    pub fn positions(&self) -> u64 {
        self.shares.iter().map(|share| share.kept.len() as u64).sum()
    }

    /// The number of positions wanted, for all pairs together.
    pub fn all_wanted(&self) -> u64 {
        self.wanted * self.shares.len() as u64
    }

    /// The number of positions missing.
    pub fn missing(&self) -> u64 {
        self.all_wanted() - self.positions()
    }
}

impl Share {
    fn consider(&mut self, ordinal: u64, candidates: &Candidates, seen: &mut HashSet<Key>) {
        self.candidates += 1;
        self.fruitless += 1;
        match candidates.key(ordinal) {
            None => self.not_found += 1,
            Some(key) if seen.insert(key) => {
                self.kept.push(ordinal);
                self.fruitless = 0;
            }
            Some(_) => self.equal += 1,
        }
    }

    /// True if the pair needs no more candidates, or if more are unlikely to help.
    fn is_over(&self, wanted: u64) -> bool {
        self.kept.len() as u64 >= wanted || self.fruitless >= wanted.max(FRUITLESS)
    }
}

#[cfg(test)]
mod tests {
    use entente_constraint::child_of;
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::tournament::Shard;

    /// Different positions, by number.
    fn key(number: usize) -> Option<Key> {
        let root = Chess::default();
        let moves = root.legal_moves();
        let first = child_of(&root, moves[number / moves.len()]);
        let replies = first.legal_moves();
        Some(Key::of(&child_of(&first, replies[number % replies.len()])))
    }

    fn candidates(schedule: Schedule, of: &[(u64, u64, Option<Key>)]) -> Candidates {
        let mut candidates = Candidates::new(schedule);
        for &(pairing, index, key) in of {
            candidates.add(schedule.ordinal(pairing, index).unwrap(), key);
        }
        candidates
    }

    const SCHEDULE: Schedule = Schedule { pairings: 2, games: 3, most: 60, shard: Shard::WHOLE };

    #[test]
    fn the_first_of_equal_candidates_is_kept_and_the_others_are_replaced() {
        let first =
            [(0, 0, key(0)), (0, 1, key(1)), (0, 2, key(0)), (1, 0, key(1)), (1, 1, None), (1, 2, key(2))];
        let selection = Selection::new(SCHEDULE, &[3, 3], &candidates(SCHEDULE, &first));
        assert_eq!((&selection.shares[0].kept[..], &selection.shares[1].kept[..]), (&[0, 1][..], &[5][..]));
        assert_eq!(selection.more(SCHEDULE).collect::<Vec<_>>(), [1, 2]);
        assert_eq!((selection.shares[1].not_found, selection.shares[1].equal), (1, 1));

        // Replacements for the first pair are considered before those for the second.
        let more = [(0, 3, key(7)), (1, 3, key(7)), (1, 4, key(8))];
        let all = candidates(SCHEDULE, &[&first[..], &more].concat());
        let selection = Selection::new(SCHEDULE, &[4, 5], &all);
        assert_eq!(selection.shares[0].kept, [0, 1, 6]);
        assert_eq!(selection.shares[1].kept, [5, SCHEDULE.ordinal(1, 4).unwrap()]);
        assert_eq!(selection.more(SCHEDULE).collect::<Vec<_>>(), [0, 1]);
        assert_eq!((selection.positions(), selection.missing()), (5, 1));
    }

    #[test]
    fn a_pair_without_new_positions_ends() {
        let schedule = Schedule { pairings: 1, games: 200, most: 4000, shard: Shard::WHOLE };
        let of: Vec<_> = (0..400).map(|index| (0, index, key(0))).collect();
        let candidates = candidates(schedule, &of);
        let selection = Selection::new(schedule, &[200], &candidates);
        assert_eq!(selection.more(schedule).collect::<Vec<_>>(), [199]);
        let selection = Selection::new(schedule, &[399], &candidates);
        assert_eq!(selection.more(schedule).collect::<Vec<_>>(), [0]);
        assert_eq!((selection.positions(), selection.shares[0].candidates), (1, 201));
    }
}
