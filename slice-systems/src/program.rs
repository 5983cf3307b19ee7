//! Defines *programs*, which are short sequences of operations for slices that a system cannot express with one
//! operation.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Display};

use slice_core::resolve::item_axes;
use slice_core::{DynSliceSpec, Item, Selection, SliceError};

use crate::axes::REVERSED;
use crate::error::OperationError;
use crate::explain::Explanation;
use crate::explain::systems::{Explain, explain_as_spec};
use crate::lists::{Operations, role_on_axis};
use crate::translate::error::TranslateError;
use crate::translate::spec::WHOLE;

/// An operation of a [`Program`]. The trait is not public, because programs implement [`Operations`].
pub(crate) trait ProgramOperation: fmt::Debug + Clone + PartialEq {
    /// The name of the system.
    const SYSTEM: &'static str;

    /// Applies the operation to an array with the shape `shape`.
    ///
    /// # Errors
    ///
    /// Returns the first error that occurs, in the order in which the system checks an operation.
    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError>;

    /// Returns the spec that selects the same elements as the operation for all shapes with `rank` axes that the
    /// operation accepts.
    ///
    /// # Errors
    ///
    /// Returns a [`TranslateError`] if there is no such spec.
    fn to_spec_for_rank(&self, rank: usize) -> Result<DynSliceSpec, TranslateError>;

    /// Returns the operation as a call in the system's notation, with `operand` as its operand.
    fn call(&self, operand: &str) -> String;

    /// Writes `ops` to `f`. By default, the call of each operation is the operand of the next one.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `f` fails.
    fn write(ops: &[Self], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nested = ops
            .iter()
            .fold(String::from("x"), |operand, op| op.call(&operand));
        f.write_str(&nested)
    }
}

/// A sequence of operations of one system, each applied to the result of the previous one. An empty program selects all
/// of the input.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Operations;
/// use slice_systems::Operation;
/// use slice_systems::stablehlo::Slice;
///
/// let selection = s![-1, ::-2].resolve(&[4, 5])?;
/// let program = Slice::from_selection(&selection)?.op;
/// assert_eq!(program.ops.len(), 3); // slice, reverse and reshape
/// assert_eq!(program.resolve(&[4, 5])?, selection);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Program<Op> {
    /// The operations in order.
    pub ops: Vec<Op>,
}

impl<Op> From<Vec<Op>> for Program<Op> {
    fn from(ops: Vec<Op>) -> Self {
        Program { ops }
    }
}

impl<Op: ProgramOperation> Operations for Program<Op> {
    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        let Some((first, others)) = self.ops.split_first() else {
            return Ok(DynSliceSpec::default().resolve(shape)?);
        };
        let mut selection = first.resolve(shape)?;
        for op in others {
            let next = op.resolve(selection.output_shape())?;
            selection = selection.compose(&next)?;
        }
        Ok(selection)
    }

    /// Returns the spec that selects the same elements as the program for all shapes with `rank` axes that the program
    /// accepts.
    ///
    /// # Errors
    ///
    /// Returns [`TranslateError::SlicedTwice`] if two operations slice the same axis in a way that no single slice can
    /// express for all shapes, [`TranslateError::EmptyNewAxis`] if a new axis ends up with length 0,
    /// [`TranslateError::Operation`] if `rank` is above 64 or if the spec would have more than 64 items, and the
    /// errors of the translation of each operation.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_systems::lists::Operations;
    /// use slice_systems::Operation;
    /// use slice_systems::torch::Slice;
    ///
    /// let program = Slice::from_spec(&s![3:1:-1, 0].to_dyn())?.op;
    /// assert_eq!(program.to_string(), "x.flip([0])[-4:-2, 0]");
    /// assert_eq!(program.to_spec_for_rank(2)?.to_string(), "3:1:-1, 0");
    /// # Ok::<(), slice_systems::translate::TranslateError>(())
    /// ```
    fn to_spec_for_rank(&self, rank: usize) -> Result<DynSliceSpec, TranslateError> {
        if rank > DynSliceSpec::MAX_ITEMS {
            let (items, limit) = (rank, DynSliceSpec::MAX_ITEMS);
            return Err(SliceError::TooManyItems { items, limit }.into());
        }
        let mut axes = AxesOfRank::new(rank);
        for op in &self.ops {
            let spec = op.to_spec_for_rank(axes.outputs.len())?;
            axes = axes.then(&spec)?;
        }
        axes.spec()
    }
}

impl<Op: ProgramOperation> Display for Program<Op> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Op::write(&self.ops, f)
    }
}

impl<Op: ProgramOperation> Explain for Program<Op> {
    fn explain(&self, shape: &[usize]) -> Explanation {
        let (spec, outcome) = (self.to_spec_for_rank(shape.len()), self.resolve(shape));
        explain_as_spec(Op::SYSTEM, spec, shape, outcome)
    }
}

/// The axes of an array of known rank, after some of a program's operations. The lengths of the axes are not known.
struct AxesOfRank {
    /// The item that applies to each axis of the input: a range or an index.
    inputs: Vec<Item>,
    /// For each axis of the result, the input axis, or `None` for a new axis.
    outputs: Vec<Option<usize>>,
}

impl AxesOfRank {
    fn new(rank: usize) -> Self {
        AxesOfRank {
            inputs: vec![WHOLE; rank],
            outputs: (0..rank).map(Some).collect(),
        }
    }

    /// Applies one more slice to the result of the previous operations.
    fn then(mut self, spec: &DynSliceSpec) -> Result<Self, TranslateError> {
        let items: Vec<Item> = spec.items().chain([Item::Ellipsis]).collect();
        let mut outputs = Vec::new();
        let axes = item_axes(spec.items().map(role_on_axis), self.outputs.len())?;
        for (item, (_, _, axes)) in items.into_iter().zip(axes) {
            match item {
                Item::NewAxis => outputs.push(None),
                Item::Ellipsis => outputs.extend_from_slice(&self.outputs[axes]),
                item => match self.outputs[axes.start] {
                    Some(axis) => {
                        outputs.extend(matches!(item, Item::Range { .. }).then_some(Some(axis)));
                        self.inputs[axis] = compose_items(axis, &self.inputs[axis], &item)?;
                    }
                    // A new axis has length 1 for every shape, so the result of slicing it is known.
                    None => {
                        let selection = DynSliceSpec::from_items([item])?.resolve(&[1])?;
                        match selection.output_shape() {
                            [] => {}
                            [1] => outputs.push(None),
                            _ => {
                                let axis = outputs.len();
                                return Err(TranslateError::EmptyNewAxis { axis });
                            }
                        }
                    }
                },
            }
        }
        self.outputs = outputs;
        Ok(self)
    }

    /// Returns the slice that selects the same elements as all operations together.
    fn spec(&self) -> Result<DynSliceSpec, TranslateError> {
        let mut inputs = self.inputs.iter().peekable();
        let mut items = Vec::new();
        for &output in &self.outputs {
            // Dropped axes are written before new ones, so that a new axis directly precedes the next kept axis.
            let is_dropped = |item: &&Item| matches!(item, Item::Index(_));
            while let Some(item) = inputs.next_if(is_dropped) {
                items.push(item.clone());
            }
            let mut next = || inputs.next().cloned();
            items.extend(output.map_or(Some(Item::NewAxis), |_| next()));
        }
        items.extend(inputs.cloned());
        Ok(DynSliceSpec::from_items(items)?)
    }
}

/// Composes the range `first` with the range or index `second`, which is applied to the result of `first`.
fn compose_items(axis: usize, first: &Item, second: &Item) -> Result<Item, TranslateError> {
    match (first, second) {
        (_, &WHOLE) => Ok(first.clone()),
        (&WHOLE, _) => Ok(second.clone()),
        // Bound `k` of the reversed axis is bound `-1 - k` of the original axis, which is `!k`.
        (_, &Item::Range { begin, end, step }) if *first == REVERSED => Ok(Item::Range {
            begin: begin.map(|bound| !bound),
            end: end.map(|bound| !bound),
            step: step.saturating_neg(),
        }),
        (_, &Item::Index(index)) if *first == REVERSED => Ok(Item::Index(!index)),
        (
            &Item::Range {
                begin,
                end,
                step: 1..,
            },
            Item::Index(0),
        ) => match (begin.unwrap_or(0), end) {
            (begin @ -1.., _) => Ok(Item::Index(begin)),
            // On an axis with fewer than `-begin` elements, a range from `begin` starts at position 0, so no index is
            // equivalent for all shapes. The range `begin:begin + 1` is an exception: on such an axis, the range is
            // empty, so index 0 of its result is out of bounds, and so is the index `begin` of the axis.
            (begin, Some(end)) if end == begin + 1 => Ok(Item::Index(begin)),
            _ => Err(TranslateError::SlicedTwice { axis }),
        },
        _ => Err(TranslateError::SlicedTwice { axis }),
    }
}
