use std::sync::Arc;

use entente_constraint::thesis::Counts;
use shakmaty::Position;

use crate::{
    Query,
    batch::Batch,
    encoding::{
        goal_policy::{Aim, Span},
        thesis::{SHAPE, bitmaps, encode},
    },
    input::{Input, InputKind},
    shape::{Shape, by},
};

/// The input's name in the metadata of models.
pub const NAME: &str = "thesis";

pub(super) const KIND: InputKind = InputKind {
    name: NAME,
    words: || by(SHAPE),
    fitting: |shapes| (shapes == [SHAPE.to_vec()]).then(|| Arc::new(Thesis) as Arc<dyn Input>),
};

/// Planes `[17, 8, 8]`: see [`crate::encoding::thesis`]. They can only represent aims that demand exact counts of
/// White's men and nothing else. They do not represent players and plies.
#[derive(Debug)]
struct Thesis;

impl Input for Thesis {
    fn shapes(&self) -> Vec<Shape> {
        vec![SHAPE.to_vec()]
    }

    fn shows(&self, aim: &Aim) -> bool {
        counts(aim).is_some_and(|counts| *aim == aim_of_counts(&counts))
    }

    fn write(&self, query: &Query<'_>, batch: &mut Batch) {
        let [planes] = batch.add();
        let counts = counts(query.aim).unwrap_or_default();
        encode(&bitmaps(query.position.board()), &counts, planes);
    }
}

/// The aim that demands these exact counts of White's men and nothing else.
pub fn aim_of_counts(counts: &Counts) -> Aim {
    let mut aim = Aim::NONE;
    for (span, count) in aim.counts.iter_mut().zip(counts) {
        *span = Span::exactly(*count as i8);
    }
    aim
}

/// The exact counts of White's men that `aim` demands; `None` if it does not fix all five.
fn counts(aim: &Aim) -> Option<Counts> {
    let mut counts = Counts::default();
    for (count, span) in counts.iter_mut().zip(aim.counts) {
        let Span { least: Some(least), most: Some(most) } = span else { return None };
        *count = u8::try_from(least).ok().filter(|_| least == most)?;
    }
    Some(counts)
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Color};

    use super::*;
    use crate::{encoding::goal_policy::Context, encoding::thesis::LENGTH};

    #[test]
    fn only_exact_counts_of_white_can_be_represented() {
        let exact = aim_of_counts(&[1, 2, 1, 1, 7]);
        assert!(Thesis.shows(&exact));
        let mut of_both = exact.clone();
        of_both.counts[5] = Span::exactly(0);
        let mut open = exact.clone();
        open.counts[4].most = None;
        let more = Aim { turn: Some(Color::White), ..exact };
        for aim in [Aim::NONE, of_both, open, more] {
            assert!(!Thesis.shows(&aim), "{aim:?}");
        }
    }

    #[test]
    fn a_row_equals_the_trainers_encoding() {
        let position = Chess::default();
        let aim = aim_of_counts(&[1, 2, 1, 0, 7]);
        let mut batch = Batch::new(&Thesis.shapes());
        let query =
            Query { position: &position, moves: &[], played: &[], context: Context::default(), aim: &aim };
        Thesis.write(&query, &mut batch);
        let mut planes = [0.0; LENGTH];
        encode(&bitmaps(position.board()), &[1, 2, 1, 0, 7], &mut planes);
        assert_eq!(batch.some(0, 0..1), planes);
    }
}
