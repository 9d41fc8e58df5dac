//! The cost of wrong numbers of men: captures and promotions.

use shakmaty::{Bitboard, Role};

use super::{
    assignment::MEN,
    estimate::{Estimate, NEVER},
    force::{Force, Man, Near},
    paths::PLY,
    way::Way,
};
use crate::{Class, KINDS, Men};

/// The cost of a capture that is on a man's path anyway. It is never certain to happen.
const CAPTURE_ON_THE_WAY: u32 = PLY / 2;

impl Way {
    /// Adds the cost of the surplus men of `force`, which must be captured or promoted, and of its missing men.
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
                expected[(0..4).find(|kind| role(*kind) == place.role).expect("a promoted man")] += 1;
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

    /// The cost for `enemy` to capture `man` where it stands.
    pub(super) fn capture(&self, man: &Man, enemy: &Force, occupied: Bitboard) -> u32 {
        let near = Near::to(man.square, enemy.color, occupied);
        let detours = enemy.men().iter().map(|taker| taker.detour(self, enemy.color, man.square, &near));
        detours.min().unwrap_or(NEVER).clamp(CAPTURE_ON_THE_WAY, NEVER)
    }

    /// Adds the cost of differences between numbers of men and of total numbers that do not satisfy their conditions.
    pub(super) fn add_differences(
        &self,
        men: &Men,
        forces: &[Force; 2],
        occupied: Bitboard,
        estimate: &mut Estimate,
    ) {
        for (minuend, subtrahend, off) in self.counts.difference_errors(men).filter(|(_, _, off)| *off != 0) {
            let class = |kind: usize| Class::EMPTY.with(KINDS[kind]);
            self.add_shift(class(minuend), class(subtrahend), off.into(), forces, occupied, estimate);
        }
        for sum in &self.sums {
            let number = sum.number(men);
            if !sum.comparison.holds(number) {
                // The smallest change that satisfies the comparison. `!=` may have two directions.
                let off = (1..=i8::MAX)
                    .flat_map(|off| [off, -off])
                    .find(|off| sum.comparison.holds(number.saturating_sub(*off)));
                let minus = sum.minus.unwrap_or(Class::EMPTY);
                let off = off.unwrap_or(0).into();
                self.add_shift(sum.class, minus, off, forces, occupied, estimate);
            }
        }
    }

    /// Adds the cost of lowering the number of men of `class` minus the number of men of `minus` by `off`, or of
    /// raising it if `off` is negative. The cheapest captures and promotions are counted.
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
            let promotions = Role::ALL.into_iter().filter(|role| !matches!(role, Role::Pawn | Role::King));
            let gains = promotions.map(|role| role.of(force.color)).any(|piece| too_few.contains(piece));
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
