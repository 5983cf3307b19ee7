//! Checks slices and assignments that are performed with a tensor's own operations. The tensor is an array of ndarray
//! that copies its elements in every operation.

use ndarray::{ArrayD, Axis, IxDyn, Slice};
use slice_core::{
    AxisRange, DynSliceSpec, OutputAxis, Select, SelectError, Selection, SliceError, s,
};
use slice_systems::tensor::{self, AssignTensor, SliceTensor};
use slice_tests::RecordedResult;
use slice_tests::lists::list_spec;
use slice_tests::tensors::{Case, cases};

#[derive(Clone, Debug, PartialEq)]
struct Tensor(ArrayD<i64>);

impl SliceTensor for Tensor {
    type Error = SelectError;

    fn shape(&self) -> &[usize] {
        self.0.shape()
    }

    fn range(self, axis: usize, range: AxisRange) -> Result<Self, SelectError> {
        let up = range.ascending();
        let end = up.positions().last().map_or(up.start(), |last| last + 1);
        let slice = Slice::new(up.start() as isize, Some(end as isize), up.step());
        let mut view = self.0.slice_axis(Axis(axis), slice);
        if range.step() < 0 {
            view.invert_axis(Axis(axis));
        }
        Ok(Tensor(view.as_standard_layout().into_owned()))
    }

    fn index_select(self, axis: usize, positions: &[usize]) -> Result<Self, SelectError> {
        Ok(Tensor(self.0.select(Axis(axis), positions)))
    }

    fn reshape(self, shape: &[usize]) -> Result<Self, SelectError> {
        let elements = self.0.iter().copied().collect();
        let array = ArrayD::from_shape_vec(IxDyn(shape), elements);
        Ok(Tensor(
            array.expect("the shape should have as many elements"),
        ))
    }
}

impl AssignTensor for Tensor {
    fn expand(self, shape: &[usize]) -> Result<Self, SelectError> {
        assert_eq!(self.0.ndim(), shape.len());
        let view = self.0.broadcast(IxDyn(shape));
        Ok(Tensor(view.expect("the shape should fit").to_owned()))
    }

    fn replace(mut self, marks: &[Vec<bool>], values: Self) -> Result<Self, SelectError> {
        for (position, x) in self.0.indexed_iter_mut() {
            let mut marks = marks.iter().enumerate();
            if marks.all(|(axis, marks)| marks[position[axis]]) {
                *x = values.0[&position];
            }
        }
        Ok(self)
    }
}

fn counting(shape: &[usize], first: i64) -> Tensor {
    let len: usize = shape.iter().product();
    let array = ArrayD::from_shape_vec(IxDyn(shape), (first..).take(len).collect());
    Tensor(array.expect("the elements should fit the shape"))
}

fn apply(case: &Case) -> Result<Tensor, SelectError> {
    let selection = list_spec(&case.items)?.select(&case.shape)?;
    let tensor = counting(&case.shape, 0);
    Ok(match &case.value_shape {
        None => tensor::select(tensor, &selection)?,
        Some(shape) => tensor::assign(tensor, &selection, counting(shape, 1000))?,
    })
}

#[test]
fn slices_and_assignments_agree_with_numpy() {
    for (name, expected) in [
        ("numpy", 4_910),
        ("numpy_assign", 1_727),
        ("numpy_lists", 3_656),
        ("numpy_lists_assign", 728),
    ] {
        let cases = cases(name);
        assert_eq!(cases.len(), expected);
        for case in &cases {
            match (&case.recorded, apply(case)) {
                (RecordedResult::Out(numpy), Ok(ours)) => {
                    assert_eq!(ours.shape(), numpy.shape, "{case:?}");
                    assert!(ours.0.iter().eq(&numpy.elements), "{case:?}: {ours:?}");
                }
                // The tests of slices and assignments compare the errors.
                (RecordedResult::Error(_), Err(_)) => {}
                (_, ours) => panic!("{case:?}: {ours:?}"),
            }
        }
    }
}

/// Compares the tensor's operations with `gather` and `assign` of the selection.
fn check(selection: &Selection) {
    let tensor = counting(selection.input_shape(), 0);
    let elements: Vec<i64> = tensor.0.iter().copied().collect();
    let selected = tensor::select(tensor.clone(), selection).expect("the slice should fit");
    assert_eq!(selected.shape(), selection.output_shape());
    let gathered = selection
        .gather(&elements)
        .expect("the elements should fit");
    assert!(selected.0.iter().eq(&gathered), "{selection:?}");

    let value = counting(selection.output_shape(), 1000);
    let values: Vec<i64> = value.0.iter().copied().collect();
    let mut expected = elements;
    let result = selection.assign(value.shape(), &values, &mut expected);
    result.expect("the value should fit");
    let assigned = tensor::assign(tensor, selection, value).expect("the value should fit");
    assert!(assigned.0.iter().eq(&expected), "{selection:?}");
}

#[test]
fn repeated_and_empty_new_axes_are_selected_and_assigned() -> Result<(), SliceError> {
    let with_new_axis = s![::-1, newaxis, 1:].resolve(&[3, 4])?;
    for list in [&[0, 0, 0][..], &[0], &[]] {
        check(&with_new_axis.compose(&s![:, &list].resolve(&[3, 1, 3])?)?);
        check(&with_new_axis.compose(&s![[2, 0, 2], &list, 1].resolve(&[3, 1, 3])?)?);
    }
    let axes = [AxisRange::new(2, -1, 3)];
    let output = [
        OutputAxis::New { len: 2 },
        OutputAxis::Input(0),
        OutputAxis::New { len: 3 },
    ];
    check(&Selection::from_axes(&[4], axes, &output)?);
    Ok(())
}

#[test]
fn masks_with_several_axes_points_and_lists_with_several_axes_are_selected_and_assigned() {
    for text in [
        "[[True, False, True], [False, False, True]], ::2",
        "..., [[True, False, True], [False, True, True]], 1",
        "[[1, 0, 1], [0, 0, 1]], 2, ::-1",
        "::-1, [[[2], [0]], [[1], [1]]], [3, 0]",
        "newaxis, 1, [[1, 2], [0, 2]], 3",
    ] {
        let spec = text
            .parse::<DynSliceSpec>()
            .expect("the text should be a slice");
        check(&spec.resolve(&[2, 3, 4]).expect("the slice should fit"));
    }
    let (rows, columns) = ([1, 0, 1, 1], [2, 2, 0, 1]);
    check(
        &s![zip(&rows, &columns), newaxis, ::-1]
            .resolve(&[2, 3, 4])
            .expect("the slice should fit"),
    );

    // The value is broadcast along one of the two axes of the list.
    let selection = s![[[2, 0, 1], [3, 4, 6]], ::2]
        .resolve(&[7, 3])
        .expect("the slice should fit");
    for value_shape in [&[2, 1, 2][..], &[1, 3, 1], &[3, 2], &[2, 1, 1], &[]] {
        let value = counting(value_shape, 1000);
        let mut expected: Vec<i64> = (0..21).collect();
        let values: Vec<i64> = value.0.iter().copied().collect();
        selection
            .assign(value_shape, &values, &mut expected)
            .expect("the value should fit");
        let assigned = tensor::assign(counting(&[7, 3], 0), &selection, value);
        assert!(
            assigned
                .expect("the value should fit")
                .0
                .iter()
                .eq(&expected),
            "{value_shape:?}"
        );
    }
}

#[test]
fn a_selection_for_another_shape_is_rejected() {
    let is_mismatch =
        |error: &SelectError| matches!(error, SelectError::Slice(SliceError::ShapeMismatch { .. }));
    let selection = s![1:].resolve(&[3]).expect("the slice should fit");
    let error = tensor::select(counting(&[4], 0), &selection).expect_err("the shapes differ");
    assert!(is_mismatch(&error));
    let value = counting(&[1], 0);
    let error =
        tensor::assign(counting(&[4], 0), &selection, value).expect_err("the shapes differ");
    assert!(is_mismatch(&error));
    // Any type can implement `Select`, so the selection may be one for another shape.
    struct OfLargerShape;
    impl Select for OfLargerShape {
        type Error = SelectError;
        fn select(&self, _: &[usize]) -> Result<Selection, SelectError> {
            Ok(s![50:, [2, 0]].resolve(&[100, 3])?)
        }
    }
    let tensor = || counting(&[4], 0);
    let error = tensor::select(tensor(), OfLargerShape).expect_err("the shapes differ");
    assert!(is_mismatch(&error), "{error}");
    let error = tensor::assign(tensor(), OfLargerShape, tensor()).expect_err("the shapes differ");
    assert!(is_mismatch(&error), "{error}");
}
