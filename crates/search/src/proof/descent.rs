//! All games of a given length that come to a diagram, depth first.

use shakmaty::Move;

use super::{
    expansion::{Cut, Expansion, Node},
    failures::Failures,
    goal::Goal,
};

/// Positions with fewer plies left are sooner searched again than looked up.
const WORTH: u32 = 2;

/// Searches below positions; every thread has its own.
pub(super) struct Descent<'a> {
    goal: &'a Goal,
    failures: &'a Failures,
    expansion: Expansion<'a>,
    line: Vec<Move>,
    /// The positions that wait along the line.
    children: Vec<(Move, Node)>,
    /// The games found.
    pub games: Vec<Vec<Move>>,
}

impl<'a> Descent<'a> {
    pub(super) fn new(goal: &'a Goal, failures: &'a Failures, expansion: Expansion<'a>) -> Descent<'a> {
        Descent { goal, failures, expansion, line: Vec::new(), children: Vec::new(), games: Vec::new() }
    }

    /// Searches all games of exactly so many plies from `node`, which begin with `line`, until `enough` says that no more
    /// are wanted. Returns how many were found.
    ///
    /// # Errors
    /// [`Cut`] if a limit ends the search.
    pub(super) fn search_from(
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
        let key = node.state.key_with(plies);
        if plies >= WORTH && self.failures.contains(key, plies) {
            return Ok(0);
        }
        let mut found = 0;
        let begin = self.children.len();
        self.expansion.expand(node, plies, &mut self.children)?;
        // Those that need the fewest moves first.
        self.children[begin..].sort_by_key(|(_, child)| child.needed);
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
}
