//! `StaticPlan`: a copy whose shapes are part of its type, so that the compiler computes everything except the copy
//! itself.

use core::fmt;
use core::marker::PhantomData;

use super::fixed;
use super::nested::{MAX_NESTED_RANK, NestedArray};
use super::{Nest, write_output_shape};
use crate::error::message::{nested_too_deeply, nesting_does_not_fit, shape_does_not_fit};
use crate::spec::item::Encoded;

/// A resolved and checked copy from arrays of type `A` to arrays of type `B`, created by
/// [`SliceSpec::static_plan`](crate::SliceSpec::static_plan).
///
/// Python equivalent: none. NumPy resolves a slice each time it is applied to an array. In a constant `StaticPlan`,
/// every offset, length and stride is a constant, so the compiled code is equivalent to hand-written loops.
///
/// # Example
///
/// The declaration of a named constant shows both shapes:
///
/// ```
/// use slice_core::{StaticPlan, s};
///
/// type Frame = [[u16; 8]; 6];
/// type Thumbnail = [[u16; 4]; 3];
///
/// const HALVE: StaticPlan<Frame, Thumbnail> = s![::2, ::2].static_plan();
///
/// fn thumbnail(frame: &Frame) -> Thumbnail {
///     HALVE.gather(frame)
/// }
/// assert_eq!(thumbnail(&[[7; 8]; 6]), [[7; 4]; 3]);
/// ```
///
/// The types of an inline `const` are inferred from its use:
///
/// ```
/// # use slice_core::s;
/// fn mirrored(row: &[u8; 4]) -> [u8; 4] {
///     const { s![::-1].static_plan() }.gather(row)
/// }
/// assert_eq!(mirrored(&[1, 2, 3, 4]), [4, 3, 2, 1]);
/// ```
///
/// A slice that does not fit its types is a compile error:
///
/// ```compile_fail,E0080
/// # use slice_core::s;
/// fn mirrored(row: &[u8; 4]) -> [u8; 4] {
///     // index 4 is out of bounds for axis 0 with size 4 (item 1 of the slice)
///     const { s![4].static_plan() }.gather(row)
/// }
/// # mirrored(&[1, 2, 3, 4]);
/// ```
#[must_use = "a plan does nothing until elements are copied with it"]
pub struct StaticPlan<A, B> {
    // INVARIANT: `nest` copies from arrays with the shape of `A` to arrays with the shape of `B`.
    nest: Nest<MAX_NESTED_RANK>,
    arrays: PhantomData<fn(&A) -> B>,
}

impl<A: NestedArray, B: NestedArray<Element = A::Element>> StaticPlan<A, B> {
    #[track_caller]
    pub(super) const fn new(spec: Encoded<'_>) -> Self {
        // `SHAPE` is not used, because its error for an array with too many axes is not reported at the location of the
        // caller.
        let (input, output) = (A::PADDED_SHAPE, B::PADDED_SHAPE);
        let (input, output) = (shape_of::<A>(&input), shape_of::<B>(&output));
        let nest = Nest::new(spec, input);
        let rank = spec.output_rank(A::RANK);
        if rank != B::RANK {
            nesting_does_not_fit(rank, B::RANK).panic();
        }
        let mut shape = [0; MAX_NESTED_RANK];
        let shape = shape.split_at_mut(B::RANK).0;
        write_output_shape(spec, input, shape);
        let mut axis = 0;
        while axis < B::RANK {
            if shape[axis] != output[axis] {
                shape_does_not_fit(shape, output).panic();
            }
            axis += 1;
        }
        StaticPlan {
            nest,
            arrays: PhantomData,
        }
    }

    /// Returns the selected elements of `input`.
    ///
    /// Python equivalent: `x[spec].copy()`.
    #[inline(always)]
    #[must_use]
    pub const fn gather(&self, input: &A) -> B {
        fixed::gather_nested(&self.nest, input)
    }

    /// Copies the selected elements of `input` to `out`.
    ///
    /// Python equivalent: `out[...] = x[spec]`.
    ///
    /// ```
    /// use slice_core::{StaticPlan, s};
    ///
    /// const FLIP: StaticPlan<[[i32; 2]; 2], [[i32; 2]; 2]> = s![:, ::-1].static_plan();
    /// let mut flipped = [[0; 2]; 2];
    /// FLIP.gather_into(&[[1, 2], [3, 4]], &mut flipped);
    /// assert_eq!(flipped, [[2, 1], [4, 3]]);
    /// ```
    #[inline(always)]
    pub const fn gather_into(&self, input: &A, out: &mut B) {
        self.nest
            .gather(fixed::elements(input), fixed::elements_mut(out));
    }

    /// Writes `values` to the selected elements of `into`.
    ///
    /// Python equivalent: `x[spec] = values`.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::{StaticPlan, s};
    ///
    /// const BOARD: [[char; 4]; 2] = {
    ///     const LIGHT: StaticPlan<[[char; 4]; 2], [char; 2]> = s![0, ::2].static_plan();
    ///     let mut board = [['#'; 4]; 2];
    ///     LIGHT.scatter(&['o'; 2], &mut board);
    ///     board
    /// };
    /// assert_eq!(BOARD, [['o', '#', 'o', '#'], ['#'; 4]]);
    /// ```
    #[inline(always)]
    pub const fn scatter(&self, values: &B, into: &mut A) {
        self.nest
            .scatter(fixed::elements(values), fixed::elements_mut(into));
    }
}

/// Returns the shape of arrays of type `A`, without padding.
#[track_caller]
const fn shape_of<A: NestedArray>(padded: &[usize; MAX_NESTED_RANK]) -> &[usize] {
    if A::RANK > MAX_NESTED_RANK {
        nested_too_deeply(A::RANK, MAX_NESTED_RANK).panic();
    }
    padded.split_at(A::RANK).0
}

// Implemented by hand, because a derive would require `A` and `B` to implement the traits, too.
impl<A, B> Clone for StaticPlan<A, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A, B> Copy for StaticPlan<A, B> {}

impl<A, B> fmt::Debug for StaticPlan<A, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StaticPlan").field(&self.nest).finish()
    }
}
