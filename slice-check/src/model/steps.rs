//! Counts steps that take time but allocate no memory, in builds with debug assertions. Tests limit them in proportion to
//! the size of a file. A step processes up to 64 bytes or a few numbers.

use std::cell::Cell;
use std::hash::{BuildHasher, DefaultHasher, Hasher, RandomState};

thread_local!(static STEPS: Cell<u64> = const { Cell::new(0) });

/// Counts `steps` more steps of this thread.
#[inline]
pub fn count(steps: usize) {
    if cfg!(debug_assertions) {
        STEPS.set(STEPS.get() + steps as u64);
    }
}

/// Returns the number of steps of this thread so far.
pub fn counted() -> u64 {
    STEPS.get()
}

/// A map that counts the steps of hashing its keys.
pub type HashMap<K, V> = std::collections::HashMap<K, V, CountedState>;
/// A set that counts the steps of hashing its members.
pub type HashSet<T> = std::collections::HashSet<T, CountedState>;

/// The standard library's state, whose hashers count their steps.
#[derive(Clone, Debug, Default)]
pub struct CountedState(RandomState);

impl BuildHasher for CountedState {
    type Hasher = CountedHasher;

    #[inline]
    fn build_hasher(&self) -> CountedHasher {
        CountedHasher(self.0.build_hasher())
    }
}

/// The standard library's hasher, which counts its steps.
#[derive(Debug)]
pub struct CountedHasher(DefaultHasher);

impl Hasher for CountedHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        count(bytes.len() / 64);
        self.0.write(bytes);
    }

    #[inline]
    fn finish(&self) -> u64 {
        count(1);
        self.0.finish()
    }
}
