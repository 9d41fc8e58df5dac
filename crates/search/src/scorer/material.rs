use shakmaty::{ByColor, ByRole, Chess, Move, Position};

use super::Scorer;

/// The scorer that only counts material: pawn 100, knight 300, bishop 300, rook 500, queen 900. It is the baseline for
/// other scorers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

/// The values of the men in centipawns.
const VALUES: ByRole<i32> = ByRole { pawn: 100, knight: 300, bishop: 300, rook: 500, queen: 900, king: 0 };

impl Scorer for Material {
    type State = ();

    const WORTH: i32 = 100;
    const IS_SELECTIVE: bool = false;

    fn root(&self, _: &Chess) {}

    fn after(&self, (): &(), _: Move, _: &Chess, (): &mut ()) {}

    fn value(&self, (): &(), position: &Chess) -> i32 {
        let ByColor { white, black } = position.board().material();
        let ahead = white
            .zip(black)
            .zip(VALUES)
            .into_iter()
            .map(|((white, black), value)| (i32::from(white) - i32::from(black)) * value);
        position.turn().fold_wb(1, -1) * ahead.sum::<i32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position_from_fen;

    #[test]
    fn men_are_counted_for_the_side_to_move() {
        let value = |fen: &str| Material.value(&(), &position_from_fen(fen).unwrap());
        assert_eq!(value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 0);
        assert_eq!(value("4k3/8/8/8/8/8/3PP3/Q3K3 w - - 0 1"), 1100);
        assert_eq!(value("4k3/8/8/8/8/8/3PP3/Q3K3 b - - 0 1"), -1100);
        assert_eq!(value("rn2k3/8/8/8/8/8/3B4/4K3 b - - 0 1"), 500);
    }
}
