use std::collections::BTreeMap;

use entente_constraint::thesis::Counts;

use super::{Pair, SatisfactionSet, board::attacked_white, difference::Difference, permutation::mix};

/// How a position stands to a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// It satisfies the constraint: the label is 1.
    Satisfied,
    /// White has one man too many, and Black attacks a man of its kind.
    OneCapture,
    /// White has too many men of some kind and too few of none: captures can lead there.
    Ahead,
    /// White has one man too few: a capture too many was made.
    JustPast,
    /// White has more men too few.
    FarPast,
}

/// The share of the samples, in eighths, that each standing gets for every constraint.
///
/// Drawn uniformly, four pairs in five are endgames in which the label is trivially 0, and a position that
/// satisfies a rare constraint, or in which one capture would, hardly ever comes. Both sides of the boundary
/// must be learnt, and what leads over it: a search that cannot tell satisfied positions from others does
/// not take the last man, and one that cannot see that a queen hangs never offers it. What is drawn depends
/// on the input alone, so the probability that the network estimates stays the same.
const SHARES: [(Standing, u64); 5] = [
    (Standing::Satisfied, 1),
    (Standing::OneCapture, 1),
    (Standing::Ahead, 3),
    (Standing::JustPast, 2),
    (Standing::FarPast, 1),
];

/// The pairs of a data set by standing.
#[derive(Clone, Debug)]
pub(super) struct Strata {
    seed: u64,
    /// All positions, those with the same white men, of which the same kinds are attacked, together.
    order: Vec<u32>,
    /// For each constraint the strata of [`SHARES`].
    constraints: Vec<[Stratum; SHARES.len()]>,
}

/// Some of the positions: ranges of [`Strata::order`], each with the number of positions up to its end.
#[derive(Clone, Debug, Default)]
struct Stratum(Vec<(u64, usize)>);

impl Stratum {
    fn len(&self) -> u64 {
        self.0.last().map_or(0, |(end, _)| *end)
    }

    fn push(&mut self, start: usize, length: usize) {
        let before = self.len();
        self.0.push((before + length as u64, start));
    }

    /// Where position number `number` of the stratum stands in the order.
    fn at(&self, number: u64) -> usize {
        let range = self.0.partition_point(|(end, _)| *end <= number);
        let before = if range == 0 { 0 } else { self.0[range - 1].0 };
        self.0[range].1 + (number - before) as usize
    }
}

impl Strata {
    pub(super) fn new(set: &SatisfactionSet, seed: u64) -> Strata {
        let mut groups: BTreeMap<(Counts, [bool; 5]), Vec<u32>> = BTreeMap::new();
        for position in 0..set.positions() {
            let board = set.board(position);
            groups
                .entry((board.white(), attacked_white(&board.bitmaps())))
                .or_default()
                .push(position as u32);
        }
        let mut order = Vec::with_capacity(set.positions());
        let mut ranges = Vec::with_capacity(groups.len());
        for (group, positions) in groups {
            ranges.push((group, order.len(), positions.len()));
            order.extend(positions);
        }
        let constraints = set
            .constraints()
            .iter()
            .map(|wanted| {
                SHARES.map(|(standing, _)| {
                    let mut stratum = Stratum::default();
                    for (_, start, length) in ranges
                        .iter()
                        .filter(|((men, attacked), ..)| standing_of(men, attacked, wanted) == standing)
                    {
                        stratum.push(*start, *length);
                    }
                    stratum
                })
            })
            .collect();
        Strata { seed, order, constraints }
    }

    /// The pair at `index`: a constraint, a standing and a position of that standing, drawn independently.
    pub(super) fn pair(&self, index: u64) -> Pair {
        let first = mix(self.seed ^ mix(index));
        let second = mix(first);
        let constraint = (first % self.constraints.len() as u64) as usize;
        let strata = &self.constraints[constraint];
        // An empty stratum gives its share to the next; that of the positions Ahead holds the initial one.
        let drawn = stratum_of(first >> 32);
        let stratum = (drawn..strata.len())
            .chain(0..drawn)
            .map(|index| &strata[index])
            .find(|stratum| stratum.len() > 0);
        let stratum = stratum.expect("every position is in a stratum");
        Pair { position: self.order[stratum.at(second % stratum.len())] as usize, constraint }
    }
}

fn stratum_of(random: u64) -> usize {
    let total: u64 = SHARES.iter().map(|(_, share)| share).sum();
    let mut left = random % total;
    SHARES
        .iter()
        .position(|(_, share)| {
            let found = left < *share;
            left = left.saturating_sub(*share);
            found
        })
        .expect("the shares add up to the total")
}

fn standing_of(men: &Counts, attacked: &[bool; 5], wanted: &Counts) -> Standing {
    let Difference { too_many, too_few } = Difference::new(men, wanted);
    let surplus = || men.iter().zip(wanted).position(|(men, wanted)| men > wanted);
    match (too_many, too_few) {
        (0, 0) => Standing::Satisfied,
        (1, 0) if surplus().is_some_and(|kind| attacked[kind]) => Standing::OneCapture,
        (_, 0) => Standing::Ahead,
        (_, 1) => Standing::JustPast,
        _ => Standing::FarPast,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::satisfaction::tests::random_set;

    #[test]
    fn every_standing_gets_its_share_for_every_constraint() {
        let set = random_set(200, 200);
        let strata = Strata::new(&set, 1);
        let mut drawn = vec![[0u32; SHARES.len()]; set.constraints().len()];
        let samples = 70_000;
        for index in 0..samples {
            let pair = strata.pair(index);
            let wanted = &set.constraints()[pair.constraint];
            let board = set.board(pair.position);
            let standing = standing_of(&board.white(), &attacked_white(&board.bitmaps()), wanted);
            let stratum = SHARES.iter().position(|(other, _)| *other == standing).unwrap();
            drawn[pair.constraint][stratum] += 1;
        }
        for (counts, strata) in drawn.iter().zip(&strata.constraints) {
            assert!(strata.iter().all(|stratum| stratum.len() > 0), "the games are long enough");
            for (count, (standing, share)) in counts.iter().zip(SHARES) {
                let expected = samples as f64 / set.constraints().len() as f64 * share as f64 / 8.0;
                assert!(
                    (f64::from(*count) - expected).abs() < 0.15 * expected,
                    "{standing:?}: {count}, {expected}"
                );
            }
        }
    }

    #[test]
    fn the_strata_of_a_constraint_hold_every_position_once() {
        let set = random_set(20, 100);
        let strata = Strata::new(&set, 1);
        for constraint in &strata.constraints {
            let mut positions: Vec<u32> = constraint
                .iter()
                .flat_map(|stratum| (0..stratum.len()).map(|number| strata.order[stratum.at(number)]))
                .collect();
            positions.sort_unstable();
            assert_eq!(positions, (0..set.positions() as u32).collect::<Vec<_>>());
        }
    }
}
