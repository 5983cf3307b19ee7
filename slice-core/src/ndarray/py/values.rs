//! What can be written to a slice.

use ndarray::{ArrayBase, ArrayRef, ArrayViewMut, Data, Dimension};

use super::nested::{Deeper, Nested};
use crate::copy::broadcast::broadcast;
use crate::error::SliceError;
use crate::ndarray::{SliceFor, StridedSliceExt};

/// Everything that broadcasts to a slice of an array of `A`; `Kind` tells the implementations apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written to a slice of an array of `{A}`",
    label = "neither a `{A}` nor an array of them",
    note = "a slice takes a value of the type of its elements, an array or a view of them, or nested literals"
)]
pub trait Values<A, Kind> {
    /// Writes the values to the slice.
    fn set<D: Dimension, I: SliceFor<D>>(
        self,
        target: &mut ArrayRef<A, D>,
        spec: I,
    ) -> Result<(), SliceError>;

    /// Calls `update` with each element of the slice and the value for it.
    fn update<D: Dimension>(
        self,
        slice: ArrayViewMut<'_, A, D>,
        update: impl FnMut(&mut A, &A),
    ) -> Result<(), SliceError>;
}

/// One value for all places.
#[derive(Debug)]
pub struct Scalar;

/// The same, borrowed.
#[derive(Debug)]
pub struct Borrowed;

/// An array.
#[derive(Debug)]
pub struct Elements;

impl<A: Clone> Values<A, Scalar> for A {
    #[inline]
    fn set<D: Dimension, I: SliceFor<D>>(
        self,
        target: &mut ArrayRef<A, D>,
        spec: I,
    ) -> Result<(), SliceError> {
        target.try_fill_at(spec, self)
    }

    #[inline]
    fn update<D: Dimension>(
        self,
        mut slice: ArrayViewMut<'_, A, D>,
        mut update: impl FnMut(&mut A, &A),
    ) -> Result<(), SliceError> {
        slice.map_inplace(|element| update(element, &self));
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl<A: Clone> Values<A, Borrowed> for &A {
    #[inline]
    fn set<D: Dimension, I: SliceFor<D>>(
        self,
        target: &mut ArrayRef<A, D>,
        spec: I,
    ) -> Result<(), SliceError> {
        target.try_fill_at(spec, self.clone())
    }

    #[inline]
    fn update<D: Dimension>(
        self,
        slice: ArrayViewMut<'_, A, D>,
        update: impl FnMut(&mut A, &A),
    ) -> Result<(), SliceError> {
        self.clone().update(slice, update)
    }
}

macro_rules! arrays {
    ($([$($generics:tt)*] $array:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<A: Clone, E: Dimension, $($generics)*> Values<A, Elements> for $array {
            #[inline]
            fn set<D: Dimension, I: SliceFor<D>>(
                self,
                target: &mut ArrayRef<A, D>,
                spec: I,
            ) -> Result<(), SliceError> {
                let array: &ArrayRef<A, E> = &self;
                target.try_set(spec, array)
            }

            #[inline]
            fn update<D: Dimension>(
                self,
                slice: ArrayViewMut<'_, A, D>,
                function: impl FnMut(&mut A, &A),
            ) -> Result<(), SliceError> {
                let array: &ArrayRef<A, E> = &self;
                update(slice, array, function)
            }
        }
    )* };
}

arrays! {
    [S: Data<Elem = A>] ArrayBase<S, E>;
    [S: Data<Elem = A>] &ArrayBase<S, E>;
    [S: Data<Elem = A>] &mut ArrayBase<S, E>;
    [S: Data<Elem = A>] &&ArrayBase<S, E>;
    [S: Data<Elem = A>] &&mut ArrayBase<S, E>;
    [] &ArrayRef<A, E>;
    [] &&ArrayRef<A, E>;
    [] &&mut ArrayRef<A, E>;
}

fn update<A, D: Dimension, E: Dimension>(
    mut slice: ArrayViewMut<'_, A, D>,
    value: &ArrayRef<A, E>,
    update: impl FnMut(&mut A, &A),
) -> Result<(), SliceError> {
    if value.shape() != slice.shape() {
        // Unlike assignment, an operator adds no axis in front of the slice.
        if value.ndim() > slice.ndim() {
            return Err(SliceError::Broadcast {
                value: value.shape().into(),
                slice: slice.shape().into(),
            });
        }
        broadcast(value.shape(), value.strides(), slice.shape())?;
    }
    slice.zip_mut_with(value, update);
    Ok(())
}

impl<A: Clone, V: Nested<A, Depth>, Depth, const N: usize> Values<A, Deeper<Depth>> for [V; N] {
    fn set<D: Dimension, I: SliceFor<D>>(
        self,
        target: &mut ArrayRef<A, D>,
        spec: I,
    ) -> Result<(), SliceError> {
        target.try_set(spec, &self.into_array())
    }

    fn update<D: Dimension>(
        self,
        slice: ArrayViewMut<'_, A, D>,
        function: impl FnMut(&mut A, &A),
    ) -> Result<(), SliceError> {
        update(slice, &self.into_array(), function)
    }
}

#[diagnostic::do_not_recommend]
impl<A: Clone, V: Nested<A, Depth> + Clone, Depth, const N: usize> Values<A, Deeper<Depth>>
    for &[V; N]
{
    fn set<D: Dimension, I: SliceFor<D>>(
        self,
        target: &mut ArrayRef<A, D>,
        spec: I,
    ) -> Result<(), SliceError> {
        Values::set(self.clone(), target, spec)
    }

    fn update<D: Dimension>(
        self,
        slice: ArrayViewMut<'_, A, D>,
        function: impl FnMut(&mut A, &A),
    ) -> Result<(), SliceError> {
        Values::update(self.clone(), slice, function)
    }
}
