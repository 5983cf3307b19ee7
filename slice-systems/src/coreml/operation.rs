//! Displays, explains and translates Core ML's operations.

use alloc::vec::Vec;
use core::fmt::{self, Display};

use slice_core::{AxisRange, DynSliceSpec, Item, OutputAxis, Selection};

use super::op::{Op, Program};
use super::{AxisEntry, SliceByIndex, defects};
use crate::axes::check_axes;
use crate::explain::Explanation;
use crate::explain::systems::Explain;
use crate::lists::Split;
use crate::lists::gather::Gather;
use crate::operation::{Operation, System};
use crate::program::ProgramOperation;
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;
use crate::translate::spec::{check_stride, items, without_redundant_bounds};

impl Display for SliceByIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Op::SliceByIndex(self.clone()).call("x"))
    }
}

impl Operation for SliceByIndex {
    const SYSTEM: System = System {
        id: "coreml",
        name: "Core ML",
        version: "coremltools 9.0",
        defects: defects::ALL,
    };

    type WithoutLists = Program;
    type WithLists = Program;

    /// Returns a program that consists of a `slice_by_index` whose bounds all lie within their axes, followed by an
    /// `expand_dims`. Operations that would change nothing are omitted.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_systems::Operation;
    /// use slice_systems::coreml::SliceByIndex;
    ///
    /// let program = SliceByIndex::from_selection(&s![-1, newaxis, 3::-1].resolve(&[4, 5])?)?.op;
    /// assert_eq!(
    ///     program.to_string(),
    ///     "mb.expand_dims(x=mb.slice_by_index(x=x, begin=[3, 3], end=[4, 0], stride=[1, -1], \
    ///      end_mask=[False, True], squeeze_mask=[True, False]), axes=[0])"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn from_selection(selection: &Selection) -> Result<Translated<Program>, TranslateError> {
        check_axes(selection.input_shape())?;
        // `items` is called only to check that no new axis has length 0.
        items(selection, |range| range)?;
        let mut ops = Vec::new();
        let mut op = SliceByIndex::default();
        let mut is_whole = true;
        for (axis, (&range, &size)) in selection
            .axes()?
            .iter()
            .zip(selection.input_shape())
            .enumerate()
        {
            let dropped = !selection.output_axes().contains(&OutputAxis::Input(axis));
            is_whole &= !dropped && range == AxisRange::whole(size);
            op.push(entry_for(range, size, dropped));
        }
        if !is_whole {
            for mask in [&mut op.begin_mask, &mut op.end_mask, &mut op.squeeze_mask] {
                if !mask.contains(&true) {
                    mask.clear();
                }
            }
            if op.stride.iter().all(|&stride| stride == 1) {
                op.stride.clear();
            }
            ops.push(Op::SliceByIndex(op));
        }
        let output = selection.output_axes().iter().enumerate();
        let axes: Vec<i64> = output
            .filter(|(_, origin)| matches!(origin, OutputAxis::New { .. }))
            .map(|(axis, _)| axis as i64)
            .collect();
        if !axes.is_empty() {
            ops.push(Op::ExpandDims { axes });
        }
        Ok(Translated::without_defects(Program { ops }))
    }

    fn from_spec_for_shape(
        spec: &DynSliceSpec,
        shape: &[usize],
    ) -> Result<Translated<Program>, TranslateError> {
        let Split { slice, lists } = Split::of_spec(spec, shape)?;
        SliceByIndex::from_selection(&slice)?.with_lists(&lists, |list| {
            let indices = list.single().cloned().ok_or(TranslateError::Missing {
                system: Self::SYSTEM.name,
                part: "points or masks on several axes in operations that coremltools evaluates",
                instead: "flatten the axes, and select the flat positions by a list",
            })?;
            let axis = list.axis_i64();
            Ok(Op::Gather(Gather { indices, axis }))
        })
    }

    /// Returns the spec that is equivalent to the operation for all shapes. There is no such spec
    /// ([`TranslateError::DependsOnLength`]) if a range with a negative stride has a bound below -2 and may select
    /// several elements, because type inference replaces such a bound with 0 if it lies before the first element.
    fn to_spec(&self) -> Result<DynSliceSpec, TranslateError> {
        self.check(self.begin.len())?;
        let mut spec = DynSliceSpec::default();
        for axis in 0..self.begin.len() {
            let entry = self.entry(axis);
            if entry.squeeze {
                spec.push(Item::Index(entry.index()))?;
                continue;
            }
            let known = entry.known_length(axis)?;
            let item = without_redundant_bounds(Item::Range {
                begin: (!entry.begin_mask).then_some(entry.begin),
                end: (!entry.end_mask).then_some(entry.end),
                step: entry.stride,
            });
            check_stride(axis, &item)?;
            // The bounds -1 and -2 lie before the first element only on axes with fewer than two elements. Type
            // inference does not replace the bounds on an axis of length 1, and every range selects nothing on an empty
            // axis.
            let has_low_bound =
                !entry.begin_mask && entry.begin < -2 || !entry.end_mask && entry.end < -2;
            if entry.stride < 0 && has_low_bound && !matches!(known, Some(0 | 1)) {
                let operation = "slice_by_index";
                return Err(TranslateError::DependsOnLength { operation, axis });
            }
            spec.push(item)?;
        }
        Ok(spec)
    }

    fn explanation(&self, shape: &[usize]) -> Explanation {
        let ops = Vec::from([Op::SliceByIndex(self.clone())]);
        Program { ops }.explain(shape)
    }
}

impl SliceByIndex {
    fn push(&mut self, entry: AxisEntry) {
        self.begin.push(entry.begin);
        self.end.push(entry.end);
        self.stride.push(entry.stride);
        self.begin_mask.push(entry.begin_mask);
        self.end_mask.push(entry.end_mask);
        self.squeeze_mask.push(entry.squeeze);
    }
}

/// Returns the entry for `range` on an axis of length `size`, with bounds that type inference and constant folding
/// interpret in the same way.
fn entry_for(range: AxisRange, size: usize, dropped: bool) -> AxisEntry {
    // Positions fit in 32 bits, because the length of the axis does.
    let begin = range.start() as i64;
    let mut entry = AxisEntry {
        begin,
        end: begin + 1,
        stride: 1,
        begin_mask: false,
        end_mask: false,
        squeeze: dropped,
    };
    let stride = range.step() as i64;
    let is_whole = range.len() == size && (stride == 1 || stride == -1);
    match range.positions().next_back() {
        _ if dropped => {}
        None => (entry.begin, entry.end) = (0, 0),
        Some(_) if is_whole => {
            (entry.begin, entry.end, entry.stride) = (0, 0, stride);
            (entry.begin_mask, entry.end_mask) = (true, true);
        }
        Some(last) if range.len() > 1 => {
            let end = last as i64 + stride.signum();
            entry.stride = stride;
            entry.end_mask = last as i64 + stride < 0;
            entry.end = if entry.end_mask { 0 } else { end };
        }
        Some(_) => {}
    }
    entry
}
