//! Wrappers for operands whose types the macro does not know.

use super::place::PlaceOperand;
use super::value::ValueOperand;

/// Associates each type with its wrapper types. Every type implements this trait, because any type can be an operand.
/// The wrappers are associated types, so if the compiler has reported an error for an operand, the types of its
/// wrappers are unknown, and the compiler reports no follow-up errors.
pub trait Operand {
    /// The wrapper for a place of this type.
    type Place<'x>
    where
        Self: 'x;
    /// The wrapper for a value of this type.
    type Value
    where
        Self: Sized;
}

impl<T: ?Sized> Operand for T {
    type Place<'x>
        = PlaceOperand<&'x T>
    where
        T: 'x;
    type Value
        = ValueOperand<T>
    where
        T: Sized;
}

/// Wraps an operand that is a place expression, so that method resolution in the expansion can depend on the operand's
/// type.
#[inline]
pub fn place<'x, T>(place: &'x T) -> T::Place<'x>
where
    T: Operand<Place<'x> = PlaceOperand<&'x T>> + ?Sized,
{
    PlaceOperand::new(place)
}

/// Wraps an operand that is a value expression, so that method resolution in the expansion can depend on the operand's
/// type.
#[inline]
pub fn value<T: Operand<Value = ValueOperand<T>>>(value: T) -> T::Value {
    ValueOperand::new(value)
}
