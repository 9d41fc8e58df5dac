//! Perft: the number of leaves in the tree of all legal moves.

use entente_constraint::child_of;

use std::{
    fmt::{self, Display, Formatter},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use shakmaty::{CastlingMode, Chess, Move, Position};

use super::rate;

/// The greatest depth, in plies. Deeper trees would take too long.
pub const DEEPEST: u32 = 12;

/// The number of leaves below each move. It displays with their sum and the speed.
#[derive(Clone, Debug)]
pub struct PerftReport {
    mode: CastlingMode,
    leaves: Vec<(Move, u64)>,
    time: Duration,
}

impl PerftReport {
    /// A report of the leaves that [`divide`] has counted from `position` in `time`.
    pub fn new(position: &Chess, leaves: Vec<(Move, u64)>, time: Duration) -> PerftReport {
        PerftReport { mode: position.castles().mode(), leaves, time }
    }
}

impl Display for PerftReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (m, leaves) in &self.leaves {
            writeln!(f, "{}: {leaves}", m.to_uci(self.mode))?;
        }
        let total: u64 = self.leaves.iter().map(|(_, leaves)| leaves).sum();
        write!(f, "Leaves: {total} in {:.3} s, {} nps", self.time.as_secs_f64(), rate(total, self.time))
    }
}

/// The number of leaves below each legal move of `position` in the tree of `depth` plies, at least one. It is the usual
/// test of a move generator. `None` if it was stopped.
pub fn divide(position: &Chess, depth: u32, stop: &AtomicBool) -> Option<Vec<(Move, u64)>> {
    let count = |m: Move| {
        let child = child_of(position, m);
        Some((m, leaves(&child, depth.max(1) - 1, stop)?))
    };
    position.legal_moves().into_iter().map(count).collect()
}

fn leaves(position: &Chess, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let moves = position.legal_moves();
    match depth {
        0 => Some(1),
        // Each move leads to a leaf, so none needs to be played.
        1 => Some(moves.len() as u64),
        _ => moves.into_iter().try_fold(0, |sum, m| {
            let child = child_of(position, m);
            Some(sum + leaves(&child, depth - 1, stop)?)
        }),
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, perft};

    use super::*;

    #[test]
    fn the_leaves_agree_with_the_rules_library_and_with_published_tables() {
        let never = AtomicBool::new(false);
        // The initial position and a well-known one with all special moves; counts from the chess programming wiki.
        for (fen, depth, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197_281),
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
        ] {
            let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            let divided = divide(&position, depth, &never).unwrap();
            assert_eq!(divided.iter().map(|(_, leaves)| leaves).sum::<u64>(), expected);
            for (m, leaves) in divided {
                let child = child_of(&position, m);
                assert_eq!(leaves, perft(&child, depth - 1), "{m:?}");
            }
            assert_eq!(divide(&position, 1, &never).unwrap().len(), position.legal_moves().len());
        }
    }

    #[test]
    fn the_report_has_a_line_for_each_move_and_the_sum() {
        let position = Chess::default();
        let leaves = divide(&position, 2, &AtomicBool::new(false)).unwrap();
        let text = PerftReport::new(&Chess::default(), leaves, Duration::from_millis(100)).to_string();
        assert_eq!(text.lines().count(), 21);
        assert!(text.contains("\ng2g4: 20\n"), "{text}");
        assert!(text.ends_with("\nLeaves: 400 in 0.100 s, 4000 nps"), "{text}");
    }

    #[test]
    fn a_stop_leaves_no_count() {
        assert_eq!(divide(&Chess::default(), 9, &AtomicBool::new(true)), None);
    }
}
