//! The pairs of types of which the first dereferences to the second, so that the compiler finds a method of the first type before
//! a method of the second type.

use core::ops::DerefMut;

use ndarray::Dimension;

use super::assign::{Assignment, OtherAssignment};
use super::compare::{Compared, OtherCompared};
use super::element::{Held, Indexed, OtherIndexed};
use super::operator::{OtherSides, Sides};
use super::place::{AnyPlace, OtherPlace, PlaceOperand};
use super::value::{OtherValue, ValueOperand};
use crate::bound::written::derefs;

derefs! {
    [T] PlaceOperand<T> => OtherPlace<T>;
    [T] OtherPlace<T> => AnyPlace<T>;
    [T] ValueOperand<T> => OtherValue<T>;
    [T] Indexed<T> => OtherIndexed<T>;
    [T] Held<T> => T;
    [L, R] Sides<L, R> => OtherSides<L, R>;
    [O, L, R] Compared<O, L, R> => OtherCompared<O, L, R>;
    ['a, A, D: Dimension, I, V] Assignment<'a, A, D, I, V> => OtherAssignment<'a, A, D, I, V>;
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
