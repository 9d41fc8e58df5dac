use rand::{Rng, RngExt};

use super::{Archive, GameInfo, Shares, Trace};

/// Positions of some games of an archive, every ply alike.
#[derive(Debug)]
pub struct Plies<'a> {
    archive: &'a Archive,
    games: Vec<usize>,
    /// The sum of the plies of all games before and of this one.
    ends: Vec<usize>,
}

impl Plies<'_> {
    /// Of the games that `is_wanted`.
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

    /// Gives `each` `count` positions, in the order of the games: what is known of the game, the game laid out, and the plies
    /// before. Moves of players of many games are rarer, as `shares` has it. None if there are no games.
    pub fn draw(
        &self,
        count: usize,
        shares: &Shares,
        rng: &mut impl Rng,
        mut each: impl FnMut(&GameInfo, &Trace, usize),
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
        let mut trace: Option<(usize, Trace)> = None;
        for (game, ply) in drawn {
            if trace.as_ref().is_none_or(|(other, _)| *other != game) {
                trace = Some((game, Trace::new(self.archive, game)));
            }
            let (_, trace) = trace.as_ref().expect("made just now");
            each(self.archive.info(game), trace, ply);
        }
    }
}
