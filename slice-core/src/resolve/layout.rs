//! `Layout`: where the selected elements lie in memory, for any tensor library.

use crate::error::SliceError;
use crate::resolve::selection::{Dims, OutputAxis, Selection};

/// An offset, and for each axis of the result a length and a stride, all in elements.
///
/// The element at output position `p` lies at `offset + p[0] * strides[0] + p[1] * strides[1] + ...`, counted from
/// the first element of the input.
///
/// # Example
///
/// See [`Selection::layout`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    offset: isize,
    shape: Dims,
    strides: Dims<isize>,
}

impl Selection {
    /// Where the selected elements lie in an array whose axes are `input_strides` elements apart.
    ///
    /// Python equivalent: `x[spec].strides` and the distance from `x` to `x[spec]`, in elements.
    ///
    /// # Errors
    ///
    /// [`SliceError::RankMismatch`] unless there is one stride for each input axis, [`SliceError::StrideOverflow`] if
    /// the way to an element, axis by axis, or a stride of the result does not fit `isize`.
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
    pub fn layout(&self, input_strides: &[isize]) -> Result<Layout, SliceError> {
        Layout::new(self, input_strides)
    }
}

impl Layout {
    pub(crate) fn new(selection: &Selection, input_strides: &[isize]) -> Result<Self, SliceError> {
        let axes = selection.axes();
        let (expected, actual) = (axes.len(), input_strides.len());
        if expected != actual {
            return Err(SliceError::RankMismatch { expected, actual });
        }
        let shape = Dims::from_slice(selection.output_shape());
        if selection.is_empty() {
            // No element, so no distance: whatever the strides of the input are, nothing can overflow.
            let strides = shape.iter().map(|_| 0).collect();
            return Ok(Layout {
                offset: 0,
                shape,
                strides,
            });
        }
        let mut offset = 0_i128;
        // How far elements lie before and behind the first of the input, and the first axis that led too far.
        let (mut lowest, mut highest) = (0_i128, 0_i128);
        let fits = |distance| isize::try_from(distance).is_ok();
        let mut beyond = None;
        for (axis, (range, &stride)) in axes.iter().zip(input_strides).enumerate() {
            let last = range.position(range.len - 1);
            // No overflow: the positions on all axes together are below the number of elements, which fits an isize.
            let [first, last] = [range.start, last].map(|x| x as i128 * stride as i128);
            offset += first;
            lowest += first.min(last);
            highest += first.max(last);
            if !(fits(lowest) && fits(highest)) {
                beyond = beyond.or(Some(SliceError::StrideOverflow { axis, stride }));
            }
        }
        if let (Some(error), false) = (beyond, fits(lowest) && fits(highest)) {
            return Err(error);
        }
        let strides = selection.output_axes().iter().map(|origin| match *origin {
            OutputAxis::New { .. } => Ok(0),
            OutputAxis::Input(axis) => {
                let stride = input_strides[axis];
                axes[axis]
                    .step
                    .checked_mul(stride)
                    .ok_or(SliceError::StrideOverflow { axis, stride })
            }
        });
        let strides = strides.collect::<Result<_, _>>()?;
        Ok(Layout {
            // Between the lowest and the highest.
            offset: offset as isize,
            shape,
            strides,
        })
    }

    /// The distance from the first element of the input to the first selected element.
    #[must_use]
    pub fn offset(&self) -> isize {
        self.offset
    }

    /// The shape of the result.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// For each axis of the result, the distance between neighbours; 0 for a new axis.
    #[must_use]
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }
}
