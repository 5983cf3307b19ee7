//! Wrappers for operands whose types the macro does not know, so that method resolution in the expansion can depend on the type.

use super::value::Moved;
use crate::choice::FirstChoice;

/// Associates each type with the wrapper of its places. Every type implements this trait. If the compiler has reported an
/// error for a place, the type of its wrapper is unknown, and the compiler reports no follow-up errors.
pub trait Operand {
    /// The wrapper for a place of this type.
    type Place<'x>
    where
        Self: 'x;
}

impl<T: ?Sized> Operand for T {
    type Place<'x>
        = FirstChoice<&'x T>
    where
        T: 'x;
}

/// Wraps an operand that is a place expression.
#[inline]
pub fn place<'x, T>(place: &'x T) -> T::Place<'x>
where
    T: Operand<Place<'x> = FirstChoice<&'x T>> + ?Sized,
{
    FirstChoice::new(place)
}

/// Wraps an operand that is a value expression.
#[inline]
pub const fn value<T>(value: T) -> FirstChoice<Moved<T>> {
    FirstChoice::new(Moved(Some(value)))
}

/// Wraps a part of an array, or a reference to an operand or an index. Unlike `place`, this function accepts a reference to a
/// closure parameter whose type the compiler has not inferred yet.
#[inline]
pub const fn choice<T>(operand: T) -> FirstChoice<T> {
    FirstChoice::new(operand)
}
