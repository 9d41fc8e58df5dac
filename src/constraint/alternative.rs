use shakmaty::Piece;

use super::{Count, Impossible, KINDS, Men, men::kind_index};

/// A bound that limits nothing: no board has as many men, and no constraint as large a number.
///
/// Its sum with any count or difference on a board still fits an `i8`.
const BEYOND: i8 = 100;
/// The same for sums of such numbers: more than a chain of differences through all kinds comes to.
const NO_LIMIT: i32 = 1_000_000;
/// No side has more men than this.
const MOST_MEN: i8 = 16;

/// One way to meet a goal: all ranges and differences at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Alternative {
    /// What the constraint says of each kind of man; distance is measured to these.
    pub stated: Bounds,
    /// What follows for each kind from [`Alternative::stated`] and the differences together.
    pub implied: Bounds,
    pub differences: Vec<Difference>,
}

/// Least and most men of each of the [`KINDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub least: [i8; KINDS.len()],
    pub most: [i8; KINDS.len()],
}

/// Bounds on the number of one kind of man minus that of another, as indices into [`KINDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    pub minuend: usize,
    pub subtrahend: usize,
    pub range: Range,
}

/// What a count or difference may be; the ends are within ±[`BEYOND`], which stands for no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub least: i8,
    pub most: i8,
}

impl Range {
    /// The range from `least` to `most`, or without limit where one is `None`.
    pub fn new(least: Option<i8>, most: Option<i8>) -> Range {
        let within = |bound: i8| bound.clamp(-BEYOND, BEYOND);
        Range { least: within(least.unwrap_or(-BEYOND)), most: within(most.unwrap_or(BEYOND)) }
    }

    pub fn has_least(self) -> bool {
        self.least > -BEYOND
    }

    pub fn has_most(self) -> bool {
        self.most < BEYOND
    }

    /// How far `number`, a count or difference on a board, is outside.
    #[inline]
    fn distance(self, number: i8) -> u32 {
        (self.least - number).max(number - self.most).max(0) as u32
    }
}

impl Bounds {
    pub const FREE: Bounds = Bounds { least: [-BEYOND; KINDS.len()], most: [BEYOND; KINDS.len()] };

    /// True if every number of men of `kind` that a board may have is within.
    pub fn is_free(&self, kind: usize) -> bool {
        self.least[kind] <= 0 && self.most[kind] >= MOST_MEN
    }

    fn are_empty(&self) -> bool {
        (0..KINDS.len()).any(|kind| self.least[kind] > self.most[kind])
    }
}

impl Alternative {
    /// No condition at all.
    pub const FREE: Alternative =
        Alternative { stated: Bounds::FREE, implied: Bounds::FREE, differences: Vec::new() };

    /// The alternative that `count`, whatever it is compared with, is in `range`.
    pub fn of_count(count: &Count, range: Range) -> Alternative {
        let kind = |piece: Piece| kind_index(piece.color, piece.role).expect("counts never name kings");
        let mut alternative = Alternative::FREE;
        if let Some(minus) = count.minus {
            let difference = Difference { minuend: kind(count.piece), subtrahend: kind(minus), range };
            alternative.differences.push(difference);
        } else {
            alternative.stated.least[kind(count.piece)] = range.least;
            alternative.stated.most[kind(count.piece)] = range.most;
        }
        alternative
    }

    /// Both alternatives at once; `None` if two ranges of the same kind exclude each other.
    pub fn and(&self, other: &Alternative) -> Option<Alternative> {
        let [left, right] = [&self.stated, &other.stated];
        let stated = Bounds {
            least: std::array::from_fn(|kind| left.least[kind].max(right.least[kind])),
            most: std::array::from_fn(|kind| left.most[kind].min(right.most[kind])),
        };
        let differences = self.differences.iter().chain(&other.differences).copied().collect();
        (!stated.are_empty()).then_some(Alternative { stated, implied: stated, differences })
    }

    /// The alternative with what follows from it, or why no board can meet it.
    pub fn settled(mut self) -> Result<Alternative, Impossible> {
        if let Some(kind) = (0..KINDS.len()).find(|&kind| self.stated.most[kind] < 0) {
            return Err(Impossible::Negative { piece: KINDS[kind] });
        }
        self.stated.least = self.stated.least.map(|least| least.max(0));
        self.implied = self.stated.tightened(&self.differences).ok_or(Impossible::Contradiction)?;
        Ok(self)
    }

    /// How many men are too many or too few, and by how many each difference is off.
    #[inline]
    pub fn distance(&self, men: &Men) -> u32 {
        let mut distance = 0;
        let Bounds { least, most } = &self.stated;
        for kind in 0..KINDS.len() {
            let count = men.0[kind];
            distance += (least[kind] - count).max(count - most[kind]).max(0) as u32;
        }
        for difference in &self.differences {
            let number = men.0[difference.minuend] - men.0[difference.subtrahend];
            distance += difference.range.distance(number);
        }
        distance
    }
}

impl Bounds {
    /// These bounds, none below zero, and what `differences` add to them; `None` if no counts meet all.
    ///
    /// Bellman and Ford's relaxation of difference constraints: with the bounds themselves there are
    /// as many unknowns as kinds and an origin, so that bounds which still move after as many passes
    /// never come to rest.
    fn tightened(self, differences: &[Difference]) -> Option<Bounds> {
        // Sums along a chain of differences outgrow the bounds on a board.
        let mut least = self.least.map(i32::from);
        let mut most = self.most.map(|most| if most < BEYOND { most.into() } else { NO_LIMIT });
        for _ in 0..=KINDS.len() {
            let before = (least, most);
            for &Difference { minuend, subtrahend, range } in differences {
                if minuend == subtrahend {
                    continue;
                }
                if range.has_least() {
                    least[minuend] =
                        least[minuend].max(least[subtrahend].saturating_add(i32::from(range.least)));
                    most[subtrahend] =
                        most[subtrahend].min(most[minuend].saturating_sub(i32::from(range.least)));
                }
                if range.has_most() {
                    least[subtrahend] =
                        least[subtrahend].max(least[minuend].saturating_sub(i32::from(range.most)));
                    most[minuend] = most[minuend].min(most[subtrahend].saturating_add(i32::from(range.most)));
                }
            }
            if (0..KINDS.len()).any(|kind| least[kind] > most[kind]) {
                return None;
            }
            if before == (least, most) {
                let within = |bounds: [i32; KINDS.len()]| bounds.map(|bound| bound.min(BEYOND.into()) as i8);
                return Some(Bounds { least: within(least), most: within(most) });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Goal;

    /// The least and most white queens and black queens that follow from the only alternative.
    fn queens(text: &str) -> Option<[(i8, i8); 2]> {
        let goal = Goal::new(&text.parse().expect(text)).expect(text);
        let implied = goal.alternatives.first()?.implied;
        Some([0, 5].map(|kind| (implied.least[kind], implied.most[kind])))
    }

    #[test]
    fn differences_bound_the_counts_that_they_compare() {
        assert_eq!(queens("Q-q=4 q=0..2"), Some([(4, 6), (0, 2)]));
        assert_eq!(queens("Q-q>=2 Q<=3"), Some([(2, 3), (0, 1)]));
        assert_eq!(queens("q-r>=3 r>=1 Q-q=1"), Some([(5, BEYOND), (4, BEYOND)]));
        assert_eq!(queens("Q-q!=0"), Some([(0, BEYOND), (1, BEYOND)]));
        assert_eq!(queens("Q-q<=-1 | Q-q>=5"), Some([(0, BEYOND), (1, BEYOND)]));
    }

    #[test]
    fn differences_that_exclude_each_other_leave_no_alternative() {
        assert_eq!(queens("Q-q>=1 q-r>=1 r-Q>=-1"), None);
        assert_eq!(queens("Q-q>=1 q-Q>=0"), None);
        assert_eq!(queens("Q=0 Q-q=3"), None);
        assert!(queens("Q-q>=1 q-r>=1 Q-r=2").is_some());
        assert_eq!(queens(&"Q-q>=99 q-Q>=99 ".repeat(500)), None);
    }
}
