//! Checks the statements about candle in slice-core/docs/other_crates.md, and the refusals of slices by name.

use candle_core::{DType, Device, IndexOp, Result, Tensor};
use slice_candle::{Error, TensorSliceExt};
use slice_core::{Select, SelectError, Selection, SliceError, StepVisitor, s};

fn counting(shape: &[usize]) -> Result<Tensor> {
    let len = shape.iter().product::<usize>() as u32;
    Tensor::arange(0, len, &Device::Cpu)?.reshape(shape)
}

#[test]
fn slices_of_candle_have_the_documented_meaning() -> Result<()> {
    let x = counting(&[4, 5])?;
    assert_eq!(x.i((1.., ..))?.dims(), [3, 5], "a range");
    assert!(x.i(2..9).is_err(), "a range past the end is an error");
    assert!(x.i(9).is_err(), "an index past the end is an error");
    assert_eq!(x.i(1)?.dims(), [5], "an index drops its axis");
    assert_eq!(
        x.i(1..)?.dims(),
        [3, 5],
        "the remaining axes are selected in full"
    );
    let error = x
        .i((0, 7))
        .expect_err("the index should be out of bounds")
        .to_string();
    assert!(
        error.contains('7') && error.contains("dim: 0"),
        "the axis and the numbers: {error}"
    );
    Ok(())
}

#[test]
fn unsupported_values_and_strings_are_refused_by_name() -> Result<()> {
    let x = counting(&[2, 3])?;
    let floats = Tensor::ones((3,), DType::F32, &Device::Cpu)?;
    let error = x.set(s![0], &floats).expect_err("the types differ");
    assert!(
        matches!(error, Error::Candle(_)) && error.to_string().contains("dtype"),
        "{error}"
    );
    let error = x.set(s![:, 0], &x).expect_err("the value should not fit");
    let expected = "could not broadcast input array from shape (2,3) into shape (2,)";
    assert!(error.to_string().starts_with(expected), "{error}");
    let error = x.at("0:, 1:2:0").expect_err("the step is zero");
    assert!(
        error.to_string().starts_with("slice step cannot be zero"),
        "{error}"
    );
    let error = x.at("0 1").expect_err("the string is not a slice");
    assert!(matches!(error, Error::Select(_)), "{error}");
    let error: candle_core::Error = x
        .at(s![0, 0, 0])
        .expect_err("there are too many items")
        .into();
    assert!(
        error.to_string().starts_with("too many indices for array"),
        "{error}"
    );
    Ok(())
}

/// If several operations fail, the first error is the cause.
#[test]
fn the_first_error_of_candle_is_returned() -> Result<()> {
    /// A slice that ignores the shape of the tensor.
    struct OfLargerShape;
    impl Select for OfLargerShape {
        type Error = SelectError;
        fn select(&self, _: &[usize]) -> core::result::Result<Selection, SelectError> {
            Ok(s![50, 60].resolve(&[100, 100])?)
        }
        fn visit_steps(
            &self,
            _: &[usize],
            visitor: &mut impl StepVisitor,
        ) -> Option<core::result::Result<(), SliceError>> {
            s![50, 60].visit_steps(&[100, 100], visitor)
        }
    }
    let error = counting(&[2, 3])?
        .at(OfLargerShape)
        .expect_err("the tensor should be too small")
        .to_string();
    assert!(
        error.contains("start: 50") && !error.contains("start: 60"),
        "{error}"
    );
    Ok(())
}

#[test]
fn every_type_of_element_is_sliced_and_assigned() -> Result<()> {
    let types = [
        DType::U8,
        DType::U32,
        DType::I16,
        DType::I32,
        DType::I64,
        DType::BF16,
        DType::F16,
        DType::F32,
        DType::F64,
    ];
    for dtype in types {
        let x = counting(&[4, 5])?.to_dtype(dtype)?;
        let read = x.at(s![::-2, [4, 0, 0]])?.to_dtype(DType::U32)?;
        assert_eq!(
            read.to_vec2::<u32>()?,
            [[19, 15, 15], [9, 5, 5]],
            "{dtype:?}"
        );
        let written = x
            .fill_at(s![1:3, ::4], 7_u8)?
            .at(s![1])?
            .to_dtype(DType::U32)?;
        assert_eq!(written.to_vec1::<u32>()?, [7, 6, 7, 8, 7], "{dtype:?}");
    }
    Ok(())
}

#[test]
fn ranges_share_memory_with_the_tensor() -> Result<()> {
    let x = counting(&[4, 6])?;
    let view = x.at(s![1:, newaxis, ::2])?;
    assert_eq!(view.dims(), [3, 1, 3]);
    // The stride of an axis of length 1 has no meaning.
    assert_eq!((view.stride()[0], view.stride()[2]), (6, 2));
    assert_eq!(view.layout().start_offset(), 6);
    // An empty view of a part of a tensor.
    assert_eq!(x.narrow(0, 4, 0)?.at(s![::-1, [0, 0]])?.dims(), [0, 2]);
    Ok(())
}
