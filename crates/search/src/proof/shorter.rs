//! Shorter games than one that is known, by beams: of the games of each length those go on that need the fewest moves
//! more, as many as the beam is wide.

use std::sync::atomic::AtomicU64;

use shakmaty::{Chess, Move};

use super::{
    expansion::{Cut, Expansion, Node},
    goal::Goal,
};
use crate::{Keys, Limits};

/// Games of each length that the first beam keeps.
const NARROWEST: usize = 250;
/// A beam that has found nothing is followed by one so many times as wide,
const WIDER: usize = 4;
/// … of at most so many games: their children take some 30 MB.
const WIDEST: usize = 16_000;

/// The shortest game of at most `most_plies` that beams find, if they find any. `nodes` counts the positions searched;
/// `found` is told the plies of every game that is found on the way.
pub fn shorter(
    goal: &Goal,
    mut most_plies: u32,
    limits: Limits<'_>,
    nodes: &AtomicU64,
    mut found: impl FnMut(u32),
) -> Option<Vec<Move>> {
    let mut expansion = Expansion::new(goal, limits, nodes);
    let (mut width, mut best) = (NARROWEST, None);
    while width <= WIDEST {
        match beam(&mut expansion, goal, most_plies, width) {
            Err(Cut) => break,
            Ok(None) => width *= WIDER,
            Ok(Some(game)) => {
                found(game.len() as u32);
                // None is shorter than one without a move.
                let Some(shorter) = (game.len() as u32).checked_sub(1) else { return Some(game) };
                (most_plies, best) = (shorter, Some(game));
            }
        }
    }
    best
}

/// A game of at most `most_plies`, if a beam so wide finds one.
fn beam(
    expansion: &mut Expansion<'_>,
    goal: &Goal,
    most_plies: u32,
    width: usize,
) -> Result<Option<Vec<Move>>, Cut> {
    let root = Node::root(&Chess::default());
    if goal.is_met(&root.position) {
        return Ok(Some(Vec::new()));
    }
    // A position is come to by the fewest plies first.
    let mut seen: Keys = [root.state.key() as u64].into_iter().collect();
    // Of each game of each length its last move and the game before it.
    let mut steps: Vec<Vec<(usize, Move)>> = Vec::new();
    let (mut level, mut children) = (vec![root], Vec::new());
    for ply in 0..most_plies {
        let mut longer: Vec<Longer> = Vec::new();
        for (parent, node) in level.iter().enumerate() {
            expansion.expand(node, most_plies - ply, &mut children)?;
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

/// A game with one more move.
struct Longer {
    /// The moves that both sides still need, at least.
    needed: u32,
    /// The key of its position.
    key: u64,
    /// The game before.
    parent: usize,
    m: Move,
}

impl Longer {
    /// Equals are taken by their keys, which is to say by lot.
    fn order(&self) -> (u32, u64) {
        (self.needed, self.key)
    }
}

/// The game that ends with `last`, behind game `parent` of the longest.
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
