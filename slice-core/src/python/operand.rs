//! Wrappers for operands whose types the macro does not know, so that method resolution in the expansion can depend on the type.

use super::place::PlaceOperand;
use super::value::ValueOperand;

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
        = PlaceOperand<&'x T>
    where
        T: 'x;
}

/// Wraps an operand that is a place expression.
#[inline]
pub fn place<'x, T>(place: &'x T) -> T::Place<'x>
where
    T: Operand<Place<'x> = PlaceOperand<&'x T>> + ?Sized,
{
    PlaceOperand::new(place)
}

/// Wraps an operand that is a value expression.
#[inline]
pub const fn value<T>(value: T) -> ValueOperand<T> {
    ValueOperand::new(value)
}
