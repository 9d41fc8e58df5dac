use entente_constraint::{Situation, Target, legality::kernel::Kernels};

use crate::settings::MAX_PLIES_LIMIT;

/// The usual maximum length of a game, in plies, as in the thesis.
pub const DEFAULT_MAX_PLIES: u32 = 101;
/// The number of plies allowed for each man that must be captured. It is about what humans need if nearly all men must
/// go. With fewer plies, games to king, bishop and knight against king are few and forced; with more, they are only
/// longer.
const PLIES_A_CAPTURE: u32 = 8;
/// The number of plies allowed beyond the minimum that a constraint demands.
const SPARE_PLIES: u32 = 40;
/// From this number of promoted pieces on, games to a whole diagram follow a plan of captures.
const MANY_PROMOTIONS: u8 = 3;
/// The number of plies allowed for such games. Most have 150 to 220.
const PLIES_OF_A_PLAN: u32 = 300;

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
    let diagrams = target.facts(root).flatten().filter_map(|facts| facts.diagram);
    let mut kernels = diagrams.filter_map(|problem| Kernels::of(&problem));
    let planned =
        if kernels.any(|kernels| kernels.promotions() >= MANY_PROMOTIONS) { PLIES_OF_A_PLAN } else { 0 };
    DEFAULT_MAX_PLIES.max(captures).max(asked).max(planned)
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
            ("[QRBNqrbn]=0", 14 * 8),
            ("Q=0 q=0", 101),
            ("material=KBNvK", 28 * 8),
            ("material=KBNvK | Q=0", 101),
            ("ply>=150 Q=0", 190),
            ("ply=150", 190),
            ("ply=30", 101),
            ("ply=1000", 1000),
            ("fen=rnbqkbnr/1ppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR", 101),
            ("fen=3bk3/bbbbbbb1/8/8/8/8/8/4K3", 300),
        ];
        for (constraint, expected) in cases {
            assert_eq!(plies(constraint, false), expected, "{constraint}");
        }
        assert_eq!(plies("material=KBNvK", true), 101);
    }
}
