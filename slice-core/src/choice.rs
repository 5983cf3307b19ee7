//! Lets the compiler choose a method by a type, because a macro sees tokens but no types.
//!
//! An expansion wraps a value in a [`FirstChoice`], and calls a method of it. Several of the types below have a method of this
//! name, each for other types of the value. The compiler takes the first method that applies, in this order:
//!
//! 1. a method of `FirstChoice` with `self` by value;
//! 2. a method of `FirstChoice` with `self` by reference;
//! 3. a method of [`SecondChoice`];
//! 4. a method of [`LastChoice`].

use core::ops::{Deref, DerefMut};

/// A value, wrapped for the methods that the compiler prefers.
#[derive(Clone, Copy, Debug)]
pub struct FirstChoice<T: ?Sized>(SecondChoice<T>);

/// A value, wrapped for the methods that the compiler takes if no method of [`FirstChoice`] applies to its type.
#[derive(Clone, Copy, Debug)]
pub struct SecondChoice<T: ?Sized>(LastChoice<T>);

/// A value, wrapped for the methods that the compiler takes if no other method applies to its type.
#[derive(Clone, Copy, Debug)]
pub struct LastChoice<T: ?Sized>(T);

impl<T> FirstChoice<T> {
    #[inline(always)]
    pub(crate) const fn new(value: T) -> Self {
        FirstChoice(SecondChoice(LastChoice(value)))
    }

    /// Returns a reference to the value. A constant cannot dereference to [`LastChoice`] to call its method.
    #[inline(always)]
    pub(crate) const fn inside(&self) -> &T {
        &self.0.0.0
    }

    #[cfg(feature = "py")]
    #[inline(always)]
    pub(crate) fn into_second(self) -> SecondChoice<T> {
        self.0
    }

    #[cfg(feature = "py")]
    #[inline(always)]
    pub(crate) fn into_inside(self) -> T {
        self.0.0.0
    }
}

impl<T: ?Sized> LastChoice<T> {
    /// Returns a reference to the value. All types above dereference to this type.
    #[inline(always)]
    pub(crate) const fn inside(&self) -> &T {
        &self.0
    }

    #[cfg(feature = "py")]
    #[inline(always)]
    pub(crate) const fn inside_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

macro_rules! derefs {
    ($($First:ident $Second:ident;)*) => { $(
        impl<T: ?Sized> Deref for $First<T> {
            type Target = $Second<T>;

            #[inline(always)]
            fn deref(&self) -> &$Second<T> {
                &self.0
            }
        }

        impl<T: ?Sized> DerefMut for $First<T> {
            #[inline(always)]
            fn deref_mut(&mut self) -> &mut $Second<T> {
                &mut self.0
            }
        }
    )* };
}

derefs! {
    FirstChoice SecondChoice;
    SecondChoice LastChoice;
}

/// The equality of two types: each type `T` implements only `Is<T>`. If a method has the bounds `T: Is<S>` and
/// `S: RangeBound`, the compiler finds the method for every `T`, and checks `RangeBound` only afterwards. If that trait is
/// not implemented, the compiler prints the trait's message instead of reporting a missing method.
pub trait Is<T> {
    /// Returns the value itself.
    fn itself(self) -> T;
}

impl<T> Is<T> for T {
    #[inline]
    fn itself(self) -> T {
        self
    }
}
