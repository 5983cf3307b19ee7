//! Compares slices of DLPack tensors with the recorded results of NumPy.

#![allow(
    unsafe_code,
    reason = "dlpark cannot check that the memory of a tensor is valid"
)]

use dlpark::allocation::dynamic;
use dlpark::ffi::{DLDataType, DLManagedTensor, DLManagedTensorVersioned, DLTensor};
use dlpark::{DlpackFlags, Managed, ManagedTensorBase, TryFromDlpack, versioned};
use ndarray::{ArrayD, ArrayViewD, Axis, IxDyn};
use serde::Deserialize;
use slice_core::{Select, SelectError, SliceError, s};
use slice_dlpack::{Error, at, at_ascending};
use slice_tests::{Output, RawItem, RecordedResult, kind, read, spec};

#[derive(Debug, Deserialize)]
struct Case {
    shape: Vec<usize>,
    items: Vec<RawItem>,
    #[serde(flatten)]
    recorded: RecordedResult,
}

/// Returns a tensor with the elements 0, 1, 2, ...
fn counting<M: ManagedTensorBase>(shape: &[usize]) -> Managed<M> {
    let len: usize = shape.iter().product();
    let array = ArrayD::from_shape_vec(IxDyn(shape), (0..len as i64).collect());
    let array = array.expect("the elements should fit the shape");
    managed(array)
}

fn managed<M: ManagedTensorBase>(array: ArrayD<i64>) -> Managed<M> {
    let initialized: dynamic::Initialized<M> = Box::new(array)
        .try_into()
        .expect("the array should be exported");
    // SAFETY: dlpark has filled in all fields.
    unsafe { initialized.finish() }
}

/// Returns the shape and the elements of a view of a tensor at `data` with the elements 0, 1, 2, ..., each of which is its
/// own offset. Reads no memory.
fn output<M: ManagedTensorBase>(view: &Managed<M>, data: *const std::ffi::c_void) -> Output {
    let tensor = view.validate_export().expect("the view should be valid");
    assert_eq!(tensor.data_ptr(), data);
    assert_eq!(tensor.dtype(), DLDataType::of::<i64>());
    let mut elements = vec![tensor.byte_offset() as i64 / 8];
    for (&len, &stride) in tensor
        .shape()
        .iter()
        .zip(tensor.strides().unwrap_or_default())
    {
        let along = |offset| (0..len).map(move |k| offset + k * stride);
        elements = elements.into_iter().flat_map(along).collect();
    }
    let shape = tensor.shape().iter().map(|&len| len as usize).collect();
    Output { shape, elements }
}

fn check<M: ManagedTensorBase + 'static>(case: &Case) -> Result<(), String> {
    let tensor = counting::<M>(&case.shape);
    let data = tensor
        .validate()
        .expect("the tensor should be valid")
        .data_ptr();
    let ours = match spec(&case.items) {
        Ok(spec) => at(tensor, spec),
        Err(error) => Err(error.into()),
    };
    match (&case.recorded, ours) {
        (RecordedResult::Out(numpy), Ok(view)) => {
            let ours = output(&view, data);
            if ours != *numpy {
                return Err(format!("the result is {ours:?}, but NumPy's is {numpy:?}"));
            }
            // SAFETY: The view owns the array.
            let array = unsafe { ArrayViewD::<i64>::try_from_dlpack(&view, ()) };
            match array {
                Ok(array) if array.iter().eq(&numpy.elements) => Ok(()),
                Err(dlpark::interop::ndarray::Error::NegativeStride { .. }) => Ok(()),
                other => Err(format!(
                    "ndarray's view is {other:?}, but NumPy's is {numpy:?}"
                )),
            }
        }
        (RecordedResult::Error(numpy), Err(Error::Select(SelectError::Slice(ours)))) => {
            match kind(&ours) == numpy.kind && ours.to_string().starts_with(&numpy.message) {
                true => Ok(()),
                false => Err(format!("the error is {ours}, but NumPy's is {numpy:?}")),
            }
        }
        (recorded, ours) => Err(format!(
            "the result is {:?}, but NumPy's is {recorded:?}",
            ours.map(drop)
        )),
    }
}

#[test]
fn slices_agree_with_numpy() {
    let (_, cases) = read::<Case>("numpy");
    for case in &cases {
        let difference =
            check::<DLManagedTensorVersioned>(case).and(check::<DLManagedTensor>(case));
        if let Err(difference) = difference {
            panic!("{:?}{:?}: {difference}", case.shape, case.items);
        }
    }
    assert_eq!(cases.len(), 4_910);
}

#[test]
fn a_view_of_a_reversed_tensor_may_begin_before_its_data() {
    let mut array = ArrayD::from_shape_vec(IxDyn(&[6]), (0..6).collect()).expect("six elements");
    array.invert_axis(Axis(0));
    let tensor: versioned::Dlpack = managed(array);
    let last = at(tensor, s![::-2]).expect("the slice should fit");
    let tensor = last.validate().expect("the view should be valid");
    assert_eq!(
        (tensor.shape(), tensor.strides()),
        (&[3][..], Some(&[2][..]))
    );
    // SAFETY: The view owns the array.
    let view = unsafe { ArrayViewD::<i64>::try_from_dlpack(&last, ()) };
    let view = view.expect("no stride should be negative");
    assert_eq!(view.iter().collect::<Vec<_>>(), [&0, &2, &4]);
}

#[test]
fn the_flags_and_the_owner_are_kept() {
    let mut tensor: versioned::Dlpack = counting(&[4, 3]);
    // SAFETY: A flag that forbids writing makes no other guarantee.
    unsafe { *tensor.flags_mut() = DlpackFlags::READ_ONLY };
    let view = at(
        at(tensor, s![1:]).expect("the slice should fit"),
        s![-1, 1:],
    );
    let view = view.expect("the slice should fit");
    assert_eq!(view.flags(), DlpackFlags::READ_ONLY);
    // SAFETY: The view owns the view that owns the array.
    let array = unsafe { ArrayViewD::<i64>::try_from_dlpack(&view, ()) };
    assert_eq!(
        array.expect("no stride should be negative"),
        ndarray::array![10, 11].into_dyn()
    );
}

#[test]
fn lists_negative_strides_and_small_elements_are_refused_by_name() {
    let refuse = |spec: &dyn Fn(versioned::Dlpack) -> Result<versioned::Dlpack, Error>| {
        spec(counting(&[4, 3]))
            .map(drop)
            .expect_err("the slice should be refused")
    };
    let error = refuse(&|tensor| at(tensor, s![[0, 3, 1]]));
    assert!(
        matches!(
            error,
            Error::Select(SelectError::Slice(SliceError::NotStrided))
        ),
        "{error}"
    );
    let error = refuse(&|tensor| at_ascending(tensor, s![:, ::-1]));
    let expected = "axis 1 of the view has the stride -1, but the library that receives it rejects negative strides: copy the slice, or omit the negative step";
    assert_eq!(error.to_string(), expected);
    let error = refuse(&|tensor| at(tensor, "1:, 3"));
    assert_eq!(
        error.to_string(),
        "index 3 is out of bounds for axis 1 with size 3 (item 2 of the slice)"
    );
    let error = refuse(&|mut tensor| {
        // SAFETY: The tensor is not used as a tensor with this type.
        unsafe { (*tensor.as_ptr()).dl_tensor.dtype.bits = 4 };
        at(std::mem::replace(&mut tensor, counting(&[])), s![1:])
    });
    let expected =
        "elements of 4 bits cannot be sliced, because they do not consist of whole bytes";
    assert_eq!(error.to_string(), expected);
    let kept = at_ascending(counting::<DLManagedTensor>(&[4, 3]), s![::2, :1]);
    assert!(kept.is_ok());
}

/// Returns the error for a vector of two elements whose fields are changed, so that it is not used as a tensor.
fn error_for(change: impl FnOnce(&mut DLTensor), spec: impl Select<Error = SelectError>) -> Error {
    let tensor: versioned::Dlpack = counting(&[2]);
    // SAFETY: The tensor owns its fields, and nothing else refers to them.
    change(unsafe { &mut (*tensor.as_ptr()).dl_tensor });
    at(tensor, spec)
        .map(drop)
        .expect_err("the slice should be refused")
}

#[test]
fn distances_beyond_64_bits_are_refused() {
    // The second element is 2^64 bytes before or after the first one.
    for stride in [-1 << 61, 1 << 61] {
        let set_stride = |tensor: &mut DLTensor| {
            // SAFETY: The tensor has one axis.
            unsafe { *tensor.strides = stride };
        };
        let error = error_for(set_stride, s![1]);
        assert!(matches!(error, Error::TooFar), "{error}");
        let expected = "the first selected element is too far from the beginning of the tensor";
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn invalid_tensors_are_refused() {
    let set_len = |tensor: &mut DLTensor| {
        // SAFETY: The tensor has one axis.
        unsafe { *tensor.shape = -1 };
    };
    let error = error_for(set_len, s![...]);
    let negative = dlpark::tensor::Error::NegativeDimension { axis: 0, value: -1 };
    assert!(matches!(&error, Error::Tensor(_)), "{error}");
    assert_eq!(error.to_string(), negative.to_string());
}

/// Any type can implement `Select`, so the selection may be one for another shape.
#[test]
fn a_selection_for_another_shape_is_rejected() {
    struct OfLargerShape;
    impl Select for OfLargerShape {
        type Error = SelectError;
        fn select(&self, _: &[usize]) -> Result<slice_core::Selection, SelectError> {
            Ok(s![50:].resolve(&[100])?)
        }
    }
    let tensor: Managed<DLManagedTensor> = counting(&[3]);
    let error = at(tensor, OfLargerShape)
        .err()
        .map(|error| error.to_string());
    assert_eq!(
        error.as_deref(),
        Some("shapes differ: expected (100,), but got (3,)")
    );
}
