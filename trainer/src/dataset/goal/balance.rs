//! How often each game, and each side of it, is drawn.

use std::collections::{BTreeMap, HashMap};

use entente_network::encoding::goal_policy::RatingScale;
use rand::{Rng, RngExt};

use super::Archive;
use crate::games::Player;

/// The width of a band of ratings.
const BAND: u16 = 200;

/// Draws games so that sources, bands of ratings and players are better balanced than the collection is.
#[derive(Debug)]
pub(super) struct Balance {
    /// Each with the sum of the chances of all before and of this one.
    bands: Vec<(f64, Band)>,
    shares: Shares,
}

/// Games of a scale whose mean ratings are near each other, each with the sum of the weights of all before and of this one.
#[derive(Debug, Default)]
struct Band {
    games: Vec<(f64, u32)>,
}

impl Band {
    /// The number of games that it counts as.
    fn weight(&self) -> f64 {
        self.games.last().map_or(0.0, |(sum, _)| *sum)
    }
}

impl Balance {
    /// Online games together are drawn with chance `online`; within either kind a band with the square root of the number
    /// of games that it counts as, see [`Shares::new`].
    pub(super) fn new(archive: &Archive, online: f64, player_games: u32) -> Balance {
        let shares = Shares::new(archive, player_games);
        let mut bands: BTreeMap<(RatingScale, u16), Band> = BTreeMap::new();
        for game in (0..archive.len()).filter(|game| archive.game_plies(*game) > 0) {
            let info = archive.info(game);
            let band = bands.entry((info.scale, info.mean_rating() / BAND)).or_default();
            let [white, black] = shares.of(game);
            band.games.push((band.weight() + (white + black) / 2.0, game as u32));
        }
        let total = |wanted: bool| -> f64 {
            let kind = bands.iter().filter(|((scale, _), _)| scale.is_online() == wanted);
            kind.map(|(_, band)| band.weight().sqrt()).sum()
        };
        let totals = [total(false), total(true)];
        let kinds = if totals.contains(&0.0) { [1.0; 2] } else { [1.0 - online, online] };
        let mut sum = 0.0;
        let bands = bands
            .into_iter()
            .map(|((scale, _), band)| {
                let kind = usize::from(scale.is_online());
                sum += kinds[kind] * band.weight().sqrt() / totals[kind];
                (sum, band)
            })
            .collect();
        Balance { bands, shares }
    }

    /// A game, and how much its White's and its Black's moves are to be drawn, the greater of which is 1.
    pub(super) fn draw(&self, rng: &mut impl Rng) -> (usize, [f64; 2]) {
        let number: f64 = rng.random();
        let band = self.bands.iter().find(|(sum, _)| number < *sum).or(self.bands.last());
        let (_, band) = band.expect("an archive is never empty");
        let place = rng.random::<f64>() * band.weight();
        let index = band.games.partition_point(|(sum, _)| *sum <= place).min(band.games.len() - 1);
        let game = band.games[index].1 as usize;
        let [white, black] = self.shares.of(game);
        let most = white.max(black);
        (game, [white / most, black / most])
    }
}

/// How much the moves of each side of a game count, from 0 to 1.
#[derive(Debug)]
pub struct Shares(Vec<[f32; 2]>);

impl Shares {
    /// Moves of a player of more than `player_games` games count so much less that all of them together count as those of
    /// so many games; those of others, and of unknown players, count 1. 0: nobody's count less.
    pub fn new(archive: &Archive, player_games: u32) -> Shares {
        let mut games: HashMap<Player, u32> = HashMap::new();
        let players = |game: usize| archive.info(game).players;
        for player in (0..archive.len()).flat_map(players).flatten().filter(|_| player_games > 0) {
            *games.entry(player).or_default() += 1;
        }
        let share = |player: Option<Player>| {
            let games = player.and_then(|player| games.get(&player)).copied().unwrap_or_default();
            if games > player_games { player_games as f32 / games as f32 } else { 1.0 }
        };
        let share = |player| if player_games > 0 { share(player) } else { 1.0 };
        Shares((0..archive.len()).map(|game| players(game).map(share)).collect())
    }

    /// White's and Black's of a game.
    pub fn of(&self, game: usize) -> [f64; 2] {
        self.0[game].map(f64::from)
    }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::ChaCha8Rng};
    use shakmaty::Move;

    use super::*;
    use crate::dataset::{goal::GameInfo, tests::random_game};

    /// Two hundred games, in the first half of which player 1 is White, of four scales and bands.
    fn archive() -> Archive {
        let moves: Vec<Move> = random_game(1, 60);
        let info = |game: u16| {
            let player = |number: u16| Some(Player::named("test", &number.to_string()));
            let (scale, rating) = match game % 4 {
                0 => (RatingScale::Fide, 1500),
                1 => (RatingScale::ChessCom, 1500),
                2 => (RatingScale::Online, 1500),
                _ => (RatingScale::Online, 1900),
            };
            let players = [player(if game < 100 { 1 } else { 2 * game }), player(2 * game + 3)];
            GameInfo { players, ..GameInfo::generated([rating; 2], scale) }
        };
        Archive::of((0..200).map(|game| (info(game), moves.as_slice())))
    }

    #[test]
    fn a_player_counts_as_so_many_games_at_most() {
        let archive = archive();
        let counted = |player_games| {
            let shares = Shares::new(&archive, player_games);
            let side = |games: std::ops::Range<usize>, side: usize| -> f64 {
                games.map(|game| shares.of(game)[side]).sum()
            };
            [side(0..100, 0), side(0..100, 1), side(100..200, 0)].map(f64::round)
        };
        assert_eq!(counted(20), [20.0, 100.0, 100.0], "its opponents' moves count in full");
        assert_eq!(counted(100), [100.0; 3]);
        assert_eq!(counted(0), [100.0; 3]);
    }

    #[test]
    fn scales_and_bands_have_their_shares_and_players_theirs() {
        let (archive, mut rng) = (archive(), ChaCha8Rng::seed_from_u64(3));
        let balance = Balance::new(&archive, 0.5, 20);
        let (mut online, mut chess_com, mut frequent) = (0, 0, 0.0);
        const DRAWS: usize = 4000;
        for _ in 0..DRAWS {
            let (game, [white, black]) = balance.draw(&mut rng);
            assert!(white.max(black) == 1.0);
            let scale = archive.info(game).scale;
            online += usize::from(scale.is_online());
            chess_com += usize::from(scale == RatingScale::ChessCom);
            // Its share of the moves that are drawn from the game.
            frequent += if game < 100 { white / (white + black) } else { 0.0 };
        }
        assert!(online.abs_diff(DRAWS / 2) < DRAWS / 20, "{online}");
        assert!(chess_com.abs_diff(DRAWS / 6) < DRAWS / 20, "{chess_com}: one of three bands online");
        // 20 of the 320 sides that count.
        assert!((frequent / DRAWS as f64 - 20.0 / 320.0).abs() < 0.02, "{frequent}");
    }
}
