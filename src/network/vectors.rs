//! Vectors of numbers, whatever vectors the processor has.
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
/// So many zeros.
pub const NONE: Lanes = [0.0; LANES];

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

/// Rows of numbers as columns.
///
/// Four perfect shuffles of what lies row after row, each of which moves the lowest bit of a number's place to the top. All
/// moves are between two vectors, where single numbers would each be moved alone.
#[inline(always)]
pub fn transposed(rows: &[Lanes; LANES]) -> [Lanes; LANES] {
    shuffled(&shuffled(&shuffled(&shuffled(rows))))
}

/// Each row of the first half zipped with its fellow of the second.
#[inline(always)]
fn shuffled(rows: &[Lanes; LANES]) -> [Lanes; LANES] {
    // Without loops and closures, so that nothing of it is left to a function that is compiled for narrow vectors.
    let r = rows;
    [
        zip_first(&r[0], &r[8]),
        zip_last(&r[0], &r[8]),
        zip_first(&r[1], &r[9]),
        zip_last(&r[1], &r[9]),
        zip_first(&r[2], &r[10]),
        zip_last(&r[2], &r[10]),
        zip_first(&r[3], &r[11]),
        zip_last(&r[3], &r[11]),
        zip_first(&r[4], &r[12]),
        zip_last(&r[4], &r[12]),
        zip_first(&r[5], &r[13]),
        zip_last(&r[5], &r[13]),
        zip_first(&r[6], &r[14]),
        zip_last(&r[6], &r[14]),
        zip_first(&r[7], &r[15]),
        zip_last(&r[7], &r[15]),
    ]
}

#[inline(always)]
#[rustfmt::skip]
fn zip_first(a: &Lanes, b: &Lanes) -> Lanes {
    [
        a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3],
        a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7],
    ]
}

#[inline(always)]
#[rustfmt::skip]
fn zip_last(a: &Lanes, b: &Lanes) -> Lanes {
    [
        a[8], b[8], a[9], b[9], a[10], b[10], a[11], b[11],
        a[12], b[12], a[13], b[13], a[14], b[14], a[15], b[15],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_columns() {
        let rows: [Lanes; LANES] = array::from_fn(|row| array::from_fn(|lane| (row * LANES + lane) as f32));
        let columns = transposed(&rows);
        for (row, numbers) in columns.iter().enumerate() {
            assert!(numbers.iter().enumerate().all(|(lane, number)| *number == (lane * LANES + row) as f32));
        }
    }
}
