//! Names every public item that other projects may rely on, so that removing or renaming one is a compile error.

use ndarray::{Array2, ArrayView1, Ix1, arr2, array};
use slice_core::{
    DynSliceSpec, Item, ListSpec, Masks, Selection, SliceError, SliceSpec, StridedSliceExt,
    StridedSliceMove, kind, named, nonzero, py, s,
};
use slice_systems::{
    AnyOperation, Operation, OperationError, coreml, litert, mindspore, onnx, openvino, stablehlo,
    tensorflow, tensorstore, torch,
};

named! { const ROWS = s![1:, 0]; }

#[test]
fn names_of_specs() {
    const SPEC: SliceSpec<2, (kind::Range, (kind::Index, ()))> = ROWS;
    const BEGIN: &[i64; 2] = SPEC.begin();
    const ENDS: (&[i64; 2], &[i64; 2]) = (SPEC.end(), SPEC.strides());
    assert_eq!((BEGIN, ENDS), (&[1, 0], (&[0, 1], &[1, 1])));
    const MASKS: [u64; 5] = [
        SPEC.begin_mask(),
        SPEC.end_mask(),
        SPEC.ellipsis_mask(),
        SPEC.new_axis_mask(),
        SPEC.shrink_axis_mask(),
    ];
    assert_eq!(MASKS, [0, 1, 0, 0, 2]);
    const ALL: Masks = SPEC.masks();
    assert_eq!(ALL.end, 1);
    const SHAPE: [usize; 1] = SPEC.output_shape([3, 2]);
    const ELEMENTS: [u8; 2] = SPEC.gather_array(&[1, 2, 3, 4, 5, 6], [3, 2]);
    assert_eq!((SHAPE, ELEMENTS), ([2], [3, 5]));
    assert_eq!(slice_macro::s![1:, 0], SPEC);

    let rows = [2, 0];
    let list: ListSpec<'_, 2, _> = s![&rows, 0];
    let resolved: Result<Selection, SliceError> = list.resolve(&[3, 2]);
    assert_eq!(resolved, list.to_dyn().resolve(&[3, 2]));

    let spec: DynSliceSpec = "1:, 0".parse().unwrap();
    assert_eq!(
        (&spec, spec.to_string().as_str()),
        (&SPEC.to_dyn(), "1:, 0")
    );
    let items: Vec<Item> = spec.items().collect();
    assert_eq!(DynSliceSpec::from_items(items), Ok(spec.clone()));
    let (begin, end, strides) = (spec.begin(), spec.end(), spec.strides());
    assert_eq!(
        DynSliceSpec::new(begin, end, strides, spec.masks()),
        Ok(spec.clone())
    );
    let masks = [
        spec.begin_mask(),
        spec.end_mask(),
        spec.ellipsis_mask(),
        spec.new_axis_mask(),
        spec.shrink_axis_mask(),
    ];
    assert_eq!(masks, MASKS);
    let json = serde_json::to_string(&spec).unwrap();
    assert_eq!(serde_json::from_str::<DynSliceSpec>(&json).unwrap(), spec);
    let mask = [[true, false], [false, true]];
    assert_eq!(
        s![&nonzero(&mask)].resolve(&[2, 2]),
        s![&mask].resolve(&[2, 2])
    );
}

#[test]
fn names_of_selections() {
    let data = [1, 2, 3, 4, 5, 6];
    let selection = ROWS.resolve(&[3, 2]).unwrap();
    assert_eq!(
        (selection.input_shape(), selection.output_shape()),
        (&[3, 2][..], &[2][..])
    );
    assert_eq!(
        (
            selection.len(),
            selection.is_empty(),
            selection.is_strided()
        ),
        (2, false, true)
    );
    assert!(selection.indices().eq([2, 4]));
    assert_eq!(selection.gather(&data), Ok(vec![3, 5]));
    let mut out = [0; 2];
    selection.gather_into(&data, &mut out).unwrap();
    assert_eq!(selection.gather_cloned(&data), Ok(out.to_vec()));
    let mut into = [0; 6];
    selection.scatter(&out, &mut into).unwrap();
    selection.scatter_add(&out, &mut into).unwrap();
    assert_eq!(into, [0, 0, 6, 0, 10, 0]);
    assert_eq!(selection.layout(&[2, 1]).unwrap().offset(), 2);
    let then = s![1].resolve(&[2]).unwrap();
    assert_eq!(selection.compose(&then), s![2, 0].resolve(&[3, 2]));
}

#[test]
fn names_of_slices_of_arrays() {
    let mut x: Array2<i32> = arr2(&[[1, 2], [3, 4], [5, 6]]);
    let view: ArrayView1<'_, i32> = x.at(ROWS);
    assert_eq!(Ok(view), x.try_at(ROWS));
    assert_eq!(py!(x[1:, 0]), x.at(ROWS));
    x.at_mut(ROWS)[0] = 7;
    x.try_at_mut(ROWS).unwrap()[1] = 8;
    assert_eq!(x.gather(ROWS), array![7, 8]);
    assert_eq!(
        x.clone().at_move(ROWS),
        x.clone().try_at_move(ROWS).unwrap()
    );
    let mut out = ndarray::Array::zeros(Ix1(2));
    x.gather_into(ROWS, &mut out);
    x.set(ROWS, &out);
    x.try_set(ROWS, [9, 9]).unwrap();
    x.fill_at(s![0, 0], 5);
    x.try_fill_at(s![0, 1], 6).unwrap();
    assert_eq!(x, arr2(&[[5, 6], [9, 4], [9, 6]]));
    assert_eq!((x.item(s![0, 0]), x.try_item(s![0, 1])), (5, Ok(6)));
}

#[test]
fn names_of_operations() {
    fn resolved(selection: Result<Selection, OperationError>) {
        assert_eq!(selection.unwrap(), s![1:3].resolve(&[6]).unwrap());
    }
    fn is_operation<O: Operation>(_: &O) {}

    let (begin, end, strides) = (vec![1], vec![3], vec![1]);
    macro_rules! bit_masked {
        ($($system:ident { $($offset:ident: $false:literal)? })*) => { $(
            let operation = $system::StridedSlice {
                begin: begin.clone(),
                end: end.clone(),
                strides: strides.clone(),
                begin_mask: 0_i64,
                end_mask: 0_i64,
                ellipsis_mask: 0_i64,
                new_axis_mask: 0_i64,
                shrink_axis_mask: 0_i64,
                $($offset: $false,)?
            };
            is_operation(&operation);
            resolved(operation.resolve(&[6]));
        )* };
    }
    bit_masked! { tensorflow {} mindspore {} litert { offset: false } }
    let none: Vec<i64> = Vec::new();
    resolved(
        openvino::StridedSlice {
            begin: begin.clone(),
            end: end.clone(),
            strides: Some(strides.clone()),
            begin_mask: vec![0],
            end_mask: vec![0],
            new_axis_mask: none.clone(),
            shrink_axis_mask: none.clone(),
            ellipsis_mask: none,
        }
        .resolve(&[6]),
    );
    let operation = onnx::Slice {
        opset: 13,
        starts: begin.clone(),
        ends: end.clone(),
        axes: Some(vec![0]),
        steps: Some(strides.clone()),
    };
    resolved(operation.resolve(&[6]));
    resolved(operation.resolve_onnxruntime(&[6]));
    resolved(AnyOperation::from(operation).resolve(&[6]));
    resolved(
        torch::Slice {
            dim: 0,
            start: Some(1),
            end: Some(3),
            step: 1,
        }
        .resolve(&[6]),
    );
    resolved(
        stablehlo::Slice {
            start_indices: begin.clone(),
            limit_indices: end.clone(),
            strides: strides.clone(),
        }
        .resolve(&[6]),
    );
    resolved(
        coreml::SliceByIndex {
            begin,
            end,
            stride: strides,
            begin_mask: vec![false],
            end_mask: vec![false],
            squeeze_mask: vec![false],
        }
        .resolve(&[6]),
    );
    let transform = tensorstore::IndexTransform::default();
    assert_eq!(transform.resolve(&[]).unwrap(), s![].resolve(&[]).unwrap());
}
