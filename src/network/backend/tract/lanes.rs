//! Vectors of numbers, and the one product of matrices that all else is made of.
//!
//! The same source is compiled for the vectors that processors may have; which of these this one has is asked at each
//! call of [`for_vectors`]. So all that computes must be inlined: a closure that computes and is called in a function of
//! another module would be compiled without vectors, and take twice the time. `cargo bench --bench engine evaluation`
//! shows it.

use std::array;

/// Numbers that are computed together.
pub const LANES: usize = 16;
/// So many numbers.
pub type Lanes = [f32; LANES];

/// Work that is compiled for several kinds of vectors.
pub trait Work {
    /// Does it; `FUSED` where the processor multiplies and adds in one step. `GROUPS` [`Lanes`] for each of four rows of
    /// a product fit its registers. To be `#[inline(always)]`, like all that it calls.
    fn work<const FUSED: bool, const GROUPS: usize>(self);
}

/// Does the work with the widest vectors that this processor has.
pub fn for_vectors(work: impl Work) {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { with_avx512(work) };
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { with_avx2(work) };
        }
    }
    work.work::<{ cfg!(target_arch = "aarch64") }, 1>();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn with_avx512(work: impl Work) {
    work.work::<true, 4>();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn with_avx2(work: impl Work) {
    work.work::<true, 1>();
}

/// The left side of a product: number `k` of row `row` stands at `row · rows + k · columns`.
#[derive(Clone, Copy)]
pub struct Strided<'a> {
    pub numbers: &'a [f32],
    pub rows: usize,
    pub columns: usize,
}

/// The product of `left`, of so many rows, and the rows of `right`, each of `wide` numbers, a multiple of [`LANES`]; `put`
/// gets of each row [`Lanes`] of the product: the row, the first column, and the numbers.
#[inline(always)]
pub fn product<const FUSED: bool, const GROUPS: usize>(
    left: Strided<'_>,
    rows: usize,
    right: &[f32],
    wide: usize,
    mut put: impl FnMut(usize, usize, &Lanes),
) {
    let mut row = 0;
    while row + 4 <= rows {
        columns::<FUSED, GROUPS, 4>(left, row, right, wide, &mut put);
        row += 4;
    }
    while row < rows {
        columns::<FUSED, GROUPS, 1>(left, row, right, wide, &mut put);
        row += 1;
    }
}

/// All columns of a few rows of a product.
#[inline(always)]
fn columns<const FUSED: bool, const GROUPS: usize, const ROWS: usize>(
    left: Strided<'_>,
    row: usize,
    right: &[f32],
    wide: usize,
    put: &mut impl FnMut(usize, usize, &Lanes),
) {
    let mut first = 0;
    while first + GROUPS * LANES <= wide {
        block::<FUSED, GROUPS, ROWS>(left, row, right, wide, first, put);
        first += GROUPS * LANES;
    }
    while first < wide {
        block::<FUSED, 1, ROWS>(left, row, right, wide, first, put);
        first += LANES;
    }
}

/// As much of a product as the registers hold.
#[inline(always)]
fn block<const FUSED: bool, const GROUPS: usize, const ROWS: usize>(
    left: Strided<'_>,
    row: usize,
    right: &[f32],
    wide: usize,
    first: usize,
    put: &mut impl FnMut(usize, usize, &Lanes),
) {
    let mut sum = [[[0.0; LANES]; GROUPS]; ROWS];
    for (k, right) in right.chunks_exact(wide).enumerate() {
        let right: [Lanes; GROUPS] = array::from_fn(|group| lanes(right, first + group * LANES));
        for (place, sum) in sum.iter_mut().enumerate() {
            let number = left.numbers[(row + place) * left.rows + k * left.columns];
            for (sum, right) in sum.iter_mut().zip(right) {
                *sum = plus::<FUSED>(right, number, *sum);
            }
        }
    }
    for (place, sum) in sum.iter().enumerate() {
        for (group, sum) in sum.iter().enumerate() {
            put(row + place, first + group * LANES, sum);
        }
    }
}

/// The numbers from `first` on.
#[inline(always)]
pub fn lanes(numbers: &[f32], first: usize) -> Lanes {
    numbers[first..first + LANES].try_into().expect("as many")
}

#[inline(always)]
pub fn add(a: Lanes, b: Lanes) -> Lanes {
    array::from_fn(|lane| a[lane] + b[lane])
}

#[inline(always)]
pub fn subtract(a: Lanes, b: Lanes) -> Lanes {
    array::from_fn(|lane| a[lane] - b[lane])
}

/// `a · factor + b`.
#[inline(always)]
pub fn plus<const FUSED: bool>(a: Lanes, factor: f32, b: Lanes) -> Lanes {
    array::from_fn(|lane| if FUSED { a[lane].mul_add(factor, b[lane]) } else { a[lane] * factor + b[lane] })
}
