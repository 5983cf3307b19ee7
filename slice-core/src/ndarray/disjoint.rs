//! Disjoint mutable views of one array.

#![allow(unsafe_code)]

use alloc::vec::Vec;

use ndarray::{ArrayViewMut, Dimension};

use super::rank::SliceFor;
use super::sealed;
use crate::error::SliceError;
use crate::resolve::selection::Selection;

/// Several slices accepted by an array of dimension `D`: a tuple of up to six slices, an array of slices, or a Rust
/// slice of slices.
///
/// See [`StridedSliceExt::at_disjoint_mut`](crate::StridedSliceExt::at_disjoint_mut).
///
/// # Example
///
/// ```
/// use ndarray::{Array1, Ix1, array};
/// use slice_core::{SlicesFor, StridedSliceExt, s};
///
/// /// Returns mutable views of several slices.
/// fn views<S: SlicesFor<Ix1>>(x: &mut Array1<i32>, slices: S) -> S::Views<'_, i32> {
///     x.at_disjoint_mut(slices)
/// }
/// let mut x = array![1, 2, 3, 4];
/// let (mut even, odd) = views(&mut x, (s![::2], s![1::2]));
/// even += &odd;
/// assert_eq!(x, array![3, 2, 7, 4]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of slices for an array of dimension `{D}`",
    note = "pass a tuple `(s![...], s![...])` of up to six slices, an array of slices, or `&[DynSliceSpec]`"
)]
pub trait SlicesFor<D: Dimension>: sealed::Slices {
    /// The type of the mutable views, one for each slice.
    type Views<'a, A: 'a>;

    /// Returns one mutable view of the array for each slice, or an error if two slices share an element.
    #[doc(hidden)]
    fn views<'a, A>(&self, array: ArrayViewMut<'a, A, D>)
    -> Result<Self::Views<'a, A>, SliceError>;
}

/// Returns an error if two selections share an element.
fn check_disjoint(selections: &[Selection]) -> Result<(), SliceError> {
    for (second, one) in selections.iter().enumerate() {
        for (first, other) in selections[..second].iter().enumerate() {
            if let Some(position) = one.overlap(other)? {
                return Err(SliceError::Overlap {
                    first,
                    second,
                    position: position.as_slice().into(),
                });
            }
        }
    }
    Ok(())
}

/// Returns the mutable view of one slice.
///
/// # Safety
///
/// No other view of the array that is used during `'a` may share an element with the slice.
unsafe fn view<'a, A, D: Dimension, I: SliceFor<D>>(
    spec: &I,
    array: &mut ArrayViewMut<'a, A, D>,
) -> Result<ArrayViewMut<'a, A, I::OutDim>, SliceError> {
    let parts = spec.parts(array.shape(), array.strides())?;
    // SAFETY: the pointer belongs to the array with this shape and these strides, whose elements may be written for `'a`. The
    // caller guarantees that no other view contains any of these elements.
    Ok(unsafe { parts.view_mut(array.as_mut_ptr()) })
}

macro_rules! tuples {
    ($(($($spec:ident $i:tt)*))*) => { $(
        impl<$($spec: sealed::Slice),*> sealed::Slices for ($($spec,)*) {}

        impl<D: Dimension, $($spec: SliceFor<D>),*> SlicesFor<D> for ($($spec,)*) {
            type Views<'a, A: 'a> = ($(ArrayViewMut<'a, A, $spec::OutDim>,)*);

            fn views<'a, A>(
                &self,
                mut array: ArrayViewMut<'a, A, D>,
            ) -> Result<Self::Views<'a, A>, SliceError> {
                check_disjoint(&[$(self.$i.selection(array.shape())?),*])?;
                // SAFETY: the slices share no element, as checked above. The array is used only for these views.
                Ok(($(unsafe { view(&self.$i, &mut array) }?,)*))
            }
        }
    )* };
}

tuples! {
    (I 0)
    (I 0 J 1)
    (I 0 J 1 K 2)
    (I 0 J 1 K 2 L 3)
    (I 0 J 1 K 2 L 3 M 4)
    (I 0 J 1 K 2 L 3 M 4 N 5)
}

impl<D: Dimension, I: SliceFor<D>> SlicesFor<D> for &[I] {
    type Views<'a, A: 'a> = Vec<ArrayViewMut<'a, A, I::OutDim>>;

    fn views<'a, A>(
        &self,
        mut array: ArrayViewMut<'a, A, D>,
    ) -> Result<Self::Views<'a, A>, SliceError> {
        let selections = self.iter().map(|spec| spec.selection(array.shape()));
        check_disjoint(&selections.collect::<Result<Vec<_>, _>>()?)?;
        // SAFETY: as for tuples.
        let views = self.iter().map(|spec| unsafe { view(spec, &mut array) });
        views.collect()
    }
}

impl<D: Dimension, I: SliceFor<D>, const COUNT: usize> SlicesFor<D> for [I; COUNT] {
    type Views<'a, A: 'a> = [ArrayViewMut<'a, A, I::OutDim>; COUNT];

    fn views<'a, A>(
        &self,
        array: ArrayViewMut<'a, A, D>,
    ) -> Result<Self::Views<'a, A>, SliceError> {
        let views = self.as_slice().views(array)?;
        match views.try_into() {
            Ok(views) => Ok(views),
            Err(_) => unreachable!("there is one view for each slice"),
        }
    }
}
