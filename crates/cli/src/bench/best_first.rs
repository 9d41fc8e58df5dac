use std::sync::atomic::AtomicBool;

use entente_constraint::{Situation, guide::Guide};
use entente_search::{BestFirst, BestFirstParameters, Limits};
use rand::{SeedableRng, rngs::ChaCha8Rng};
use shakmaty::Chess;

/// Constraints of all kinds: men on squares, numbers of men, castling rights, side to move, check, checkmate, plies, a
/// whole diagram, and alternatives. The effort is too small to satisfy the last one.
pub(super) const CONSTRAINTS: [&str; 10] = [
    "N@h8 n@a1",
    "Q=0 q=0 turn=black",
    "R=1 r=1 P<=5 p<=5",
    "castling=none check=white",
    "ply=31 check=any",
    "checkmate",
    "P@a5 p@a4",
    "fen=r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R",
    "K@e4 (k@e6 | k@e7) Q=0",
    "Q@a8 q@a1 K@h8",
];
/// The maximum length of a game, in plies.
const PLIES: u32 = 60;

/// The nodes of two attempts, one with a random opening and one without.
pub(super) fn nodes(constraint: &str, seed: u64, stop: &AtomicBool) -> u64 {
    let root = Chess::default();
    let start = Situation::root(&root);
    let constraint = constraint.parse().expect("the constraint is valid");
    let mut search = BestFirst::new(Guide::new(&constraint, start).expect("the constraint is possible"));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for attempt in 0..2 {
        let parameters = BestFirstParameters::of_attempt(attempt);
        search.search(start, parameters, PLIES, |_| true, &mut rng, Limits::until(stop));
    }
    search.nodes
}
