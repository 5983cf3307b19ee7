//! Resolves operations whose numbers are all known, and converts them to slices.

use std::fmt;

use slice_core::{DynSliceSpec, Item, Selection};
use slice_systems::lists::Operations;
use slice_systems::onnx::{Op, Program};
use slice_systems::translate::TranslateError;
use slice_systems::{AnyOperation, OperationError};

use super::spec::{WHOLE, spec_with_items};

/// An operation whose numbers are all known.
#[derive(Clone, Debug)]
pub enum KnownOperation {
    /// An operation of TensorFlow, ONNX or another system.
    Any(AnyOperation),
    /// ONNX's `Squeeze` or `Unsqueeze`, which drops or inserts axes of length 1.
    Axes(Op),
}

impl KnownOperation {
    /// Resolves the operation for an array of shape `shape`. Returns an error if the operation is invalid or does not
    /// fit the shape.
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        match self {
            KnownOperation::Any(operation) => operation.resolve(shape),
            KnownOperation::Axes(operation) => program(operation).resolve(shape),
        }
    }

    /// Returns a slice that is equivalent for all arrays of rank `rank`, or for all arrays if `rank` is `None`. Returns
    /// an error if there is no such slice.
    pub fn to_spec(&self, rank: Option<usize>) -> Result<DynSliceSpec, TranslateError> {
        match (self, rank) {
            (KnownOperation::Any(AnyOperation::Onnx(slice)), Some(rank)) => {
                slice.to_spec_for_rank(rank)
            }
            (KnownOperation::Any(operation), _) => operation.to_spec(),
            (KnownOperation::Axes(operation), Some(rank)) => {
                let spec = program(operation).to_spec_for_rank(rank)?;
                let mut items: Vec<Item> = spec.items().collect();
                // The axes after the last item need no items.
                while items.pop_if(|last| *last == WHOLE).is_some() {}
                Ok(DynSliceSpec::from_items(items)?)
            }
            (KnownOperation::Axes(Op::Squeeze { axes }), None) => {
                spec_with_items(axes, Item::Index(0), None)
            }
            (KnownOperation::Axes(Op::Unsqueeze { axes }), None) => {
                spec_with_items(axes, Item::NewAxis, None)
            }
            (KnownOperation::Axes(operation), None) => program(operation).to_spec_for_rank(0),
        }
    }
}

fn program(operation: &Op) -> Program {
    Program::from(vec![operation.clone()])
}

impl fmt::Display for KnownOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KnownOperation::Any(operation) => operation.fmt(f),
            KnownOperation::Axes(Op::Squeeze { axes }) => {
                write!(f, "Squeeze(x, axes={axes:?})")
            }
            KnownOperation::Axes(Op::Unsqueeze { axes }) => {
                write!(f, "Unsqueeze(x, axes={axes:?})")
            }
            KnownOperation::Axes(operation) => program(operation).fmt(f),
        }
    }
}

impl<Op: Into<AnyOperation>> From<Op> for KnownOperation {
    fn from(operation: Op) -> Self {
        KnownOperation::Any(operation.into())
    }
}
