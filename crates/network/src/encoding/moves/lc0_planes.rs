use shakmaty::{Color, Move, Role};

use super::{AlphaZero, MoveEncoding, MoveIndex, oriented};

/// The moves of Leela Chess Zero in AlphaZero's layout, for networks that learned from one of lc0.
///
/// As [`AlphaZero`], but castling is the king's move to the rook, a promotion to a knight is encoded as a queen move,
/// and planes 64–66 are promotions to a queen.
#[derive(Clone, Copy, Debug)]
pub struct Lc0Planes;

impl MoveEncoding for Lc0Planes {
    const NAME: &'static str = "lc0-planes";
    const SIZE: usize = AlphaZero::SIZE;

    fn encode(m: Move, mover: Color) -> MoveIndex {
        let from = match m {
            Move::Castle { king, .. } => king,
            other => other.from().unwrap_or_else(|| other.to()),
        };
        // In shakmaty, too, the destination of castling is the rook's square.
        let [from, to] = [from, m.to()].map(|square| oriented(square, mover));
        let promotion = match m.promotion() {
            Some(Role::Queen) => Some(Role::Knight),
            Some(Role::Knight) => None,
            other => other,
        };
        let index = usize::from(from) * AlphaZero::PLANES + AlphaZero::plane(from, to, promotion);
        MoveIndex(index as u16)
    }
}

#[cfg(test)]
mod tests {
    use entente_search::position_from_fen;
    use shakmaty::{Position as _, uci::UciMove};

    use super::*;

    #[test]
    fn only_castling_and_promotions_differ_from_alpha_zero() {
        let fen = "r3k2r/P6p/8/8/8/8/p6P/R3K2R b KQkq - 0 1";
        let position = position_from_fen(fen).unwrap();
        let index = |uci: &str| {
            let m = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            [AlphaZero::encode(m, Color::Black).0, Lc0Planes::encode(m, Color::Black).0]
        };
        // From e1 as Black sees it (row 0, column 4): east by two squares, and by three; west by two, and by four.
        let king = 4 * 73;
        assert_eq!(index("e8g8"), [king + 15, king + 16]);
        assert_eq!(index("e8c8"), [king + 43, king + 45]);
        assert_eq!(index("e8f8"), [king + 14; 2]);
        let position = position_from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1").unwrap();
        let indices: Vec<u16> = position
            .legal_moves()
            .iter()
            .filter(|m| m.is_promotion())
            .map(|m| Lc0Planes::encode(*m, Color::White).0 % 73)
            .collect();
        let mut sorted = indices;
        sorted.sort_unstable();
        // A knight as a move to the north by one; a queen, a bishop and a rook forward.
        assert_eq!(sorted, [0, 65, 68, 71]);
    }
}
