use super::ladder::{between, rungs};

/// How many nodes a move make alpha-beta search play about as strongly as `elo` says.
pub(super) fn nodes_for(elo: u32) -> u64 {
    let (few, many, share) = rungs(&LADDER, elo);
    between(few, many, share).round() as u64
}

/// Ratings and the nodes a move that they stand for: where sixty or eighty games each against Stockfish 15.1 at the
/// `UCI_Elo`s near by come out even, `matches/match.py --engine-nodes N --opponent-option UCI_Elo=E`. Good to a hundred
/// points at best.
const LADDER: [(u32, f64); 6] =
    [(900, 100.0), (1220, 300.0), (1540, 1000.0), (1690, 3000.0), (1800, 10_000.0), (1850, 30_000.0)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_rating_has_more_nodes_and_the_ladder_is_met() {
        for (elo, nodes) in LADDER {
            assert_eq!(nodes_for(elo), nodes as u64);
        }
        for elo in 800..2000 {
            assert!(nodes_for(elo) <= nodes_for(elo + 1), "{elo}");
        }
        assert_eq!(nodes_for(0), 100);
        assert_eq!(nodes_for(u32::MAX), 30_000);
    }
}
