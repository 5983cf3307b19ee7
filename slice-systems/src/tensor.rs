//! Performs slices with the operations of a tensor type, so that one syntax serves every tensor crate.
//!
//! The traits [`SliceTensor`] and [`AssignTensor`] list the operations that a tensor needs: a range of positions on an
//! axis, a list of positions on an axis, and axes of length 1 that are dropped and inserted. [`select`] and [`assign`]
//! perform a slice with these operations. Only the operations see the elements, so the result is on the device of the
//! tensor, and gradients flow through it. The crates slice-candle and slice-burn implement the traits for the tensors of
//! candle and burn. The [guide](crate::guide::your_tensors) implements them for a user's own tensor.

use alloc::vec::Vec;

use smallvec::SmallVec;

use slice_core::{
    AxisRange, ResolvedStep, Select, SelectError, Selection, SliceError, StepVisitor,
};

use crate::Dims;

/// A tensor that has an operation for each part of a slice.
///
/// The operations may share memory with the tensor or copy elements. [`select`] calls them only with axes and positions
/// that exist.
///
/// # Example
///
/// ```
/// use slice_core::{AxisRange, SelectError, s};
/// use slice_systems::tensor::{SliceTensor, select};
///
/// /// A tensor that has a shape, but no elements.
/// struct Shape(Vec<usize>);
///
/// impl SliceTensor for Shape {
///     type Error = SelectError;
///
///     fn shape(&self) -> &[usize] {
///         &self.0
///     }
///
///     fn range(mut self, axis: usize, range: AxisRange) -> Result<Self, SelectError> {
///         self.0[axis] = range.len();
///         Ok(self)
///     }
///
///     fn index_select(mut self, axis: usize, positions: &[usize]) -> Result<Self, SelectError> {
///         self.0[axis] = positions.len();
///         Ok(self)
///     }
///
///     fn reshape(self, shape: &[usize]) -> Result<Self, SelectError> {
///         Ok(Shape(shape.to_vec()))
///     }
/// }
///
/// let x = Shape(vec![4, 5, 6]);
/// assert_eq!(select(x, s![1:, [2, 0], newaxis, -1])?.0, [3, 2, 1]);
///
/// let selection = s![1:, [2, 0], newaxis].resolve(&[4, 5])?;
/// assert_eq!(select(Shape(vec![4, 5]), &selection)?.0, [3, 2, 1]);
/// let x = Shape(vec![4, 5]).ranges(&[AxisRange::new(0, 2, 2), AxisRange::single(3)])?;
/// assert_eq!(x.squeeze(1)?.unsqueeze(0)?.0, [1, 2]);
/// # Ok::<(), SelectError>(())
/// ```
pub trait SliceTensor: Sized {
    /// The error of an operation.
    type Error: From<SelectError>;

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
    #[inline]
    fn ranges(self, ranges: &[AxisRange]) -> Result<Self, Self::Error> {
        let (mut tensor, mut has_steps) = (self, false);
        for (axis, &range) in ranges.iter().enumerate() {
            if range.step() != 1 {
                has_steps = true;
            } else if tensor.shape().get(axis) != Some(&range.len()) {
                tensor = tensor.range(axis, range)?;
            }
        }
        if has_steps {
            for (axis, &range) in ranges.iter().enumerate() {
                if range.step() != 1 {
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
///
/// # Example
///
/// ```
/// use slice_core::{AxisRange, SelectError, s};
/// use slice_systems::tensor::{AssignTensor, SliceTensor, assign};
///
/// /// A tensor with one axis.
/// struct Row(Vec<i32>, [usize; 1]);
///
/// impl Row {
///     fn new(elements: Vec<i32>) -> Result<Self, SelectError> {
///         let shape = [elements.len()];
///         Ok(Row(elements, shape))
///     }
/// }
///
/// impl SliceTensor for Row {
///     type Error = SelectError;
///
///     fn shape(&self) -> &[usize] {
///         &self.1
///     }
///
///     fn range(self, axis: usize, range: AxisRange) -> Result<Self, SelectError> {
///         self.index_select(axis, &range.positions().collect::<Vec<_>>())
///     }
///
///     fn index_select(self, _axis: usize, positions: &[usize]) -> Result<Self, SelectError> {
///         Row::new(positions.iter().map(|&position| self.0[position]).collect())
///     }
///
///     fn reshape(self, _shape: &[usize]) -> Result<Self, SelectError> {
///         Ok(self)
///     }
/// }
///
/// impl AssignTensor for Row {
///     fn expand(self, shape: &[usize]) -> Result<Self, SelectError> {
///         Row::new(self.0.iter().copied().cycle().take(shape[0]).collect())
///     }
///
///     fn replace(self, marks: &[Vec<bool>], values: Self) -> Result<Self, SelectError> {
///         let old_and_new = self.0.iter().zip(&values.0).zip(&marks[0]);
///         Row::new(old_and_new.map(|((&old, &new), &is_new)| if is_new { new } else { old }).collect())
///     }
/// }
///
/// let (x, values) = (Row::new(vec![1, 2, 3, 4, 5])?, Row::new(vec![7, 8, 9])?);
/// let x = assign(x, s![::-2], values)?;
/// assert_eq!(x.0, [9, 2, 8, 4, 7]);
/// let x = x.replace_ranges(&[AxisRange::new(0, 2, 3)], Row::new(vec![6])?)?;
/// assert_eq!(x.0, [6, 2, 6, 4, 6]);
/// # Ok::<(), SelectError>(())
/// ```
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
        let pairs = ranges
            .iter()
            .map(|range| range.positions().zip(0..).collect());
        replace_positions(self, &pairs.collect::<Vec<_>>(), values)
    }
}

/// Returns the selected elements of `tensor`.
///
/// Python equivalent: `x[spec]`.
///
/// The example of [`SliceTensor`] calls this function.
///
/// # Errors
///
/// Returns the errors of [`Select::select`] and of the tensor's operations.
pub fn select<T: SliceTensor>(
    tensor: T,
    spec: impl Select<Error = SelectError>,
) -> Result<T, T::Error> {
    if let Some(selection) = spec.as_selection() {
        return select_resolved(tensor, selection);
    }
    let mut steps = Steps::default();
    if let Some(resolved) = spec.visit_steps(tensor.shape(), &mut steps) {
        resolved.map_err(SelectError::from)?;
        return perform(tensor, steps.0.iter().copied());
    }
    let selection = &spec.select(tensor.shape())?;
    select_resolved(tensor, selection)
}

/// The steps of a slice without lists.
#[derive(Default)]
struct Steps(Dims<ResolvedStep<'static>>);

impl StepVisitor for Steps {
    #[inline(always)]
    fn visit(&mut self, step: ResolvedStep<'static>) {
        self.0.push(step);
    }
}

/// Selects the elements of a selection.
fn select_resolved<T: SliceTensor>(tensor: T, selection: &Selection) -> Result<T, T::Error> {
    // Any type can implement `Select`, so the selection may be one for another shape.
    let checked = selection.check_shape(tensor.shape());
    checked.map_err(SelectError::from)?;
    perform(tensor, selection.resolved_steps())
}

/// Performs the steps of a slice.
fn perform<'a, T: SliceTensor>(
    tensor: T,
    steps: impl Iterator<Item = ResolvedStep<'a>> + Clone,
) -> Result<T, T::Error> {
    let mut ranges = Dims::<AxisRange>::new();
    // Each list with its axis, after the axes of the lists have been joined.
    let mut lists = SmallVec::<[_; 2]>::new();
    let mut axis = 0;
    for step in steps.clone() {
        match step {
            ResolvedStep::Keep(range) => ranges.push(range),
            ResolvedStep::Drop(position) => ranges.push(AxisRange::single(position)),
            ResolvedStep::List(list) => {
                let sizes = &tensor.shape()[ranges.len()..][..list.axes()];
                ranges.extend(sizes.iter().copied().map(AxisRange::whole));
                lists.push((axis, list));
            }
            ResolvedStep::Insert { .. } => continue,
        }
        axis += 1;
    }
    let mut tensor = tensor.ranges(&ranges)?;
    for (axis, list) in lists {
        if list.axes() > 1 {
            let mut shape = Dims::from_slice(tensor.shape());
            let len = shape.drain(axis..axis + list.axes()).product();
            shape.insert(axis, len);
            tensor = tensor.reshape(&shape)?;
        }
        let positions: Vec<usize> = list.positions().iter().collect();
        tensor = tensor.index_select(axis, &positions)?;
    }
    drop_and_insert(tensor, steps)
}

/// Drops the axes of indices and inserts new axes, after the positions on all axes have been selected.
fn drop_and_insert<'a, T: SliceTensor>(
    mut tensor: T,
    steps: impl Iterator<Item = ResolvedStep<'a>>,
) -> Result<T, T::Error> {
    let (mut steps, mut axis) = (steps.peekable(), 0);
    while let Some(step) = steps.next() {
        match step {
            ResolvedStep::Keep(_) => axis += 1,
            // The axis of an index takes the place of a new axis.
            ResolvedStep::Drop(_)
                if steps.next_if_eq(&ResolvedStep::Insert { len: 1 }).is_some() =>
            {
                axis += 1;
            }
            ResolvedStep::Drop(_) => tensor = tensor.squeeze(axis)?,
            ResolvedStep::Insert { len } => {
                tensor = tensor.unsqueeze(axis)?;
                if len != 1 {
                    tensor = tensor.index_select(axis, &alloc::vec![0; len])?;
                }
                axis += 1;
            }
            ResolvedStep::List(list) => {
                if list.shape().len() > 1 {
                    let mut shape = Dims::from_slice(tensor.shape());
                    shape.remove(axis);
                    shape.insert_from_slice(axis, list.shape());
                    tensor = tensor.reshape(&shape)?;
                }
                axis += list.shape().len();
            }
        }
    }
    Ok(tensor)
}

/// Replaces the selected elements of `tensor` by the elements of `value`, which is broadcast. If a list repeats a position,
/// the last value remains.
///
/// Python equivalent: `x[spec] = value`.
///
/// The example of [`AssignTensor`] calls this function.
///
/// # Errors
///
/// Returns the errors of [`Select::select`], [`SliceError::Broadcast`] if `value` cannot be broadcast to the selected
/// elements, and the errors of the tensor's operations.
pub fn assign<T: AssignTensor>(
    tensor: T,
    spec: impl Select<Error = SelectError>,
    value: T,
) -> Result<T, T::Error> {
    let selection = &spec.select(tensor.shape())?;
    // Any type can implement `Select`, so the selection may be one for another shape.
    let checked = selection.check_shape(tensor.shape());
    let mut lengths = checked
        .and_then(|()| value_axes(selection, value.shape()))
        .map_err(SelectError::from)?
        .into_iter();
    if selection.is_empty() {
        return Ok(tensor);
    }
    // The shape of `value` with one axis for each input axis, or for each group of joined input axes.
    let mut value_shape = Vec::new();
    // The new axes of `value` that repeat a position, each numbered as in the shape without these axes.
    let mut repeated = Vec::new();
    // The steps that apply to axes of the input, each with the lengths of its axes of `value`, which are 1 or equal the
    // lengths in the result.
    let mut steps = Vec::new();
    for step in selection.resolved_steps() {
        let axes = match step {
            ResolvedStep::Drop(_) => 0,
            ResolvedStep::Keep(_) | ResolvedStep::Insert { .. } => 1,
            ResolvedStep::List(list) => list.shape().len(),
        };
        let lengths: Dims = lengths.by_ref().take(axes).collect();
        let len = lengths.iter().product();
        match step {
            ResolvedStep::Insert { len: 0 | 1 } => {}
            ResolvedStep::Insert { .. } => repeated.push((value_shape.len(), len)),
            _ => {
                value_shape.push(len);
                steps.push((step, lengths));
            }
        }
    }
    let value = without_repeated_axes(value, &value_shape, &repeated)?;
    if let Ok(ranges) = selection.axes() {
        return tensor.replace_ranges(ranges, value);
    }
    // The shape of `tensor` after joining axes, and for each of these axes, the selected positions and the positions of
    // `value` whose elements replace them.
    let (mut shape, mut replacements) = (Vec::new(), Vec::new());
    let mut sizes = selection.input_shape().iter();
    for (step, lengths) in steps {
        let (axes, pairs) = match step {
            ResolvedStep::Insert { .. } => continue,
            ResolvedStep::Keep(range) => (1, range.positions().zip(0..).collect()),
            ResolvedStep::Drop(position) => (1, alloc::vec![(position, 0)]),
            ResolvedStep::List(list) => {
                let values = broadcast_positions(&lengths, list.shape());
                (list.axes(), list.positions().iter().zip(values).collect())
            }
        };
        shape.push(sizes.by_ref().take(axes).product());
        replacements.push(pairs);
    }
    let tensor = replace_positions(tensor.reshape(&shape)?, &replacements, value)?;
    tensor.reshape(selection.input_shape())
}

/// Returns the positions in an array of shape `lengths`, in C order, that are repeated along its axes of length 1 up to
/// the shape `shape`, which has as many axes.
fn broadcast_positions(lengths: &[usize], shape: &[usize]) -> Vec<usize> {
    let mut positions = alloc::vec![0];
    for (&len, &size) in lengths.iter().zip(shape) {
        let along =
            |start: usize| (0..size).map(move |k| start * len + if len == 1 { 0 } else { k });
        positions = positions.into_iter().flat_map(along).collect();
    }
    positions
}

/// Replaces the elements of `tensor` at the positions listed for each axis. Each of these positions is listed with the
/// position of `value` whose element replaces it.
fn replace_positions<T: AssignTensor>(
    tensor: T,
    replacements: &[Vec<(usize, usize)>],
    mut value: T,
) -> Result<T, T::Error> {
    let (shape, lengths) = (tensor.shape().to_vec(), value.shape().to_vec());
    let mut marks = Vec::new();
    for (axis, (pairs, &size)) in replacements.iter().zip(&shape).enumerate() {
        let mut mark = alloc::vec![false; size];
        let mut sources = alloc::vec![0; size];
        for &(position, source) in pairs {
            (mark[position], sources[position]) = (true, source);
        }
        if lengths[axis] > 1 && sources.iter().copied().ne(0..lengths[axis]) {
            value = value.index_select(axis, &sources)?;
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
    selection.check_broadcast(value)?;
    let rank = selection.output_shape().len();
    // Superfluous leading axes have length 1.
    let value = &value[value.len().saturating_sub(rank)..];
    let mut lengths = alloc::vec![1; rank - value.len()];
    lengths.extend_from_slice(value);
    Ok(lengths)
}
