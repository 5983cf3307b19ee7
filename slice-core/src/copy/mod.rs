//! The copy engine, which plans a copy and then runs the fastest kernel for the plan.
//!
//! ```text
//! x[:, 3:0:-1], where x is an f32 array with shape (100, 4)
//! selection  axis 0: start 0, step 1, length 100; axis 1: start 3, step -1, length 3
//! plan       offset 3; axis 0: length 100, stride 4; axis 1: length 3, stride -1 (all in elements)
//! job        4-byte runs, the first at byte 12; 3 runs per row, -4 bytes apart; a row every 16 bytes
//! kernel     a row is one 12-byte cell, the unit of a copy; each step of the shuffle kernel copies five cells
//! ```
//!
//! 1. **Plan** ([`plan`]): checks once that all offsets are within the buffer, drops axes of length 1, and merges
//!    contiguous axes.
//! 2. **Job** ([`job`]): converts the plan to bytes, for elements of a given size. A job consists of runs of contiguous
//!    bytes, and the distances between these runs. The kernels therefore do not depend on the element type.
//! 3. **Kernel** ([`kernels`] lists the kernels and their patterns): copies row after row. The kernel is chosen once
//!    per copy, outside all loops. [`cursor`] computes where the next rows begin.
//!
//! [`small`] copies a few elements without a plan. [`elements`] copies the elements of plans and of
//! selections with lists, also those whose type is only required to be `Clone`. [`strided_copy`] copies between two strided arrays, and [`lists`] copies selections with lists. The
//! methods in [`transfer`] and of [`CopyPlan`] are the interface for callers.

pub(crate) mod broadcast;
mod cursor;
pub(crate) mod elements;
mod job;
mod kernels;
pub(crate) mod lists;
pub(crate) mod new_memory;
pub(crate) mod plain;
pub(crate) mod plan;
mod region;
mod small;
pub(crate) mod strided_copy;
mod transfer;
mod tuning;

pub use plan::CopyPlan;
pub(crate) use strided_copy::{Source, Target, copy};

use crate::error::SliceError;
use crate::resolve::selection::Selection;
use crate::resolve::strided::StridedAxis;
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::ops::AddAssign;
use elements::Elements;
#[cfg(feature = "ndarray")]
use job::Job;
use plain::as_uninit;
#[cfg(feature = "ndarray")]
use plain::bytes_mut;
use small::SmallCopy;

impl Selection {
    /// Plans the copy of this selection, which must be strided.
    pub(super) fn strided_plan(&self) -> CopyPlan {
        // The plan is made from the input axes instead of the output axes. The copied elements and their order are the
        // same, because the kept axes have the same order in the input and the output, and the selection contains only
        // one position of each dropped axis. If the selection is empty, an axis of length 0 is added, because the
        // empty output axis may be a new axis, which is not an input axis.
        let empty = StridedAxis { len: 0, stride: 0 };
        let axes = self
            .flat_axes()
            .chain(self.is_empty().then_some((0, empty)));
        CopyPlan::from_reversed_axes(0, axes, self.input_len())
            .expect("the selection should stay within its input")
    }

    /// Gathers into an uninitialized buffer, and initializes all of `out`. The caller checks the lengths.
    #[inline]
    fn gather_uninit<T: Copy>(&self, data: &[T], out: &mut [MaybeUninit<T>]) {
        if !self.is_strided() {
            return self.gather_listed(data, out);
        }
        match SmallCopy::of_selection(self) {
            Some(small) => small.gather(data, out),
            None => self.strided_plan().gather_uninit(data, out),
        }
    }

    /// Version of [`gather_uninit`](Self::gather_uninit) for selections with lists. It is not inlined, so that small
    /// copies of other selections are as fast as without it.
    #[cold]
    #[inline(never)]
    fn gather_listed<T: Copy>(&self, data: &[T], out: &mut [MaybeUninit<T>]) {
        self.loops().gather_uninit(data, out);
    }
}

impl CopyPlan {
    /// Gathers the planned elements of `data`, like [`Selection::gather`].
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Selection::gather`].
    #[inline]
    pub fn gather<T: Copy>(&self, data: &[T]) -> Result<Vec<T>, SliceError> {
        check_len(self.input_len, data.len())?;
        // SAFETY: `gather_uninit` initializes all of `out`.
        #[expect(unsafe_code)]
        unsafe {
            gathered(self.len, |out| self.gather_uninit(data, out))
        }
    }

    /// Gathers the planned elements of `data` into `out`, like [`Selection::gather_into`].
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Selection::gather_into`].
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let plan = s![::-2].resolve(&[5])?.plan()?;
    /// let mut out = [0; 3];
    /// plan.gather_into(&[1, 2, 3, 4, 5], &mut out)?;
    /// assert_eq!(out, [5, 3, 1]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[inline]
    pub fn gather_into<T: Copy>(&self, data: &[T], out: &mut [T]) -> Result<(), SliceError> {
        check_len(self.input_len, data.len())?;
        check_len(self.len, out.len())?;
        // SAFETY: only copies of elements of `data` are written, which are valid.
        #[expect(unsafe_code)]
        self.gather_uninit(data, unsafe { as_uninit(out) });
        Ok(())
    }

    /// Scatters `values` to the planned elements of `into`, like [`Selection::scatter`].
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Selection::scatter`].
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let plan = s![::-2].resolve(&[5])?.plan()?;
    /// let mut x = [0; 5];
    /// plan.scatter(&[7, 8, 9], &mut x)?;
    /// assert_eq!(x, [9, 0, 8, 0, 7]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[inline]
    pub fn scatter<T: Copy>(&self, values: &[T], into: &mut [T]) -> Result<(), SliceError> {
        check_len(self.len, values.len())?;
        check_len(self.input_len, into.len())?;
        self.scatter_copies(values, into);
        Ok(())
    }

    /// Adds `values` to the planned elements of `into`, like [`Selection::scatter_add`].
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Selection::scatter_add`].
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let plan = s![::-2].resolve(&[5])?.plan()?;
    /// let mut x = [1; 5];
    /// plan.scatter_add(&[7, 8, 9], &mut x)?;
    /// assert_eq!(x, [10, 1, 9, 1, 8]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn scatter_add<T: Copy + AddAssign>(
        &self,
        values: &[T],
        into: &mut [T],
    ) -> Result<(), SliceError> {
        check_len(self.len, values.len())?;
        check_len(self.input_len, into.len())?;
        self.add(values, into);
        Ok(())
    }
}

/// Gathers the `len` elements of `data` along `axes`, starting at `offset`. The last axis is the innermost. `len` must
/// not be 0.
///
/// # Safety
///
/// * `len` must be the product of the lengths of the axes.
#[cfg(feature = "ndarray")]
#[expect(unsafe_code)]
#[inline]
pub(crate) unsafe fn gather_axes<T: Clone>(
    data: &[T],
    offset: usize,
    axes: impl DoubleEndedIterator<Item = StridedAxis> + Clone,
    len: usize,
) -> Result<Vec<T>, SliceError> {
    let axes = axes.rev().map(|axis| (0, axis));
    // A small copy does not drop the clones that it has made if a later clone panics.
    let small = match core::mem::needs_drop::<T>() {
        true => None,
        false => SmallCopy::new(offset, axes.clone(), len),
    };
    let Some(small) = small else {
        let plan = CopyPlan::from_reversed_axes(offset, axes, data.len());
        return plan
            .expect("the view should stay within its buffer")
            .gather_clones(data);
    };
    // SAFETY: `SmallCopy::gather` initializes the elements along the axes, which are all `len` elements of `out`.
    unsafe { gathered(len, |out| small.gather(data, out)) }
}

#[cfg(feature = "ndarray")]
impl CopyPlan {
    /// Returns the plan for a view with the axes `axes`, and the distance from the view's lowest element in memory to
    /// the view's first element. The offsets of the plan are relative to the lowest element.
    pub(crate) fn of_view(
        axes: impl DoubleEndedIterator<Item = StridedAxis> + Clone,
    ) -> (Self, usize) {
        let (first, len) = plan::extent(axes.clone());
        (
            Self::new(first, axes, len)
                .expect("the memory of the view should include all of its elements"),
            first,
        )
    }

    /// Gathers the planned elements without reading the gaps between them. Offset 0 of the plan is at `lowest`.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::Allocation`] if there is not enough memory for the result. If the plan is for a view with
    /// broadcast axes, the result can be far larger than the memory of the view.
    ///
    /// # Safety
    ///
    /// The planned elements must be readable and in one allocation, and `T` must be `Copy` or plain.
    #[expect(unsafe_code)]
    pub(crate) unsafe fn gather_exact<T>(&self, lowest: *const T) -> Result<Vec<T>, SliceError> {
        let gather = |out: &mut [_]| {
            if let Some(job) = Job::new::<T>(self) {
                // SAFETY: the runs of the job consist of planned elements, and the caller guarantees that these can be
                // read. `out` is new memory, so it does not overlap them.
                unsafe { kernels::gather_exact(job, lowest.cast(), bytes_mut(out)) };
            }
        };
        // SAFETY: `gather` writes all elements, unless they are zero-sized.
        unsafe { gathered(self.len, gather) }
    }
}

/// Returns a new vector of the `len` elements written by `gather`.
///
/// # Safety
///
/// `gather` must initialize all of its argument.
#[expect(unsafe_code)]
#[inline(always)]
pub(crate) unsafe fn gathered<T>(
    len: usize,
    gather: impl FnOnce(&mut [MaybeUninit<T>]),
) -> Result<Vec<T>, SliceError> {
    let mut out = new_memory::vector(len)?;
    gather(&mut out.spare_capacity_mut()[..len]);
    // SAFETY: the capacity is at least `len`, and `gather` has initialized `len` elements.
    unsafe { out.set_len(len) };
    Ok(out)
}

/// Returns an error unless `actual`, the length of a buffer, equals `expected`.
pub(crate) fn check_len(expected: usize, actual: usize) -> Result<(), SliceError> {
    if expected == actual {
        Ok(())
    } else {
        Err(SliceError::BufferLength { expected, actual })
    }
}

#[cfg(test)]
mod tests;
