//! What squares cost that are empty and should not be, or the other way round, or have the wrong men.

use shakmaty::{Board, Role};

use super::{
    estimate::{Estimate, NEVER},
    force::Force,
    paths::PLY,
    side,
    way::Way,
};

impl Way {
    /// Squares and regions that must be empty, or not, or free of some men, or have one.
    pub(super) fn add_areas(&self, board: &Board, forces: &[Force; 2], estimate: &mut Estimate) {
        for area in &self.areas {
            if (board.by_piece(area.piece) & area.squares).any() {
                continue;
            }
            let men = forces[side(area.piece.color)].men().iter();
            let costs = men.filter(|man| !man.doomed).map(|man| {
                let square = man.square.to_usize();
                match man.role {
                    role if role == area.piece.role => {
                        man.approach(area.costs[0][square], area.piece.color, area.squares, board.occupied())
                    }
                    Role::Pawn if area.piece.role != Role::King => area.costs[1][square],
                    _ => u16::MAX,
                }
            });
            estimate.add(u32::from(costs.min().unwrap_or(u16::MAX)).min(NEVER));
        }
        for force in forces {
            for man in force.men().iter().filter(|man| man.target.is_none()) {
                let is_in_the_way = self.empty.contains(man.square);
                let is_wrong = self.forbidden.iter().any(|(piece, squares)| {
                    *piece == man.role.of(force.color) && squares.contains(man.square)
                });
                if is_in_the_way || (is_wrong && !man.doomed) {
                    // Pawns do not step aside without taking something.
                    estimate.add(if man.role == Role::Pawn { 2 * PLY } else { PLY });
                }
            }
        }
        let occupied = board.occupied();
        estimate.add(PLY * self.gaps.iter().filter(|gap| (**gap & !occupied).is_empty()).count() as u32);
        estimate.add(PLY * (self.occupied & !occupied).count() as u32);
        estimate
            .add(PLY * self.denied_diagrams.iter().filter(|diagram| diagram.holds_on(board)).count() as u32);
    }
}
