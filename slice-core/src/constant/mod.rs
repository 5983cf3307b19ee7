//! Slices in constants: shapes, axes, elements and plans, computed by the compiler.
//!
//! Slices without lists are resolved with [`ResolvedItems`], which is also used at run time. Slices with lists are resolved in
//! `list`.
//!
//! There are three ways to copy. `gather_array` copies from a flat buffer, whose shape is an argument. `gather_nested`
//! copies from a nested array, whose shape is part of its type. The type of a [`StaticPlan`] includes the shapes, too,
//! but resolution is separate from the copy: if the plan is a constant, only the copy happens at run time.
//! `gather_nested` is built on `StaticPlan`.

/// Unwraps a value, or panics with the error's message. In a constant, the panic is a compile error.
macro_rules! ok {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => error.panic(),
        }
    };
}

mod fixed;
mod list;
pub(crate) mod nest;
mod nested;
mod static_plan;
#[cfg(test)]
mod tests;

pub(crate) use fixed::gather_array as gather_array_of;
pub(crate) use nest::Nest;
pub use nested::{NestedArray, NestedElement};
pub use static_plan::StaticPlan;

use crate::error::SliceError;
use crate::error::message::{length_does_not_fit, rank_does_not_fit};
use crate::error::resolve_error::ResolveError;
use crate::resolve::axis::AxisRange;
use crate::resolve::shape::element_count;
use crate::resolve::step::ResolvedStep;
use crate::resolve::walk::ResolvedItems;
use crate::spec::item::Encoded;
use crate::spec::slice_spec::SliceSpec;

impl<const M: usize, K> SliceSpec<M, K> {
    /// Returns the shape of the result for an array of shape `shape`.
    ///
    /// Python equivalent: `x[spec].shape`, where `x.shape == shape`.
    ///
    /// # Panics
    ///
    /// Panics with the message of the [`SliceError`] if [`resolve`](Self::resolve) fails. Also
    /// panics if the result does not have `OUT` axes. In a constant, the panic is a compile error on the caller's line.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// const SHAPE: [usize; 4] = s![1:, ..., newaxis, :-3:-1].output_shape([4, 5, 6]);
    /// assert_eq!(SHAPE, [3, 5, 1, 2]);
    /// ```
    ///
    /// ```compile_fail,E0080
    /// # use slice_core::s;
    /// // index 5 is out of bounds for axis 1 with size 5 (item 2 of the slice)
    /// const SHAPE: [usize; 1] = s![0, 5].output_shape([4, 5, 6]);
    /// ```
    #[must_use]
    #[track_caller]
    pub const fn output_shape<const N: usize, const OUT: usize>(
        &self,
        shape: [usize; N],
    ) -> [usize; OUT] {
        let mut out = [0; OUT];
        write_output_shape(self.encoded(), &shape, &mut out);
        out
    }

    /// Returns the selected positions on each axis of an array of shape `shape`.
    ///
    /// Python equivalent: `slice.indices` for each axis, converted to start, step and length.
    ///
    /// This is the `const` counterpart of [`Selection::axes`](crate::Selection::axes). It can be used, for instance, to
    /// program a DMA engine.
    ///
    /// # Panics
    ///
    /// Panics if [`resolve`](Self::resolve) fails. In a constant, the panic is a compile error.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::{AxisRange, s};
    ///
    /// const AXES: [AxisRange; 2] = s![-1, ::-2].axis_ranges([3, 5]);
    /// const START: usize = AXES[1].start();
    /// assert_eq!((START, AXES[1].step(), AXES[1].len()), (4, -2, 3));
    /// ```
    #[must_use]
    #[track_caller]
    pub const fn axis_ranges<const N: usize>(&self, shape: [usize; N]) -> [AxisRange; N] {
        let mut items = ok!(ResolvedItems::new(self.encoded(), &shape));
        ok!(element_count(&shape));
        let mut ranges = [AxisRange::whole(0); N];
        let mut axis = 0;
        while let Some(item) = items.next() {
            ranges[axis] = match ok!(item).input_range() {
                Some(range) => range,
                None => continue,
            };
            axis += 1;
        }
        ranges
    }

    /// Returns the selected elements of a flat C-order buffer, as an array.
    ///
    /// Python equivalent: `x[spec].ravel()`, where `x.shape == shape`. For nested arrays, see
    /// [`gather_nested`](Self::gather_nested).
    ///
    /// # Panics
    ///
    /// Panics if [`resolve`](Self::resolve) fails, if the length of `data` does not match `shape`, or if the result
    /// does not have `LEN` elements. In a constant, the panic is a compile error on the caller's line.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// const TAPS: [i16; 7] = [-3, 0, 19, 32, 19, 0, -3];
    /// const EVEN: [i16; 4] = s![::2].gather_array(&TAPS, [7]);
    /// assert_eq!(EVEN, [-3, 19, 19, -3]);
    /// ```
    ///
    /// ```compile_fail,E0080
    /// # use slice_core::s;
    /// # const TAPS: [i16; 7] = [-3, 0, 19, 32, 19, 0, -3];
    /// // the result has 4 elements, but the array to be filled has length 3
    /// const EVEN: [i16; 3] = s![::2].gather_array(&TAPS, [7]);
    /// ```
    #[must_use]
    #[inline]
    #[track_caller]
    pub const fn gather_array<T: Copy, const N: usize, const LEN: usize>(
        &self,
        data: &[T],
        shape: [usize; N],
    ) -> [T; LEN] {
        let nest = Nest::<N>::new(self.encoded(), &shape);
        if data.len() != nest.input_len {
            let (expected, actual) = (nest.input_len, data.len());
            ResolveError::new(SliceError::BufferLength { expected, actual }).panic();
        }
        if LEN != nest.len {
            length_does_not_fit(nest.len, LEN).panic();
        }
        fixed::gather_array(&nest, data)
    }

    /// Returns the selected elements of a nested array, as a nested array. If the slice drops all axes, the result is a
    /// single element.
    ///
    /// Python equivalent: `x[spec].copy()`. The shapes of the input and the result are part of their types. Up to six
    /// axes are supported.
    ///
    /// # Panics
    ///
    /// Panics if [`resolve`](Self::resolve) fails, or if the result does not have the shape of `B`. In a constant, the
    /// panic is a compile error on the caller's line. To get a compile error outside of constants, create the plan in
    /// an inline `const`, as in `const { s![4].static_plan() }.gather(&data)` (see [`StaticPlan`]).
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// const ARROW: [[u8; 3]; 2] = [[0, 1, 2], [3, 4, 5]];
    /// const TURNED: [[u8; 3]; 2] = s![::-1, ::-1].gather_nested(&ARROW);
    /// const CORNER: u8 = s![-1, -1].gather_nested(&ARROW);
    /// assert_eq!(TURNED, [[5, 4, 3], [2, 1, 0]]);
    /// assert_eq!(CORNER, 5);
    /// ```
    #[must_use]
    #[inline]
    #[track_caller]
    pub const fn gather_nested<A, B>(&self, data: &A) -> B
    where
        A: NestedArray,
        B: NestedArray<Element = A::Element>,
    {
        self.static_plan::<A, B>().gather(data)
    }

    /// Resolves and checks the slice, and returns the plan for copies from arrays of type `A` to arrays of type `B`.
    ///
    /// If the plan is created in a named or inline `const`, only the copy happens at run time.
    ///
    /// # Panics
    ///
    /// Panics if [`resolve`](Self::resolve) fails, or if the result does not have the shape of `B`. In a constant, the
    /// panic is a compile error on the caller's line.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::{StaticPlan, s};
    ///
    /// const FLIP: StaticPlan<[[i32; 2]; 2], [[i32; 2]; 2]> = s![:, ::-1].static_plan();
    /// assert_eq!(FLIP.gather(&[[1, 2], [3, 4]]), [[2, 1], [4, 3]]);
    /// ```
    #[inline]
    #[track_caller]
    pub const fn static_plan<A, B>(&self) -> StaticPlan<A, B>
    where
        A: NestedArray,
        B: NestedArray<Element = A::Element>,
    {
        StaticPlan::new(self.encoded())
    }
}

/// Writes the shape of the result to `out`. Panics if the slice cannot be resolved, or if `out` does not have one entry
/// for each axis of the result.
#[track_caller]
const fn write_output_shape(spec: Encoded<'_>, shape: &[usize], out: &mut [usize]) {
    let mut items = ok!(ResolvedItems::new(spec, shape));
    ok!(element_count(shape));
    if items.output_rank() != out.len() {
        rank_does_not_fit(items.output_rank(), out.len()).panic();
    }
    let mut axis = 0;
    while let Some(item) = items.next() {
        out[axis] = match ok!(item) {
            ResolvedStep::Keep(range) => range.len,
            ResolvedStep::Insert { len } => len,
            // A `SliceSpec` has no lists.
            ResolvedStep::Drop(_) | ResolvedStep::List(_) => continue,
        };
        axis += 1;
    }
}
