//! Bounds on the ranks of pawns.
//!
//! That a pawn stands below another one on its file, goes only forward, and advances by a rank with each capture are
//! bounds on the difference of two ranks. A system of such bounds is solved by shortest paths from a variable that is zero,
//! and it has no solution if there is a cycle of negative length (Bellman and Ford).

use super::columns::{Capture, PAWNS, Pawn, forward, side};

/// What ranks are for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To prove that there are none: whatever can happen in a game is allowed.
    Proof,
    /// To lead a game: captures en passant are excluded, and pawns fall only if that is their fate.
    Plan,
}

/// Bounds on the ranks of pawns, from 1 to 8, each at the end of a stage.
#[derive(Default)]
pub(super) struct Bounds {
    /// (a, b, c): the rank of b is at most that of a plus c.
    list: Vec<(usize, usize, i32)>,
}

/// The number of a variable; 0 is the one that is zero.
fn variable(stage: usize, pawn: Pawn) -> usize {
    1 + stage * PAWNS + usize::from(pawn)
}

impl Bounds {
    /// `high` stands above `low` on its file.
    pub(super) fn above(&mut self, stage: usize, low: Pawn, high: Pawn) {
        self.list.push((variable(stage, high), variable(stage, low), -1));
    }

    /// The pawn stands on one of these ranks.
    pub(super) fn between(&mut self, stage: usize, pawn: Pawn, least: i32, most: i32) {
        self.list.push((0, variable(stage, pawn), most));
        self.list.push((variable(stage, pawn), 0, -least));
    }

    /// Since the stage before, the pawn went forward by at least `by` ranks.
    pub(super) fn forward(&mut self, stage: usize, pawn: Pawn, by: i32) {
        let (before, now) = (variable(stage - 1, pawn), variable(stage, pawn));
        if side(pawn) == 0 {
            self.list.push((now, before, -by));
        } else {
            self.list.push((before, now, -by));
        }
    }

    /// A capture at the end of a stage: its square is between its neighbours on the file, the next pawns below and above,
    /// and is that of the victim.
    pub(super) fn capture(
        &mut self,
        stage: usize,
        capture: Capture,
        (below, above): (Option<Pawn>, Option<Pawn>),
        promotes: bool,
        purpose: Purpose,
    ) {
        let (own, by) = (variable(stage, capture.pawn), forward(capture.pawn));
        if let Some(victim) = capture.victim.map(|victim| variable(stage, victim)) {
            // En passant, the victim stands beside the pawn.
            let (mut least, mut most) = (by, by);
            if purpose == Purpose::Proof {
                (least, most) = (by.min(0), by.max(0));
            }
            self.list.push((own, victim, most));
            self.list.push((victim, own, -least));
        }
        if let Some(below) = below {
            self.list.push((own, variable(stage, below), by - 1));
        }
        if let Some(above) = above {
            self.list.push((variable(stage, above), own, -by - 1));
        }
        if !promotes {
            let (least, most) = if by > 0 { (2, 6) } else { (3, 7) };
            self.between(stage, capture.pawn, least, most);
        }
    }

    /// Ranks that satisfy all bounds, in the middle between the least and the greatest; `None` if there are none.
    pub(super) fn solve(&self, stages: usize) -> Option<Vec<[i32; PAWNS]>> {
        let count = 1 + stages * PAWNS;
        let greatest = paths(count, self.list.iter().copied())?;
        let least = paths(count, self.list.iter().map(|(a, b, c)| (*b, *a, *c)))?;
        let rank = |stage, pawn| {
            let index = variable(stage, pawn as Pawn);
            (greatest[index] - least[index]).div_euclid(2)
        };
        Some((0..stages).map(|stage| std::array::from_fn(|pawn| rank(stage, pawn))).collect())
    }
}

/// The lengths of the shortest paths from the first variable; `None` if there is a cycle of negative length.
fn paths(count: usize, edges: impl Iterator<Item = (usize, usize, i32)> + Clone) -> Option<Vec<i32>> {
    const FAR: i32 = i32::MAX / 2;
    let mut lengths = vec![FAR; count];
    lengths[0] = 0;
    for _ in 0..=count {
        let mut changed = false;
        for (from, to, length) in edges.clone() {
            if lengths[from] < FAR && lengths[from] + length < lengths[to] {
                lengths[to] = lengths[from] + length;
                changed = true;
            }
        }
        if !changed {
            return Some(lengths);
        }
    }
    None
}
