//! Values that can be assigned to a slice.

use alloc::vec::Vec;

use ndarray::{ArrayBase, ArrayRef, ArrayView, ArrayViewMut, Data, Dimension, IntoDimension};

use super::actions::{Write, WriteOne};
use super::assign::update;
use super::rank::SelectFor;
use crate::error::SliceError;
use crate::resolve::shape::element_count;

/// Values that can be assigned to a slice of an array of `A` by [`set`](crate::StridedSliceExt::set), with NumPy's
/// broadcasting:
///
/// * one value of type `A`;
/// * an array or a view, by value or by reference;
/// * `&[A]`, `Vec<A>`, `&Vec<A>`;
/// * Rust arrays nested up to six levels deep, by value or by reference: `[1, 2, 3]`, `[[1], [2]]`.
///
/// # Example
///
/// ```
/// use ndarray::{Array2, array};
/// use slice_core::{StridedSliceExt, ValuesFor, s};
///
/// /// Replaces the first row.
/// fn set_first_row(x: &mut Array2<i32>, values: impl ValuesFor<i32>) {
///     x.set(s![0], values);
/// }
/// let mut x = array![[1, 2], [3, 4]];
/// set_first_row(&mut x, 7);
/// assert_eq!(x, array![[7, 7], [3, 4]]);
/// set_first_row(&mut x, [8, 9]);
/// assert_eq!(x, array![[8, 9], [3, 4]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be assigned to a slice of an array of `{A}`",
    note = "assign a value of type `{A}`, an array or a view of such values, `&[{A}]`, `Vec<{A}>`, or a nested array of such \
            values; for floats, write a number as `2.0`, convert a variable with `n as f64`, or convert an array with \
            `.mapv(|v| v as f64)`, or with `.mapv(f64::from)` if it contains `bool`s"
)]
pub trait ValuesFor<A> {
    /// Writes the values to the selected elements.
    #[doc(hidden)]
    fn write<D, I>(self, array: &mut ArrayRef<A, D>, spec: &I) -> Result<(), SliceError>
    where
        A: Clone,
        D: Dimension,
        I: SelectFor<D>;

    /// Calls `update` with each element of a slice and the value for that element.
    #[doc(hidden)]
    fn update<D: Dimension>(
        self,
        slice: ArrayViewMut<'_, A, D>,
        update: impl FnMut(&mut A, &A),
    ) -> Result<(), SliceError>;
}

macro_rules! values {
    ($([$($generics:tt)*] $type:ty, $values:ident => $view:expr;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<A, $($generics)*> ValuesFor<A> for $type {
            #[inline]
            fn write<D, I>(self, array: &mut ArrayRef<A, D>, spec: &I) -> Result<(), SliceError>
            where
                A: Clone,
                D: Dimension,
                I: SelectFor<D>,
            {
                let $values = self;
                spec.perform(Write(array, $view))
            }

            #[inline]
            fn update<D: Dimension>(
                self,
                slice: ArrayViewMut<'_, A, D>,
                function: impl FnMut(&mut A, &A),
            ) -> Result<(), SliceError> {
                let $values = self;
                update(slice, $view, function)
            }
        }
    )* };
}

#[diagnostic::do_not_recommend]
impl<A> ValuesFor<A> for A {
    #[inline]
    fn write<D, I>(self, array: &mut ArrayRef<A, D>, spec: &I) -> Result<(), SliceError>
    where
        A: Clone,
        D: Dimension,
        I: SelectFor<D>,
    {
        spec.perform(WriteOne(array, self))
    }

    #[inline]
    fn update<D: Dimension>(
        self,
        mut slice: ArrayViewMut<'_, A, D>,
        mut update: impl FnMut(&mut A, &A),
    ) -> Result<(), SliceError> {
        slice.map_inplace(|element| update(element, &self));
        Ok(())
    }
}

values! {
    [E: Dimension] &ArrayRef<A, E>, values => values;
    [E: Dimension, S: Data<Elem = A>] &ArrayBase<S, E, A>, values => values;
    [E: Dimension, S: Data<Elem = A>] ArrayBase<S, E, A>, values => &values;
    [] &[A], values => &c_order_view([values.len()], || values)?;
    [] &Vec<A>, values => &c_order_view([values.len()], || values)?;
    [] Vec<A>, values => &c_order_view([values.len()], || &values)?;
}

/// Implements [`ValuesFor`] for nested arrays of each depth. The arguments are the lengths (beginning with the
/// outermost array), the type, and the methods that flatten the array.
macro_rules! nested {
    ($([$($n:ident)*] $type:ty, $($flatten:ident)*;)*) => {
        values! { $(
            [$(const $n: usize),*] $type, values => &c_order_view([$($n),*], || values.as_slice()$(.$flatten())*)?;
            [$(const $n: usize),*] &$type, values => &c_order_view([$($n),*], || values.as_slice()$(.$flatten())*)?;
        )* }
    };
}

nested! {
    [L] [A; L],;
    [L M] [[A; M]; L], as_flattened;
    [L M N] [[[A; N]; M]; L], as_flattened as_flattened;
    [L M N O] [[[[A; O]; N]; M]; L], as_flattened as_flattened as_flattened;
    [L M N O P] [[[[[A; P]; O]; N]; M]; L], as_flattened as_flattened as_flattened as_flattened;
    [L M N O P Q] [[[[[[A; Q]; P]; O]; N]; M]; L], as_flattened as_flattened as_flattened as_flattened as_flattened;
}

/// Returns a view of `elements`, which are in C order, with the shape `shape`. The number of elements is checked first,
/// because `as_flattened` panics if the number of zero-sized elements overflows `usize`.
#[inline]
fn c_order_view<'a, A, S>(
    shape: S,
    elements: impl FnOnce() -> &'a [A],
) -> Result<ArrayView<'a, A, S::Dim>, SliceError>
where
    S: IntoDimension + AsRef<[usize]>,
{
    let elements = match element_count(shape.as_ref())? {
        0 => &[],
        _ => elements(),
    };
    match ArrayView::from_shape(shape.into_dimension(), elements) {
        Ok(view) => Ok(view),
        Err(_) => unreachable!("the length matches the shape"),
    }
}
