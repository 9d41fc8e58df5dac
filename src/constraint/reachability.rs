//! Which men a side can still come to have: counts fall by captures and rise by promotions only,
//! and pawns never return.
//!
//! A sound filter: what it calls unreachable no legal play can reach. That captures may be hard
//! to arrange is never a reason; a king can make them all.

use shakmaty::{Color, Move, Piece};
use thiserror::Error;

use super::{Goal, KINDS, Men, goal::Alternative, men::changes_men};

/// Queen, rook, bishop, knight: the kinds a pawn can become, as offsets within a side's [`KINDS`].
const OFFICERS: usize = 4;
/// The pawns, likewise.
const PAWNS: usize = 4;

/// Why no legal game can satisfy a constraint.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Impossible {
    /// Its conditions exclude each other.
    #[error("the conditions contradict each other")]
    Contradiction,
    /// Pawns never return.
    #[error("{} needs at least {needed} pawns and has {present}; pawns never return", name(*.color))]
    Pawns {
        /// The side.
        color: Color,
        /// The least number of pawns it must have.
        needed: i8,
        /// The number it has.
        present: i8,
    },
    /// Only pawns that may be missing can be promoted.
    #[error(
        "{} needs {needed} promoted {}, but only {available} of its pawns may be missing",
        name(*.color), if *.needed == 1 { "man" } else { "men" }
    )]
    Promotions {
        /// The side.
        color: Color,
        /// How many promotions it needs.
        needed: i8,
        /// How many pawns it can give for them.
        available: i8,
    },
    /// No numbers that can still come about differ as demanded.
    #[error("no numbers of men that can come about have {}-{} in {least}..{most}", .minuend.char(), .subtrahend.char())]
    Difference {
        /// The kind subtracted from.
        minuend: Piece,
        /// The kind subtracted.
        subtrahend: Piece,
        /// The least difference demanded.
        least: i8,
        /// The greatest difference demanded.
        most: i8,
    },
}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

impl Goal {
    /// True if `men` may still come to satisfy the constraint; false only where that is proved impossible.
    #[inline]
    pub fn is_reachable_from(&self, men: &Men) -> bool {
        self.alternatives.iter().any(|alternative| alternative.unreachable_reason(men).is_none())
    }

    /// True if the constraint may still be satisfied after `mover` plays `m`, where it was reachable
    /// before and `men` are the counts after the move.
    #[inline]
    pub fn keeps_reachable(&self, m: Move, men_after: &Men) -> bool {
        !changes_men(m) || self.is_reachable_from(men_after)
    }

    /// Why `men` can never come to satisfy the constraint, if that is proved.
    ///
    /// With several alternatives the reason is that of the first.
    pub fn impossible_from(&self, men: &Men) -> Option<Impossible> {
        let Some(first) = self.alternatives.first() else { return Some(Impossible::Contradiction) };
        if self.is_reachable_from(men) { None } else { first.unreachable_reason(men) }
    }
}

impl Alternative {
    pub(super) fn unreachable_reason(&self, men: &Men) -> Option<Impossible> {
        Color::ALL
            .into_iter()
            .find_map(|color| self.unreachable_for(color, men))
            .or_else(|| self.unreachable_difference(men))
    }

    fn unreachable_for(&self, color: Color, men: &Men) -> Option<Impossible> {
        let side = color.fold_wb(0, 5);
        let pawns = men.0[side + PAWNS];
        let spare = pawns - self.least[side + PAWNS];
        if spare < 0 {
            return Some(Impossible::Pawns { color, needed: self.least[side + PAWNS], present: pawns });
        }
        let needed = self.promotions_needed(side, men);
        (needed > spare).then_some(Impossible::Promotions { color, needed, available: spare })
    }

    /// Officers that the side whose kinds begin at index `side` lacks: only promotions can bring them.
    pub(super) fn promotions_needed(&self, side: usize, men: &Men) -> i8 {
        (side..side + OFFICERS).map(|kind| (self.least[kind] - men.0[kind]).max(0)).sum()
    }

    fn unreachable_difference(&self, men: &Men) -> Option<Impossible> {
        self.differences.iter().find_map(|difference| {
            let (low_minuend, high_minuend) = self.attainable(difference.minuend, men);
            let (low_subtrahend, high_subtrahend) = self.attainable(difference.subtrahend, men);
            let possible = if difference.minuend == difference.subtrahend {
                difference.least <= 0 && 0 <= difference.most
            } else {
                low_minuend - high_subtrahend <= difference.most
                    && difference.least <= high_minuend - low_subtrahend
            };
            (!possible).then(|| Impossible::Difference {
                minuend: KINDS[difference.minuend],
                subtrahend: KINDS[difference.subtrahend],
                least: difference.least,
                most: difference.most,
            })
        })
    }

    /// Bounds on the number of men of `kind` in any satisfying position that can follow.
    fn attainable(&self, kind: usize, men: &Men) -> (i8, i8) {
        let pawns = kind / 5 * 5 + PAWNS;
        let promotions = if kind == pawns { 0 } else { men.0[pawns] - self.least[pawns] };
        (self.least[kind], self.most[kind].min(men.0[kind] + promotions))
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
    fn reasons_are_given_in_words() {
        assert_eq!(
            reason("(1,2,1,1,9)").unwrap(),
            "White needs at least 9 pawns and has 8; pawns never return"
        );
        assert_eq!(
            reason("q=3 p=7").unwrap(),
            "Black needs 2 promoted men, but only 1 of its pawns may be missing"
        );
        assert_eq!(reason("Q=1 Q=2").unwrap(), "the conditions contradict each other");
        assert!(reason("Q-q=12").unwrap().contains("Q-q"));
        assert!(reason("Q-Q=1").is_some());
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
