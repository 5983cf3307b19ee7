//! Where an operand begins, of a type that the macro does not know.

use super::place::PlaceOperand;
use super::value::ValueOperand;

/// Types, all of which can be operands. What an operand becomes depends on its type by a trait, so that nothing is said of
/// an operand whose type is an error that has been reported.
pub trait Operand {
    /// The operand that a place of this type becomes.
    type Place<'x>
    where
        Self: 'x;
    /// The operand that a value of this type becomes.
    type Value
    where
        Self: Sized;

    /// The place.
    fn place(&self) -> Self::Place<'_>;

    /// The value.
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

/// A place, as an expression in which it is an operand begins.
#[inline]
pub fn place<T: Operand + ?Sized>(place: &T) -> T::Place<'_> {
    Operand::place(place)
}

/// A value, as an expression in which it is an operand begins.
#[inline]
pub fn value<T: Operand>(value: T) -> T::Value {
    value.value_in_py()
}
