//! Compares masks with several axes, points and lists with several axes with the results of slice-core.

use candle_core::{Device, Result, Tensor};
use slice_candle::TensorSliceExt;
use slice_core::DynSliceSpec;

fn counting(shape: &[usize], first: i64) -> Result<Tensor> {
    let len = shape.iter().product();
    let elements: Vec<i64> = (first..).take(len).collect();
    Tensor::from_vec(elements, shape, &Device::Cpu)
}

#[test]
fn several_axes_are_selected_and_assigned_together() -> Result<()> {
    for text in [
        "[[True, False, True], [False, False, True]], ::2",
        "[[True, False, True], [False, True, True]], newaxis, 1",
        "[[1, 0, 1], [0, 0, 1]], 2, ::-1",
        "::-1, [[[2], [0]], [[1], [1]]], [3, 0]",
        "1, [[1, 2], [0, 2]], ...",
    ] {
        let spec: DynSliceSpec = text.parse().expect("the text should be a slice");
        let selection = spec.resolve(&[2, 3, 4]).expect("the slice should fit");
        let (x, value) = (
            counting(&[2, 3, 4], 0)?,
            counting(selection.output_shape(), 100)?,
        );
        let mut elements: Vec<i64> = x.flatten_all()?.to_vec1()?;
        let selected = x.at(text)?;
        assert_eq!(selected.dims(), selection.output_shape(), "{text}");
        let gathered = selection
            .gather(&elements)
            .expect("the elements should fit");
        assert_eq!(
            selected.flatten_all()?.to_vec1::<i64>()?,
            gathered,
            "{text}"
        );
        let values: Vec<i64> = value.flatten_all()?.to_vec1()?;
        let assigned = selection.assign(value.dims(), &values, &mut elements);
        assigned.expect("the value should fit");
        let assigned = x.set(text, &value)?.flatten_all()?;
        assert_eq!(assigned.to_vec1::<i64>()?, elements, "{text}");
    }
    Ok(())
}
