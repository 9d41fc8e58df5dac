use shakmaty::Move;

use super::{
    backup::{Backup, Known},
    edge::Edge,
    found::Found,
    nodes::{Step, Tree},
    visit::Shared,
};
use crate::Score;

/// A root move with the results of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The most visited line that begins with the move; never empty.
    pub moves: Vec<Move>,
    /// The number of visits.
    pub visits: u32,
    /// The evaluation for the mover.
    pub found: Found,
    /// The proved result, if there is one.
    pub known: Option<Known>,
    /// The prior probability of the move.
    pub prior: f32,
}

impl Candidate {
    /// The score of the move for the mover: a proved mate, or else the evaluation.
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
    /// The root moves that may be searched, the best first, without those that the root's evaluator left out.
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
        let mut candidates: Vec<Candidate> = self.root_edges(&tree).map(candidate).collect();
        candidates.sort_by(|a, b| self.rank(b).partial_cmp(&self.rank(a)).expect("ranks are not NaN"));
        candidates
    }

    /// The rank of a move: by its proved result, then by visits, then by value, then by prior.
    fn rank(&self, candidate: &Candidate) -> (f32, u32, f32, f32) {
        let proved = match candidate.known {
            // Quick wins and late losses are better.
            Some(known) if known.value >= Backup::BEST => 2.0 - known.plies as f32 / 1e6,
            Some(known) if known.value <= self.backup.worst() => -2.0 + known.plies as f32 / 1e6,
            _ => 0.0,
        };
        (proved, candidate.visits, candidate.found.value, candidate.prior)
    }

    /// The most visited line that begins with a step.
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
    fn proved_mates_are_counted_in_moves() {
        let score = |value, plies| {
            let (found, known) = (Found { value, drawn: 0.0 }, Some(Known { value, plies }));
            Candidate { moves: Vec::new(), visits: 1, found, known, prior: 0.0 }.score()
        };
        assert_eq!([score(1.0, 1), score(1.0, 3)], [Score::Mate(1), Score::Mate(2)]);
        assert_eq!([score(-1.0, 2), score(-1.0, 4)], [Score::Mate(-1), Score::Mate(-2)]);
        assert_eq!(score(0.0, 4), Score::Centipawns(0));
    }
}
