//! Converts the entries of a strided slice to Python's items, by the rules of its system.

use alloc::vec::Vec;

use slice_core::{DynSliceSpec, Item, SliceError};

use super::TranslateError;
use super::reverse::as_python;
use super::spec::check_stride;
use crate::error::OperationError;
use crate::masked_slice::MaskedSlice;

/// Returns the spec that is equivalent to `entries`, by the rules of `system`.
pub(crate) fn entries_to_spec(
    entries: &MaskedSlice<'_>,
    system: &'static str,
) -> Result<DynSliceSpec, TranslateError> {
    let rules = entries.rules;
    let items = (0..entries.len()).map(|i| {
        let (item, stride) = (entries.item(i), entries.stride(i));
        check_stride(i, &item)?;
        match item {
            Item::Index(_) if rules.checks_index_stride && stride == 0 => {
                Err(OperationError::ZeroInStrides { item: i }.into())
            }
            Item::Index(_) if rules.checks_index_stride && stride < 0 => {
                let (item, axis) = (i, None);
                Err(SliceError::IndexStride { item, axis, stride }.into())
            }
            Item::Range { begin, end, step } if rules.offset => with_length(i, begin, end, step),
            item if rules.starts_at_first => as_python(i, item, system),
            item => Ok(item),
        }
    });
    let items = items.collect::<Result<Vec<_>, TranslateError>>()?;
    Ok(DynSliceSpec::from_items(items)?)
}

/// Returns the Python range for a range that has a length instead of an end, as with LiteRT's `offset`.
fn with_length(
    item: usize,
    begin: Option<i64>,
    length: Option<i64>,
    step: i64,
) -> Result<Item, TranslateError> {
    let Some(length) = length else {
        let end = None;
        return match begin {
            Some(begin) if begin < 0 || step < 0 => Err(length_from(item, begin, None)),
            _ => Ok(Item::Range { begin, end, step }),
        };
    };
    if (length > 0) != (step > 0) {
        // The range is empty, whatever its `begin`.
        let (begin, end) = (Some(0), Some(0));
        return Ok(Item::Range { begin, end, step });
    }
    match begin {
        None if step < 0 => Ok(Item::Range {
            begin,
            end: Some(length - 1),
            step,
        }),
        _ if step > 0 && begin.is_none_or(|begin| begin >= 0) => Ok(Item::Range {
            begin,
            end: Some(begin.unwrap_or(0) + length),
            step,
        }),
        _ => Err(length_from(item, begin.unwrap_or(0), Some(length))),
    }
}

fn length_from(item: usize, begin: i64, length: Option<i64>) -> TranslateError {
    TranslateError::LengthFrom {
        item,
        begin,
        length,
    }
}
