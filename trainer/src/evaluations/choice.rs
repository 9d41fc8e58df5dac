use std::sync::atomic::AtomicBool;

use entente_search::{AlphaBeta, Game, Limits, SearchRequest};
use rand::{Rng, RngExt};
use shakmaty::{Chess, Position};

use super::build::QUIET;
use crate::games::StoredGame;

/// Which positions of games are labelled.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The average number of positions drawn from a game; a shorter game gives all of its positions.
    pub per_game: usize,
    /// The share of these from which a random move is played; see [`Chooser::positions`].
    pub stray: f64,
}

/// Chooses the positions to label.
pub struct Chooser {
    choice: Choice,
    search: AlphaBeta,
}

/// A position that was chosen.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The position. It is quiet, and the game is not over.
    pub position: Chess,
    /// True if the position occurred in the game, and not only near it.
    pub was_played: bool,
}

impl Chooser {
    /// Creates a chooser.
    pub fn new(choice: Choice) -> Chooser {
        Chooser { choice, search: AlphaBeta::short() }
    }

    /// Chooses quiet positions: some from the game, and some of the kind that a search visits, after a random move and
    /// its punishment.
    pub fn positions(&mut self, game: &StoredGame, rng: &mut impl Rng) -> Vec<Chosen> {
        let Choice { per_game, stray } = self.choice;
        let share = (per_game as f64 / game.moves.len().max(1) as f64).min(1.0);
        let mut position = Chess::default();
        let mut chosen = Vec::new();
        for &m in &game.moves {
            position.play_unchecked(m);
            if !rng.random_bool(share) {
                continue;
            }
            let was_played = !rng.random_bool(stray);
            let mut position = position.clone();
            if was_played || self.stray(&mut position, rng) {
                chosen.push(Chosen { position, was_played });
            }
        }
        chosen.retain(|chosen| self.is_suitable(&chosen.position));
        chosen
    }

    fn is_suitable(&mut self, position: &Chess) -> bool {
        !position.is_game_over() && self.search.is_quiet(position, QUIET)
    }

    /// Plays a random move, then good moves until the position is quiet. False if that takes too many moves or ends the
    /// game.
    fn stray(&mut self, position: &mut Chess, rng: &mut impl Rng) -> bool {
        /// The number of good moves after which the position must be quiet.
        const PATIENCE: usize = 6;
        let moves = position.legal_moves();
        if moves.is_empty() {
            return false;
        }
        position.play_unchecked(moves[rng.random_range(..moves.len())]);
        for _ in 0..PATIENCE {
            if position.is_game_over() || self.is_suitable(position) {
                return !position.is_game_over();
            }
            let m = self.good_move(position);
            position.play_unchecked(m);
        }
        false
    }

    /// The best move according to a small search. The position must have a legal move.
    fn good_move(&mut self, position: &Chess) -> shakmaty::Move {
        const DEPTH: u32 = 2;
        const NODES: u64 = 2000;
        let moves = position.legal_moves().to_vec();
        let request = SearchRequest { moves, depth: DEPTH, mate: None, patient: false, lines: 1 };
        let stop = AtomicBool::new(false);
        let limits = Limits { nodes: NODES, ..Limits::until(&stop) };
        let lines = self.search.search(&Game::new(position.clone()), &request, limits, &mut |_| ());
        lines[0].moves[0]
    }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::ChaCha8Rng};

    use super::*;
    use crate::evaluations::tests::game;

    const MOVES: &str = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6 e1g1 e8g8 f1e1 a7a6 a2a4 c5a7";

    #[test]
    fn positions_are_quiet_and_some_are_not_from_the_game() {
        let game = game(MOVES);
        let mut played = Vec::new();
        let mut position = Chess::default();
        for &m in &game.moves {
            position.play_unchecked(m);
            played.push(position.board().clone());
        }
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut chooser = Chooser::new(Choice { per_game: 16, stray: 0.5 });
        let chosen: Vec<Chosen> = (0..20).flat_map(|_| chooser.positions(&game, &mut rng)).collect();
        let strayed = chosen.iter().filter(|chosen| !chosen.was_played).count();
        assert!((90..=230).contains(&strayed) && chosen.len() > 250, "{strayed} of {}", chosen.len());
        for Chosen { position, was_played } in &chosen {
            assert!(!position.is_check() && AlphaBeta::short().is_quiet(position, QUIET));
            assert!(!was_played || played.contains(position.board()));
        }
        // Some have fewer men than any position of the game.
        assert!(chosen.iter().any(|chosen| chosen.position.board().occupied().count() < 31));
    }

    #[test]
    fn the_average_number_of_chosen_positions_is_as_requested() {
        let game = game(MOVES);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut chooser = Chooser::new(Choice { per_game: 4, stray: 0.0 });
        let mean = (0..400).map(|_| chooser.positions(&game, &mut rng).len()).sum::<usize>() as f64 / 400.0;
        assert!((3.0..4.3).contains(&mean), "{mean}");
    }
}
