use std::collections::BTreeMap;

use entente_constraint::thesis::Counts;

use super::{Pair, SatisfactionSet, board::attacked_white, difference::Difference, permutation::mix};

/// The relation of a position to a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// The position satisfies the constraint, and the label is 1.
    Satisfied,
    /// White has one surplus man, and Black attacks a man of that kind.
    OneCapture,
    /// White has surplus men and no missing ones, in all other cases. Captures can lead to the constraint.
    Ahead,
    /// White has one missing man, as after one capture too many.
    JustPast,
    /// White has several missing men.
    FarPast,
}

/// The share of the samples of a constraint, in eighths, for each standing.
///
/// With uniform sampling, four pairs in five are endgames in which the label is trivially 0, and positions that satisfy
/// a rare constraint, or in which one capture would, rarely occur. But a network must learn both sides of this
/// boundary, and how it is crossed: a search that cannot distinguish satisfied positions from others does not capture
/// the last man, and a search that does not see that a queen hangs never offers it. Which samples are drawn depends
/// only on the input, so the probability that the network estimates stays the same.
const SHARES: [(Standing, u64); 5] = [
    (Standing::Satisfied, 1),
    (Standing::OneCapture, 1),
    (Standing::Ahead, 3),
    (Standing::JustPast, 2),
    (Standing::FarPast, 1),
];

/// The pairs of a data set, grouped by standing.
#[derive(Clone, Debug)]
pub(super) struct Strata {
    seed: u64,
    /// All positions, grouped by White's numbers of men and by which kinds of them are attacked.
    order: Vec<u32>,
    /// For each constraint, the strata in the order of [`SHARES`].
    constraints: Vec<[Stratum; SHARES.len()]>,
}

/// A set of positions, as ranges of [`Strata::order`]: for each range, the number of positions up to its end, and its
/// start.
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

    /// The index in [`Strata::order`] of position number `number` of the stratum.
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

    /// The pair at `index`: a random constraint, a random standing, and a random position with that standing.
    pub(super) fn pair(&self, index: u64) -> Pair {
        let first = mix(self.seed ^ mix(index));
        let second = mix(first);
        let constraint = (first % self.constraints.len() as u64) as usize;
        let strata = &self.constraints[constraint];
        // The share of an empty stratum goes to the next one. Not all are empty: `Ahead` has the initial position.
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
    use crate::samples::satisfaction::tests::random_set;

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
    fn the_strata_of_a_constraint_have_every_position_once() {
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
