//! Translates between Python and PyTorch.
//!
//! PyTorch has no step below 1. Counted from the other end, position `k` is `-1 - k`, so `b:e:-s` equals `-1-b:-1-e:s`
//! of the flipped axis, for every length.

use alloc::vec::Vec;

use slice_core::{DynOuterSpec, DynSliceSpec, Item, Selection};

use super::index::IndexSelect;
use super::op::{Op, Program, flip};
use super::{Slice, defects};
use crate::error::OperationError;
use crate::lists::{Split, with_list};
use crate::torch::error::AtenError;
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;
use crate::translate::spec::{check_stride, items, plain, shortest};

/// The largest step that cannot overflow with the strides of an array in memory.
const WIDE: i64 = i32::MAX as i64;

impl Slice {
    /// Returns the program that selects the same elements as the spec, for every shape: a flip of the axes with a
    /// negative step, then brackets.
    ///
    /// Python equivalent: `x[...]`, or `x.flip([...])[...]`.
    ///
    /// # Errors
    ///
    /// [`TranslateError::Operation`] for a stride of 0.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_ops::torch::Slice;
    ///
    /// let program = Slice::from_spec(&s![1:, ..., newaxis].to_dyn())?.op;
    /// assert_eq!(program.to_string(), "x[1:, ..., None]");
    /// let program = Slice::from_spec(&s![1:, ..., :-3:-1].to_dyn())?.op;
    /// assert_eq!(program.to_string(), "x.flip([-1])[1:, ..., :2]");
    /// # Ok::<(), slice_ops::translate::TranslateError>(())
    /// ```
    pub fn from_spec(spec: &DynSliceSpec) -> Result<Translated<Program>, TranslateError> {
        let mut items: Vec<Item> = spec.items().map(plain).collect();
        let ellipsis = items.iter().position(|&item| item == Item::Ellipsis);
        let consuming = |items: &[Item]| {
            let taken = items.iter().filter(|item| item.role().consumes());
            taken.count() as i64
        };
        let mut dims = Vec::new();
        for at in 0..items.len() {
            check_stride(at, items[at])?;
            let Item::Range { begin, end, step } = items[at] else {
                continue;
            };
            if step > 0 {
                continue;
            }
            dims.push(match ellipsis {
                Some(before) if before < at => -consuming(&items[at..]),
                _ => consuming(&items[..at]),
            });
            items[at] = plain(Item::Range {
                begin: begin.map(|bound| !bound),
                end: end.map(|bound| !bound),
                step: step.saturating_neg(),
            });
        }
        let wide = |item: &Item| matches!(*item, Item::Range { step, .. } if step > WIDE);
        let defects = items.iter().any(wide).then_some(defects::WIDE_STEP);
        let mut ops = Vec::from_iter(flip(dims));
        if !items.iter().all(|&item| item == Item::Ellipsis) {
            ops.push(Op::Getitem(DynOuterSpec::from_items(items)?));
        }
        Ok(Translated {
            op: Program { ops },
            defects: defects.into_iter().collect(),
        })
    }

    /// Returns the program that selects the same elements as the selection, for arrays of its shape: brackets, then a
    /// flip of their result.
    ///
    /// # Errors
    ///
    /// [`TranslateError::EmptyNewAxis`]; [`TranslateError::Operation`] for more than 64 items.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_ops::torch::Slice;
    ///
    /// let program = Slice::from_selection(&s![-1, :-3:-1].resolve(&[4, 5])?)?.op;
    /// assert_eq!(program.to_string(), "x[3, 3:].flip([0])");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_selection(selection: &Selection) -> Result<Translated<Program>, TranslateError> {
        let items = shortest(items(selection, |range| range.ascending())?);
        let mut ops = Vec::new();
        if !items.iter().all(|&item| item == Item::Ellipsis) {
            ops.push(Op::Getitem(DynOuterSpec::from_items(items)?));
        }
        let backwards = crate::translate::spec::backwards(selection);
        ops.extend(flip(backwards.map(|axis| axis as i64).collect()));
        Ok(Translated {
            op: Program { ops },
            defects: Vec::new(),
        })
    }

    /// Returns the program for a slice and then lists. A single list is written within the brackets; several lists need
    /// an `index_select` each.
    pub(super) fn from_split(split: &Split) -> Result<Translated<Program>, TranslateError> {
        let slice = split.slice();
        if let [list] = split.lists()
            && let Some(items) = with_list(slice, list, |range| range.ascending())?
        {
            let mut ops = Vec::from([Op::Getitem(DynOuterSpec::from_items(items)?)]);
            let backwards = crate::translate::spec::backwards(slice);
            ops.extend(flip(backwards.map(|axis| axis as i64).collect()));
            let (op, defects) = (Program { ops }, Vec::new());
            return Ok(Translated { op, defects });
        }
        let program = Slice::from_selection(slice)?;
        Ok(program.with_lists(split, |index, dim| {
            Op::IndexSelect(IndexSelect { dim, index })
        }))
    }

    /// Returns the spec that selects the same elements as the operator, for every shape that it accepts. An axis
    /// counted from the end comes after an ellipsis.
    ///
    /// # Errors
    ///
    /// [`TranslateError::Operation`] for a step that is not above 0, and for axes beyond the 64th.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_ops::torch::Slice;
    ///
    /// let op = Slice { dim: -2, start: Some(-3), end: None, step: 1 };
    /// assert_eq!(op.to_spec()?.to_string(), "..., -3:, :");
    /// # Ok::<(), slice_ops::translate::TranslateError>(())
    /// ```
    pub fn to_spec(&self) -> Result<DynSliceSpec, TranslateError> {
        let Slice {
            dim,
            start: begin,
            end,
            step,
        } = *self;
        if step <= 0 {
            return Err(OperationError::from(AtenError::Step { dim, step }).into());
        }
        crate::translate::spec::at_axis(dim, Item::Range { begin, end, step })
    }
}
