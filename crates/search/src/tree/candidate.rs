use shakmaty::Move;

use super::{
    backup::{Backup, Known},
    edge::Edge,
    found::Found,
    nodes::{Step, Tree},
    visit::Shared,
};
use crate::Score;

/// A move of the root, as the search sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The line of play that is looked at most; never empty.
    pub moves: Vec<Move>,
    /// Visits.
    pub visits: u32,
    /// What it is worth to the mover.
    pub found: Found,
    /// What is proved of it.
    pub known: Option<Known>,
    /// How likely it was the best, before it was looked at.
    pub prior: f32,
}

impl Candidate {
    /// What the move is worth to the mover: what was found of it, or the mate that is proved.
    pub fn score(&self) -> Score {
        match self.known {
            Some(Known { value, plies }) if value != 0.0 => {
                Score::Mate(value.signum() as i32 * plies.div_ceil(2) as i32)
            }
            _ => self.found.score(),
        }
    }
}

impl<E> Shared<'_, E> {
    /// The moves of the root that may be looked at, the best first; those that were judged to lead nowhere are left out.
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        let tree = self.tree();
        let Some(root) = tree.root() else {
            let unseen = |m: &Move| Candidate {
                moves: vec![*m],
                visits: 0,
                found: Found { value: 0.0, drawn: 0.0 },
                known: None,
                prior: 0.0,
            };
            return self.moves.iter().map(unseen).collect();
        };
        let candidate = |(index, edge): (usize, &Edge)| Candidate {
            moves: self.line(&tree, Step { node: root, edge: index }),
            visits: edge.visits,
            found: Found { value: edge.value, drawn: edge.drawn },
            known: edge.known,
            prior: edge.prior,
        };
        let mut candidates: Vec<Candidate> = self.wanted(&tree).map(candidate).collect();
        candidates.sort_by(|a, b| self.rank(b).partial_cmp(&self.rank(a)).expect("numbers"));
        candidates
    }

    /// Moves are ranked by what is proved, then by visits, then by value and prior.
    fn rank(&self, candidate: &Candidate) -> (f32, u32, f32, f32) {
        let proved = match candidate.known {
            // The sooner won the better, the later lost.
            Some(known) if known.value >= Backup::BEST => 2.0 - known.plies as f32 / 1e6,
            Some(known) if known.value <= self.backup.worst() => -2.0 + known.plies as f32 / 1e6,
            _ => 0.0,
        };
        (proved, candidate.visits, candidate.found.value, candidate.prior)
    }

    /// What is looked at most from a step on.
    fn line(&self, tree: &Tree, first: Step) -> Vec<Move> {
        let mut moves = vec![tree.node(first.node).edges[first.edge].m];
        let mut place = tree.child(first);
        while let Some(node) = place {
            let edges = tree.node(node).edges.iter().enumerate();
            let visited = edges.filter(|(_, edge)| edge.visits > 0);
            let wins = |edge: &Edge| edge.known.is_some_and(|known| known.value >= Backup::BEST);
            let Some((edge, best)) =
                visited.max_by_key(|(index, edge)| (wins(edge), edge.visits, usize::MAX - index))
            else {
                break;
            };
            moves.push(best.m);
            place = tree.child(Step { node, edge });
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_that_is_proved_is_counted_in_moves() {
        let score = |value, plies| {
            let (found, known) = (Found { value, drawn: 0.0 }, Some(Known { value, plies }));
            Candidate { moves: Vec::new(), visits: 1, found, known, prior: 0.0 }.score()
        };
        assert_eq!([score(1.0, 1), score(1.0, 3)], [Score::Mate(1), Score::Mate(2)]);
        assert_eq!([score(-1.0, 2), score(-1.0, 4)], [Score::Mate(-1), Score::Mate(-2)]);
        assert_eq!(score(0.0, 4), Score::Centipawns(0));
    }
}
