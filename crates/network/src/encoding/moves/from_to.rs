use shakmaty::{Color, Move};

use super::{MoveEncoding, MoveIndex, steps};

/// Origin and destination, 64 × 64 = 4096: the index is 64·from + to. The four promotions of a pawn share an index,
/// which decodes to the promotion to a queen.
#[derive(Clone, Copy, Debug)]
pub struct FromTo;

impl MoveEncoding for FromTo {
    const NAME: &'static str = "from-to";
    const SIZE: usize = 64 * 64;

    fn encode(m: Move, mover: Color) -> MoveIndex {
        let (from, to) = steps(m, mover);
        MoveIndex(u16::from(from) * 64 + u16::from(to))
    }
}
