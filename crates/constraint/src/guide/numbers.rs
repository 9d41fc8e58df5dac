//! What numbers of men cost that are not as they should be: captures and promotions.

use shakmaty::{Bitboard, Role};

use super::{
    assignment::MEN,
    estimate::{Estimate, NEVER},
    force::{Force, Man, Near},
    paths::PLY,
    way::Way,
};
use crate::{Class, KINDS, Men};

/// What a capture costs that lies on somebody's way: one is never sure of it.
const CAPTURE_ON_THE_WAY: u32 = PLY / 2;

impl Way {
    /// Men too many, who must be captured or promoted, and men too few.
    pub(super) fn add_numbers(
        &self,
        men: &Men,
        force: &Force,
        enemy: &Force,
        occupied: Bitboard,
        estimate: &mut Estimate,
    ) {
        let (color, side) = (force.color, force.color.fold_wb(0, 5));
        let role = |kind: usize| KINDS[side + kind].role;
        let mut expected: [i8; 5] = std::array::from_fn(|kind| men.count(KINDS[side + kind]) as i8);
        for man in force.men() {
            if man.doomed {
                expected[2] -= 1;
                estimate.add(self.capture(man, enemy, occupied));
            }
            if let Some(place) = man.target
                && man.role == Role::Pawn
                && place.role != Role::Pawn
            {
                expected[4] -= 1;
                expected[(0..4).find(|kind| role(*kind) == place.role).expect("an officer")] += 1;
            }
        }
        let bounds = &self.bounds[side..side + 5];
        let lacking: i8 = (0..4).map(|kind| (bounds[kind].0 - expected[kind]).max(0)).sum();
        if lacking > 0 {
            let mut costs = [NEVER; 16];
            let pawns = force.men().iter().filter(|man| man.role == Role::Pawn && man.target.is_none());
            for (cost, man) in costs.iter_mut().zip(pawns) {
                *cost = u32::from(self.paths.promotion(color, man.square)).min(NEVER);
            }
            costs.sort_unstable();
            estimate.add(costs[..16.min(lacking as usize)].iter().sum());
            expected[4] -= lacking;
        }
        for kind in 0..5 {
            let surplus = expected[kind] - bounds[kind].1;
            if surplus <= 0 {
                continue;
            }
            let mut costs = [0; 16];
            let mut len = 0;
            for man in force.men() {
                if man.role == role(kind) && man.target.is_none() && !man.doomed {
                    let mut cost = self.capture(man, enemy, occupied);
                    if man.role == Role::Pawn {
                        let room = (0..4).any(|kind| expected[kind] < bounds[kind].1);
                        let promotion = u32::from(self.paths.promotion(color, man.square));
                        cost = if room { cost.min(promotion) } else { cost };
                    }
                    costs[len] = cost;
                    len += 1;
                }
            }
            costs[..len].sort_unstable();
            estimate.add(costs[..len.min(surplus as usize)].iter().sum());
        }
    }

    /// What it costs `enemy` to capture a man where he stands.
    pub(super) fn capture(&self, man: &Man, enemy: &Force, occupied: Bitboard) -> u32 {
        let near = Near::to(man.square, enemy.color, occupied);
        let detours = enemy.men().iter().map(|taker| taker.detour(self, enemy.color, man.square, &near));
        detours.min().unwrap_or(NEVER).clamp(CAPTURE_ON_THE_WAY, NEVER)
    }

    /// Differences between numbers of men, and numbers of several kinds, that are off.
    pub(super) fn add_differences(
        &self,
        men: &Men,
        forces: &[Force; 2],
        occupied: Bitboard,
        estimate: &mut Estimate,
    ) {
        for (minuend, subtrahend, off) in self.counts.differences_off(men).filter(|(_, _, off)| *off != 0) {
            let class = |kind: usize| Class::EMPTY.with(KINDS[kind]);
            self.add_shift(class(minuend), class(subtrahend), off.into(), forces, occupied, estimate);
        }
        for sum in &self.sums {
            let number = sum.number(men);
            if !sum.comparison.holds(number) {
                // A range that must not be met is left by the shorter way; the others have one.
                let off = (1..=i8::MAX)
                    .flat_map(|off| [off, -off])
                    .find(|off| sum.comparison.holds(number.saturating_sub(*off)));
                let minus = sum.minus.unwrap_or(Class::EMPTY);
                let off = off.unwrap_or(0).into();
                self.add_shift(sum.class, minus, off, forces, occupied, estimate);
            }
        }
    }

    /// What it costs to bring the men of `class`, less those of `minus`, down by `off`, or up if it is negative: by
    /// captures and promotions, the cheapest first.
    fn add_shift(
        &self,
        class: Class,
        minus: Class,
        off: i32,
        forces: &[Force; 2],
        occupied: Bitboard,
        estimate: &mut Estimate,
    ) {
        let (too_many, too_few) = if off > 0 { (class, minus) } else { (minus, class) };
        let mut costs = [NEVER; 2 * MEN];
        let mut len = 0;
        let mut push = |cost: u32| {
            costs[len] = cost.min(NEVER);
            len += 1;
        };
        for (force, enemy) in [(&forces[0], &forces[1]), (&forces[1], &forces[0])] {
            let officers = Role::ALL.into_iter().filter(|role| !matches!(role, Role::Pawn | Role::King));
            let gains = officers.map(|role| role.of(force.color)).any(|piece| too_few.contains(piece));
            for man in force.men() {
                let piece = man.role.of(force.color);
                if too_many.contains(piece) {
                    push(self.capture(man, enemy, occupied).max(PLY));
                } else if man.role == Role::Pawn && gains && !too_few.contains(piece) {
                    push(self.paths.promotion(force.color, man.square).into());
                }
            }
        }
        costs.sort_unstable();
        let needed = costs.len().min(off.unsigned_abs() as usize);
        estimate.add(costs[..needed].iter().sum());
    }
}
