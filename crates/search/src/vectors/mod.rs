//! Vectors of numbers, whatever vectors the processor has.
//!
//! The same source is compiled for the vectors that processors may have; which of these this one has is asked at each
//! call of [`for_vectors`]. So all that computes must be inlined: a closure that computes and is called in a function of
//! another module would be compiled without vectors, and take twice the time. `cargo bench --workspace --bench engine
//! evaluation` shows it.
//!
//! The evaluation networks of play compute with these, and so do the layers of the crate `entente-network`, which depends
//! on this one. Two copies would have to be kept alike, and a crate of its own would hold nothing else.

mod array;
#[cfg(target_arch = "x86_64")]
mod avx512;

pub use array::Array;

/// Numbers that are computed together.
pub const LANES: usize = 16;
/// So many numbers.
pub type Lanes = [f32; LANES];

/// [`LANES`] numbers in the processor's registers. All is to be `#[inline(always)]`.
pub trait Vector: Copy {
    /// Zeros.
    fn zeros() -> Self;
    /// These numbers.
    fn load(numbers: &Lanes) -> Self;
    /// Writes them.
    fn store(self, numbers: &mut Lanes);
    /// The sum.
    fn add(self, other: Self) -> Self;
    /// The difference.
    fn subtract(self, other: Self) -> Self;
    /// `self · factor + other`, in one step where the processor has one.
    fn plus(self, factor: f32, other: Self) -> Self;
    /// Rows of numbers as columns.
    fn transposed(rows: &[Self; LANES]) -> [Self; LANES];
}

/// Work that is compiled for several kinds of vectors.
pub trait Work {
    /// Does it. `GROUPS` vectors for each of four rows of a product fit the processor's registers. To be
    /// `#[inline(always)]`, like all that it calls.
    fn work<V: Vector, const GROUPS: usize>(self);
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
    work.work::<Array<{ cfg!(target_arch = "aarch64") }>, 1>();
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

/// The numbers from `first` on.
#[inline(always)]
pub fn load<V: Vector>(numbers: &[f32], first: usize) -> V {
    V::load(numbers[first..first + LANES].try_into().expect("as many"))
}

/// The numbers from `first` on, and zeros beyond the last.
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

/// Writes them from `first` on.
#[inline(always)]
pub fn store<V: Vector>(vector: V, numbers: &mut [f32], first: usize) {
    vector.store((&mut numbers[first..first + LANES]).try_into().expect("as many"));
}

/// Writes the first of them, as many as there is room for.
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

    /// What a kind of vectors makes of numbers.
    struct Trying<'a>(&'a mut Vec<Lanes>);

    impl Work for Trying<'_> {
        #[inline(always)]
        fn work<V: Vector, const GROUPS: usize>(self) {
            let rows: [Lanes; LANES] =
                array::from_fn(|row| array::from_fn(|lane| (row * LANES + lane) as f32));
            let vectors: [V; LANES] = rows.map(|row| V::load(&row));
            let [first, second] = [vectors[1], vectors[2]];
            let found = [V::zeros(), first.add(second), first.subtract(second), first.plus(-3.0, second)];
            for vector in V::transposed(&vectors).into_iter().chain(found) {
                let mut numbers = [f32::NAN; LANES];
                vector.store(&mut numbers);
                self.0.push(numbers);
            }
        }
    }

    #[test]
    fn all_kinds_of_vectors_compute_the_same() {
        let mut expected: Vec<Lanes> =
            (0..LANES).map(|column| array::from_fn(|row| (row * LANES + column) as f32)).collect();
        let of_each = |number: fn(f32) -> f32| array::from_fn(|lane| number(lane as f32));
        expected.push([0.0; LANES]);
        expected.push(of_each(|lane| 48.0 + 2.0 * lane));
        expected.push([-16.0; LANES]);
        expected.push(of_each(|lane| -16.0 - 2.0 * lane));
        let mut all = [(); 3].map(|()| Vec::new());
        let [usual, portable, fused] = &mut all;
        for_vectors(Trying(usual));
        Trying(portable).work::<Array<false>, 1>();
        Trying(fused).work::<Array<true>, 1>();
        for found in all {
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn zeros_follow_the_last_number() {
        let numbers: Vec<f32> = (1..=LANES + 2).map(|number| number as f32).collect();
        for (first, expected) in [(0, [1.0, 2.0, 3.0]), (2, [3.0, 4.0, 5.0]), (LANES, [17.0, 18.0, 0.0])] {
            let mut found = [f32::NAN; LANES];
            load_some::<Array<false>>(&numbers, first).store(&mut found);
            assert_eq!(found[..3], expected);
            let zeros = found.iter().filter(|number| **number == 0.0).count();
            assert_eq!(zeros, (first + LANES).saturating_sub(numbers.len()));
        }
    }

    #[test]
    fn no_more_is_written_than_there_is_room_for() {
        let mut numbers = [7.0; LANES + 2];
        store_some(Array::<false>::load(&[1.0; LANES]), &mut numbers[..3]);
        assert_eq!(numbers[2..5], [1.0, 7.0, 7.0]);
        store_some(Array::<false>::load(&[2.0; LANES]), &mut numbers);
        assert_eq!(numbers[LANES - 1..], [2.0, 7.0, 7.0]);
    }
}
