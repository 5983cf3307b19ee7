//! Defines and resolves PyTorch's operators for lists: `index_select`, `index.Tensor`, and `index_put`, which assigns
//! to the positions in a list.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slice_core::resolve::item_axes;
use slice_core::{DynSliceSpec, ItemRole, NdList, Selection};

use crate::axes::axis_at;
use crate::error::OperationError;
use crate::lists::gather::{NegativeIndices, indices_text, select_lists};
use crate::torch::error::AtenError;

/// PyTorch's `index.Tensor` with lists for one axis or neighboring axes, which is the operator for `x[:, [0, 2]]` and
/// `x[rows, cols]`. Several lists are points: they are broadcast, and elements at the same place select an element.
///
/// Python equivalent: `x[:, torch.tensor(indices[1])]`, where `indices` contains `None` for each `:`. If the result is
/// empty, PyTorch does not check the indices, but this crate does.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Operations;
/// use slice_systems::torch::{Index, Op, Program};
///
/// let index = Index { indices: vec![None, Some(vec![0, -1].into())] };
/// let program = Program::from(vec![Op::Index(index)]);
/// assert_eq!(program.resolve(&[2, 4])?, s![:, [0, -1]].resolve(&[2, 4])?);
/// assert_eq!(program.to_string(), "torch.ops.aten.index.Tensor(x, [None, torch.tensor([0, -1])])");
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Index {
    /// For each leading axis, the indices, or `None` if the whole axis is selected. Negative indices count from the
    /// end.
    pub indices: Vec<Option<NdList<i64>>>,
}

/// Resolves an `index_select`.
pub(super) fn index_select(
    dim: i64,
    index: &[i64],
    shape: &[usize],
) -> Result<Selection, OperationError> {
    let lists = [NdList::from(index.to_vec())];
    let axis = axis_at(0, dim, shape.len().max(1))?;
    if shape.is_empty() {
        // On a scalar, PyTorch accepts exactly one index, which must be 0.
        let [_] = index else {
            let operator = "index_select";
            return Err(AtenError::Scalar { operator }.into());
        };
        // `select_lists` is called only to check that the index is 0.
        let _ = select_lists(&[1], 0, &lists, NegativeIndices::AreErrors)?;
        return Ok(DynSliceSpec::default().resolve(shape)?);
    }
    select_lists(shape, axis, &lists, NegativeIndices::AreErrors)
}

impl Index {
    /// Returns the first axis with a list, and the lists of this axis and its neighbors. It is an error if there is no list,
    /// and if lists are separated, because PyTorch then moves their axes to the front.
    fn lists(&self) -> Result<(usize, Vec<NdList<i64>>), OperationError> {
        let count = self.indices.iter().flatten().count();
        let first = self.indices.iter().position(|list| list.is_some());
        let neighbors = self.indices.iter().skip(first.unwrap_or_default());
        let lists: Vec<NdList<i64>> = neighbors.map_while(Clone::clone).collect();
        match first {
            Some(first) if lists.len() == count => Ok((first, lists)),
            _ => {
                let (system, lists) = ("PyTorch", count);
                Err(OperationError::Brackets { system, lists })
            }
        }
    }

    pub(super) fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        let roles = [ItemRole::Range].repeat(self.indices.len());
        // `item_axes` is called only to check that there are not more entries than axes.
        let _ = item_axes(roles, shape.len())?;
        let (axis, lists) = self.lists()?;
        select_lists(shape, axis, &lists, NegativeIndices::CountFromEnd)
    }

    /// Returns the Python code of the operator's list of tensors.
    fn arguments(&self) -> String {
        let lists = self.indices.iter().map(|list| match list {
            Some(list) => tensor(list),
            None => "None".to_string(),
        });
        format!("[{}]", lists.collect::<Vec<_>>().join(", "))
    }

    pub(super) fn call_text(&self, operand: &str) -> String {
        format!(
            "torch.ops.aten.index.Tensor({operand}, {})",
            self.arguments()
        )
    }
}

/// Returns the Python code of a tensor of indices. An empty tensor needs a `dtype`, because the default is a float
/// type.
pub(super) fn tensor(indices: &NdList<i64>) -> String {
    match (indices.elements(), indices.shape()) {
        ([], [_]) => "torch.tensor([], dtype=torch.int64)".to_string(),
        ([], shape) => format!("torch.zeros({shape:?}, dtype=torch.int64)"),
        _ => format!("torch.tensor({})", indices_text(indices)),
    }
}

/// Returns a copy of `input` in which the elements at the positions in a list are replaced by `values`, which is
/// broadcast. If a position is listed more than once, its last value is kept.
///
/// Python equivalent: `x.index_put((None, torch.tensor(list)), values)`. PyTorch does not specify which value is kept.
/// `input` and `values` each consist of a shape and the elements in C order.
///
/// # Errors
///
/// * `SliceError::TooManyIndices` if `index` has more entries than `input` has axes.
/// * [`OperationError::Brackets`] if `index` has no list, or lists that are separated.
/// * `SliceError::BroadcastPoints` if the lists cannot be broadcast.
/// * `SliceError::ListIndexOutOfBounds` if an index is outside its axis.
/// * `SliceError::TooManyItems` if the axis of the list is neither among the first 64 nor among the last 63.
/// * `SliceError::TooLarge` if no array can have the shape of `input`, the shape of `values`, or the shape of the
///   selected elements.
/// * `SliceError::BufferLength` if the number of elements in `input` or `values` does not match its shape.
/// * [`OperationError::System`] if `values` does not broadcast to the selected elements.
///
/// # Example
///
/// ```
/// use slice_systems::torch::{Index, index_put};
///
/// // x[:, [0, -1]] = [8, 9]
/// let index = Index { indices: vec![None, Some(vec![0, -1].into())] };
/// let updated = index_put((&[2, 3], &[1, 2, 3, 4, 5, 6]), &index, (&[2], &[8, 9]))?;
/// assert_eq!(updated, [8, 2, 9, 8, 5, 9]);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
pub fn index_put<T: Clone>(
    input: (&[usize], &[T]),
    index: &Index,
    values: (&[usize], &[T]),
) -> Result<Vec<T>, OperationError> {
    let selection = index.resolve(input.0)?;
    let has_surplus_axes = values.0.len() > selection.output_shape().len();
    if has_surplus_axes || selection.check_broadcast(values.0).is_err() {
        let (expected, actual) = (selection.output_shape().into(), values.0.into());
        return Err(AtenError::Source { expected, actual }.into());
    }
    let mut updated = input.1.to_vec();
    selection.assign(values.0, values.1, &mut updated)?;
    Ok(updated)
}
