//! Stores properties of the processor, so that each property is detected only once.

use core::marker::PhantomData;
use core::sync::atomic::{AtomicUsize, Ordering};

/// A value that can be stored as a word other than 0.
pub(super) trait Word: Copy {
    fn to_word(self) -> usize;

    /// Returns `None` for 0.
    fn from_word(word: usize) -> Option<Self>;
}

impl Word for bool {
    #[inline(always)]
    fn to_word(self) -> usize {
        1 + usize::from(self)
    }

    #[inline(always)]
    fn from_word(word: usize) -> Option<Self> {
        (word > 0).then_some(word == 2)
    }
}

/// The value must not be 0.
impl Word for usize {
    #[inline(always)]
    fn to_word(self) -> usize {
        self
    }

    #[inline(always)]
    fn from_word(word: usize) -> Option<Self> {
        (word > 0).then_some(word)
    }
}

/// A value that is stored as a word when it is first computed. Until then, the word is 0.
pub(super) struct Detected<T>(AtomicUsize, PhantomData<T>);

impl<T: Word> Detected<T> {
    /// Creates a value that has not been computed yet.
    pub(super) const fn new() -> Self {
        Detected(AtomicUsize::new(0), PhantomData)
    }

    /// Returns the stored value. If there is none, calls `detect`, and stores and returns its result.
    #[inline(always)]
    pub(super) fn get_or_detect(&self, detect: fn() -> T) -> T {
        T::from_word(self.0.load(Ordering::Relaxed)).unwrap_or_else(|| {
            let value = detect();
            self.0.store(value.to_word(), Ordering::Relaxed);
            value
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::isa::InstructionSet;
    use super::{Detected, Word};

    #[test]
    fn a_value_is_computed_only_once() {
        let detected = Detected::new();
        assert!(detected.get_or_detect(|| true));
        assert!(detected.get_or_detect(|| unreachable!("the value was detected a second time")));
        let detected = Detected::new();
        assert!(!detected.get_or_detect(|| false));
        assert!(!detected.get_or_detect(|| true));
    }

    #[test]
    fn values_can_be_restored_from_their_words() {
        for isa in InstructionSet::ALL {
            assert_eq!(InstructionSet::from_word(isa.to_word()), Some(isa));
        }
        assert_eq!(InstructionSet::from_word(0), None);
        assert_eq!(
            [false, true].map(|b| bool::from_word(b.to_word())),
            [Some(false), Some(true)]
        );
        assert_eq!((usize::from_word(0), usize::from_word(7)), (None, Some(7)));
    }
}
