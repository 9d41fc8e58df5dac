//! The ways to the positions of openings: the lines of the list, and their moves in other orders.

use std::collections::{HashMap, HashSet};

use shakmaty::{Chess, Move, Position as _};

use super::{Entry, List, key};

/// The most positions that are looked at for other orders of the moves of a line, and of all lines.
const MOST_OF_LINE: usize = 20_000;
const MOST: usize = 200_000;

/// The positions on the ways to some openings, with the fewest plies from there.
#[derive(Debug, Default)]
pub(crate) struct Lines(HashMap<u64, u32>);

impl Lines {
    /// The ways from the initial position to any of the positions `wanted`.
    pub(crate) fn to(wanted: &HashSet<u64>) -> Lines {
        let mut lines = Lines::default();
        let mut ways: HashSet<&[Move]> = HashSet::new();
        let mut left = MOST;
        for Entry { moves, keys, .. } in &List::get().entries {
            let Some(plies) = keys.iter().position(|key| wanted.contains(key)) else { continue };
            for (ply, key) in keys[..=plies].iter().enumerate() {
                lines.add(*key, (plies - ply) as u32);
            }
            if ways.insert(&moves[..plies]) {
                lines.add_orders(&moves[..plies], keys[plies], &mut left);
            }
        }
        lines
    }

    /// The fewest plies from a position to the openings; `None` if it is not on a known way.
    pub(crate) fn plies_from(&self, position: &Chess) -> Option<u32> {
        self.0.get(&key(position)).copied()
    }

    fn add(&mut self, key: u64, plies: u32) {
        let known = self.0.entry(key).or_insert(plies);
        *known = plies.min(*known);
    }

    /// Adds the positions of all orders in which each side can play its moves of a line, as far as `left` allows.
    fn add_orders(&mut self, moves: &[Move], end: u64, left: &mut usize) {
        if moves.len() >= u64::BITS as usize {
            return;
        }
        let mut orders = Orders { moves, end, known: HashMap::new(), left: MOST_OF_LINE.min(*left) };
        let before = orders.left;
        orders.leads(&Chess::default(), 0);
        *left -= before - orders.left;
        for ((key, played), _) in orders.known.into_iter().filter(|(_, leads)| *leads) {
            self.add(key, moves.len() as u32 - played.count_ones());
        }
    }
}

/// The orders of the moves of a line.
struct Orders<'a> {
    moves: &'a [Move],
    /// The key of the line's last position.
    end: u64,
    /// For the key of a position and the set of moves that led there, as bits, whether the other moves can follow.
    known: HashMap<(u64, u64), bool>,
    /// How many more positions may be looked at.
    left: usize,
}

impl Orders<'_> {
    /// True if the moves that are not in `played` can follow from a position.
    fn leads(&mut self, position: &Chess, played: u64) -> bool {
        let key = key(position);
        if let Some(leads) = self.known.get(&(key, played)) {
            return *leads;
        }
        let is_whole = played.count_ones() as usize == self.moves.len();
        let leads = if is_whole { key == self.end } else { self.any_follows(position, played) };
        self.known.insert((key, played), leads);
        leads
    }

    fn any_follows(&mut self, position: &Chess, played: u64) -> bool {
        let side = played.count_ones() as usize % 2;
        let legal = position.legal_moves();
        let mut any = false;
        for index in (side..self.moves.len()).step_by(2).filter(|index| played & (1 << index) == 0) {
            let wanted = self.moves[index];
            // What it captures may be another man.
            let same = |m: &&Move| {
                (m.from(), m.to(), m.role(), m.promotion())
                    == (wanted.from(), wanted.to(), wanted.role(), wanted.promotion())
            };
            if let Some(m) = legal.iter().find(same)
                && self.left > 0
            {
                self.left -= 1;
                let mut child = position.clone();
                child.play_unchecked(*m);
                any |= self.leads(&child, played | 1 << index);
            }
        }
        any
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::san::San;

    use super::*;

    fn after(moves: &str) -> Chess {
        moves.split_whitespace().fold(Chess::default(), |mut position, san| {
            position.play_unchecked(san.parse::<San>().unwrap().to_move(&position).unwrap());
            position
        })
    }

    #[test]
    fn the_moves_of_a_line_may_be_played_in_any_order() {
        let wanted = HashSet::from([key(&after("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"))]);
        let lines = Lines::to(&wanted);
        for (moves, plies) in [
            ("", Some(10)),
            ("e4", Some(9)),
            ("Nf3 c5", Some(8)),
            ("e4 c5 Nc3 d6", Some(6)),
            ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 a6 Nc3", Some(1)),
            ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", Some(0)),
            ("e4 e5", None),
            ("e4 c5 Nf3 Nc6", None),
            ("b3", None),
        ] {
            assert_eq!(lines.plies_from(&after(moves)), plies, "{moves}");
        }
    }

    #[test]
    fn a_way_ends_at_the_first_position_of_the_opening() {
        let sicilian: HashSet<u64> =
            List::get().of_name("Sicilian Defense").iter().map(|entry| entry.key()).collect();
        let lines = Lines::to(&sicilian);
        assert_eq!(lines.plies_from(&Chess::default()), Some(2));
        assert_eq!(lines.plies_from(&after("e4 c5")), Some(0));
        assert!(lines.plies_from(&after("e4 e5")).is_none());
    }
}
