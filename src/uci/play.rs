//! A move for a plain `go`: the most material after one ply. Playing strength is for a search.

use std::time::Instant;

use rand::{Rng, seq::IndexedRandom};
use shakmaty::{CastlingMode, Chess, Color, Move, Position, Role, uci::UciMove};

use super::reply::{Info, Score};

/// Hundredths of a pawn.
const MATE: i32 = 100_000;

/// Chooses among `moves`, legal ones, and reports on the choice; `None` if there are none.
pub(super) fn choose(position: &Chess, moves: &[Move], rng: &mut impl Rng) -> Option<(Move, Info)> {
    let start = Instant::now();
    let scores: Vec<i32> = moves.iter().map(|&m| score(position, m)).collect();
    let best = *scores.iter().max()?;
    let equals: Vec<Move> =
        moves.iter().zip(&scores).filter(|(_, score)| **score == best).map(|(&m, _)| m).collect();
    let m = *equals.choose(rng)?;
    let info = Info {
        depth: 1,
        multipv: None,
        score: if best == MATE { Score::Mate(1) } else { Score::Centipawns(best) },
        nodes: moves.len() as u64,
        time: start.elapsed(),
        pv: vec![to_uci(m)],
    };
    Some((m, info))
}

/// The mover's material less the opponent's after `m`, as if the man moved were then given for the
/// cheapest man that can take it.
fn score(position: &Chess, m: Move) -> i32 {
    let mover = position.turn();
    let mut child = position.clone();
    child.play_unchecked(m);
    if child.is_checkmate() {
        return MATE;
    }
    if child.is_stalemate() || child.is_insufficient_material() {
        return 0;
    }
    let standing = worth(m.promotion().unwrap_or(m.role()));
    let takers = child.legal_moves().into_iter().filter(|taker| taker.is_capture() && taker.to() == m.to());
    let cheapest = takers.map(|taker| worth(taker.role())).min();
    let loss = cheapest.map_or(0, |taker| (standing - taker).max(0));
    material(&child, mover) - material(&child, mover.other()) - loss
}

fn material(position: &Chess, color: Color) -> i32 {
    let side = position.board().material_side(color);
    Role::ALL.into_iter().map(|role| worth(role) * i32::from(*side.get(role))).sum()
}

fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 300,
        Role::Bishop => 320,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

/// A move as the protocol writes it.
pub(super) fn to_uci(m: Move) -> UciMove {
    m.to_uci(CastlingMode::Standard)
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::ChaCha8Rng};
    use shakmaty::fen::Fen;

    use super::*;

    fn chosen(fen: &str) -> Option<(String, Info)> {
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        choose(&position, &position.legal_moves(), &mut rng).map(|(m, info)| (to_uci(m).to_string(), info))
    }

    #[test]
    fn a_mate_is_played_and_a_hanging_man_taken() {
        let (m, info) = chosen("7k/8/6K1/8/8/8/8/R7 w - - 0 1").unwrap();
        assert_eq!((m.as_str(), info.score), ("a1a8", Score::Mate(1)));
        let (m, info) = chosen("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1").unwrap();
        assert_eq!((m.as_str(), info.score), ("e4d5", Score::Centipawns(100)));
    }

    #[test]
    fn a_guarded_pawn_is_not_worth_a_queen() {
        let (m, _) = chosen("4k3/2p5/3p4/8/8/8/8/3QK3 w - - 0 1").unwrap();
        assert_ne!(m, "d1d6");
    }

    #[test]
    fn without_a_legal_move_there_is_no_choice() {
        assert!(chosen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").is_none());
    }
}
