use entente_cli::tournament::interval::{Estimate, mean, median, share};
use entente_constraint::{
    Target,
    thesis::{Counts, SEVENTEEN},
};
use entente_network::encoding::goal_policy::RatingScale;

use super::{
    Counter, Study,
    classes::classes,
    published,
    tally::{Band, BandTally},
};

/// The results of a study for a constraint.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    /// The constraint, as it is printed.
    pub constraint: String,
    /// The games that met it.
    pub met: BandTally,
    /// Their share of all games; `None` for generated games, for which it has no meaning.
    pub share: Option<Estimate>,
    /// White's share of the decided games.
    pub white_wins: Option<Estimate>,
    /// The published share, if there is one.
    pub published: Option<f64>,
    /// White's expected points in the positions, according to the evaluation network.
    pub expected: Option<f64>,
    /// Mean number of plies after which the games met it.
    pub mean_plies: Option<Estimate>,
    /// Median number of plies.
    pub median_plies: Option<Estimate>,
    /// The class of similar distributions of plies, from 1.
    pub class: Option<usize>,
    /// The number of White's men without the king, if the constraint gives White's exact numbers.
    pub men: Option<u32>,
    /// The sum of their piece values, from 9 for a queen to 1 for a pawn.
    pub worth: Option<u32>,
}

/// A group of players: a range of ratings on a scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// The scale.
    pub scale: RatingScale,
    /// The lowest mean rating.
    pub from: u16,
    /// The upper limit of the mean rating, exclusive.
    pub below: u16,
}

impl Group {
    /// True if the band belongs to the group.
    pub(super) fn has(self, band: Band) -> bool {
        band.scale == self.scale && (self.from..self.below).contains(&band.from)
    }
}

/// The limits of the groups that are compared by rating.
const STEPS: [u16; 5] = [0, 1400, 1800, 2200, u16::MAX];

/// All groups of a scale, the weakest first.
pub(super) fn groups(scale: RatingScale) -> impl Iterator<Item = Group> {
    STEPS.windows(2).map(move |pair| Group { scale, from: pair[0], below: pair[1] })
}

/// The results for all constraints, in their order. `wanted` is the number of classes.
pub(super) fn findings(study: &Study, wanted: usize) -> Vec<Finding> {
    let all = study.of(|_| true);
    let mets: Vec<BandTally> = study.tallies.iter().map(|tally| tally.all()).collect();
    let plies: Vec<&Counter> = mets.iter().map(|met| &met.plies).collect();
    let classes = classes(&plies, wanted);
    let of = |index: usize| {
        let (constraint, met) = (study.subject.constraints[index].clone(), mets[index].clone());
        let is_rated = !study.subject.is_generated;
        let games = met.games;
        let occurrences = || met.plies.iter().map(|(ply, games)| (ply as usize, games)).collect();
        Finding {
            share: share(games, all.games).filter(|_| is_rated),
            white_wins: share(met.results.won, met.results.decided()),
            published: published::white_wins(&constraint),
            expected: (games > 0).then(|| study.tallies[index].expected as f64 / 1e6 / games as f64),
            mean_plies: mean(&occurrences()),
            median_plies: median(&occurrences()),
            class: classes[index],
            men: exact(&constraint).map(|counts| counts.into_iter().map(u32::from).sum()),
            worth: exact(&constraint).map(worth),
            constraint,
            met,
        }
    };
    (0..mets.len()).map(of).collect()
}

/// White's exact numbers, if the constraint consists of these.
fn exact(constraint: &str) -> Option<Counts> {
    constraint.parse::<Target>().ok()?.goal?.exact_white()
}

fn worth([queens, rooks, bishops, knights, pawns]: Counts) -> u32 {
    9 * u32::from(queens) + 5 * u32::from(rooks) + 3 * u32::from(bishops + knights) + u32::from(pawns)
}

/// True if the constraints are the 17 of the thesis.
pub(super) fn are_of_the_thesis(findings: &[Finding]) -> bool {
    findings.len() == SEVENTEEN.len() && findings.iter().all(|finding| finding.published.is_some())
}

/// How much more often a man stands on a square in the games of one group of players than in those of another, when the
/// constraint is met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contrast {
    /// The man and the square, as an index; see [`super::tally::place`].
    pub place: usize,
    /// The shares of the games of the weaker and of the stronger players.
    pub shares: [f64; 2],
    /// The second share minus the first, with Wald's interval.
    pub difference: Estimate,
}

/// Minimum number of games in each group for a comparison.
const MIN: u64 = 100;

/// The contrasts between the games of two groups, the most significant first; none if there are too few games.
pub(super) fn contrasts(weaker: &BandTally, stronger: &BandTally) -> Vec<Contrast> {
    if weaker.games.min(stronger.games) < MIN {
        return Vec::new();
    }
    let mut all: Vec<(f64, Contrast)> = Vec::new();
    for (place, both) in weaker.places.iter().zip(&stronger.places).enumerate() {
        let shares = [(both.0, weaker.games), (both.1, stronger.games)]
            .map(|(men, games)| f64::from(*men) / games as f64);
        let variance = |share: f64, games: u64| share * (1.0 - share) / games as f64;
        let error = (variance(shares[0], weaker.games) + variance(shares[1], stronger.games)).sqrt();
        let value = shares[1] - shares[0];
        if value == 0.0 {
            continue;
        }
        let difference = Estimate { value, low: value - 1.96 * error, high: value + 1.96 * error };
        all.push(((value / error).abs(), Contrast { place, shares, difference }));
    }
    all.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    all.into_iter().map(|(_, contrast)| contrast).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piece_values_are_those_of_the_thesis() {
        assert_eq!(exact("(1,2,1,1,8)").map(worth), Some(33));
        assert_eq!((exact("Q=0"), exact("N@f3")), (None, None));
    }

    #[test]
    fn the_most_significant_contrast_is_first() {
        let group = |games: u64, men: [u32; 3]| {
            let mut of = crate::analysis::tally::sum(&[], |_| true);
            (of.games, of.places) = (games, men.to_vec());
            of
        };
        // Equal shares are not a contrast. A square that only one group uses is the greatest contrast.
        let found = contrasts(&group(200, [100, 20, 0]), &group(400, [200, 120, 0]));
        assert_eq!(found.len(), 1);
        assert_eq!(contrasts(&group(200, [0, 20, 0]), &group(400, [400, 120, 0]))[0].place, 0);
        assert_eq!((found[0].place, found[0].shares), (1, [0.1, 0.3]));
        let Estimate { value, low, high } = found[0].difference;
        // √(0.1·0.9/200 + 0.3·0.7/400) = 0.031225
        assert!((value - 0.2).abs() < 1e-12 && (low - 0.1388).abs() < 1e-4 && (high - 0.2612).abs() < 1e-4);
        assert!(contrasts(&group(99, [9, 9, 9]), &group(400, [9, 9, 9])).is_empty());
    }
}
