//! A depth-first search for all games of a given length that reach a diagram.

use shakmaty::Move;

use super::{
    expansion::{Cut, Expansion, Node},
    failures::Failures,
    goal::ProofGoal,
};

/// The fewest plies left for which failures are stored. With fewer plies, a search is faster than a lookup.
const MIN_STORED: u32 = 2;

/// A depth-first search below positions. Every thread has its own.
pub(super) struct Descent<'a> {
    goal: &'a ProofGoal,
    failures: &'a Failures,
    expansion: Expansion<'a>,
    line: Vec<Move>,
    /// A stack of the positions still to be searched along the line.
    children: Vec<(Move, Node)>,
    /// The games found.
    pub games: Vec<Vec<Move>>,
}

impl<'a> Descent<'a> {
    pub(super) fn new(goal: &'a ProofGoal, failures: &'a Failures, expansion: Expansion<'a>) -> Descent<'a> {
        Descent { goal, failures, expansion, line: Vec::new(), children: Vec::new(), games: Vec::new() }
    }

    /// Searches all games that continue with exactly `plies` plies from `node`, to which `line` leads, until `enough`
    /// is true for the games found so far. Returns the number of games found.
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
        // An interrupted search may have left nodes on the stack.
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
        if plies >= MIN_STORED && self.failures.contains(key, plies) {
            return Ok(0);
        }
        let mut found = 0;
        let begin = self.children.len();
        self.expansion.expand(node, plies, &mut self.children)?;
        // The positions that need the fewest moves come first.
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
        if found == 0 && plies >= MIN_STORED {
            self.failures.add(key, plies);
        }
        Ok(found)
    }
}
