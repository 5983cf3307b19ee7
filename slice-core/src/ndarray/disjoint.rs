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

    /// Resolves each slice for an array with the shape `shape`.
    #[doc(hidden)]
    fn selections(&self, shape: &[usize]) -> Result<Vec<Selection>, SliceError>;

    /// Returns one mutable view for each slice. `first` is the address of the array's first element.
    ///
    /// # Safety
    ///
    /// `first` must point to the first element of an array with the shape `shape` and the strides `strides`. The array
    /// must be readable and writable for `'a`, and nothing else may access it during `'a`. No two of the
    /// [`selections`](Self::selections) may share an element.
    #[doc(hidden)]
    unsafe fn views<'a, A>(
        &self,
        shape: &[usize],
        strides: &[isize],
        first: *mut A,
    ) -> Result<Self::Views<'a, A>, SliceError>;
}

/// Returns mutable views of several slices, or an error if two slices share an element.
pub(super) fn disjoint_views<'a, A, D: Dimension, S: SlicesFor<D>>(
    mut array: ArrayViewMut<'a, A, D>,
    specs: &S,
) -> Result<S::Views<'a, A>, SliceError> {
    check_disjoint(&specs.selections(array.shape())?)?;
    let first = array.as_mut_ptr();
    // SAFETY: the pointer belongs to the view with this shape and these strides, whose elements may be written for
    // `'a`. The view is consumed, so nothing else accesses the elements. The check above ensures that the slices are
    // disjoint.
    unsafe { specs.views(array.shape(), array.strides(), first) }
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
/// See [`SlicesFor::views`].
unsafe fn view<'a, A, D: Dimension, I: SliceFor<D>>(
    spec: &I,
    shape: &[usize],
    strides: &[isize],
    first: *mut A,
) -> Result<ArrayViewMut<'a, A, I::OutDim>, SliceError> {
    let parts = spec.parts(shape, strides)?;
    // SAFETY: the slice was resolved for this array. The caller guarantees that the array may be written for `'a`, and
    // that no other view contains any of these elements.
    Ok(unsafe { parts.view_mut(first) })
}

macro_rules! tuples {
    ($(($($spec:ident $i:tt)*))*) => { $(
        impl<$($spec: sealed::Slice),*> sealed::Slices for ($($spec,)*) {}

        impl<D: Dimension, $($spec: SliceFor<D>),*> SlicesFor<D> for ($($spec,)*) {
            type Views<'a, A: 'a> = ($(ArrayViewMut<'a, A, $spec::OutDim>,)*);

            fn selections(&self, shape: &[usize]) -> Result<Vec<Selection>, SliceError> {
                Ok([$(self.$i.selection(shape)?),*].into())
            }

            unsafe fn views<'a, A>(
                &self,
                shape: &[usize],
                strides: &[isize],
                first: *mut A,
            ) -> Result<Self::Views<'a, A>, SliceError> {
                // SAFETY: the caller upholds the requirements of `views`, which this call has, too.
                Ok(($(unsafe { view(&self.$i, shape, strides, first) }?,)*))
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

    fn selections(&self, shape: &[usize]) -> Result<Vec<Selection>, SliceError> {
        self.iter().map(|spec| spec.selection(shape)).collect()
    }

    unsafe fn views<'a, A>(
        &self,
        shape: &[usize],
        strides: &[isize],
        first: *mut A,
    ) -> Result<Self::Views<'a, A>, SliceError> {
        let views = self
            .iter()
            // SAFETY: the caller upholds the requirements of `views`, which this call has, too.
            .map(|spec| unsafe { view(spec, shape, strides, first) });
        views.collect()
    }
}

impl<D: Dimension, I: SliceFor<D>, const COUNT: usize> SlicesFor<D> for [I; COUNT] {
    type Views<'a, A: 'a> = [ArrayViewMut<'a, A, I::OutDim>; COUNT];

    fn selections(&self, shape: &[usize]) -> Result<Vec<Selection>, SliceError> {
        self.as_slice().selections(shape)
    }

    unsafe fn views<'a, A>(
        &self,
        shape: &[usize],
        strides: &[isize],
        first: *mut A,
    ) -> Result<Self::Views<'a, A>, SliceError> {
        // SAFETY: the caller upholds the requirements of `views`, which this call has, too.
        let views = unsafe { self.as_slice().views(shape, strides, first) }?;
        match views.try_into() {
            Ok(views) => Ok(views),
            Err(_) => unreachable!("there is one view for each slice"),
        }
    }
}
