//! The matrix product that computes all layers.

use std::array;

use entente_search::vectors::{LANES, Vector, load};

/// The left matrix of a product: element `k` of row `row` is at `row · rows + k · columns`.
#[derive(Clone, Copy)]
pub(crate) struct Strided<'a> {
    pub numbers: &'a [f32],
    pub rows: usize,
    pub columns: usize,
}

/// Weights `[outputs, inputs]` as the right matrix of a product, `[inputs, outputs]`, with the outputs padded to a
/// multiple of [`LANES`].
pub(crate) fn right_side(weights: &[f32], inputs: usize, outputs: usize) -> Vec<f32> {
    let wide = outputs.next_multiple_of(LANES);
    let mut right = vec![0.0; inputs * wide];
    for (index, weight) in weights.iter().enumerate() {
        right[index % inputs * wide + index / inputs] = *weight;
    }
    right
}

/// The product of `left`, which has `rows` rows, and `right`, whose rows have `wide` numbers, a multiple of [`LANES`].
/// `put` receives the product in vectors: the row, the first column, and the numbers.
#[inline(always)]
pub(crate) fn product<V: Vector, const GROUPS: usize>(
    left: Strided<'_>,
    rows: usize,
    right: &[f32],
    wide: usize,
    mut put: impl FnMut(usize, usize, V),
) {
    let mut row = 0;
    while row + 4 <= rows {
        columns::<V, GROUPS, 4>(left, row, right, wide, &mut put);
        row += 4;
    }
    while row < rows {
        columns::<V, GROUPS, 1>(left, row, right, wide, &mut put);
        row += 1;
    }
}

/// Computes all columns of `ROWS` rows of a product.
#[inline(always)]
fn columns<V: Vector, const GROUPS: usize, const ROWS: usize>(
    left: Strided<'_>,
    row: usize,
    right: &[f32],
    wide: usize,
    put: &mut impl FnMut(usize, usize, V),
) {
    let mut first = 0;
    while first + GROUPS * LANES <= wide {
        block::<V, GROUPS, ROWS>(left, row, right, wide, first, put);
        first += GROUPS * LANES;
    }
    while first < wide {
        block::<V, 1, ROWS>(left, row, right, wide, first, put);
        first += LANES;
    }
}

/// Computes a block of a product that fits into the registers.
#[inline(always)]
fn block<V: Vector, const GROUPS: usize, const ROWS: usize>(
    left: Strided<'_>,
    row: usize,
    right: &[f32],
    wide: usize,
    first: usize,
    put: &mut impl FnMut(usize, usize, V),
) {
    let mut sum = [[V::zeros(); GROUPS]; ROWS];
    for (k, right) in right.chunks_exact(wide).enumerate() {
        let right: [V; GROUPS] = array::from_fn(|group| load(right, first + group * LANES));
        for (place, sum) in sum.iter_mut().enumerate() {
            let number = left.numbers[(row + place) * left.rows + k * left.columns];
            for (sum, right) in sum.iter_mut().zip(right) {
                *sum = right.plus(number, *sum);
            }
        }
    }
    for (place, sum) in sum.iter().enumerate() {
        for (group, sum) in sum.iter().enumerate() {
            put(row + place, first + group * LANES, *sum);
        }
    }
}
