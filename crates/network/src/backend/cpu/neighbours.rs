//! Reductions of adjacent numbers: sums, and the largest of four squares.

use entente_search::vectors::{LANES, Vector, Work, for_vectors};

/// Writes the sum of each `each` consecutive numbers to `sums`.
pub(super) fn sums(numbers: &[f32], each: usize, sums: &mut [f32]) {
    for_vectors(Summing { numbers, each, sums });
}

/// The arguments of the vectorised sums.
struct Summing<'a> {
    numbers: &'a [f32],
    each: usize,
    sums: &'a mut [f32],
}

impl Work for Summing<'_> {
    #[inline(always)]
    fn work<V: Vector, const GROUPS: usize>(self) {
        for (sum, numbers) in self.sums.iter_mut().zip(self.numbers.chunks_exact(self.each)) {
            let (whole, rest) = numbers.as_chunks::<LANES>();
            let mut lanes = [0.0; LANES];
            for numbers in whole {
                lanes.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
            }
            *sum = lanes.iter().sum::<f32>() + rest.iter().sum::<f32>();
        }
    }
}

/// Writes the largest number of each block of 2 × 2 squares to `largest`. The boards have `side` ranks and files, an
/// even number. NaN is ignored.
pub(super) fn largest(boards: &[f32], side: usize, largest: &mut [f32]) {
    let ranks = boards.chunks_exact(2 * side).zip(largest.chunks_exact_mut(side / 2));
    for (two_ranks, largest) in ranks {
        let (one, other) = two_ranks.split_at(side);
        let files = one.as_chunks::<2>().0.iter().zip(other.as_chunks::<2>().0);
        for (largest, ([a, b], [c, d])) in largest.iter_mut().zip(files) {
            *largest = a.max(*b).max(c.max(*d));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_numbers_are_summed() {
        let numbers: Vec<f32> = (0..40).map(|number| number as f32).collect();
        let mut found = [f32::NAN; 2];
        sums(&numbers, 20, &mut found);
        assert_eq!(found, [190.0, 590.0]);
    }

    #[test]
    fn each_block_of_four_squares_gives_its_largest_number() {
        let boards = [
            [[1.0, 2.0, 0.0, 0.0], [3.0, 4.0, 0.0, -1.0], [-5.0, -6.0, 7.0, 7.0], [-8.0, -7.0, 7.0, 9.0]],
            [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 3.0, 0.0]],
        ];
        let mut found = [f32::NAN; 8];
        largest(boards.as_flattened().as_flattened(), 4, &mut found);
        assert_eq!(found, [4.0, 0.0, -5.0, 9.0, 0.0, 1.0, 2.0, 3.0]);
    }
}
