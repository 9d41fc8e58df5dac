use shakmaty::{Color, Move, Role, Square};

use super::{MoveEncoding, MoveIndex, steps};

/// AlphaZero's encoding, 8 × 8 × 73 = 4672: the index is row·584 + column·73 + plane, with the row and column of the
/// origin square.
///
/// Planes 0–55 are queen moves in the directions N, NE, E, SE, S, SW, W and NW, each by 1 to 7 squares. Planes 56–63
/// are knight moves, clockwise from NNE. Planes 64–72 are promotions to knight, bishop and rook, each to the left,
/// forward and to the right. A promotion to a queen is encoded as a queen move.
#[derive(Clone, Copy, Debug)]
pub struct AlphaZero;

impl AlphaZero {
    /// The number of planes.
    pub const PLANES: usize = 73;

    const FIRST_KNIGHT: usize = 56;
    const FIRST_PROMOTION: usize = 64;
    /// The knight moves (files, ranks), in the order of the planes.
    const KNIGHT: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    /// The directions (files, ranks) of queen moves, in the order of the planes.
    const QUEEN: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

    pub(super) fn plane(from: Square, to: Square, promotion: Option<Role>) -> usize {
        let files = i32::from(to.file()) - i32::from(from.file());
        let ranks = i32::from(to.rank()) - i32::from(from.rank());
        let piece = match promotion {
            Some(Role::Knight) => Some(0),
            Some(Role::Bishop) => Some(1),
            Some(Role::Rook) => Some(2),
            _ => None,
        };
        if let Some(piece) = piece {
            return AlphaZero::FIRST_PROMOTION + 3 * piece + (files + 1) as usize;
        }
        if let Some(knight) = AlphaZero::KNIGHT.iter().position(|step| *step == (files, ranks)) {
            return AlphaZero::FIRST_KNIGHT + knight;
        }
        let direction = (files.signum(), ranks.signum());
        let direction = AlphaZero::QUEEN.iter().position(|step| *step == direction);
        7 * direction.expect("a move changes the square") + files.abs().max(ranks.abs()) as usize - 1
    }
}

impl MoveEncoding for AlphaZero {
    const NAME: &'static str = "alpha-zero";
    const SIZE: usize = 64 * AlphaZero::PLANES;

    fn encode(m: Move, mover: Color) -> MoveIndex {
        let (from, to) = steps(m, mover);
        let index = usize::from(from) * AlphaZero::PLANES + AlphaZero::plane(from, to, m.promotion());
        MoveIndex(index as u16)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position, uci::UciMove};

    use super::*;

    #[test]
    fn indices_follow_the_published_layout() {
        let start = Chess::default();
        let index = |uci: &str| {
            let m = uci.parse::<UciMove>().unwrap().to_move(&start).unwrap();
            AlphaZero::encode(m, start.turn()).0
        };
        // Row 1, column 4 (e2): north by one and by two squares.
        assert_eq!(index("e2e3"), 584 + 4 * 73);
        assert_eq!(index("e2e4"), 584 + 4 * 73 + 1);
        // Row 0, column 6 (g1): NNW is the eighth knight plane.
        assert_eq!(index("g1f3"), 6 * 73 + 63);
        assert_eq!(AlphaZero::SIZE, 4672);
    }

    #[test]
    fn promotions_go_left_forward_right_in_the_order_knight_bishop_rook() {
        let plane = |file, role| AlphaZero::plane(Square::B7, file, Some(role));
        assert_eq!(plane(Square::A8, Role::Knight), 64);
        assert_eq!(plane(Square::B8, Role::Knight), 65);
        assert_eq!(plane(Square::C8, Role::Bishop), 69);
        assert_eq!(plane(Square::A8, Role::Rook), 70);
        assert_eq!(plane(Square::C8, Role::Rook), 72);
        assert_eq!(plane(Square::B8, Role::Queen), 0);
        assert_eq!(plane(Square::C8, Role::Queen), 7);
    }
}
