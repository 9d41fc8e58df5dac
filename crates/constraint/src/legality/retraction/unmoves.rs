//! Unmoves: all moves that can have led to a position, taken back.

use std::ops::ControlFlow;

use shakmaty::{Bitboard, Board, Color, File, Rank, Role, Square, attacks};

use super::before::Before;
use crate::legality::{double_step::DoubleStep, rights};

type Flow = ControlFlow<()>;

/// The pieces that a move may have captured, and those to which a pawn may have promoted.
const PIECES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Passes each position before the last move to `visit`, until `visit` breaks.
///
/// These positions need not be legal. `visit` must test whether the side that was not to move was in check, and whether
/// the numbers of men are possible.
pub(super) fn each(now: &Before, mut visit: impl FnMut(Before) -> Flow) -> Flow {
    if let Some(step) = now.step {
        return double_step(now, step, &mut visit);
    }
    let mut unmoves = Unmoves { now, mover: now.turn.other(), visit };
    let kept = rights::keep(now.rooks);
    let men = now.board.by_color(unmoves.mover) & !kept;
    // Moves without a capture come first, because one of them is usually possible.
    for square in men & !now.board.pawns() {
        unmoves.piece(square, None)?;
    }
    for square in men & now.board.pawns() {
        unmoves.pawn_steps(square)?;
    }
    for victim in [PIECES.as_slice(), &[Role::Pawn]].concat() {
        for square in men {
            unmoves.capture(square, victim)?;
        }
    }
    for square in men {
        unmoves.promotion(square)?;
    }
    for square in men & now.board.pawns() {
        unmoves.en_passant(square)?;
    }
    unmoves.castling(kept)
}

struct Unmoves<'a, V> {
    now: &'a Before,
    mover: Color,
    visit: V,
}

impl<V: FnMut(Before) -> Flow> Unmoves<'_, V> {
    fn board(&self) -> &Board {
        &self.now.board
    }

    /// The offset of one rank backward for the mover's pawns.
    fn back(&self) -> i32 {
        self.mover.fold_wb(-8, 8)
    }

    /// True if a pawn of the mover can have stood on a square.
    fn may_hold_pawn(&self, square: Square) -> bool {
        !Bitboard::BACKRANKS.contains(square) && self.board().piece_at(square).is_none()
    }

    /// Moves the man on `to` back to `from` as a `role`, and puts back the captured `victim`, if any.
    fn take_back(&mut self, to: Square, from: Square, role: Role, victim: Option<Role>) -> Flow {
        let mut board = self.board().clone();
        board.discard_piece_at(to);
        board.set_piece_at(from, role.of(self.mover));
        if let Some(victim) = victim {
            board.set_piece_at(to, victim.of(self.now.turn));
        }
        (self.visit)(self.now.with(board))
    }

    /// Moves of pieces, including the king.
    fn piece(&mut self, to: Square, victim: Option<Role>) -> Flow {
        let Some(man) = self.board().piece_at(to).filter(|man| man.role != Role::Pawn) else {
            return Flow::Continue(());
        };
        let occupied = self.board().occupied();
        for from in attacks::attacks(to, man, occupied) & !occupied {
            self.take_back(to, from, man.role, victim)?;
        }
        Flow::Continue(())
    }

    fn pawn_steps(&mut self, to: Square) -> Flow {
        let Some(behind) = to.offset(self.back()).filter(|behind| self.may_hold_pawn(*behind)) else {
            return Flow::Continue(());
        };
        self.take_back(to, behind, Role::Pawn, None)?;
        match DoubleStep::over(behind) {
            Some(step) if step.color == self.mover => double_step(self.now, step, &mut self.visit),
            _ => Flow::Continue(()),
        }
    }

    /// Captures of a `victim` by the man on `to`, including promotions.
    fn capture(&mut self, to: Square, victim: Role) -> Flow {
        if victim == Role::Pawn && Bitboard::BACKRANKS.contains(to) {
            return Flow::Continue(());
        }
        let last = self.mover.fold_wb(Rank::Eighth, Rank::First);
        match self.board().role_at(to) {
            Some(Role::Pawn) => self.pawn_captures(to, victim),
            Some(Role::King) => self.piece(to, Some(victim)),
            Some(_) => {
                self.piece(to, Some(victim))?;
                if to.rank() == last { self.pawn_captures(to, victim) } else { Flow::Continue(()) }
            }
            None => Flow::Continue(()),
        }
    }

    fn pawn_captures(&mut self, to: Square, victim: Role) -> Flow {
        for from in attacks::pawn_attacks(self.now.turn, to) {
            if self.may_hold_pawn(from) {
                self.take_back(to, from, Role::Pawn, Some(victim))?;
            }
        }
        Flow::Continue(())
    }

    /// Promotions without a capture.
    fn promotion(&mut self, to: Square) -> Flow {
        let may_be_promoted = self.board().role_at(to).is_some_and(|role| PIECES.contains(&role));
        if !may_be_promoted || to.rank() != self.mover.fold_wb(Rank::Eighth, Rank::First) {
            return Flow::Continue(());
        }
        match to.offset(self.back()).filter(|from| self.may_hold_pawn(*from)) {
            Some(from) => self.take_back(to, from, Role::Pawn, None),
            None => Flow::Continue(()),
        }
    }

    /// Captures en passant, before which the captured pawn had just made a double step.
    fn en_passant(&mut self, to: Square) -> Flow {
        let Some(step) = DoubleStep::over(to).filter(|step| step.color == self.now.turn) else {
            return Flow::Continue(());
        };
        if self.board().occupied().intersects(Bitboard::from(step.from).with(step.to)) {
            return Flow::Continue(());
        }
        for from in attacks::pawn_attacks(self.now.turn, to) {
            if !self.may_hold_pawn(from) {
                continue;
            }
            let mut board = self.board().clone();
            board.discard_piece_at(to);
            board.set_piece_at(from, Role::Pawn.of(self.mover));
            board.set_piece_at(step.to, Role::Pawn.of(self.now.turn));
            (self.visit)(Before { step: Some(step), ..self.now.with(board) })?;
        }
        Flow::Continue(())
    }

    fn castling(&mut self, kept: Bitboard) -> Flow {
        let rank = self.mover.fold_wb(Rank::First, Rank::Eighth);
        let on = |file: File| Square::from_coords(file, rank);
        for (rook_home, rook, king, empty) in [
            (on(File::H), on(File::F), on(File::G), [File::E, File::H].as_slice()),
            (on(File::A), on(File::D), on(File::C), &[File::A, File::B, File::E]),
        ] {
            let empty: Bitboard = empty.iter().map(|file| on(*file)).collect();
            let men = [(king, Role::King), (rook, Role::Rook)];
            let castled = men.iter().all(|(square, role)| {
                !kept.contains(*square) && self.board().piece_at(*square) == Some(role.of(self.mover))
            });
            if !castled || self.board().occupied().intersects(empty) {
                continue;
            }
            let mut board = self.board().clone();
            board.discard_piece_at(king);
            board.discard_piece_at(rook);
            board.set_piece_at(on(File::E), Role::King.of(self.mover));
            board.set_piece_at(rook_home, Role::Rook.of(self.mover));
            // The king was not in check and did not pass over an attacked square.
            let passed = Bitboard::from(on(File::E)).with(rook);
            if passed
                .into_iter()
                .any(|square| board.attacks_to(square, self.now.turn, board.occupied()).any())
            {
                continue;
            }
            (self.visit)(Before { rooks: self.now.rooks.with(rook_home), ..self.now.with(board) })?;
        }
        Flow::Continue(())
    }
}

/// Takes back a double step, if it can have been the last move.
fn double_step(now: &Before, step: DoubleStep, visit: &mut impl FnMut(Before) -> Flow) -> Flow {
    let (DoubleStep { color, from, to }, occupied) = (step, now.board.occupied());
    let path = attacks::between(from, to).with(from);
    let pawn = Role::Pawn.of(color);
    if now.board.piece_at(to) != Some(pawn) || occupied.intersects(path) || color == now.turn {
        return Flow::Continue(());
    }
    let Some(behind) = attacks::between(from, to).first() else { return Flow::Continue(()) };
    if now.no_en_passant && now.allows_en_passant(to, behind) {
        return Flow::Continue(());
    }
    let mut board = now.board.clone();
    board.discard_piece_at(to);
    board.set_piece_at(from, pawn);
    visit(now.with(board))
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};
    use shakmaty::{Chess, EnPassantMode, Position};

    use super::*;

    #[test]
    fn every_move_is_among_the_unmoves_of_the_position_after_it() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let (mut castlings, mut promotions, mut en_passant) = (0, 0, 0);
        for _ in 0..300 {
            let mut position = Chess::default();
            for _ in 0..150 {
                let moves = position.legal_moves();
                let rare = |m: &&shakmaty::Move| m.is_castle() || m.is_promotion() || m.is_en_passant();
                let picked = moves.iter().find(rare).or_else(|| moves.choose(&mut rng));
                let Some(m) = picked.copied() else { break };
                let before = position.clone();
                position.play_unchecked(m);
                castlings += u32::from(m.is_castle());
                promotions += u32::from(m.is_promotion());
                en_passant += u32::from(m.is_en_passant());
                let had = before.maybe_ep_square().and_then(DoubleStep::over);
                let none_legal = position.ep_square(EnPassantMode::Legal).is_none();
                let step = position.maybe_ep_square().and_then(DoubleStep::over);
                for (step, no_en_passant) in [(step, false), (None, false), (None, none_legal)] {
                    let now = Before {
                        board: position.board().clone(),
                        turn: position.turn(),
                        rooks: position.castles().castling_rights(),
                        step,
                        no_en_passant,
                    };
                    let found = each(&now, |unmade| {
                        let same = unmade.board == *before.board()
                            && unmade.rooks.is_subset(before.castles().castling_rights())
                            && unmade.step.is_none_or(|step| had.is_some_and(|had| had.to == step.to));
                        if same { Flow::Break(()) } else { Flow::Continue(()) }
                    });
                    assert!(found.is_break(), "{m:?} in {}", before.board());
                }
            }
        }
        assert!(
            castlings > 50 && promotions > 50 && en_passant > 50,
            "{castlings} {promotions} {en_passant}"
        );
    }
}
