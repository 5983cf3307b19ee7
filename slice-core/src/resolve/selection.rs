//! `Selection`: a spec applied to a shape. Nothing here depends on masks, systems or numbers from the end.

use smallvec::SmallVec;

use crate::error::SliceError;
use crate::error::resolve_error::ResolveError;
use crate::resolve::axis::{AxisRange, MAX_AXIS};
use crate::resolve::walk::{ResolvedItem, ResolvedItems};
use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::Encoded;
use crate::spec::slice_spec::SliceSpec;

/// A shape, or anything else with one number for each axis; inline up to rank 6.
pub(crate) type Dims<T = usize> = SmallVec<[T; 6]>;

/// Where an axis of the result comes from.
///
/// # Example
///
/// ```
/// use slice_core::{OutputAxis, s};
///
/// let selection = s![0, newaxis, ::2].resolve(&[4, 5])?;
/// assert_eq!(selection.output_axes(), [OutputAxis::New { len: 1 }, OutputAxis::Input(1)]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputAxis {
    /// This axis of the input, sliced.
    Input(usize),
    /// A new axis. Its length is 1, unless a [composed](Selection::compose) slice emptied it: then 0.
    New {
        /// 1 or 0.
        len: usize,
    },
}

/// Which elements of an array of a known shape are selected, and in which shape.
///
/// Python equivalent: none that is visible; it is what NumPy computes from `x.shape` and the index.
/// For each input axis there is a start, a step and a length ([`axes`](Self::axes)); axes that an index dropped are
/// those that no [output axis](Self::output_axes) names.
///
/// # Example
///
/// ```
/// use slice_core::s;
///
/// let selection = s![1, ::-1].resolve(&[2, 3])?;
/// assert_eq!(selection.output_shape(), [3]);
/// assert_eq!(selection.indices().collect::<Vec<_>>(), [5, 4, 3]);
/// assert_eq!(selection.gather(&[10, 11, 12, 13, 14, 15])?, [15, 14, 13]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use = "a selection does nothing until elements are taken with it"]
pub struct Selection {
    // INVARIANT: one entry of `axes` for each of `input_shape`, all of its positions within the axis; an axis that no
    // entry of `output` names has length 1; `output` names each axis at most once, in ascending order;
    // `input_len` and `len` are the products of `input_shape` and `output_shape`, at most `isize::MAX`.
    input_shape: Dims,
    axes: Dims<AxisRange>,
    output: Dims<OutputAxis>,
    output_shape: Dims,
    input_len: usize,
    len: usize,
}

impl<const M: usize, K> SliceSpec<M, K> {
    /// Applies the spec to an array of this shape.
    ///
    /// Python equivalent: what `x[spec]` does to an array `x` with `x.shape == shape`.
    ///
    /// # Errors
    ///
    /// In NumPy's order: [`SliceError::TooManyIndices`], then for the items from left to right
    /// [`SliceError::IndexOutOfBounds`] or [`SliceError::ZeroStride`]; [`SliceError::TooLarge`] if such an array cannot
    /// exist.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let selection = s![1:, ..., newaxis, :-3:-1].resolve(&[4, 5, 6])?;
    /// assert_eq!(selection.output_shape(), [3, 5, 1, 2]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, SliceError> {
        Selection::new(self.encoded(), shape)
    }
}

impl DynSliceSpec {
    /// Applies the spec to an array of this shape; as [`SliceSpec::resolve`].
    ///
    /// # Errors
    ///
    /// As [`SliceSpec::resolve`].
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, SliceError> {
        Selection::new(self.encoded(), shape)
    }
}

impl Selection {
    #[inline]
    pub(crate) fn new(spec: Encoded<'_>, shape: &[usize]) -> Result<Self, SliceError> {
        let mut items = ResolvedItems::new(spec, shape)?;
        Selection::build(shape, |builder| {
            while let Some(item) = items.next() {
                match item? {
                    ResolvedItem::Keep(range) => builder.keep(range),
                    ResolvedItem::Drop(position) => builder.drop(position),
                    ResolvedItem::Insert => builder.insert(1),
                }
            }
            Ok(())
        })
    }

    /// The selection for arrays of this shape that `collect` keeps or drops each axis of.
    ///
    /// # Errors
    ///
    /// [`SliceError::TooLarge`] if no array can have this shape; those of `collect`.
    #[inline]
    pub(crate) fn build(
        shape: &[usize],
        collect: impl FnOnce(&mut SelectionBuilder<'_>) -> Result<(), SliceError>,
    ) -> Result<Self, SliceError> {
        let input_len = element_count(shape)?;
        // Filled where it is: a selection is large, and moving it is half the cost of a small one.
        let mut selection = Selection {
            input_shape: Dims::from_slice(shape),
            axes: Dims::new(),
            output: Dims::new(),
            output_shape: Dims::new(),
            input_len,
            len: 0,
        };
        collect(&mut SelectionBuilder(&mut selection))?;
        debug_assert_eq!(selection.axes.len(), shape.len());
        // No longer than the input, whose count fits; but a product in another order might not, so zeros go first.
        if !selection.output_shape.contains(&0) {
            selection.len = selection.output_shape.iter().product();
        }
        Ok(selection)
    }

    /// The selection with these ranges of the input's axes and these axes of the result: the inverse of
    /// [`input_shape`](Self::input_shape), [`axes`](Self::axes) and [`output_axes`](Self::output_axes).
    ///
    /// # Errors
    ///
    /// [`SliceError::RankMismatch`] unless there is one range for each axis, [`SliceError::InvalidRange`] if a position is
    /// not on its axis, or a new axis has another length than 0 or 1, [`SliceError::InvalidOutputAxis`] unless the axes
    /// of the result are ascending and name each input axis that does not have exactly one position,
    /// [`SliceError::TooLarge`] if no array can have the shape.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::{AxisRange, OutputAxis, Selection, s};
    ///
    /// let axes = [AxisRange::new(1, 1, 1), AxisRange::new(2, -1, 3)];
    /// let output = [OutputAxis::Input(1), OutputAxis::New { len: 1 }];
    /// let selection = Selection::from_axes(&[2, 3], &axes, &output)?;
    /// assert_eq!(selection, s![1, ::-1, newaxis].resolve(&[2, 3])?);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn from_axes(
        input_shape: &[usize],
        axes: &[AxisRange],
        output_axes: &[OutputAxis],
    ) -> Result<Selection, SliceError> {
        let (expected, actual) = (input_shape.len(), axes.len());
        if expected != actual {
            return Err(SliceError::RankMismatch { expected, actual });
        }
        let invalid = |axis: usize, AxisRange { start, step, len }: AxisRange, size| {
            SliceError::InvalidRange {
                axis,
                start,
                step,
                len,
                size,
            }
        };
        for (axis, (&range, &size)) in axes.iter().zip(input_shape).enumerate() {
            if !range.lies_within(size) {
                return Err(invalid(axis, range, size));
            }
        }
        Selection::build(input_shape, |builder| {
            let mut ranges = axes.iter().enumerate();
            let mut drop_until = |kept: usize, builder: &mut SelectionBuilder<'_>| {
                for (axis, range) in ranges.by_ref() {
                    if axis == kept {
                        return Ok(Some(AxisRange::canonical(
                            range.start,
                            range.step,
                            range.len,
                        )));
                    }
                    if range.len != 1 {
                        return Err(SliceError::InvalidOutputAxis { axis });
                    }
                    builder.drop(range.start);
                }
                Ok(None)
            };
            for &origin in output_axes {
                match origin {
                    OutputAxis::Input(axis) => match drop_until(axis, builder)? {
                        Some(range) => builder.keep(range),
                        None => return Err(SliceError::InvalidOutputAxis { axis }),
                    },
                    OutputAxis::New { len } if len <= 1 => builder.insert(len),
                    OutputAxis::New { len } => {
                        return Err(invalid(
                            0,
                            AxisRange {
                                start: 0,
                                step: 1,
                                len,
                            },
                            1,
                        ));
                    }
                }
            }
            drop_until(usize::MAX, builder)?;
            Ok(())
        })
    }

    /// The shape of the arrays that the selection applies to.
    #[must_use]
    pub fn input_shape(&self) -> &[usize] {
        &self.input_shape
    }

    /// The number of elements of such an array.
    #[must_use]
    pub fn input_len(&self) -> usize {
        self.input_len
    }

    /// The shape of the result.
    #[must_use]
    pub fn output_shape(&self) -> &[usize] {
        &self.output_shape
    }

    /// The number of elements of the result.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is selected.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What is selected of each input axis.
    #[must_use]
    pub fn axes(&self) -> &[AxisRange] {
        &self.axes
    }

    /// Where each axis of the result comes from.
    #[must_use]
    pub fn output_axes(&self) -> &[OutputAxis] {
        &self.output
    }

    /// Checks that the selection applies to arrays of this shape.
    ///
    /// # Errors
    ///
    /// [`SliceError::RankMismatch`] or [`SliceError::ShapeMismatch`] if it was resolved for another one.
    pub fn check_shape(&self, shape: &[usize]) -> Result<(), SliceError> {
        let (expected, actual) = (self.input_shape.len(), shape.len());
        if expected != actual {
            return Err(SliceError::RankMismatch { expected, actual });
        }
        let mut axes = self.input_shape.iter().zip(shape).enumerate();
        match axes.find(|(_, (expected, actual))| expected != actual) {
            Some((axis, (&expected, &actual))) => Err(SliceError::ShapeMismatch {
                axis,
                expected,
                actual,
            }),
            None => Ok(()),
        }
    }

    /// The selection that does this one and then `then`.
    ///
    /// Python equivalent: `x[a][b]` as one index.
    ///
    /// # Errors
    ///
    /// [`SliceError::RankMismatch`] or [`SliceError::ShapeMismatch`] unless `then` was resolved for this output shape.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let rows = s![1:4].resolve(&[6, 2])?;
    /// let both = rows.compose(&s![::-1, 0].resolve(rows.output_shape())?)?;
    /// assert_eq!(both, s![3:0:-1, 0].resolve(&[6, 2])?);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn compose(&self, then: &Selection) -> Result<Selection, SliceError> {
        let (expected, actual) = (self.output_shape.len(), then.input_shape.len());
        if expected != actual {
            return Err(SliceError::RankMismatch { expected, actual });
        }
        let mut axes = self.axes.clone();
        for (axis, &origin) in self.output.iter().enumerate() {
            let (expected, actual) = (self.output_shape[axis], then.input_shape[axis]);
            if expected != actual {
                return Err(SliceError::ShapeMismatch {
                    axis,
                    expected,
                    actual,
                });
            }
            if let OutputAxis::Input(input) = origin {
                let (first, second) = (axes[input], then.axes[axis]);
                // Positions of positions of the axis: the product of two steps that are both taken stays within it.
                axes[input] = AxisRange::canonical(
                    first.position(second.start),
                    first.step.wrapping_mul(second.step),
                    second.len,
                );
            }
        }
        let output = then.output.iter().map(|&origin| match origin {
            OutputAxis::New { .. } => origin,
            OutputAxis::Input(axis) => match self.output[axis] {
                OutputAxis::New { .. } => OutputAxis::New {
                    len: then.axes[axis].len,
                },
                origin @ OutputAxis::Input(_) => origin,
            },
        });
        Ok(Selection {
            input_shape: self.input_shape.clone(),
            axes,
            output: output.collect(),
            output_shape: then.output_shape.clone(),
            input_len: self.input_len,
            len: then.len,
        })
    }
}

/// Collects the axes of a selection from left to right.
pub(crate) struct SelectionBuilder<'a>(&'a mut Selection);

impl SelectionBuilder<'_> {
    /// The next input axis stays.
    #[inline]
    pub(crate) fn keep(&mut self, range: AxisRange) {
        let axis = self.0.axes.len();
        debug_assert!(range.len <= self.0.input_shape[axis]);
        self.0.output.push(OutputAxis::Input(axis));
        self.0.output_shape.push(range.len);
        self.0.axes.push(range);
    }

    /// The next input axis is dropped at a position.
    #[inline]
    pub(crate) fn drop(&mut self, position: usize) {
        debug_assert!(position < self.0.input_shape[self.0.axes.len()]);
        self.0.axes.push(AxisRange::single(position));
    }

    /// A new axis is inserted.
    #[inline]
    pub(crate) fn insert(&mut self, len: usize) {
        self.0.output.push(OutputAxis::New { len });
        self.0.output_shape.push(len);
    }
}

/// The number of elements of an array of this shape.
///
/// # Errors
///
/// [`SliceError::TooLarge`] for an axis or, without an empty axis, a product beyond `isize::MAX`.
#[inline]
pub(crate) const fn element_count(shape: &[usize]) -> Result<usize, ResolveError> {
    let mut len = 1_usize;
    let mut overflow = None;
    let mut empty = false;
    let mut axis = 0;
    while axis < shape.len() {
        let size = shape[axis];
        if size > MAX_AXIS {
            return Err(ResolveError::TooLarge { axis, size });
        }
        empty |= size == 0;
        len = match len.checked_mul(size) {
            Some(product) if product <= MAX_AXIS => product,
            _ => {
                if overflow.is_none() {
                    overflow = Some(ResolveError::TooLarge { axis, size });
                }
                1
            }
        };
        axis += 1;
    }
    match overflow {
        _ if empty => Ok(0),
        Some(error) => Err(error),
        None => Ok(len),
    }
}
