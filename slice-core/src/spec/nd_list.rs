//! `NdList`: a list with any number of axes.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::error::SliceError;
use crate::spec::list::{ListArray, ListElement};

/// A list of positions, or a mask, with any number of axes: the elements in C order, and the shape. Clones share the
/// elements.
///
/// # Example
///
/// ```
/// use slice_core::NdList;
///
/// let table = NdList::new([2, 2], [0, 2, 1, 1])?;
/// assert_eq!((table.shape(), table.elements()), (&[2, 2][..], &[0, 2, 1, 1][..]));
/// assert!(NdList::new([2, 2], [true, false, true]).is_err());
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NdList<T> {
    // INVARIANT: the product of `shape` is the number of elements.
    shape: Vec<usize>,
    elements: Arc<Vec<T>>,
}

impl<T> NdList<T> {
    /// Creates a list from its shape and its elements in C order.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::BufferLength`] unless there is one element for each position in an array with the shape
    /// `shape`.
    pub fn new(
        shape: impl Into<Vec<usize>>,
        elements: impl Into<Vec<T>>,
    ) -> Result<Self, SliceError> {
        let (shape, elements) = (shape.into(), elements.into());
        // If the product overflows, no `Vec` has that many elements.
        let product = shape
            .iter()
            .fold(1, |all: usize, &len| all.saturating_mul(len));
        let expected = if shape.contains(&0) { 0 } else { product };
        let actual = elements.len();
        match expected == actual {
            true => Ok(NdList {
                shape,
                elements: elements.into(),
            }),
            false => Err(SliceError::BufferLength { expected, actual }),
        }
    }

    /// Creates a list without axes, which has one element.
    pub(crate) fn scalar(element: T) -> Self {
        NdList {
            shape: Vec::new(),
            elements: vec![element].into(),
        }
    }

    /// Returns the shape.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the number of axes.
    ///
    /// ```
    /// use slice_core::NdList;
    ///
    /// let list = NdList::new([2, 2], [3, 1, 4, 1])?;
    /// assert_eq!((list.rank(), list.shape()), (2, &[2, 2][..]));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[must_use]
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Returns the elements in C order.
    #[must_use]
    pub fn elements(&self) -> &[T] {
        &self.elements
    }
}

impl<T> From<Vec<T>> for NdList<T> {
    fn from(elements: Vec<T>) -> Self {
        NdList {
            shape: vec![elements.len()],
            elements: elements.into(),
        }
    }
}

impl<T: ListElement> NdList<T> {
    pub(crate) fn borrowed(&self) -> ListArray<'_> {
        ListArray {
            __elements: T::list(&self.elements),
            __shape: Some(&self.shape),
        }
    }
}

/// Moves to the next place in an array with the shape `shape`, in C order.
pub(crate) fn next_place(place: &mut [usize], shape: &[usize]) {
    for (k, &len) in place.iter_mut().zip(shape).rev() {
        *k += 1;
        if *k < len {
            return;
        }
        *k = 0;
    }
}
