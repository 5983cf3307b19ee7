//! Displays, explains and translates ONNX's `Slice`; `plan.rs` translates slices to ONNX.

use alloc::collections::{BTreeMap, BTreeSet};
use core::fmt::{self, Display};

use slice_core::{DynSliceSpec, Item, Selection, SliceError};

use super::{EndRule, OnnxPlan, Program, defects};
use crate::error::OperationError;
use crate::explain::Explanation;
use crate::onnx::Slice;
use crate::operation::{Operation, System};
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;
use crate::translate::reverse::as_python;
use crate::translate::spec::{ONNX, spec_on_axes, without_redundant_bounds};

impl Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (opset, starts, ends) = (self.opset, &self.starts, &self.ends);
        write!(f, "Slice-{opset}(x, starts={starts:?}, ends={ends:?}")?;
        for (name, vector) in [("axes", &self.axes), ("steps", &self.steps)] {
            if let Some(vector) = vector {
                write!(f, ", {name}={vector:?}")?;
            }
        }
        f.write_str(")")
    }
}

/// The opset of operators that are translated through the trait [`Operation`], which has no parameter for the opset.
const DEFAULT_OPSET: u32 = 13;

impl Operation for Slice {
    const SYSTEM: System = System {
        id: "onnx",
        name: "ONNX",
        version: "1.23",
        defects: defects::ALL,
    };

    type WithoutLists = OnnxPlan;
    type WithLists = Program;

    fn from_spec_for_shape(
        spec: &DynSliceSpec,
        shape: &[usize],
    ) -> Result<Translated<Program>, TranslateError> {
        Program::from_spec(spec, shape, DEFAULT_OPSET)
    }

    /// Returns the spec that is equivalent to the operator for all shapes. The operator has the meaning specified by
    /// ONNX: an end of INT_MAX with a negative step is an ordinary number.
    ///
    /// If an axis is counted from the end, its item comes after an ellipsis. There is no equivalent spec if the order
    /// of the axes depends on the rank ([`TranslateError::CrossingAxes`]).
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::Operation;
    /// use slice_systems::onnx::Slice;
    ///
    /// let op = Slice {
    ///     opset: 13,
    ///     starts: vec![0, i64::MAX],
    ///     ends: vec![3, i64::MIN],
    ///     axes: Some(vec![1, -1]),
    ///     steps: Some(vec![1, -2]),
    /// };
    /// assert_eq!(op.to_spec()?.to_string(), ":, :3, ..., ::-2");
    /// # Ok::<(), slice_systems::translate::TranslateError>(())
    /// ```
    fn to_spec(&self) -> Result<DynSliceSpec, TranslateError> {
        self.check_vectors()?;
        let mut items_by_axis = AxisItems::new();
        for entry in 0..self.starts.len() {
            self.add_item(&mut items_by_axis, entry, self.written_axis(entry))?;
        }
        let front = items_by_axis.range(0..).next_back().map(|(&axis, _)| axis);
        let back = items_by_axis.range(..0).next().map(|(&axis, _)| axis);
        if let (Some(front), Some(back)) = (front, back)
            && axes_cross(&items_by_axis, front, back)
        {
            return Err(TranslateError::CrossingAxes { front, back });
        }
        let items = items_by_axis.into_iter();
        let items = items.map(|(axis, (_, item))| (axis, item));
        Ok(spec_on_axes(&items.collect())?)
    }

    fn from_selection(selection: &Selection) -> Result<Translated<OnnxPlan>, TranslateError> {
        OnnxPlan::from_selection(selection, DEFAULT_OPSET)
    }

    fn explanation(&self, shape: &[usize]) -> Explanation {
        self.explain_with(EndRule::Specification, shape)
    }
}

impl Slice {
    /// Returns the spec that selects the same elements as the operator for all shapes with `rank` axes that the
    /// operator accepts.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`to_spec`](Self::to_spec), except [`TranslateError::CrossingAxes`].
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::onnx::Slice;
    ///
    /// let slice = Slice { starts: vec![1], ends: vec![3], axes: Some(vec![-1]), opset: 13, ..Slice::default() };
    /// assert_eq!(slice.to_spec_for_rank(3)?.to_string(), ":, :, 1:3");
    /// # Ok::<(), slice_systems::translate::TranslateError>(())
    /// ```
    pub fn to_spec_for_rank(&self, rank: usize) -> Result<DynSliceSpec, TranslateError> {
        let from_front = |entry| self.axis(entry, rank).map(|axis| axis as i64);
        self.check_vectors()?;
        let axes = (0..self.starts.len())
            .map(from_front)
            .collect::<Result<_, _>>()?;
        Slice {
            axes: Some(axes),
            ..self.clone()
        }
        .to_spec()
    }

    /// Adds the item of an entry to `items_by_axis`, with `axis` as its key.
    fn add_item(
        &self,
        items_by_axis: &mut AxisItems,
        entry: usize,
        axis: i64,
    ) -> Result<(), TranslateError> {
        let item = Item::Range {
            begin: Some(self.starts[entry]),
            end: Some(self.ends[entry]),
            step: self.step(entry),
        };
        if self.step(entry) == 0 {
            return Err(OperationError::ZeroInSteps { item: entry }.into());
        }
        let item = as_python(entry, without_redundant_bounds(item), ONNX)?;
        let limit = DynSliceSpec::MAX_ITEMS as i64;
        if !(-limit..limit).contains(&axis) {
            // The number of axes that an array needs for `axis` to exist, whether `axis` is counted from the front or
            // from the end.
            let needed_axes = axis.unsigned_abs().saturating_add(u64::from(axis >= 0));
            let items = usize::try_from(needed_axes).unwrap_or(usize::MAX);
            let limit = DynSliceSpec::MAX_ITEMS;
            return Err(SliceError::TooManyItems { items, limit }.into());
        }
        match items_by_axis.insert(axis, (entry, item)) {
            Some((first, _)) => Err(TranslateError::Operation(OperationError::RepeatedAxis {
                first,
                second: entry,
                axis,
            })),
            None => Ok(()),
        }
    }
}

/// For each axis named by an entry, the index and the item of that entry.
type AxisItems = BTreeMap<i64, (usize, Item)>;

/// Returns `true` if there is a rank for which all named axes are distinct, but not all axes counted from the front
/// come before those counted from the end.
fn axes_cross(items_by_axis: &AxisItems, front: i64, back: i64) -> bool {
    let has_distinct_axes = |rank: i64| {
        let from_front = |&axis: &i64| if axis < 0 { axis + rank } else { axis };
        let axes: BTreeSet<i64> = items_by_axis.keys().map(from_front).collect();
        axes.len() == items_by_axis.len()
    };
    ((front + 1).max(-back)..front + 1 - back).any(has_distinct_axes)
}
