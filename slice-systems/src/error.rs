//! Defines the error returned if an operation cannot be applied.

use alloc::boxed::Box;
use core::fmt;

use slice_core::{DisplayShape, SliceError};

use crate::coreml::error::MilError;
use crate::litert::error::KernelError;
use crate::stablehlo::error::VerifyError;
use crate::tensorstore::error::TransformError;
use crate::torch::error::AtenError;

/// The reason why a system's operation, such as ONNX's `Slice`, cannot be applied.
///
/// An error that any slice can cause is a [`SliceError`]; the other variants are specific to some systems. An *entry*
/// consists of the numbers at one index of an operation's lists. The field `item` is the index of an entry, counted
/// from 0, as in `begin[item]`; messages count entries from 1. If the system reports the same error, the message uses
/// the system's words.
///
/// # Example
///
/// ```
/// use slice_core::SliceError;
/// use slice_systems::{OperationError, openvino};
///
/// let op = openvino::StridedSlice {
///     begin: vec![9],
///     end: vec![0],
///     shrink_axis_mask: vec![1],
///     ..openvino::StridedSlice::default()
/// };
/// let expected = SliceError::IndexOutOfBounds { item: 0, axis: 0, index: 9, size: 4 };
/// assert_eq!(op.resolve(&[4]), Err(OperationError::Slice(expected)));
///
/// let op = openvino::StridedSlice { shrink_axis_mask: vec![2], ..op };
/// let error = op.resolve(&[4]).unwrap_err();
/// assert_eq!(error.to_string(), "all elements of shrink_axis_mask must be 0 or 1, but element 1 is 2");
/// assert_eq!(format!("{error:?}"), error.to_string());
/// ```
#[derive(Clone, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum OperationError {
    /// An error that any slice can cause.
    #[error(transparent)]
    Slice(#[from] SliceError),
    /// A bit mask does not fit in the 32 bits that TensorFlow uses.
    #[error("attr {mask} has value {value} out of range for an int32")]
    MaskOverflow {
        /// The name of the mask.
        mask: &'static str,
        /// The value of the mask.
        value: i64,
    },
    /// A bit mask is negative, which MindSpore rejects.
    #[error("{mask} must not be negative, but is {value}")]
    NegativeMask {
        /// The name of the mask.
        mask: &'static str,
        /// The value of the mask.
        value: i64,
    },
    /// An element of one of OpenVINO's mask lists is neither 0 nor 1.
    #[error("all elements of {mask} must be 0 or 1, but element {} is {value}", *.item as u128 + 1)]
    MaskElement {
        /// The name of the mask.
        mask: &'static str,
        /// The index of the element, counted from 0.
        item: usize,
        /// The element.
        value: i64,
    },
    /// A stride is zero. OpenVINO checks the strides of all ranges, and MindSpore the strides of all entries, before
    /// any entry is applied to an axis. Translations return this error, too.
    #[error(
        "strides must be non-zero, but item {} has stride 0; use 1 to take every element",
        *.item as u128 + 1
    )]
    ZeroInStrides {
        /// The index of the entry, counted from 0.
        item: usize,
    },
    /// One of ONNX's `steps` is zero. Only translations return this error; applying the operator to a shape returns
    /// [`SliceError::ZeroStep`], which also contains the axis.
    #[error("steps must be non-zero, but entry {} is 0; use 1 to take every element", *.item as u128 + 1)]
    ZeroInSteps {
        /// The index of the entry, counted from 0.
        item: usize,
    },
    /// The operation has more entries than the array has axes, which MindSpore rejects even if some entries consume no
    /// axis.
    #[error(
        "begin, end and strides must not have more entries than the array has axes: array is {rank}-dimensional, but \
         there are {items} entries, including new axes and the ellipsis"
    )]
    MoreItemsThanAxes {
        /// The number of entries.
        items: usize,
        /// The number of axes.
        rank: usize,
    },
    /// The input has no axes. ONNX rejects all such inputs. MindSpore rejects them unless all masks are 0, all strides
    /// are positive, and `begin`, `end` and `strides` have the same length.
    #[error("cannot slice scalars: array is 0-dimensional")]
    ScalarInput,
    /// An ONNX vector does not have as many entries as `starts`.
    #[error(
        "starts and {vector} must have the same length, but have {expected} and {actual} entries"
    )]
    VectorLength {
        /// The name of the vector.
        vector: &'static str,
        /// The number of entries in `starts`.
        expected: usize,
        /// The number of entries in the vector.
        actual: usize,
    },
    /// The operation names an axis that the input does not have, for example in ONNX's `axes`.
    #[error(
        "axis {axis} is out of bounds for array of dimension {rank} (entry {} of the axes)",
        *.item as u128 + 1
    )]
    AxisOutOfRange {
        /// The index of the entry, counted from 0.
        item: usize,
        /// The axis as written. For an ONNX operator without `axes`, it is the index of the entry.
        axis: i64,
        /// The number of axes of the input.
        rank: usize,
    },
    /// Two entries name the same axis, for example in ONNX's `axes`.
    #[error(
        "axes has duplicates: entries {} and {} both name axis {axis}",
        *.first as u128 + 1, *.second as u128 + 1
    )]
    RepeatedAxis {
        /// The index of the first entry, counted from 0.
        first: usize,
        /// The index of the second entry, counted from 0.
        second: usize,
        /// The axis, counted from the front. If the number of axes is not known, the axis as written.
        axis: i64,
    },
    /// The ONNX operator set does not contain the operator, or its version of the operator does not have the attribute.
    #[error(fmt = fmt_opset)]
    Opset {
        /// The version of the operator set.
        opset: u32,
        /// The missing attribute; `None` if the operator is missing.
        attribute: Option<&'static str>,
    },
    /// The list of a gather contains an index outside the axis. In the gathers that return this error, negative indices
    /// do not count from the end.
    #[error(
        "index {index} is out of bounds for axis {axis} with size {size} (position {} of the list); in this \
         operation, negative indices do not count from the end",
        *.place as u128 + 1
    )]
    ListIndex {
        /// The position of the index in the list, counted from 0.
        place: usize,
        /// The axis.
        axis: usize,
        /// The index.
        index: i64,
        /// The length of the axis.
        size: usize,
    },
    /// NumPy or PyTorch does not apply each list in the indexing expression `x[...]` to its own axis, because of the
    /// number of lists or the order of the items.
    #[error(fmt = fmt_brackets)]
    Brackets {
        /// The system.
        system: &'static str,
        /// The number of lists.
        lists: usize,
    },
    /// An error that only one system reports.
    #[error(transparent)]
    System(#[from] SystemError),
    /// The gradient passed to TensorFlow's StridedSliceGrad does not have the shape of the slice.
    #[error("shape of dy was {} instead of {}", DisplayShape(.actual), DisplayShape(.expected))]
    GradientShape {
        /// The shape of the slice.
        expected: Box<[usize]>,
        /// The shape of the gradient.
        actual: Box<[usize]>,
    },
}

/// An error that only one system reports: TensorStore, LiteRT, PyTorch, StableHLO or Core ML.
///
/// # Example
///
/// ```
/// use slice_systems::OperationError;
/// use slice_systems::torch::Slice;
///
/// let op = Slice { dim: 0, start: None, end: None, step: -1 };
/// let Err(OperationError::System(error)) = op.resolve(&[3]) else { panic!() };
/// assert_eq!(error.system(), "PyTorch");
/// assert!(error.to_string().starts_with("slice step must be positive, but is -1 for dim 0"));
/// assert_eq!(format!("{error:?}"), error.to_string());
/// ```
#[derive(Clone, PartialEq, Eq, Hash, thiserror::Error)]
#[error(transparent)]
pub struct SystemError(#[doc(hidden)] pub Reason);

/// Writes the message of an error as its `Debug`, so that `unwrap` and `expect` print the message.
macro_rules! debug_is_message {
    ($Error:ty) => {
        impl core::fmt::Debug for $Error {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }
    };
}
pub(crate) use debug_is_message;

debug_is_message! { OperationError }
debug_is_message! { SystemError }

/// Defines [`Reason`], and its conversions to the errors that contain it.
macro_rules! reasons {
    ($($System:ident($Error:ident), $name:literal;)*) => {
        /// The reason for the error, by system.
        #[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
        pub enum Reason {
            $(
                #[doc = concat!("An error of ", $name, ".")]
                #[error(transparent)]
                $System($Error),
            )*
        }

        impl SystemError {
            /// Returns the name of the system.
            #[must_use]
            pub fn system(&self) -> &'static str {
                match self.0 {
                    $(Reason::$System(_) => $name,)*
                }
            }
        }

        $(
            #[doc(hidden)]
            impl From<$Error> for SystemError {
                fn from(error: $Error) -> Self {
                    SystemError(Reason::$System(error))
                }
            }

            #[doc(hidden)]
            impl From<$Error> for OperationError {
                fn from(error: $Error) -> Self {
                    OperationError::System(error.into())
                }
            }
        )*
    };
}

reasons! {
    TensorStore(TransformError), "TensorStore";
    LiteRt(KernelError), "LiteRT";
    Torch(AtenError), "PyTorch";
    StableHlo(VerifyError), "StableHLO";
    CoreMl(MilError), "Core ML";
}

fn fmt_opset(
    opset: &u32,
    attribute: &Option<&'static str>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    match attribute {
        Some(attribute) => write!(
            f,
            "operator Slice has no attribute {attribute} in opset {opset}; use opset 10 or higher"
        ),
        None => write!(
            f,
            "operator Slice does not exist in opset {opset}; use opset 1 or higher"
        ),
    }
}

fn fmt_brackets(system: &&'static str, lists: &usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match lists {
        0 | 1 => write!(
            f,
            "{system} moves the axis of a list to the front if another item separates the list from an integer; \
             apply the list and the integer in separate indexing expressions"
        ),
        _ => write!(
            f,
            "{system} pairs the {lists} lists element by element instead of applying each list to its own axis; apply \
             each list in a separate indexing expression"
        ),
    }
}
