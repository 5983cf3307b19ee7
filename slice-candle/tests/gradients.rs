//! Compares gradients through slices of candle's tensors with PyTorch's.

use candle_core::{Device, Result, Tensor, Var};
use serde::Deserialize;
use slice_candle::TensorSliceExt;
use slice_tests::lists::{RawListItem, list_spec};
use slice_tests::read;

#[derive(Debug, Deserialize)]
struct Case {
    shape: Vec<usize>,
    items: Vec<RawListItem>,
    value_shape: Option<Vec<usize>>,
    gradient: Vec<f32>,
    value_gradient: Option<Vec<f32>>,
}

fn counting(shape: &[usize], first: usize) -> Result<Tensor> {
    let len: usize = shape.iter().product();
    let elements: Vec<f32> = (first..first + len).map(|x| x as f32).collect();
    Tensor::from_vec(elements, shape, &Device::Cpu)
}

/// Returns the gradients of the tensor and of the assigned value of a case.
fn gradients(case: &Case) -> Result<(Vec<f32>, Option<Vec<f32>>)> {
    let spec = list_spec(&case.items).expect("the items should form a slice");
    let tensor = Var::from_tensor(&counting(&case.shape, 0)?)?;
    let value = case.value_shape.as_deref();
    let value = value
        .map(|shape| Var::from_tensor(&counting(shape, 100)?))
        .transpose()?;
    let result = match &value {
        None => tensor.at(&spec)?,
        // `Var` has a method `set` of its own.
        Some(value) => tensor.as_tensor().set(&spec, value)?,
    };
    let weights = counting(result.dims(), 1)?;
    let gradients = (&result * &result)?.mul(&weights)?.sum_all()?.backward()?;
    let gradient = |input: &Var| {
        let gradient = gradients
            .get(input)
            .expect("the input should have a gradient");
        gradient.flatten_all()?.to_vec1()
    };
    Ok((
        gradient(&tensor)?,
        value.as_ref().map(gradient).transpose()?,
    ))
}

#[test]
fn gradients_agree_with_pytorch() -> Result<()> {
    let (_, cases) = read::<Case>("torch_gradients");
    for case in &cases {
        let expected = (case.gradient.clone(), case.value_gradient.clone());
        assert_eq!(gradients(case)?, expected, "{case:?}");
    }
    let reads = cases
        .iter()
        .filter(|case| case.value_shape.is_none())
        .count();
    assert_eq!((reads, cases.len()), (300, 450));
    Ok(())
}
