//! Mates that are proved: every defence is tried, and no shorter mate is left out.
//!
//! Alpha-beta finds mates sooner, but it may leave out moves, and so take a longer mate for the shortest. This search asks
//! one question only: does the side to move mate within n moves? It looks at all moves of both sides (an AND/OR tree),
//! one move deeper each time. A defence that refuted one attack is tried first against the next.

use entente_constraint::child_of;
use shakmaty::{Chess, Move, MoveList, Position};

/// Looks for mates, for as many positions as it may.
#[derive(Clone, Debug)]
pub struct MateSearch {
    /// Positions that may still be looked at.
    left: u64,
    /// For each number of moves to the mate, the defence that refuted an attack last.
    refutations: Vec<Option<Move>>,
}

impl MateSearch {
    /// A search of so many positions at most.
    pub fn new(nodes: u64) -> MateSearch {
        MateSearch { left: nodes, refutations: Vec::new() }
    }

    /// In how many moves, at most `most`, the side to move mates against any defence; `None` if it does not. `Err` if that
    /// could not be found out with so few positions.
    ///
    /// # Errors
    /// [`Unproved`]
    pub fn mate_in(&mut self, position: &Chess, most: u8) -> Result<Option<u8>, Unproved> {
        self.refutations = vec![None; usize::from(most) + 1];
        for moves in 1..=most {
            if self.mating_move(position, moves)?.is_some() {
                return Ok(Some(moves));
            }
        }
        Ok(None)
    }

    /// A move that mates within `moves` moves against any defence.
    fn mating_move(&mut self, position: &Chess, moves: u8) -> Result<Option<Move>, Unproved> {
        for m in attacks(position, moves) {
            let child = child_of(position, m);
            self.count()?;
            if moves == 1 {
                if child.is_checkmate() {
                    return Ok(Some(m));
                }
            } else if self.is_lost(&child, moves - 1)? {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }

    /// True if the side to move is mated within `moves` moves of the other side, whatever it plays.
    fn is_lost(&mut self, position: &Chess, moves: u8) -> Result<bool, Unproved> {
        let mut defences = position.legal_moves();
        if defences.is_empty() {
            return Ok(position.is_check());
        }
        let place = usize::from(moves);
        if let Some(known) = self.refutations[place]
            && let Some(index) = defences.iter().position(|m| *m == known)
        {
            defences.swap(0, index);
        }
        for m in defences {
            let child = child_of(position, m);
            self.count()?;
            if self.mating_move(&child, moves)?.is_none() {
                self.refutations[place] = Some(m);
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn count(&mut self) -> Result<(), Unproved> {
        self.left = self.left.checked_sub(1).ok_or(Unproved)?;
        Ok(())
    }
}

/// A mate was neither found nor excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unproved;

/// The moves that may mate within `moves` moves, checks first: a mate in one is nothing else.
fn attacks(position: &Chess, moves: u8) -> MoveList {
    let gives_check = |m: &Move| child_of(position, *m).is_check();
    let mut all = position.legal_moves();
    if moves == 1 {
        // Few moves give check: most are left out before they are played.
        all.retain(|m| may_check(position, *m) && gives_check(m));
    } else {
        all.sort_by_cached_key(|m| !gives_check(m));
    }
    all
}

/// False for moves that surely give no check: neither the man that moves attacks the king from its target, nor does it
/// leave a line to it.
fn may_check(position: &Chess, m: Move) -> bool {
    use shakmaty::{Role, attacks};
    let Some(king) = position.board().king_of(!position.turn()) else { return false };
    let Move::Normal { role, from, to, promotion: None, .. } = m else { return true };
    let occupied = position.board().occupied().without(from).with(to);
    let direct = match role {
        Role::Pawn => attacks::pawn_attacks(position.turn(), to).contains(king),
        Role::King => false,
        _ => attacks::attacks(to, role.of(position.turn()), occupied).contains(king),
    };
    direct || attacks::queen_attacks(king, shakmaty::Bitboard::EMPTY).contains(from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position_from_fen;

    fn mate(fen: &str, most: u8) -> Option<u8> {
        MateSearch::new(5_000_000).mate_in(&position_from_fen(fen).unwrap(), most).unwrap()
    }

    #[test]
    fn the_shortest_mate_is_found_and_no_other() {
        for (fen, moves) in [
            ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", Some(1)),
            // Promotions, discoveries, castling and en passant mate, too.
            ("7k/P4ppp/8/8/8/8/8/7K w - - 0 1", Some(1)),
            ("6rk/6pp/8/6N1/8/8/8/7K w - - 0 1", Some(1)),
            // Two rooks drive the king to the edge.
            ("8/8/8/8/3k4/7R/6R1/7K w - - 0 1", None),
            ("3k4/7R/8/6R1/8/8/8/7K w - - 0 1", Some(1)),
            ("4k3/7R/8/5R2/8/8/8/7K w - - 0 1", Some(2)),
            ("k7/8/2K5/8/8/8/8/1Q6 w - - 0 1", Some(1)),
            ("k7/8/3K4/8/8/8/8/1Q6 w - - 0 1", Some(2)),
            // Morphy's problem: mate in two by a quiet move.
            ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", Some(2)),
            ("7k/8/8/8/8/8/8/K7 w - - 0 1", None),
        ] {
            assert_eq!(mate(fen, 3), moves, "{fen}");
        }
    }

    /// What `may_check` leaves out gives no check.
    #[test]
    fn no_check_is_left_out() {
        use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for _ in 0..200 {
            let mut position = Chess::default();
            for _ in 0..120 {
                let legal = position.legal_moves();
                for m in &legal {
                    assert!(may_check(&position, *m) || !child_of(&position, *m).is_check(), "{m:?}");
                }
                if legal.is_empty() {
                    break;
                }
                position.play_unchecked(legal[rng.random_range(0..legal.len())]);
            }
        }
    }

    #[test]
    fn what_was_not_looked_at_is_not_claimed() {
        let position = position_from_fen("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1").unwrap();
        assert_eq!(MateSearch::new(10).mate_in(&position, 2), Err(Unproved));
    }
}
