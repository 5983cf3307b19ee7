//! Converts the outputs of splits to slices. A *split* divides an axis into consecutive parts, one for each output.

use slice_core::{DynSliceSpec, Item};

use super::arguments::{Finder, Undetermined};
use crate::model::Format;
use crate::model::kind::Argument;
use crate::remark::Remark;

/// Returns the part with the index `output_index` as a slice. `allows_rest` states whether a length of -1 stands for the
/// rest of the axis. `rounded_count` is described at [`Select::Split`](crate::model::kind::Select::Split).
pub(super) fn split(
    finder: &mut Finder<'_>,
    (axis, lengths): (&Argument, &Argument),
    (allows_rest, rounded_count): (bool, Option<i64>),
    output_index: usize,
) -> Result<DynSliceSpec, Undetermined> {
    let axis = finder.axis(axis)?;
    let length = finder.length(axis);
    let outputs = finder.node.outputs.len();
    // OpenVINO may omit the last outputs.
    let is_wrong = |&count: &usize| match finder.graph.format {
        Format::OpenVino => count < outputs,
        _ => count != outputs,
    };
    if let Some(count) = finder.count(lengths).filter(is_wrong) {
        return Err(
            Remark::invalid(format!("there are {count} lengths for {outputs} outputs")).into(),
        );
    }
    let lengths = match (finder.numbers(lengths)?, length) {
        (Some(lengths), _) => {
            if allows_rest {
                with_rest(lengths, length)
            } else {
                lengths
            }
        }
        (None, Some(length)) => {
            let item = equal_part((axis, length), outputs, rounded_count, output_index)?;
            return Ok(finder.spec(&[axis], item)?);
        }
        (None, None) => return Err(Undetermined::unknown()),
    };
    // A length of -1 remains if the length of the axis is unknown.
    let is_rest = |len: &i64| allows_rest && length.is_none() && *len == -1;
    let rest_count = lengths.iter().filter(|len| is_rest(len)).count();
    if rest_count > 1 || lengths.iter().any(|len| *len < 0 && !is_rest(len)) {
        return Err(
            Remark::invalid(format!("the lengths {lengths:?} of the parts are invalid")).into(),
        );
    }
    let sum = lengths
        .iter()
        .filter(|len| !is_rest(len))
        .try_fold(0_i64, |sum, &len| sum.checked_add(len));
    let sum = sum.ok_or_else(|| {
        Remark::invalid(format!(
            "the sum of the lengths {lengths:?} exceeds 64 bits"
        ))
    })?;
    if let Some(length) = length.filter(|&length| usize::try_from(sum) != Ok(length)) {
        let message = format!(
            "the lengths {lengths:?} of the parts have the sum {sum}, but axis {axis} has the length {length}"
        );
        return Err(Remark::invalid(message).into());
    }
    let rest = lengths.iter().position(is_rest);
    let item = part(&lengths, rest.unwrap_or(lengths.len()), output_index);
    Ok(finder.spec(&[axis], item)?)
}

/// Returns the range of the part with the index `at`. The part with the index `rest` has an unknown length, so the parts
/// after it are counted from the end of the axis.
fn part(lengths: &[i64], rest: usize, at: usize) -> Item {
    let before = |at: usize| lengths.iter().take(at).sum::<i64>();
    let after = |at: usize| -lengths.iter().skip(at).sum::<i64>();
    let begin = if at <= rest { before(at) } else { after(at) };
    let end = if at < rest {
        before(at + 1)
    } else {
        after(at + 1)
    };
    let (begin, end) = match (begin, end) {
        // A part without elements at the end of the axis.
        (0, 0) if at > rest => (None, Some(0)),
        (begin, 0) if at >= rest => (Some(begin), None),
        (begin, end) => (Some(begin), Some(end)),
    };
    Item::Range {
        begin: begin.filter(|&begin| begin != 0),
        end,
        step: 1,
    }
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

/// Divides an axis into equal parts, or rounds the length of a part up if there is a `rounded_count`. The last part is
/// then shorter. Returns the range of the part with the index `at`.
fn equal_part(
    (axis, length): (i64, usize),
    parts: usize,
    rounded_count: Option<i64>,
    at: usize,
) -> Result<Item, Remark> {
    let parts = parts.max(1);
    let division = || format!("axis {axis} of length {length} cannot be divided into {parts}");
    let is_too_many = |&count: &i64| i64::try_from(length).is_ok_and(|length| count > length);
    if let Some(count) = rounded_count.filter(is_too_many) {
        return Err(Remark::invalid(format!(
            "axis {axis} of length {length} cannot be divided into {count} parts"
        )));
    }
    if rounded_count.is_none() && !length.is_multiple_of(parts) {
        return Err(Remark::invalid(format!("{} equal parts", division())));
    }
    let len = length.div_ceil(parts);
    if rounded_count.is_some() && len.saturating_mul(parts - 1) >= length {
        return Err(Remark::invalid(format!(
            "{} parts of length {len}: the last part would have a negative length or none",
            division()
        )));
    }
    let begin = at.saturating_mul(len).min(length);
    let end = match at + 1 < parts {
        true => begin + len,
        false => length,
    };
    let [begin, end] = [begin, end].map(|bound| i64::try_from(bound).unwrap_or(i64::MAX));
    Ok(Item::Range {
        begin: Some(begin).filter(|&begin| begin != 0),
        end: Some(end),
        step: 1,
    })
}
