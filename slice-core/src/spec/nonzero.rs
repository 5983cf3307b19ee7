//! `nonzero`: the positions at which a mask is true.

use alloc::vec;
use alloc::vec::Vec;
use core::iter;

use crate::spec::kind;
use crate::spec::list::{List, ListArray, ListRef, NotPositions};
use crate::spec::nd_list::next_place;

/// The positions at which a mask with `N` axes is true, in C order: a list of positions for each axis. It is an item of a
/// slice, `s![&at]`, which applies to `N` axes and gives one axis, as the mask itself does.
///
/// Created by [`nonzero`].
///
/// # Example
///
/// ```
/// use slice_core::{Nonzero, nonzero};
///
/// let at: Nonzero<2> = nonzero(&[[true, false], [true, true]]);
/// assert_eq!((at.len(), at.is_empty()), (3, false));
/// assert_eq!((at.axis(0), at.axis(1)), (&[0, 1, 1][..], &[0, 0, 1][..]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Nonzero<const N: usize> {
    // INVARIANT: all lists have the same length.
    positions: [Vec<usize>; N],
}

/// Returns the positions at which a mask is true. The mask is a Rust slice, a `Vec`, a nested Rust array or an ndarray array
/// of `bool`, with one to six axes.
///
/// Python equivalent: `np.nonzero(mask)`.
///
/// Unlike the mask, the positions can be used for arrays of other shapes, and need not be found again if they are used
/// several times.
///
/// # Example
///
/// ```
/// use slice_core::{nonzero, s};
///
/// let mask = [[true, false], [false, true], [false, true]];
/// let at = nonzero(&mask);
/// assert_eq!((at.axis(0), at.axis(1)), (&[0, 1, 2][..], &[0, 1, 1][..]));
/// assert_eq!(s![&at].resolve(&[3, 2])?.gather(&[1, 2, 3, 4, 5, 6])?, [1, 4, 6]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[must_use]
pub fn nonzero<M, const N: usize>(mask: &M) -> Nonzero<N>
where
    M: AMask<N> + ?Sized,
{
    let list = mask.borrowed();
    let mut copy = None;
    let mut positions = [const { Vec::new() }; N];
    if let ListRef::Mask(mask) = list.elements().contiguous(&mut copy) {
        append_positions(mask, &list.shape_of(mask.len()), &mut positions);
    }
    Nonzero { positions }
}

/// A mask with `N` axes.
#[diagnostic::on_unimplemented(
    message = "`nonzero` takes a mask of `bool`s with one to six axes, but this is a `{Self}`",
    label = "not a mask",
    note = "compare the elements first: `nonzero(&py!(x != 0))`, or `nonzero(&py!(x != 0.0))` for floats"
)]
pub trait AMask<const N: usize>: List {}

/// Implements [`AMask`] for masks with each number of axes. NumPy's `nonzero` does not accept a mask without axes either.
macro_rules! masks {
    ($($axes:literal)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<M> AMask<$axes> for M where
            M: List<Kind = kind::List<$axes, 1>, Rank = NotPositions<$axes>> + ?Sized
        {
        }
    )* };
}

masks! { 1 2 3 4 5 6 }

/// Appends the positions at which a mask with the shape `shape` is true to `positions`, which has a list for each axis.
pub(crate) fn append_positions(mask: &[bool], shape: &[usize], positions: &mut [Vec<usize>]) {
    let trues = mask.iter().filter(|&&is_true| is_true).count();
    positions
        .iter_mut()
        .for_each(|on_axis| on_axis.reserve_exact(trues));
    // The rows are visited in order, so only the position on the last axis is searched for.
    let (Some((last, before)), Some((&len, sizes))) =
        (positions.split_last_mut(), shape.split_last())
    else {
        return;
    };
    let mut place = vec![0; sizes.len()];
    for row in mask.chunks_exact(len.max(1)) {
        let found = last.len();
        let in_row = row.iter().enumerate().filter(|(_, is_true)| **is_true);
        last.extend(in_row.map(|(position, _)| position));
        let found = last.len() - found;
        for (on_axis, &position) in before.iter_mut().zip(&place) {
            on_axis.extend(iter::repeat_n(position, found));
        }
        next_place(&mut place, sizes);
    }
}

impl<const N: usize> Nonzero<N> {
    /// Returns the number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.first().map_or(0, Vec::len)
    }

    /// Returns `true` if the mask is true nowhere.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the positions on an axis.
    ///
    /// # Panics
    ///
    /// Panics if `axis` is not less than `N`.
    #[must_use]
    #[track_caller]
    pub fn axis(&self, axis: usize) -> &[usize] {
        assert!(
            axis < N,
            "axis {axis} is out of bounds for a mask with {N} axes"
        );
        &self.positions[axis]
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize> List for Nonzero<N> {
    type Kind = kind::List<N, 1>;
    type Rank = NotPositions;

    fn borrowed(&self) -> ListArray<'_> {
        ListArray::one_axis(ListRef::Columns(&self.positions))
    }
}
