//! Masks with several axes, points, and lists with several axes.

use ndarray::{Array1, Array2, Array3, ArrayD, Axis, IxDyn, arr0, array};
use slice_core::bound::List;
use slice_core::expansion::{ListArray, ListRef};
use slice_core::{
    AxisPositions, AxisRange, DynSliceSpec, Item, ListedAxes, NdList, OutputAxis, ResolvedStep,
    Selection, SliceError, StridedSliceExt, nonzero, s,
};

#[test]
fn masks_of_any_rank_select_one_axis() {
    let x = Array3::from_shape_fn((2, 3, 4), |(i, j, k)| 100 * i + 10 * j + k);
    let mask = x.mapv(|v| v % 3 == 0);
    let selected: Array1<usize> = x.gather(s![&mask]);
    assert_eq!(
        selected,
        x.iter()
            .copied()
            .filter(|v| v % 3 == 0)
            .collect::<Array1<_>>()
    );
    let rows = array![[true, false, true], [false, false, true]];
    let selected: Array2<usize> = x.gather(s![&rows, ::2]);
    assert_eq!(selected, array![[0, 2], [20, 22], [120, 122]]);
    let selected: Array2<usize> = x.gather(s![
        1,
        [
            [true, false, true, false],
            [false, false, false, false],
            [false, true, true, true]
        ],
        newaxis
    ]);
    assert_eq!(selected, array![[100], [102], [121], [122], [123]]);
    let every = arr0(true);
    let none: Array1<usize> = x.gather(s![&every, 0, 0, 0]);
    assert_eq!(none, array![0]);
}

#[test]
fn points_and_tables() {
    let x = Array3::from_shape_fn((2, 3, 4), |(i, j, k)| 100 * i + 10 * j + k);
    let (rows, columns) = (vec![0, -1], [2_u8, 1]);
    let points: Array2<usize> = x.gather(s![zip(&rows, &columns), 1:3]);
    assert_eq!(points, array![[21, 22], [111, 112]]);
    let spec = s![zip([[0], [1]], &columns), -1];
    let grid: Array2<usize> = x.gather(spec);
    assert_eq!(grid, array![[23, 13], [123, 113]]);
    let table = array![[0, 2], [1, 1]];
    let palette: Array2<usize> = x.gather(s![0, &table, 3]);
    assert_eq!(palette, array![[3, 23], [13, 13]]);
    let literal: Array3<usize> = x.gather(s![..., 0, [[0, 2], [1, 1]]]);
    assert_eq!(literal, array![[[0, 2], [1, 1]], [[100, 102], [101, 101]]]);
    let f = x.t().to_owned();
    let permuted = f.t();
    assert_eq!(permuted.gather(s![zip(&rows, &columns), 1:3]), points);
    let mut y = x.clone();
    y.fill_at(s![zip(&rows, &columns)], 0);
    y.set(s![zip([0, 0], [0, 0]), 0], array![7, 8]);
    assert_eq!((y[[0, 2, 3]], y[[1, 1, 0]], y[[0, 0, 0]]), (0, 0, 8));
    let n = 2;
    let computed = s![zip([0, n], [0, 3 - n]), 0];
    let _ = computed.len();
}

#[test]
fn positions_of_a_mask_are_an_item() {
    let mask = array![[true, false], [false, true], [true, true]];
    let at = nonzero(&mask);
    let x = array![[1, 2, 3], [4, 5, 6], [7, 8, 9]];
    assert_eq!(x.gather(s![&at]), array![1, 5, 7, 8]);
    let (rows, columns) = (at.axis(0), at.axis(1));
    assert_eq!(x.gather(s![zip(&rows, &columns)]), array![1, 5, 7, 8]);
    assert_eq!(nonzero(&[true, false, true]).axis(0), [0, 2]);
}

#[test]
fn parentheses_call_a_function_named_zip() {
    fn zip(a: i32, b: i32) -> i32 {
        a + b
    }
    assert_eq!(s![(zip(1, 2))].begin(), &[3]);
}

#[test]
fn errors_have_the_words_of_numpy() {
    let error = |text: &str, shape: &[usize]| {
        let spec: DynSliceSpec = text.parse().unwrap();
        spec.resolve(shape).unwrap_err().to_string()
    };
    let message = error("[[True, False, True], [True, False, True]]", &[2, 4]);
    assert!(message.starts_with(
        "boolean index did not match indexed array along axis 1; size of axis is 4 but size of corresponding boolean axis is 3"
    ), "{message}");
    let message = error("zip([0, 1], [0, 1, 2])", &[2, 4]);
    assert!(
        message.starts_with(
            "shape mismatch: indexing arrays could not be broadcast together with shapes (2,) (3,)"
        ),
        "{message}"
    );
    let message = error("0, zip([0, 1], [0, 9])", &[2, 4, 4]);
    assert!(
        message.starts_with("index 9 is out of bounds for axis 2 with size 4"),
        "{message}"
    );
    let message = error("[[True]], 0", &[1, 1]);
    assert!(
        message
            .starts_with("too many indices for array: array is 2-dimensional, but 3 were indexed"),
        "{message}"
    );
    assert!(matches!(
        DynSliceSpec::from_items([Item::Points(Vec::new())]),
        Err(SliceError::EmptyPoints { item: 0 })
    ));
}

#[test]
fn texts_are_parsed_back() {
    for (text, canonical) in [
        ("zip([0, 2], [1, 1]), 2:", "zip([0, 2], [1, 1]), 2:"),
        ("[[0, 2], [1, 1]]", "[[0, 2], [1, 1]]"),
        (
            "[[True, False], [False, True]]",
            "[[True, False], [False, True]]",
        ),
        (
            "x[zip([[0], [1]], [1, 1]), None]",
            "zip([[0], [1]], [1, 1]), None",
        ),
        ("zip(0, [1, 2])", "zip(0, [1, 2])"),
        ("zip([[0, 2]])", "[[0, 2]]"),
        ("[[]]", "[[]]"),
        ("np.zeros((0, 2), int)", "np.zeros((0, 2, ), int)"),
        ("np.zeros((0, 2), bool), 1", "np.zeros((0, 2, ), bool), 1"),
        ("np.array([[], []], bool)", "np.array([[], []], bool)"),
        ("np.array(True)", "np.array(True)"),
        ("np.array([[[0]]])", "[[[0]]]"),
    ] {
        let spec: DynSliceSpec = text.parse().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(spec.to_string(), canonical);
        assert_eq!(canonical.parse(), Ok(spec.clone()));
        #[cfg(feature = "serde")]
        {
            let json = serde_json::to_string(&spec).unwrap();
            assert_eq!(serde_json::from_str::<DynSliceSpec>(&json).unwrap(), spec);
        }
    }
}

#[test]
fn selections_with_joined_axes_are_composed() {
    let x: Vec<usize> = (0..120).collect();
    let specs = [
        "zip([0, 2, 2], [1, 1, 0])",
        "[[True, False, True], [False, True, True]]",
        "[[0, 1], [1, 1]]",
        "1",
        "::-1",
        "None, 1",
        "..., 0",
        "[2, 0, 1]",
        "[[1, 0]], zip([0, 1], [1, 0])",
        ":, [[0, 1]], None",
        "..., zip([[0], [1]], [0, 1])",
        "None, ..., None, 0",
        "np.array(True)",
        "zip(0, 1)",
    ];
    let mut composed = 0;
    for first in specs {
        let Ok(first) = first
            .parse::<DynSliceSpec>()
            .unwrap()
            .resolve(&[4, 3, 2, 5])
        else {
            continue;
        };
        for second in specs {
            let Ok(second) = second
                .parse::<DynSliceSpec>()
                .unwrap()
                .resolve(first.output_shape())
            else {
                continue;
            };
            let expected = second.gather(&first.gather(&x).unwrap()).unwrap();
            let both = first.compose(&second).unwrap();
            assert_eq!(both.output_shape(), second.output_shape());
            assert_eq!(both.gather(&x).unwrap(), expected, "{first:?} {second:?}");
            assert_eq!(both.indices().collect::<Vec<_>>(), expected);
            composed += 1;
        }
    }
    assert!(composed > 90, "{composed}");
}

/// Returns arrays with the same elements in every kind of memory layout: contiguous in several orders of the axes, reversed,
/// and with gaps.
fn layouts(x: &ArrayD<i64>) -> Vec<ArrayD<i64>> {
    let rank = x.ndim();
    let mut layouts = vec![x.clone()];
    let mut reversed: Vec<usize> = (0..rank).rev().collect();
    layouts.push(
        x.clone()
            .reversed_axes()
            .as_standard_layout()
            .into_owned()
            .reversed_axes(),
    );
    reversed.rotate_left(1);
    let mut inverse = vec![0; rank];
    for (at, &axis) in reversed.iter().enumerate() {
        inverse[axis] = at;
    }
    let permuted = x.view().permuted_axes(IxDyn(&reversed));
    let permuted = permuted.as_standard_layout().into_owned();
    layouts.push(permuted.permuted_axes(IxDyn(&inverse)));
    for axis in 0..rank {
        let mut backwards = x.clone();
        backwards.invert_axis(Axis(axis));
        let mut backwards = backwards.as_standard_layout().into_owned();
        backwards.invert_axis(Axis(axis));
        layouts.push(backwards);
        // Every second element of a longer array.
        let mut shape = x.shape().to_vec();
        shape[axis] *= 2;
        let every_second = ndarray::Slice::new(0, None, 2);
        let mut longer = ArrayD::zeros(shape);
        longer.slice_axis_mut(Axis(axis), every_second).assign(x);
        longer.slice_axis_inplace(Axis(axis), every_second);
        layouts.push(longer);
    }
    layouts
}

#[test]
fn joined_axes_are_read_and_written_in_every_memory_layout() {
    let shape = [4, 3, 2, 5];
    let x: ArrayD<i64> = ArrayD::from_shape_fn(IxDyn(&shape), |at| {
        at[0] as i64 * 1000 + at[1] as i64 * 100 + at[2] as i64 * 10 + at[3] as i64
    });
    let specs = [
        "zip([0, 3, 3], [1, -1, 0])",
        "zip([[0], [2]], [1, 0, 0]), ..., [4, 0]",
        ":, zip([0, 2], [1, 0], [3, 4])",
        "1, zip([0, 2, 0], [1, 1, 0]), None, ::-2",
        "::-1, [[True, False], [False, True], [True, True]]",
        "..., [[True, False, True, True, False], [False, True, False, False, True]]",
        "[[0, 3], [2, 2], [1, 0]], 1:, 0",
        "..., [[4, 0]], None",
        "[3, 1], [2, 0], zip([0, 1, 1], [4, 4, 2])",
        "np.array(True), 0",
        "[[False, False, False], [False, False, False], [False, False, False], [False, False, False]]",
        "zip(0, [1, 2]), [[1, 0]]",
    ];
    for spec in specs {
        let spec: DynSliceSpec = spec.parse().unwrap();
        let selection = spec.resolve(&shape).unwrap();
        let elements: Vec<i64> = x.iter().copied().collect();
        let expected = selection.gather(&elements).unwrap();
        let values: Vec<i64> = (0..expected.len() as i64).map(|k| -k - 1).collect();
        let mut written = elements.clone();
        selection.scatter(&values, &mut written).unwrap();
        let mut filled = elements.clone();
        selection.fill(7, &mut filled).unwrap();
        let values = ArrayD::from_shape_vec(selection.output_shape(), values).unwrap();
        for layout in layouts(&x) {
            assert_eq!(layout, x);
            let gathered = layout.gather(&spec);
            assert_eq!(gathered.shape(), selection.output_shape(), "{spec}");
            assert!(
                gathered.iter().eq(&expected),
                "{spec} {:?}",
                layout.strides()
            );
            let mut out = ArrayD::zeros(selection.output_shape());
            layout.gather_into(&spec, &mut out);
            assert_eq!(out, gathered);
            let words = layout.mapv(|v| v.to_string());
            assert_eq!(words.gather(&spec), gathered.mapv(|v| v.to_string()));
            let mut set = layout.clone();
            set.set(&spec, &values);
            assert!(set.iter().eq(&written), "{spec} {:?}", layout.strides());
            let mut fill = layout.clone();
            fill.fill_at(&spec, 7);
            assert!(fill.iter().eq(&filled), "{spec} {:?}", layout.strides());
            let mut view = layout.clone();
            view.view_mut().set(&spec, values.view());
            assert_eq!(view, set);
        }
    }
}

/// `gather` resolves many points, or a long list, in blocks.
#[test]
fn many_points_select_the_same_elements_as_resolved_points() {
    let x = Array3::from_shape_fn((40, 30, 2), |(i, j, k)| 100 * i + 10 * j + k);
    let count = if cfg!(miri) { 65_536 } else { 70_001 };
    let mut rows: Vec<i64> = (0..count).map(|k| k * k % 37 - 15).collect();
    let mut columns: Vec<i32> = (0..count).map(|k| (k % 23) as i32 - 20).collect();
    // A few blocks are ranges, or repeat one position.
    rows[20_000..40_000].fill(-3);
    columns[10_000..30_000].fill(4);
    let reversed = x.t().as_standard_layout().into_owned();
    for x in [x.view(), x.slice(ndarray::s![..;-1, .., ..1]), reversed.t()] {
        let points = s![zip(&rows, &columns)];
        let resolved = points.resolve(x.shape()).unwrap();
        assert_eq!(x.gather(points).into_dyn(), x.gather(&resolved));
        let list = s![&rows];
        let resolved = list.resolve(x.shape()).unwrap();
        assert_eq!(x.gather(list).into_dyn(), x.gather(&resolved));
    }
    columns[5] = 30;
    rows[count as usize - 1] = -41;
    let error = x.try_gather(s![zip(&rows, &columns)]).unwrap_err();
    let message = "index -41 is out of bounds for axis 0 with size 40";
    let place = format!("(item 1 of the slice, entry {count} of its list)");
    assert_eq!(error.to_string(), format!("{message} {place}"));
}

/// A list without input axes inserts new axes, each of which repeats its position. It used to be read back as one axis, so that
/// too few elements were written.
#[test]
fn lists_without_input_axes_are_new_axes() {
    let x = [1, 2, 3, 4, 5];
    let whole = ResolvedStep::Keep(AxisRange::whole(5));
    let listed = [4, 0, 1];
    let list = s![&listed].resolve(&[5]).unwrap();
    for shape in [&[2, 3][..], &[1], &[0], &[1, 2, 1], &[3, 0], &[2]] {
        let len: usize = shape.iter().product();
        let positions = AxisPositions::from_positions(vec![0; len]);
        let new = ListedAxes::from_positions(0, shape, positions).unwrap();
        let new = ResolvedStep::List(&new);
        for kept in [whole, list.resolved_steps().next().unwrap()] {
            let selection = Selection::from_steps(&[5], [new, kept]).unwrap();
            let again = Selection::from_steps(&[5], selection.resolved_steps());
            assert_eq!(again, Ok(selection.clone()), "{shape:?}");
            let inserted = shape.iter().map(|&len| ResolvedStep::Insert { len });
            let inserted = Selection::from_steps(&[5], inserted.chain([kept]));
            assert_eq!(inserted, Ok(selection.clone()), "{shape:?}");
            let row: Vec<i32> = match kept {
                ResolvedStep::Keep(_) => x.to_vec(),
                _ => listed.map(|k| x[k]).to_vec(),
            };
            assert_eq!(selection.output_shape(), [shape, &[row.len()]].concat());
            assert_eq!(selection.gather(&x), Ok(row.repeat(len)), "{shape:?}");
            assert_eq!(selection.indices().count(), row.len() * len);
            let words = Array1::from_iter(x.map(|x| x.to_string()));
            let expected: Vec<String> = row.repeat(len).iter().map(i32::to_string).collect();
            assert!(words.gather(&selection).iter().eq(&expected), "{shape:?}");
        }
    }
    let one = ListedAxes::from_positions(0, &[2], AxisPositions::from_positions([0, 1])).unwrap();
    assert!(Selection::from_steps(&[5], [ResolvedStep::List(&one), whole]).is_err());
}

/// The positions are stored before the shape is checked, which used to overflow.
#[test]
fn positions_on_an_axis_of_any_length_are_checked() {
    for size in [usize::MAX, usize::MAX - 1, 1 << 63] {
        let positions = AxisPositions::from_positions([size - 1, 1]);
        let output = [OutputAxis::Input(0)];
        assert!(Selection::from_axes(&[size], [positions], &output).is_err());
    }
}

/// A list of another type than those of the crate may state a shape that does not match its elements.
#[test]
fn lists_whose_shape_does_not_match_their_elements_panic() {
    struct Wrong<'a>(ListArray<'a>);
    impl List for Wrong<'_> {
        type Kind = slice_core::kind::List<1, 2>;
        type Rank = slice_core::kind::Rank<2>;
        fn borrowed(&self) -> ListArray<'_> {
            self.0
        }
    }
    for (elements, shape) in [
        (ListRef::I64(&[0, 1]), [5, 5]),
        (ListRef::I64(&[0, 1, 1, 1]), [1, 2]),
        (ListRef::Mask(&[true, true]), [2, 2]),
        (ListRef::Mask(&[true; 9]), [2, 2]),
    ] {
        let list = ListArray {
            __elements: elements,
            __shape: Some(&shape),
        };
        let wrong = Wrong(list);
        let resolved = std::panic::catch_unwind(|| s![&wrong].resolve(&[2, 2]).is_ok());
        assert!(resolved.is_err(), "{shape:?}");
    }
}

/// Random steps, many of them invalid, select the elements that a plain loop over the positions of each step selects.
#[test]
fn random_steps_agree_with_a_plain_loop() {
    enum Part {
        Step(ResolvedStep<'static>),
        List(ListedAxes, Vec<usize>),
    }
    let mut state = 1_u64;
    let mut below = |limit: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % limit
    };
    let mut valid = 0;
    for _ in 0..if cfg!(miri) { 200 } else { 20_000 } {
        let shape: Vec<usize> = (0..below(5)).map(|_| below(4)).collect();
        let (mut parts, mut axis) = (Vec::new(), 0);
        while axis < shape.len() || below(3) == 0 {
            let size = shape.get(axis).copied().unwrap_or(1);
            parts.push(match below(4) {
                0 => Part::Step(ResolvedStep::Insert { len: below(4) }),
                1 => Part::Step(ResolvedStep::Drop(below(size + 1))),
                2 => {
                    let range = AxisRange::new(below(size + 1), below(3) as isize - 1, below(4));
                    Part::Step(ResolvedStep::Keep(range))
                }
                _ => {
                    let axes = below(4);
                    let sizes = shape.iter().skip(axis).take(axes);
                    let limit = sizes.product::<usize>().max(1) + usize::from(below(20) == 0);
                    let lens: Vec<usize> = (0..below(4)).map(|_| below(4)).collect();
                    let len = lens.iter().product();
                    let positions: Vec<usize> = (0..len).map(|_| below(limit)).collect();
                    let listed = AxisPositions::from_positions(positions.clone());
                    Part::List(
                        ListedAxes::from_positions(axes, &lens, listed).unwrap(),
                        positions,
                    )
                }
            });
            axis += match &parts[parts.len() - 1] {
                Part::Step(step) => usize::from(!matches!(step, ResolvedStep::Insert { .. })),
                Part::List(list, _) => list.axes(),
            };
        }
        let steps = parts.iter().map(|part| match part {
            Part::Step(step) => *step,
            Part::List(list, _) => ResolvedStep::List(list),
        });
        let Ok(selection) = Selection::from_steps(&shape, steps) else {
            continue;
        };
        valid += 1;
        let again = Selection::from_steps(&shape, selection.resolved_steps());
        assert_eq!(again.as_ref(), Ok(&selection));
        let (mut expected, mut axis) = (vec![0], 0);
        for part in &parts {
            let (axes, positions) = match part {
                Part::Step(ResolvedStep::Insert { len }) => (0, vec![0; *len]),
                Part::Step(ResolvedStep::Keep(range)) => (1, range.positions().collect()),
                Part::Step(ResolvedStep::Drop(position)) => (1, vec![*position]),
                Part::Step(ResolvedStep::List(_)) => unreachable!(),
                Part::List(list, positions) => (list.axes(), positions.clone()),
            };
            axis += axes;
            let inner: usize = shape[axis..].iter().product();
            let offsets = |start: &usize| -> Vec<usize> {
                positions.iter().map(|k| start + k * inner).collect()
            };
            expected = expected.iter().flat_map(offsets).collect();
        }
        assert!(
            selection.indices().eq(expected.iter().copied()),
            "{selection:?}"
        );
        let data: Vec<usize> = (0..shape.iter().product()).collect();
        assert_eq!(selection.gather(&data), Ok(expected), "{selection:?}");
    }
    assert!(valid > if cfg!(miri) { 20 } else { 2_000 }, "{valid}");
}

#[test]
fn positions_of_one_axis_have_a_constant_shape() {
    let at = nonzero(&[true, false, true]);
    assert_eq!(s![&at, 0].output_shape([3, 4]), [2]);
    assert_eq!(s![&at].gather_array(&[5, 6, 7], [3]), [5, 7]);
}

#[test]
#[should_panic(
    expected = "a constant cannot contain points, or a list or a mask with several axes"
)]
fn positions_of_two_axes_have_no_constant_shape() {
    let at = nonzero(&[[true, false], [true, true]]);
    let _: [usize; 1] = s![&at].output_shape([2, 2]);
}

#[test]
fn lists_with_very_many_axes_are_displayed() {
    const AXES: usize = 1 << 20;
    let brackets = |inside| ["[".repeat(AXES), inside, "]".repeat(AXES)].concat();
    let list = NdList::new(vec![1; AXES], [7]).unwrap();
    assert!(Item::List(list).to_string() == brackets("7".to_owned()));
    let mask = NdList::new([&[1; AXES][..], &[2, 0]].concat(), []).unwrap();
    let expected = ["np.array(", &brackets("[[], []]".to_owned()), ", bool)"].concat();
    let spec = DynSliceSpec::from_items([Item::Mask(mask)]).unwrap();
    assert!(spec.to_string() == expected);
    assert!(format!("{spec:?}") == format!("s![{expected}]"));
    assert!(spec.resolve(&[3]).is_err());
}
