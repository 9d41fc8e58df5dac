//! What follows for a constraint from the numbers of White's men alone.

use entente_constraint::thesis::Counts;

/// How White's men differ from a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// The number of surplus men of all kinds.
    pub too_many: u8,
    /// The number of missing men of all kinds.
    pub too_few: u8,
}

impl Difference {
    pub(super) fn new(men: &Counts, wanted: &Counts) -> Difference {
        Difference { too_many: missing(wanted, men), too_few: missing(men, wanted) }
    }

    /// True if White has surplus men and no missing ones, so that captures can lead to the constraint.
    pub(super) fn is_ahead(self) -> bool {
        self.too_few == 0 && self.too_many > 0
    }
}

/// 1 if White's men satisfy the constraint, 0 if no play can lead to it; `None` if neither is certain.
///
/// Numbers of men fall only by captures and rise only by promotions, and pawns never return.
pub(super) fn decided(men: &Counts, wanted: &Counts) -> Option<f32> {
    if men == wanted {
        return Some(1.0);
    }
    let promotions = missing(&men[..4], &wanted[..4]);
    let spare_pawns = men[4].checked_sub(wanted[4]);
    spare_pawns.is_none_or(|pawns| pawns < promotions).then_some(0.0)
}

/// How many men of `wanted` are missing in `men`.
fn missing(men: &[u8], wanted: &[u8]) -> u8 {
    men.iter().zip(wanted).map(|(men, wanted)| wanted.saturating_sub(*men)).sum()
}

#[cfg(test)]
mod tests {
    use entente_constraint::{
        Goal, Men,
        thesis::{SEVENTEEN, constraint},
    };
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::samples::{board, satisfaction::tests::random_game};

    #[test]
    fn a_side_is_ahead_until_a_needed_man_is_gone() {
        let wanted = [1, 2, 1, 2, 7];
        let is_ahead = |men| Difference::new(men, &wanted).is_ahead();
        assert!(is_ahead(&[1, 2, 2, 2, 8]));
        assert!(is_ahead(&[1, 2, 1, 2, 8]));
        assert!(!is_ahead(&wanted));
        assert!(!is_ahead(&[0, 2, 2, 2, 8]), "a pawn could become a queen, but rarely does");
        let both = Difference::new(&[0, 2, 2, 2, 8], &wanted);
        assert_eq!(both, Difference { too_many: 2, too_few: 1 });
    }

    #[test]
    fn a_spare_pawn_may_become_the_missing_man() {
        let wanted = [1, 0, 0, 0, 1];
        assert_eq!(decided(&[0, 0, 0, 0, 2], &wanted), None);
        assert_eq!(decided(&[0, 0, 0, 0, 1], &wanted), Some(0.0));
        assert_eq!(decided(&[1, 0, 0, 0, 1], &wanted), Some(1.0));
        assert_eq!(decided(&[2, 0, 0, 0, 0], &wanted), Some(0.0));
        assert_eq!(decided(&[2, 1, 0, 0, 1], &wanted), None);
    }

    #[test]
    fn the_result_agrees_with_goals_of_the_engine() {
        let goals = SEVENTEEN.map(|counts| (counts, Goal::new(&constraint(counts)).unwrap()));
        let mut said = [0; 3];
        for seed in 0..20 {
            let mut position = Chess::default();
            for m in random_game(seed, 300) {
                position.play_unchecked(m);
                let white = board::white(&entente_network::encoding::thesis::bitmaps(position.board()));
                let men = Men::on(position.board());
                for (wanted, goal) in &goals {
                    let expected = match (goal.is_satisfied_by(&men), goal.is_reachable_from(&men)) {
                        (true, _) => Some(1.0),
                        (false, true) => None,
                        (false, false) => Some(0.0),
                    };
                    let decided = decided(&white, wanted);
                    assert_eq!(decided, expected, "{white:?} {wanted:?}");
                    said[decided.map_or(2, |label| label as usize)] += 1;
                }
            }
        }
        assert!(said.iter().all(|times| *times > 20), "{said:?}");
    }
}
