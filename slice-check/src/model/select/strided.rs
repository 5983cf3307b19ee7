//! Creates and formats slices of ONNX, PyTorch and TensorFlow, which are defined by starts, ends and steps.

use slice_core::DynSliceSpec;
use slice_core::resolve::index;
use slice_systems::{litert, onnx, openvino, tensorflow, torch};

use super::KnownOperation;
use super::arguments::{ArgumentNumbers, Finder, Undetermined, missing};
use crate::model::kind::{Argument, Strided};
use crate::model::number::Number;

/// Returns ONNX's `Slice`.
pub(super) fn onnx_slice(
    finder: &mut Finder<'_>,
    opset: u32,
    bounds: &[Argument; 4],
) -> Result<onnx::Slice, Undetermined> {
    let numbers = finder.find_all(bounds);
    // An omitted argument is a mistake even if other numbers are unknown.
    for (name, numbers) in ["starts", "ends"].into_iter().zip(&numbers) {
        if matches!(numbers, ArgumentNumbers::Absent) {
            return Err(missing(name).into());
        }
    }
    let known = numbers.each_ref().map(ArgumentNumbers::known);
    let [Some(starts), Some(ends), Some(axes), Some(steps)] = known else {
        let mut slice = finder.at_run_time(onnx_slice_text(&numbers, finder.rank()));
        slice.steps = steps_if_bounds_are_unknown(&numbers);
        return Err(Undetermined::AtRunTime(slice));
    };
    Ok(onnx::Slice {
        opset,
        starts: starts.unwrap_or_default(),
        ends: ends.unwrap_or_default(),
        axes,
        steps,
    })
}

/// Returns the index, start, end and step of each entry of a slice.
pub fn entries(slice: &onnx::Slice) -> impl Iterator<Item = (usize, i64, i64, i64)> {
    let steps = slice.steps.as_deref().unwrap_or_default();
    let step = |at: usize| steps.get(at).copied().unwrap_or(1);
    let bounds = slice.starts.iter().zip(&slice.ends).enumerate();
    bounds.map(move |(at, (&start, &end))| (at, start, end, step(at)))
}

/// Returns the axis of the entry with the index `at`, or `None` if there is no such axis.
pub fn axis_of_entry(slice: &onnx::Slice, at: usize, rank: usize) -> Option<usize> {
    match &slice.axes {
        Some(axes) => index(*axes.get(at)?, rank),
        None => Some(at),
    }
}

/// Returns the steps if they are known and all starts and ends are unknown, and `None` otherwise. From the steps, the
/// report determines which converter bugs affect the slice.
fn steps_if_bounds_are_unknown(arguments: &[ArgumentNumbers; 4]) -> Option<Vec<i64>> {
    match arguments {
        [
            ArgumentNumbers::AtRunTime,
            ArgumentNumbers::AtRunTime,
            _,
            ArgumentNumbers::Numbers(steps),
        ] => steps.iter().map(Number::known).collect(),
        _ => None,
    }
}

/// Returns PyTorch's slice.
pub(super) fn torch_slice(
    finder: &mut Finder<'_>,
    dim: i64,
    bounds: &[Argument; 3],
) -> Result<torch::Slice, Undetermined> {
    let numbers = finder.find_all(bounds);
    let known = numbers.each_ref().map(ArgumentNumbers::known);
    let [Some(start), Some(end), Some(step)] = known else {
        let text = torch_slice_text(dim, numbers, finder.rank());
        return Err(Undetermined::AtRunTime(finder.at_run_time(text)));
    };
    let [start, end, step] = [start, end, step].map(|numbers| numbers?.first().copied());
    Ok(torch::Slice {
        dim,
        start,
        end,
        step: step.unwrap_or(1),
    })
}

/// Returns PyTorch's slice in Python's notation, like [`onnx_slice_text`].
fn torch_slice_text(
    dim: i64,
    arguments: [ArgumentNumbers; 3],
    rank: Option<usize>,
) -> Option<String> {
    let [start, end, step] = arguments;
    let with_default = |argument, number| match argument {
        ArgumentNumbers::Absent => ArgumentNumbers::Numbers([Number::Known(number)].into()),
        argument => argument,
    };
    let axis = ArgumentNumbers::Numbers([Number::Known(dim)].into());
    onnx_slice_text(
        &[
            with_default(start, 0),
            with_default(end, i64::MAX),
            axis,
            step,
        ],
        rank,
    )
}

/// Returns ONNX's `Slice` in Python's notation, with a name or `?` for each unknown number. Returns `None` if the slice
/// cannot be written, for example because the axes are unknown.
fn onnx_slice_text(arguments: &[ArgumentNumbers; 4], rank: Option<usize>) -> Option<String> {
    let [starts, ends, axes, steps] = arguments;
    let numbers = |argument: &ArgumentNumbers| match argument {
        ArgumentNumbers::Numbers(numbers) => Some(numbers.clone()),
        _ => None,
    };
    let entry_count = [starts, ends, axes, steps]
        .into_iter()
        .filter_map(numbers)
        .map(|numbers| numbers.len())
        .max();
    let entry_count = entry_count.filter(|&count| count <= DynSliceSpec::MAX_ITEMS)?;
    let axes: Vec<i64> = match axes {
        ArgumentNumbers::Absent => (0..entry_count)
            .filter_map(|axis| i64::try_from(axis).ok())
            .collect(),
        ArgumentNumbers::Numbers(axes) => axes.iter().map(Number::known).collect::<Option<_>>()?,
        ArgumentNumbers::AtRunTime => return None,
    };
    let number_at = |argument: &ArgumentNumbers, entry: usize| match argument {
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
        let (start, end, step) = (
            number_at(starts, entry)?,
            number_at(ends, entry)?,
            number_at(steps, entry)?,
        );
        let has_positive_step = step.known().is_some_and(|step| step > 0);
        let sentinel_ends = [i64::from(i32::MAX), i64::MAX];
        let is_start = has_positive_step && start == Number::Known(0);
        let is_end =
            has_positive_step && end.known().is_some_and(|end| sentinel_ends.contains(&end));
        let text = |is_omitted: bool, text: String| if is_omitted { String::new() } else { text };
        let (start, end) = (
            text(is_start, start.to_string()),
            text(is_end, end.to_string()),
        );
        let step = text(step == Number::Known(1), format!(":{step}"));
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
        ($Slice:path, $masks:expr, $strides:expr $(, $offset:ident: $value:expr)?) => {{
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
                $($offset: $value,)?
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
        Strided::OpenVino(masks) => {
            let masks = masks.each_ref().map(|mask| mask.to_vec());
            with_masks!(openvino::StridedSlice, masks, strides)
        }
    }
}
