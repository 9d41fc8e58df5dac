//! The men of one side and the squares to which they must go.

use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

use super::{
    assignment::{Costs, MEN, cheapest},
    paths::{NO_PATH, PLY},
    side,
    way::{Destination, Way},
};

/// The men of one side, except those that never move.
pub(super) struct Force {
    pub color: Color,
    pub len: usize,
    pub men: [Man; MEN],
    /// The total cost of the paths to the places.
    pub cost: u32,
    /// The fewest captures that the pawns need on these paths.
    pub pawn_captures: u32,
}

/// A man, and what must happen to it.
#[derive(Clone, Copy)]
pub(super) struct Man {
    pub role: Role,
    pub square: Square,
    /// The place to which it must go, if any.
    pub target: Option<Destination>,
    /// It can only be captured.
    pub doomed: bool,
    /// The squares that it attacks on the actual board.
    pub attacks: Bitboard,
    /// The attacked squares without own men.
    pub steps: Bitboard,
    /// `steps` is empty.
    pub stuck: bool,
}

impl Force {
    /// The men of `color` with the cheapest assignment to all places; `None` if the places can no longer be filled.
    pub(super) fn deployed(way: &Way, board: &Board, color: Color) -> Option<Force> {
        let side = side(color);
        let mut frozen = Bitboard::EMPTY;
        for place in &way.frozen[side] {
            if board.piece_at(place.square) != Some(place.role.of(color)) {
                return None;
            }
            frozen.add(place.square);
        }
        let placeholder = Man {
            role: Role::King,
            square: Square::A1,
            target: None,
            doomed: false,
            attacks: Bitboard::EMPTY,
            steps: Bitboard::EMPTY,
            stuck: false,
        };
        let own = board.by_color(color);
        let mut force = Force { color, len: 0, men: [placeholder; MEN], cost: 0, pawn_captures: 0 };
        for role in Role::ALL {
            for square in board.by_piece(role.of(color)) & !frozen {
                debug_assert!(force.len < MEN, "positions with more men of a side are refused");
                let doomed = role == Role::Bishop && way.doomed_bishops[side].contains(square);
                let attacks = board.attacks_from(square);
                let steps = attacks & !own;
                let stuck = steps.is_empty();
                force.men[force.len] = Man { role, square, target: None, doomed, attacks, steps, stuck };
                force.len += 1;
            }
        }
        let places = &way.places[side];
        if places.is_empty() {
            return Some(force);
        }
        if places.len() > force.len {
            return None;
        }
        let mut costs: Costs = [[NO_PATH; MEN]; MEN];
        for (row, place) in costs.iter_mut().zip(places) {
            let near = attacks::attacks(place.square, place.role.of(color), board.occupied());
            for (cost, man) in row.iter_mut().zip(&force.men[..force.len]) {
                if !man.doomed {
                    *cost = way.paths.cost(color, man.role, man.square, place.role, place.square);
                    *cost = man.real(*cost, place.square, near);
                    if man.role == Role::Pawn && *cost < NO_PATH {
                        *cost += blockade(board, color, man.square, place.square);
                    }
                    if man.role == Role::King && *cost < NO_PATH && man.square != place.square {
                        *cost = king_walk(board, color, man.square, place.square, *cost);
                    }
                }
            }
        }
        let column_of = cheapest(&costs, places.len(), force.len)?;
        for (row, place) in places.iter().enumerate() {
            let column = usize::from(column_of[row]);
            let man = &mut force.men[column];
            man.target = Some(*place);
            force.cost += u32::from(costs[row][column]);
            if (man.role, place.role) == (Role::Pawn, Role::Pawn) {
                force.pawn_captures += u32::from(way.paths.pawn_captures(color, man.square, place.square));
            }
        }
        Some(force)
    }

    /// True if the pawns can reach their places with at most `available` captures.
    pub(super) fn suffices(&self, way: &Way, available: u32) -> bool {
        if self.pawn_captures <= available {
            return true;
        }
        // Another assignment may need fewer.
        let places = &way.places[side(self.color)];
        let mut costs: Costs = [[NO_PATH; MEN]; MEN];
        for (row, place) in costs.iter_mut().zip(places) {
            for (cost, man) in row.iter_mut().zip(self.men()) {
                let can =
                    way.paths.cost(self.color, man.role, man.square, place.role, place.square) < NO_PATH;
                *cost = match (can && !man.doomed, man.role, place.role) {
                    (false, ..) => NO_PATH,
                    (true, Role::Pawn, Role::Pawn) => {
                        way.paths.pawn_captures(self.color, man.square, place.square)
                    }
                    // A promoted pawn may need captures too; 0 is a lower bound.
                    _ => 0,
                };
            }
        }
        cheapest(&costs, places.len(), self.len).is_some_and(|column_of| {
            let captures: u32 =
                (0..places.len()).map(|row| u32::from(costs[row][usize::from(column_of[row])])).sum();
            captures <= available
        })
    }

    pub(super) fn men(&self) -> &[Man] {
        &self.men[..self.len]
    }
}

/// For each role, the squares from which a man of one side attacks a given square on the actual board.
pub(super) struct Near {
    pawn: Bitboard,
    knight: Bitboard,
    bishop: Bitboard,
    rook: Bitboard,
    king: Bitboard,
}

impl Near {
    pub(super) fn to(square: Square, color: Color, occupied: Bitboard) -> Near {
        Near {
            pawn: attacks::pawn_attacks(color.other(), square),
            knight: attacks::knight_attacks(square),
            bishop: attacks::bishop_attacks(square, occupied),
            rook: attacks::rook_attacks(square, occupied),
            king: attacks::king_attacks(square),
        }
    }

    pub(super) fn of(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => self.pawn,
            Role::Knight => self.knight,
            Role::Bishop => self.bishop,
            Role::Rook => self.rook,
            Role::Queen => self.bishop | self.rook,
            Role::King => self.king,
        }
    }
}

impl Man {
    /// The additional cost of passing through `square` on the way to the target.
    pub(super) fn detour(&self, way: &Way, color: Color, square: Square, near: &Near) -> u32 {
        let paths = &way.paths;
        let there = paths.cost(color, self.role, self.square, self.role, square);
        let there = self.real(there, square, near.of(self.role));
        let Some(place) = self.target else { return there.into() };
        let on = paths.cost(color, self.role, square, place.role, place.square);
        let direct = paths.cost(color, self.role, self.square, place.role, place.square);
        u32::from(there.saturating_add(on)).saturating_sub(direct.into())
    }

    /// The cost of reaching one of the squares in `to`: `relaxed`, the cost with only the unmoved men on the board, but
    /// at least the number of moves on the actual board, counted from one up to three.
    pub(super) fn approach(&self, relaxed: u16, color: Color, to: Bitboard, occupied: Bitboard) -> u16 {
        const PLIES: u16 = PLY as u16;
        let piece = self.role.of(color);
        let least = if self.role == Role::Pawn || (self.steps & to).any() {
            PLIES
        } else if self.steps.into_iter().any(|from| (attacks::attacks(from, piece, occupied) & to).any()) {
            2 * PLIES
        } else {
            3 * PLIES
        };
        relaxed.max(least)
    }

    /// The cost of reaching `square`: `relaxed`, the cost with only the unmoved men on the board, but at least the
    /// number of moves on the actual board, counted up to three. `near` are the squares from which such a man attacks
    /// `square`.
    fn real(&self, relaxed: u16, square: Square, near: Bitboard) -> u16 {
        const PLIES: u16 = PLY as u16;
        if self.role == Role::Pawn || relaxed == 0 || relaxed >= NO_PATH {
            return relaxed;
        }
        let least = if self.attacks.contains(square) {
            PLIES
        } else if (self.steps & near).any() {
            2 * PLIES
        } else {
            3 * PLIES
        };
        relaxed.max(least) + if self.stuck { PLIES } else { 0 }
    }
}

/// The cost of clearing the file in front of a pawn of `color` up to `to`.
fn blockade(board: &Board, color: Color, from: Square, to: Square) -> u16 {
    if from.file() != to.file() || from == to {
        return 0;
    }
    let path = attacks::between(from, to).with(to) & board.occupied();
    // An enemy pawn can only be captured or leave by a capture; other men step aside.
    let pawns = path & board.by_piece(Role::Pawn.of(color.other()));
    PLY as u16 * pawns.count() as u16 + PLY as u16 / 2 * (path & !pawns).count() as u16
}

/// The cost of a king's walk on the actual board, which avoids own men and attacked squares. It is at most two plies
/// more than `relaxed`.
fn king_walk(board: &Board, color: Color, from: Square, to: Square, relaxed: u16) -> u16 {
    const PLIES: u16 = PLY as u16;
    let longest = relaxed + 2 * PLIES;
    let attacked = attacked_squares(board, color.other(), from);
    let free = !(board.by_color(color) | attacked);
    let mut reached = Bitboard::from(from);
    let mut cost = 0;
    while cost < longest {
        let files = reached
            | reached.shift(1) & !Bitboard::from(shakmaty::File::A)
            | reached.shift(-1) & !Bitboard::from(shakmaty::File::H);
        let next = (files | files.shift(8) | files.shift(-8)) & (free | reached);
        cost += PLIES;
        if next.contains(to) {
            return cost.max(relaxed);
        }
        if next == reached {
            break;
        }
        reached = next;
    }
    longest
}

/// The squares that `color` attacks. The king on `through` does not block the attacks.
fn attacked_squares(board: &Board, color: Color, through: Square) -> Bitboard {
    let occupied = board.occupied().without(through);
    let mut attacked = Bitboard::EMPTY;
    for role in Role::ALL {
        let piece = role.of(color);
        for square in board.by_piece(piece) {
            attacked |= attacks::attacks(square, piece, occupied);
        }
    }
    attacked
}
