//! Sets of position keys.

use std::{
    collections::HashSet,
    hash::{BuildHasherDefault, Hasher},
};

/// A set of position keys. Zobrist keys are hashes already.
pub(crate) type Keys = HashSet<u64, BuildHasherDefault<Identity>>;

/// A hasher that uses a key as its own hash.
#[derive(Default)]
pub(crate) struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
