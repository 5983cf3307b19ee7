//! Defines the notes on surprising effects of a slice.

use core::fmt::{self, Display};
use core::ops::Range;

/// Serializes each note together with its text.
#[cfg(feature = "serde")]
pub(super) fn serialize<S: serde::Serializer>(notes: &[Note], to: S) -> Result<S::Ok, S::Error> {
    #[derive(serde::Serialize)]
    struct NoteWithText<'a> {
        #[serde(flatten)]
        note: &'a Note,
        text: alloc::string::String,
    }
    to.collect_seq(notes.iter().map(|note| NoteWithText {
        note,
        text: alloc::format!("{note}"),
    }))
}

/// One of the two bounds of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub(super) enum BoundKind {
    /// The bound at which the range starts.
    Begin,
    /// The bound at which the range stops, which is excluded.
    End,
}

/// A surprising effect of a slice. `Display` writes it as a short message.
///
/// Items are counted from 0 by [`item`](Self::item), and from 1 in the message. Axes, positions and bits are always
/// counted from 0. A serialized note contains its kind and its values in addition to the message.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::Explain;
///
/// let explanation = s![..., 5:].explain(&[2, 3]);
/// let note = &explanation.notes()[0];
/// assert_eq!(note.to_string(), "begin 5 is clamped to 3 on axis 1 (item 2)");
/// assert_eq!((note.item(), note.axis()), (Some(1), Some(1)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Note(NoteKind);

impl Note {
    pub(super) const fn new(kind: NoteKind) -> Self {
        Note(kind)
    }

    /// Returns the item that the note concerns, if any. Items are counted from 0.
    #[must_use]
    pub fn item(&self) -> Option<usize> {
        match self.0 {
            NoteKind::LastNotFirst { item }
            | NoteKind::Clamped { item, .. }
            | NoteKind::Unbounded { item, .. }
            | NoteKind::StartsAtFirst { item, .. }
            | NoteKind::OpenEnd { item, .. }
            | NoteKind::Masked { item, .. }
            | NoteKind::EndOfIndex { item, .. }
            | NoteKind::NothingCovered { item }
            | NoteKind::FromTheEnd { item, .. }
            | NoteKind::NothingListed { item, .. }
            | NoteKind::Repeated { item, .. }
            | NoteKind::ListFirst { item }
            | NoteKind::Paired { item, .. }
            | NoteKind::BitIgnored { bit: item, .. } => Some(item),
            NoteKind::EmptyAxis { .. }
            | NoteKind::ImplicitEllipsis { .. }
            | NoteKind::BitsBeyond { .. }
            | NoteKind::Positions { .. } => None,
        }
    }

    /// Returns the axis of the array that the note concerns, if any.
    #[must_use]
    pub fn axis(&self) -> Option<usize> {
        match self.0 {
            NoteKind::EmptyAxis { axis, .. }
            | NoteKind::Clamped { axis, .. }
            | NoteKind::Unbounded { axis, .. }
            | NoteKind::FromTheEnd { axis, .. }
            | NoteKind::NothingListed { axis, .. }
            | NoteKind::Repeated { axis, .. }
            | NoteKind::Positions { axis, .. } => Some(axis),
            _ => None,
        }
    }
}

/// The content of a note.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "snake_case"))]
pub(super) enum NoteKind {
    /// A range selects no position of its axis.
    EmptyAxis {
        /// The axis.
        axis: usize,
        /// The length of the axis.
        size: usize,
        /// The `begin` after clamping and masking.
        begin: i64,
        /// The end after clamping and masking.
        end: i64,
        /// The stride.
        stride: i64,
    },
    /// With a negative step, an end of -1 means the last element, and not the position before the first.
    LastNotFirst {
        /// The index of the item.
        item: usize,
    },
    /// A bound outside the axis is clamped to the axis.
    Clamped {
        /// The kind of the bound.
        bound: BoundKind,
        /// The index of the item.
        item: usize,
        /// The axis.
        axis: usize,
        /// The bound as written.
        written: i64,
        /// The position to which the bound is clamped.
        place: i64,
    },
    /// A bound is so far outside the axis that it has the effect of an omitted bound.
    Unbounded {
        /// The kind of the bound.
        bound: BoundKind,
        /// The index of the item.
        item: usize,
        /// The axis.
        axis: usize,
        /// The bound as written.
        written: i64,
    },
    /// In OpenVINO and ONNX, a range with a negative step starts at the first element if its `begin` is before that
    /// element.
    StartsAtFirst {
        /// The index of the item.
        item: usize,
        /// The `begin` as written.
        written: i64,
    },
    /// With a negative step, ONNX Runtime interprets an end of INT_MAX as "down to element 0".
    OpenEnd {
        /// The index of the item.
        item: usize,
        /// The end as written.
        written: i64,
    },
    /// A bound or an index is replaced, because its mask bit is set.
    Masked {
        /// The kind of the bound.
        bound: BoundKind,
        /// The index of the item.
        item: usize,
        /// The number as written.
        written: i64,
        /// The position that is used instead.
        place: i64,
    },
    /// The end of an index differs from the index plus 1. The end is ignored.
    EndOfIndex {
        /// The index of the item.
        item: usize,
        /// The end as written.
        written: i64,
    },
    /// The slice has no ellipsis, and its items do not apply to all axes.
    ImplicitEllipsis {
        /// The axes to which no item applies.
        axes: Range<usize>,
    },
    /// The ellipsis covers no axis.
    NothingCovered {
        /// The index of the item.
        item: usize,
    },
    /// A bit of one mask is ignored, because the same bit of a different mask takes precedence.
    BitIgnored {
        /// The mask whose bit is ignored.
        mask: &'static str,
        /// The bit.
        bit: usize,
        /// The mask whose bit is used.
        winner: &'static str,
    },
    /// Bits of a mask are set beyond the last item.
    BitsBeyond {
        /// The mask.
        mask: &'static str,
        /// The lowest of these bits.
        bit: usize,
        /// The number of items.
        items: usize,
    },
    /// A list contains a position that is counted from the end.
    FromTheEnd {
        /// The index of the item.
        item: usize,
        /// The axis.
        axis: usize,
        /// The index of the first such position in the list, counted from 0.
        place: usize,
        /// The position as written.
        written: i64,
        /// The position counted from the front.
        position: i64,
        /// The number of other such positions.
        others: usize,
    },
    /// A list or mask selects nothing.
    NothingListed {
        /// The index of the item.
        item: usize,
        /// The axis.
        axis: usize,
        /// The length of the axis.
        size: usize,
    },
    /// A list contains a position more than once.
    Repeated {
        /// The index of the item.
        item: usize,
        /// The axis.
        axis: usize,
        /// The lowest such position.
        position: usize,
        /// The number of times that the position occurs.
        times: usize,
        /// The number of other repeated positions.
        others: usize,
    },
    /// In NumPy's `x[...]`, the axis of the only list would come before all other axes.
    ListFirst {
        /// The index of the item.
        item: usize,
    },
    /// NumPy's `x[...]` would pair the lists element by element.
    Paired {
        /// The index of the first item that is a list.
        item: usize,
        /// The index of the second item that is a list.
        second: usize,
    },
    /// An index is out of bounds. The note states the valid indices of the axis.
    Positions {
        /// The axis.
        axis: usize,
        /// The length of the axis.
        size: usize,
    },
}

/// Writes the number of other positions that a note concerns.
fn write_others(f: &mut fmt::Formatter<'_>, others: usize) -> fmt::Result {
    match others {
        0 => Ok(()),
        1 => write!(f, " (likewise for 1 other position)"),
        others => write!(f, " (likewise for {others} other positions)"),
    }
}

impl Display for BoundKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BoundKind::Begin => "begin",
            BoundKind::End => "end",
        })
    }
}

impl Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            NoteKind::EmptyAxis { axis, size: 0, .. } => {
                write!(f, "nothing is selected on axis {axis}: its length is 0")
            }
            NoteKind::EmptyAxis {
                axis,
                begin,
                end,
                stride,
                ..
            } if stride > 0 => {
                write!(
                    f,
                    "nothing is selected on axis {axis}: begin {begin} is not before end {end}"
                )
            }
            NoteKind::EmptyAxis {
                axis, begin, end, ..
            } => write!(
                f,
                "nothing is selected on axis {axis}: the step is negative, and begin {begin} is not after end {end}"
            ),
            NoteKind::LastNotFirst { item } => write!(
                f,
                "end -1 (item {}) means the last element; omit the end to reach element 0",
                item + 1
            ),
            NoteKind::Clamped {
                bound,
                item,
                axis,
                written,
                place,
            } => {
                write!(f, "{bound} {written} is clamped to {place}")?;
                if place < 0 {
                    f.write_str(", before the first element,")?;
                }
                write!(f, " on axis {axis} (item {})", item + 1)
            }
            NoteKind::Unbounded {
                bound,
                item,
                axis,
                written,
            } => {
                let way = match bound {
                    BoundKind::Begin => "from",
                    BoundKind::End => "to",
                };
                let edge = if written < 0 { "beginning" } else { "end" };
                write!(
                    f,
                    "{bound} {written} (item {}) means \"{way} the {edge}\" of axis {axis}",
                    item + 1
                )
            }
            NoteKind::StartsAtFirst { item, written } => write!(
                f,
                "begin {written} (item {}) is before the first element: this operation starts at element 0, but \
                 Python would select nothing",
                item + 1
            ),
            NoteKind::OpenEnd { item, written } => write!(
                f,
                "end {written} (item {}) means \"down to element 0\" in ONNX Runtime; according to the ONNX \
                 specification, the range selects nothing",
                item + 1
            ),
            NoteKind::Masked {
                bound,
                item,
                written,
                place,
            } => write!(
                f,
                "{bound} {written} (item {}) is ignored: {bound} bit {item} is set, and {place} is used instead",
                item + 1
            ),
            NoteKind::EndOfIndex { item, written } => write!(
                f,
                "end {written} (item {}) is ignored: an index uses only its begin",
                item + 1
            ),
            NoteKind::ImplicitEllipsis { ref axes } if axes.len() == 1 => {
                write!(f, "an implicit ellipsis covers axis {}", axes.start)
            }
            NoteKind::ImplicitEllipsis { ref axes } => {
                write!(
                    f,
                    "an implicit ellipsis covers axes {} to {}",
                    axes.start,
                    axes.end - 1
                )
            }
            NoteKind::NothingCovered { item } => write!(
                f,
                "the ellipsis (item {}) covers no axis, because the other items apply to all axes",
                item + 1
            ),
            NoteKind::BitIgnored { mask, bit, winner } => {
                write!(
                    f,
                    "{mask} bit {bit} is ignored: the {winner} bit takes precedence"
                )
            }
            NoteKind::BitsBeyond { mask, bit, items } => write!(
                f,
                "{mask} bits {bit} and above are ignored: the number of items is {items}"
            ),
            NoteKind::FromTheEnd {
                item,
                axis,
                place,
                written,
                position,
                others,
            } => {
                write!(
                    f,
                    "{written} at index {place} of the list in item {} counts from the end: it selects position \
                     {position} of axis {axis}",
                    item + 1
                )?;
                write_others(f, others)
            }
            NoteKind::NothingListed { item, axis, .. } => {
                write!(
                    f,
                    "nothing is selected on axis {axis}: item {} selects no positions",
                    item + 1
                )
            }
            NoteKind::Repeated {
                item,
                axis,
                position,
                times,
                others,
            } => {
                write!(
                    f,
                    "position {position} of axis {axis} is selected {times} times by item {}",
                    item + 1
                )?;
                write_others(f, others)?;
                f.write_str("; if several values are assigned to one element, the last one remains")
            }
            NoteKind::ListFirst { item } => write!(
                f,
                "each item applies to its own axis; in NumPy's x[...], the axis of item {} would come first, because \
                 other items separate the list from an index",
                item + 1
            ),
            NoteKind::Paired { item, second } => write!(
                f,
                "each item applies to its own axis, as with np.ix_; NumPy's x[...] would pair items {} and {} element \
                 by element",
                item + 1,
                second + 1
            ),
            NoteKind::Positions { axis, size: 0 } => {
                write!(f, "axis {axis} has length 0, so it has no valid index")
            }
            NoteKind::Positions { axis, size } => write!(
                f,
                "the valid indices of axis {axis} are 0 to {}, or -{size} to -1 from the end",
                size - 1
            ),
        }
    }
}
