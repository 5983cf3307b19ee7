//! Checks that the operations of other systems are accepted as slices.

use slice_core::s;
use slice_systems::tensorstore::IndexTransform;
use slice_systems::{AnyOperation, Operation, tensorflow};
use slice_zarr::{Error, Select};

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
    assert!(matches!(operation.select(&shape), Err(Error::Slice(_))));
    operation.begin.pop();
    assert!(operation.select(&shape).is_err());
}
