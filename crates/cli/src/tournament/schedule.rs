use sha2::{Digest, Sha256};

use super::{Plan, Shard};

/// One game of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its place among all games, from 0.
    pub ordinal: u64,
    /// Its pairing's place among all pairings: the first entrant's come first, in the order of the constraints.
    pub pairing: u64,
    /// Its place among the games of its pairing, from 0; the index of its random numbers.
    pub index: u64,
}

/// Which games there are, and which of them are to be played here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Pairs of an entrant and a constraint.
    pub pairings: u64,
    /// Games of each that are played in any case.
    pub games: u64,
    /// Games of each that there can be: those beyond stand in for others, and belong to no part but the whole.
    pub most: u64,
    /// The part that is played here.
    pub shard: Shard,
}

impl Schedule {
    /// The games of `plan` in `shard`.
    pub fn new(plan: &Plan, shard: Shard) -> Schedule {
        Schedule { pairings: plan.pairings(), games: plan.games, most: plan.most_games(), shard }
    }

    /// Games of the whole that are played in any case.
    pub fn total(&self) -> u64 {
        self.pairings * self.games
    }

    /// Games to be played here in any case.
    pub fn here(&self) -> u64 {
        let Shard { number, of } = self.shard;
        (self.total() + of - number) / of
    }

    /// The places of the games to be played here in any case.
    pub fn ordinals(self) -> impl Iterator<Item = u64> {
        (0..self.here()).map(move |slot| self.nth(slot as usize))
    }

    /// The place among the games to be played here of one of them.
    pub fn slot(&self, ordinal: u64) -> usize {
        (ordinal / self.shard.of) as usize
    }

    /// The place of the game that so many to be played here precede.
    pub fn nth(&self, slot: usize) -> u64 {
        slot as u64 * self.shard.of + self.shard.number - 1
    }

    /// The game at a place.
    pub fn game(&self, ordinal: u64) -> Game {
        match ordinal.checked_sub(self.total()) {
            None => Game { ordinal, pairing: ordinal / self.games, index: ordinal % self.games },
            Some(beyond) => {
                let spare = self.most - self.games;
                Game { ordinal, pairing: beyond / spare, index: self.games + beyond % spare }
            }
        }
    }

    /// The place of a game; `None` if there is no such game.
    pub fn ordinal(&self, pairing: u64, index: u64) -> Option<u64> {
        if pairing >= self.pairings || index >= self.most {
            return None;
        }
        Some(match index.checked_sub(self.games) {
            None => pairing * self.games + index,
            Some(beyond) => self.total() + pairing * (self.most - self.games) + beyond,
        })
    }

    /// True if the game at that place is to be played here.
    pub fn is_here(&self, ordinal: u64) -> bool {
        if self.shard == Shard::WHOLE {
            return ordinal < self.pairings * self.most;
        }
        ordinal < self.total() && ordinal % self.shard.of == self.shard.number - 1
    }
}

/// The seed of a pairing's games: 31 bits of SHA-256, so that it can be given to the UCI option too. It depends
/// on names alone: who joins a tournament changes nobody else's games.
pub(crate) fn seed(plan_seed: u64, entrant: &str, constraint: &str) -> u64 {
    let mut hash = Sha256::new();
    for part in [plan_seed.to_string().as_str(), entrant, constraint] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let digest = hash.finalize();
    let bits = u32::from_le_bytes([digest[0], digest[1], digest[2], digest[3]]) >> 1;
    u64::from(bits.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_out_every_game() {
        for (pairings, games, of) in [(3, 5, 2), (1, 1, 3), (7, 300, 4)] {
            let schedules: Vec<Schedule> = (1..=of)
                .map(|number| Schedule { pairings, games, most: games, shard: Shard { number, of } })
                .collect();
            let total = schedules[0].total();
            for ordinal in 0..total {
                assert_eq!(schedules.iter().filter(|schedule| schedule.is_here(ordinal)).count(), 1);
                let game = schedules[0].game(ordinal);
                assert_eq!(schedules[0].ordinal(game.pairing, game.index), Some(ordinal));
            }
            assert_eq!(schedules.iter().map(Schedule::here).sum::<u64>(), total);
            for schedule in &schedules {
                let here = (0..total).filter(|&ordinal| schedule.is_here(ordinal)).count() as u64;
                assert_eq!(schedule.here(), here);
            }
        }
    }

    #[test]
    fn games_that_stand_in_for_others_come_behind_all_others() {
        let whole = Schedule { pairings: 3, games: 4, most: 10, shard: Shard::WHOLE };
        assert_eq!((whole.here(), whole.ordinal(2, 3), whole.ordinal(0, 4)), (12, Some(11), Some(12)));
        for ordinal in 0..30 {
            let game = whole.game(ordinal);
            assert_eq!(whole.ordinal(game.pairing, game.index), Some(ordinal));
            assert!(whole.is_here(ordinal) && game.index < 10 && game.pairing < 3);
        }
        assert!(!whole.is_here(30) && whole.ordinal(0, 10).is_none() && whole.ordinal(3, 0).is_none());
        let part = Schedule { shard: Shard { number: 1, of: 2 }, ..whole };
        assert!(part.is_here(10) && !part.is_here(12));
    }

    #[test]
    fn seeds_differ_with_every_part_and_stay_what_they_are() {
        let seeds = [seed(1, "a", "bc"), seed(2, "a", "bc"), seed(1, "ab", "c"), seed(1, "b", "bc")];
        for (index, seed) in seeds.iter().enumerate() {
            assert!(!seeds[..index].contains(seed) && (1..=i32::MAX as u64).contains(seed));
        }
        assert_eq!(seed(1, "a", "bc"), seed(1, "a", "bc"));
    }
}
