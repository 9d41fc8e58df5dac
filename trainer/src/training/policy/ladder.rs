use entente::{parallel::map_in_order, predictor::MovePredictor, skill::Skilled};
use entente_network::{
    NetworkError, Policy, Query,
    encoding::{
        Distribution,
        goal_policy::{Aim, Context, RatingScale, last_moves},
    },
};
use entente_search::Game;
use rand::{SeedableRng, rngs::ChaCha8Rng};
use shakmaty::{Chess, Color, Position};

/// Games with more plies than this count as draws.
const MAX_PLIES: u32 = 400;

/// A match of a policy against itself. It is given both ratings, and moves are drawn with its skill, if it has one.
#[derive(Clone, Copy, Debug)]
pub struct Match {
    /// The ratings of both players.
    pub ratings: [u16; 2],
    /// The scale of the ratings.
    pub scale: RatingScale,
    /// The number of games. The players alternate colours.
    pub games: usize,
    /// The seed of all games.
    pub seed: u64,
}

/// The result of a match for the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Points {
    /// Number of games won.
    pub won: usize,
    /// Number of games drawn.
    pub drawn: usize,
    /// Number of games lost.
    pub lost: usize,
}

impl Points {
    /// The number of games.
    pub fn games(&self) -> usize {
        self.won + self.drawn + self.lost
    }

    /// The share of the points and its standard error.
    pub fn share(&self) -> (f64, f64) {
        let [won, drawn, lost] = [self.won, self.drawn, self.lost].map(|games| games as f64);
        let games = (won + drawn + lost).max(1.0);
        let mean = (won + drawn / 2.0) / games;
        let square = (won + drawn / 4.0) / games;
        (mean, ((square - mean * mean).max(0.0) / games).sqrt())
    }
}

impl Match {
    /// Plays all games on `threads` threads, whose number does not change the result. `done` is called after each game.
    ///
    /// # Errors
    ///
    /// If the policy cannot be run.
    pub fn play(
        &self,
        policy: &Policy,
        threads: usize,
        done: impl Fn() + Sync,
    ) -> Result<Points, NetworkError> {
        let mut players: Vec<_> = (0..threads.max(1)).map(|_| Skilled::of(policy).for_play()).collect();
        let results = map_in_order(0..self.games, &mut players, |player, game| {
            let first = if game.is_multiple_of(2) { Color::White } else { Color::Black };
            let winner = self.game(player, game as u64, first)?;
            done();
            Ok(winner.map(|winner| winner == first))
        })?;
        let count = |result| results.iter().filter(|other| **other == result).count();
        Ok(Points { won: count(Some(true)), drawn: count(None), lost: count(Some(false)) })
    }

    /// Plays one game, in which the first player has the colour `first`. Returns the winner.
    fn game(
        &self,
        session: &mut impl MovePredictor,
        number: u64,
        first: Color,
    ) -> Result<Option<Color>, NetworkError> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number);
        let [ours, theirs] = self.ratings;
        let ratings = first.fold_wb([Some(ours), Some(theirs)], [Some(theirs), Some(ours)]);
        let mut game = Game::new(Chess::default());
        while !game.is_over() && (game.moves().len() as u32) < MAX_PLIES {
            let legal = game.position().legal_moves();
            let context = Context {
                ratings,
                scale: Some(self.scale),
                ply: game.moves().len() as u32,
                plies_left: None,
                last_moves: last_moves(game.moves()),
                repeated: game.repetitions(),
                ..Context::default()
            };
            let position = game.position();
            let query = Query { position, moves: &legal, played: &[], context, aim: &Aim::NONE };
            let moves = Distribution::new(session.predict_one(&query)?.logits);
            let Some(index) = moves.draw(&mut rng) else { break };
            game.play(legal[index]);
        }
        let position = game.position();
        Ok(position.is_checkmate().then(|| position.turn().other()))
    }
}

#[cfg(test)]
mod tests {
    use entente_network::NetworkKind as _;

    use super::*;

    #[test]
    fn a_match_is_the_same_with_any_number_of_threads() {
        let policy = Policy::open(Policy::DEFAULT).unwrap();
        let pair = Match { ratings: [2200, 1000], scale: RatingScale::Online, games: 6, seed: 1 };
        let points = pair.play(&policy, 1, || ()).unwrap();
        assert_eq!(points.won + points.drawn + points.lost, 6);
        assert_eq!(points, pair.play(&policy, 3, || ()).unwrap());
    }

    #[test]
    fn the_standard_error_is_that_of_a_mean() {
        let points = Points { won: 60, drawn: 20, lost: 20 };
        let (share, error) = points.share();
        assert!((share - 0.7).abs() < 1e-12);
        // Variance 0.6·0.09 + 0.2·0.04 + 0.2·0.49 = 0.16.
        assert!((error - 0.04).abs() < 1e-12);
        assert_eq!(Points::default().share(), (0.0, 0.0));
    }
}
