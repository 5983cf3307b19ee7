//! Types that count the axes that a slice indexes, and traits that compare this count with the rank of an array.

use ndarray::{Dim, Dimension, Ix, IxDyn};

/// The count of a slice that indexes no axis.
pub enum NoAxis {}

/// The count of a slice that indexes `N` axes. `N` is not 0.
pub enum Axes<const N: usize> {}

/// Types that represent the numbers from 0 to the maximum number of items in a slice.
pub trait Count {
    /// The number.
    const N: usize;
    /// The type of the next number. The greatest number is its own successor.
    type Next: Count;
}

impl Count for NoAxis {
    const N: usize = 0;
    type Next = Axes<1>;
}

macro_rules! count {
    ($n:literal $next:literal $($rest:literal)*) => {
        impl Count for Axes<$n> {
            const N: usize = $n;
            type Next = Axes<$next>;
        }
        count!($next $($rest)*);
    };
    ($last:literal) => {
        impl Count for Axes<$last> {
            const N: usize = $last;
            type Next = Axes<$last>;
        }
    };
}

count! {
    1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
    33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64
}

/// A number of axes that every array of dimension `D` has or, if `D` is `IxDyn`, can have.
///
/// See the [guide to generic code](crate::guide::generic_code).
///
/// # Example
///
/// ```
/// use ndarray::{Array, ArrayView, Dimension};
/// use slice_core::kind::{Axes, FitsIn};
/// use slice_core::{StridedSliceExt, s};
///
/// /// Returns the first two rows of an array that has at least one axis.
/// fn first_rows<D: Dimension>(x: &Array<f32, D>) -> ArrayView<'_, f32, D>
/// where
///     Axes<1>: FitsIn<D>,
/// {
///     x.at(s![:2])
/// }
/// assert_eq!(first_rows(&ndarray::arr2(&[[1.], [2.], [3.]])).dim(), (2, 1));
/// ```
#[diagnostic::on_unimplemented(
    message = "an array of dimension `{D}` may have fewer axes than this slice indexes",
    label = "not every `{D}` has that many axes",
    note = "take the slice as a parameter `S: SliceFor<{D}>`, slice with `s![...].erase()`, whose result is `IxDyn`, or require \
            `{Self}: slice_core::kind::FitsIn<{D}>`"
)]
pub trait FitsIn<D> {
    /// A type that the compiler knows only if the count fits. It reports no further errors for a type that depends on it.
    #[doc(hidden)]
    type Fits;
}

#[diagnostic::do_not_recommend]
impl<D: Dimension> FitsIn<D> for NoAxis {
    type Fits = ();
}

#[diagnostic::do_not_recommend]
impl<const N: usize> FitsIn<IxDyn> for Axes<N> {
    type Fits = ();
}

/// A relation between two numbers: an array of rank `RANK` has at least `INDEXED` axes.
#[diagnostic::on_unimplemented(
    message = "too many indices for array: array is {RANK}-dimensional, but {INDEXED} were indexed",
    label = "number of indexed axes: {INDEXED}, number of axes of the array: {RANK}",
    note = "every index, range and list consumes one axis, a mask consumes as many axes as it has, `newaxis` consumes \
            none, and `...` stands for all remaining axes: remove an item, or use an array with more axes"
)]
pub trait EnoughAxes<const RANK: usize, const INDEXED: usize> {
    /// See [`FitsIn`].
    #[doc(hidden)]
    type Fits;
}

/// A placeholder for an array of static rank in error messages.
pub enum AnArray {}

impl<const RANK: usize, const N: usize> FitsIn<Dim<[Ix; RANK]>> for Axes<N>
where
    AnArray: EnoughAxes<RANK, N>,
{
    type Fits = <AnArray as EnoughAxes<RANK, N>>::Fits;
}

/// Allows a slice to index all axes. Compiler messages quote this implementation.
impl<const RANK: usize> EnoughAxes<RANK, RANK> for AnArray {
    type Fits = ();
}

macro_rules! fewer {
    ($($rank:literal: $($indexed:literal)*;)*) => { $($(
        #[diagnostic::do_not_recommend]
        impl EnoughAxes<$rank, $indexed> for AnArray {
            type Fits = ();
        }
    )*)* };
}

fewer! {
    2: 1;
    3: 1 2;
    4: 1 2 3;
    5: 1 2 3 4;
    6: 1 2 3 4 5;
}
