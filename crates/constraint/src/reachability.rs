//! Which numbers of men a game can still reach. Captures lower the numbers, only promotions raise them, and pawns never
//! return.
//!
//! The filter is sound: no legal play reaches what it calls unreachable. It never gives the difficulty of captures as a
//! reason, because a king could make them all.

use shakmaty::{Color, Move};

use super::{
    Comparison, Goal, Impossible, IntegerRange, KINDS, Men,
    counts::{Bounds, Counts, Difference},
};

/// The number of kinds that a pawn can become: queen, rook, bishop, knight. They are the first of a side's [`KINDS`].
const PIECES: usize = 4;
/// The offset of the pawns within a side's [`KINDS`].
const PAWNS: usize = 4;

impl Goal {
    /// True if the constraint may still be satisfied from `men`; false only if that is proved impossible.
    #[inline]
    pub fn is_reachable_from(&self, men: &Men) -> bool {
        self.alternatives.iter().any(|alternative| alternative.is_reachable_from(men))
    }

    /// [`Goal::is_reachable_from`] for `men_after`, the numbers of men after `m`, provided that it was true before `m`.
    ///
    /// A move that neither captures nor promotes does not change the numbers, so the answer is still true and
    /// `men_after` is not used. False proves that no play after `m` satisfies the constraint; true proves nothing.
    #[inline]
    pub fn keeps_reachable(&self, m: Move, men_after: &Men) -> bool {
        !self.may_change_with(m) || self.is_reachable_from(men_after)
    }

    /// Why the constraint can never be satisfied from `men`, if that is proved.
    ///
    /// If there are several alternatives, the reason is about the first.
    pub fn impossible_from(&self, men: &Men) -> Option<Impossible> {
        let Some(first) = self.alternatives.first() else { return self.unmeetable.clone() };
        if self.is_reachable_from(men) { None } else { first.unreachable_reason(men) }
    }
}

impl Counts {
    /// False only if these counts can never be satisfied from `men`.
    pub fn is_reachable_from(&self, men: &Men) -> bool {
        self.implied.are_reachable_from(men)
            && self
                .differences
                .iter()
                .all(|difference| self.unreachable_difference(difference, men).is_none())
    }

    /// The fewest captures with which `men` can satisfy the upper bounds.
    pub(super) fn captures_needed(&self, men: &Men) -> u32 {
        let sum = |counts: &[i8]| -> i32 { counts.iter().map(|count| i32::from(*count)).sum() };
        (sum(&men.0) - sum(&self.implied.most)).max(0) as u32
    }

    /// The fewest captures after which `men` can satisfy the upper bounds, if every surplus pawn that may be promoted
    /// is.
    pub(super) fn forced_captures(&self, men: &Men) -> u32 {
        let surplus = |kind: usize| i32::from(men.0[kind] - self.implied.most[kind]);
        let of_side = |side: usize| -> i32 {
            let pieces = side..side + PIECES;
            let captured: i32 = pieces.clone().map(|kind| surplus(kind).max(0)).sum();
            let room: i32 = pieces.map(|kind| (-surplus(kind)).max(0)).sum();
            captured + (surplus(side + PAWNS) - room).max(0)
        };
        (of_side(0) + of_side(5)) as u32
    }

    /// The fewest men, kings included, that both sides together may have.
    pub(super) fn fewest_men(&self) -> i32 {
        2 + self.implied.least.iter().map(|least| i32::from((*least).max(0))).sum::<i32>()
    }

    /// The most men, kings included, that both sides together may have.
    pub(super) fn most_men(&self) -> i32 {
        2 + self.implied.most.iter().map(|most| i32::from(*most)).sum::<i32>()
    }

    /// The fewest men of the other side that `color` must capture.
    pub(super) fn captures_of(&self, color: Color, men: &Men) -> u32 {
        let enemy = color.fold_wb(5..10, 0..5);
        let sum = |counts: &[i8]| -> i32 { counts.iter().map(|count| i32::from(*count)).sum() };
        (sum(&men.0[enemy.clone()]) - sum(&self.implied.most[enemy])).max(0) as u32
    }

    /// The fewest pawns that `color` must promote.
    pub(super) fn promotions_of(&self, color: Color, men: &Men) -> u32 {
        self.implied.promotions_needed(color.fold_wb(0, 5), men)
    }

    /// True if the number of men of every kind is fixed.
    pub(super) fn are_exact(&self) -> bool {
        self.implied.least == self.implied.most
    }

    /// By how many men the kinds exceed their upper bounds. These men must be captured, or promoted if they are pawns.
    pub(super) fn excess_men(&self, men: &Men) -> u32 {
        let kinds = men.0.iter().zip(&self.implied.most);
        kinds.map(|(count, most)| u32::try_from(count - most).unwrap_or(0)).sum()
    }

    /// Why these counts can never be satisfied from `men`, if that is proved. Reasons about the stated bounds come
    /// first, because they are closest to what the user wrote.
    pub(super) fn unreachable_reason(&self, men: &Men) -> Option<Impossible> {
        self.stated
            .unreachable_reason(men)
            .or_else(|| {
                self.differences.iter().find_map(|difference| self.unreachable_difference(difference, men))
            })
            .or_else(|| self.implied.unreachable_reason(men))
    }

    fn unreachable_difference(&self, difference: &Difference, men: &Men) -> Option<Impossible> {
        let &Difference { minuend, subtrahend, range } = difference;
        let possible = if minuend == subtrahend {
            range.least <= 0 && 0 <= range.most
        } else {
            let (low_minuend, high_minuend) = self.attainable(minuend, men);
            let (low_subtrahend, high_subtrahend) = self.attainable(subtrahend, men);
            low_minuend.saturating_sub(high_subtrahend) <= range.most
                && range.least <= high_minuend.saturating_sub(low_subtrahend)
        };
        (!possible).then(|| Impossible::Difference {
            minuend: KINDS[minuend],
            subtrahend: KINDS[subtrahend],
            demanded: match IntegerRange::new(range.least, range.most) {
                Some(both) if range.has_least() && range.has_most() => Comparison::In(both),
                _ if range.has_most() => Comparison::AtMost(range.most),
                _ => Comparison::AtLeast(range.least),
            },
        })
    }

    /// Bounds on the number of men of `kind` in every satisfying position that can follow.
    fn attainable(&self, kind: usize, men: &Men) -> (i8, i8) {
        let pawns = kind / 5 * 5 + PAWNS;
        let promotions = if kind == pawns { 0 } else { men.0[pawns] - self.implied.least[pawns] };
        (self.implied.least[kind], self.implied.most[kind].min(men.0[kind] + promotions))
    }
}

impl Bounds {
    /// True if each side has enough pawns for the pawns and the promotions that it needs.
    #[inline]
    fn are_reachable_from(&self, men: &Men) -> bool {
        [0, 5].into_iter().all(|side| {
            let spare = men.0[side + PAWNS] - self.least[side + PAWNS];
            self.promotions_needed(side, men) as i32 <= i32::from(spare)
        })
    }

    fn unreachable_reason(&self, men: &Men) -> Option<Impossible> {
        Color::ALL.into_iter().find_map(|color| self.unreachable_for(color, men))
    }

    fn unreachable_for(&self, color: Color, men: &Men) -> Option<Impossible> {
        let side = color.fold_wb(0, 5);
        let (present, needed) = (men.0[side + PAWNS], self.least[side + PAWNS]);
        if present < needed {
            return Some(Impossible::Pawns { color, needed, present });
        }
        let available = (present - needed) as u32;
        let needed = self.promotions_needed(side, men);
        (needed > available).then_some(Impossible::Promotions { color, needed, available })
    }

    /// The number of queens, rooks, bishops and knights that a side lacks and only promotions can supply. The side's
    /// kinds begin at index `side`.
    pub(super) fn promotions_needed(&self, side: usize, men: &Men) -> u32 {
        let (least, present) = (&self.least[side..side + PIECES], &men.0[side..side + PIECES]);
        least.iter().zip(present).map(|(least, present)| (least - present).max(0) as u32).sum()
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position};

    use super::*;

    fn reason(text: &str) -> Option<String> {
        let goal = Goal::new(&text.parse().expect(text)).expect(text);
        goal.impossible_from(&Men::on(Chess::default().board())).map(|reason| reason.to_string())
    }

    #[test]
    fn reasons_are_in_words() {
        assert_eq!(
            reason("(1,2,1,1,9)").unwrap(),
            "White needs at least 9 pawns and has 8; pawns never return"
        );
        assert_eq!(
            reason("q=3 p=7").unwrap(),
            "Black needs 2 promoted men, but only 1 of its pawns may be missing"
        );
        assert_eq!(reason("Q=1 Q=2").unwrap(), "the conditions contradict each other");
        assert_eq!(reason("Q-q=12").unwrap(), "no reachable numbers of men have Q-q=12");
        assert_eq!(reason("Q-q>=12").unwrap(), "no reachable numbers of men have Q-q>=12");
        assert_eq!(reason("R-p<-10").unwrap(), "no reachable numbers of men have R-p<=-11");
        assert!(reason("Q-Q=1").is_some());
    }

    #[test]
    fn impossibly_large_numbers_get_a_true_reason() {
        let white = |needed: u32| {
            format!("White needs {needed} promoted men, but only 8 of its pawns may be missing")
        };
        assert_eq!(reason("(17,2,2,2,0)").unwrap(), white(16));
        assert_eq!(reason("Q=20 P>=0").unwrap(), white(19));
        assert_eq!(reason("Q>=64").unwrap(), white(63));
        assert_eq!(reason("Q>99").unwrap(), white(99));
        assert_eq!(reason("(99,99,99,99,0)").unwrap(), white(98 + 3 * 97));
        assert_eq!(reason("P=99").unwrap(), "White needs at least 99 pawns and has 8; pawns never return");
        for text in ["Q<0", "Q=-1", "Q=-1 P=8", "Q<=-99 | Q=-3..-2"] {
            assert_eq!(reason(text).unwrap(), "the number of Q would have to be negative", "{text}");
        }
        let differ = "no reachable numbers of men have ";
        assert_eq!(reason("Q-q>=64").unwrap(), format!("{differ}Q-q>=64"));
        assert_eq!(reason("Q-q<=-99").unwrap(), format!("{differ}Q-q<=-99"));
        assert_eq!(reason("Q-q<-99 Q=1").unwrap(), format!("{differ}Q-q<=-100"));
        assert_eq!(reason("Q-q>=64 q-r>=64").unwrap(), format!("{differ}Q-q>=64"));
        for text in ["Q<=99", "Q>=-99", "Q!=-1", "Q=-5..3", "Q-q>-99", "Q-q!=99", "Q<0 | Q=2", "P>-5 R=9"] {
            assert_eq!(reason(text), None, "{text}");
        }
    }

    #[test]
    fn differences_need_enough_pawns_to_promote() {
        assert_eq!(reason("Q-q=8 R-r=1"), None);
        assert_eq!(
            reason("Q-q=8 R-r=4").unwrap(),
            "White needs 9 promoted men, but only 8 of its pawns may be missing"
        );
        assert_eq!(reason("P-p=9").unwrap(), "no reachable numbers of men have P-p=9");
        assert_eq!(reason("Q-q=3 q-Q=0").unwrap(), "the conditions contradict each other");
        assert_eq!(reason("Q-q=3 P>=5"), None);
        assert!(reason("Q-q=3 R-r>=4 P>=5").is_some());
    }

    #[test]
    fn the_counts_after_a_quiet_move_are_not_used() {
        let goal = Goal::new(&"P=9".parse().unwrap()).unwrap();
        let position = Chess::default();
        let men = Men::on(position.board());
        assert!(!goal.is_reachable_from(&men));
        assert!(goal.keeps_reachable(position.legal_moves()[0], &men));
    }

    #[test]
    fn promotions_make_more_than_the_initial_men_reachable() {
        assert_eq!(reason("Q=9"), None);
        assert_eq!(
            reason("Q=9 P>=1").unwrap(),
            "White needs 8 promoted men, but only 7 of its pawns may be missing"
        );
        assert_eq!(reason("(2,3,3,3,4)"), None);
        assert!(reason("(2,3,3,3,5)").is_some());
        assert_eq!(reason("Q=12 | R=1"), None);
        assert_eq!(reason("Q-q=9"), None);
    }
}
