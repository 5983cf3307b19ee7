//! Displays, explains and translates PyTorch's operators.
//!
//! PyTorch does not support steps below 1, but can flip an axis. Counted from the other end of an axis, position `k` is
//! `-1 - k`. Whatever the length of the axis, `b:e:-s` therefore selects the same elements as `-1-b:-1-e:s` selects on
//! the flipped axis.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt::{self, Display};

use slice_core::{DynSliceSpec, Item, Selection};

use super::index::Index;
use super::op::{Op, Program, flip};
use super::{Slice, check_step, defects};
use crate::explain::Explanation;
use crate::explain::systems::Explain;
use crate::lists::{ListOnAxes, Split, with_list};
use crate::operation::{Operation, System};
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;
use crate::translate::spec::{
    items, reversed_output_axes, shortest, spec_on_axes, strided_items, without_redundant_bounds,
};

impl Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.call_text("x"))
    }
}

/// The largest step that is treated as safe: its product with any memory stride that occurs in practice does not
/// overflow.
const MAX_SAFE_STEP: i64 = i32::MAX as i64;

impl Operation for Slice {
    const SYSTEM: System = System {
        id: "torch",
        name: "PyTorch",
        version: "2.15.0",
        defects: defects::ALL,
    };

    type WithoutLists = Program;
    type WithLists = Program;

    /// Returns a flip of the axes with a negative step, then an indexing expression `x[...]`.
    ///
    /// Python equivalent: `x[...]`, or `x.flip([...])[...]` if a step is negative.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_systems::Operation;
    /// use slice_systems::torch::Slice;
    ///
    /// let program = Slice::from_spec(&s![1:, ..., newaxis].to_dyn())?.op;
    /// assert_eq!(program.to_string(), "x[1:, ..., None]");
    /// let program = Slice::from_spec(&s![1:, ..., :-3:-1].to_dyn())?.op;
    /// assert_eq!(program.to_string(), "x.flip([-1])[1:, ..., :2]");
    /// # Ok::<(), slice_systems::translate::TranslateError>(())
    /// ```
    fn from_spec(spec: &DynSliceSpec) -> Result<Translated<Program>, TranslateError> {
        let items = strided_items(spec, "PyTorch")?.into_iter();
        let mut items: Vec<Item> = items.map(without_redundant_bounds).collect();
        let ellipsis = items.iter().position(|item| *item == Item::Ellipsis);
        let consuming_count = |items: &[Item]| {
            let consuming = items.iter().filter(|item| item.input_axes() == Some(1));
            consuming.count() as i64
        };
        let mut dims = Vec::new();
        for i in 0..items.len() {
            let Item::Range { begin, end, step } = items[i] else {
                continue;
            };
            if step > 0 {
                continue;
            }
            dims.push(match ellipsis {
                Some(ellipsis) if ellipsis < i => -consuming_count(&items[i..]),
                _ => consuming_count(&items[..i]),
            });
            items[i] = without_redundant_bounds(Item::Range {
                begin: begin.map(|bound| !bound),
                end: end.map(|bound| !bound),
                step: step.saturating_neg(),
            });
        }
        let is_wide =
            |item: &Item| matches!(*item, Item::Range { step, .. } if step > MAX_SAFE_STEP);
        let defects = items.iter().any(is_wide).then_some(defects::WIDE_STEP);
        let mut ops = Vec::from_iter(flip(dims));
        if !items.iter().all(|item| *item == Item::Ellipsis) {
            ops.push(Op::Getitem(DynSliceSpec::from_items(items)?));
        }
        Ok(Translated {
            op: Program { ops },
            defects: defects.into_iter().collect(),
        })
    }

    /// Returns an indexing expression `x[...]`, then a flip of the axes with a negative step.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_systems::Operation;
    /// use slice_systems::torch::Slice;
    ///
    /// let program = Slice::from_selection(&s![-1, :-3:-1].resolve(&[4, 5])?)?.op;
    /// assert_eq!(program.to_string(), "x[3, 3:].flip([0])");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn from_selection(selection: &Selection) -> Result<Translated<Program>, TranslateError> {
        let items = shortest(items(selection, |range| range.ascending())?);
        let mut ops = Vec::new();
        if !items.iter().all(|item| *item == Item::Ellipsis) {
            ops.push(Op::Getitem(DynSliceSpec::from_items(items)?));
        }
        ops.extend(flip_of_result(selection));
        Ok(Translated::without_defects(Program { ops }))
    }

    /// Returns the program for a slice with lists. A single list with one axis is written in the indexing expression of the
    /// slice if the slice selects the whole axis of the list. Otherwise, each list with one axis becomes an `index_select`,
    /// and a list with several axes, a mask with several axes, and points become an `index`.
    fn from_spec_for_shape(
        spec: &DynSliceSpec,
        shape: &[usize],
    ) -> Result<Translated<Program>, TranslateError> {
        let Split { slice, lists } = Split::of_spec(spec, shape)?;
        if let [list] = &lists[..]
            && is_one_list(list)
            && let Some(items) = with_list(&slice, list, |range| range.ascending())?
        {
            let mut ops = Vec::from([Op::Getitem(DynSliceSpec::from_items(items)?)]);
            ops.extend(flip_of_result(&slice));
            return Ok(Translated::without_defects(Program { ops }));
        }
        Slice::from_selection(&slice)?.with_lists(&lists, |list| {
            Ok(match list.single() {
                Some(index) if index.rank() == 1 => {
                    let (dim, index) = (list.axis_i64(), index.elements().to_vec());
                    Op::IndexSelect { dim, index }
                }
                _ => {
                    let lists = list.positions.iter().cloned().map(Some);
                    let mut indices = Vec::new();
                    indices.resize(list.axis, None);
                    indices.extend(lists);
                    Op::Index(Index { indices })
                }
            })
        })
    }

    /// Returns the spec that is equivalent to the operator for all shapes. If the axis is counted from the end, its
    /// item comes after an ellipsis.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::Operation;
    /// use slice_systems::torch::Slice;
    ///
    /// let op = Slice { dim: -2, start: Some(-3), end: None, step: 1 };
    /// assert_eq!(op.to_spec()?.to_string(), "..., -3:, :");
    /// # Ok::<(), slice_systems::translate::TranslateError>(())
    /// ```
    fn to_spec(&self) -> Result<DynSliceSpec, TranslateError> {
        check_step(self.dim, self.step)?;
        Ok(spec_on_axes(&BTreeMap::from([(self.dim, self.range())]))?)
    }

    fn explanation(&self, shape: &[usize]) -> Explanation {
        let ops = Vec::from([Op::Slice(*self)]);
        Program { ops }.explain(shape)
    }
}

/// Returns a flip of the axes that `selection` reverses, if there are any.
fn flip_of_result(selection: &Selection) -> Option<Op> {
    flip(
        reversed_output_axes(selection)
            .map(|axis| axis as i64)
            .collect(),
    )
}

/// Returns `true` for a list with one axis, on one axis.
fn is_one_list(list: &ListOnAxes) -> bool {
    list.single().is_some_and(|list| list.rank() == 1)
}
