use super::ladder::{between, rungs};

/// The number of nodes per move at which alpha-beta search has a strength of about `elo`.
pub(super) fn nodes_for(elo: u32) -> u64 {
    let (few, many, share) = rungs(&LADDER, elo);
    between(few, many, share).round() as u64
}

/// Ratings and their nodes per move. For each rating, 60 to 80 games against Stockfish 15.1 at nearby values of
/// `UCI_Elo` ended about even: `matches/match.py --engine-nodes N --opponent-option UCI_Elo=E`. The accuracy is a
/// hundred points at best.
const LADDER: [(u32, f64); 6] =
    [(900, 100.0), (1220, 300.0), (1540, 1000.0), (1690, 3000.0), (1800, 10_000.0), (1850, 30_000.0)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_grow_with_the_rating_and_match_the_table() {
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
