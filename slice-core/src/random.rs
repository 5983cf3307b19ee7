//! Generates random numbers for tests.

/// A small deterministic random-number generator, so that the tests run the same cases everywhere.
pub(crate) struct Random(pub u64);

impl Random {
    /// Returns a random number less than `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n as u64) as usize
    }
}
