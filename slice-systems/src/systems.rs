//! Defines the list of all systems, from which the code for each system is generated.

use core::fmt;
use core::str::FromStr;

use slice_core::{DynSliceSpec, ParseSliceError, Select, Selection};

use crate::error::OperationError;
use crate::explain::Explanation;
use crate::explain::systems::Explain;
use crate::operation::{Operation, System};
use crate::translate::error::TranslateError;

/// Calls a macro with the list of systems. For each system, the list contains an identifier, the type of the operation
/// and the name of the module, as in `TensorFlow: tensorflow::StridedSlice = "tensorflow"`.
///
/// The called macro can generate code for every system, including systems that are added to the list later.
///
/// # Example
///
/// ```
/// macro_rules! ids {
///     ($($Name:ident: $Operation:ty = $id:literal,)*) => { [$($id),*] };
/// }
/// let ids = slice_systems::for_each_system!(ids);
/// assert!(ids.contains(&"tensorflow") && ids.contains(&"tensorstore"));
/// ```
#[macro_export]
macro_rules! for_each_system {
    ($macro:ident) => {
        $macro! {
            Python: $crate::python::Slice = "python",
            TensorFlow: $crate::tensorflow::StridedSlice = "tensorflow",
            OpenVino: $crate::openvino::StridedSlice = "openvino",
            MindSpore: $crate::mindspore::StridedSlice = "mindspore",
            Onnx: $crate::onnx::Slice = "onnx",
            TensorStore: $crate::tensorstore::IndexTransform = "tensorstore",
            LiteRt: $crate::litert::StridedSlice = "litert",
            Torch: $crate::torch::Slice = "torch",
            StableHlo: $crate::stablehlo::Slice = "stablehlo",
            CoreMl: $crate::coreml::SliceByIndex = "coreml",
        }
    };
}

/// Defines [`AnyOperation`], an enum with one variant for each system in the list.
macro_rules! any_operation {
    ($($Name:ident: $Operation:ty = $id:literal,)*) => {
        /// An operation of any system.
        ///
        /// Text is parsed as a Python slice. With serde, an operation is serialized as a map with one field, which is
        /// named after the system's module.
        ///
        /// # Example
        ///
        /// ```
        /// use slice_systems::{AnyOperation, onnx};
        ///
        /// let op = onnx::Slice { opset: 13, starts: vec![1], ends: vec![3], axes: None, steps: None };
        /// let ops = [AnyOperation::from(op), "1:3".parse()?];
        /// assert_eq!(ops[0].resolve(&[5])?, ops[1].resolve(&[5])?);
        /// assert_eq!(ops.map(|op| op.system().name), ["ONNX", "Python"]);
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum AnyOperation {
            $(
                #[doc = concat!("The operation of the module `", $id, "`.")]
                #[cfg_attr(feature = "serde", serde(rename = $id))]
                $Name($Operation),
            )*
        }

        $(
            impl SystemOperation for $Operation {
                fn any(self) -> AnyOperation {
                    AnyOperation::$Name(self)
                }
            }
        )*

        impl AnyOperation {
            /// All systems.
            pub const SYSTEMS: &[System] = &[$(<$Operation as Operation>::SYSTEM),*];

            /// Returns the system of the operation.
            #[must_use]
            pub fn system(&self) -> System {
                match self {
                    $(AnyOperation::$Name(_) => <$Operation as Operation>::SYSTEM,)*
                }
            }

            /// Applies the operation to an array with the shape `shape`.
            ///
            /// # Errors
            ///
            /// Returns the first error that occurs, in the order in which the system checks an operation.
            pub fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
                match self {
                    $(AnyOperation::$Name(op) => Ok(op.resolve(shape)?),)*
                }
            }

            /// Returns the spec that selects the same elements as the operation for all shapes that the operation
            /// accepts.
            ///
            /// # Errors
            ///
            /// Returns a [`TranslateError`] if there is no such spec.
            ///
            /// # Example
            ///
            /// ```
            /// use slice_systems::{AnyOperation, torch};
            ///
            /// let op = torch::Slice { dim: 0, start: None, end: Some(-1), step: 2 };
            /// assert_eq!(AnyOperation::Torch(op).to_spec()?.to_string(), ":-1:2");
            /// # Ok::<(), slice_systems::translate::TranslateError>(())
            /// ```
            pub fn to_spec(&self) -> Result<DynSliceSpec, TranslateError> {
                match self {
                    $(AnyOperation::$Name(op) => Operation::to_spec(op),)*
                }
            }
        }

        impl Explain for AnyOperation {
            fn explain(&self, shape: &[usize]) -> Explanation {
                match self {
                    $(AnyOperation::$Name(op) => op.explain(shape),)*
                }
            }
        }

        impl fmt::Display for AnyOperation {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(AnyOperation::$Name(op) => op.fmt(f),)*
                }
            }
        }
    };
}

for_each_system!(any_operation);

/// Implements [`Select`] for the operations of all systems except Python, whose slices are of a type of slice-core.
macro_rules! select {
    ($Python:ident: $Spec:ty = $python:literal, $($Name:ident: $Operation:ty = $id:literal,)*) => {
        select! { $($Operation,)* AnyOperation }
    };
    ($($Operation:ty),*) => { $(
        #[doc(hidden)]
        impl Select for $Operation {
            type Error = OperationError;

            fn select(&self, shape: &[usize]) -> Result<Selection, OperationError> {
                self.resolve(shape)
            }
        }
    )* };
}

for_each_system!(select);

/// Parses the text of a Python slice.
impl FromStr for AnyOperation {
    type Err = ParseSliceError;

    fn from_str(text: &str) -> Result<Self, ParseSliceError> {
        text.parse().map(AnyOperation::Python)
    }
}

/// The operations of the systems in [`for_each_system`](crate::for_each_system).
pub trait SystemOperation {
    /// Converts the operation to an operation of any system.
    fn any(self) -> AnyOperation;
}

impl<Op: SystemOperation> From<Op> for AnyOperation {
    fn from(op: Op) -> Self {
        op.any()
    }
}
