//! The trait [`Select`], which is implemented for every type of slice.

use alloc::string::String;
use core::{error, fmt};

use crate::error::{SliceError, debug_is_message};
use crate::resolve::selection::Selection;
use crate::resolve::walk::StepVisitor;
use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::list_spec::ListSpec;
use crate::spec::slice_spec::SliceSpec;
use crate::spec::text::error::ParseSliceError;

/// A slice of any type: [`SliceSpec`] and [`ListSpec`], the values of [`s!`](crate::s!); a [`DynSliceSpec`]; a string in
/// Python notation; a [`Selection`], which applies only to its own shape; and references to them. The crate slice-systems
/// implements the trait for the operations of TensorFlow, ONNX and other systems.
///
/// Any type can implement the trait, so `unsafe` code must check that a selection has the shape that it asked for
/// ([`Selection::check_shape`]).
///
/// # Example
///
/// ```
/// use slice_core::{Select, s};
///
/// let shape = [4, 5];
/// assert_eq!(s![1:, [4, 0]].select(&shape)?, "1:, [4, 0]".select(&shape)?);
///
/// let column = s![:, 1].select(&shape)?;
/// assert_eq!(column.select(&shape)?, column);
/// assert!(column.select(&[4, 6]).is_err());
/// # Ok::<(), slice_core::SelectError>(())
/// ```
pub trait Select {
    /// The error of a slice that cannot be resolved: [`SelectError`] for all types in this crate.
    type Error;

    /// Resolves the slice for an array with the shape `shape`.
    ///
    /// # Errors
    ///
    /// Returns [`SelectError::Slice`] if the slice does not fit the shape, and [`SelectError::ParseSlice`] if a string is not
    /// a slice. An operation of another system returns the errors of that system.
    fn select(&self, shape: &[usize]) -> Result<Selection, Self::Error>;

    /// Returns the slice itself if it is a selection, so that it need not be cloned.
    #[doc(hidden)]
    #[inline(always)]
    fn as_selection(&self) -> Option<&Selection> {
        None
    }

    /// Passes the steps of the slice to `visitor` without creating a [`Selection`], for views, which take so little time
    /// that creating one would take a noticeable part of it. Returns `None` if the slice may have lists.
    #[doc(hidden)]
    #[inline(always)]
    fn visit_steps(
        &self,
        _shape: &[usize],
        _visitor: &mut impl StepVisitor,
    ) -> Option<Result<(), SliceError>> {
        None
    }
}

/// The error of a slice that does not fit a shape, or of a string that is not a slice.
///
/// # Example
///
/// ```
/// use slice_core::{Select, SelectError};
///
/// assert!(matches!("7".select(&[4, 5]), Err(SelectError::Slice(_)))); // out of bounds
/// assert!(matches!("1:,,".select(&[4, 5]), Err(SelectError::ParseSlice(_))));
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelectError {
    /// The slice does not fit the shape.
    Slice(SliceError),
    /// The string is not a slice.
    ParseSlice(ParseSliceError),
}

impl fmt::Display for SelectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SelectError::Slice(error) => error.fmt(f),
            SelectError::ParseSlice(error) => error.fmt(f),
        }
    }
}

debug_is_message! { SelectError }

impl error::Error for SelectError {}

impl From<SliceError> for SelectError {
    fn from(error: SliceError) -> Self {
        SelectError::Slice(error)
    }
}

#[doc(hidden)]
impl<const M: usize, K> Select for SliceSpec<M, K> {
    type Error = SelectError;

    fn select(&self, shape: &[usize]) -> Result<Selection, SelectError> {
        Ok(self.resolve(shape)?)
    }

    #[inline(always)]
    fn visit_steps(
        &self,
        shape: &[usize],
        visitor: &mut impl StepVisitor,
    ) -> Option<Result<(), SliceError>> {
        Some(self.each_step(shape, visitor))
    }
}

#[doc(hidden)]
impl<const M: usize, K> Select for ListSpec<'_, M, K> {
    type Error = SelectError;

    fn select(&self, shape: &[usize]) -> Result<Selection, SelectError> {
        Ok(self.resolve(shape)?)
    }
}

#[doc(hidden)]
impl Select for DynSliceSpec {
    type Error = SelectError;

    fn select(&self, shape: &[usize]) -> Result<Selection, SelectError> {
        Ok(self.resolve(shape)?)
    }
}

#[doc(hidden)]
impl Select for str {
    type Error = SelectError;

    fn select(&self, shape: &[usize]) -> Result<Selection, SelectError> {
        let spec: DynSliceSpec = self.parse().map_err(SelectError::ParseSlice)?;
        spec.select(shape)
    }
}

#[doc(hidden)]
impl Select for String {
    type Error = SelectError;

    fn select(&self, shape: &[usize]) -> Result<Selection, SelectError> {
        self.as_str().select(shape)
    }
}

#[doc(hidden)]
impl Select for Selection {
    type Error = SelectError;

    fn select(&self, shape: &[usize]) -> Result<Selection, SelectError> {
        self.check_shape(shape)?;
        Ok(self.clone())
    }

    fn as_selection(&self) -> Option<&Selection> {
        Some(self)
    }
}

#[doc(hidden)]
impl<T: Select + ?Sized> Select for &T {
    type Error = T::Error;

    fn select(&self, shape: &[usize]) -> Result<Selection, T::Error> {
        T::select(self, shape)
    }

    fn as_selection(&self) -> Option<&Selection> {
        T::as_selection(self)
    }

    #[inline(always)]
    fn visit_steps(
        &self,
        shape: &[usize],
        visitor: &mut impl StepVisitor,
    ) -> Option<Result<(), SliceError>> {
        T::visit_steps(self, shape, visitor)
    }
}
