//! Displays, explains and translates LiteRT's `STRIDED_SLICE`.

use alloc::vec::Vec;
use core::fmt::{self, Display};

use slice_core::{DynSliceSpec, Item, ItemRole, Selection};

use super::{INT32_MIN, Op, Program, StridedSlice, defects};
use crate::axes::check_axes;
use crate::explain::Explanation;
use crate::explain::systems::explain_operation;
use crate::lists::Split;
use crate::lists::gather::{check_points_of, gather_of_list};
use crate::litert::error::KernelError;
use crate::masked_slice::Keywords;
use crate::operation::{Operation, System};
use crate::tensorflow::{MAX_ENTRIES, check_entry_count};
use crate::translate::defect::Translated;
use crate::translate::entries::entries_to_spec;
use crate::translate::error::TranslateError;
use crate::translate::spec::{EncodedItems, WHOLE, items, strided_items, without_redundant_bounds};

/// Displays the operator as a call, with its constant operands and its options.
impl Display for StridedSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (begin, end, strides) = (&self.begin, &self.end, &self.strides);
        let masks = Keywords(self.masks());
        let offset = if self.offset { ", offset=True" } else { "" };
        write!(
            f,
            "STRIDED_SLICE(x, {begin:?}, {end:?}, {strides:?}{masks}{offset})"
        )
    }
}

impl Operation for StridedSlice {
    const SYSTEM: System = System {
        id: "litert",
        name: "LiteRT",
        version: "2.3.0",
        defects: defects::ALL,
    };

    type WithoutLists = Self;
    type WithLists = Program;

    /// Returns an operator that selects the same elements as `spec` for all shapes with at most `i32::MAX` elements on
    /// each axis.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::Operation;
    /// use slice_systems::litert::StridedSlice;
    /// use slice_core::s;
    ///
    /// let op = StridedSlice::from_spec(&s![newaxis, 1:, ::-1].to_dyn())?.op;
    /// assert_eq!((op.begin_mask, op.end_mask, op.new_axis_mask), (4, 6, 1));
    ///
    /// let refused = StridedSlice::from_spec(&s![..., 1:].to_dyn()).unwrap_err();
    /// assert!(refused.to_string().starts_with("the ellipsis (item 1) covers no axis for some shapes"));
    /// # Ok::<(), slice_systems::translate::TranslateError>(())
    /// ```
    fn from_spec(spec: &DynSliceSpec) -> Result<Translated<Self>, TranslateError> {
        let items = strided_items(spec, Self::SYSTEM.name)?.into_iter();
        let mut items: Vec<Item> = items.map(without_redundant_bounds).collect();
        if let Some(item) = items.iter().position(|item| *item == Item::Ellipsis) {
            if items[item + 1..].iter().any(|item| *item != WHOLE) {
                let system = Self::SYSTEM.name;
                return Err(TranslateError::EmptyEllipsis { item, system });
            }
            // An ellipsis that is followed only by `:` is equivalent to an ellipsis at the end, which can be omitted.
            items.remove(item);
        }
        let mut defects = Vec::new();
        if items.iter().any(|item| matches!(item, Item::Index(_))) {
            defects.push(defects::UNCHECKED_INDEX);
        }
        if !items.iter().any(|item| item.input_axes() == Some(1)) {
            defects.push(defects::SCALAR_INPUT);
        }
        let op = encode(&items)?;
        Ok(Translated { op, defects })
    }

    /// Returns an operator without an ellipsis.
    fn from_selection(selection: &Selection) -> Result<Translated<Self>, TranslateError> {
        check_axes(selection.input_shape())?;
        let mut items = items(selection, |range| range)?;
        let rank = items.len();
        while items.pop_if(|last| *last == WHOLE).is_some() {}
        if rank > MAX_ENTRIES {
            let limit = MAX_ENTRIES;
            return Err(KernelError::Rank { rank, limit }.into());
        }
        let mut defects = Vec::new();
        if selection.input_shape().is_empty() {
            defects.push(defects::SCALAR_INPUT);
        }
        let op = encode(&items)?;
        Ok(Translated { op, defects })
    }

    /// Returns the spec that is equivalent to the operator for all shapes. If `offset` is set, there is no such spec if
    /// the first position of a range depends on the length of its axis ([`TranslateError::LengthFrom`]).
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::Operation;
    /// use slice_systems::litert::StridedSlice;
    ///
    /// let op = StridedSlice {
    ///     begin: vec![1, 2],
    ///     end: vec![3, 0],
    ///     strides: vec![1, 1],
    ///     shrink_axis_mask: 2,
    ///     offset: true,
    ///     ..StridedSlice::default()
    /// };
    /// assert_eq!(op.to_spec()?.to_string(), "1:4, 2");
    /// # Ok::<(), slice_systems::translate::TranslateError>(())
    /// ```
    fn to_spec(&self) -> Result<DynSliceSpec, TranslateError> {
        let entries = self.checked()?;
        // If `offset` is set, an ellipsis is valid only at the end, and only for shapes for which it covers no axis.
        let last = entries.len().checked_sub(1);
        let is_unsupported = |(item, role)| match role {
            ItemRole::Ellipsis => Some(item) != last,
            ItemRole::NewAxis => true,
            ItemRole::Index | ItemRole::Range => false,
        };
        if self.offset
            && let Some(item) = entries.roles().enumerate().position(is_unsupported)
        {
            let (entries, axes) = (item, entries.len());
            let error = KernelError::OffsetElsewhere { entries, axes };
            return Err(error.into());
        }
        let is_lowest = |(item, role)| role == ItemRole::Range && entries.stride(item) == INT32_MIN;
        if let Some(item) = entries.roles().enumerate().position(is_lowest) {
            return Err(KernelError::LowestStride { item, axis: item }.into());
        }
        entries_to_spec(&entries, Self::SYSTEM.name)
    }

    fn from_spec_for_shape(
        spec: &DynSliceSpec,
        shape: &[usize],
    ) -> Result<Translated<Program>, TranslateError> {
        check_axes(shape)?;
        let Split { slice, lists } = Split::of_spec(spec, shape)?;
        let program = Translated::of_slice(&slice, Op::StridedSlice)?;
        let system = Self::SYSTEM.name;
        let program = program.with_lists(&lists, |list| {
            gather_of_list(list, system, Op::Gather, Op::GatherNd)
        })?;
        if program
            .op
            .ops
            .iter()
            .any(|op| matches!(op, Op::GatherNd(_)))
        {
            check_points_of(&spec.resolve(shape)?, system)?;
        }
        Ok(program)
    }

    fn explanation(&self, shape: &[usize]) -> Explanation {
        let outcome = self.resolve(shape);
        explain_operation("LiteRT's STRIDED_SLICE", self.checked(), shape, outcome)
    }
}

/// Returns the 32-bit integer nearest to a bound or a stride. It has the same meaning, because no axis is longer than
/// `i32::MAX`.
fn narrow(number: i64) -> i64 {
    number.clamp(INT32_MIN, i32::MAX.into())
}

fn encode(items: &[Item]) -> Result<StridedSlice, TranslateError> {
    check_entry_count(items.len())?;
    let items = items.iter().map(|item| match item {
        // If the stride is 1, XNNPACK treats an end of 0 as the end of the axis, so this range is replaced with a
        // different empty range.
        Item::Range {
            end: Some(0),
            step: 1,
            ..
        } => {
            let (begin, end) = (Some(i64::MAX), Some(i64::MAX));
            Item::Range {
                begin,
                end,
                step: 1,
            }
        }
        item => item.clone(),
    });
    let (vectors, masks) = EncodedItems::new(&items.collect::<Vec<_>>())?.into_bit_masked()?;
    let [begin, end, strides] =
        vectors.map(|numbers| numbers.into_iter().map(narrow).collect::<Vec<_>>());
    let strides = strides.into_iter().map(|stride| stride.max(INT32_MIN + 1));
    let vectors = [begin, end, strides.collect()];
    Ok(StridedSlice::from_parts(vectors, masks))
}
