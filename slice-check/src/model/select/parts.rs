//! Converts the outputs of splits to slices. A *split* divides an axis into consecutive parts, one for each output.

use slice_core::resolve::index;
use slice_core::{DynSliceSpec, Item};

use super::arguments::{Finder, Undetermined};
use super::spec::spec_with_items;
use crate::model::kind::Argument;
use crate::model::number::Dim;

/// Returns the part with the index `output_index` as a slice.
pub(super) fn split(
    finder: &mut Finder<'_>,
    axis: &Argument,
    lengths: &Argument,
    output_index: usize,
    shape: Option<&[Dim]>,
) -> Result<DynSliceSpec, Undetermined> {
    let rank = shape.map(<[Dim]>::len);
    let axis = finder.axis(axis, rank)?;
    let length = rank.and_then(|rank| index(axis, rank));
    let length = length.and_then(|axis| shape?.get(axis)?.known());
    let lengths = match (finder.numbers(lengths)?, length) {
        (Some(lengths), _) => with_rest(lengths, length),
        (None, Some(length)) => equal_parts(length, finder.node.outputs.len()),
        (None, None) => return Err(Undetermined::unknown()),
    };
    let missing_length = || {
        format!(
            "there is no length for the output with the index {output_index}: {} lengths are given",
            lengths.len()
        )
    };
    let previous_lengths = lengths.get(..output_index).ok_or_else(missing_length)?;
    let len = *lengths.get(output_index).ok_or_else(missing_length)?;
    let begin = previous_lengths
        .iter()
        .try_fold(0_i64, |sum, &len| sum.checked_add(len));
    let end = begin.and_then(|begin| begin.checked_add(len));
    let (Some(begin @ 0..), Some(end)) = (begin, end) else {
        return Err(format!("the lengths {lengths:?} of the parts are invalid").into());
    };
    if let (Some(length), Ok(end)) = (length, usize::try_from(end))
        && end > length
    {
        let message = format!(
            "the parts of lengths {lengths:?} are too long for axis {axis}, which has length {length}"
        );
        return Err(message.into());
    }
    let (begin, end) = ((begin > 0).then_some(begin), Some(end));
    let step = 1;
    Ok(spec_with_items(
        &[axis],
        Item::Range { begin, end, step },
        rank,
    )?)
}

/// If exactly one length is -1 and the length of the axis is known, replaces the -1 with the remaining length of the
/// axis.
fn with_rest(mut lengths: Vec<i64>, length: Option<usize>) -> Vec<i64> {
    let others = lengths.iter().filter(|&&len| len != -1);
    let sum = others
        .clone()
        .try_fold(0_i64, |sum, &len| sum.checked_add(len));
    let length = length.and_then(|length| i64::try_from(length).ok());
    if others.count() + 1 == lengths.len()
        && let (Some(sum), Some(length)) = (sum, length)
        && let Some(rest) = lengths.iter_mut().find(|len| **len == -1)
        && length >= sum
    {
        *rest = length - sum;
    }
    lengths
}

/// Divides an axis into equal parts, as ONNX does: if the length is not a multiple of the number of parts, the last
/// parts are shorter or empty.
fn equal_parts(length: usize, parts: usize) -> Vec<i64> {
    let len = length.div_ceil(parts.max(1));
    let part = |at: usize| {
        let begin = at.saturating_mul(len).min(length);
        i64::try_from((length - begin).min(len)).unwrap_or(i64::MAX)
    };
    (0..parts).map(part).collect()
}
