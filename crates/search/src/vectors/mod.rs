//! Portable SIMD: vectors of numbers in the registers that the processor has.
//!
//! The same source is compiled for several instruction sets, and each call of [`for_vectors`] chooses one at run time.
//! Therefore all code that computes must be inlined. For example, a closure that is called in a function of another
//! module would be compiled without the wider vectors, and take twice the time. `cargo bench --workspace --bench engine
//! evaluation` shows this.
//!
//! The evaluation networks for play use these vectors, and so do their training and the layers of the crate
//! `entente-network`, which depend on this crate. The code is too small for a crate of its own.

mod array;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod form;

use array::Array;
#[cfg(target_arch = "x86_64")]
use form::Form;

/// The number of lanes of a vector.
pub const LANES: usize = 16;
/// The numbers of a vector in memory.
pub type Lanes = [f32; LANES];

/// The vector for every processor of the architecture. Those named here always have a fused multiply-add.
pub type Portable =
    Array<{ cfg!(any(target_arch = "aarch64", target_arch = "powerpc64", target_arch = "s390x")) }>;

/// A vector of [`LANES`] numbers in registers. All methods must be `#[inline(always)]`.
pub trait Vector: Copy {
    /// A vector of zeros.
    fn zeros() -> Self;
    /// Loads `numbers` from memory.
    fn load(numbers: &Lanes) -> Self;
    /// Stores the vector to `numbers`.
    fn store(self, numbers: &mut Lanes);
    /// The sum.
    fn add(self, other: Self) -> Self;
    /// The difference.
    fn subtract(self, other: Self) -> Self;
    /// `self · factor + other`, rounded once. All forms give the same bits.
    fn plus(self, factor: f32, other: Self) -> Self;
    /// The transpose of a square matrix, given by its rows.
    fn transposed(rows: &[Self; LANES]) -> [Self; LANES];
}

/// Work that is compiled for several kinds of vectors.
pub trait Work {
    /// Does the work with vectors of type `V`. The registers hold `GROUPS` vectors for each of four rows of a matrix
    /// product. The method and all that it calls must be `#[inline(always)]`.
    fn work<V: Vector, const GROUPS: usize>(self);
}

/// Does the work with the widest vectors of this processor.
pub fn for_vectors(work: impl Work) {
    #[cfg(target_arch = "x86_64")]
    match Form::of_processor() {
        // SAFETY: the processor has AVX-512F.
        Form::Avx512 => return unsafe { with_avx512(work) },
        // SAFETY: the processor has AVX2 and FMA.
        Form::Avx2 => return unsafe { with_avx2(work) },
        Form::Portable => {}
    }
    work.work::<Portable, 1>();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn with_avx512(work: impl Work) {
    work.work::<avx512::Avx512, 4>();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn with_avx2(work: impl Work) {
    work.work::<Array<true>, 1>();
}

/// Loads [`LANES`] numbers, beginning at index `first`.
///
/// # Panics
/// If there are fewer.
#[inline(always)]
pub fn load<V: Vector>(numbers: &[f32], first: usize) -> V {
    V::load(numbers[first..first + LANES].try_into().expect("the slice has LANES numbers"))
}

/// Loads up to [`LANES`] numbers, beginning at index `first`. Lanes beyond the last number are zero.
#[inline(always)]
pub fn load_some<V: Vector>(numbers: &[f32], first: usize) -> V {
    let numbers = &numbers[first..];
    if let Some(numbers) = numbers.first_chunk::<LANES>() {
        return V::load(numbers);
    }
    let mut all = [0.0; LANES];
    all[..numbers.len()].copy_from_slice(numbers);
    V::load(&all)
}

/// Stores a vector to `numbers`, beginning at index `first`.
///
/// # Panics
/// If there is too little room.
#[inline(always)]
pub fn store<V: Vector>(vector: V, numbers: &mut [f32], first: usize) {
    vector.store((&mut numbers[first..first + LANES]).try_into().expect("the slice has LANES numbers"));
}

/// Stores the first lanes of a vector, as many as `numbers` has room for.
#[inline(always)]
pub fn store_some<V: Vector>(vector: V, numbers: &mut [f32]) {
    if let Some(numbers) = numbers.first_chunk_mut::<LANES>() {
        return vector.store(numbers);
    }
    let mut all = [0.0; LANES];
    vector.store(&mut all);
    numbers.iter_mut().zip(all).for_each(|(number, other)| *number = other);
}

#[cfg(test)]
mod tests {
    use std::array;

    use super::*;

    /// Its square is too small to be seen in a number near one.
    const SMALL: f32 = 1.0 / 4096.0;

    /// Applies all operations of a kind of vectors, and collects the results.
    struct AllOperations<'a>(&'a mut Vec<Lanes>);

    impl Work for AllOperations<'_> {
        #[inline(always)]
        fn work<V: Vector, const GROUPS: usize>(self) {
            let rows: [Lanes; LANES] =
                array::from_fn(|row| array::from_fn(|lane| (row * LANES + lane) as f32));
            let vectors: [V; LANES] = rows.map(|row| V::load(&row));
            let [first, second] = [vectors[1], vectors[2]];
            let [near_one, rest] = [1.0 + SMALL, -1.0 - 2.0 * SMALL].map(|number| V::load(&[number; LANES]));
            let found = [
                V::zeros(),
                first.add(second),
                first.subtract(second),
                first.plus(-3.0, second),
                near_one.plus(1.0 + SMALL, rest),
            ];
            for vector in V::transposed(&vectors).into_iter().chain(found) {
                let mut numbers = [f32::NAN; LANES];
                vector.store(&mut numbers);
                self.0.push(numbers);
            }
        }
    }

    #[test]
    fn all_kinds_of_vectors_give_the_same_results() {
        let mut expected: Vec<Lanes> =
            (0..LANES).map(|column| array::from_fn(|row| (row * LANES + column) as f32)).collect();
        let of_each = |number: fn(f32) -> f32| array::from_fn(|lane| number(lane as f32));
        expected.push([0.0; LANES]);
        expected.push(of_each(|lane| 48.0 + 2.0 * lane));
        expected.push([-16.0; LANES]);
        expected.push(of_each(|lane| -16.0 - 2.0 * lane));
        // Zero if the product were rounded before the sum.
        expected.push([SMALL * SMALL; LANES]);
        let mut all = [(); 2].map(|()| Vec::new());
        let [usual, portable] = &mut all;
        for_vectors(AllOperations(usual));
        AllOperations(portable).work::<Portable, 1>();
        for found in all {
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn lanes_beyond_the_last_number_are_zero() {
        let numbers: Vec<f32> = (1..=LANES + 2).map(|number| number as f32).collect();
        for (first, expected) in [(0, [1.0, 2.0, 3.0]), (2, [3.0, 4.0, 5.0]), (LANES, [17.0, 18.0, 0.0])] {
            let mut found = [f32::NAN; LANES];
            load_some::<Portable>(&numbers, first).store(&mut found);
            assert_eq!(found[..3], expected);
            let zeros = found.iter().filter(|number| **number == 0.0).count();
            assert_eq!(zeros, (first + LANES).saturating_sub(numbers.len()));
        }
    }

    #[test]
    fn no_more_lanes_are_stored_than_there_is_room_for() {
        let mut numbers = [7.0; LANES + 2];
        store_some(Portable::load(&[1.0; LANES]), &mut numbers[..3]);
        assert_eq!(numbers[2..5], [1.0, 7.0, 7.0]);
        store_some(Portable::load(&[2.0; LANES]), &mut numbers);
        assert_eq!(numbers[LANES - 1..], [2.0, 7.0, 7.0]);
    }
}
