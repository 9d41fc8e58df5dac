use std::ops::Range;

use entente::encoding::thesis::{LENGTH, encode};

use super::{Permutation, SatisfactionSet, permutation::mix, strata::Strata};

/// A sample: a position and one of the data set's constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    /// Index of the position.
    pub position: usize,
    /// Index of the constraint.
    pub constraint: usize,
}

/// Draws the pairs of a data set; the seed and the index determine the pair.
#[derive(Clone, Debug)]
pub struct Sampler<'a> {
    set: &'a SatisfactionSet,
    order: Order,
}

#[derive(Clone, Debug)]
enum Order {
    Uniform { seed: u64, pass: u64, permutation: Permutation },
    Stratified(Strata),
}

impl<'a> Sampler<'a> {
    /// A walk through all pairs of `set`, which is never empty, in a pseudo-random order; when all were seen
    /// it begins again in another order.
    pub fn uniform(set: &'a SatisfactionSet, seed: u64) -> Sampler<'a> {
        Sampler { set, order: Order::Uniform { seed, pass: 0, permutation: permutation(set, seed, 0) } }
    }

    /// Pairs drawn with replacement: each constraint as often, and for each the positions that satisfy it,
    /// can lead to it, or are past it, in fixed shares.
    pub fn stratified(set: &'a SatisfactionSet, seed: u64) -> Sampler<'a> {
        Sampler { set, order: Order::Stratified(Strata::new(set, seed)) }
    }

    /// The pair at `index`.
    pub fn pair(&mut self, index: u64) -> Pair {
        match &mut self.order {
            Order::Stratified(strata) => strata.pair(index),
            Order::Uniform { seed, pass, permutation: walk } => {
                let current = index / self.set.pairs();
                if current != *pass {
                    *pass = current;
                    *walk = permutation(self.set, *seed, current);
                }
                let number = walk.at(index % self.set.pairs()) as usize;
                let constraints = self.set.constraints().len();
                Pair { position: number / constraints, constraint: number % constraints }
            }
        }
    }

    /// Writes the inputs (17×8×8 numbers each) and labels of the pairs at `indices`; the buffers take
    /// the length they need.
    pub fn fill(&mut self, indices: Range<u64>, planes: &mut Vec<f32>, labels: &mut Vec<f32>) {
        let count = (indices.end - indices.start) as usize;
        planes.resize(count * LENGTH, 0.0);
        labels.clear();
        for (index, planes) in indices.zip(planes.chunks_exact_mut(LENGTH)) {
            let pair = self.pair(index);
            encode(
                &self.set.board(pair.position).bitmaps(),
                &self.set.constraints()[pair.constraint],
                planes,
            );
            labels.push(self.set.label(pair.position, pair.constraint));
        }
    }
}

fn permutation(set: &SatisfactionSet, seed: u64, pass: u64) -> Permutation {
    Permutation::new(set.pairs(), mix(seed ^ mix(pass)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::dataset::satisfaction::tests::random_set;

    #[test]
    fn no_pair_comes_twice_before_all_have_come() {
        let set = random_set(20, 60);
        let mut sampler = Sampler::uniform(&set, 3);
        for pass in 0..2 {
            let first = pass * set.pairs();
            let seen: HashSet<Pair> = (first..first + set.pairs()).map(|index| sampler.pair(index)).collect();
            assert_eq!(seen.len() as u64, set.pairs());
        }
        assert_ne!(sampler.pair(0), sampler.pair(set.pairs()), "the second pass has another order");
    }

    #[test]
    fn a_batch_across_the_end_of_a_pass_is_the_same_as_its_pairs() {
        let set = random_set(5, 40);
        let mut sampler = Sampler::uniform(&set, 3);
        let (mut planes, mut labels) = (Vec::new(), Vec::new());
        let indices = set.pairs() - 3..set.pairs() + 3;
        sampler.fill(indices.clone(), &mut planes, &mut labels);
        let expected: Vec<f32> = indices
            .map(|index| {
                let pair = sampler.pair(index);
                set.label(pair.position, pair.constraint)
            })
            .collect();
        assert_eq!(labels, expected);
        assert_eq!(planes.len(), 6 * LENGTH);
    }
}
