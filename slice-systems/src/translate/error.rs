//! Defines the error returned if a slice cannot be translated to a system's operation, or an operation to a Python
//! slice.

use core::fmt;

use slice_core::{Item, SliceError};

use crate::coreml::error::MilError;
use crate::error::{OperationError, SystemError, debug_is_message};
use crate::litert::error::KernelError;
use crate::stablehlo::error::VerifyError;
use crate::tensorstore::error::TransformError;
use crate::torch::error::AtenError;

/// The reason why a slice or an operation cannot be translated.
///
/// Each message states the obstacle and, where there is one, an alternative. The field `item` is the index of an item,
/// counted from 0; messages count items from 1.
///
/// # Example
///
/// ```
/// use slice_systems::Operation;
/// use slice_systems::mindspore::StridedSlice;
/// use slice_core::s;
/// use slice_systems::translate::TranslateError;
///
/// let refused = StridedSlice::from_spec(&s![newaxis, 1:].to_dyn()).unwrap_err();
/// assert!(matches!(refused, TranslateError::SpareEntry { item: 0, .. }));
/// assert_eq!(format!("{refused:?}"), refused.to_string());
/// ```
#[derive(Clone, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum TranslateError {
    /// The slice or the operation is invalid, either for every shape or for the given shape.
    #[error("the slice is invalid: {0}")]
    Operation(OperationError),
    /// An item lists positions of several axes together, or gives several axes: points, and a list or a mask with several
    /// axes. They are not translated.
    #[error(transparent)]
    JoinedAxes(SliceError),
    /// A TensorStore transform is invalid, or no single slice is equivalent to it.
    #[error(transparent)]
    Transform(SystemError),
    /// The system has no operation that is equivalent to the slice for all shapes.
    #[error(
        "{system} has no operation that expresses this slice for all shapes; translate the slice for a known shape"
    )]
    NeedsShape {
        /// The system.
        system: &'static str,
    },
    /// A range with a negative step has a `begin` below -1, which lies before the first element of an axis with fewer
    /// than `-begin` elements. Python selects nothing from such an axis, while OpenVINO and ONNX start at the first
    /// element.
    #[error(fmt = fmt_reverse_begin)]
    ReverseBegin {
        /// The index of the range.
        item: usize,
        /// The `begin` of the range, which is below -1.
        begin: i64,
        /// The end of the range.
        end: Option<i64>,
        /// The step of the range, which is below 0.
        step: i64,
        /// The system.
        system: &'static str,
    },
    /// An ellipsis or a new axis becomes an entry that consumes no axis, but MindSpore allows no more entries than
    /// axes.
    #[error(
        "MindSpore allows at most one entry for each axis, but for an input with {rank} axes, this slice needs \
         {entries} entries, because item {}, for example, consumes no axis; write `:` for each axis of an ellipsis, \
         and add new axes with expand_dims",
        *.item as u128 + 1
    )]
    SpareEntry {
        /// The index of the item that consumes no axis.
        item: usize,
        /// The number of entries.
        entries: usize,
        /// The number of axes of the input or, if the shape is not known, the number of axes that the items consume.
        rank: usize,
    },
    /// An ellipsis is followed by an item other than `:`, and covers no axis for some shapes. For these shapes, LiteRT
    /// makes the ellipsis cover one axis anyway.
    #[error(
        "the ellipsis (item {}) covers no axis for some shapes, but {system} always makes it cover at least one; \
         write `:` for each axis that it covers, or translate the slice for a known shape",
        *.item as u128 + 1
    )]
    EmptyEllipsis {
        /// The index of the ellipsis.
        item: usize,
        /// The system.
        system: &'static str,
    },
    /// A LiteRT range is defined by its `begin` and a length, and its first position depends on the length of the axis,
    /// so no Python range is equivalent for all shapes.
    #[error(fmt = fmt_length_from)]
    LengthFrom {
        /// The index of the range.
        item: usize,
        /// The `begin` of the range.
        begin: i64,
        /// The distance from the `begin` to the end; `None` for the rest of the axis.
        length: Option<i64>,
    },
    /// Two operations of a program slice the same axis in a way that no single slice expresses for all shapes.
    #[error(
        "axis {axis} is sliced twice, and no single slice is equivalent for all shapes; translate the operations for \
         a known shape"
    )]
    SlicedTwice {
        /// The axis of the input.
        axis: usize,
    },
    /// An operation is equivalent to different slices for different lengths of an axis.
    #[error(
        "the result of {operation} on axis {axis} depends on the length of the axis; translate the operation for a \
         known shape"
    )]
    DependsOnLength {
        /// The operation.
        operation: &'static str,
        /// The axis.
        axis: usize,
    },
    /// A range has a step other than 1, but `Slice` has no steps in this version of the ONNX operator set.
    #[error(
        "item {} has step {step}, but Slice has no steps in opset {opset}; use opset 10 or higher",
        *.item as u128 + 1
    )]
    NoSteps {
        /// The index of the range.
        item: usize,
        /// The step of the range.
        step: i64,
        /// The version of the operator set.
        opset: u32,
    },
    /// A reverse range has the end `i32::MAX`, which ONNX Runtime interprets as "down to the first element".
    #[error(
        "item {} has a negative step and the end {}, which ONNX Runtime interprets as \"down to the first element\"; \
         translate the slice for a known shape",
        *.item as u128 + 1, i32::MAX
    )]
    IntMaxEnd {
        /// The index of the range.
        item: usize,
    },
    /// A slice selects no position of a new axis that a previous slice inserted. No single operation inserts an axis of
    /// length 0.
    #[error(
        "axis {axis} of the result is a new axis of length 0, which no single operation creates; apply the slices \
         separately"
    )]
    EmptyNewAxis {
        /// The axis of the result.
        axis: usize,
    },
    /// A list selects the only position of a new axis several times. A slice inserts only axes of length 1.
    #[error(
        "axis {axis} of the result is a new axis of length {len}, but a slice creates only new axes of length 1; \
         apply the slices separately"
    )]
    RepeatedNewAxis {
        /// The axis of the result.
        axis: usize,
        /// The length of the axis.
        len: usize,
    },
    /// An operation selects positions by a list, so a slice without lists cannot express it.
    #[error(
        "{operation} selects by a list, so it is not equivalent to a slice without lists; translate it to a slice \
         with lists for a known shape"
    )]
    List {
        /// The operation.
        operation: &'static str,
    },
    /// A slice needs a feature that the system, or one of its operations, does not support.
    #[error("{system} does not support {part}; {instead}")]
    Missing {
        /// The system.
        system: &'static str,
        /// The unsupported feature, as a plural noun.
        part: &'static str,
        /// An alternative.
        instead: &'static str,
    },
    /// An ONNX operator counts some axes from the front and others from the end, so the order of the axes, and of the
    /// items, depends on the rank.
    #[error(
        "the order of axes {front} and {back} depends on the number of axes; translate the operator for a known \
         number of axes, with to_spec_for_rank"
    )]
    CrossingAxes {
        /// The largest axis counted from the front.
        front: i64,
        /// The smallest axis counted from the end.
        back: i64,
    },
}

debug_is_message! { TranslateError }

impl From<OperationError> for TranslateError {
    fn from(error: OperationError) -> Self {
        TranslateError::Operation(error)
    }
}

impl From<SliceError> for TranslateError {
    fn from(error: SliceError) -> Self {
        match error {
            SliceError::JoinedAxes { .. } => TranslateError::JoinedAxes(error),
            error => TranslateError::Operation(error.into()),
        }
    }
}

macro_rules! from_errors_of_operations {
    ($($Error:ty),*) => { $(
        #[doc(hidden)]
        impl From<$Error> for TranslateError {
            fn from(error: $Error) -> Self {
                TranslateError::Operation(error.into())
            }
        }
    )* };
}

from_errors_of_operations!(AtenError, KernelError, MilError, VerifyError);

#[doc(hidden)]
impl From<TransformError> for TranslateError {
    fn from(error: TransformError) -> Self {
        TranslateError::Transform(error.into())
    }
}

fn fmt_reverse_begin(
    item: &usize,
    &begin: &i64,
    &end: &Option<i64>,
    &step: &i64,
    system: &&'static str,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let range = Item::Range {
        begin: Some(begin),
        end,
        step,
    };
    write!(
        f,
        "`{range}` (item {}) has different meanings on axes shorter than {}: Python selects nothing, while {system} \
         starts at the first element; translate the slice for a known shape",
        *item as u128 + 1,
        begin.unsigned_abs(),
    )?;
    match end {
        Some(_) => Ok(()),
        None => write!(
            f,
            ", or slice twice, first with `:{}` and then with `::{step}`",
            begin + 1
        ),
    }
}

fn fmt_length_from(
    item: &usize,
    begin: &i64,
    length: &Option<i64>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    write!(
        f,
        "item {} has begin {begin}, whose position depends on the length of the axis, and ",
        *item as u128 + 1
    )?;
    match length {
        Some(length) => write!(f, "length {length} instead of an end")?,
        None => f.write_str("selects the rest of the axis")?,
    }
    f.write_str("; no Python range is equivalent for all shapes, so translate the operator for a known shape")
}
