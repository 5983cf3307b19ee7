//! Displays, explains and translates StableHLO's operations.

use alloc::vec::Vec;
use core::fmt::{self, Display};

use slice_core::{DynSliceSpec, Item, OutputAxis, Selection};

use super::op::{Op, Program};
use super::{Slice, defects};
use crate::explain::Explanation;
use crate::explain::systems::Explain;
use crate::lists::gather::points_of_lists;
use crate::lists::{Operations, Split};
use crate::operation::{Operation, System};
use crate::program::ProgramOperation;
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;
use crate::translate::spec::{begin_end_step, items, reversed_output_axes};

/// Displays the operation as MLIR, without the types of the operand and the result.
impl Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Op::Slice(self.clone()).call("%x"))
    }
}

impl Operation for Slice {
    const SYSTEM: System = System {
        id: "stablehlo",
        name: "StableHLO",
        version: "jaxlib 0.10.2",
        defects: defects::ALL,
    };

    type WithoutLists = Program;
    type WithLists = Program;

    /// Returns a program that consists of a slice, a reverse and a reshape. Operations that would change nothing are
    /// omitted.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_systems::Operation;
    /// use slice_systems::stablehlo::Slice;
    ///
    /// let program = Slice::from_selection(&s![-1, 1:].resolve(&[4, 5])?)?.op;
    /// assert_eq!(program.to_string(), "%0 = stablehlo.slice %x [3:4, 1:5]\n%1 = stablehlo.reshape %0 to 4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn from_selection(selection: &Selection) -> Result<Translated<Program>, TranslateError> {
        // `items` is called only to check that no new axis has length 0.
        items(selection, |range| range)?;
        let mut ops = Vec::new();
        let mut slice = Slice::default();
        for range in selection.axes()?.iter().map(|range| range.ascending()) {
            let (start, limit, stride) = begin_end_step(range);
            slice.start_indices.push(start);
            slice.limit_indices.push(limit);
            slice.strides.push(stride);
        }
        let whole = selection.axes()?.iter().zip(selection.input_shape());
        if whole.clone().any(|(range, &size)| range.len() != size) {
            ops.push(Op::Slice(slice));
        }
        let dimensions: Vec<i64> = reversed_output_axes(selection)
            .filter_map(|axis| match selection.output_axes()[axis] {
                OutputAxis::Input(axis) => Some(axis as i64),
                OutputAxis::New { .. } => None,
            })
            .collect();
        if !dimensions.is_empty() {
            ops.push(Op::Reverse { dimensions });
        }
        let sliced = selection.axes()?.iter().map(|range| range.len());
        if !sliced.eq(selection.output_shape().iter().copied()) {
            let shape = selection.output_shape().to_vec();
            ops.push(Op::Reshape { shape });
        }
        Ok(Translated::without_defects(Program { ops }))
    }

    fn from_spec_for_shape(
        spec: &DynSliceSpec,
        shape: &[usize],
    ) -> Result<Translated<Program>, TranslateError> {
        let Split { slice, lists } = Split::of_spec(spec, shape)?;
        let program = Slice::from_selection(&slice)?.with_lists(&lists, |list| {
            let dimension = list.axis_i64();
            Ok(match list.single().cloned() {
                Some(indices) => Op::Gather { dimension, indices },
                None => {
                    let indices = points_of_lists(&list.positions);
                    Op::GatherNd { dimension, indices }
                }
            })
        })?;
        // A gather has no valid slice sizes on an empty axis, so a program for a list without positions is checked.
        let _ = program.op.resolve(shape)?;
        Ok(program)
    }

    fn to_spec(&self) -> Result<DynSliceSpec, TranslateError> {
        self.check_lengths()?;
        let mut spec = DynSliceSpec::default();
        for axis in 0..self.limit_indices.len() {
            let (start, limit, step) = self.checked_entry(axis, usize::MAX)?;
            spec.push(Item::Range {
                begin: Some(start),
                end: Some(limit),
                step,
            })?;
        }
        Ok(spec)
    }

    fn explanation(&self, shape: &[usize]) -> Explanation {
        let ops = Vec::from([Op::Slice(self.clone())]);
        Program { ops }.explain(shape)
    }
}
