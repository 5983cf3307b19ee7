//! Implements [`StridedSliceExt`] for Rust slices, Rust arrays and `Vec`, which are treated as arrays with one axis.

use alloc::vec::Vec;

use ndarray::{
    Array, ArrayRef, ArrayView, ArrayView1, ArrayViewMut, ArrayViewMut1, Dimension, Ix1,
};

use super::by_value::StridedSliceMove;
use super::disjoint::{SlicesFor, disjoint_views};
use super::ext::StridedSliceExt;
use super::rank::SliceFor;
use super::select::SelectFor;
use super::values::ValuesFor;
use crate::error::SliceError;
use crate::resolve::shape::element_count;

macro_rules! slices {
    ($([$($generics:tt)*] $slice:ty;)*) => { $(
        impl<A, $($generics)*> StridedSliceExt<A, Ix1> for $slice {
            #[inline]
            fn try_at<I: SliceFor<Ix1>>(&self, spec: I) -> Result<ArrayView<'_, A, I::OutDim>, SliceError> {
                view(self)?.try_at_move(spec)
            }

            #[inline]
            fn try_at_mut<I: SliceFor<Ix1>>(
                &mut self,
                spec: I,
            ) -> Result<ArrayViewMut<'_, A, I::OutDim>, SliceError> {
                view_mut(self)?.try_at_move(spec)
            }

            fn try_gather<I: SelectFor<Ix1>>(&self, spec: I) -> Result<Array<A, I::OutDim>, SliceError>
            where
                A: Clone,
            {
                view(self)?.try_gather(spec)
            }

            fn try_gather_into<I: SelectFor<Ix1>, E: Dimension>(
                &self,
                spec: I,
                out: &mut ArrayRef<A, E>,
            ) -> Result<(), SliceError>
            where
                A: Clone,
            {
                view(self)?.try_gather_into(spec, out)
            }

            #[inline]
            fn try_set<I: SelectFor<Ix1>, V: ValuesFor<A>>(
                &mut self,
                spec: I,
                values: V,
            ) -> Result<(), SliceError>
            where
                A: Clone,
            {
                view_mut(self)?.try_set(spec, values)
            }

            #[inline]
            fn try_fill_at<I: SelectFor<Ix1>>(&mut self, spec: I, value: A) -> Result<(), SliceError>
            where
                A: Clone,
            {
                view_mut(self)?.try_fill_at(spec, value)
            }

            fn try_at_disjoint_mut<S: SlicesFor<Ix1>>(
                &mut self,
                specs: S,
            ) -> Result<S::Views<'_, A>, SliceError> {
                disjoint_views(view_mut(self)?, &specs)
            }
        }
    )* };
}

slices! {
    [] [A];
    [const N: usize] [A; N];
    [] Vec<A>;
}

/// Returns a view of all elements, or an error if there are more elements than an array can have. In that case, which
/// is possible only for zero-sized elements, ndarray itself would panic.
#[inline]
pub(crate) fn view<A>(elements: &[A]) -> Result<ArrayView1<'_, A>, SliceError> {
    element_count(&[elements.len()])?;
    Ok(elements.into())
}

/// Mutable version of [`view`].
#[inline]
pub(crate) fn view_mut<A>(elements: &mut [A]) -> Result<ArrayViewMut1<'_, A>, SliceError> {
    element_count(&[elements.len()])?;
    Ok(elements.into())
}
