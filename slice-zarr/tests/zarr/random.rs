//! Generates random numbers for tests.

use ndarray::{ArrayD, IxDyn};

/// A small generator, created from a seed. For the same seed, it returns the same numbers on every machine.
pub struct Random(pub u64);

#[allow(dead_code, reason = "each test uses only part of the module")]
impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        self.0
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }

    /// Returns an array of random numbers less than 2^`bits`. They can be compressed to about `bits` bits each, but not
    /// further.
    pub fn array(&mut self, shape: &[usize], bits: u32) -> ArrayD<u32> {
        ArrayD::from_shape_simple_fn(IxDyn(shape), || (self.next() >> (64 - bits)) as u32)
    }
}
