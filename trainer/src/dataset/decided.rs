//! What a position's numbers of men alone say of a constraint.

use entente::constraint::thesis::Counts;

/// 1 if White's men satisfy the constraint, 0 if no play can lead there any more; `None` if neither is certain.
///
/// Counts fall by captures and rise by promotions only, and pawns never return.
pub(super) fn decided(men: &Counts, wanted: &Counts) -> Option<f32> {
    if men == wanted {
        return Some(1.0);
    }
    let spare_pawns = men[4].checked_sub(wanted[4]);
    let promotions: u8 = men[..4].iter().zip(wanted).map(|(men, wanted)| wanted.saturating_sub(*men)).sum();
    spare_pawns.is_none_or(|pawns| pawns < promotions).then_some(0.0)
}

/// True if White has men too many and none too few: captures can lead to the constraint.
pub(super) fn is_ahead(men: &Counts, wanted: &Counts) -> bool {
    men != wanted && men.iter().zip(wanted).all(|(men, wanted)| men >= wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_is_ahead_until_a_needed_man_is_gone() {
        let wanted = [1, 2, 1, 2, 7];
        assert!(is_ahead(&[1, 2, 2, 2, 8], &wanted));
        assert!(is_ahead(&[1, 2, 1, 2, 8], &wanted));
        assert!(!is_ahead(&wanted, &wanted));
        assert!(!is_ahead(&[0, 2, 2, 2, 8], &wanted), "a pawn might become a queen, but hardly ever does");
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
}
