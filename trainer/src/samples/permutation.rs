/// A keyed pseudo-random permutation of `0..length`.
///
/// A Feistel network permutes the smallest domain of 2²ᵏ numbers that contains the range. It is applied until the
/// number is in the range (cycle walking), on average fewer than four times. Each element is computed independently of
/// the others, so a walk through all of them needs no state except the index.
#[derive(Clone, Debug)]
pub struct Permutation {
    length: u64,
    half_bits: u32,
    keys: [u64; 4],
}

impl Permutation {
    /// The permutation of `0..length` with this key.
    ///
    /// # Panics
    ///
    /// If `length` is 0.
    pub fn new(length: u64, key: u64) -> Permutation {
        assert!(length > 0, "nothing to permute");
        let bits = u64::BITS - (length - 1).leading_zeros();
        let keys = std::array::from_fn(|round| mix(key ^ mix(round as u64 + 1)));
        Permutation { length, half_bits: bits.div_ceil(2).max(1), keys }
    }

    /// The element at `index`, which must be less than the length.
    pub fn at(&self, index: u64) -> u64 {
        debug_assert!(index < self.length);
        let mut number = index;
        loop {
            number = self.rounds(number);
            if number < self.length {
                return number;
            }
        }
    }

    fn rounds(&self, number: u64) -> u64 {
        let mask = (1 << self.half_bits) - 1;
        let (mut left, mut right) = (number >> self.half_bits, number & mask);
        for key in self.keys {
            (left, right) = (right, left ^ (mix(right ^ key) & mask));
        }
        left << self.half_bits | right
    }
}

/// The finaliser of SplitMix64: a bijection in which every bit of the input changes about half of the bits of the
/// output.
pub(super) fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_occurs_exactly_once() {
        for length in [1, 2, 3, 4, 5, 63, 64, 65, 1000, 4097] {
            let permutation = Permutation::new(length, 7);
            let mut seen: Vec<u64> = (0..length).map(|index| permutation.at(index)).collect();
            seen.sort_unstable();
            assert_eq!(seen, (0..length).collect::<Vec<_>>(), "length {length}");
        }
    }

    #[test]
    fn different_keys_give_different_orders_and_neighbours_are_spread() {
        let (a, b) = (Permutation::new(100_000, 1), Permutation::new(100_000, 2));
        assert!((0..1000).filter(|index| a.at(*index) == b.at(*index)).count() < 5);
        let mean = (0..1000).map(|index| a.at(index) as f64).sum::<f64>() / 1000.0;
        assert!((mean - 50_000.0).abs() < 5_000.0, "the first thousand average {mean}");
    }
}
