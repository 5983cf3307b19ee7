//! `StridedLayout`: the memory layout of a selection, for views in any tensor library.

use crate::error::SliceError;
use crate::resolve::selection::{PerAxis, Selection};
use crate::resolve::step::OutputAxis;

/// The memory layout of the result of a selection: an offset, and a length and a stride for each axis, all in elements.
///
/// The element at output position `p` is `offset + p[0] * strides[0] + p[1] * strides[1] + ...` elements after the
/// first element of the input.
///
/// # Example
///
/// ```
/// use slice_core::s;
///
/// let data = [0, 1, 2, 3, 4, 5];
/// let layout = s![::-1].resolve(&[6])?.layout(&[1])?;
/// assert_eq!((layout.offset(), layout.shape(), layout.strides()), (5, &[6][..], &[-1][..]));
/// let second = layout.offset() + layout.strides()[0];
/// assert_eq!(data[second as usize], 4);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StridedLayout {
    offset: isize,
    shape: PerAxis,
    strides: PerAxis<isize>,
}

impl Selection {
    /// Returns the memory layout of the result, for an array whose axes have the strides `input_strides`, in elements.
    ///
    /// Python equivalent: `x[spec].strides` and the distance from the first element of `x` to that of `x[spec]`,
    /// both in elements.
    ///
    /// # Errors
    ///
    /// * [`SliceError::NotStrided`] unless the selection [is strided](Self::is_strided).
    /// * [`SliceError::RankMismatch`] unless `input_strides` has one stride for each input axis.
    /// * [`SliceError::StrideOverflow`] if the distance to an element, or a stride of the result, does not fit in an
    ///   `isize`.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let layout = s![1:, ::-2].resolve(&[3, 4])?.layout(&[4, 1])?;
    /// assert_eq!((layout.offset(), layout.shape(), layout.strides()), (7, &[2, 2][..], &[4, -2][..]));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn layout(&self, input_strides: &[isize]) -> Result<StridedLayout, SliceError> {
        let (expected, actual) = (self.axes()?.len(), input_strides.len());
        if expected != actual {
            return Err(SliceError::RankMismatch { expected, actual });
        }
        if !self.is_empty() {
            check(self, input_strides)?;
        }
        Ok(StridedLayout::unchecked(self, input_strides))
    }
}

impl StridedLayout {
    /// Returns the layout for a flat C-order buffer of the input.
    pub(crate) fn flat(selection: &Selection) -> Self {
        StridedLayout::unchecked(selection, &c_strides(selection.input_shape()))
    }

    /// Returns the layout for an array with the strides `input_strides`, one for each input axis. The caller must
    /// ensure that no distance overflows.
    fn unchecked(selection: &Selection, input_strides: &[isize]) -> Self {
        let shape = PerAxis::from_slice(selection.output_shape());
        let mut strides = PerAxis::from_elem(0, shape.len());
        let mut offset = 0_isize;
        // In an empty selection, the offset and the strides stay 0.
        if !selection.is_empty() {
            let axes = selection.ranges().iter().zip(input_strides);
            let axes: PerAxis<_> = axes.map(|(range, &stride)| range.strided(stride)).collect();
            for (stride, origin) in strides.iter_mut().zip(selection.output_axes()) {
                if let OutputAxis::Input(axis) = *origin {
                    *stride = axes[axis].1.stride;
                }
            }
            offset = axes
                .iter()
                .fold(0, |offset, &(first, _)| offset.wrapping_add(first));
        }
        StridedLayout {
            offset,
            shape,
            strides,
        }
    }

    /// Returns the distance from the first element of the input to the first selected element.
    #[must_use]
    pub fn offset(&self) -> isize {
        self.offset
    }

    /// Returns the shape of the result.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the stride of each axis of the result. A new axis has stride 0.
    #[must_use]
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }
}

/// Checks that all distances within a non-empty selection fit in an `isize`.
fn check(selection: &Selection, input_strides: &[isize]) -> Result<(), SliceError> {
    let axes = selection.ranges();
    let fits = |distance| isize::try_from(distance).is_ok();
    // The distances to the lowest and the highest selected element along the axes visited so far. `overflow` is the
    // error for the first axis at which one of these distances does not fit.
    let (mut lowest, mut highest) = (0_i128, 0_i128);
    let mut overflow = None;
    for (axis, (range, &stride)) in axes.iter().zip(input_strides).enumerate() {
        let last = range.position(range.len - 1);
        // The products and sums cannot overflow an `i128`: the positions on all axes add up to less than the number of
        // elements, and this number and every stride fit in 64 bits.
        let [first, last] = [range.start, last].map(|x| x as i128 * stride as i128);
        lowest += first.min(last);
        highest += first.max(last);
        if !(fits(lowest) && fits(highest)) {
            overflow = overflow.or(Some(SliceError::StrideOverflow { axis, stride }));
        }
    }
    if let (Some(error), false) = (overflow, fits(lowest) && fits(highest)) {
        return Err(error);
    }
    for origin in selection.output_axes() {
        if let OutputAxis::Input(axis) = *origin {
            let stride = input_strides[axis];
            if axes[axis].step.checked_mul(stride).is_none() {
                return Err(SliceError::StrideOverflow { axis, stride });
            }
        }
    }
    Ok(())
}

/// Returns the strides of a C-order array with the shape `shape`.
pub(crate) fn c_strides(shape: &[usize]) -> PerAxis<isize> {
    let mut strides = PerAxis::from_elem(0, shape.len());
    let mut stride = 1_isize;
    for (slot, &size) in strides.iter_mut().zip(shape).rev() {
        *slot = stride;
        // The product wraps only if an axis is empty. The strides are then not used.
        stride = stride.wrapping_mul(size as isize);
    }
    strides
}
