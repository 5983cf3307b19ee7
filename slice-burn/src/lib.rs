//! Python slicing for the tensors of [burn](burn_tensor) 0.22.
//!
//! ```
//! use burn_tensor::{Int, Tensor};
//! use slice_burn::TensorSliceExt;
//! use slice_core::s;
//!
//! let x: Tensor<3, Int> = Tensor::arange(0..120, &Default::default()).reshape([4, 5, 6]);
//! let y: Tensor<4, Int> = x.at(s![1:, ..., newaxis, :-3:-1]);
//! assert_eq!(y.dims(), [3, 5, 1, 2]);
//!
//! let y: Tensor<2, Int> = x.at("[3, 0], 2, ::2"); // text, with a list
//! assert_eq!(y.to_data().try_to_vec::<i32>().unwrap(), [102, 104, 106, 12, 14, 16]);
//!
//! let x = x.fill_at(s![0], 7); // x[0] = 7
//! assert_eq!(x.at(s![0, 0, 0:1]).to_data().try_to_vec::<i32>().unwrap(), [7]);
//! ```
//!
//! The slices have the meaning and the errors of NumPy, as [slice-core](slice_core) describes. They are performed with
//! burn's own operations, on the device of the tensor, on every backend, and gradients flow through them. Elements are
//! never copied to the host.
//!
//! | slice | operations |
//! |---|---|
//! | ranges with any step, indices | `slice`; `flip` if a slice only reverses axes |
//! | lists, masks | `select` |
//! | dropped and new axes | `reshape` |
//! | [`set`](TensorSliceExt::set), [`fill_at`](TensorSliceExt::fill_at) without lists | `slice_assign` |
//! | `set`, `fill_at` with lists and masks | `select`, `mask_where` |
//!
//! # Ranks
//!
//! The compiler computes the rank of the result for tensors of up to 6 axes, and rejects a slice with more indices and
//! ranges than the tensor has axes:
//!
//! ```compile_fail
//! # use burn_tensor::Tensor;
//! # use slice_burn::TensorSliceExt;
//! # use slice_core::s;
//! # let x: Tensor<2> = Tensor::zeros([2, 3], &Default::default());
//! x.at(s![0, 1, 2:]); // error: too many indices for array: array is 2-dimensional, but 3 were indexed
//! ```
//!
//! burn has no tensors without axes, so a slice that drops all axes is rejected, too: `x.at(s![0, 1, newaxis])` is a
//! `Tensor<1>` with one element.
//!
//! The caller states the rank of other results: for slices known only at run time, for text, and for results with more
//! than 6 axes. A wrong rank is an error when the slice is performed.
//!
//! burn's tensors already have a method `gather`, so this crate has none: [`at`](TensorSliceExt::at) also accepts lists.

use std::any::Any;

use burn_tensor::kind::Basic;
use burn_tensor::{
    Bool, ElementConversion, Int, ReshapeArgs, Shape, Slice, SliceArg, Tensor, TensorData,
};
use ndarray::{Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn};
use slice_core::{
    AxisRange, DynSliceSpec, ListSpec, ResolvedStep, Select, SelectError, SelectFor, Selection,
    SliceError, SliceSpec, StepVisitor,
};
use slice_systems::tensor::{self, AssignTensor, SliceTensor};
use smallvec::SmallVec;

/// The error of a slice of a burn tensor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The slice does not fit the tensor, or a string is not a slice.
    #[error(transparent)]
    Select(#[from] SelectError),
    /// The result does not have the rank that the caller stated.
    #[error("the result has {actual} axes, but its type is `Tensor<{stated}>`")]
    Rank {
        /// The rank in the type of the result.
        stated: usize,
        /// The rank of the result.
        actual: usize,
    },
    /// The result has no axes.
    #[error("burn has no tensors without axes: keep one with `newaxis` after the last index")]
    NoAxes,
    /// The selection is composed of a new axis and a list that repeats its position.
    #[error("a list that repeats the position of a new axis is not supported")]
    RepeatedNewAxis,
}

impl From<SliceError> for Error {
    fn from(error: SliceError) -> Self {
        Error::Select(error.into())
    }
}

/// Slicing of tensors with [`s!`](slice_core::s!), with slices known only at run time, and with text.
///
/// Like burn's own methods, a method panics if the slice does not fit the tensor. Its `try_` version returns the error.
pub trait TensorSliceExt<const D: usize, K: Basic>: Sized {
    /// Returns the selected elements.
    ///
    /// Python equivalent: `x[spec]`.
    ///
    /// # Panics
    ///
    /// Panics if [`try_at`](Self::try_at) returns an error.
    ///
    /// # Example
    ///
    /// ```
    /// use burn_tensor::Tensor;
    /// use slice_burn::TensorSliceExt;
    /// use slice_core::s;
    ///
    /// let x: Tensor<2> = Tensor::from_data([[1., 2., 3.], [4., 5., 6.]], &Default::default());
    /// x.at(s![::-1, 1:]).to_data().assert_eq(&[[5_f32, 6.], [2., 3.]].into(), true);
    /// x.at(s![1]).to_data().assert_eq(&[4_f32, 5., 6.].into(), true);
    /// x.at(s![..., [2, 0, 0]]).to_data().assert_eq(&[[3_f32, 1., 1.], [6., 4., 4.]].into(), true);
    /// ```
    #[track_caller]
    fn at<const R: usize>(&self, spec: impl SliceOf<D, R>) -> Tensor<R, K>;

    /// Fallible version of [`at`](Self::at).
    ///
    /// # Errors
    ///
    /// Returns [`Error::Select`] if the slice does not fit the shape of the tensor, or if a string is not a slice, and
    /// [`Error::Rank`] if the result does not have `R` axes.
    ///
    /// # Example
    ///
    /// ```
    /// use burn_tensor::Tensor;
    /// use slice_burn::TensorSliceExt;
    /// use slice_core::s;
    ///
    /// let x: Tensor<2> = Tensor::zeros([2, 3], &Default::default());
    /// let error = x.try_at(s![2]).unwrap_err();
    /// assert_eq!(error.to_string(), "index 2 is out of bounds for axis 0 with size 2 (item 1 of the slice)");
    ///
    /// let error = x.try_at::<2>("0, 1:").unwrap_err();
    /// assert_eq!(error.to_string(), "the result has 1 axes, but its type is `Tensor<2>`");
    /// ```
    fn try_at<const R: usize>(&self, spec: impl SliceOf<D, R>) -> Result<Tensor<R, K>, Error>;

    /// Replaces the selected elements by those of `value`, which is broadcast. If a list repeats a position, the last value
    /// remains.
    ///
    /// Python equivalent: `x[spec] = value`.
    ///
    /// # Panics
    ///
    /// Panics if [`try_set`](Self::try_set) returns an error.
    ///
    /// # Example
    ///
    /// ```
    /// use burn_tensor::Tensor;
    /// use slice_burn::TensorSliceExt;
    /// use slice_core::s;
    ///
    /// let x: Tensor<2> = Tensor::from_data([[1., 2., 3.], [4., 5., 6.]], &Default::default());
    /// let x = x.set(s![:, ::-2], Tensor::<1>::from_data([8., 9.], &Default::default()));
    /// x.to_data().assert_eq(&[[9_f32, 2., 8.], [9., 5., 8.]].into(), true);
    /// ```
    #[track_caller]
    #[must_use]
    fn set<const V: usize>(self, spec: impl SliceOfRank<D>, value: Tensor<V, K>) -> Self {
        unwrap(self.try_set(spec, value))
    }

    /// Fallible version of [`set`](Self::set).
    ///
    /// # Errors
    ///
    /// Returns [`Error::Select`] if the slice does not fit the shape of the tensor, if a string is not a slice, or if
    /// `value` cannot be broadcast to the selected elements.
    fn try_set<const V: usize>(
        self,
        spec: impl SliceOfRank<D>,
        value: Tensor<V, K>,
    ) -> Result<Self, Error>;

    /// Replaces the selected elements by `value`, converted to the type of the elements.
    ///
    /// Python equivalent: `x[spec] = value`.
    ///
    /// # Panics
    ///
    /// Panics if [`try_fill_at`](Self::try_fill_at) returns an error.
    #[track_caller]
    #[must_use]
    fn fill_at(self, spec: impl SliceOfRank<D>, value: impl ElementConversion) -> Self {
        unwrap(self.try_fill_at(spec, value))
    }

    /// Fallible version of [`fill_at`](Self::fill_at).
    ///
    /// # Errors
    ///
    /// Returns [`Error::Select`] if the slice does not fit the shape of the tensor, or if a string is not a slice.
    fn try_fill_at(
        self,
        spec: impl SliceOfRank<D>,
        value: impl ElementConversion,
    ) -> Result<Self, Error>;
}

impl<const D: usize, K: Basic + 'static> TensorSliceExt<D, K> for Tensor<D, K> {
    #[inline(always)]
    fn at<const R: usize>(&self, spec: impl SliceOf<D, R>) -> Tensor<R, K> {
        // Moving a tensor out of a `Result` takes a tenth of the time of `flip`.
        match (of_rank(self), spec.whole()) {
            (Some(tensor), Some(reversed)) => flip(tensor.clone(), reversed),
            _ => unwrap(self.try_at(spec)),
        }
    }

    #[inline(always)]
    fn try_at<const R: usize>(&self, spec: impl SliceOf<D, R>) -> Result<Tensor<R, K>, Error> {
        if let (Some(tensor), Some(reversed)) = (of_rank(self), spec.whole()) {
            return Ok(flip(tensor.clone(), reversed));
        }
        let dims = self.dims();
        let mut steps = Ranges::<D, R>::default();
        if let Some(resolved) = spec.visit_steps(&dims, &mut steps) {
            resolved?;
            let Ranges {
                ranges,
                lengths,
                known: (_, rank),
            } = steps;
            if rank != R {
                return Err(wrong_rank(R, rank));
            }
            let mut axes = ranges.iter().zip(dims);
            let whole = axes.all(|(range, size)| range.len() == size && range.step() == 1);
            // Comparing arrays takes longer.
            let mut axes = ranges.iter().zip(&lengths);
            if let (Some(tensor), true) =
                (of_rank(self), axes.all(|(range, &len)| range.len() == len))
            {
                return Ok(match whole {
                    true => tensor.clone(),
                    false => tensor.clone().slice(Resolved(&ranges)),
                });
            }
            let sliced = match whole {
                true => self.clone(),
                false => self.clone().slice(Resolved(&ranges)),
            };
            return Ok(exactly(sliced, lengths));
        }
        let mut place = None;
        let Sliced { dims, shape, .. } =
            tensor::select(Sliced::new(&mut place, self.clone()), spec)?;
        let lengths = <[usize; R]>::try_from(&shape[..]).map_err(|_| wrong_rank(R, shape.len()))?;
        Ok(reshape(&mut place, dims, lengths))
    }

    fn try_set<const V: usize>(
        self,
        spec: impl SliceOfRank<D>,
        value: Tensor<V, K>,
    ) -> Result<Self, Error> {
        let shape = Lengths::from_slice(&value.shape());
        // The value has the shape `shape`, as `Sliced` describes.
        let len = shape.iter().product::<usize>();
        let dims = core::array::from_fn(|axis| if axis == 0 { len } else { 1 });
        let value = match len {
            // Nothing can be selected, because an empty value does not broadcast to any element.
            0 => Tensor::empty([0; D], (&value.device(), value.dtype())),
            _ => value.reshape(dims),
        };
        let (mut place, mut value_place) = (None, Some(value));
        let value = Sliced {
            place: &mut value_place,
            dims,
            shape,
        };
        tensor::assign(Sliced::new(&mut place, self), spec, value)?;
        Ok(taken(&mut place))
    }

    fn try_fill_at(
        self,
        spec: impl SliceOfRank<D>,
        value: impl ElementConversion,
    ) -> Result<Self, Error> {
        let value = Tensor::<1, K>::full([1], value, (&self.device(), self.dtype()));
        self.try_set(spec, value)
    }
}

/// Returns the value, or panics with the message of the error at the line of the caller.
#[track_caller]
#[inline(always)]
fn unwrap<T>(result: Result<T, Error>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}

/// Takes the tensor, whose shape is `dims`, and changes its shape to `lengths`.
fn reshape<const D: usize, const R: usize, K: Basic + 'static>(
    place: &mut Option<Tensor<D, K>>,
    dims: [usize; D],
    lengths: [usize; R],
) -> Tensor<R, K> {
    match (place as &mut dyn Any).downcast_mut() {
        Some(place) if lengths[..] == dims[..] => taken(place),
        _ => exactly(taken(place), lengths),
    }
}

/// Changes the shape of the tensor to `lengths`.
#[inline(always)]
fn exactly<const D: usize, const R: usize, K: Basic>(
    tensor: Tensor<D, K>,
    lengths: [usize; R],
) -> Tensor<R, K> {
    match lengths.contains(&0) {
        true => Tensor::empty(lengths, (&tensor.device(), tensor.dtype())),
        false => tensor.reshape(Exactly(lengths)),
    }
}

fn wrong_rank(stated: usize, actual: usize) -> Error {
    match actual {
        0 => Error::NoAxes,
        actual => Error::Rank { stated, actual },
    }
}

/// Returns the tensor as one with `R` axes, if that is its rank.
#[inline(always)]
fn of_rank<const D: usize, const R: usize, K: Basic + 'static>(
    tensor: &Tensor<D, K>,
) -> Option<&Tensor<R, K>> {
    (tensor as &dyn Any).downcast_ref()
}

/// Takes the tensor, which is there.
#[inline(always)]
fn taken<const D: usize, K: Basic>(place: &mut Option<Tensor<D, K>>) -> Tensor<D, K> {
    place.take().expect("the tensor should be there")
}

/// Reverses the axes whose bits are set. burn's `flip` takes half as long as its `slice`.
#[inline(always)]
fn flip<const D: usize, K: Basic>(mut tensor: Tensor<D, K>, axes: u64) -> Tensor<D, K> {
    let mut rest = axes;
    let mut next = || {
        let axis = rest.trailing_zeros();
        rest &= rest - 1;
        axis as usize
    };
    match axes.count_ones() {
        0 => tensor,
        1 => tensor.flip([next()]),
        2 => tensor.flip([next(), next()]),
        count => {
            for _ in 0..count {
                tensor = tensor.flip([next()]);
            }
            tensor
        }
    }
}

/// A shape for burn's `reshape`, which would read a length of 0 in an array as the length of the input's axis.
#[derive(Debug)]
struct Exactly<const R: usize>([usize; R]);

impl<const R: usize> ReshapeArgs<R> for Exactly<R> {
    fn into_shape<const D: usize>(self, _: Shape) -> Shape {
        Shape::new(self.0)
    }
}

/// The effect of a slice without lists on a tensor with `D` axes, whose result has `R` axes.
struct Ranges<const D: usize, const R: usize> {
    /// The positions on each axis.
    ranges: [AxisRange; D],
    /// The length of each axis of the result.
    lengths: [usize; R],
    /// The numbers of axes of the tensor and of the result that are known.
    known: (usize, usize),
}

impl<const D: usize, const R: usize> Default for Ranges<D, R> {
    #[inline(always)]
    fn default() -> Self {
        Ranges {
            ranges: [AxisRange::single(0); D],
            lengths: [0; R],
            known: (0, 0),
        }
    }
}

impl<const D: usize, const R: usize> Ranges<D, R> {
    #[inline(always)]
    fn select(&mut self, range: AxisRange) {
        self.ranges[self.known.0] = range;
        self.known.0 += 1;
    }

    #[inline(always)]
    fn add(&mut self, len: usize) {
        if let Some(slot) = self.lengths.get_mut(self.known.1) {
            *slot = len;
        }
        self.known.1 += 1;
    }
}

impl<const D: usize, const R: usize> StepVisitor for Ranges<D, R> {
    #[inline(always)]
    fn visit(&mut self, step: ResolvedStep<'static>) {
        match step {
            ResolvedStep::Keep(range) => {
                self.select(range);
                self.add(range.len());
            }
            ResolvedStep::Drop(position) => self.select(AxisRange::single(position)),
            _ => self.add(1),
        }
    }
}

/// Returns the axes that a slice of a tensor with `rank` axes reverses if it selects all positions.
#[inline(always)]
fn whole<const M: usize, K>(spec: &SliceSpec<M, K>, rank: usize) -> Option<u64> {
    let masks = spec.masks();
    let ellipses = masks.ellipsis.count_ones() as usize;
    if masks.new_axis != 0 || M - ellipses > rank || rank > 64 {
        return None;
    }
    let (mut axis, mut reversed) = (0, 0);
    for (item, &step) in spec.strides().iter().enumerate() {
        let has = |mask: u64| mask >> item & 1 != 0;
        if has(masks.ellipsis) {
            axis += rank - (M - ellipses);
        } else {
            if !has(masks.begin & masks.end) || step.unsigned_abs() != 1 {
                return None;
            }
            reversed |= u64::from(step < 0) << axis;
            axis += 1;
        }
    }
    Some(reversed)
}

/// Slices of tensors with `D` axes: [`SliceSpec`] and [`ListSpec`], the values of [`s!`](slice_core::s!);
/// a [`DynSliceSpec`]; a [`Selection`] resolved for the shape of the tensor; strings in Python
/// notation; and references to them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a slice of tensors with {D} axes",
    label = "not a slice of a `Tensor<{D}>`",
    note = "write the slice with `slice_core::s![...]`, or as text in Python notation: `\"1:, ::-1\"`"
)]
pub trait SliceOfRank<const D: usize>: Select<Error = SelectError> {
    /// Returns the axes that the slice reverses if it selects all positions.
    #[doc(hidden)]
    fn whole(&self) -> Option<u64> {
        None
    }
}

/// Slices of tensors with `D` axes whose result has `R` axes.
///
/// The rank of the result follows from `D` and the items of an `s![...]`. For all other slices, every `R` is allowed,
/// and the rank is checked when the slice is performed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a slice of tensors with {D} axes whose result has {R} axes",
    label = "not a slice from `Tensor<{D}>` to `Tensor<{R}>`",
    note = "write the slice with `slice_core::s![...]`, or as text in Python notation: `\"1:, ::-1\"`"
)]
pub trait SliceOf<const D: usize, const R: usize>: SliceOfRank<D> {}

/// A number of axes, with the type that slice-core uses for it.
#[doc(hidden)]
pub struct Rank<const D: usize>;

/// A rank whose slices have results of known rank.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the rank of an `s![...]` is known only for tensors with up to 8 axes",
    note = "pass `s![...].to_dyn()`, and state the rank of the result"
)]
pub trait StaticRank {
    /// The type that slice-core uses for the rank.
    type Dim: ndarray::Dimension;
}

/// A type that slice-core uses for the rank `R`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the result of this slice has no axes, but burn has no tensors without axes",
    label = "every axis has an index",
    note = "keep an axis of length 1 by writing `newaxis` after the last index"
)]
pub trait IsRank<const R: usize> {}

impl<const R: usize> IsRank<R> for IxDyn {}

macro_rules! ranks {
    ($($rank:literal $Dim:ident)*) => { $(
        impl StaticRank for Rank<$rank> {
            type Dim = $Dim;
        }
        impl IsRank<$rank> for $Dim {}
    )* };
}

ranks! { 1 Ix1 2 Ix2 3 Ix3 4 Ix4 5 Ix5 6 Ix6 }

impl StaticRank for Rank<7> {
    type Dim = IxDyn;
}

impl StaticRank for Rank<8> {
    type Dim = IxDyn;
}

macro_rules! static_slices {
    ($([$($parameters:tt)*] $Spec:ty $(, $whole:ident)?;)*) => { $(
        impl<const D: usize, $($parameters)*> SliceOfRank<D> for $Spec
        where
            Rank<D>: StaticRank,
            Self: SelectFor<<Rank<D> as StaticRank>::Dim>,
        {
            $(
                #[inline(always)]
                fn whole(&self) -> Option<u64> {
                    $whole(self, D)
                }
            )?
        }

        impl<const D: usize, const R: usize, $($parameters)*> SliceOf<D, R> for $Spec
        where
            Rank<D>: StaticRank,
            Self: SelectFor<<Rank<D> as StaticRank>::Dim, OutDim: IsRank<R>>,
        {
        }
    )* };
}

static_slices! {
    [const M: usize, K] SliceSpec<M, K>, whole;
    [const M: usize, K] ListSpec<'_, M, K>;
}

macro_rules! dynamic_slices {
    ($($Spec:ty)*) => { $(
        impl<const D: usize> SliceOfRank<D> for $Spec {}
        impl<const D: usize, const R: usize> SliceOf<D, R> for $Spec {}
    )* };
}

dynamic_slices! { DynSliceSpec Selection str String }

impl<const D: usize, T: SliceOfRank<D> + ?Sized> SliceOfRank<D> for &T {
    #[inline(always)]
    fn whole(&self) -> Option<u64> {
        T::whole(self)
    }
}

impl<const D: usize, const R: usize, T: SliceOf<D, R> + ?Sized> SliceOf<D, R> for &T {}

/// The lengths of axes, stored inline for up to 6 axes.
type Lengths = SmallVec<[usize; 6]>;

/// A tensor that implements the operations of slices. Its rank is part of its type, so changes of the shape are
/// postponed: the elements of the tensor, in C order, are those of a tensor of shape `shape`.
struct Sliced<'a, const D: usize, K: Basic> {
    /// The place of the tensor, which is so large that moving it with the other fields takes as long as resolving a slice.
    place: &'a mut Option<Tensor<D, K>>,
    /// The shape of the tensor.
    dims: [usize; D],
    shape: Lengths,
}

impl<'a, const D: usize, K: Basic> Sliced<'a, D, K> {
    fn new(place: &'a mut Option<Tensor<D, K>>, tensor: Tensor<D, K>) -> Self {
        let shape = Lengths::from_slice(&tensor.dims());
        *place = Some(tensor);
        Sliced::shaped_as(shape, place)
    }

    /// Wraps a tensor whose first axes have the lengths `shape`, and whose other axes have length 1.
    #[inline(always)]
    fn shaped_as(shape: Lengths, place: &'a mut Option<Tensor<D, K>>) -> Self {
        let dims = padded(&shape);
        Sliced { place, dims, shape }
    }

    /// Returns a tensor whose first axes have the lengths `self.shape`, and whose other axes have length 1.
    fn shaped(&mut self) -> Result<Tensor<D, K>, Error> {
        // Only a selection that repeats a new axis needs an operation on an axis beyond the rank of the tensor.
        if self.shape.len() > D {
            return Err(Error::RepeatedNewAxis);
        }
        let (tensor, shape) = (taken(self.place), padded(&self.shape));
        match self.dims == shape {
            true => Ok(tensor),
            false => Ok(tensor.reshape(Exactly(shape))),
        }
    }

    /// Applies an operation that returns a tensor whose first axes have the lengths `shape`.
    fn apply(
        mut self,
        shape: Lengths,
        operation: impl FnOnce(Tensor<D, K>) -> Tensor<D, K>,
    ) -> Result<Self, Error> {
        *self.place = Some(operation(self.shaped()?));
        Ok(Sliced::shaped_as(shape, self.place))
    }
}

/// Returns the lengths of all axes of a tensor whose first axes have the lengths `shape`, and whose other axes have length
/// 1.
fn padded<const D: usize>(shape: &[usize]) -> [usize; D] {
    core::array::from_fn(|axis| shape.get(axis).copied().unwrap_or(1))
}

/// Ranges for burn's `slice`, which would clamp the bounds in a list once more.
struct Resolved<'a>(&'a [AxisRange]);

impl SliceArg for Resolved<'_> {
    #[inline]
    fn into_slices(self, _: &Shape) -> Vec<Slice> {
        self.0.iter().copied().map(slice).collect()
    }
}

/// Returns burn's form of a range, which reverses a range with a negative step.
fn slice(range: AxisRange) -> Slice {
    let ascending = range.ascending();
    let end = match ascending.len() {
        0 => ascending.start(),
        len => ascending.position(len - 1) + 1,
    };
    // No axis is longer than `isize::MAX`.
    Slice::new(ascending.start() as isize, Some(end as isize), range.step())
}

impl<const D: usize, K: Basic> SliceTensor for Sliced<'_, D, K> {
    type Error = Error;

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn range(self, axis: usize, range: AxisRange) -> Result<Self, Error> {
        let whole = self.shape.iter().map(|&size| AxisRange::whole(size));
        let mut ranges: Vec<AxisRange> = whole.collect();
        ranges[axis] = range;
        self.ranges(&ranges)
    }

    fn ranges(self, ranges: &[AxisRange]) -> Result<Self, Error> {
        let whole = self.shape.iter().map(|&size| AxisRange::whole(size));
        if ranges.iter().copied().eq(whole) {
            return Ok(self);
        }
        let shape = ranges.iter().map(|range| range.len()).collect();
        self.apply(shape, |tensor| tensor.slice(Resolved(ranges)))
    }

    fn index_select(self, axis: usize, positions: &[usize]) -> Result<Self, Error> {
        let mut shape = self.shape.clone();
        shape[axis] = positions.len();
        if shape.contains(&0) {
            let tensor = taken(self.place);
            let options = (&tensor.device(), tensor.dtype());
            *self.place = Some(Tensor::empty(padded::<D>(&shape), options));
            return Ok(Sliced::shaped_as(shape, self.place));
        }
        let indices: Vec<i64> = positions.iter().map(|&position| position as i64).collect();
        let indices = TensorData::new(indices, [positions.len()]);
        self.apply(shape, |tensor| {
            let indices = Tensor::<1, Int>::from_data(indices, &tensor.device());
            tensor.select(axis, indices)
        })
    }

    fn reshape(self, shape: &[usize]) -> Result<Self, Error> {
        let shape = Lengths::from_slice(shape);
        Ok(Sliced { shape, ..self })
    }

    fn squeeze(mut self, axis: usize) -> Result<Self, Error> {
        self.shape.remove(axis);
        Ok(self)
    }

    fn unsqueeze(mut self, axis: usize) -> Result<Self, Error> {
        self.shape.insert(axis, 1);
        Ok(self)
    }
}

impl<const D: usize, K: Basic> AssignTensor for Sliced<'_, D, K> {
    fn expand(self, shape: &[usize]) -> Result<Self, Error> {
        let expanded: [usize; D] = padded(shape);
        self.apply(Lengths::from_slice(shape), |tensor| tensor.expand(expanded))
    }

    fn replace(self, marks: &[Vec<bool>], mut values: Self) -> Result<Self, Error> {
        let (values, shape) = (values.shaped()?, self.shape.clone());
        self.apply(shape, |tensor| {
            let dims = tensor.dims();
            let mut mask: Option<Tensor<D, Bool>> = None;
            for (axis, marks) in marks.iter().enumerate() {
                if marks.contains(&false) {
                    let shape: [usize; D] =
                        core::array::from_fn(|other| if other == axis { dims[axis] } else { 1 });
                    let marks = TensorData::new(marks.clone(), shape);
                    let marks = Tensor::<D, Bool>::from_data(marks, &tensor.device());
                    let marks: Tensor<D, Bool> = marks.expand(dims);
                    mask = Some(match mask {
                        None => marks,
                        Some(mask) => mask.bool_and(marks),
                    });
                }
            }
            match mask {
                None => values,
                Some(mask) => tensor.mask_where(mask, values),
            }
        })
    }

    fn replace_ranges(self, ranges: &[AxisRange], values: Self) -> Result<Self, Error> {
        let lengths: Vec<usize> = ranges.iter().map(|range| range.len()).collect();
        let values = values.expand(&lengths)?.shaped()?;
        let shape = self.shape.clone();
        self.apply(shape, |tensor| {
            tensor.slice_assign(Resolved(ranges), values)
        })
    }
}

/// Compiles and runs the README's code as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
