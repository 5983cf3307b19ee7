//! Checks that the types of results have the correct rank, for each combination of up to three items of any kind, and
//! for arrays of each static rank.

use ndarray::{
    Array, ArrayD, ArrayView, ArrayView0, ArrayView1, ArrayView4, ArrayView6, ArrayViewD,
    ArrayViewMut, ArrayViewMut1, CowArray, Dimension, Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn,
};
use slice_core::{StridedSliceExt, StridedSliceMove, s};

/// Returns an array with the dimension type `D`, the elements 0, 1, 2, ... and axes of length 2, 3, 2, 3, ...
fn counting_array<D: Dimension>() -> Array<i32, D> {
    let rank = D::NDIM.expect("the rank should be static");
    let shape: Vec<usize> = (0..rank).map(|axis| 2 + axis % 2).collect();
    let len: usize = shape.iter().product();
    let dynamic = ArrayD::from_shape_vec(shape, (0..len as i32).collect())
        .expect("the length should match the shape");
    dynamic
        .into_dimensionality()
        .expect("the rank should match")
}

/// Maps `N` to ndarray's dimension type for `N` axes, which is static for up to 6 axes and dynamic for more.
struct Rank<const N: usize>;

trait HasDimension {
    type Dim: Dimension;
}

macro_rules! dimensions {
    ($($rank:literal $dim:ty;)*) => { $(impl HasDimension for Rank<$rank> { type Dim = $dim; })* };
}

dimensions! { 0 Ix0; 1 Ix1; 2 Ix2; 3 Ix3; 4 Ix4; 5 Ix5; 6 Ix6; 7 IxDyn; 8 IxDyn; 9 IxDyn; }

/// Checks that the typed view and the gathered copy are equal to the untyped view. Returns 1, so that the sum of the
/// results is the number of cases.
fn agree<O: Dimension>(
    typed: ArrayView<'_, i32, O>,
    gathered: Array<i32, O>,
    untyped: ArrayViewD<'_, i32>,
    description: &str,
) -> usize {
    assert_eq!(gathered, typed, "{description}");
    assert_eq!(typed.into_dyn(), untyped, "{description}");
    1
}

/// Checks a slice, and every longer slice formed by appending items to it, within the limits given by the last three
/// arguments. Evaluates to the number of checked slices. The arguments are
/// `rank [change of rank] [items] (axes left) (items left) (ellipsis left)`.
macro_rules! check_all {
    ($rank:literal [$($change:tt)*] [$($items:tt)*] $axes:tt () $ellipsis:tt) => {{
        let array = counting_array::<<Rank<$rank> as HasDimension>::Dim>();
        agree::<<Rank<{ $rank $($change)* }> as HasDimension>::Dim>(
            array.at(s![$($items)*]),
            array.gather(s![$($items)*]),
            array.at(s![$($items)*].to_dyn()),
            concat!("rank ", $rank, ": ", stringify!($($items)*)),
        )
    }};
    ($rank:literal $change:tt $items:tt $axes:tt (item $($left:tt)*) $ellipsis:tt) => {
        check_all!($rank $change $items $axes () $ellipsis)
            + consuming!($rank $change $items $axes ($($left)*) $ellipsis)
            + newaxis!($rank $change $items $axes ($($left)*) $ellipsis)
            + ellipsis!($rank $change $items $axes ($($left)*) $ellipsis)
    };
}

/// If an axis is left, appends an item that consumes the axis: in one expansion a range, and in the other an index.
macro_rules! consuming {
    ($rank:literal $change:tt $items:tt () $left:tt $ellipsis:tt) => { 0 };
    ($rank:literal [$($change:tt)*] [$($items:tt)*] (axis $($axes:tt)*) $left:tt $ellipsis:tt) => {
        check_all!($rank [$($change)*] [$($items)* ::-1,] ($($axes)*) $left $ellipsis)
            + check_all!($rank [$($change)* - 1] [$($items)* -1,] ($($axes)*) $left $ellipsis)
    };
}

/// Appends a new axis to the items. Its `+ 1` is placed before the other changes of rank, so that no partial sum is
/// negative.
macro_rules! newaxis {
    ($rank:literal [$($change:tt)*] [$($items:tt)*] $axes:tt $left:tt $ellipsis:tt) => {
        check_all!($rank [+ 1 $($change)*] [$($items)* newaxis,] $axes $left $ellipsis)
    };
}

/// Appends an ellipsis to the items, if there is none yet.
macro_rules! ellipsis {
    ($rank:literal $change:tt $items:tt $axes:tt $left:tt ()) => { 0 };
    ($rank:literal $change:tt [$($items:tt)*] $axes:tt $left:tt (ellipsis)) => {
        check_all!($rank $change [$($items)* ...,] $axes $left ())
    };
}

#[test]
fn slices_with_up_to_three_items_have_the_correct_rank_on_arrays_of_ranks_0_to_2() {
    assert_eq!(check_all!(0 [] [] () (item item item) (ellipsis)), 10);
    assert_eq!(check_all!(1 [] [] (axis) (item item item) (ellipsis)), 38);
    assert_eq!(
        check_all!(2 [] [] (axis axis) (item item item) (ellipsis)),
        66
    );
}

#[test]
fn slices_with_up_to_three_items_have_the_correct_rank_on_arrays_of_rank_3() {
    assert_eq!(
        check_all!(3 [] [] (axis axis axis) (item item item) (ellipsis)),
        74
    );
}

#[test]
fn slices_with_up_to_three_items_have_the_correct_rank_on_arrays_of_rank_4() {
    assert_eq!(
        check_all!(4 [] [] (axis axis axis) (item item item) (ellipsis)),
        74
    );
}

#[test]
fn slices_with_up_to_three_items_have_the_correct_rank_on_arrays_of_rank_5() {
    assert_eq!(
        check_all!(5 [] [] (axis axis axis) (item item item) (ellipsis)),
        74
    );
}

#[test]
fn slices_with_up_to_three_items_have_the_correct_rank_on_arrays_of_rank_6() {
    assert_eq!(
        check_all!(6 [] [] (axis axis axis) (item item item) (ellipsis)),
        74
    );
}

#[test]
fn slices_with_six_or_more_items_have_the_correct_rank_on_arrays_of_rank_6() {
    let a = counting_array::<Ix6>();
    let view: ArrayView0<'_, i32> = a.at(s![0, 0, 0, 0, 0, 1]);
    assert_eq!(view.into_scalar(), &1);
    let view: ArrayView6<'_, i32> = a.at(s![:, ::-1, 1:, :1, :, ::2]);
    assert_eq!(view.shape(), [2, 3, 1, 1, 2, 2]);
    // The three new axes alone would result in rank 9, for which ndarray has no static dimension. The three indices
    // reduce the rank to 6, and only this final rank must be static.
    let view: ArrayView6<'_, i32> = a.at(s![newaxis, newaxis, newaxis, 0, 0, 0, ...]);
    assert_eq!(view.shape(), [1, 1, 1, 3, 2, 3]);
}

#[test]
fn every_type_of_array_and_view_can_be_sliced() {
    let mut owned: Array<i32, Ix2> = counting_array();
    let expected = owned.at(s![1, ::-1]).to_vec();
    let cow: CowArray<'_, i32, Ix2> = owned.view().into();
    assert_eq!(cow.at(s![1, ::-1]).to_vec(), expected);
    let mut shared = owned.to_shared();
    let second_owner = shared.clone();
    shared.at_mut(s![1, ::-1]).fill(-1);
    assert_eq!(
        second_owner, owned,
        "an assignment to one owner of a shared array must not change the other owner"
    );
    let mut cow: CowArray<'_, i32, Ix2> = owned.view().into();
    cow.at_mut(s![0]).fill(-1);
    assert!(cow.is_owned());
    let mut view: ArrayViewMut<'_, i32, Ix2> = owned.view_mut();
    view.at_mut(s![0, 1:]).fill(7);
    let moved_view: ArrayViewMut1<'_, i32> = view.at_move(s![0]);
    assert_eq!(moved_view.to_vec(), [0, 7, 7]);
}

#[test]
fn a_view_sliced_by_value_outlives_the_original_view() {
    fn tail(rows: ArrayView<'_, i32, Ix2>) -> ArrayView1<'_, i32> {
        rows.at_move(s![-1, ::2])
    }
    let array: Array<i32, Ix2> = counting_array();
    let tail = {
        let short_lived = array.view();
        tail(short_lived)
    };
    assert_eq!(tail.to_vec(), [3, 5]);
    assert!(array.view().try_at_move(s![5]).is_err());
}

#[test]
fn reversed_transposed_and_broadcast_arrays_can_be_sliced() {
    let base: Array<i32, Ix2> = counting_array();
    let reversed = base.at(s![::-1, ::-1]);
    assert_eq!(reversed.at(s![::-1, ::-1]), base);
    assert_eq!(reversed.at(s![0, 1:]).to_vec(), [4, 3]);
    assert_eq!(base.t().at(s![::-2, 1]).to_vec(), [5, 3]);
    let row = base.at(s![:1]);
    let broadcast = row
        .broadcast((4, 3))
        .expect("an axis of length 1 should be broadcastable");
    assert_eq!(broadcast.at(s![::-1, ::-1]).at(s![3]).to_vec(), [2, 1, 0]);
}

#[test]
fn a_spec_can_be_passed_by_reference_and_reused() {
    let spec = s![..., ::-1];
    let (a, b): (Array<i32, Ix1>, Array<i32, Ix3>) = (counting_array(), counting_array());
    assert_eq!(a.at(spec).to_vec(), [1, 0]);
    assert_eq!(a.at(&spec), a.at(spec));
    let view: ArrayView<'_, i32, Ix3> = b.at(spec);
    assert_eq!(view.shape(), [2, 3, 2]);
}

#[test]
fn arrays_of_zero_sized_elements_can_be_sliced() {
    let a = Array::from_elem((usize::MAX / 4, 2), ());
    let view: ArrayView4<'_, ()> = a.at(s![newaxis, ::-1, ::-1, newaxis]);
    assert_eq!(view.shape(), [1, usize::MAX / 4, 2, 1]);
}
