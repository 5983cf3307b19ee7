//! Defines the trait [`Operation`], which the operations of all systems implement, and the type [`System`].

use core::fmt;

use slice_core::{DynSliceSpec, Selection};

use crate::explain::Explanation;
use crate::explain::systems::Explain;
use crate::lists::Operations;
use crate::translate::defect::{Defect, Translated};
use crate::translate::error::TranslateError;

/// A library or format with its own definition of slices, such as NumPy or ONNX.
///
/// # Example
///
/// ```
/// use slice_systems::Operation;
/// use slice_systems::onnx::Slice;
///
/// let system = Slice::SYSTEM;
/// assert_eq!((system.id, system.name), ("onnx", "ONNX"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct System {
    /// The name of the module that defines the system's operation. It identifies the system in a serialized
    /// [`AnyOperation`](crate::AnyOperation).
    pub id: &'static str,
    /// The name of the system.
    pub name: &'static str,
    /// The version whose results this crate reproduces.
    pub version: &'static str,
    /// The known defects of the system, each with the affected version.
    pub defects: &'static [Defect],
}

/// A system's operation, which expresses a slice in the system's own form.
///
/// # Example
///
/// ```
/// use slice_core::DynSliceSpec;
/// use slice_systems::{Operation, openvino, tensorflow};
///
/// fn translate<To: Operation>(op: &impl Operation) -> String {
///     let spec = op.to_spec().expect("the operation should be equivalent to one slice");
///     To::from_spec(&spec).expect("the system should support the slice").op.to_string()
/// }
///
/// let (begin, end, strides) = (vec![1], vec![3], vec![1]);
/// let op = tensorflow::StridedSlice { begin, end, strides, ..tensorflow::StridedSlice::default() };
/// assert_eq!(translate::<DynSliceSpec>(&op), "1:3");
/// assert_eq!(
///     translate::<openvino::StridedSlice>(&op),
///     "opset1.strided_slice(x, [1], [3], [1], begin_mask=[0], end_mask=[0])",
/// );
/// ```
pub trait Operation: fmt::Debug + fmt::Display + Clone + PartialEq + Sized {
    /// The system.
    const SYSTEM: System;

    /// The type of a translated slice without lists: the operation itself, or a sequence of operations.
    type WithoutLists: fmt::Debug + fmt::Display + Clone + PartialEq;

    /// The type of a translated slice with lists.
    type WithLists: Operations + fmt::Debug + fmt::Display + Clone + PartialEq;

    /// Returns the spec that selects the same elements as the operation for all shapes that the operation accepts.
    ///
    /// # Errors
    ///
    /// Returns [`TranslateError::Operation`] if the operation accepts no shape or has more than 64 entries,
    /// [`TranslateError::ReverseBegin`] for some reverse ranges of OpenVINO and ONNX, and a different
    /// [`TranslateError`] if there is no such spec for another reason.
    fn to_spec(&self) -> Result<DynSliceSpec, TranslateError>;

    /// Returns an operation that selects the same elements as the spec for all shapes.
    ///
    /// # Errors
    ///
    /// Returns [`TranslateError::Operation`] if a range has a step of 0 or if the operation would have more entries
    /// than the system supports, and a different [`TranslateError`] if there is no such operation; see the table in the
    /// module [`translate`](crate::translate). The default implementation returns [`TranslateError::NeedsShape`]; it is
    /// used for systems whose operations depend on the shape.
    fn from_spec(_: &DynSliceSpec) -> Result<Translated<Self::WithoutLists>, TranslateError> {
        let system = Self::SYSTEM.name;
        Err(TranslateError::NeedsShape { system })
    }

    /// Returns an operation that selects the same elements as `selection`, for arrays of its input shape.
    ///
    /// # Errors
    ///
    /// Returns [`TranslateError::EmptyNewAxis`] if a new axis has length 0, [`TranslateError::Operation`] if the
    /// selection has too many axes or too long an axis for the system, and a different [`TranslateError`] if the system
    /// has no such operation.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_systems::Operation;
    /// use slice_systems::onnx::Slice;
    ///
    /// let plan = Slice::from_selection(&s![1:, -1].resolve(&[4, 5])?)?.op;
    /// assert_eq!(plan.resolve(&[4, 5])?.output_shape(), [3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn from_selection(
        selection: &Selection,
    ) -> Result<Translated<Self::WithoutLists>, TranslateError>;

    /// Translates a spec, possibly with lists, for arrays with the shape `shape`. The translation is usually an operation
    /// for the slice, followed by one operation for each list. The positions in the translated lists are counted from
    /// the front.
    ///
    /// # Errors
    ///
    /// Returns [`TranslateError::Operation`] if the spec does not fit the shape, the same errors as
    /// [`from_selection`](Self::from_selection) for the items that are not lists, and a different [`TranslateError`] if the
    /// system cannot express one of the lists.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_systems::Operation;
    /// use slice_systems::lists::Operations;
    /// use slice_systems::tensorflow::StridedSlice;
    ///
    /// let spec = s![1:, [2, 0]].to_dyn();
    /// let program = StridedSlice::from_spec_for_shape(&spec, &[4, 5])?.op;
    /// assert_eq!(program.resolve(&[4, 5])?, spec.resolve(&[4, 5])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn from_spec_for_shape(
        spec: &DynSliceSpec,
        shape: &[usize],
    ) -> Result<Translated<Self::WithLists>, TranslateError>;

    /// Explains the operation. Implements [`explain`](Explain::explain).
    #[doc(hidden)]
    fn explanation(&self, shape: &[usize]) -> Explanation;
}

impl<Op: Operation> Explain for Op {
    fn explain(&self, shape: &[usize]) -> Explanation {
        self.explanation(shape)
    }
}
