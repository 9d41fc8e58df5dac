//! The squares that men can reach around men that never move.

use shakmaty::{Bitboard, Color, File, Rank, Role, Square};

/// All squares that a man other than a pawn can reach from `from` over squares that are not `closed`.
///
/// A sliding move is a sequence of single steps over open squares, so single steps suffice. They also cover castling,
/// in which the men pass over empty squares only.
pub(super) fn region(role: Role, from: Square, closed: Bitboard) -> Bitboard {
    let mut region = Bitboard::from(from);
    loop {
        let more = region | steps(role, region) & !closed;
        if more == region {
            return region;
        }
        region = more;
    }
}

/// The squares one step away from the squares in `from`.
pub(super) fn steps(role: Role, from: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => Bitboard::EMPTY,
        Role::Knight => {
            let (near, far) = (sideways(from), sideways_twice(from));
            near.shift(16) | near.shift(-16) | far.shift(8) | far.shift(-8)
        }
        Role::Bishop => {
            let adjacent = sideways(from);
            adjacent.shift(8) | adjacent.shift(-8)
        }
        Role::Rook => sideways(from) | from.shift(8) | from.shift(-8),
        Role::Queen | Role::King => {
            let row = from | sideways(from);
            row | row.shift(8) | row.shift(-8)
        }
    }
}

fn sideways(from: Bitboard) -> Bitboard {
    from.shift(1) & !Bitboard::from(File::A) | from.shift(-1) & !Bitboard::from(File::H)
}

fn sideways_twice(from: Bitboard) -> Bitboard {
    let (east, west) = (
        Bitboard::from(File::A) | Bitboard::from(File::B),
        Bitboard::from(File::G) | Bitboard::from(File::H),
    );
    from.shift(2) & !east | from.shift(-2) & !west
}

/// The number of captures if a pawn cannot get there at all.
pub(super) const NO_PATH: u8 = 100;

/// The squares that the pawn of a file can reach, by the number of its captures.
#[derive(Clone, Copy)]
pub(super) struct PawnWays([Bitboard; 7]);

impl PawnWays {
    /// The ways over squares that are not `closed`. If the initial square itself is closed, the pawn never moved.
    pub(super) fn of(color: Color, file: usize, closed: Bitboard) -> PawnWays {
        let forward = color.fold_wb(8, -8);
        let home = pawn_home(color, file);
        let mut ways = PawnWays([Bitboard::EMPTY; 7]);
        if closed.contains(home) {
            ways.0[0] = home.into();
            return ways;
        }
        let mut captured = Bitboard::from(home);
        for layer in &mut ways.0 {
            let mut reached = captured;
            for _ in 0..6 {
                reached |= reached.shift(forward) & !closed;
            }
            *layer = reached;
            captured = sideways(reached).shift(forward) & !closed;
        }
        ways
    }

    /// The fewest captures on the way to one of the squares in `to`; [`NO_PATH`] if none can be reached.
    pub(super) fn captures(&self, to: Bitboard) -> u8 {
        self.0.iter().position(|layer| layer.intersects(to)).map_or(NO_PATH, |captures| captures as u8)
    }

    /// The squares on which the pawn can have captured.
    pub(super) fn capture_squares(&self, color: Color, closed: Bitboard) -> Bitboard {
        let all = self.0.iter().fold(Bitboard::EMPTY, |all, layer| all | *layer);
        sideways(all).shift(color.fold_wb(8, -8)) & !closed
    }
}

/// The initial square of the pawn of a file.
pub(super) fn pawn_home(color: Color, file: usize) -> Square {
    Square::from_coords(File::new(file as u32), color.fold_wb(Rank::Second, Rank::Seventh))
}

#[cfg(test)]
mod tests {
    use shakmaty::attacks;

    use super::*;

    #[test]
    fn steps_are_attacks_to_adjacent_squares() {
        for square in Square::ALL {
            let from = Bitboard::from(square);
            assert_eq!(steps(Role::Knight, from), attacks::knight_attacks(square));
            assert_eq!(steps(Role::King, from).without(square), attacks::king_attacks(square));
            let full = Bitboard::FULL;
            assert_eq!(steps(Role::Bishop, from), attacks::bishop_attacks(square, full));
            assert_eq!(steps(Role::Rook, from), attacks::rook_attacks(square, full));
        }
    }

    #[test]
    fn regions_go_around_men_that_never_move() {
        let closed = Bitboard::from(Square::B2) | Bitboard::from(Square::D2);
        assert_eq!(region(Role::Bishop, Square::C1, closed), Square::C1.into());
        let corner = Bitboard::from(Square::A1).with(Square::B2);
        assert_eq!(
            region(Role::Bishop, Square::C1, Square::B2.into()),
            Bitboard::DARK_SQUARES & !corner,
            "a1 lies behind b2"
        );
        assert_eq!(region(Role::Rook, Square::A1, closed), !closed);
    }

    #[test]
    fn pawns_capture_to_change_files() {
        let ways = PawnWays::of(Color::White, 0, Bitboard::EMPTY);
        assert_eq!(ways.captures(Square::A7.into()), 0);
        assert_eq!(ways.captures(Square::D5.into()), 3);
        assert_eq!(ways.captures(Square::D4.into()), NO_PATH);
        let around = PawnWays::of(Color::Black, 0, Square::A3.into());
        assert_eq!(around.captures(Square::A2.into()), 2);
        assert_eq!(around.captures(Rank::First.into()), 1);
    }
}
