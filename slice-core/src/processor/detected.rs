//! Stores properties of the processor, so that each property is detected only once.

use core::sync::atomic::{AtomicUsize, Ordering};

/// A number that is computed when it is first needed. Until then, it is 0.
pub(super) struct Detected(AtomicUsize);

impl Detected {
    /// Creates a number that has not been computed yet.
    pub(super) const fn new() -> Self {
        Detected(AtomicUsize::new(0))
    }

    /// Returns the stored number. If there is none, calls `detect`, whose result must not be 0, and stores and returns it.
    #[inline(always)]
    pub(super) fn get_or_detect(&self, detect: fn() -> usize) -> usize {
        match self.0.load(Ordering::Relaxed) {
            0 => {
                let value = detect();
                self.0.store(value, Ordering::Relaxed);
                value
            }
            value => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Detected;

    #[test]
    fn a_number_is_computed_only_once() {
        let detected = Detected::new();
        assert_eq!(detected.get_or_detect(|| 7), 7);
        let again = || unreachable!("the number was detected a second time");
        assert_eq!(detected.get_or_detect(again), 7);
    }
}
