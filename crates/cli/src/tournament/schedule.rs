use sha2::{Digest, Sha256};

use super::{Plan, Shard};

/// One game of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its ordinal among all games, from 0.
    pub ordinal: u64,
    /// Its pairing's place among all pairings, from 0. They are ordered by entrant, then by constraint.
    pub pairing: u64,
    /// Its place among the games of its pairing, from 0; the index of its random numbers.
    pub index: u64,
}

/// The games of a plan, and those of a shard. Each pairing has regular games, which are always played. A data set also
/// has spare games, which replace those that it cannot use. They follow the regular games of all pairings, and belong
/// to a whole run only, not to a shard of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The number of pairs of an entrant and a constraint.
    pub pairings: u64,
    /// The number of regular games of each pairing.
    pub games: u64,
    /// The maximum number of games of each pairing, regular and spare.
    pub most: u64,
    /// The shard played here.
    pub shard: Shard,
}

impl Schedule {
    /// The games of `plan` in `shard`.
    pub fn new(plan: &Plan, shard: Shard) -> Schedule {
        Schedule { pairings: plan.pairings(), games: plan.games, most: plan.max_games(), shard }
    }

    /// The number of regular games of the whole plan.
    pub fn total(&self) -> u64 {
        self.pairings * self.games
    }

    /// The number of regular games of this shard.
    pub fn here(&self) -> u64 {
        let Shard { number, of } = self.shard;
        (self.total() + of - number) / of
    }

    /// The ordinals of the regular games of this shard.
    pub fn ordinals(self) -> impl Iterator<Item = u64> {
        (0..self.here()).map(move |slot| self.nth(slot as usize))
    }

    /// The slot of a game: its place among the games of this shard, from 0.
    pub fn slot(&self, ordinal: u64) -> usize {
        (ordinal / self.shard.of) as usize
    }

    /// The ordinal of the game in a slot.
    pub fn nth(&self, slot: usize) -> u64 {
        slot as u64 * self.shard.of + self.shard.number - 1
    }

    /// The game with an ordinal.
    pub fn game(&self, ordinal: u64) -> Game {
        match ordinal.checked_sub(self.total()) {
            None => Game { ordinal, pairing: ordinal / self.games, index: ordinal % self.games },
            Some(beyond) => {
                let spare = self.most - self.games;
                Game { ordinal, pairing: beyond / spare, index: self.games + beyond % spare }
            }
        }
    }

    /// The ordinal of a game; `None` if there is no such game.
    pub fn ordinal(&self, pairing: u64, index: u64) -> Option<u64> {
        if pairing >= self.pairings || index >= self.most {
            return None;
        }
        Some(match index.checked_sub(self.games) {
            None => pairing * self.games + index,
            Some(beyond) => self.total() + pairing * (self.most - self.games) + beyond,
        })
    }

    /// True if the game with this ordinal belongs to this shard.
    pub fn is_here(&self, ordinal: u64) -> bool {
        if self.shard == Shard::WHOLE {
            return ordinal < self.pairings * self.most;
        }
        ordinal < self.total() && ordinal % self.shard.of == self.shard.number - 1
    }
}

/// The seed of a pairing's games: 31 bits of SHA-256, so that it fits the UCI option. It depends only on the plan's
/// seed and the names of entrant and constraint, so that a further entrant does not change the games of the others.
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
    fn every_game_belongs_to_one_shard() {
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
    fn spare_games_follow_all_regular_games() {
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
    fn seeds_depend_on_every_part_and_repeat() {
        let seeds = [seed(1, "a", "bc"), seed(2, "a", "bc"), seed(1, "ab", "c"), seed(1, "b", "bc")];
        for (index, seed) in seeds.iter().enumerate() {
            assert!(!seeds[..index].contains(seed) && (1..=i32::MAX as u64).contains(seed));
        }
        assert_eq!(seed(1, "a", "bc"), seed(1, "a", "bc"));
    }
}
