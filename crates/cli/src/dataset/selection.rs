//! Which candidates stay.
//!
//! Each pair of a rating and a constraint first has as many candidates as positions are wanted. Of equal ones the first
//! stays, in the order of the pairs and then of the candidates. Then each pair in turn takes further candidates, in
//! their order, in the place of those that were dropped or not found. This depends on the candidates alone, not on who
//! generated them when: one run, a resumed one and joined shards come to the same.

use std::collections::HashSet;

use super::candidates::{Candidates, Key};
use crate::tournament::Schedule;

/// So many candidates in a row without a new position end a pair, or as many as positions are wanted if that is more.
const FRUITLESS: u64 = 100;

/// The candidates that stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// For each pair, in their order.
    pub shares: Vec<Share>,
    /// Positions wanted of each pair.
    pub wanted: u64,
}

/// What came of a pair of a rating and a constraint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// The candidates that stay, by their places among all, in order of their indices.
    pub kept: Vec<u64>,
    /// Candidates looked at.
    pub candidates: u64,
    /// Of which were not found.
    pub not_found: u64,
    /// Of which were equal to one that stays.
    pub equal: u64,
    /// Of the last ones, how many brought nothing new.
    fruitless: u64,
}

impl Selection {
    /// Of each pair's candidates up to its entry in `limits`, which must all be among `candidates`.
    pub fn new(schedule: Schedule, limits: &[u64], candidates: &Candidates) -> Selection {
        let wanted = schedule.games;
        let mut selection = Selection { shares: vec![Share::default(); limits.len()], wanted };
        let mut seen = HashSet::new();
        let places = |pairing: usize, from: u64, to: u64| {
            (from..to).filter_map(move |index| schedule.ordinal(pairing as u64, index))
        };
        for (pairing, share) in selection.shares.iter_mut().enumerate() {
            places(pairing, 0, wanted).for_each(|ordinal| share.look_at(ordinal, candidates, &mut seen));
        }
        for (pairing, (share, &limit)) in selection.shares.iter_mut().zip(limits).enumerate() {
            for ordinal in places(pairing, wanted, limit) {
                if share.is_over(wanted) {
                    break;
                }
                share.look_at(ordinal, candidates, &mut seen);
            }
        }
        selection
    }

    /// How many more candidates each pair should have, as far as they can bring it more positions.
    pub fn more(&self, schedule: Schedule) -> impl Iterator<Item = u64> {
        self.shares.iter().map(move |share| {
            let missing = self.wanted - share.kept.len() as u64;
            if share.is_over(self.wanted) { 0 } else { missing.min(schedule.most - share.candidates) }
        })
    }

    /// Positions that stay.
    pub fn positions(&self) -> u64 {
        self.shares.iter().map(|share| share.kept.len() as u64).sum()
    }

    /// Positions wanted of all pairs together.
    pub fn all_wanted(&self) -> u64 {
        self.wanted * self.shares.len() as u64
    }

    /// Positions that are missing.
    pub fn missing(&self) -> u64 {
        self.all_wanted() - self.positions()
    }
}

impl Share {
    fn look_at(&mut self, ordinal: u64, candidates: &Candidates, seen: &mut HashSet<Key>) {
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

    /// True if it needs no more candidates, or more would hardly bring anything.
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
    fn the_first_of_equal_ones_stays_and_further_ones_stand_in() {
        let first =
            [(0, 0, key(0)), (0, 1, key(1)), (0, 2, key(0)), (1, 0, key(1)), (1, 1, None), (1, 2, key(2))];
        let selection = Selection::new(SCHEDULE, &[3, 3], &candidates(SCHEDULE, &first));
        assert_eq!((&selection.shares[0].kept[..], &selection.shares[1].kept[..]), (&[0, 1][..], &[5][..]));
        assert_eq!(selection.more(SCHEDULE).collect::<Vec<_>>(), [1, 2]);
        assert_eq!((selection.shares[1].not_found, selection.shares[1].equal), (1, 1));

        // What stands in for the first pair's comes before what stands in for the second's.
        let more = [(0, 3, key(7)), (1, 3, key(7)), (1, 4, key(8))];
        let all = candidates(SCHEDULE, &[&first[..], &more].concat());
        let selection = Selection::new(SCHEDULE, &[4, 5], &all);
        assert_eq!(selection.shares[0].kept, [0, 1, 6]);
        assert_eq!(selection.shares[1].kept, [5, SCHEDULE.ordinal(1, 4).unwrap()]);
        assert_eq!(selection.more(SCHEDULE).collect::<Vec<_>>(), [0, 1]);
        assert_eq!((selection.positions(), selection.missing()), (5, 1));
    }

    #[test]
    fn a_pair_without_anything_new_comes_to_an_end() {
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
