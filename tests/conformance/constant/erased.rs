//! Checks that erasing the kinds of the items (range, index and so on) from the type of a spec does not change the
//! results of the spec, except that views then have a dynamic rank.

use ndarray::{Array3, ArrayD, ArrayViewD};
use slice_core::kind::Erased;
use slice_core::{SliceError, SliceSpec, StridedSliceExt, named, s};

named! {
    const MIXED_ITEMS = s![-1, ..., newaxis, ::-2];
    const OUT_OF_BOUNDS = s![..., 9, newaxis, 0];
}

const ERASED_SPECS: [SliceSpec<4, Erased>; 2] = [MIXED_ITEMS.erase(), OUT_OF_BOUNDS.erase()];
const TOO_MANY_INDICES: SliceSpec<4, Erased> = s![0, 0, 0, 0].erase();

#[test]
fn an_erased_spec_selects_the_same_elements() {
    let a = Array3::from_shape_fn((2, 3, 4), |(i, j, k)| 100 * i + 10 * j + k);
    let view: ArrayViewD<'_, usize> = a.at(ERASED_SPECS[0]);
    assert_eq!(view, a.at(MIXED_ITEMS).into_dyn());
    let dynamic: ArrayD<usize> = a.clone().into_dyn();
    assert_eq!(dynamic.at(ERASED_SPECS[0]), view);
    assert_eq!(
        ERASED_SPECS[0].resolve(&[2, 3, 4]),
        MIXED_ITEMS.resolve(&[2, 3, 4])
    );
    let shape: [usize; 3] = ERASED_SPECS[0].output_shape([2, 3, 4]);
    assert_eq!(view.shape(), shape);
}

#[test]
fn an_erased_spec_returns_the_same_errors() {
    let a = Array3::<u8>::zeros((2, 3, 4));
    let error = a.try_at(ERASED_SPECS[1]).unwrap_err();
    assert_eq!(Err(error), OUT_OF_BOUNDS.resolve(&[2, 3, 4]));
    let error = a.try_at(TOO_MANY_INDICES).unwrap_err();
    let (rank, indexed) = (3, 4);
    assert_eq!(error, SliceError::TooManyIndices { rank, indexed });
    let scalar = ArrayD::<u8>::zeros(vec![]);
    assert!(scalar.try_at(TOO_MANY_INDICES).is_err());
}
