use std::ops::Range;

use entente::encoding::thesis::{LENGTH, encode};

use super::{Permutation, SatisfactionSet, permutation::mix};

/// A sample: a position and one of the data set's constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    /// Index of the position.
    pub position: usize,
    /// Index of the constraint.
    pub constraint: usize,
}

/// Walks through all pairs of a data set in a pseudo-random order; when all were seen, begins again in
/// another order. The seed and the index determine the pair.
#[derive(Clone, Debug)]
pub struct Sampler<'a> {
    set: &'a SatisfactionSet,
    seed: u64,
    pass: u64,
    order: Permutation,
}

impl<'a> Sampler<'a> {
    /// A walk through `set`, which is never empty.
    pub fn new(set: &'a SatisfactionSet, seed: u64) -> Sampler<'a> {
        Sampler { set, seed, pass: 0, order: order(set, seed, 0) }
    }

    /// The pair at `index`, counted from the beginning of the first pass.
    pub fn pair(&mut self, index: u64) -> Pair {
        let pass = index / self.set.pairs();
        if pass != self.pass {
            self.pass = pass;
            self.order = order(self.set, self.seed, pass);
        }
        let number = self.order.at(index % self.set.pairs()) as usize;
        let constraints = self.set.constraints().len();
        Pair { position: number / constraints, constraint: number % constraints }
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

fn order(set: &SatisfactionSet, seed: u64, pass: u64) -> Permutation {
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
        let mut sampler = Sampler::new(&set, 3);
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
        let mut sampler = Sampler::new(&set, 3);
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
