//! Checks slices with lists and masks in `s![]`, applied to ndarray arrays, for all types of lists and all memory
//! layouts. The results for arrays are compared with those for flat buffers. Also checks the types and lifetimes of
//! these slices.

use std::borrow::Cow;

use ndarray::{
    Array1, Array2, Array3, ArrayView1, ArrayView2, Axis, IxDyn, ShapeBuilder, array, s as nd,
};
use slice_core::{
    DynSliceSpec, Item, ListSpec, SelectFor, Selection, SliceError, SliceFor, StridedSliceExt,
    StridedSliceMove, kind, named, s,
};

type ListListRange = (kind::List, (kind::List, (kind::Range, ())));

fn table() -> Array2<i32> {
    Array2::from_shape_fn((3, 4), |(i, j)| 10 * i as i32 + j as i32)
}

#[test]
fn a_list_keeps_its_axis() {
    let a = Array3::from_shape_fn((4, 5, 6), |(i, j, k)| 100 * i + 10 * j + k);
    let rows = vec![3_u8, 0];
    let b: Array3<usize> = a.gather(s![&rows, ..., [0, -1, 0]]);
    assert_eq!(b.shape(), [2, 5, 3]);
    assert_eq!(b[[0, 4, 1]], 345);
    let b: Array2<usize> = a.gather(s![&rows, 1, [0, -1, 0]]);
    assert_eq!(b, array![[310, 315, 310], [10, 15, 10]]);
    let b: Array3<usize> = a.gather(s![&rows, newaxis, 1, ::4]);
    assert_eq!(b, array![[[310, 314]], [[10, 14]]]);
    let b: Array2<usize> = a.gather(s![1, [true, false, false, false, true]]);
    assert_eq!(b.column(5), array![105, 145]);
}

#[test]
fn every_container_of_positions_can_be_a_list() {
    let a = table();
    let expected = array![[20, 21, 22, 23], [0, 1, 2, 3]];
    macro_rules! each {
        ($($int:ty)*) => { $(
            let rows = [2 as $int, 0];
            assert_eq!(a.gather(s![&rows, :]), expected);
            assert_eq!(a.gather(s![&rows[..], :]), expected);
            assert_eq!(a.gather(s![&rows.to_vec()]), expected);
            assert_eq!(a.gather(s![&Array1::from(rows.to_vec())]), expected);
            assert_eq!(a.gather(s![&ArrayView1::from(&rows)]), expected);
            let spread = array![2 as $int, 9, 0, 9];
            assert_eq!(a.gather(s![&spread.slice(nd![..;2])]), expected);
            let backwards = array![0 as $int, 2];
            assert_eq!(a.gather(s![&backwards.slice(nd![..;-1])]), expected);
        )* };
    }
    each! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
    let mask = [true, false, true];
    let expected = array![[0, 1], [20, 21]];
    assert_eq!(a.gather(s![&mask, :2]), expected);
    assert_eq!(a.gather(s![&mask.to_vec(), :2]), expected);
    assert_eq!(a.gather(s![&array![true, false, true], :2]), expected);
    let spread = array![true, true, false, true, true, true];
    assert_eq!(a.gather(s![&spread.slice(nd![..;2]), :2]), expected);
    assert_eq!(a.gather(s![[true, false, true], :2]), expected);
    let mut rows: &mut [usize] = &mut [0, 2];
    assert_eq!(a.gather(s![&rows, :2]), expected);
    assert_eq!(a.gather(s![&mut rows, :2]), expected);
    assert_eq!(a.gather(s![&*rows, :2]), expected);
    assert_eq!(a.gather(s![(&rows), :2]), expected);
    let empty: [usize; 0] = [];
    assert_eq!(a.gather(s![&empty, :2]).shape(), [0, 2]);
    assert_eq!(a.gather(s![[], :2]).shape(), [0, 2]);
    assert_eq!(a.gather(s![&[], :2]).shape(), [0, 2]);
    assert_eq!(a.gather(s![&[0; 3], 0]), array![0, 0, 0]);
}

/// A `DynSliceSpec` stores the nearest `i64` to each position. A borrowed list keeps the positions, and the error shows
/// at most `i128::MAX`.
#[test]
fn errors_show_extreme_positions_or_the_nearest_integer() {
    for (list, index) in [
        (s![&[u64::MAX]].to_dyn(), i128::from(i64::MAX)),
        (s![&[i64::MIN]].to_dyn(), i128::from(i64::MIN)),
    ] {
        let error = list.resolve(&[4]).unwrap_err();
        let (item, place, axis, size) = (0, 0, 0, 4);
        assert_eq!(
            error,
            SliceError::ListIndexOutOfBounds {
                item,
                place,
                axis,
                index,
                size
            }
        );
    }
    let error = s![0, &[1, u128::MAX][..]].resolve(&[4, 4]).unwrap_err();
    assert!(
        error.to_string().starts_with(
            "index 170141183460469231731687303715884105727 is out of bounds for axis 1"
        )
    );
    let error = s![&[0, usize::MAX][..]].resolve(&[4]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "index 18446744073709551615 is out of bounds for axis 0 with size 4 (item 1 of the slice, entry 2 of its list)"
    );
}

#[test]
fn extreme_positions_of_every_integer_type_resolve_or_are_out_of_bounds() {
    macro_rules! each {
        ($($int:ty)*) => { $(
            let extremes = [<$int>::MIN, <$int>::MIN + 1, 0, 1, <$int>::MAX - 1, <$int>::MAX];
            for power in [0, 1, 7, 8, 15, 16, 31, 32].map(|bits| 1_usize.checked_shl(bits)) {
                let power = power.unwrap_or(2);
                for size in [power - 1, power, power + 1] {
                    for number in extremes {
                        let index = i128::try_from(number).unwrap_or(i128::MAX);
                        let wrapped = if index < 0 { index + size as i128 } else { index };
                        let position = usize::try_from(wrapped).ok().filter(|&k| k < size);
                        let resolved = s![&[number][..]].resolve(&[size]).map(|selection| selection.axis(0).iter().collect::<Vec<_>>());
                        let error = SliceError::ListIndexOutOfBounds {
                            item: 0,
                            place: 0,
                            axis: 0,
                            index,
                            size,
                        };
                        assert_eq!(resolved, position.map(|k| vec![k]).ok_or(error));
                    }
                }
            }
        )* };
    }
    each! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
}

#[test]
fn expressions_are_evaluated_once_and_in_order() {
    let mut evaluated = Vec::new();
    let mut next = |n: i64| {
        evaluated.push(n);
        n
    };
    let a = Array3::from_shape_fn((4, 5, 6), |(i, j, k)| 100 * i + 10 * j + k);
    let b = a.gather(s![next(0):next(2), [next(3), next(-1), 0], next(4)]);
    assert_eq!(b, array![[34, 44, 4], [134, 144, 104]]);
    assert_eq!(evaluated, [0, 2, 3, -1, 4]);
}

#[test]
fn a_spec_in_a_variable_borrows_its_lists() {
    let (n, rows) = (2, vec![1]);
    let spec = s![[n, n - 1, -n], &rows, n:];
    let spec_copy = spec;
    let a = Array3::from_shape_fn((4, 5, 6), |(i, j, k)| 100 * i + 10 * j + k);
    assert_eq!(a.gather(spec), a.gather(spec_copy));
    assert_eq!(spec, spec_copy);
    let _: ListSpec<'_, 3, ListListRange> = spec;
    assert_eq!(spec.to_string(), "[2, 1, -2], [1], 2:");
    assert_eq!(format!("{:?}", spec.erase()), "s![[2, 1, -2], [1], 2:]");
    let erased = a.gather(spec.erase());
    assert_eq!(erased.ndim(), 3);
}

named! {
    const CORNERS = s![[0, -1], [0, -1]];
    static KEEP = s![[true, false, true], ...];
}

#[test]
fn slices_with_lists_work_in_constants() {
    const SHAPE: [usize; 2] = CORNERS.output_shape([480, 640]);
    const CORNER_ELEMENTS: [u8; 4] = CORNERS.gather_array(&[0, 1, 2, 3, 4, 5], [2, 3]);
    const NONE: [u8; 0] = s![[], 0].gather_array(&[1, 2], [2, 1]);
    const MASKED: [u8; 4] = s![[false, true, true], ::-1].gather_array(&[0, 1, 2, 3, 4, 5], [3, 2]);
    assert_eq!(
        (SHAPE, CORNER_ELEMENTS, NONE, MASKED),
        ([2, 2], [0, 2, 3, 5], [], [3, 2, 5, 4])
    );
    assert_eq!(table().gather(CORNERS), array![[0, 3], [20, 23]]);
    assert_eq!(table().gather(KEEP).shape(), [2, 4]);
    const TWICE: [usize; 4] = s![..., [1, 1, 0], newaxis, 0:1].output_shape([7, 2, 1]);
    assert_eq!(TWICE, [7, 3, 1, 1]);
    let rows = [1_u16, 0];
    let run_time_shape: [usize; 2] = s![&rows, 1:].output_shape([4, 5]);
    assert_eq!(run_time_shape, [2, 4]);
}

/// Calls `check` with views of the same elements in different memory layouts: C order, Fortran order, reversed, and
/// with gaps.
fn for_each_layout<T: Clone>(a: &Array2<T>, mut check: impl FnMut(ArrayView2<'_, T>, &str)) {
    check(a.view(), "C");
    let mut fortran =
        Array2::from_shape_simple_fn((a.nrows(), a.ncols()).f(), || a[[0, 0]].clone());
    fortran.assign(a);
    check(fortran.view(), "Fortran");
    let mut reversed = a.slice(nd![..;-1, ..;-1]).to_owned();
    reversed.invert_axis(Axis(0));
    reversed.invert_axis(Axis(1));
    check(reversed.view(), "reversed");
    let mut gaps = Array2::from_elem((2 * a.nrows() + 1, 3 * a.ncols()), a[[0, 0]].clone());
    gaps.slice_mut(nd![1..;2, ..;3]).assign(a);
    check(gaps.slice(nd![1..;2, ..;3]), "gaps");
    let row = Array2::from_shape_fn((1, a.ncols()), |(_, j)| a[[0, j]].clone());
    if a.nrows() == 1 {
        check(row.view(), "row");
    }
}

fn specs() -> Vec<DynSliceSpec> {
    [
        "[0, 2, 0, -1]",
        ":, [1, 1, 3]",
        "[2, 0], [3, 0, 1]",
        "[0, 2], 1",
        "1, [3, 0]",
        "None, [1], ::-2",
        "::-1, [0, 1, 2, 3, 0]",
        "[True, False, True], [0, 3]",
        "[], :",
        ":, []",
        "[0, 1, 2]",
        "[1, 1, 1, 1]",
        ":, None, [2, 3, 0]",
    ]
    .map(|text| text.parse().unwrap())
    .into()
}

#[test]
fn slices_with_lists_are_gathered_from_every_memory_layout() {
    fn check<T: Clone + PartialEq + std::fmt::Debug>(a: &Array2<T>) {
        for spec in specs() {
            let flat: Vec<T> = a.iter().cloned().collect();
            let selection = spec.resolve(&[3, 4]).unwrap();
            let expected = selection.gather_cloned(&flat).unwrap();
            for_each_layout(a, |view, layout| {
                let copy = view.gather(&spec);
                assert_eq!(copy.shape(), selection.output_shape(), "{spec} {layout}");
                assert!(copy.iter().eq(expected.iter()), "{spec} {layout}: {copy:?}");
                assert_eq!(view.gather(&selection), copy);
                let shape = IxDyn(copy.shape());
                let mut out =
                    ndarray::ArrayD::from_shape_simple_fn(shape.clone(), || a[[0, 0]].clone());
                view.gather_into(&spec, &mut out);
                assert_eq!(out, copy, "{spec} {layout}");
                let mut out =
                    ndarray::ArrayD::from_shape_simple_fn(shape.f(), || a[[0, 0]].clone());
                view.gather_into(&spec, &mut out);
                assert_eq!(out, copy, "{spec} {layout}");
            });
        }
    }
    check(&table());
    check(&table().mapv(|x| x.to_string()));
    check(&table().mapv(|x| (x as u8, f64::from(x))));
    check(&table().mapv(|x| Cow::<str>::Owned(x.to_string())));
}

#[test]
fn slices_with_lists_can_be_assigned_to_in_every_memory_layout() {
    fn check<T: Clone + PartialEq + std::fmt::Debug>(make: impl Fn(i32) -> T) {
        let a = table().mapv(&make);
        for spec in specs() {
            let selection = spec.resolve(&[3, 4]).unwrap();
            let shape = selection.output_shape();
            let mut count = 100;
            let values = ndarray::ArrayD::from_shape_simple_fn(IxDyn(shape), || {
                count += 1;
                make(count)
            });
            let mut expected: Vec<T> = a.iter().cloned().collect();
            let dense: Vec<T> = values.iter().cloned().collect();
            selection.scatter_cloned(&dense, &mut expected).unwrap();
            let mut filled: Vec<T> = a.iter().cloned().collect();
            selection.fill(make(7), &mut filled).unwrap();
            for_each_layout(&a, |view, layout| {
                // `target` is a mutable view, in this layout, of `buffer` or of a part of it.
                let mut buffer = Array2::from_elem((7, 12), make(-1));
                let mut target = match layout {
                    "gaps" => {
                        buffer.slice_mut(nd![1..;2, ..;3]).assign(&view);
                        buffer.slice_mut(nd![1..;2, ..;3])
                    }
                    "Fortran" => {
                        buffer = Array2::from_elem((3, 4).f(), make(-1));
                        buffer.assign(&view);
                        buffer.view_mut()
                    }
                    _ => {
                        buffer = view.to_owned();
                        buffer.view_mut()
                    }
                };
                target.set(&spec, &values);
                assert!(
                    target.iter().eq(expected.iter()),
                    "{spec} {layout}: {target:?}"
                );
                target.assign(&a);
                let mut backwards = values.clone();
                for axis in 0..backwards.ndim() {
                    backwards.invert_axis(Axis(axis));
                }
                let mut backwards = backwards.as_standard_layout().into_owned();
                for axis in 0..backwards.ndim() {
                    backwards.invert_axis(Axis(axis));
                }
                target.set(&selection, &backwards);
                assert!(
                    target.iter().eq(expected.iter()),
                    "{spec} {layout}: {target:?}"
                );
                target.assign(&a);
                target.fill_at(&spec, make(7));
                assert!(
                    target.iter().eq(filled.iter()),
                    "{spec} {layout}: {target:?}"
                );
                if layout == "gaps" {
                    let between = buffer
                        .indexed_iter()
                        .filter(|((i, j), _)| i % 2 == 0 || j % 3 != 0);
                    assert!(
                        between.into_iter().all(|(_, x)| *x == make(-1)),
                        "{spec} wrote to a gap between elements"
                    );
                }
            });
        }
    }
    check(|x| x);
    check(|x| x.to_string());
    check(|x| (x as u8, f64::from(x)));
}

#[test]
fn values_broadcast_and_the_last_value_for_an_element_remains() {
    let mut a = table();
    a.set(s![[0, 2], [0, 1, 0]], [[1, 2, 3], [4, 5, 6]]);
    assert_eq!(a, array![[3, 2, 2, 3], [10, 11, 12, 13], [6, 5, 22, 23]]);
    a.set(s![:, [1, 2]], [[7], [8], [9]]);
    assert_eq!(a.column(2), array![7, 8, 9]);
    a.set(s![[1, 1]], [0, 1, 2, 3]);
    assert_eq!(a.row(1), array![0, 1, 2, 3]);
    a.set(s![[true, false, false], 1:], 5);
    assert_eq!(a.row(0), array![3, 5, 5, 5]);
    let before = a.clone();
    let error = a.try_set(s![[0, 2]], [1, 2, 3]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "shape mismatch: value array of shape (3,) could not be broadcast to indexing result of shape (2,4); axis 1 of the \
         slice has size 4, so the value may have size 1 or 4 there, not 3"
    );
    assert!(a.try_set(s![[0, 3]], 1).is_err());
    assert!(a.try_fill_at(s![:, [0, 4]], 1).is_err());
    assert_eq!(a, before);
    let mut v = vec![1, 2, 3, 4];
    v.set(s![[3, 0]], [9, 8]);
    assert_eq!(v, [8, 2, 3, 9]);
    assert_eq!([1, 2, 3].gather(s![[2, 0]]), array![3, 1]);
    v[..2].fill_at(s![&[false, true]], 0);
    assert_eq!(v, [8, 0, 3, 9]);
}

#[test]
fn mismatched_shapes_are_errors() {
    let a = table();
    let error = a.try_gather(s![[true, false]]).unwrap_err();
    assert!(error.to_string().starts_with(
        "boolean index did not match indexed array along axis 0; size of axis is 3 but size of corresponding boolean axis is 2"
    ));
    let selection = s![[0, 0]].resolve(&[3, 5]).unwrap();
    let error = a.try_gather(&selection).unwrap_err();
    let (expected, actual) = (Box::from([3, 5]), Box::from([3, 4]));
    assert_eq!(error, SliceError::ShapeMismatch { expected, actual });
    let mut out = Array2::zeros((2, 3));
    let error = a.try_gather_into(s![[0, 2]], &mut out).unwrap_err();
    assert!(matches!(error, SliceError::ShapeMismatch { .. }));
}

#[test]
#[should_panic(
    expected = "index 3 is out of bounds for axis 0 with size 3 (item 1 of the slice, entry 1 of its list)"
)]
fn gather_panics_with_numpys_message() {
    table().gather(s![[3]]);
}

/// Gathers a slice, with or without lists, whose result has one axis.
fn gather_one_axis<S: SelectFor<ndarray::Ix2, OutDim = ndarray::Ix1>>(
    a: &Array2<i32>,
    slice: S,
) -> Array1<i32> {
    a.gather(slice)
}

fn shape_and_sum<S: SliceFor<ndarray::Ix2>>(a: &Array2<i32>, slice: S) -> (Vec<usize>, i32) {
    let gathered = a.gather(&slice);
    let sum = a.at(slice).sum();
    (gathered.shape().to_vec(), sum)
}

#[test]
fn generic_functions_accept_slices_with_lists() {
    assert_eq!(gather_one_axis(&table(), s![0, ::2]), array![0, 2]);
    assert_eq!(gather_one_axis(&table(), s![0, [3, 1]]), array![3, 1]);
    assert_eq!(shape_and_sum(&table(), s![1:, 0]), (vec![2], 30));
    let outer: Selection = s![0].resolve(&[3, 4]).unwrap();
    assert_eq!(table().gather(outer).shape(), [4]);
}

#[test]
fn zero_sized_elements_are_gathered() {
    let a = Array2::from_elem((3, 4), ());
    assert_eq!(a.gather(s![[0, 0, 2], [1]]).shape(), [3, 1]);
    let mut a = a;
    a.set(s![[0, 0]], ());
}

#[test]
fn broadcast_views_are_gathered() {
    let row = array![1, 2, 3];
    let a = row.broadcast((4, 3)).unwrap();
    assert_eq!(a.gather(s![[0, 3], [2, 0]]), array![[3, 1], [3, 1]]);
}

/// A view of a parsed slice with lists is refused at run time, by an error that names `gather`.
#[test]
fn views_of_dynamic_slices_with_lists_are_refused() {
    for spec in specs() {
        let mut a = table();
        let selection = spec.resolve(&[3, 4]).unwrap();
        let errors = [
            a.try_at(&spec).unwrap_err(),
            a.try_at_mut(&spec).unwrap_err(),
            a.try_at_disjoint_mut([&spec]).unwrap_err(),
            a.view().try_at_move(&spec).unwrap_err(),
            a.clone().try_at_move(&spec).unwrap_err(),
        ];
        for error in errors {
            assert_eq!(error, SliceError::NotStrided, "{spec}");
            assert!(error.to_string().contains("`gather`"), "{error}");
        }
        let panic = std::panic::catch_unwind(|| table().at(&spec).len()).unwrap_err();
        let message = panic.downcast::<String>().unwrap();
        assert!(message.contains("`gather`"), "{message}");
        // Every method that copies or writes takes the slice.
        let copy = a.gather(&spec);
        assert_eq!(copy, a.gather(&selection));
        let expected: Vec<i32> = selection.gather(a.as_slice().unwrap()).unwrap();
        assert!(copy.iter().eq(&expected), "{spec}");
        a.set(&spec, &copy);
        assert_eq!(a, table(), "{spec}");
        a.fill_at(&spec, -1);
        assert!(a.gather(&spec).iter().all(|&x| x == -1), "{spec}");
    }
}

/// The numbers of a slice have `:` in place of a list, and `has_lists` tells that they do not describe the slice.
#[test]
fn numbers_have_a_whole_axis_in_place_of_a_list() {
    let spec = s![1:3, [0, 2], ..., [true, false], None, -1].to_dyn();
    let numbers = s![1:3, :, ..., :, None, -1].to_dyn();
    assert!(spec.has_lists() && !numbers.has_lists());
    assert_eq!(spec.begin(), numbers.begin());
    assert_eq!(spec.end(), numbers.end());
    assert_eq!(spec.strides(), numbers.strides());
    assert_eq!(spec.masks(), numbers.masks());
    assert_ne!(spec, numbers);
    let again = DynSliceSpec::from_items(spec.items()).unwrap();
    assert_eq!(again, spec);
    assert_eq!(spec.to_string().parse(), Ok(spec.clone()));
    let mut pushed = s![1:3].to_dyn();
    spec.items()
        .skip(1)
        .for_each(|item| pushed.push(item).unwrap());
    assert_eq!(pushed, spec);
}

/// A slice is read from text, from its items, and from its numbers and masks.
#[cfg(feature = "serde")]
#[test]
fn every_json_form_is_read() {
    for (json, expected) in [
        (r#""[0, 2], ::-1""#, s![[0, 2], ::-1].to_dyn()),
        (r#"["ellipsis", {"index": -1}]"#, s![..., -1].to_dyn()),
        (
            r#"[{"points": [{"shape": [2], "elements": [0, 2]}, {"shape": [1], "elements": [1]}]}, {"range": {"begin": 0, "end": 4, "step": 1}}]"#,
            s![zip([0, 2], [1]), 0:4:1].to_dyn(),
        ),
        (
            r#"[{"list": {"shape": [1, 1], "elements": [0]}}]"#,
            s![[[0]]].to_dyn(),
        ),
        (
            r#"{"begin": [0, 0], "end": [0, 0], "strides": [1, -1], "begin_mask": 3, "end_mask": 3}"#,
            s![:, ::-1].to_dyn(),
        ),
    ] {
        let spec: DynSliceSpec = serde_json::from_str(json).unwrap();
        assert_eq!(spec, expected, "{json}");
    }
    for (json, reason) in [
        ("{}", "missing field `begin`"),
        (r#"{"begin": [], "end": []}"#, "missing field `strides`"),
        (
            r#"{"begin": [], "end": [], "strides": [], "masks": 1}"#,
            "unknown field `masks`",
        ),
        (
            r#"{"begin": [0], "end": [], "strides": []}"#,
            "must have the same length",
        ),
        (r#"["ellipsis", "ellipsis"]"#, "single ellipsis"),
        ("1", "a slice as Python text, a sequence of items, or a map"),
    ] {
        let error = serde_json::from_str::<DynSliceSpec>(json).unwrap_err();
        assert!(error.to_string().contains(reason), "{json}: {error}");
    }
    // The text of a step of 0 could not be read back, so the slice is written as its items.
    let zero = Item::Range {
        begin: None,
        end: Some(4),
        step: 0,
    };
    let items = [
        zero,
        Item::List(vec![0, 2].into()),
        Item::Mask(vec![true].into()),
        Item::Ellipsis,
    ];
    let spec = DynSliceSpec::from_items(items).unwrap();
    let json = serde_json::to_value(&spec).unwrap();
    assert!(json.is_array());
    assert_eq!(serde_json::from_value::<DynSliceSpec>(json).unwrap(), spec);
}
