//! Determines how often each game, and each side of it, is drawn.

use std::collections::{BTreeMap, HashMap};

use entente_network::encoding::goal_policy::RatingScale;
use rand::{Rng, RngExt};

use super::Archive;
use crate::games::Player;

/// The width of a rating band.
const BAND: u16 = 200;

/// Draws games so that sources, rating bands and players are better balanced than in the collection.
#[derive(Debug)]
pub(super) struct Balance {
    /// The bands, each with the cumulative probability up to and including it.
    bands: Vec<(f64, Band)>,
    shares: Shares,
}

/// The games of a rating band on a scale, each with the cumulative weight up to and including it.
#[derive(Debug, Default)]
struct Band {
    games: Vec<(f64, u32)>,
}

impl Band {
    /// The total weight of the games.
    fn weight(&self) -> f64 {
        self.games.last().map_or(0.0, |(sum, _)| *sum)
    }
}

impl Balance {
    /// Online games are drawn with the total probability `online`. Among online games, and among the others, the
    /// probability of a band is proportional to the square root of the total weight of its games; see [`Shares::new`].
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

    /// Draws a game. Also returns the weights with which White's and Black's moves are drawn; the greater one is 1.
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

/// The weights of the moves of each side of a game, from 0 to 1.
#[derive(Debug)]
pub struct Shares(Vec<[f32; 2]>);

impl Shares {
    /// If a player has more than `player_games` games, that player's moves are weighted down, so that together they
    /// count as those of `player_games` games. All other moves have the weight 1. With 0, no moves are weighted down.
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

    /// The weights of White's and Black's moves of a game.
    pub fn of(&self, game: usize) -> [f64; 2] {
        self.0[game].map(f64::from)
    }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::ChaCha8Rng};
    use shakmaty::Move;

    use super::*;
    use crate::samples::{goal::GameInfo, tests::random_game};

    /// 200 games of four scales and bands. In the first half, player 1 is White.
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
    fn a_player_counts_as_a_limited_number_of_games() {
        let archive = archive();
        let counted = |player_games| {
            let shares = Shares::new(&archive, player_games);
            let side = |games: std::ops::Range<usize>, side: usize| -> f64 {
                games.map(|game| shares.of(game)[side]).sum()
            };
            [side(0..100, 0), side(0..100, 1), side(100..200, 0)].map(f64::round)
        };
        assert_eq!(counted(20), [20.0, 100.0, 100.0], "the opponents' moves count in full");
        assert_eq!(counted(100), [100.0; 3]);
        assert_eq!(counted(0), [100.0; 3]);
    }

    #[test]
    fn scales_bands_and_players_have_their_shares() {
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
            // The player's share of the moves that are drawn from the game.
            frequent += if game < 100 { white / (white + black) } else { 0.0 };
        }
        assert!(online.abs_diff(DRAWS / 2) < DRAWS / 20, "{online}");
        assert!(chess_com.abs_diff(DRAWS / 6) < DRAWS / 20, "{chess_com}: one of three bands online");
        // The weight of the player is 20, and the total weight of all sides is 320.
        assert!((frequent / DRAWS as f64 - 20.0 / 320.0).abs() < 0.02, "{frequent}");
    }
}
