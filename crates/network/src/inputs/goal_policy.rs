use std::sync::Arc;

use shakmaty::Position as _;

use crate::{
    Query,
    batch::Batch,
    encoding::{
        goal_policy::{Aim, FEATURES, FIRST_FEATURES, FIRST_PLANES, PLANES, encode},
        moves::{AlphaZero, MoveEncoding as _},
    },
    input::{Input, InputKind},
    shape::{Shape, by},
};

/// The input's name in the metadata of models.
pub const NAME: &str = "goal-policy";

pub(super) const KIND: InputKind = InputKind {
    name: NAME,
    words: || {
        let planes = [FIRST_PLANES, PLANES].map(|planes| by([planes, 8, 8])).join(" or ");
        format!("{planes} and {FIRST_FEATURES} to {FEATURES}")
    },
    fitting: |shapes| GoalPolicy::fitting(shapes).map(|input| Arc::new(input) as Arc<dyn Input>),
};

/// Planes `[51, 8, 8]` or `[110, 8, 8]`, and 102 to 110 features: see [`crate::encoding::goal_policy`].
#[derive(Debug)]
struct GoalPolicy {
    /// New planes and features are added at the end. A network that was trained with fewer reads the first ones.
    planes: usize,
    features: usize,
}

impl GoalPolicy {
    fn fitting(shapes: &[Shape]) -> Option<GoalPolicy> {
        let [planes, features] = shapes else { return None };
        let [features @ FIRST_FEATURES..=FEATURES] = features[..] else { return None };
        match planes[..] {
            [planes @ (FIRST_PLANES | PLANES), 8, 8] => Some(GoalPolicy { planes, features }),
            _ => None,
        }
    }
}

impl Input for GoalPolicy {
    fn shapes(&self) -> Vec<Shape> {
        vec![vec![self.planes, 8, 8], vec![self.features]]
    }

    fn shows(&self, _: &Aim) -> bool {
        true
    }

    fn write(&self, query: &Query<'_>, batch: &mut Batch) {
        let [planes, features] = batch.add();
        // This writes as many features as the network reads.
        encode(query.position, &query.context, query.aim, planes, features);
        let mover = query.position.turn();
        let squares =
            query.moves.iter().map(|m| usize::from(AlphaZero::encode(*m, mover).0) / AlphaZero::PLANES);
        batch.want(squares.fold(0, |wanted, square| wanted | 1 << square));
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;
    use crate::encoding::goal_policy::Context;

    #[test]
    fn a_network_with_fewer_features_reads_the_first_ones() {
        let position = Chess::default();
        let context =
            Context { ratings: [Some(1500), Some(2000)], seconds_left: Some(9), ..Context::default() };
        let query = Query { position: &position, moves: &[], played: &[], context, aim: &Aim::NONE };
        let row = |features: usize| {
            let input = GoalPolicy::fitting(&[vec![PLANES, 8, 8], vec![features]]).unwrap();
            let mut batch = Batch::new(&input.shapes());
            input.write(&query, &mut batch);
            (batch.some(0, 0..1).to_vec(), batch.some(1, 0..1).to_vec())
        };
        let (planes, all) = row(FEATURES);
        let (same_planes, fewer) = row(FIRST_FEATURES);
        assert_eq!((planes, &all[..FIRST_FEATURES]), (same_planes, &fewer[..]));
        assert!(all[FIRST_FEATURES..].iter().any(|feature| *feature != 0.0));
        assert!(GoalPolicy::fitting(&[vec![PLANES, 8, 8], vec![FEATURES + 1]]).is_none());
    }
}
