//! How likely humans are to reach a required opening from each position on the ways to it.
//!
//! Without this, games would be led along the moves that humans like best now, even if these need further moves that
//! humans hardly ever play. The value of a position is the sum over its moves of the probability that humans play the
//! move times the value of the position after it; it is 1 where the opening has been reached. Only the likeliest
//! positions of each length are looked at, and the value of the others is a rule of thumb.

use std::collections::HashMap;

use entente_network::{NetworkError, encoding::Distribution};
use entente_search::Game;
use shakmaty::{Move, MoveList};

use super::population::log_sum;
use crate::generation::{
    player::Task,
    policy::{PolicyView, Reach},
};

/// The number of positions of each length that are looked at.
const WIDTH: usize = 12;
/// Of positions that are not looked at, each ply to the opening makes success e times this less likely.
const LOSS_A_PLY: f64 = 1.5;

/// ln of the values of positions, by the keys of their games.
#[derive(Default)]
pub(super) struct OpeningValues(HashMap<u64, f64>);

/// A position that is looked at.
struct Node {
    game: Game,
    /// ln of the probability that humans reach it.
    reached: f64,
    moves: MoveList,
    chances: Distribution,
}

impl OpeningValues {
    /// The values of the positions from `start` to the opening that `reach` requires, if it requires one. It ends early
    /// if a limit forbids more evaluations.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(super) fn new(
        start: &Game,
        reach: &Reach,
        view: &mut PolicyView,
        task: &Task<'_>,
    ) -> Result<OpeningValues, NetworkError> {
        let mut levels: Vec<Vec<Node>> = Vec::new();
        let mut next =
            if reach.is_in_the_opening(start.situation()) { vec![(start.clone(), 0.0)] } else { Vec::new() };
        while !next.is_empty() {
            let games: Vec<&Game> = next.iter().map(|(game, _)| game).collect();
            if task.limits.forbid(view.evaluations(), games.len() as u64) {
                break;
            }
            let Some(answers) = view.human_of_all(&games, task.ratings, task.limits)? else { break };
            let nodes = next.into_iter().zip(answers);
            let nodes: Vec<Node> = nodes
                .map(|((game, reached), (moves, chances))| Node { game, reached, moves, chances })
                .collect();
            next = likeliest(&nodes, reach);
            levels.push(nodes);
        }
        let mut values = OpeningValues::default();
        for node in levels.iter().rev().flatten() {
            let children = node.children(reach).map(|(chance, child)| chance + values.of(&child, reach));
            let children: Vec<f64> = children.collect();
            values.0.insert(node.game.key().0, log_sum(children.into_iter()));
        }
        Ok(values)
    }

    /// ln of the value of a game's position.
    pub(super) fn of(&self, game: &Game, reach: &Reach) -> f64 {
        match reach.opening_plies(game.situation()) {
            None => f64::NEG_INFINITY,
            Some(0) => 0.0,
            Some(plies) => {
                let guess = -LOSS_A_PLY * f64::from(plies);
                self.0.get(&game.key().0).copied().unwrap_or(guess)
            }
        }
    }

    /// For each move of a game, ln of the value of the position after it.
    pub(super) fn after(&self, game: &Game, moves: &[Move], reach: &Reach) -> Vec<f32> {
        moves.iter().map(|m| self.of(&continued(game, *m), reach) as f32).collect()
    }
}

impl Node {
    /// The games after its moves that keep the opening within reach, with ln of the probabilities of the moves.
    fn children<'a>(&'a self, reach: &'a Reach) -> impl Iterator<Item = (f64, Game)> + use<'a> {
        let chances = self.moves.iter().zip(self.chances.logarithms());
        let children = chances.map(|(m, chance)| (f64::from(*chance), continued(&self.game, *m)));
        children.filter(|(_, child)| reach.opening_plies(child.situation()).is_some())
    }
}

/// The positions after those of `nodes` that humans most likely reach and that still have moves to the opening before
/// them, each once, with ln of the probabilities.
fn likeliest(nodes: &[Node], reach: &Reach) -> Vec<(Game, f64)> {
    let mut games: Vec<(Game, f64)> = Vec::new();
    let mut places: HashMap<u64, usize> = HashMap::new();
    for node in nodes {
        for (chance, child) in node.children(reach) {
            let reached = node.reached + chance;
            if reach.opening_plies(child.situation()) == Some(0) {
                continue;
            }
            match places.get(&child.key().0) {
                Some(place) => games[*place].1 = log_sum([games[*place].1, reached].into_iter()),
                None => {
                    places.insert(child.key().0, games.len());
                    games.push((child, reached));
                }
            }
        }
    }
    let plies = |game: &Game| f64::from(reach.opening_plies(game.situation()).unwrap_or(0));
    // The sort is stable, so the order is always the same.
    games.sort_by_cached_key(|(game, reached)| {
        std::cmp::Reverse(((reached - LOSS_A_PLY * plies(game)) * 1e6) as i64)
    });
    games.truncate(WIDTH);
    games
}

fn continued(game: &Game, m: Move) -> Game {
    let mut child = game.clone();
    child.play(m);
    child
}
