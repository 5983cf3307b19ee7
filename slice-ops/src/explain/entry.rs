//! The effect of one item, or of one axis that no item names.

use alloc::string::String;
use alloc::vec::Vec;

use slice_core::resolve::{bound, wrap};
use slice_core::{AxisRange, AxisRun, ItemRole};

/// One column of an explanation: an item and its axis, or an axis that no item names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Entry {
    /// The item, counted from 0; `None` for an axis that no item names.
    pub item: Option<usize>,
    /// The item as it was written: Python text, or begin, end and stride of an operation with colons between them.
    pub written: Option<String>,
    /// The bits that the masks of an operation have for the item, such as `new_axis`.
    pub bits: Vec<&'static str>,
    /// Its meaning, as Python text.
    pub means: String,
    /// The role of the item, after contradicting bits are resolved.
    pub role: ItemRole,
    /// The axis of the input; `None` for a new axis, for an ellipsis that covers none, and where there are too few axes.
    pub axis: Option<usize>,
    /// The length of that axis.
    pub size: Option<usize>,
    /// The begin, step by step: the first position.
    pub begin: ExplainedBound,
    /// The end, step by step: one past the last position.
    pub end: ExplainedBound,
    /// The stride as written; 1 where an axis is taken whole.
    pub stride: Option<i64>,
    /// Selection of the axis; `None` without an axis, after an error, and of a list that is no range.
    pub selected: Option<AxisRange>,
    /// The list, if the item is one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub list: Option<ExplainedList>,
    /// The axis of the result; `None` where an index drops it.
    pub output_axis: Option<usize>,
}

/// A list or mask, step by step from what was written to what it selects.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ExplainedList {
    /// The positions as written; `None` of a mask.
    pub written: Option<Vec<i64>>,
    /// The positions counted from the front.
    pub wrapped: Option<Vec<i64>>,
    /// The mask; `None` of a list of positions.
    pub mask: Option<Vec<bool>>,
    /// The positions that are selected, in the order of the result; `None` after an error.
    pub positions: Option<Vec<usize>>,
    /// The positions as runs in a constant step, from which they are copied.
    #[cfg_attr(feature = "serde", serde(serialize_with = "runs"))]
    pub runs: Option<Vec<AxisRun>>,
}

/// Start, step and length of each run.
#[cfg(feature = "serde")]
fn runs<S: serde::Serializer>(runs: &Option<Vec<AxisRun>>, to: S) -> Result<S::Ok, S::Error> {
    #[derive(serde::Serialize)]
    struct Named {
        start: usize,
        step: isize,
        len: usize,
    }
    let named = |&AxisRun { start, step, len }: &AxisRun| Named { start, step, len };
    let runs = runs
        .as_ref()
        .map(|runs| runs.iter().map(named).collect::<Vec<Named>>());
    serde::Serialize::serialize(&runs, to)
}

/// A bound, step by step from what was written to what it means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ExplainedBound {
    /// The number as written, masked or not; `None` where nothing was written.
    pub written: Option<i64>,
    /// The positions counted from the front.
    pub wrapped: Option<i64>,
    /// The position clamped to the axis.
    pub clamped: Option<i64>,
    /// The bound after masks are applied: a position on the axis, its length, or -1 for "before the first element".
    pub resolved: Option<i64>,
}

impl ExplainedBound {
    /// A bound that was written and has no effect.
    pub(crate) fn idle(written: Option<i64>) -> Self {
        ExplainedBound {
            written,
            ..ExplainedBound::default()
        }
    }

    /// A written number that another replaces.
    pub(crate) fn replaced(written: Option<i64>, resolved: i64) -> Self {
        ExplainedBound {
            written,
            resolved: Some(resolved),
            ..ExplainedBound::default()
        }
    }

    /// A bound of a range: `counts` is the number that the system takes for the one that was written, `open` the place
    /// that it means if there is none.
    pub(crate) fn of_range(
        written: Option<i64>,
        counts: Option<i64>,
        open: i64,
        stride: i64,
        size: usize,
    ) -> Self {
        let place = |written| bound(written, stride, size);
        ExplainedBound {
            written,
            wrapped: written.map(|bound| wrap(bound, size)),
            clamped: counts.or(written).map(place),
            resolved: Some(counts.map_or(open, place)),
        }
    }
}

impl Entry {
    /// The number of positions that are selected.
    pub(crate) fn len(&self) -> Option<usize> {
        match &self.list {
            Some(list) => Some(list.positions.as_ref()?.len()),
            None => Some(self.selected?.len()),
        }
    }

    /// An axis that is taken whole, whatever was written.
    pub(crate) fn whole(axis: usize, size: usize) -> Self {
        Entry {
            item: None,
            written: None,
            bits: Vec::new(),
            means: "...".into(),
            role: ItemRole::Ellipsis,
            axis: Some(axis),
            size: Some(size),
            begin: ExplainedBound::replaced(None, 0),
            end: ExplainedBound::replaced(None, size as i64),
            stride: Some(1),
            selected: Some(AxisRange::whole(size)),
            list: None,
            output_axis: None,
        }
    }
}
