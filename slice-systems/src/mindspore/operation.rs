//! Displays, explains and translates MindSpore's `StridedSlice`.
//!
//! See [`mindspore`](super) for the terms. MindSpore does not allow more entries than the input has axes, but an
//! ellipsis or a new axis needs an entry and consumes no axis. A new axis, or an ellipsis before other items, can
//! therefore be expressed only if other axes need no entry.
//!
//! MindSpore implements the operation in two ways. If all masks are 0 and all strides are positive, the result is a
//! view. Otherwise, a kernel copies the elements, and for many slices, it copies the wrong elements. The translation
//! therefore uses masks and negative strides only if a view cannot express the slice.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display};

use slice_core::{AxisRange, DynSliceSpec, Item, Selection};

use super::defects;
use super::kernel::{kernel_defects, possible_kernel_defects};
use crate::explain::Explanation;
use crate::explain::systems::explain_operation;
use crate::lists::gather::{Gather, GatherNd, indices_text};
use crate::masked_slice::Keywords;
use crate::mindspore::{Program, StridedSlice};
use crate::operation::{Operation, System};
use crate::slice_and_gather::GatherAfterSlice;
use crate::translate::defect::Translated;
use crate::translate::entries::entries_to_spec;
use crate::translate::error::TranslateError;
use crate::translate::reverse::forward_range;
use crate::translate::spec::{EncodedItems, WHOLE, begin_end_step, items, shortest, strided_items};

/// Displays numbers as a Python tuple.
struct Tuple<'a>(&'a [i64]);

impl Display for Tuple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (i, number) in self.0.iter().enumerate() {
            write!(f, "{}{number}", if i > 0 { ", " } else { "" })?;
        }
        f.write_str(if self.0.len() == 1 { ",)" } else { ")" })
    }
}

impl Display for StridedSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [begin, end, strides] = [&self.begin, &self.end, &self.strides].map(|v| Tuple(v));
        let masks = Keywords(self.masks());
        write!(f, "ops.strided_slice(x, {begin}, {end}, {strides}{masks})")
    }
}

impl Operation for StridedSlice {
    const SYSTEM: System = System {
        id: "mindspore",
        name: "MindSpore",
        version: "2.10.0",
        defects: defects::ALL,
    };

    type WithoutLists = Self;
    type WithLists = Program;

    /// Returns an operation without masks if a view can express the slice.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::Operation;
    /// use slice_systems::mindspore::StridedSlice;
    /// use slice_core::s;
    ///
    /// let op = StridedSlice::from_spec(&s![1:, ::2, ...].to_dyn())?.op;
    /// assert_eq!((op.begin, op.end, op.strides), (vec![1, 0], vec![i64::MAX; 2], vec![1, 2]));
    /// assert_eq!(op.end_mask, 0);
    /// # Ok::<(), slice_systems::translate::TranslateError>(())
    /// ```
    fn from_spec(spec: &DynSliceSpec) -> Result<Translated<Self>, TranslateError> {
        let items = strided_items(spec, Self::SYSTEM.name)?;
        let mut items: Vec<Item> = items.into_iter().map(forward_range).collect();
        let whole_at_end = items
            .iter()
            .rev()
            .take_while(|item| **item == WHOLE)
            .count();
        // An ellipsis that is followed only by `:` is equivalent to an ellipsis at the end, which can be omitted.
        let last = items.len() - whole_at_end;
        if last > 0 && items[last - 1] == Item::Ellipsis {
            items.remove(last - 1);
        }
        if items.iter().any(consumes_no_axis) {
            let rank = items.iter().filter(|item| !consumes_no_axis(item)).count();
            return Err(spare_entry(&items, rank));
        }
        if !is_forward(&items) {
            let defects = possible_kernel_defects(&items);
            let op = encode(&items)?;
            return Ok(Translated { op, defects });
        }
        // For a view, MindSpore adds the step to the distance from the `begin` to the end. With a step of at most
        // `i64::MAX / 2`, the sum overflows only on an axis with more than `i64::MAX / 2` elements, which does not
        // occur in practice.
        let is_wide = |&step: &i64| step > i64::MAX / 2;
        let op = encode_view(items.iter().filter_map(|item| match *item {
            Item::Range { begin, end, step } => {
                Some((begin.unwrap_or(0), end.unwrap_or(i64::MAX), step))
            }
            _ => None,
        }));
        let overflow = op
            .strides
            .iter()
            .any(is_wide)
            .then_some(defects::VIEW_OVERFLOW);
        Ok(Translated {
            op,
            defects: overflow.into_iter().collect(),
        })
    }

    fn from_selection(selection: &Selection) -> Result<Translated<Self>, TranslateError> {
        // An empty selection has no elements whose order matters, so its ranges can be written as forward ranges.
        let map_range = match selection.is_empty() {
            true => AxisRange::ascending,
            false => |range| range,
        };
        let mut items = items(selection, map_range)?;
        if is_forward(&items) {
            let ranges = selection.axes()?.iter();
            let ranges = ranges.map(|&range| begin_end_step(map_range(range)));
            return Ok(Translated::without_defects(encode_view(ranges)));
        }
        let shortest_items = shortest(items.clone());
        while items.pop_if(|last| *last == WHOLE).is_some() {}
        let rank = selection.input_shape().len();
        let translated = |items: &[Item]| {
            if items.len() > rank {
                return Err(spare_entry(items, rank));
            }
            Ok(Translated {
                op: encode(items)?,
                defects: kernel_defects(items, selection),
            })
        };
        // An ellipsis saves entries, but the kernel applies the entries after it to the wrong axes. The operation
        // without an ellipsis is therefore preferred, unless it is invalid or affected by more defects.
        match (translated(&items), translated(&shortest_items)) {
            (Ok(full), Ok(shortest)) if full.defects.len() > shortest.defects.len() => Ok(shortest),
            (Ok(full), _) => Ok(full),
            (Err(_), shortest) => shortest,
        }
    }

    fn to_spec(&self) -> Result<DynSliceSpec, TranslateError> {
        entries_to_spec(&self.checked()?, Self::SYSTEM.name)
    }

    fn from_spec_for_shape(
        spec: &DynSliceSpec,
        shape: &[usize],
    ) -> Result<Translated<Program>, TranslateError> {
        Program::from_spec(spec, shape)
    }

    fn explanation(&self, shape: &[usize]) -> Explanation {
        let outcome = self.resolve(shape);
        explain_operation("MindSpore's StridedSlice", self.checked(), shape, outcome)
    }
}

impl GatherAfterSlice for StridedSlice {
    const GATHER: &'static str = "ops.gather";

    const GATHER_ND: &'static str = "ops.gather_nd";

    fn gather_arguments(gather: &Gather) -> String {
        format!("Tensor({}), {}", indices_text(&gather.indices), gather.axis)
    }

    fn gather_nd_arguments(gather: &GatherNd) -> String {
        format!("Tensor({})", indices_text(&gather.indices))
    }
}

/// Returns `true` if the item becomes an entry that consumes no axis.
fn consumes_no_axis(item: &Item) -> bool {
    matches!(item, Item::Ellipsis | Item::NewAxis)
}

/// Returns the error for more entries than axes. The error names the first new axis or, if there is none, the ellipsis.
fn spare_entry(items: &[Item], rank: usize) -> TranslateError {
    let new_axis = items.iter().position(|item| *item == Item::NewAxis);
    let item = new_axis.or_else(|| items.iter().position(consumes_no_axis));
    TranslateError::SpareEntry {
        item: item.unwrap_or_default(),
        entries: items.len(),
        rank,
    }
}

/// Returns `true` if a view can express the items, that is, if all of them are forward ranges.
fn is_forward(items: &[Item]) -> bool {
    let is_forward_range = |item: &Item| matches!(item, Item::Range { step, .. } if *step > 0);
    items.iter().all(is_forward_range)
}

fn encode_view(ranges: impl Iterator<Item = (i64, i64, i64)>) -> StridedSlice {
    let mut op = StridedSlice::default();
    for (begin, end, stride) in ranges {
        op.begin.push(begin);
        op.end.push(end);
        op.strides.push(stride);
    }
    op
}

fn encode(items: &[Item]) -> Result<StridedSlice, TranslateError> {
    let (vectors, masks) = EncodedItems::new(items)?.into_bit_masked()?;
    Ok(StridedSlice::from_parts(vectors, masks))
}
