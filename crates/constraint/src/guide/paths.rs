//! Distances of men from squares, on a board that holds only the men that never move.

use std::array;

use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use super::side;

/// The cost of a ply.
pub const PLY: u32 = 16;
/// The cost of a pawn's capture in addition to the move, because there must be something to capture.
const PAWN_CAPTURE: u16 = 8;
/// The cost if there is no path at all.
pub const NO_PATH: u16 = 10_000;

/// A cost for every pair of squares, from and to.
type Table = [[u16; 64]; 64];

/// The costs of the cheapest paths between squares for each kind of man. Men that do move are ignored.
pub struct Paths {
    /// Knights, bishops, rooks and queens.
    pieces: Box<[Table; 4]>,
    /// Kings, White's first. They avoid squares attacked by pawns that never move.
    kings: Box<[Table; 2]>,
    /// Pawns, White's first, up to the last rank.
    pawns: Box<[Table; 2]>,
    /// The fewest captures that pawns need, White's first.
    pawn_captures: Box<[Table; 2]>,
    /// Pawns, White's first, that become knights, bishops, rooks or queens on their path.
    promoted: Box<[[Table; 4]; 2]>,
}

/// The pieces to which a pawn can promote, in the order of the tables.
const PIECES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

const fn piece_index(role: Role) -> usize {
    match role {
        Role::Knight => 0,
        Role::Bishop => 1,
        Role::Rook => 2,
        _ => 3,
    }
}

impl Paths {
    /// The paths around `obstacles`, the men that never move. `pawns` are the pawns among them, White's first.
    pub fn around(obstacles: Bitboard, pawns: [Bitboard; 2]) -> Paths {
        Paths::priced(obstacles, pawns, PAWN_CAPTURE)
    }

    /// The same without the additional cost of captures. The costs are then lower bounds on the plies of any game.
    pub fn least(obstacles: Bitboard, pawns: [Bitboard; 2]) -> Paths {
        Paths::priced(obstacles, pawns, 0)
    }

    fn priced(obstacles: Bitboard, pawns: [Bitboard; 2], capture: u16) -> Paths {
        let free = !obstacles;
        let pieces = Box::new(PIECES.map(|role| {
            steps(|square| {
                let reached = match role {
                    Role::Knight => attacks::knight_attacks(square),
                    Role::Bishop => attacks::bishop_attacks(square, obstacles),
                    Role::Rook => attacks::rook_attacks(square, obstacles),
                    _ => attacks::queen_attacks(square, obstacles),
                };
                reached & free
            })
        }));
        let kings = Box::new(Color::ALL.map(|color| {
            let theirs = pawns[side(color.other())];
            let attacked = theirs
                .into_iter()
                .fold(Bitboard::EMPTY, |all, pawn| all | attacks::pawn_attacks(color.other(), pawn));
            steps(|square| attacks::king_attacks(square) & free & !attacked)
        }));
        let ways = Color::ALL
            .map(|color| pawn_ways(color, free, |moves, captures| moves * PLY as u16 + captures * capture));
        let captures = Color::ALL.map(|color| pawn_ways(color, free, |_, captures| captures));
        let promoted = array::from_fn(|color| {
            array::from_fn(|role| then(&ways[color], &pieces[role], Color::ALL[color]))
        });
        Paths {
            pieces,
            kings,
            pawns: Box::new(ways),
            pawn_captures: Box::new(captures),
            promoted: Box::new(promoted),
        }
    }

    /// The cost for a man of `color` to get from `from`, where it is a `role`, to `to`, where it is a `wanted`;
    /// [`NO_PATH`] if there is no path.
    #[inline]
    pub fn cost(&self, color: Color, role: Role, from: Square, wanted: Role, to: Square) -> u16 {
        let table = match (role, wanted) {
            (Role::Pawn, Role::Pawn) => &self.pawns[side(color)],
            (Role::King, Role::King) => &self.kings[side(color)],
            (Role::Pawn, Role::King) => return NO_PATH,
            (Role::Pawn, wanted) => &self.promoted[side(color)][piece_index(wanted)],
            (role, wanted) if role == wanted => &self.pieces[piece_index(role)],
            _ => return NO_PATH,
        };
        table[from.to_usize()][to.to_usize()]
    }

    /// The fewest captures that a pawn needs from `from` to `to`; [`NO_PATH`] if it cannot get there.
    #[inline]
    pub fn pawn_captures(&self, color: Color, from: Square, to: Square) -> u16 {
        self.pawn_captures[side(color)][from.to_usize()][to.to_usize()]
    }

    /// The cost of the cheapest path of a pawn to its last rank.
    pub fn promotion(&self, color: Color, from: Square) -> u16 {
        let last = Bitboard::from(color.fold_wb(Rank::Eighth, Rank::First));
        let ways = &self.pawns[side(color)][from.to_usize()];
        last.into_iter().map(|square| ways[square.to_usize()]).min().unwrap_or(NO_PATH)
    }
}

/// The cost in moves between all squares for a man that moves from a square to the squares in `reach`, by breadth-first
/// search.
fn steps(reach: impl Fn(Square) -> Bitboard) -> Table {
    let reached: [Bitboard; 64] = array::from_fn(|square| reach(Square::new(square as u32)));
    array::from_fn(|from| {
        let mut costs = [NO_PATH; 64];
        let mut frontier = Bitboard::from(Square::new(from as u32));
        let mut seen = frontier;
        let mut cost = 0;
        while frontier.any() {
            let mut next = Bitboard::EMPTY;
            for square in frontier {
                costs[square.to_usize()] = cost;
                next |= reached[square.to_usize()];
            }
            frontier = next & !seen;
            seen |= frontier;
            cost += PLY as u16;
        }
        costs
    })
}

/// The cheapest pawn paths over `free` squares. `cost` gives the cost of a number of moves and a number of captures.
fn pawn_ways(color: Color, free: Bitboard, cost: impl Fn(u16, u16) -> u16) -> Table {
    let forward = color.fold_wb(8, -8);
    let home = Bitboard::from(color.fold_wb(Rank::Second, Rank::Seventh));
    let mut table = [[NO_PATH; 64]; 64];
    for (from, costs) in table.iter_mut().enumerate() {
        let from = Square::new(from as u32);
        if Bitboard::BACKRANKS.contains(from) {
            continue;
        }
        costs[from.to_usize()] = 0;
        let mut rank = Bitboard::from(from.rank());
        // Every move leads to a later rank, so one pass over the ranks in order suffices.
        while rank.any() {
            for square in rank {
                let here = costs[square.to_usize()];
                if here >= NO_PATH || Bitboard::BACKRANKS.contains(square) {
                    continue;
                }
                let mut reach = |to: Square, more: u16| {
                    let known = &mut costs[to.to_usize()];
                    *known = (*known).min(here + more);
                };
                if let Some(ahead) = square.offset(forward).filter(|ahead| free.contains(*ahead)) {
                    reach(ahead, cost(1, 0));
                    if home.contains(square)
                        && let Some(ahead) = square.offset(2 * forward).filter(|ahead| free.contains(*ahead))
                    {
                        reach(ahead, cost(1, 0));
                    }
                }
                for to in attacks::pawn_attacks(color, square) & free {
                    reach(to, cost(1, 1));
                }
            }
            rank = rank.shift(forward);
        }
    }
    table
}

/// The cheapest paths of pawns to their last rank and on from there as promoted pieces.
fn then(pawns: &Table, pieces: &Table, color: Color) -> Table {
    let last = Bitboard::from(color.fold_wb(Rank::Eighth, Rank::First));
    array::from_fn(|from| {
        array::from_fn(|to| {
            let ways =
                last.into_iter().map(|square| pawns[from][square.to_usize()] + pieces[square.to_usize()][to]);
            ways.min().unwrap_or(NO_PATH).min(NO_PATH)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plies(paths: &Paths, role: Role, from: Square, wanted: Role, to: Square) -> u16 {
        paths.cost(Color::White, role, from, wanted, to)
    }

    #[test]
    fn an_empty_board_has_the_textbook_distances() {
        let paths = Paths::around(Bitboard::EMPTY, [Bitboard::EMPTY; 2]);
        let ply = PLY as u16;
        assert_eq!(plies(&paths, Role::Knight, Square::G1, Role::Knight, Square::H8), 4 * ply);
        assert_eq!(plies(&paths, Role::Bishop, Square::C1, Role::Bishop, Square::C2), NO_PATH);
        assert_eq!(plies(&paths, Role::Rook, Square::A1, Role::Rook, Square::B2), 2 * ply);
        assert_eq!(plies(&paths, Role::King, Square::E1, Role::King, Square::E8), 7 * ply);
        assert_eq!(plies(&paths, Role::Pawn, Square::E2, Role::Pawn, Square::E4), ply);
        assert_eq!(plies(&paths, Role::Pawn, Square::E2, Role::Pawn, Square::F3), ply + PAWN_CAPTURE);
        assert_eq!(plies(&paths, Role::Pawn, Square::E2, Role::Pawn, Square::G3), NO_PATH);
        assert_eq!(plies(&paths, Role::Pawn, Square::E2, Role::Queen, Square::A8), 6 * ply);
        assert_eq!(plies(&paths, Role::Queen, Square::E2, Role::Rook, Square::E3), NO_PATH);
        assert_eq!(paths.pawn_captures(Color::White, Square::A2, Square::D6), 3);
        assert_eq!(paths.promotion(Color::Black, Square::A2), ply);
    }

    #[test]
    fn paths_go_around_men_that_never_move() {
        let pawns = Bitboard::from(Square::B2) | Bitboard::from(Square::D2);
        let paths = Paths::around(pawns, [pawns, Bitboard::EMPTY]);
        assert_eq!(plies(&paths, Role::Bishop, Square::C1, Role::Bishop, Square::F4), NO_PATH);
        assert_eq!(plies(&paths, Role::Knight, Square::C1, Role::Knight, Square::B3), PLY as u16);
        let black_king = |to| paths.cost(Color::Black, Role::King, Square::C4, Role::King, to);
        assert_eq!(black_king(Square::C3), NO_PATH, "two pawns attack it for ever");
        assert_eq!(black_king(Square::C2), 2 * PLY as u16, "via b3 or d3");
    }
}
