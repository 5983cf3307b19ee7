//! The pairs of types of which the first dereferences to the second, so that the compiler finds a method of the first type before
//! a method of the second type.

use core::ops::DerefMut;

use super::element::{Held, Indexed, OtherIndexed};
use super::operands::{Operands, OtherOperands};
use super::place::{AnyPlace, OtherPlace, PlaceOperand};
use super::value::{OtherValue, ValueOperand};
use crate::bound::written::derefs;

derefs! {
    [T] PlaceOperand<T> => OtherPlace<T>;
    [T] OtherPlace<T> => AnyPlace<T>;
    [T] ValueOperand<T> => OtherValue<T>;
    [T] Indexed<T> => OtherIndexed<T>;
    [T] Held<T> => T;
    [T] Operands<T> => OtherOperands<T>;
}

impl<T> DerefMut for ValueOperand<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut OtherValue<T> {
        &mut self.0
    }
}

impl<T> DerefMut for Held<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
