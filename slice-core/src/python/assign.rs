//! Assignments to slices, and to `x[i]`, where the macro does not know what `x` and `i` are.
//!
//! In [`assignment`], the value is the last argument, after the target. The compiler thus infers the type of the target's
//! elements before it looks for an implementation that assigns the value.
//!
//! For `x[i]`, the expansion first converts the index to [`PartAt`] or [`ElementAt`], so that `x` is no longer borrowed
//! when a second call borrows `x` mutably. With [`ElementAt`], the second call accepts every `x` that implements `IndexMut`
//! for the index.

use core::marker::PhantomData;
use core::ops::IndexMut;

use ndarray::{ArrayBase, ArrayRef, ArrayViewMut, DataMut, Dimension};

use super::operator::Side;
use super::refused::AssignableTo;
use super::shapes::panic_not_assignable;
use super::sliceable::{NumPy, Sliceable};
use super::target::KnownValues;
use crate::choice::{FirstChoice, Is, SecondChoice};
use crate::error::SliceError;
use crate::ndarray::actions::Change;
use crate::ndarray::ext::StridedSliceExt;
use crate::ndarray::rank::{SelectFor, SliceFor};
use crate::ndarray::values::ValuesFor;
use crate::s;

/// A part of an array. `F` is [`SelectFor::Fits`].
#[derive(Clone, Copy, Debug)]
pub struct PartAt<I, F>(pub(super) I, pub(super) PhantomData<F>);

/// The type [`SelectFor::Fits`] of a slice `I`. If the slice has too many indices, the compiler does not know this type, and reports
/// no further errors for the assignment.
pub trait Fitting<I, D> {
    /// Assigns a value to the selected elements.
    fn assign<A, O: AssignToArray<A>, V: ValuesFor<A>>(
        spec: I,
        array: ArrayViewMut<'_, A, D>,
        value: V,
    );
}

impl<D: Dimension, I: SelectFor<D>> Fitting<I, D> for () {
    #[inline]
    #[track_caller]
    fn assign<A, O: AssignToArray<A>, V: ValuesFor<A>>(
        spec: I,
        array: ArrayViewMut<'_, A, D>,
        value: V,
    ) {
        O::to_array(spec, array, value);
    }
}

/// An index that is passed to `IndexMut` unchanged.
#[derive(Clone, Copy, Debug)]
pub struct ElementAt<I>(pub(super) I);

/// Values whose parts or elements can be modified.
#[diagnostic::on_unimplemented(
    message = "this part of `{Self}` cannot be modified in place",
    label = "read-only, or a copy of listed elements",
    note = "assign to the listed elements instead, as in `x[rows] = 0.0`"
)]
pub trait MutablePart<'x, At> {
    /// A reference to the part or the element.
    type Part;

    /// Returns the part or the element.
    fn modified_part_in_py(&'x mut self, at: At) -> Self::Part;
}

/// Values to which `x[i] = value` or `x[i] += value` assigns. `O` is the assignment operator. The compiler underlines the
/// argument of the first type parameter.
#[diagnostic::on_unimplemented(
    message = "a value of type `{V}` cannot be assigned to this part of `{Self}`",
    label = "the value or the index has the wrong type, or the array is read-only",
    note = "the value has the type of the elements, as in `1.0` for `f64`, or is an array or a list of them; the index of a `Vec` is a `usize`"
)]
pub trait Assign<V, O, At> {
    /// Assigns the value.
    fn assign_in_py(&mut self, operator: O, at: At, value: V);
}

/// Assignment operators for arrays with elements of type `A`.
#[diagnostic::on_unimplemented(
    message = "unsupported element type `{A}` for this operator",
    label = "not implemented for `{A}`",
    note = "a generic `T` needs bounds such as `T: Clone + std::ops::AddAssign`; for masks, write `|=`, `&=` or `^=`"
)]
pub trait AssignToArray<A> {
    /// The result of the assignment. There is no such type if the operator is not supported, so that the compiler reports the
    /// operator without the declaration of the method that assigns the value.
    type Result;

    /// Assigns the value to the selected elements.
    fn to_array<D: Dimension, I: SelectFor<D>, V: ValuesFor<A>>(
        spec: I,
        array: ArrayViewMut<'_, A, D>,
        value: V,
    );
}

/// Wraps the slice, the array and the value of an assignment. The value is an array, or wrapped by `number`.
#[inline]
pub const fn assignment<A, D: Dimension, I, V: Side>(
    spec: I,
    array: ArrayViewMut<'_, A, D>,
    value: V,
) -> FirstChoice<(I, ArrayViewMut<'_, A, D>, V)> {
    FirstChoice::new((spec, array, value))
}

impl<A, D: Dimension, I, V: KnownValues<A>> FirstChoice<(I, ArrayViewMut<'_, A, D>, V)> {
    /// Assigns the value. The compiler infers the type of the elements from an array. The type of the result lets the
    /// compiler report a slice that does not fit the array without the declaration of this method.
    #[inline]
    #[track_caller]
    pub fn assign_in_py<O, S>(self, _: O) -> PhantomData<(S::OutDim, O::Result)>
    where
        O: AssignToArray<A>,
        S: SelectFor<D>,
        I: Is<S>,
    {
        let (spec, array, value) = self.into_inside();
        O::to_array(spec.itself(), array, value.values_in_py());
        PhantomData
    }
}

impl<A, D: Dimension, I, V: Side> SecondChoice<(I, ArrayViewMut<'_, A, D>, V)> {
    /// Never called, because the assignment causes a compile error.
    pub fn assign_in_py<E: AssignableTo<A, Out>, O, Out>(&self, _: O) -> E::Output
    where
        V::Elem: Is<E>,
    {
        unreachable!("no types implement this trait")
    }
}

/// Assignment operators for single values.
pub trait AssignToValue<T: ?Sized, V> {
    /// Assigns the value.
    fn to_value(to: &mut T, value: V);
}

macro_rules! arrays {
    ($([$($generics:tt)*] $array:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<'x, A: 'x, $($generics)* D: Dimension, F, I: SliceFor<D>> MutablePart<'x, PartAt<I, F>> for $array {
            type Part = ArrayViewMut<'x, A, I::OutDim>;

            #[inline]
            #[track_caller]
            fn modified_part_in_py(&'x mut self, at: PartAt<I, F>) -> Self::Part {
                self.at_mut(at.0)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<A, $($generics)* D: Dimension, F, O, I, V> Assign<V, O, PartAt<I, F>> for $array
        where
            O: AssignToArray<A>,
            F: Fitting<I, D>,
            V: ValuesFor<A>,
        {
            #[inline]
            #[track_caller]
            fn assign_in_py(&mut self, _: O, at: PartAt<I, F>, value: V) {
                F::assign::<A, O, V>(at.0, self.view_mut(), value);
            }
        }
    )* };
}

arrays! {
    [S: DataMut<Elem = A>,] ArrayBase<S, D>;
    [] ArrayRef<A, D>;
}

impl<'x, T: IndexMut<I, Output: 'x> + ?Sized, I> MutablePart<'x, ElementAt<I>> for T {
    type Part = &'x mut T::Output;

    #[inline]
    #[track_caller]
    fn modified_part_in_py(&'x mut self, at: ElementAt<I>) -> &'x mut T::Output {
        &mut self[at.0]
    }
}

#[diagnostic::do_not_recommend]
impl<T: IndexMut<I> + ?Sized, O: AssignToValue<T::Output, V>, I, V> Assign<V, O, ElementAt<I>>
    for T
{
    #[inline]
    #[track_caller]
    fn assign_in_py(&mut self, _: O, at: ElementAt<I>, value: V) {
        O::to_value(&mut self[at.0], value);
    }
}

/// The operator `=`.
#[derive(Clone, Copy, Debug)]
pub struct Set;

#[diagnostic::do_not_recommend]
impl<A: Clone> AssignToArray<A> for Set {
    type Result = ();

    #[inline]
    #[track_caller]
    fn to_array<D: Dimension, I: SelectFor<D>, V: ValuesFor<A>>(
        spec: I,
        mut array: ArrayViewMut<'_, A, D>,
        value: V,
    ) {
        if let Err(error) = value.write(&mut array, &spec) {
            error.panic()
        }
    }
}

impl<T> AssignToValue<T, T> for Set {
    #[inline]
    fn to_value(to: &mut T, value: T) {
        *to = value;
    }
}

/// The value of `x += value`, where `x` is an array.
#[derive(Debug)]
pub struct Assigned<V>(V);

impl<T: Sliceable<Meaning = NumPy> + ?Sized> FirstChoice<&T> {
    /// Wraps the value that an operator such as `+=` assigns to an array.
    #[inline]
    pub fn assigned_in_py<V: Side>(self, value: V) -> Assigned<V> {
        Assigned(value)
    }
}

impl<T: ?Sized> SecondChoice<&T> {
    /// Returns the value of an assignment operator, for a place that is not an array.
    #[inline]
    pub fn assigned_in_py<V: Side>(&self, value: V) -> V::Operand {
        value.operand_in_py()
    }
}

/// Implements the operator for arrays and [`Assigned`] values.
macro_rules! assigned {
    ($operator:ident $function:ident $([$($generics:tt)*] $array:ty;)*) => { $(
        impl<$($generics)*, V> core::ops::$operator<Assigned<V>> for $array
        where
            A: Clone + core::ops::$operator,
            V: KnownValues<A> + Side,
        {
            #[inline]
            #[track_caller]
            fn $function(&mut self, value: Assigned<V>) {
                assignment(s![...], self.view_mut(), value.0).assign_in_py($operator);
            }
        }
    )* };
}

macro_rules! operators {
    ($($operator:ident $function:ident $sign:literal;)*) => { $(
        #[doc = concat!("The operator `", $sign, "`.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $operator;

        #[diagnostic::do_not_recommend]
        impl<A: Clone + core::ops::$operator> AssignToArray<A> for $operator {
            type Result = ();

            #[inline]
            #[track_caller]
            fn to_array<D: Dimension, I: SelectFor<D>, V: ValuesFor<A>>(
                spec: I,
                mut array: ArrayViewMut<'_, A, D>,
                value: V,
            ) {
                let update = |slice: ArrayViewMut<'_, A, I::OutDim>| {
                    value.update(slice, |x, y| x.$function(y.clone()))
                };
                match spec.perform(Change(&mut array, update)) {
                    Ok(()) => {}
                    Err(SliceError::Broadcast { value, slice }) => {
                        panic_not_assignable(&slice, &value)
                    }
                    Err(error) => error.panic(),
                }
            }
        }

        assigned! {
            $operator $function
            [S: DataMut<Elem = A>, A, D: Dimension] ArrayBase<S, D>;
            [A, D: Dimension] ArrayRef<A, D>;
        }

        impl<T: core::ops::$operator<V> + ?Sized, V> AssignToValue<T, V> for $operator {
            #[inline]
            #[track_caller]
            fn to_value(to: &mut T, value: V) {
                core::ops::$operator::$function(to, value);
            }
        }
    )* };
}

operators! {
    AddAssign add_assign "+=";
    SubAssign sub_assign "-=";
    MulAssign mul_assign "*=";
    DivAssign div_assign "/=";
    RemAssign rem_assign "%=";
    BitAndAssign bitand_assign "&=";
    BitOrAssign bitor_assign "|=";
    BitXorAssign bitxor_assign "^=";
    ShlAssign shl_assign "<<=";
    ShrAssign shr_assign ">>=";
}
