//! The cost of one alternative: an estimate of the plies that remain, in which the men that do move never block each
//! other for long.

use shakmaty::{Board, Chess, Color, Position};

use super::{force::Force, paths::PLY, side, way::Way};
use crate::{Impossible, KINDS, Men, RIGHTS, Situation, homes};

/// More than the cost of anything that can be done.
pub(super) const NEVER: u32 = 100 * PLY;

/// The estimated distance of a position from a constraint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Estimate {
    /// In sixteenths of a ply.
    total: u32,
    /// The part of `total` that is only waiting. Any moves that undo nothing will do for it.
    waiting: u32,
}

impl Estimate {
    /// The estimate in sixteenths of a ply.
    pub fn total(self) -> u32 {
        self.total
    }

    /// The estimate in plies, at least one.
    pub fn plies(self) -> u32 {
        self.total.div_ceil(PLY).max(1)
    }

    /// The estimate in plies without waiting, that is without the plies that pass only until the game is long enough or
    /// the right side is to move.
    pub fn plies_of_work(self) -> u32 {
        if self.waiting > 0 { (self.total - self.waiting).div_ceil(PLY) } else { self.plies() }
    }

    pub(super) fn add(&mut self, cost: u32) {
        self.total += cost;
    }

    fn wait(&mut self, cost: u32) {
        self.total += cost;
        self.waiting += cost;
    }
}

impl Way {
    /// The cost of this way from a position; `None` if it is proved unreachable, or the game has left the known ways to
    /// an opening.
    pub(super) fn estimate(&self, situation: Situation<'_>) -> Option<Estimate> {
        let Situation { position, ply, .. } = situation;
        let board = position.board();
        let men = Men::on(board);
        if ply > self.plies.1 || !self.counts.is_reachable_from(&men) {
            return None;
        }
        let game = self.game.cost(situation, &self.counts)?;
        let forces =
            [Force::deployed(self, board, Color::White)?, Force::deployed(self, board, Color::Black)?];
        let mut estimate = Estimate::default();
        for force in &forces {
            if !force.suffices(self, self.captures_available(board, force.color)) {
                return None;
            }
            estimate.add(force.cost);
        }
        self.add_rights(position, &forces, &mut estimate)?;
        for (force, enemy) in [(&forces[0], &forces[1]), (&forces[1], &forces[0])] {
            self.add_numbers(&men, force, enemy, board.occupied(), &mut estimate);
        }
        self.add_differences(&men, &forces, board.occupied(), &mut estimate);
        self.add_areas(board, &forces, &mut estimate);
        self.add_quotas(board, &forces, &mut estimate);
        self.add_check_and_end(position, &forces, &mut estimate);
        estimate.add(game.total);
        if game.is_last && estimate.total() > 0 {
            return None;
        }
        let total = estimate.total();
        if total == 0 && self.turn.is_some_and(|turn| turn != position.turn()) {
            estimate.wait(PLY);
        }
        let missing = self.plies.0.saturating_sub(ply) * PLY;
        estimate.wait(missing.saturating_sub(total));
        Some(estimate)
    }

    /// The fewest plies of an opening or of first moves that must still be played; `None` if this way is unreachable.
    pub(super) fn opening_plies(&self, situation: Situation<'_>) -> Option<u32> {
        Some(self.game.cost(situation, &self.counts)?.opening)
    }

    /// The part of the cost that a policy network is not shown; `None` if this way is unreachable.
    pub(super) fn led_cost(&self, situation: Situation<'_>) -> Option<u32> {
        let mut estimate = Estimate::default();
        if self.has_areas_or_quotas() {
            let board = situation.position.board();
            let forces =
                [Force::deployed(self, board, Color::White)?, Force::deployed(self, board, Color::Black)?];
            self.add_areas(board, &forces, &mut estimate);
            self.add_quotas(board, &forces, &mut estimate);
        }
        Some(estimate.total() + self.game.cost(situation, &self.counts)?.led)
    }

    /// True if the way has conditions that a policy network is not shown.
    pub(super) fn leads(&self) -> bool {
        self.has_areas_or_quotas() || self.game.leads()
    }

    fn has_areas_or_quotas(&self) -> bool {
        !(self.areas.is_empty()
            && self.forbidden.is_empty()
            && self.gaps.is_empty()
            && self.occupied.is_empty()
            && self.negated_diagrams.is_empty()
            && self.quotas.is_empty())
    }

    /// Why this way is unreachable from a position, provided that [`Way::estimate`] returned `None`.
    pub(super) fn obstacle(&self, situation: Situation<'_>) -> Impossible {
        let board = situation.position.board();
        let because = |reason: String| Impossible::Because { reason };
        if self.game.cost(situation, &self.counts).is_none_or(|cost| cost.is_last) {
            return because("the conditions on the game exclude each other".to_owned());
        }
        for color in Color::ALL {
            let (name, enemy) = color.fold_wb(("White", "Black"), ("Black", "White"));
            let Some(force) = Force::deployed(self, board, color) else {
                return because(format!("{name}'s men cannot all reach their required squares"));
            };
            let available = self.captures_available(board, color);
            if !force.suffices(self, available) {
                let (captures, men) = if available == 1 { ("capture", "man") } else { ("captures", "men") };
                return because(format!(
                    "{name}'s pawns need more than {available} {captures} to reach their required squares, but \
                     {enemy} can lose only {available} {men}"
                ));
            }
        }
        because("the required castling rights are impossible".to_owned())
    }

    /// The number of men that `color` may capture.
    fn captures_available(&self, board: &Board, color: Color) -> u32 {
        let enemy = color.other();
        (board.by_color(enemy).count() as i32 - self.fewest_men(enemy)).max(0) as u32
    }

    /// The fewest men, including the king, that a side may have at the end.
    fn fewest_men(&self, color: Color) -> i32 {
        let kinds = KINDS.iter().zip(&self.bounds).filter(|(piece, _)| piece.color == color);
        1 + kinds.map(|(_, (least, _))| i32::from(*least)).sum::<i32>()
    }

    /// Adds the cost of castling rights that must be lost; `None` if a required one is already lost.
    fn add_rights(&self, position: &Chess, forces: &[Force; 2], estimate: &mut Estimate) -> Option<()> {
        let castles = position.castles();
        let mut to_lose = [0; 2];
        for (index, (_, color, wing)) in RIGHTS.into_iter().enumerate() {
            let held = castles.has(color, wing);
            if self.keep[index] && !held {
                return None;
            }
            if self.lose[index] && held {
                let [(king, _), (rook, _)] = homes(position, color, wing);
                let man = |square| forces[side(color)].men().iter().find(|man| man.square == square);
                let cost = |square| {
                    let Some(man) = man(square) else { return PLY };
                    let leaves = if man.stuck { 2 * PLY } else { PLY };
                    match man.target {
                        Some(target) if target.square == square => leaves + PLY,
                        Some(_) => 0,
                        None => leaves,
                    }
                };
                // A king move loses both rights at once.
                let cheapest = cost(king).min(cost(rook));
                to_lose[side(color)] = cheapest.max(to_lose[side(color)]);
            }
        }
        estimate.add(to_lose.iter().sum());
        for castling in &self.negated_castlings {
            if castling.holds_in(position) {
                if !castling.at_least && castling.rights == [false; 4] {
                    return None;
                }
                estimate.add(PLY);
            }
        }
        Some(())
    }
}
