//! The cost of one way to meet a constraint: plies that it still needs, on a board that keeps nothing from its way.

use shakmaty::{Bitboard, Board, Chess, Color, Position, Role, Square, attacks};

use super::{
    force::{Force, Man},
    paths::{NO_WAY, PLY},
    side,
    way::{Way, homes},
};
use crate::constraint::{Class, End, Impossible, KINDS, Men, RIGHTS};

/// More than any capture costs.
const NEVER: u32 = 100 * PLY;
/// What a capture costs that lies on somebody's way: one is never sure of it.
const CAPTURE_ON_THE_WAY: u32 = PLY / 2;
/// What it costs to give check to a king whom nobody can get near to yet.
const NO_CHECK_YET: u32 = 4 * PLY;
/// What a square costs that a king to be mated may flee to.
const FLIGHT: u32 = PLY / 2;
/// What a man costs who can move and must not, and each of his moves.
const MOBILE: u32 = PLY / 2;
const MOBILITY: u32 = 2;
/// The most moves of a man that are counted.
const MOST_MOBILITY: u32 = 8;

/// How far a position is from satisfying a constraint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// What each side still has to do, White first, in sixteenths of a ply.
    pub sides: [u32; 2],
    /// What either side can do.
    pub either: u32,
}

impl Estimate {
    /// All of it, in sixteenths of a ply.
    pub fn total(self) -> u32 {
        self.sides[0] + self.sides[1] + self.either
    }

    /// All of it in plies, at least one.
    pub fn plies(self) -> u32 {
        self.total().div_ceil(PLY).max(1)
    }

    fn add(&mut self, color: Color, cost: u32) {
        self.sides[side(color)] += cost;
    }
}

impl Way {
    /// What this way still costs; `None` if it is proved to lead nowhere from `position`.
    pub fn estimate(&self, position: &Chess, ply: u32) -> Option<Estimate> {
        let board = position.board();
        let men = Men::on(board);
        if ply > self.plies.1 || !self.goal.is_reachable_from(&men) {
            return None;
        }
        let forces =
            [Force::deployed(self, board, Color::White)?, Force::deployed(self, board, Color::Black)?];
        let mut estimate = Estimate::default();
        for force in &forces {
            if !force.suffices(self, self.captures_available(board, force.color)) {
                return None;
            }
            estimate.add(force.color, force.cost);
        }
        self.add_rights(position, &forces, &mut estimate)?;
        for (force, enemy) in [(&forces[0], &forces[1]), (&forces[1], &forces[0])] {
            self.add_numbers(&men, force, enemy, board.occupied(), &mut estimate);
        }
        self.add_differences(&men, &forces, board.occupied(), &mut estimate);
        self.add_areas(board, &forces, &mut estimate);
        self.add_check_and_end(position, &forces, &mut estimate);
        let total = estimate.total();
        if total == 0 && self.turn.is_some_and(|turn| turn != position.turn()) {
            estimate.either += PLY;
        }
        let missing = self.plies.0.saturating_sub(ply) * PLY;
        estimate.either += missing.saturating_sub(total);
        Some(estimate)
    }

    /// Why this way leads nowhere from `position`, where [`Way::estimate`] finds that it does.
    pub fn obstacle(&self, position: &Chess) -> Impossible {
        let board = position.board();
        let because = |reason: String| Impossible::Because { reason };
        for color in Color::ALL {
            let name = color.fold_wb("White", "Black");
            let Some(force) = Force::deployed(self, board, color) else {
                return because(format!("{name}'s men cannot all get to where they must stand"));
            };
            let available = self.captures_available(board, color);
            if !force.suffices(self, available) {
                let men = if available == 1 { "man" } else { "men" };
                return because(format!(
                    "{name}'s pawns cannot get to where they must stand by capturing {available} {men}, which is all \
                     that the other side can lose"
                ));
            }
        }
        because("a right to castle that must be held is lost, or no right is left that could be".to_owned())
    }

    /// The men that the side of `color` may capture.
    fn captures_available(&self, board: &Board, color: Color) -> u32 {
        let enemy = color.other();
        (board.by_color(enemy).count() as i32 - self.fewest_men(enemy)).max(0) as u32
    }

    /// True if a bishop may stand on no square of the colour of `square`.
    pub fn is_bishop_doomed(&self, color: Color, square: Square) -> bool {
        let same = if square.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
        let never = |(piece, squares): &(shakmaty::Piece, Bitboard)| {
            *piece == Role::Bishop.of(color) && (same & !*squares).is_empty()
        };
        self.forbidden.iter().any(never)
    }

    /// The fewest men, king included, that a side may have at the end.
    fn fewest_men(&self, color: Color) -> i32 {
        let kinds = KINDS.iter().zip(&self.bounds).filter(|(piece, _)| piece.color == color);
        1 + kinds.map(|(_, (least, _))| i32::from(*least)).sum::<i32>()
    }

    /// Rights to castle: `None` if one that must be held is lost.
    fn add_rights(&self, position: &Chess, forces: &[Force; 2], estimate: &mut Estimate) -> Option<()> {
        let castles = position.castles();
        let mut to_lose = [0; 2];
        for (index, (_, color, wing)) in RIGHTS.into_iter().enumerate() {
            let held = castles.has(color, wing);
            if self.keep[index] && !held {
                return None;
            }
            if self.lose[index] && held {
                let (king, rook) = homes(color, wing);
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
                // A move of the king loses both rights at once.
                let cheapest = cost(king.square).min(cost(rook.square));
                to_lose[side(color)] = cheapest.max(to_lose[side(color)]);
            }
        }
        Color::ALL.into_iter().for_each(|color| estimate.add(color, to_lose[side(color)]));
        for castling in &self.denied_castlings {
            if castling.holds(position) {
                if !castling.at_least && castling.rights == [false; 4] {
                    return None;
                }
                estimate.either += PLY;
            }
        }
        Some(())
    }

    /// Men too many, who must be captured or promoted, and men too few.
    fn add_numbers(
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
                estimate.add(enemy.color, self.capture(man, enemy, occupied));
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
            estimate.add(color, costs[..lacking as usize].iter().sum());
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
            estimate.add(enemy.color, costs[..len.min(surplus as usize)].iter().sum());
        }
    }

    /// What it costs `enemy` to capture a man where he stands.
    fn capture(&self, man: &Man, enemy: &Force, occupied: Bitboard) -> u32 {
        let detours = enemy.men().iter().map(|taker| taker.detour(self, enemy.color, man.square, occupied));
        detours.min().unwrap_or(NEVER).clamp(CAPTURE_ON_THE_WAY, NEVER)
    }

    /// Differences between numbers of men, and numbers of several kinds, that are off.
    fn add_differences(&self, men: &Men, forces: &[Force; 2], occupied: Bitboard, estimate: &mut Estimate) {
        for (minuend, subtrahend, off) in self.goal.differences_off(men) {
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
        let mut costs: Vec<(u32, Color)> = Vec::with_capacity(32);
        for (force, enemy) in [(&forces[0], &forces[1]), (&forces[1], &forces[0])] {
            let officers = Role::ALL.into_iter().filter(|role| !matches!(role, Role::Pawn | Role::King));
            let gains = officers.map(|role| role.of(force.color)).any(|piece| too_few.contains(piece));
            for man in force.men() {
                let piece = man.role.of(force.color);
                if too_many.contains(piece) {
                    costs.push((self.capture(man, enemy, occupied).max(PLY), enemy.color));
                } else if man.role == Role::Pawn && gains && !too_few.contains(piece) {
                    costs.push((self.paths.promotion(force.color, man.square).into(), force.color));
                }
            }
        }
        costs.sort_unstable_by_key(|(cost, _)| *cost);
        let needed = off.unsigned_abs() as usize;
        costs.resize(needed, (NEVER, Color::White));
        costs.into_iter().for_each(|(cost, color)| estimate.add(color, cost.min(NEVER)));
    }

    /// Squares and regions that must be empty, or not, or free of some men, or have one.
    fn add_areas(&self, board: &Board, forces: &[Force; 2], estimate: &mut Estimate) {
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
            estimate.add(area.piece.color, u32::from(costs.min().unwrap_or(u16::MAX)).min(NEVER));
        }
        for force in forces {
            for man in force.men().iter().filter(|man| man.target.is_none()) {
                let is_in_the_way = self.empty.contains(man.square);
                let is_wrong = self.forbidden.iter().any(|(piece, squares)| {
                    *piece == man.role.of(force.color) && squares.contains(man.square)
                });
                if is_in_the_way || (is_wrong && !man.doomed) {
                    // Pawns do not step aside without taking something.
                    estimate.add(force.color, if man.role == Role::Pawn { 2 * PLY } else { PLY });
                }
            }
        }
        let occupied = board.occupied();
        estimate.either += PLY * self.gaps.iter().filter(|gap| (**gap & !occupied).is_empty()).count() as u32;
        estimate.either += PLY * (self.occupied & !occupied).count() as u32;
        estimate.either +=
            PLY * self.denied_diagrams.iter().filter(|diagram| diagram.holds(board)).count() as u32;
    }

    fn add_check_and_end(&self, position: &Chess, forces: &[Force; 2], estimate: &mut Estimate) {
        // Where nothing says who is to move at the end, either side may be.
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
            (cost, color)
        };
        if let Some((cost, color)) = sides.map(cost).min_by_key(|(cost, _)| *cost) {
            estimate.add(color.other(), cost);
        }
    }

    /// What it costs to give check to the king of `color`.
    fn check_cost(&self, position: &Chess, color: Color, forces: &[Force; 2]) -> u32 {
        if position.turn() == color && position.is_check() {
            return 0;
        }
        let Some(king) = position.board().king_of(color) else { return NEVER };
        let enemy = &forces[side(color.other())];
        let occupied = position.board().occupied();
        let cost = |man: &Man| {
            let piece = man.role.of(enemy.color);
            let near = match man.role {
                Role::Pawn => attacks::pawn_attacks(color, king),
                _ => attacks::attacks(king, piece, occupied),
            };
            let costs = near
                .into_iter()
                .map(|from| self.paths.cost(enemy.color, man.role, man.square, man.role, from));
            man.approach(costs.min().unwrap_or(NO_WAY), enemy.color, near, occupied).into()
        };
        let men = enemy.men().iter().filter(|man| man.role != Role::King);
        men.map(cost).min().unwrap_or(NEVER).clamp(PLY, NO_CHECK_YET)
    }
}

/// Squares beside the king of `color` that he could flee to.
fn flights(board: &Board, color: Color) -> Bitboard {
    let Some(king) = board.king_of(color) else { return Bitboard::EMPTY };
    let without_king = board.occupied().without(king);
    let around = attacks::king_attacks(king) & !board.by_color(color);
    around
        .into_iter()
        .filter(|square| board.attacks_to(*square, color.other(), without_king).is_empty())
        .collect()
}

impl Way {
    /// What it costs until the men of `color` cannot move.
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
                    + MOBILITY * (moves as u32).min(MOST_MOBILITY);
            }
        }
        if position.turn() == color && position.is_check() { cost + PLY } else { cost }
    }
}
