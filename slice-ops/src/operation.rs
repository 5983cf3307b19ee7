//! What the operations of all systems have in common.

use core::fmt;

use slice_core::{DynOuterSpec, DynSliceSpec, Selection};

use crate::error::OperationError;
use crate::explain::systems::Explain;
use crate::lists::{Outer, Split};
use crate::translate::defect::{Defect, Translated};
use crate::translate::error::TranslateError;

/// A system, as it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct System {
    /// The module of its operation, which is also its name in serde.
    pub folder: &'static str,
    /// Its name.
    pub name: &'static str,
    /// The version whose answers are followed.
    pub version: &'static str,
    /// What it is known to compute wrongly; each names the version.
    pub defects: &'static [Defect],
}

/// An operation of a system: what the system calls a slice.
///
/// # Example
///
/// ```
/// use slice_core::DynSliceSpec;
/// use slice_ops::{Operation, openvino, tensorflow};
///
/// fn moved<To: Operation>(op: &impl Operation) -> String {
///     let spec = op.to_spec().expect("it means a slice for every shape");
///     To::from_spec(&spec).expect("the system has it").op.to_string()
/// }
///
/// let (begin, end, strides) = (vec![1], vec![3], vec![1]);
/// let op = tensorflow::StridedSlice { begin, end, strides, ..tensorflow::StridedSlice::default() };
/// assert_eq!(moved::<DynSliceSpec>(&op), "1:3");
/// assert_eq!(
///     moved::<openvino::StridedSlice>(&op),
///     "opset1.strided_slice(x, [1], [3], [1], begin_mask=[0], end_mask=[0])",
/// );
/// ```
pub trait Operation: Explain + fmt::Debug + fmt::Display + Clone + PartialEq + Sized {
    /// The system.
    const SYSTEM: System;

    /// What a slice is written as: the operation itself, or several of them that are applied one after the other.
    type Written: fmt::Debug + fmt::Display + Clone + PartialEq;

    /// What a slice with lists is written as.
    type WithLists: Outer + fmt::Debug + fmt::Display + Clone + PartialEq;

    /// Applies the operation to an array of this shape.
    ///
    /// # Errors
    ///
    /// Those of the system, in its order.
    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError>;

    /// The spec that selects what the operation selects, for every shape that it accepts.
    ///
    /// # Errors
    ///
    /// [`TranslateError`] if there is none.
    fn to_spec(&self) -> Result<DynSliceSpec, TranslateError>;

    /// The operation that selects what the spec selects, for every shape.
    ///
    /// # Errors
    ///
    /// [`TranslateError`] if there is none; [`TranslateError::NeedsShape`] of systems whose operations depend on it.
    fn from_spec(spec: &DynSliceSpec) -> Result<Translated<Self::Written>, TranslateError>;

    /// The operation that selects this of an array of the selection's shape.
    ///
    /// # Errors
    ///
    /// [`TranslateError::EmptyNewAxis`]; [`TranslateError::Operation`] for a selection with too many axes.
    fn from_selection(selection: &Selection) -> Result<Translated<Self::Written>, TranslateError>;

    /// What selects a slice and then lists, of an array of the slice's shape.
    ///
    /// # Errors
    ///
    /// As [`from_selection`](Self::from_selection); [`TranslateError::Missing`] of systems that do not have it.
    fn from_split(split: &Split) -> Result<Translated<Self::WithLists>, TranslateError>;

    /// What selects this of an array of this shape: an operation, and after it one for each list, which has the positions
    /// counted from the front.
    ///
    /// # Errors
    ///
    /// As [`from_split`](Self::from_split); [`TranslateError::Operation`] if the spec does not fit the shape.
    fn from_outer_spec(
        spec: &DynOuterSpec,
        shape: &[usize],
    ) -> Result<Translated<Self::WithLists>, TranslateError> {
        Self::from_split(&Split::of_spec(spec, shape)?)
    }
}

/// The methods of [`Operation`] for an operation that has methods of the same names, and that a slice is written as; programs are in
/// the module named.
macro_rules! by_methods_of_its_own {
    ($program:ident) => {
        type Written = Self;
        type WithLists = $program::Program;

        fn from_split(
            split: &$crate::lists::Split,
        ) -> Result<
            $crate::translate::defect::Translated<$program::Program>,
            $crate::translate::error::TranslateError,
        > {
            $program::from_split(split)
        }

        fn resolve(
            &self,
            shape: &[usize],
        ) -> Result<slice_core::Selection, $crate::error::OperationError> {
            // Methods of the type itself come before those of traits.
            Self::resolve(self, shape)
        }

        fn to_spec(
            &self,
        ) -> Result<slice_core::DynSliceSpec, $crate::translate::error::TranslateError> {
            Self::to_spec(self)
        }

        fn from_spec(
            spec: &slice_core::DynSliceSpec,
        ) -> Result<
            $crate::translate::defect::Translated<Self>,
            $crate::translate::error::TranslateError,
        > {
            Self::from_spec(spec)
        }

        fn from_selection(
            selection: &slice_core::Selection,
        ) -> Result<
            $crate::translate::defect::Translated<Self>,
            $crate::translate::error::TranslateError,
        > {
            Self::from_selection(selection)
        }
    };
}
pub(crate) use by_methods_of_its_own;
