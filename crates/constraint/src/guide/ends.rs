//! The cost of check, checkmate and stalemate.

use shakmaty::{Bitboard, Board, Chess, Color, Position, Role, attacks};

use super::{
    estimate::{Estimate, NEVER},
    force::{Force, Man, Near},
    paths::{NO_PATH, PLY},
    side,
    way::Way,
};
use crate::End;

/// The highest cost of giving check.
const NO_CHECK_YET: u32 = 4 * PLY;
/// The cost of each flight square of a king that must be mated or stalemated.
const FLIGHT: u32 = PLY / 2;
/// For a stalemate, the cost of each man that can still move.
const MOBILE: u32 = PLY / 2;
/// For a stalemate, the cost of each move of such a man.
const MOBILITY: u32 = 2;
/// The most moves counted for such a man.
const MAX_MOBILITY: u32 = 8;

impl Way {
    /// Adds the cost of check and of the end of the game, for the king of the side that must be to move.
    pub(super) fn add_check_and_end(&self, position: &Chess, forces: &[Force; 2], estimate: &mut Estimate) {
        // Unless the conditions determine the side to move at the end, it may be either.
        let sides = Color::ALL.into_iter().filter(|color| self.turn.is_none_or(|turn| turn == *color));
        let cost = |color: Color| {
            let mut cost = match self.check {
                Some(true) => self.check_cost(position, color, forces),
                Some(false) if position.turn() == color && position.is_check() => PLY,
                _ => 0,
            };
            cost += match self.end {
                Some(End::Checkmate) => FLIGHT * flights(position.board(), color).count() as u32,
                Some(End::Stalemate) => self.immobility_cost(position, color, forces),
                None => 0,
            };
            if self.end.is_some() && cost == 0 {
                let moves = if position.turn() == color { position.legal_moves().len() as u32 } else { 4 };
                cost = if moves == 0 { 0 } else { PLY + 2 * moves.min(16) };
            }
            cost
        };
        estimate.add(sides.map(cost).min().unwrap_or(0));
    }

    /// The cost of giving check to the king of `color`.
    fn check_cost(&self, position: &Chess, color: Color, forces: &[Force; 2]) -> u32 {
        if position.turn() == color && position.is_check() {
            return 0;
        }
        let Some(king) = position.board().king_of(color) else { return NEVER };
        let enemy = &forces[side(color.other())];
        let occupied = position.board().occupied();
        let near = Near::to(king, enemy.color, occupied);
        let cost = |man: &Man| {
            let near = near.of(man.role);
            let costs = near
                .into_iter()
                .map(|from| self.paths.cost(enemy.color, man.role, man.square, man.role, from));
            man.approach(costs.min().unwrap_or(NO_PATH), enemy.color, near, occupied).into()
        };
        let men = enemy.men().iter().filter(|man| man.role != Role::King);
        men.map(cost).min().unwrap_or(NEVER).clamp(PLY, NO_CHECK_YET)
    }

    /// The cost of leaving `color` without a legal move.
    fn immobility_cost(&self, position: &Chess, color: Color, forces: &[Force; 2]) -> u32 {
        let board = position.board();
        let mut cost = 0;
        let enemy = &forces[side(color.other())];
        for man in forces[side(color)].men() {
            let square = man.square;
            let moves = match man.role {
                Role::King => {
                    cost += FLIGHT * flights(board, color).count() as u32;
                    continue;
                }
                Role::Pawn => {
                    let ahead = square
                        .offset(color.fold_wb(8, -8))
                        .is_some_and(|ahead| board.piece_at(ahead).is_none());
                    let captures = attacks::pawn_attacks(color, square) & board.by_color(color.other());
                    usize::from(ahead) + captures.count()
                }
                _ => man.steps.count(),
            };
            if moves > 0 {
                cost += MOBILE
                    + self.capture(man, enemy, board.occupied()).min(3 * PLY)
                    + MOBILITY * (moves as u32).min(MAX_MOBILITY);
            }
        }
        if position.turn() == color && position.is_check() { cost + PLY } else { cost }
    }
}

/// The flight squares of the king of `color`.
fn flights(board: &Board, color: Color) -> Bitboard {
    let Some(king) = board.king_of(color) else { return Bitboard::EMPTY };
    let without_king = board.occupied().without(king);
    let around = attacks::king_attacks(king) & !board.by_color(color);
    around
        .into_iter()
        .filter(|square| board.attacks_to(*square, color.other(), without_king).is_empty())
        .collect()
}
