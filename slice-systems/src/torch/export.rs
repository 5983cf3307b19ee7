//! Translates programs to the operators of `torch.export`, which has no indexing expressions `x[...]`.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Display};

use slice_core::resolve::item_axes;
use slice_core::{DynSliceSpec, Item, SliceError};

use super::Slice;
use super::index::{Index, tensor};
use super::op::{Op, Program, Select};
use crate::lists::{joins_axes, role_on_axis};
use crate::program::ProgramOperation;
use crate::translate::spec::WHOLE;

impl Program {
    /// Returns an equivalent program without brackets (indexing expressions `x[...]`), for arrays with `rank` axes. As
    /// in `torch.export`, each item in brackets that changes an axis becomes an operator.
    ///
    /// # Errors
    ///
    /// * [`SliceError::TooManyIndices`] if brackets need more axes than their operand has.
    /// * [`SliceError::TooManyItems`] if a list applies to an axis beyond the 64th.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_systems::Operation;
    /// use slice_systems::torch::{Export, Slice};
    ///
    /// let program = Slice::from_spec(&s![1:, newaxis, 2].to_dyn())?.op;
    /// assert_eq!(program.to_string(), "x[1:, None, 2]");
    /// assert_eq!(
    ///     Export(&program.without_brackets(2)?).to_string(),
    ///     "torch.ops.aten.select.int(torch.ops.aten.unsqueeze.default(\
    ///      torch.ops.aten.slice.Tensor(x, 0, 1, None, 1), 1), 2, 2)",
    /// );
    /// # Ok::<(), slice_systems::translate::TranslateError>(())
    /// ```
    pub fn without_brackets(&self, rank: usize) -> Result<Self, SliceError> {
        let mut ops = Vec::new();
        let mut rank = rank;
        for op in &self.ops {
            match op {
                Op::Getitem(spec) => rank = operators(spec, rank, &mut ops)?,
                op => {
                    rank = match op {
                        Op::Select(_) => rank.saturating_sub(1),
                        Op::Unsqueeze { .. } => rank.saturating_add(1),
                        _ => rank,
                    };
                    ops.push(op.clone());
                }
            }
        }
        Ok(Program { ops })
    }
}

/// Displays a program as calls to the operators of `torch.export`. Brackets are displayed as brackets.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::torch::{Export, Op, Program};
///
/// let program = Program::from(vec![Op::Unsqueeze { dim: 0 }]);
/// assert_eq!(Export(&program).to_string(), "torch.ops.aten.unsqueeze.default(x, 0)");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Export<'a>(pub &'a Program);

impl Display for Export<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let aten = "torch.ops.aten";
        let call = |operand: String, op: &Op| match op {
            Op::Select(Select { dim, index }) => {
                format!("{aten}.select.int({operand}, {dim}, {index})")
            }
            Op::Unsqueeze { dim } => {
                format!("{aten}.unsqueeze.default({operand}, {dim})")
            }
            Op::IndexSelect { dim, index } => {
                format!(
                    "{aten}.index_select.default({operand}, {dim}, {})",
                    tensor(&index.clone().into())
                )
            }
            Op::Flip { dims } => format!("{aten}.flip.default({operand}, {dims:?})"),
            op => op.call(&operand),
        };
        f.write_str(&self.0.ops.iter().fold("x".to_string(), call))
    }
}

/// Returns the positions of a list, or the positions where a mask is true.
fn list_positions(list: &Item) -> Vec<i64> {
    match list {
        Item::List(positions) => positions.elements().to_vec(),
        Item::Mask(mask) => {
            let positions = mask.elements().iter().zip(0..);
            let positions = positions.filter(|&(&selected, _)| selected);
            positions.map(|(_, position)| position).collect()
        }
        _ => Vec::new(),
    }
}

/// Appends the operators for the items of `spec` to `ops`, from left to right, except that lists come last. Returns the
/// rank of the result.
fn operators(spec: &DynSliceSpec, rank: usize, ops: &mut Vec<Op>) -> Result<usize, SliceError> {
    let items: Vec<Item> = spec.items().collect();
    let axes = item_axes(spec.items().map(role_on_axis), rank)?;
    let mut dim = 0_i64;
    let mut lists = Vec::new();
    for (i, _, axes) in axes {
        match items.get(i) {
            Some(Item::NewAxis) => {
                ops.push(Op::Unsqueeze { dim });
                dim = dim.saturating_add(1);
            }
            Some(&Item::Index(index)) => ops.push(Op::Select(Select { dim, index })),
            Some(item @ &Item::Range { begin, end, step }) => {
                if *item != WHOLE {
                    ops.push(Op::Slice(Slice {
                        dim,
                        start: begin,
                        end,
                        step,
                    }));
                }
                dim = dim.saturating_add(1);
            }
            Some(Item::Ellipsis) | None => {
                dim = dim.saturating_add(i64::try_from(axes.len()).unwrap_or(i64::MAX));
            }
            // Translations to PyTorch never contain such an item.
            Some(list) if joins_axes(list) => {
                let (axis, axes, rank) = (axes.start, axes.len(), 1);
                return Err(SliceError::JoinedAxes { axis, axes, rank });
            }
            Some(list) => {
                lists.push((dim, list));
                dim = dim.saturating_add(1);
            }
        }
    }
    for (dim, list) in lists {
        let (dim, limit) = (
            usize::try_from(dim).unwrap_or(usize::MAX),
            DynSliceSpec::MAX_ITEMS,
        );
        if dim >= limit {
            let items = dim.saturating_add(1);
            return Err(SliceError::TooManyItems { items, limit });
        }
        let mut indices = [const { None }; DynSliceSpec::MAX_ITEMS][..dim].to_vec();
        indices.push(Some(list_positions(list).into()));
        ops.push(Op::Index(Index { indices }));
    }
    Ok(usize::try_from(dim).unwrap_or(usize::MAX))
}
