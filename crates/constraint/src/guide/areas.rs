//! The cost of conditions on regions, on empty and occupied squares, and on forbidden men.

use shakmaty::{Board, Role};

use super::{
    estimate::{Estimate, NEVER},
    force::Force,
    paths::PLY,
    side,
    way::Way,
};

impl Way {
    /// Adds the cost of regions that lack a man, men on squares where they must not stand, missing gaps, empty squares
    /// that must be occupied, and diagrams that must not hold.
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
                    // A pawn leaves its file only by capturing.
                    estimate.add(if man.role == Role::Pawn { 2 * PLY } else { PLY });
                }
            }
        }
        let occupied = board.occupied();
        estimate.add(PLY * self.gaps.iter().filter(|gap| (**gap & !occupied).is_empty()).count() as u32);
        estimate.add(PLY * (self.occupied & !occupied).count() as u32);
        estimate
            .add(PLY * self.negated_diagrams.iter().filter(|diagram| diagram.holds_on(board)).count() as u32);
    }
}
