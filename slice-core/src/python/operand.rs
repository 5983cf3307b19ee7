//! Wraps operands of types that the macro does not know.

use super::place::PlaceOperand;
use super::value::ValueOperand;

/// All types, because any type can be an operand. A trait maps each type to its operand, so that an operand with an
/// unknown type, for which the compiler has reported an error, causes no further errors.
pub trait Operand {
    /// The operand that a place of this type becomes.
    type Place<'x>
    where
        Self: 'x;
    /// The operand that a value of this type becomes.
    type Value
    where
        Self: Sized;

    /// Returns the operand that borrows this place.
    fn place(&self) -> Self::Place<'_>;

    /// Returns the operand that holds this value.
    fn value_in_py(self) -> Self::Value
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

    #[inline]
    fn place(&self) -> PlaceOperand<&T> {
        PlaceOperand::new(self)
    }

    #[inline]
    fn value_in_py(self) -> ValueOperand<T>
    where
        T: Sized,
    {
        ValueOperand::new(self)
    }
}

/// Wraps a place, at the beginning of an expression with it as an operand.
#[inline]
pub fn place<T: Operand + ?Sized>(place: &T) -> T::Place<'_> {
    Operand::place(place)
}

/// Wraps a value, at the beginning of an expression with it as an operand.
#[inline]
pub fn value<T: Operand>(value: T) -> T::Value {
    value.value_in_py()
}
