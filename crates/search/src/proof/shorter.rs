//! Beam search for games that are shorter than a known one. Of the partial games of each length, it keeps those that
//! need the fewest further moves.

use std::sync::atomic::AtomicU64;

use shakmaty::Move;

use super::{
    expansion::{Cut, Expansion, Node},
    goal::ProofGoal,
};
use crate::{Keys, Limits};

/// The width of the first beam: the number of games of each length that it keeps.
const NARROWEST: usize = 250;
/// The factor by which the width grows after a beam that has found nothing.
const WIDER: usize = 4;
/// The greatest width. The children of a level then take about 30 MB.
const WIDEST: usize = 16_000;

/// The shortest game of at most `max_plies` plies that beam searches find, if they find any. `nodes` counts the
/// positions searched. `found` is called with the number of plies of every game that is found on the way.
pub fn shorter(
    goal: &ProofGoal,
    mut max_plies: u32,
    limits: Limits<'_>,
    nodes: &AtomicU64,
    mut found: impl FnMut(u32),
) -> Option<Vec<Move>> {
    let mut expansion = Expansion::new(goal, limits, nodes);
    let (mut width, mut best) = (NARROWEST, None);
    while width <= WIDEST {
        match beam(&mut expansion, goal, max_plies, width) {
            Err(Cut) => break,
            Ok(None) => width *= WIDER,
            Ok(Some(game)) => {
                found(game.len() as u32);
                // No game is shorter than a game without moves.
                let Some(shorter) = (game.len() as u32).checked_sub(1) else { return Some(game) };
                (max_plies, best) = (shorter, Some(game));
            }
        }
    }
    best
}

/// A game of at most `max_plies` plies, if a beam of this width finds one.
fn beam(
    expansion: &mut Expansion<'_>,
    goal: &ProofGoal,
    max_plies: u32,
    width: usize,
) -> Result<Option<Vec<Move>>, Cut> {
    let root = Node::root(goal.start());
    if goal.is_met(&root.position) {
        return Ok(Some(Vec::new()));
    }
    // A position is first reached in the fewest plies, so later occurrences are not needed.
    let mut seen: Keys = [root.state.key() as u64].into_iter().collect();
    // For each length and each game, the index of its parent and its last move.
    let mut steps: Vec<Vec<(usize, Move)>> = Vec::new();
    let (mut level, mut children) = (vec![root], Vec::new());
    for ply in 0..max_plies {
        let mut longer: Vec<Longer> = Vec::new();
        for (parent, node) in level.iter().enumerate() {
            expansion.expand(node, max_plies - ply, &mut children)?;
            for (m, child) in children.drain(..) {
                if child.needed == 0 && goal.is_met(&child.position) {
                    return Ok(Some(line(&steps, parent, m)));
                }
                let key = child.state.key() as u64;
                if seen.insert(key) {
                    longer.push(Longer { needed: child.needed, key, parent, m });
                }
            }
        }
        if longer.len() > width {
            longer.select_nth_unstable_by_key(width, Longer::order);
            longer.truncate(width);
        }
        longer.sort_unstable_by_key(Longer::order);
        level =
            longer.iter().map(|Longer { parent, m, needed, .. }| level[*parent].after(*m, *needed)).collect();
        steps.push(longer.into_iter().map(|Longer { parent, m, .. }| (parent, m)).collect());
    }
    Ok(None)
}

/// A game extended by one move.
struct Longer {
    /// A lower bound on the number of moves that both sides together still need.
    needed: u32,
    /// The key of its position.
    key: u64,
    /// The index of the game without the last move.
    parent: usize,
    m: Move,
}

impl Longer {
    /// The sort key. Ties are broken by the position keys, that is at random.
    fn order(&self) -> (u32, u64) {
        (self.needed, self.key)
    }
}

/// The game that ends with `last` after the game with index `parent` of the last level.
fn line(steps: &[Vec<(usize, Move)>], mut parent: usize, last: Move) -> Vec<Move> {
    let mut game = vec![last];
    for games in steps.iter().rev() {
        let (before, m) = games[parent];
        game.push(m);
        parent = before;
    }
    game.reverse();
    game
}
