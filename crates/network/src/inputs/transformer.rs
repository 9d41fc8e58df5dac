use std::sync::Arc;

use crate::{
    Query,
    batch::Batch,
    encoding::{
        goal_policy::Aim,
        transformer::{RIGHTS, SQUARES, encode},
    },
    input::{Input, InputKind},
    prediction::Heads,
    shape::Shape,
};

/// The input's name in the metadata of models.
pub const NAME: &str = "transformer";
/// The most moves that such a network may read.
const MAX_MOVES: usize = 1024;

pub(super) const KIND: InputKind = InputKind {
    name: NAME,
    words: || format!("1 to {MAX_MOVES} moves, {SQUARES} and {RIGHTS}"),
    fitting: |shapes| Transformer::fitting(shapes).map(|input| Arc::new(input) as Arc<dyn Input>),
};

/// The last moves, squares `[64]` and rights `[6]`: see [`crate::encoding::transformer`]. They do not represent aims,
/// players or plies.
#[derive(Debug)]
struct Transformer {
    /// The number of last moves that the network reads.
    moves: usize,
}

impl Transformer {
    fn fitting(shapes: &[Shape]) -> Option<Transformer> {
        let [moves, squares, rights] = shapes else { return None };
        match moves[..] {
            [moves @ 1..=MAX_MOVES] if *squares == [SQUARES] && *rights == [RIGHTS] => {
                Some(Transformer { moves })
            }
            _ => None,
        }
    }
}

impl Input for Transformer {
    fn shapes(&self) -> Vec<Shape> {
        vec![vec![self.moves], vec![SQUARES], vec![RIGHTS]]
    }

    fn shows(&self, aim: &Aim) -> bool {
        aim.is_none()
    }

    fn heads(&self) -> Heads {
        Heads::Moves
    }

    fn write(&self, query: &Query<'_>, batch: &mut Batch) {
        let [moves, squares, rights] = batch.add();
        encode(query.position, query.played, moves, squares, rights);
    }
}
