//! The parts of a view: its shape, its strides and its offset.

#![allow(unsafe_code)]

use alloc::vec::Vec;
#[cfg(feature = "std")]
use core::{
    array::from_fn,
    mem::{ManuallyDrop, transmute_copy},
};
#[cfg(feature = "std")]
use std::sync::OnceLock;

#[cfg(feature = "std")]
use ndarray::IxDyn;
use ndarray::{
    ArrayView, ArrayViewMut, Axis, Dimension, RawArrayView, RawArrayViewMut, ShapeBuilder,
};

use crate::error::SliceError;
use crate::resolve::axis::AxisRange;
use crate::resolve::step::ResolvedStep;
use crate::resolve::strided::StridedAxis;
use crate::resolve::walk::StepVisitor;

/// The parts of a view of an array. Distances are in elements of the array.
///
/// INVARIANT: if no length in `shape` is 0, `lowest` and `strides` assign a position of the array to each position of
/// the view, and no two positions of the view are assigned the same position of the array. If a length is 0, `lowest`
/// and `strides` are 0.
#[derive(Debug)]
pub struct ViewParts<O> {
    shape: O,
    /// The absolute values of the strides, which ndarray's constructors require.
    strides: O,
    /// The distance from the array's first element to the view's element with the lowest address.
    lowest: isize,
    reversed: Reversed,
}

/// The axes with negative strides.
#[derive(Debug, Default)]
struct Reversed {
    /// Bit `i` is set if axis `i` is reversed, for `i` less than 64.
    low_axes: u64,
    /// The numbers of the reversed axes from axis 64 on, which are rare.
    high_axes: Vec<usize>,
}

/// A builder that collects the axes of a view from left to right.
#[derive(Debug)]
pub struct ViewPartsBuilder<'a> {
    input_strides: &'a [isize],
    shape: &'a mut [usize],
    strides: &'a mut [usize],
    lowest: isize,
    reversed: Reversed,
    empty: bool,
    /// The next axis of the array.
    axis: usize,
    /// The next axis of the view.
    view_axis: usize,
}

impl<O: Dimension> ViewParts<O> {
    /// Calls `apply` to collect the parts of a view of rank `rank`, for an array with the strides `input_strides`.
    #[inline(always)]
    pub(super) fn build(
        input_strides: &[isize],
        rank: usize,
        apply: impl FnOnce(&mut ViewPartsBuilder<'_>) -> Result<(), SliceError>,
    ) -> Result<Self, SliceError> {
        let mut parts = Self::zeros(rank);
        parts.fill(input_strides, apply)?;
        Ok(parts)
    }

    /// Returns the parts of an empty view of rank `rank`.
    #[inline(always)]
    pub(super) fn zeros(rank: usize) -> Self {
        let rank = O::NDIM.unwrap_or(rank);
        Self {
            shape: zeros(rank),
            strides: zeros(rank),
            lowest: 0,
            reversed: Reversed::default(),
        }
    }

    /// Replaces the parts with those collected by `apply`.
    #[inline(always)]
    pub(super) fn fill(
        &mut self,
        input_strides: &[isize],
        apply: impl FnOnce(&mut ViewPartsBuilder<'_>) -> Result<(), SliceError>,
    ) -> Result<(), SliceError> {
        let rank = self.shape.ndim();
        let mut builder = ViewPartsBuilder {
            input_strides,
            shape: self.shape.slice_mut(),
            strides: self.strides.slice_mut(),
            lowest: 0,
            reversed: Reversed::default(),
            empty: false,
            axis: 0,
            view_axis: 0,
        };
        apply(&mut builder)?;
        // If a spec was built by hand with a type that does not match its items, the axes may be incomplete. This check
        // then prevents an invalid view.
        assert!(builder.axis == input_strides.len() && builder.view_axis == rank);
        if builder.empty {
            builder.strides.fill(0);
            builder.lowest = 0;
            builder.reversed = Reversed::default();
        }
        (self.lowest, self.reversed) = (builder.lowest, builder.reversed);
        Ok(())
    }
}

/// Returns `O::zeros(rank)`. A dynamic dimension is cloned from a table, which is faster than `zeros` and saves a
/// quarter of the time to create a view.
#[inline(always)]
fn zeros<O: Dimension>(rank: usize) -> O {
    #[cfg(feature = "std")]
    if O::NDIM.is_none() && typeid::of::<O>() == typeid::of::<IxDyn>() {
        static ZEROS: OnceLock<[IxDyn; 5]> = OnceLock::new();
        if let Some(zeros) = ZEROS.get_or_init(|| from_fn(IxDyn::zeros)).get(rank) {
            let zeros = ManuallyDrop::new(zeros.clone());
            // SAFETY: `O` is `IxDyn`, as checked above, and the original is neither used nor dropped after the copy.
            return unsafe { transmute_copy(&zeros) };
        }
    }
    O::zeros(rank)
}

// All positions are on their axes, and an ndarray array spans at most `isize::MAX` elements of memory. Therefore no
// product or sum below wraps in the computation of an element's address.
impl StepVisitor for ViewPartsBuilder<'_> {
    #[inline(always)]
    fn visit(&mut self, step: ResolvedStep<'static>) {
        match step {
            ResolvedStep::Keep(range) => {
                let (first, StridedAxis { len, stride }) =
                    range.strided(self.input_strides[self.axis]);
                self.lowest = self.lowest.wrapping_add(first);
                if stride < 0 {
                    let last = stride.wrapping_mul((len as isize).wrapping_sub(1));
                    self.lowest = self.lowest.wrapping_add(last);
                    self.reversed.push(self.view_axis);
                }
                self.shape[self.view_axis] = len;
                self.strides[self.view_axis] = stride.unsigned_abs();
                self.empty |= len == 0;
                self.axis += 1;
                self.view_axis += 1;
            }
            ResolvedStep::Drop(position) => {
                let position = AxisRange::single(position);
                let (first, _) = position.strided(self.input_strides[self.axis]);
                self.lowest = self.lowest.wrapping_add(first);
                self.axis += 1;
            }
            ResolvedStep::Insert { len } => {
                self.shape[self.view_axis] = len;
                self.empty |= len == 0;
                self.view_axis += 1;
            }
            ResolvedStep::List(_) => unreachable!("a visitor receives no lists"),
        }
    }
}

impl Reversed {
    #[inline(always)]
    fn push(&mut self, axis: usize) {
        if axis < 64 {
            self.low_axes |= 1 << axis;
        } else {
            self.high_axes.push(axis);
        }
    }

    /// Calls `reverse` for each axis. If `rank` is known at compile time, the loop is unrolled.
    #[inline(always)]
    fn each(&self, rank: Option<usize>, mut reverse: impl FnMut(Axis)) {
        if let Some(rank) = rank {
            for axis in 0..rank {
                if self.low_axes >> axis & 1 != 0 {
                    reverse(Axis(axis));
                }
            }
            return;
        }
        let mut rest = self.low_axes;
        while rest != 0 {
            reverse(Axis(rest.trailing_zeros() as usize));
            rest &= rest - 1;
        }
        for &axis in &self.high_axes {
            reverse(Axis(axis));
        }
    }
}

impl<O: Dimension> ViewParts<O> {
    /// Returns the view of the array whose first element (at position 0, 0, ...) is at `first`.
    ///
    /// # Safety
    ///
    /// `first` must point to the first element of the array for which `self` was resolved. The array must be readable
    /// for `'a`.
    #[inline(always)]
    pub(super) unsafe fn view<'a, A>(self, first: *const A) -> ArrayView<'a, A, O> {
        // The addition may wrap if the array is empty, because `first` may then dangle. If the array is not empty, the
        // result is the address of an element.
        let lowest = first.wrapping_offset(self.lowest);
        // SAFETY: by the invariant of `ViewParts`, every position of the view has the address of an element of an
        // ndarray array, so all addresses are in one allocation, within `isize::MAX` bytes and elements. The strides
        // are not negative. The view has no more elements than the array, because no axis is longer than the input axis
        // it comes from, and new axes have at most length 1.
        let mut view =
            unsafe { RawArrayView::from_shape_ptr(self.shape.strides(self.strides), lowest) };
        self.reversed.each(O::NDIM, |axis| view.invert_axis(axis));
        // SAFETY: the elements belong to an array that the caller may read for `'a`.
        unsafe { view.deref_into_view() }
    }

    /// Mutable version of [`view`](Self::view).
    ///
    /// # Safety
    ///
    /// `first` must point to the first element of the array for which `self` was resolved. The array must be readable
    /// and writable for `'a`, and nothing else may access the elements of the view during `'a`.
    #[inline(always)]
    pub(super) unsafe fn view_mut<'a, A>(self, first: *mut A) -> ArrayViewMut<'a, A, O> {
        let lowest = first.wrapping_offset(self.lowest);
        // With debug assertions, ndarray checks that no element is repeated. This check rejects strides of zero even in
        // an empty view.
        let shape = if self.shape.slice().contains(&0) {
            self.shape.into()
        } else {
            self.shape.strides(self.strides)
        };
        // SAFETY: see `view`.
        let mut view = unsafe { RawArrayViewMut::from_shape_ptr(shape, lowest) };
        self.reversed.each(O::NDIM, |axis| view.invert_axis(axis));
        // SAFETY: the caller guarantees that the elements may be written for `'a`. Different positions of the view are
        // different positions of the array and, in every ndarray array that can be written, different elements.
        unsafe { view.deref_into_view_mut() }
    }
}
