//! Creates the slices of ONNX, PyTorch and TensorFlow, which are defined by starts, ends and steps.

use slice_core::DynSliceSpec;
use slice_core::resolve::index;
use slice_ops::{litert, onnx, openvino, tensorflow, torch};

use super::KnownOperation;
use super::arguments::ArgumentNumbers;
use crate::model::kind::Strided;
use crate::model::number::Number;

/// Returns ONNX's `Slice`, if all of its numbers are known. Returns an error if the starts or the ends are omitted.
pub(super) fn onnx_slice(
    opset: u32,
    found: &[ArgumentNumbers; 4],
) -> Result<Option<onnx::Slice>, String> {
    let all = |found: &ArgumentNumbers| match found {
        ArgumentNumbers::Numbers(numbers) => numbers.iter().map(Number::known).collect(),
        _ => None::<Vec<i64>>,
    };
    let [starts, ends, axes, steps] = found;
    for (name, bounds) in [("starts", starts), ("ends", ends)] {
        if let ArgumentNumbers::Absent = bounds {
            return Err(format!(
                "the operation lacks the required argument `{name}`"
            ));
        }
    }
    let unknown =
        |found: &ArgumentNumbers| !matches!(found, ArgumentNumbers::Absent) && all(found).is_none();
    if found.iter().any(unknown) {
        return Ok(None);
    }
    Ok(all(starts)
        .zip(all(ends))
        .map(|(starts, ends)| onnx::Slice {
            opset,
            starts,
            ends,
            axes: all(axes),
            steps: all(steps),
        }))
}

/// Returns the steps, if they are known and all starts and ends are unknown. The steps determine which converter bugs
/// affect the slice.
pub(super) fn steps_if_bounds_are_unknown(found: &[ArgumentNumbers; 4]) -> Option<Vec<i64>> {
    match found {
        [
            ArgumentNumbers::AtRunTime,
            ArgumentNumbers::AtRunTime,
            _,
            ArgumentNumbers::Numbers(steps),
        ] => steps.iter().map(Number::known).collect(),
        _ => None,
    }
}

/// Returns PyTorch's slice, if all of its numbers are known.
pub(super) fn torch_slice(dim: i64, found: &[ArgumentNumbers; 3]) -> Option<torch::Slice> {
    let one = |found: &ArgumentNumbers| match found {
        ArgumentNumbers::Absent => Some(None),
        ArgumentNumbers::Numbers(numbers) => numbers.first()?.known().map(Some),
        ArgumentNumbers::AtRunTime => None,
    };
    let [start, end, step] = found;
    Some(torch::Slice {
        dim,
        start: one(start)?,
        end: one(end)?,
        step: one(step)?.unwrap_or(1),
    })
}

/// Writes PyTorch's slice in Python's notation, like [`onnx_slice_text`].
pub(super) fn torch_slice_text(
    dim: i64,
    found: [ArgumentNumbers; 3],
    rank: Option<usize>,
) -> Option<String> {
    let [start, end, step] = found;
    let or = |found, number| match found {
        ArgumentNumbers::Absent => ArgumentNumbers::Numbers(vec![Number::Known(number)]),
        found => found,
    };
    let axis = ArgumentNumbers::Numbers(vec![Number::Known(dim)]);
    onnx_slice_text(&[or(start, 0), or(end, i64::MAX), axis, step], rank)
}

/// Writes the entries of ONNX's `Slice` in Python's notation, with a name or `?` for each unknown number. Returns
/// `None` if the items cannot be written, for example because the axes are unknown.
pub(super) fn onnx_slice_text(found: &[ArgumentNumbers; 4], rank: Option<usize>) -> Option<String> {
    let [starts, ends, axes, steps] = found;
    let numbers = |found: &ArgumentNumbers| match found {
        ArgumentNumbers::Numbers(numbers) => Some(numbers.clone()),
        _ => None,
    };
    let entries = [starts, ends, axes, steps]
        .into_iter()
        .filter_map(numbers)
        .map(|numbers| numbers.len())
        .max();
    let entries = entries.filter(|&entries| entries <= DynSliceSpec::MAX_ITEMS)?;
    let axes: Vec<i64> = match axes {
        ArgumentNumbers::Absent => (0..entries)
            .filter_map(|axis| i64::try_from(axis).ok())
            .collect(),
        ArgumentNumbers::Numbers(axes) => axes.iter().map(Number::known).collect::<Option<_>>()?,
        ArgumentNumbers::AtRunTime => return None,
    };
    let at = |found: &ArgumentNumbers, entry: usize| match found {
        ArgumentNumbers::Absent => Some(Number::Known(1)),
        ArgumentNumbers::Numbers(numbers) => numbers.get(entry).cloned(),
        ArgumentNumbers::AtRunTime => Some(Number::Unknown),
    };
    let mut items = Vec::new();
    for (entry, &axis) in axes.iter().enumerate() {
        let axis = match rank {
            Some(rank) => index(axis, rank)?,
            None => usize::try_from(axis).ok()?,
        };
        let (start, end, step) = (at(starts, entry)?, at(ends, entry)?, at(steps, entry)?);
        let forwards = step.known().is_some_and(|step| step > 0);
        let open = [i64::from(i32::MAX), i64::MAX];
        let start = if forwards && start == Number::Known(0) {
            String::new()
        } else {
            start.to_string()
        };
        let to_the_end = forwards && end.known().is_some_and(|end| open.contains(&end));
        let end = if to_the_end {
            String::new()
        } else {
            end.to_string()
        };
        let step = if step == Number::Known(1) {
            String::new()
        } else {
            format!(":{step}")
        };
        if axis >= DynSliceSpec::MAX_ITEMS {
            return None;
        }
        if items.len() <= axis {
            items.resize(axis + 1, ":".to_owned());
        }
        items[axis] = format!("{start}:{end}{step}");
    }
    Some(items.join(", "))
}

/// Creates the strided slice of `system`, which is TensorFlow, LiteRT or OpenVINO.
pub(super) fn strided_slice(
    system: &Strided,
    begin: Vec<i64>,
    end: Vec<i64>,
    strides: Option<Vec<i64>>,
) -> KnownOperation {
    let ones = vec![1; begin.len()];
    macro_rules! with_masks {
        ($Slice:path, $masks:expr, $strides:expr $(, $offset:ident: $is:expr)?) => {{
            let [begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask] =
                $masks.clone();
            $Slice {
                begin,
                end,
                strides: $strides,
                begin_mask,
                end_mask,
                ellipsis_mask,
                new_axis_mask,
                shrink_axis_mask,
                $($offset: $is,)?
            }
            .into()
        }};
    }
    match system {
        Strided::TensorFlow(masks) => {
            with_masks!(tensorflow::StridedSlice, masks, strides.unwrap_or(ones))
        }
        Strided::LiteRt { masks, offset } => {
            with_masks!(litert::StridedSlice, masks, strides.unwrap_or(ones), offset: *offset)
        }
        Strided::OpenVino(masks) => with_masks!(openvino::StridedSlice, masks, strides),
    }
}
