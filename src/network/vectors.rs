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
