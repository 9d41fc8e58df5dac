use std::sync::Arc;

use crate::{
    Query,
    batch::Batch,
    encoding::{
        goal_policy::Aim,
        lc0::{PLANES, encode},
    },
    input::{Input, InputKind},
    prediction::Heads,
    shape::{Shape, by},
};

/// The input's name in the metadata of models. Files that lc0 exports have no such metadata and are recognised by their
/// shape.
pub const NAME: &str = "lc0";

/// Planes `[112, 8, 8]`.
const SHAPE: [usize; 3] = [PLANES, 8, 8];

pub(super) const KIND: InputKind = InputKind {
    name: NAME,
    words: || by(SHAPE),
    fitting: |shapes| (shapes == [SHAPE.to_vec()]).then(|| Arc::new(LeelaChessZero) as Arc<dyn Input>),
};

/// Planes `[112, 8, 8]`: see [`crate::encoding::lc0`]. They do not represent aims, ratings or clocks.
#[derive(Debug)]
struct LeelaChessZero;

impl Input for LeelaChessZero {
    fn shapes(&self) -> Vec<Shape> {
        vec![SHAPE.to_vec()]
    }

    fn shows(&self, aim: &Aim) -> bool {
        aim.is_none()
    }

    fn heads(&self) -> Heads {
        Heads::Lc0
    }

    fn outputs_by_name(&self) -> Option<&'static [&'static str]> {
        Some(&["/output/policy", "/output/wdl"])
    }

    fn write(&self, query: &Query<'_>, batch: &mut Batch) {
        let [planes] = batch.add();
        encode(query.position, query.played, query.context.repeated, planes);
    }
}
