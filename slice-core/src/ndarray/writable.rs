//! A trait for arrays and views whose elements can be written.

use alloc::vec::Vec;

use ndarray::{ArrayBase, ArrayRef, DataMut, Dimension, Ix1};

use super::sealed;

/// Arrays and views whose elements can be written. Only read-only views are excluded.
///
/// A generic function that writes to a slice of a `T: StridedSliceExt<A, D>` also needs the bound
/// `T: WritableArray<A, D>`.
///
/// # Example
///
/// ```
/// use ndarray::{Ix2, array};
/// use slice_core::{StridedSliceExt, WritableArray, s};
///
/// fn clear_edge<T: StridedSliceExt<f64, Ix2> + WritableArray<f64, Ix2>>(x: &mut T) {
///     x.set(s![0], 0.0);
/// }
/// let mut x = array![[1.0], [2.0]];
/// clear_edge(&mut x);
/// clear_edge(&mut x.view_mut());
/// assert_eq!(x, array![[0.0], [2.0]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "the elements of `{Self}` cannot be modified",
    label = "this array or view is read-only",
    note = "use an `ArrayViewMut` instead of a shared view, or copy the elements with `gather`; in generic code, bound the \
            storage type by `DataMut`"
)]
pub trait WritableArray<A, D: Dimension>: sealed::Array {
    /// Returns the array, or `None` for a Rust slice.
    #[doc(hidden)]
    fn array_mut(&mut self) -> Option<&mut ArrayRef<A, D>>;
}

#[diagnostic::do_not_recommend]
impl<A, D: Dimension> WritableArray<A, D> for ArrayRef<A, D> {
    #[inline(always)]
    fn array_mut(&mut self) -> Option<&mut ArrayRef<A, D>> {
        Some(self)
    }
}

#[diagnostic::do_not_recommend]
impl<A, S: DataMut<Elem = A>, D: Dimension> WritableArray<A, D> for ArrayBase<S, D> {
    #[inline(always)]
    fn array_mut(&mut self) -> Option<&mut ArrayRef<A, D>> {
        Some(self)
    }
}

macro_rules! slices {
    ($([$($generics:tt)*] $slice:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<A, $($generics)*> WritableArray<A, Ix1> for $slice {
            #[inline(always)]
            fn array_mut(&mut self) -> Option<&mut ArrayRef<A, Ix1>> {
                None
            }
        }
    )* };
}

slices! {
    [] [A];
    [const N: usize] [A; N];
    [] Vec<A>;
}
