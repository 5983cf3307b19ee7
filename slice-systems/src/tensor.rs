//! Performs slices with the operations of a tensor type, so that one syntax serves every tensor crate.
//!
//! The traits [`SliceTensor`] and [`AssignTensor`] list the operations that a tensor needs: a range of positions on an
//! axis, a list of positions on an axis, and axes of length 1 that are dropped and inserted. [`select`] and [`assign`]
//! perform a [`Selection`] with these operations. Only the operations see the elements, so the result is on the device
//! of the tensor, and gradients flow through it. The crates slice-candle and slice-burn implement the traits for the
//! tensors of candle and burn. The [guide](crate::guide::your_tensors) implements them for a user's own tensor.
//!
//! [`Select`] is implemented for every type of slice, for functions that accept all of them.

use alloc::string::String;
use alloc::vec::Vec;

use slice_core::{
    AxisRange, DynOuterSpec, DynSliceSpec, ListSpec, OutputAxis, ParseSliceError, ResolvedStep,
    Selection, SliceError, SliceSpec,
};

/// A tensor that has an operation for each part of a slice.
///
/// The operations may share memory with the tensor or copy elements. [`select`] calls them only with axes and positions
/// that exist.
pub trait SliceTensor: Sized {
    /// The error of an operation.
    type Error: From<SliceError>;

    /// Returns the length of each axis.
    fn shape(&self) -> &[usize];

    /// Selects a range of positions on an axis.
    ///
    /// [`AxisRange::ascending`] describes the range for a tensor that can narrow, step and flip an axis separately.
    ///
    /// # Errors
    ///
    /// Returns an error if the operation fails.
    fn range(self, axis: usize, range: AxisRange) -> Result<Self, Self::Error>;

    /// Selects the positions in a list, of any order, on an axis.
    ///
    /// # Errors
    ///
    /// Returns an error if the operation fails.
    fn index_select(self, axis: usize, positions: &[usize]) -> Result<Self, Self::Error>;

    /// Changes the shape. The elements stay in C order.
    ///
    /// # Errors
    ///
    /// Returns an error if the operation fails.
    fn reshape(self, shape: &[usize]) -> Result<Self, Self::Error>;

    /// Selects a range of positions on each axis.
    ///
    /// By default, calls [`range`](Self::range) for each axis of which some positions are omitted or reordered. Ranges
    /// without a step come first, because most tensors select them without a copy.
    ///
    /// # Errors
    ///
    /// Returns an error if an operation fails.
    fn ranges(self, ranges: &[AxisRange]) -> Result<Self, Self::Error> {
        let mut tensor = self;
        for is_stepped in [false, true] {
            for (axis, &range) in ranges.iter().enumerate() {
                let is_changed = range != AxisRange::whole(tensor.shape()[axis]);
                if is_changed && (range.step() != 1) == is_stepped {
                    tensor = tensor.range(axis, range)?;
                }
            }
        }
        Ok(tensor)
    }

    /// Drops an axis of length 1. By default, calls [`reshape`](Self::reshape).
    ///
    /// # Errors
    ///
    /// Returns an error if the operation fails.
    fn squeeze(self, axis: usize) -> Result<Self, Self::Error> {
        let mut shape = self.shape().to_vec();
        shape.remove(axis);
        self.reshape(&shape)
    }

    /// Inserts an axis of length 1. By default, calls [`reshape`](Self::reshape).
    ///
    /// # Errors
    ///
    /// Returns an error if the operation fails.
    fn unsqueeze(self, axis: usize) -> Result<Self, Self::Error> {
        let mut shape = self.shape().to_vec();
        shape.insert(axis, 1);
        self.reshape(&shape)
    }
}

/// A tensor whose elements can be replaced.
pub trait AssignTensor: SliceTensor {
    /// Repeats the only position of each axis whose length is 1, up to the shape `shape`, which has as many axes.
    ///
    /// # Errors
    ///
    /// Returns an error if the operation fails.
    fn expand(self, shape: &[usize]) -> Result<Self, Self::Error>;

    /// Replaces the elements at positions that are marked on every axis by the elements of `values`, which has the same
    /// shape. `marks` has one list for each axis, with one boolean for each position.
    ///
    /// # Errors
    ///
    /// Returns an error if the operation fails.
    fn replace(self, marks: &[Vec<bool>], values: Self) -> Result<Self, Self::Error>;

    /// Replaces the elements in a range of positions on each axis by the elements of `values`. Each axis of `values` is
    /// as long as its range or has length 1.
    ///
    /// By default, calls [`replace`](Self::replace).
    ///
    /// # Errors
    ///
    /// Returns an error if an operation fails.
    fn replace_ranges(self, ranges: &[AxisRange], values: Self) -> Result<Self, Self::Error> {
        let positions = ranges.iter().map(|range| range.positions().collect());
        replace_positions(self, &positions.collect::<Vec<_>>(), values)
    }
}

/// Returns the elements of `tensor` that `selection` selects.
///
/// # Errors
///
/// Returns [`SliceError::ShapeMismatch`] if the selection was resolved for a different shape, and the errors of the
/// tensor's operations.
pub fn select<T: SliceTensor>(tensor: T, selection: &Selection) -> Result<T, T::Error> {
    selection.check_shape(tensor.shape())?;
    let tensor = match selection.axes() {
        Ok(ranges) => tensor.ranges(ranges)?,
        Err(_) => select_lists(tensor, selection)?,
    };
    drop_and_insert(tensor, selection)
}

/// Selects the positions on all axes. The result has one axis for each input axis, or for each group of joined axes.
fn select_lists<T: SliceTensor>(tensor: T, selection: &Selection) -> Result<T, T::Error> {
    let sizes = selection.input_shape();
    let (mut ranges, mut lists) = (Vec::with_capacity(sizes.len()), Vec::new());
    for step in selection.resolved_steps() {
        match step {
            ResolvedStep::Keep(range) => ranges.push(range),
            ResolvedStep::Drop(position) => ranges.push(AxisRange::single(position)),
            ResolvedStep::Insert { .. } => {}
            ResolvedStep::Joined(joined) => {
                let axes = ranges.len()..ranges.len() + joined.axes();
                ranges.extend(sizes[axes.clone()].iter().copied().map(AxisRange::whole));
                lists.push((axes, joined.positions()));
            }
        }
    }
    let mut tensor = tensor.ranges(&ranges)?;
    // Joining axes changes the numbers of the axes after them.
    for (axes, positions) in lists.into_iter().rev().filter(|(axes, _)| !axes.is_empty()) {
        let axis = axes.start;
        if axes.len() > 1 {
            let mut shape = tensor.shape().to_vec();
            let len = shape[axes.clone()].iter().product();
            shape.splice(axes, [len]);
            tensor = tensor.reshape(&shape)?;
        }
        tensor = tensor.index_select(axis, &positions.to_vec())?;
    }
    Ok(tensor)
}

/// Drops the axes of indices and inserts new axes, after the positions on all axes have been selected.
fn drop_and_insert<T: SliceTensor>(tensor: T, selection: &Selection) -> Result<T, T::Error> {
    let axes = selection.output_axes().iter();
    let kept = axes.filter(|origin| matches!(origin, OutputAxis::Input(_)));
    if kept.count() == selection.input_shape().len() && tensor.shape() == selection.output_shape() {
        return Ok(tensor);
    }
    let (mut tensor, mut axis) = (tensor, 0);
    for step in selection.resolved_steps() {
        tensor = match step {
            ResolvedStep::Drop(_) => {
                tensor = tensor.squeeze(axis)?;
                continue;
            }
            ResolvedStep::Insert { len: 1 } => tensor.unsqueeze(axis)?,
            ResolvedStep::Insert { len } => {
                let range = AxisRange::new(0, 1, len);
                tensor.unsqueeze(axis)?.range(axis, range)?
            }
            ResolvedStep::Joined(joined) if joined.axes() == 0 => {
                let positions = joined.positions().to_vec();
                tensor.unsqueeze(axis)?.index_select(axis, &positions)?
            }
            ResolvedStep::Keep(_) | ResolvedStep::Joined(_) => tensor,
        };
        axis += 1;
    }
    Ok(tensor)
}

/// Replaces the elements of `tensor` that `selection` selects by the elements of `value`, which is broadcast. If a list
/// repeats a position, the last value remains.
///
/// # Errors
///
/// Returns [`SliceError::ShapeMismatch`] if the selection was resolved for a different shape, [`SliceError::Broadcast`]
/// if `value` cannot be broadcast to the selected elements, and the errors of the tensor's operations.
pub fn assign<T: AssignTensor>(tensor: T, selection: &Selection, value: T) -> Result<T, T::Error> {
    selection.check_shape(tensor.shape())?;
    let mut lengths = value_axes(selection, value.shape())?.into_iter();
    if selection.is_empty() {
        return Ok(tensor);
    }
    // The shape of `value` with one axis for each input axis, or for each group of joined input axes.
    let mut value_shape = Vec::new();
    // The new axes of `value` that repeat a position, each numbered as in the shape without these axes.
    let mut repeated = Vec::new();
    for step in selection.resolved_steps() {
        match step {
            ResolvedStep::Drop(_) => value_shape.push(1),
            ResolvedStep::Insert { .. } => drop(lengths.next()),
            ResolvedStep::Joined(joined) if joined.axes() == 0 => {
                repeated.extend(lengths.next().map(|len| (value_shape.len(), len)));
            }
            ResolvedStep::Keep(_) | ResolvedStep::Joined(_) => value_shape.extend(lengths.next()),
        }
    }
    let value = without_repeated_axes(value, &value_shape, &repeated)?;
    if let Ok(ranges) = selection.axes() {
        return tensor.replace_ranges(ranges, value);
    }
    // The shape of `tensor` after joining axes, and the selected positions on each axis.
    let (mut shape, mut positions) = (Vec::new(), Vec::new());
    let mut sizes = selection.input_shape().iter();
    for step in selection.resolved_steps() {
        let (axes, selected) = match step {
            ResolvedStep::Keep(range) => (1, range.positions().collect()),
            ResolvedStep::Drop(position) => (1, alloc::vec![position]),
            ResolvedStep::Joined(joined) if joined.axes() > 0 => {
                (joined.axes(), joined.positions().to_vec())
            }
            ResolvedStep::Insert { .. } | ResolvedStep::Joined(_) => continue,
        };
        shape.push(sizes.by_ref().take(axes).product());
        positions.push(selected);
    }
    let tensor = replace_positions(tensor.reshape(&shape)?, &positions, value)?;
    tensor.reshape(selection.input_shape())
}

/// Replaces the elements of `tensor` at the positions listed for each axis by the elements of `value`. Each axis of
/// `value` is as long as its list or has length 1.
fn replace_positions<T: AssignTensor>(
    tensor: T,
    positions: &[Vec<usize>],
    mut value: T,
) -> Result<T, T::Error> {
    let (shape, lengths) = (tensor.shape().to_vec(), value.shape().to_vec());
    let mut marks = Vec::new();
    for (axis, (selected, &size)) in positions.iter().zip(&shape).enumerate() {
        let mut mark = alloc::vec![false; size];
        // For each position of `tensor`, the position of `value` whose element replaces it.
        let mut replacements = alloc::vec![0; size];
        for (k, &position) in selected.iter().enumerate() {
            (mark[position], replacements[position]) = (true, k);
        }
        if lengths[axis] > 1 && replacements.iter().copied().ne(0..lengths[axis]) {
            value = value.index_select(axis, &replacements)?;
        }
        marks.push(mark);
    }
    let value = value.expand(&shape)?;
    tensor.replace(&marks, value)
}

/// Reshapes `value` to `shape`. `repeated` lists the axes of `value` along which the last position is written last, each
/// with the number of the next axis of `shape`.
fn without_repeated_axes<T: SliceTensor>(
    value: T,
    shape: &[usize],
    repeated: &[(usize, usize)],
) -> Result<T, T::Error> {
    let mut full_shape = shape.to_vec();
    for &(axis, len) in repeated.iter().rev() {
        full_shape.insert(axis, len);
    }
    let mut value = value.reshape(&full_shape)?;
    for &(axis, len) in repeated {
        value = value.index_select(axis, &[len - 1])?.squeeze(axis)?;
    }
    Ok(value)
}

/// Returns the length of a value of shape `value` on each axis of the result, after the value has been given as many
/// axes as the result.
fn value_axes(selection: &Selection, value: &[usize]) -> Result<Vec<usize>, SliceError> {
    let shape = selection.output_shape();
    let surplus = value.len().saturating_sub(shape.len());
    let unit_axes = value[..surplus].iter().take_while(|&&size| size == 1);
    let value = &value[unit_axes.count()..];
    let missing = shape.len().saturating_sub(value.len());
    let mut lengths = alloc::vec![1; missing];
    lengths.extend_from_slice(value);
    let fits = |(&len, &size): (&usize, &usize)| len == size || len == 1;
    match lengths.len() == shape.len() && lengths.iter().zip(shape).all(fits) {
        true => Ok(lengths),
        false if selection.is_strided() => Err(SliceError::Broadcast {
            value: value.into(),
            slice: shape.into(),
        }),
        false => Err(SliceError::BroadcastToLists {
            value: value.into(),
            result: shape.into(),
        }),
    }
}

/// A slice of any type: [`s!`](slice_core::s!) with or without lists and masks, a slice whose items are known only at
/// run time, a string in Python notation, or a selection.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::tensor::Select;
///
/// let shape = [4, 5];
/// assert_eq!(s![1:, [4, 0]].select(&shape)?, "1:, [4, 0]".select(&shape)?);
/// # Ok::<(), slice_systems::tensor::SelectError>(())
/// ```
pub trait Select {
    /// Resolves the slice for a tensor with the shape `shape`.
    ///
    /// # Errors
    ///
    /// Returns [`SelectError::Slice`] if the slice does not fit the shape, and [`SelectError::Parse`] if a string is not
    /// a slice.
    fn select(&self, shape: &[usize]) -> Result<Selection, SelectError>;
}

/// The error of a slice that does not fit a tensor, or of a string that is not a slice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectError {
    /// The slice does not fit the shape.
    #[error(transparent)]
    Slice(#[from] SliceError),
    /// The string is not a slice.
    #[error(transparent)]
    Parse(#[from] ParseSliceError),
}

macro_rules! select {
    ($([$($parameters:tt)*] $Spec:ty;)*) => { $(
        impl<$($parameters)*> Select for $Spec {
            fn select(&self, shape: &[usize]) -> Result<Selection, SelectError> {
                Ok(self.resolve(shape)?)
            }
        }
    )* };
}

select! {
    [const M: usize, K] SliceSpec<M, K>;
    [const M: usize, K] ListSpec<'_, M, K>;
    [] DynSliceSpec;
    [] DynOuterSpec;
}

impl Select for str {
    fn select(&self, shape: &[usize]) -> Result<Selection, SelectError> {
        self.parse::<DynOuterSpec>()?.select(shape)
    }
}

impl Select for String {
    fn select(&self, shape: &[usize]) -> Result<Selection, SelectError> {
        self.as_str().select(shape)
    }
}

impl Select for Selection {
    fn select(&self, shape: &[usize]) -> Result<Selection, SelectError> {
        self.check_shape(shape)?;
        Ok(self.clone())
    }
}

impl<T: Select + ?Sized> Select for &T {
    fn select(&self, shape: &[usize]) -> Result<Selection, SelectError> {
        T::select(self, shape)
    }
}
