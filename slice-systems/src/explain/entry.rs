//! Describes the effect of one item, or of one axis to which no item applies.

use alloc::string::String;
use alloc::vec::Vec;

use slice_core::resolve::{wrap, wrap_and_clamp};
use slice_core::{AxisRange, ItemRole};

/// One column of an explanation: an item and its axis, or an axis to which no item applies.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::Explain;
///
/// let explanation = s![1, ::-2].explain(&[4, 5]);
/// let entry = &explanation.entries[1];
/// assert_eq!((entry.written.as_deref(), entry.axis, entry.output_axis), (Some("::-2"), Some(1), Some(0)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Entry {
    /// The index of the item, counted from 0, or `None` for an axis to which no item applies.
    pub item: Option<usize>,
    /// The item as written, in Python's notation, or the `begin`, `end` and stride of an operation, separated by
    /// colons. `None` for an axis to which no item applies, and for all but the first axis of an ellipsis.
    pub written: Option<String>,
    /// The mask bits that an operation sets for the item, such as `new_axis`.
    pub bits: Vec<&'static str>,
    /// The meaning of the item, in Python's notation.
    pub means: String,
    /// The role of the item, after contradictory mask bits are resolved.
    pub role: ItemRole,
    /// The axis of the input. `None` for a new axis, for an ellipsis that covers no axis, and for every entry if the
    /// array has too few axes or too many elements.
    pub axis: Option<usize>,
    /// The length of the input axis, or `None` if `axis` is `None`.
    pub size: Option<usize>,
    /// The `begin` as written, and after each stage of the computation. For an index, these are the index and its
    /// position.
    pub begin: ExplainedBound,
    /// The end as written, and after each stage of the computation.
    pub end: ExplainedBound,
    /// The stride as written, 1 for an axis covered by an ellipsis, or `None` if the item has no stride.
    pub stride: Option<i64>,
    /// The selected positions of the axis, or `None` if there is no axis, if an error prevents the computation, or if
    /// the item is a list that is not equivalent to a range.
    pub selected: Option<AxisRange>,
    /// The list or mask, if the item is one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub list: Option<ExplainedList>,
    /// The axis of the result. `None` for an index, for an ellipsis that covers no axis, and for every entry if the
    /// slice does not fit the array.
    pub output_axis: Option<usize>,
}

/// A list or mask as written, and after each stage of the computation.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::Explain;
///
/// let explanation = s![[-1, 0, 1]].explain(&[5]);
/// let list = explanation.entries[0].list.as_ref().ok_or("the item is a list")?;
/// assert_eq!((&list.written, &list.positions), (&Some(vec![-1, 0, 1]), &Some(vec![4, 0, 1])));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ExplainedList {
    /// The positions as written; `None` for a mask.
    pub written: Option<Vec<i64>>,
    /// The positions as written, but all counted from the front; `None` for a mask, or if the list has no axis.
    pub wrapped: Option<Vec<i64>>,
    /// The mask; `None` for a list of positions.
    pub mask: Option<Vec<bool>>,
    /// The selected positions, in the order of the result; `None` after an error.
    pub positions: Option<Vec<usize>>,
    /// The selected positions, divided into runs, which are consecutive positions with a constant step; `None` after an
    /// error.
    pub runs: Option<Vec<AxisRange>>,
}

/// A bound as written, and after each stage of the computation.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::Explain;
///
/// let explanation = s![-9:].explain(&[5]);
/// let begin = explanation.entries[0].begin;
/// assert_eq!((begin.written, begin.wrapped, begin.clamped, begin.resolved), (Some(-9), Some(-4), Some(0), Some(0)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ExplainedBound {
    /// The number as written, even if it is masked; `None` if the bound is omitted.
    pub written: Option<i64>,
    /// The bound counted from the front, which may lie outside the axis.
    pub wrapped: Option<i64>,
    /// The bound clamped to the axis.
    pub clamped: Option<i64>,
    /// The bound after masks are applied: a position on the axis, the length of the axis, or -1 for "before the first
    /// element".
    pub resolved: Option<i64>,
}

impl ExplainedBound {
    /// Creates a bound that has no effect, from the number as written.
    pub(crate) fn without_effect(written: Option<i64>) -> Self {
        ExplainedBound {
            written,
            ..ExplainedBound::default()
        }
    }

    /// Creates a bound for which `resolved` is used instead of the number as written.
    pub(crate) fn replaced(written: Option<i64>, resolved: i64) -> Self {
        ExplainedBound {
            written,
            resolved: Some(resolved),
            ..ExplainedBound::default()
        }
    }

    /// Creates a bound of a range. `effective` is the bound that the system uses, which may differ from `written`, or
    /// `None` if the bound is omitted or masked. `default` is the resolved position of an omitted bound.
    pub(crate) fn of_range(
        written: Option<i64>,
        effective: Option<i64>,
        default: i64,
        stride: i64,
        size: usize,
    ) -> Self {
        let clamp = |written| wrap_and_clamp(written, stride, size);
        ExplainedBound {
            written,
            wrapped: written.map(|bound| wrap(bound, size)),
            clamped: effective.or(written).map(clamp),
            resolved: Some(effective.map_or(default, clamp)),
        }
    }
}

impl Entry {
    /// Returns the number of selected positions, if it is known.
    pub(crate) fn len(&self) -> Option<usize> {
        match &self.list {
            Some(list) => Some(list.positions.as_ref()?.len()),
            None => Some(self.selected?.len()),
        }
    }

    /// Creates the entry of an axis to which no item applies, and which is therefore selected in full.
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
