use rand::{Rng, RngExt};

use super::{Archive, GameInfo, ReplayedGame, Shares};

/// Draws positions from some games of an archive. All plies are equally likely.
#[derive(Debug)]
pub struct Plies<'a> {
    archive: &'a Archive,
    games: Vec<usize>,
    /// The total number of plies of the games up to and including each one.
    ends: Vec<usize>,
}

impl Plies<'_> {
    /// Draws from the games for which `is_wanted` is true.
    pub fn new(archive: &Archive, is_wanted: impl Fn(usize) -> bool) -> Plies<'_> {
        let is_wanted = |game: &usize| archive.game_plies(*game) > 0 && is_wanted(*game);
        let games: Vec<usize> = (0..archive.len()).filter(is_wanted).collect();
        let mut plies = 0;
        let ends = games.iter().map(|game| {
            plies += archive.game_plies(*game);
            plies
        });
        Plies { archive, ends: ends.collect(), games }
    }

    /// Draws `count` positions and calls `each` with them, in the order of the games. `each` gets the information about
    /// the game, the replayed game, and the number of plies before the position. `shares` makes moves of players with
    /// many games rarer. If there are no games, nothing is drawn.
    pub fn draw(
        &self,
        count: usize,
        shares: &Shares,
        rng: &mut impl Rng,
        mut each: impl FnMut(&GameInfo, &ReplayedGame, usize),
    ) {
        let Some(plies) = self.ends.last().copied() else { return };
        let mut drawn = Vec::with_capacity(count);
        while drawn.len() < count {
            let place = rng.random_range(0..plies);
            let index = self.ends.partition_point(|end| *end <= place);
            let ply = place - if index > 0 { self.ends[index - 1] } else { 0 };
            let share = shares.of(self.games[index])[ply % 2];
            if share == 1.0 || rng.random_bool(share) {
                drawn.push((self.games[index], ply));
            }
        }
        drawn.sort_unstable();
        let mut replayed: Option<(usize, ReplayedGame)> = None;
        for (game, ply) in drawn {
            if replayed.as_ref().is_none_or(|(other, _)| *other != game) {
                replayed = Some((game, ReplayedGame::new(self.archive, game)));
            }
            let (_, replayed) = replayed.as_ref().expect("it was just created");
            each(self.archive.info(game), replayed, ply);
        }
    }
}
