use entente_constraint::{Situation, Target};

use crate::settings::MAX_PLIES_LIMIT;

/// The usual maximum length of a game, in plies, as in the thesis.
pub const DEFAULT_MAX_PLIES: u32 = 101;
/// The number of plies allowed for each man that must be captured. It is about what humans need if nearly all men must
/// go. With fewer plies, games to king, bishop and knight against king are few and forced; with more, they are only
/// longer.
const PLIES_A_CAPTURE: u32 = 8;
/// The number of plies allowed beyond the minimum that a constraint demands.
const SPARE_PLIES: u32 = 40;

/// The maximum length of a game from `root` to `target`, in plies, if none is set. It is enough for human games, or the
/// value of the published algorithm.
pub fn default_max_plies(target: &Target, root: Situation<'_>, is_faithful: bool) -> u32 {
    if is_faithful {
        return DEFAULT_MAX_PLIES;
    }
    let captures = target.excess_men(root) * PLIES_A_CAPTURE;
    let asked = match target.fewest_plies(root) {
        0 => 0,
        fewest => fewest.saturating_add(SPARE_PLIES).min(fewest.max(MAX_PLIES_LIMIT)),
    };
    DEFAULT_MAX_PLIES.max(captures).max(asked)
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;

    #[test]
    fn endgames_and_long_games_get_more_plies_except_in_the_published_algorithm() {
        let plies = |constraint: &str, is_faithful| {
            default_max_plies(&constraint.parse().unwrap(), Situation::root(&Chess::default()), is_faithful)
        };
        let cases = [
            ("(1,2,1,1,7)", 101),
            ("(0,0,0,0,0)", 15 * 8),
            ("Q=0 q=0 R=0 r=0 B=0 b=0 N=0 n=0", 14 * 8),
            ("Q=0 q=0", 101),
            ("material=KBNvK", 28 * 8),
            ("material=KBNvK | Q=0", 101),
            ("ply>=150 Q=0", 190),
            ("ply=150", 190),
            ("ply=30", 101),
            ("ply=1000", 1000),
        ];
        for (constraint, expected) in cases {
            assert_eq!(plies(constraint, false), expected, "{constraint}");
        }
        assert_eq!(plies("material=KBNvK", true), 101);
    }
}
