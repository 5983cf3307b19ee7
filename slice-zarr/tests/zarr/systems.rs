//! Checks that the operations of other systems, and selections for the shape of the array, are accepted as slices.

use std::sync::Arc;

use slice_core::{Select, SliceError, s};
use slice_systems::tensorstore::IndexTransform;
use slice_systems::{AnyOperation, Operation, OperationError, tensorflow};
use slice_zarr::{Error, PlanSlice, ReadSlice};
use zarrs::array::{ArrayBuilder, data_type};
use zarrs::storage::store::MemoryStore;

#[test]
fn operations_select_as_slices_do() {
    let shape = [4, 5];
    let selection = s![1:, 1].resolve(&shape).unwrap();
    let expected = s![1:, 1].select(&shape).unwrap();
    let transform = IndexTransform::from_selection(&selection).unwrap().op;
    assert_eq!(transform.select(&shape).unwrap(), expected);
    let mut operation = tensorflow::StridedSlice {
        begin: vec![1, 1],
        end: vec![4, 2],
        strides: vec![1, 1],
        shrink_axis_mask: 2,
        ..Default::default()
    };
    assert_eq!(operation.select(&shape).unwrap(), expected);
    let any = AnyOperation::from(operation.clone());
    assert_eq!(any.select(&shape).unwrap(), expected);
    operation.begin[1] = 7;
    let error = operation.select(&shape).unwrap_err();
    assert!(matches!(error, OperationError::Slice(_)));
    assert!(matches!(Error::from(error), Error::Slice(_)));
    operation.begin.pop();
    assert!(operation.select(&shape).is_err());
}

#[test]
fn a_selection_applies_only_to_its_own_shape() {
    let array = ArrayBuilder::new(vec![4, 6], vec![2, 2], data_type::uint8(), 7_u8);
    let array = array.build(Arc::new(MemoryStore::new()), "/").unwrap();
    let selection = s![1:, 1].resolve(&[4, 6]).unwrap();
    assert_eq!(array.plan_slice(&selection).unwrap().shape(), [3]);
    let other = s![1:, 1].resolve(&[4, 5]).unwrap();
    let expected = SliceError::ShapeMismatch {
        expected: [4, 5].into(),
        actual: [4, 6].into(),
    };
    for error in [
        array.plan_slice(&other).unwrap_err(),
        array.read_slice::<u8>(&other).unwrap_err(),
    ] {
        assert!(matches!(error, Error::Slice(error) if error == expected));
    }
}
