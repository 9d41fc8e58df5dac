use super::AlphaBeta;
use crate::search::ladder::{between, rungs};

impl AlphaBeta {
    /// The weakest rating that [`AlphaBeta::nodes_for`] knows.
    pub const WEAKEST: u32 = LADDER[0].0;
    /// The strongest rating that [`AlphaBeta::nodes_for`] knows.
    pub const STRONGEST: u32 = LADDER[LADDER.len() - 1].0;

    /// How many nodes a move make it play about as strongly as `elo` says.
    pub fn nodes_for(elo: u32) -> u64 {
        let (few, many, share) = rungs(&LADDER, elo);
        between(few, many, share).round() as u64
    }
}

/// Ratings and the nodes a move that they stand for: where sixty or eighty games each against Stockfish 15.1 at the
/// `UCI_Elo`s near by come out even, `scripts/match.py --engine-nodes N --opponent-option UCI_Elo=E`. Good to a hundred
/// points at best.
const LADDER: [(u32, f64); 6] =
    [(900, 100.0), (1220, 300.0), (1540, 1000.0), (1690, 3000.0), (1800, 10_000.0), (1850, 30_000.0)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_rating_has_more_nodes_and_the_ladder_is_met() {
        for (elo, nodes) in LADDER {
            assert_eq!(AlphaBeta::nodes_for(elo), nodes as u64);
        }
        for elo in AlphaBeta::WEAKEST..AlphaBeta::STRONGEST {
            assert!(AlphaBeta::nodes_for(elo) <= AlphaBeta::nodes_for(elo + 1), "{elo}");
        }
        assert_eq!(AlphaBeta::nodes_for(0), 100);
        assert_eq!(AlphaBeta::nodes_for(u32::MAX), AlphaBeta::nodes_for(AlphaBeta::STRONGEST));
    }
}
