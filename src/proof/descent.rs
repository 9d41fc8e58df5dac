//! All games of a given length that come to a diagram, depth first.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use shakmaty::{Chess, Color, Move, Position};

use super::{bounds::Bounds, failures::Failures, goal::Goal, keys::State};
use crate::search::Limits;

/// A position of a game on its way.
#[derive(Clone)]
pub(super) struct Node {
    position: Chess,
    state: State,
    /// The moves that both sides still need, at least.
    needed: u32,
}

/// Why a descent ended before its end.
pub(super) struct Cut;

/// Nodes between two looks at the clock.
const LOOK: u64 = 1024;
/// Positions with fewer plies left are sooner searched again than looked up.
const WORTH: u32 = 2;

/// Searches below positions; every thread has its own.
pub(super) struct Descent<'a> {
    goal: &'a Goal,
    failures: &'a Failures,
    bounds: Bounds,
    limits: Limits<'a>,
    /// Nodes of all threads.
    all: &'a AtomicU64,
    nodes: u64,
    line: Vec<Move>,
    /// The positions that wait along the line.
    children: Vec<(Move, Node)>,
    /// The games found.
    pub games: Vec<Vec<Move>>,
}

impl Node {
    /// The root of all games.
    pub fn root(position: &Chess) -> Node {
        Node { position: position.clone(), state: State::of(position), needed: 0 }
    }
}

impl<'a> Descent<'a> {
    pub fn new(
        goal: &'a Goal,
        failures: &'a Failures,
        limits: Limits<'a>,
        all: &'a AtomicU64,
    ) -> Descent<'a> {
        Descent {
            goal,
            failures,
            bounds: Bounds::new(),
            limits,
            all,
            nodes: 0,
            line: Vec::new(),
            children: Vec::new(),
            games: Vec::new(),
        }
    }

    /// The least number of moves that each side needs from `node`, White's first.
    pub fn moves_needed(&mut self, node: &Node) -> [u8; 2] {
        let board = node.position.board();
        Color::ALL.map(|color| self.bounds.moves_needed(self.goal, &node.state, color, || board))
    }

    /// Puts the positions after one move from `node`, which has so many plies left, behind those in `self.children`, if the
    /// diagram may be reached from them in time: those that need the fewest moves first, others in the order in which
    /// moves are generated. Returns where they begin.
    fn expand(&mut self, node: &Node, plies: u32) -> Result<usize, Cut> {
        let color = node.position.turn();
        // The other side moves next, and has the odd one.
        let left = [(color, (plies - 1) / 2), (color.other(), (plies - 1).div_ceil(2))];
        let [captures, others] =
            left.map(|(color, _)| self.goal.captures_needed(node.position.board(), color));
        let begin = self.children.len();
        if others > left[1].1 {
            return Ok(begin);
        }
        for m in node.position.legal_moves() {
            self.count()?;
            if captures > left[0].1 + u32::from(m.is_capture()) {
                continue;
            }
            let state = node.state.after(m, &node.position);
            // Most moves are hopeless, and most of these are known to be by their keys: the board after them is not made
            // before it must be.
            let mut after = None;
            let mut needed = 0;
            let is_hopeless = left.iter().any(|(color, left)| {
                let made = &mut after;
                let needs = self.bounds.moves_needed(self.goal, &state, *color, move || {
                    made.get_or_insert_with(|| played(&node.position, m)).board()
                });
                let needs = u32::from(needs);
                needed += needs;
                needs > *left
            });
            if !is_hopeless {
                let position = after.unwrap_or_else(|| played(&node.position, m));
                self.children.push((m, Node { position, state, needed }));
            }
        }
        self.children[begin..].sort_by_key(|(_, child)| child.needed);
        Ok(begin)
    }

    /// The positions after one move from `node`, as they would be searched.
    pub fn children(&mut self, node: &Node, plies: u32) -> Result<Vec<(Move, Node)>, Cut> {
        let begin = self.expand(node, plies)?;
        Ok(self.children.drain(begin..).collect())
    }

    /// Searches all games of exactly so many plies from `node`, which begin with `line`, until `enough` says that no more
    /// are wanted. Returns how many were found.
    pub fn search_from(
        &mut self,
        line: &[Move],
        node: &Node,
        plies: u32,
        enough: &impl Fn(&[Vec<Move>]) -> bool,
    ) -> Result<u64, Cut> {
        // What a cut has left.
        self.children.clear();
        self.line.clear();
        self.line.extend_from_slice(line);
        self.search(node, plies, enough)
    }

    fn search(
        &mut self,
        node: &Node,
        plies: u32,
        enough: &impl Fn(&[Vec<Move>]) -> bool,
    ) -> Result<u64, Cut> {
        if plies == 0 {
            if !self.goal.is_met(&node.position) {
                return Ok(0);
            }
            self.games.push(self.line.clone());
            return Ok(1);
        }
        let key = node.state.key(plies);
        if plies >= WORTH && self.failures.contains(key, plies) {
            return Ok(0);
        }
        let mut found = 0;
        let begin = self.expand(node, plies)?;
        for index in begin..self.children.len() {
            let (m, child) = self.children[index].clone();
            self.line.push(m);
            found += self.search(&child, plies - 1, enough)?;
            self.line.pop();
            if found > 0 && enough(&self.games) {
                break;
            }
        }
        self.children.truncate(begin);
        if found == 0 && plies >= WORTH {
            self.failures.add(key, plies);
        }
        Ok(found)
    }

    /// Counts a node; every now and then it looks at the limits.
    fn count(&mut self) -> Result<(), Cut> {
        self.nodes += 1;
        if self.nodes == LOOK {
            self.nodes = 0;
            let all = self.all.fetch_add(LOOK, Relaxed) + LOOK;
            if self.limits.forbid(all, 0) {
                return Err(Cut);
            }
        }
        Ok(())
    }
}

/// The position after a move.
fn played(position: &Chess, m: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(m);
    after
}
