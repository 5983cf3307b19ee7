//! A view that is still to be made: its shape, its strides and where it begins.

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
use crate::resolve::strided::Dim;

/// A view that is still to be made, in elements of the array it is taken from.
///
/// INVARIANT: if no length in `shape` is 0, every position within `shape`, taken from `lowest` along `strides`, is the
/// place of an element of that array, different positions being different positions of it; otherwise `lowest` and
/// `strides` are 0.
#[derive(Debug)]
pub struct ViewParts<O> {
    shape: O,
    /// Without their signs, as ndarray's constructors take them.
    strides: O,
    /// The distance from the array's first element to the one of the view that is lowest in memory.
    lowest: isize,
    reversed: Reversed,
}

/// The axes along which the view runs downwards in memory.
#[derive(Debug, Default)]
struct Reversed {
    /// Bit `i`: axis `i`.
    first: u64,
    /// Axes from 64 on, which hardly any array has.
    beyond: Vec<usize>,
}

/// Collects the axes of a view from left to right.
#[derive(Debug)]
pub struct ViewPartsBuilder<'a> {
    input_shape: &'a [usize],
    input_strides: &'a [isize],
    shape: &'a mut [usize],
    strides: &'a mut [usize],
    lowest: isize,
    reversed: Reversed,
    empty: bool,
    /// The next axis of the array, and the next of the view.
    axis: usize,
    out: usize,
}

impl<O: Dimension> ViewParts<O> {
    /// The view, of this rank, that `apply` collects of an array with this shape and these strides.
    #[inline(always)]
    pub(super) fn build(
        input_shape: &[usize],
        input_strides: &[isize],
        rank: usize,
        apply: impl FnOnce(&mut ViewPartsBuilder<'_>) -> Result<(), SliceError>,
    ) -> Result<Self, SliceError> {
        let mut parts = Self::zeros(rank);
        parts.fill(input_shape, input_strides, apply)?;
        Ok(parts)
    }

    /// A view of this rank and without elements.
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

    /// Becomes the view that `apply` collects.
    #[inline(always)]
    pub(super) fn fill(
        &mut self,
        input_shape: &[usize],
        input_strides: &[isize],
        apply: impl FnOnce(&mut ViewPartsBuilder<'_>) -> Result<(), SliceError>,
    ) -> Result<(), SliceError> {
        let rank = self.shape.ndim();
        let mut builder = ViewPartsBuilder {
            input_shape,
            input_strides,
            shape: self.shape.slice_mut(),
            strides: self.strides.slice_mut(),
            lowest: 0,
            reversed: Reversed::default(),
            empty: false,
            axis: 0,
            out: 0,
        };
        apply(&mut builder)?;
        // Whatever the type of a spec put together by hand says, no axis may be left out.
        assert!(builder.axis == input_shape.len() && builder.out == rank);
        if builder.empty {
            builder.strides.fill(0);
            builder.lowest = 0;
            builder.reversed = Reversed::default();
        }
        (self.lowest, self.reversed) = (builder.lowest, builder.reversed);
        Ok(())
    }
}

/// `O::zeros`. Dynamic dimensions are clones of others, which takes less time than to make them: a quarter of that of a view.
#[inline(always)]
fn zeros<O: Dimension>(rank: usize) -> O {
    #[cfg(feature = "std")]
    if O::NDIM.is_none() && typeid::of::<O>() == typeid::of::<IxDyn>() {
        static ZEROS: OnceLock<[IxDyn; 5]> = OnceLock::new();
        if let Some(zeros) = ZEROS.get_or_init(|| from_fn(IxDyn::zeros)).get(rank) {
            let zeros = ManuallyDrop::new(zeros.clone());
            // SAFETY: the types are the same, and the original is neither used nor dropped.
            return unsafe { transmute_copy(&zeros) };
        }
    }
    O::zeros(rank)
}

// Positions stay within their axes, and ndarray keeps the extent of an array below `isize::MAX` elements: no product
// or sum below wraps where an element is reached.
impl<'a> ViewPartsBuilder<'a> {
    /// The shape of the array.
    #[inline(always)]
    pub(super) fn shape(&self) -> &'a [usize] {
        self.input_shape
    }

    /// The next axis of the array.
    #[inline(always)]
    pub(super) fn axis(&self) -> usize {
        self.axis
    }

    /// The length of the next axis.
    #[inline(always)]
    pub(super) fn size(&self) -> usize {
        self.input_shape[self.axis]
    }

    /// Does the next step.
    #[inline(always)]
    pub(super) fn push(&mut self, step: ResolvedStep) {
        match step {
            ResolvedStep::Keep(range) => self.keep(range),
            ResolvedStep::Drop(position) => self.drop(position),
            ResolvedStep::Insert { len } => self.insert(len),
        }
    }

    /// The next axis stays.
    #[inline(always)]
    pub(super) fn keep(&mut self, range: AxisRange) {
        let (first, Dim { len, stride }) = range.strided(self.input_strides[self.axis]);
        self.lowest = self.lowest.wrapping_add(first);
        if stride < 0 {
            let last = stride.wrapping_mul((len as isize).wrapping_sub(1));
            self.lowest = self.lowest.wrapping_add(last);
            self.reversed.push(self.out);
        }
        self.shape[self.out] = len;
        self.strides[self.out] = stride.unsigned_abs();
        self.empty |= len == 0;
        self.axis += 1;
        self.out += 1;
    }

    /// The next axis is dropped at a position.
    #[inline(always)]
    pub(super) fn drop(&mut self, position: usize) {
        let (first, _) = AxisRange::single(position).strided(self.input_strides[self.axis]);
        self.lowest = self.lowest.wrapping_add(first);
        self.axis += 1;
    }

    /// A new axis is inserted.
    #[inline(always)]
    pub(super) fn insert(&mut self, len: usize) {
        self.shape[self.out] = len;
        self.empty |= len == 0;
        self.out += 1;
    }

    /// All axes stay but the last `after`.
    #[inline(always)]
    pub(super) fn rest(&mut self, after: usize) {
        while self.axis + after < self.input_shape.len() {
            self.keep(AxisRange::whole(self.size()));
        }
    }
}

impl Reversed {
    #[inline(always)]
    fn push(&mut self, axis: usize) {
        if axis < 64 {
            self.first |= 1 << axis;
        } else {
            self.beyond.push(axis);
        }
    }

    /// Calls `reverse` for each axis; `rank` is the rank if it is known at compile time, which unrolls the loop.
    #[inline(always)]
    fn each(&self, rank: Option<usize>, mut reverse: impl FnMut(Axis)) {
        if let Some(rank) = rank {
            for axis in 0..rank {
                if self.first >> axis & 1 != 0 {
                    reverse(Axis(axis));
                }
            }
            return;
        }
        let mut rest = self.first;
        while rest != 0 {
            reverse(Axis(rest.trailing_zeros() as usize));
            rest &= rest - 1;
        }
        for &axis in &self.beyond {
            reverse(Axis(axis));
        }
    }
}

impl<O: Dimension> ViewParts<O> {
    /// The view of the array whose first element (the one at position 0, 0, ...) is at `first`.
    ///
    /// # Safety
    ///
    /// `first` belongs to the array that `self` was resolved for, which may be read for the lifetime `'a`.
    #[inline(always)]
    pub(super) unsafe fn view<'a, A>(self, first: *const A) -> ArrayView<'a, A, O> {
        // Wrapping, because for an empty array `first` may dangle; otherwise this is the place of an element.
        let lowest = first.wrapping_offset(self.lowest);
        // SAFETY: by the invariant of `ViewParts`, every position is the place of an element of an array that ndarray
        // holds, so all of them are in one allocation and within `isize::MAX` bytes and elements; strides without
        // signs are non-negative; lengths are no longer than that array's, and new axes have length 1.
        let mut view =
            unsafe { RawArrayView::from_shape_ptr(self.shape.strides(self.strides), lowest) };
        self.reversed.each(O::NDIM, |axis| view.invert_axis(axis));
        // SAFETY: the elements are those of an array that the caller may read for `'a`.
        unsafe { view.deref_into_view() }
    }

    /// The same for a view that may be written.
    ///
    /// # Safety
    ///
    /// `first` belongs to the array that `self` was resolved for, which may be read and written, by nothing else, for
    /// the lifetime `'a`.
    #[inline(always)]
    pub(super) unsafe fn view_mut<'a, A>(self, first: *mut A) -> ArrayViewMut<'a, A, O> {
        let lowest = first.wrapping_offset(self.lowest);
        // With debug assertions ndarray checks that no element is repeated, and refuses strides of zero even where there
        // is no element.
        let shape = if self.shape.slice().contains(&0) {
            self.shape.into()
        } else {
            self.shape.strides(self.strides)
        };
        // SAFETY: as in `view`.
        let mut view = unsafe { RawArrayViewMut::from_shape_ptr(shape, lowest) };
        self.reversed.each(O::NDIM, |axis| view.invert_axis(axis));
        // SAFETY: the caller may write the elements for `'a`, and no two positions of the view are the same element:
        // different positions are different positions of an array that ndarray lets be written.
        unsafe { view.deref_into_view_mut() }
    }
}
