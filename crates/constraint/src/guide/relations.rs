//! The cost of more members of the sets that relations find.

use shakmaty::{Bitboard, Color, Square, attacks};

use super::{
    estimate::NEVER,
    force::Near,
    paths::{NO_PATH, PLY},
    sets::View,
    side,
};
use crate::Selection;

impl View<'_> {
    /// The costs of attacking each man or square of the second set that no man of the first attacks.
    pub(super) fn attack_more(&self, pair: &[Selection; 2], push: &mut impl FnMut(u32)) {
        let [attackers, targets] = pair.each_ref().map(|set| set.squares(self.board));
        let kinds = pair[0].kinds();
        let occupied = self.board.occupied();
        let attacked =
            attackers.into_iter().fold(Bitboard::EMPTY, |all, from| all | self.board.attacks_from(from));
        for target in targets & !attacked {
            let mut least = NEVER;
            for color in Color::ALL {
                let near = Near::to(target, color, occupied);
                for man in
                    self.forces[side(color)].men().iter().filter(|man| kinds.contains(man.role.of(color)))
                {
                    let near = near.of(man.role);
                    let paths = near
                        .into_iter()
                        .map(|to| self.way.paths.cost(color, man.role, man.square, man.role, to));
                    let relaxed = paths.min().unwrap_or(NO_PATH);
                    if relaxed < NO_PATH {
                        least = least.min(man.approach(relaxed, color, near, occupied).into());
                    }
                }
            }
            push(least);
        }
        if targets.is_empty() {
            push(3 * PLY);
        }
    }

    /// The costs for men of the first set to attack two members of the second at once.
    pub(super) fn fork(&self, pair: &[Selection; 2], push: &mut impl FnMut(u32)) {
        let [forking, targets] = pair.each_ref().map(|set| set.squares(self.board));
        for from in forking {
            let Some(man) = self.board.piece_at(from) else { continue };
            let occupied = self.board.occupied().without(from);
            let seen = |to: Square| (attacks::attacks(to, man, occupied) & targets.without(to)).count();
            let steps = self.board.attacks_from(from) & !self.board.by_color(man.color);
            push(match steps.into_iter().map(seen).max().unwrap_or(0) {
                2.. => PLY,
                1 => 2 * PLY,
                0 => 3 * PLY,
            });
        }
        if forking.is_empty() {
            push(4 * PLY);
        }
    }
}
