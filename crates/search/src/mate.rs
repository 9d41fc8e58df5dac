//! A proof search for mates: every defence is tried, and no shorter mate is missed.
//!
//! Alpha-beta finds mates sooner, but it prunes moves and may therefore report a longer mate than the shortest. This
//! search answers only one question: can the side to move force mate within n moves? It searches all moves of both
//! sides (an AND/OR tree), one move deeper in each iteration. A defence that refuted one attack is tried first against
//! the next.

use entente_constraint::child_of;
use shakmaty::{Chess, Move, MoveList, Position};

/// A search for forced mates with a limit on nodes.
#[derive(Clone, Debug)]
pub struct MateSearch {
    /// The number of positions that may still be searched.
    left: u64,
    /// For each number of moves to mate, the last defence that refuted an attack.
    refutations: Vec<Option<Move>>,
}

impl MateSearch {
    /// A search of at most `nodes` positions.
    pub fn new(nodes: u64) -> MateSearch {
        MateSearch { left: nodes, refutations: Vec::new() }
    }

    /// The fewest moves, up to `most`, in which the side to move can force mate; `None` if it cannot.
    ///
    /// # Errors
    /// [`Unproved`] if the limit on positions does not suffice.
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

    /// True if the other side mates within `moves` of its moves, whatever the side to move plays.
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

/// The error of a search that neither found a mate nor excluded one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unproved;

/// The moves that may mate within `moves` moves, checks first. For a mate in one, only checks are returned.
fn attacks(position: &Chess, moves: u8) -> MoveList {
    let gives_check = |m: &Move| child_of(position, *m).is_check();
    let mut all = position.legal_moves();
    if moves == 1 {
        // Few moves give check, so most are excluded before they are played.
        all.retain(|m| may_check(position, *m) && gives_check(m));
    } else {
        all.sort_by_cached_key(|m| !gives_check(m));
    }
    all
}

/// False for moves that certainly do not give check: the man that moves does not attack the king from its new square,
/// and it does not leave a line to the king.
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
    fn exactly_the_shortest_mate_is_found() {
        for (fen, moves) in [
            ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", Some(1)),
            // Mate by promotion.
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

    /// `may_check` excludes no move that gives check.
    #[test]
    fn no_check_is_excluded() {
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
    fn an_incomplete_search_claims_nothing() {
        let position = position_from_fen("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1").unwrap();
        assert_eq!(MateSearch::new(10).mate_in(&position, 2), Err(Unproved));
    }
}
