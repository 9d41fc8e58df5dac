//! All games of a given length that come to a diagram, depth first.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Move, Position, Rank, Role, Square};

use super::{bounds::Bounds, failures::Failures, goal::Goal, keys::Keys};
use crate::search::Limits;

/// A position of a game on its way.
#[derive(Clone)]
pub(super) struct Node {
    pub position: Chess,
    keys: Keys,
    rights: Bitboard,
    en_passant: Option<Square>,
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
    /// The root of all games, if the diagram can be reached from it.
    pub fn root(position: &Chess) -> Node {
        let keys = Keys::of(position.board());
        let rights = position.castles().castling_rights();
        let en_passant = position.ep_square(EnPassantMode::PseudoLegal);
        Node { position: position.clone(), keys, rights, en_passant, needed: 0 }
    }

    fn after(&self, m: Move) -> Node {
        let color = self.position.turn();
        let mut position = self.position.clone();
        position.play_unchecked(m);
        let touched = m.from().map_or(Bitboard::EMPTY, Bitboard::from).with(m.to());
        let own = Bitboard::from(color.fold_wb(Rank::First, Rank::Eighth));
        let lost = if m.role() == Role::King { own | touched } else { touched };
        Node {
            en_passant: position.ep_square(EnPassantMode::PseudoLegal),
            position,
            keys: self.keys.after(m, color),
            rights: self.rights & !lost,
            needed: 0,
        }
    }

    fn key(&self, plies: u32) -> u128 {
        self.keys.position(self.rights, self.en_passant, plies)
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
        Color::ALL.map(|color| self.needs(node, color))
    }

    fn needs(&mut self, node: &Node, color: Color) -> u8 {
        let men = (node.position.board(), &node.keys);
        self.bounds.moves_needed(self.goal, men, node.rights, node.en_passant, color)
    }

    /// Puts the positions after one move from `node`, which has so many plies left, behind those in `self.nodes`, if the
    /// diagram may be reached from them in time: those that need the fewest moves first, others in the order in which
    /// moves are generated. Returns where they begin.
    fn expand(&mut self, node: &Node, plies: u32) -> Result<usize, Cut> {
        let color = node.position.turn();
        let left = plies - 1;
        let begin = self.children.len();
        for m in node.position.legal_moves() {
            self.count()?;
            let mut child = node.after(m);
            // The other side moves next, and has the odd one.
            let moves = [(color, left / 2), (color.other(), left.div_ceil(2))];
            let board = child.position.board();
            if moves.iter().any(|(color, left)| self.goal.captures_needed(board, *color) > *left) {
                continue;
            }
            let is_hopeless = moves.iter().any(|(color, left)| {
                let needs = self.needs(&child, *color);
                child.needed += u32::from(needs);
                u32::from(needs) > *left
            });
            if !is_hopeless {
                self.children.push((m, child));
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
        let key = node.key(plies);
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
