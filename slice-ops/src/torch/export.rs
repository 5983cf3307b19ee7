//! Programs as the operators of `torch.export`, without brackets.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Display};

use slice_core::resolve::item_axes;
use slice_core::{DynSliceSpec, Item, SliceError};

use super::Slice;
use super::op::{Flip, Op, Program, Select, Unsqueeze};
use crate::program::Step;
use crate::translate::spec::WHOLE;

impl Program {
    /// The same program without brackets: one operator for each axis that they slice, as `torch.export` has it.
    ///
    /// # Errors
    ///
    /// [`SliceError::TooManyIndices`] if arrays of this rank have fewer axes than the brackets need.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_ops::Operation;
    /// use slice_ops::torch::{Export, Slice};
    ///
    /// let program = Slice::from_spec(&s![1:, newaxis, 2].to_dyn())?.op;
    /// assert_eq!(program.to_string(), "x[1:, None, 2]");
    /// assert_eq!(
    ///     Export(&program.without_brackets(2)?).to_string(),
    ///     "torch.ops.aten.select.int(torch.ops.aten.unsqueeze.default(\
    ///      torch.ops.aten.slice.Tensor(x, 0, 1, None, 1), 1), 2, 2)",
    /// );
    /// # Ok::<(), slice_ops::translate::TranslateError>(())
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
                        Op::Unsqueeze(_) => rank.saturating_add(1),
                        _ => rank,
                    };
                    ops.push(op.clone());
                }
            }
        }
        Ok(Program { ops })
    }
}

/// A program as the operators of `torch.export` are called; brackets stay brackets.
#[derive(Clone, Copy, Debug)]
pub struct Export<'a>(pub &'a Program);

impl Display for Export<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let aten = "torch.ops.aten";
        let call = |operand: String, op: &Op| match op {
            Op::Select(Select { dim, index }) => {
                format!("{aten}.select.int({operand}, {dim}, {index})")
            }
            Op::Unsqueeze(Unsqueeze { dim }) => {
                format!("{aten}.unsqueeze.default({operand}, {dim})")
            }
            Op::Flip(Flip { dims }) => format!("{aten}.flip.default({operand}, {dims:?})"),
            op => op.call(&operand),
        };
        f.write_str(&self.0.ops.iter().fold("x".to_string(), call))
    }
}

/// Adds the operators that the items are, from left to right; returns the rank of the result.
fn operators(spec: &DynSliceSpec, rank: usize, ops: &mut Vec<Op>) -> Result<usize, SliceError> {
    let items: Vec<Item> = spec.items().collect();
    let axes = item_axes(items.iter().map(|item| item.role()), rank)?;
    let mut dim = 0_i64;
    for (at, _, axes) in axes {
        match items.get(at) {
            Some(Item::NewAxis) => {
                ops.push(Op::Unsqueeze(Unsqueeze { dim }));
                dim = dim.saturating_add(1);
            }
            Some(&Item::Index(index)) => ops.push(Op::Select(Select { dim, index })),
            Some(&item @ Item::Range { begin, end, stride }) => {
                if item != WHOLE {
                    ops.push(Op::Slice(Slice {
                        dim,
                        start: begin,
                        end,
                        step: stride,
                    }));
                }
                dim = dim.saturating_add(1);
            }
            Some(Item::Ellipsis) | None => {
                dim = dim.saturating_add(i64::try_from(axes.len()).unwrap_or(i64::MAX));
            }
        }
    }
    Ok(usize::try_from(dim).unwrap_or(usize::MAX))
}
