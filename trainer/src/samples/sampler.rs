use std::{ops::Range, sync::Arc};

use entente_constraint::thesis::Counts;
use entente_network::encoding::thesis::{Bitmaps, LENGTH, encode};

use super::{Pair, Permutation, SatisfactionSet, alter::alter, permutation::mix, strata::Strata};

/// Draws the pairs of a data set. Seed and index determine the pair. Clones share the data set.
#[derive(Clone, Debug)]
pub struct Sampler {
    set: Arc<SatisfactionSet>,
    order: Order,
    altered: Altered,
}

/// Which samples are altered, and how.
#[derive(Clone, Copy, Debug)]
struct Altered {
    share: f64,
    most_moved: u64,
    seed: u64,
}

impl Altered {
    fn none(seed: u64) -> Altered {
        Altered { share: 0.0, most_moved: 0, seed }
    }
}

#[derive(Clone, Debug)]
enum Order {
    Uniform { seed: u64, pass: u64, permutation: Permutation },
    Stratified(Arc<Strata>),
}

impl Sampler {
    /// Walks through all pairs of `set`, which is never empty, in a pseudo-random order. After the last pair, it begins
    /// again in another order.
    pub fn uniform(set: &Arc<SatisfactionSet>, seed: u64) -> Sampler {
        let order = Order::Uniform { seed, pass: 0, permutation: permutation(set, seed, 0) };
        Sampler { set: Arc::clone(set), order, altered: Altered::none(seed) }
    }

    /// Draws pairs with replacement. All constraints are drawn equally often. For each constraint, fixed shares of the
    /// positions satisfy it, can lead to it, or are past it.
    pub fn stratified(set: &Arc<SatisfactionSet>, seed: u64) -> Sampler {
        Sampler {
            set: Arc::clone(set),
            order: Order::Stratified(Arc::new(Strata::new(set, seed))),
            altered: Altered::none(seed),
        }
    }

    /// Tries to alter the share `share`, in [0, 1], of the samples: moves up to `most_moved` men to other squares and
    /// removes some. The label of an altered board is certain, or is that of the played board. If neither is possible,
    /// the sample is unchanged.
    pub fn altering(mut self, share: f64, most_moved: u64) -> Sampler {
        self.altered = Altered { share, most_moved, ..self.altered };
        self
    }

    /// Returns the pair at `index`.
    pub fn pair(&mut self, index: u64) -> Pair {
        match &mut self.order {
            Order::Stratified(strata) => strata.pair(index),
            Order::Uniform { seed, pass, permutation: walk } => {
                let current = index / self.set.pairs();
                if current != *pass {
                    *pass = current;
                    *walk = permutation(&self.set, *seed, current);
                }
                let number = walk.at(index % self.set.pairs()) as usize;
                let constraints = self.set.constraints().len();
                Pair { position: number / constraints, constraint: number % constraints }
            }
        }
    }

    /// Writes the inputs (17×8×8 numbers each) and labels of the pairs at `indices`. The buffers are resized as needed.
    pub fn fill(&mut self, indices: Range<u64>, planes: &mut Vec<f32>, labels: &mut Vec<f32>) {
        let count = (indices.end - indices.start) as usize;
        planes.resize(count * LENGTH, 0.0);
        labels.clear();
        for (index, planes) in indices.zip(planes.chunks_exact_mut(LENGTH)) {
            let pair = self.pair(index);
            let wanted = &self.set.constraints()[pair.constraint];
            let board = self.set.board(pair.position).bitmaps();
            let label = self.set.label(pair.position, pair.constraint);
            let (board, label) = self.altered_board(index, &board, wanted, label).unwrap_or((board, label));
            encode(&board, wanted, planes);
            labels.push(label);
        }
    }

    fn altered_board(
        &self,
        index: u64,
        board: &Bitmaps,
        wanted: &Counts,
        label: f32,
    ) -> Option<(Bitmaps, f32)> {
        let Altered { share, most_moved, seed } = self.altered;
        let random = mix(mix(seed) ^ index);
        if (random >> 11) as f64 >= share * 2f64.powi(53) {
            return None;
        }
        let mut altered = *board;
        alter(&mut altered, wanted, label, most_moved, mix(random)).map(|label| (altered, label))
    }
}

fn permutation(set: &SatisfactionSet, seed: u64, pass: u64) -> Permutation {
    Permutation::new(set.pairs(), mix(seed ^ mix(pass)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::samples::satisfaction::tests::random_set;

    #[test]
    fn no_pair_occurs_twice_in_a_pass() {
        let set = Arc::new(random_set(20, 60));
        let mut sampler = Sampler::uniform(&set, 3);
        for pass in 0..2 {
            let first = pass * set.pairs();
            let seen: HashSet<Pair> = (first..first + set.pairs()).map(|index| sampler.pair(index)).collect();
            assert_eq!(seen.len() as u64, set.pairs());
        }
        assert_ne!(sampler.pair(0), sampler.pair(set.pairs()), "the second pass has another order");
    }

    #[test]
    fn a_share_of_the_samples_is_altered() {
        let set = Arc::new(random_set(20, 60));
        let inputs = |share| {
            let (mut planes, mut labels) = (Vec::new(), Vec::new());
            Sampler::stratified(&set, 3).altering(share, 8).fill(0..2000, &mut planes, &mut labels);
            planes
        };
        let (real, quarter, all) = (inputs(0.0), inputs(0.25), inputs(1.0));
        let differing = |others: &[f32]| {
            real.chunks(LENGTH).zip(others.chunks(LENGTH)).filter(|(real, other)| real != other).count()
        };
        // Boards without a known label are not altered.
        assert!((800..1950).contains(&differing(&all)), "{}", differing(&all));
        let expected = differing(&all) / 4;
        assert!(differing(&quarter).abs_diff(expected) < expected / 5, "{} {expected}", differing(&quarter));
    }

    #[test]
    fn a_batch_across_the_end_of_a_pass_is_the_same_as_its_pairs() {
        let set = Arc::new(random_set(5, 40));
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
