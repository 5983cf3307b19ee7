//! Bounds and positions on one axis. Only this module wraps and clamps bounds, and counts the positions between them.
//!
//! These functions are used for slices in constants, for slices at run time, and for the operations of every system
//! (TensorFlow, ONNX, …), so a bound has the same meaning everywhere. A *written* bound is an `i64`, and a negative
//! bound counts from the end. A *resolved* range (`start`, `step`, `len`) has a different type, because -1 has two
//! meanings: as a position, -1 is before the first element, but as a written bound, it is the last element.

/// The selected positions on one axis: `start`, `start + step`, and so on, with `len` positions in total.
///
/// A range is stored in canonical form, so that ranges with the same positions compare equal: `start` is 0 if
/// `len == 0`, and `step` is 1 if `len <= 1`. In a selection, every position lies within its axis.
///
/// # Example
///
/// ```
/// use slice_core::{AxisRange, s};
///
/// let selection = s![::-2].resolve(&[5])?;
/// let range: AxisRange = selection.axes()?[0];
/// assert_eq!((range.start(), range.step(), range.len()), (4, -2, 3));
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AxisRange {
    // INVARIANT: the fields are in the canonical form documented above.
    pub(crate) start: usize,
    pub(crate) step: isize,
    pub(crate) len: usize,
}

/// The maximum length of an axis. Longer axes are rejected before any arithmetic.
pub(crate) const MAX_AXIS_LEN: usize = isize::MAX as usize;

impl AxisRange {
    /// Creates the range of all positions on an axis of `size` elements.
    ///
    /// ```
    /// use slice_core::AxisRange;
    ///
    /// assert_eq!(AxisRange::whole(3), AxisRange::new(0, 1, 3));
    /// ```
    #[inline]
    #[must_use]
    pub const fn whole(size: usize) -> Self {
        AxisRange {
            start: 0,
            step: 1,
            len: size,
        }
    }

    /// Creates the range that consists of a single position.
    ///
    /// ```
    /// use slice_core::AxisRange;
    ///
    /// assert_eq!(AxisRange::single(3), AxisRange::new(3, 1, 1));
    /// ```
    #[inline]
    #[must_use]
    pub const fn single(position: usize) -> Self {
        AxisRange {
            start: position,
            step: 1,
            len: 1,
        }
    }

    /// Creates the range from `begin` up to but excluding `end`, in steps of `step`. The two bounds must already be
    /// wrapped, and clamped to `-1..=size`.
    #[inline]
    pub(crate) const fn between(begin: i64, end: i64, step: i64) -> Self {
        let len = count(begin, end, step);
        // If the range has several positions, the step is shorter than the axis, so the cast keeps the value of the
        // step. Otherwise, `new` replaces the step.
        AxisRange::new(begin as usize, step as isize, len)
    }

    /// Returns `true` if all positions are on an axis of `size` elements, the step is not zero, and `size` is at most
    /// [`MAX_AXIS_LEN`].
    pub(crate) const fn lies_within(self, size: usize) -> bool {
        if self.len == 0 {
            return size <= MAX_AXIS_LEN;
        }
        if size > MAX_AXIS_LEN || self.step == 0 || self.start >= size {
            return false;
        }
        let room = if self.step > 0 {
            size - 1 - self.start
        } else {
            self.start
        };
        match (self.len - 1).checked_mul(self.step.unsigned_abs()) {
            Some(distance) => distance <= room,
            None => false,
        }
    }

    /// Returns the range with the same positions in ascending order.
    ///
    /// ```
    /// use slice_core::AxisRange;
    ///
    /// assert_eq!(AxisRange::new(4, -2, 3).ascending(), AxisRange::new(0, 2, 3));
    /// ```
    #[must_use]
    pub const fn ascending(self) -> Self {
        if self.step > 0 {
            return self;
        }
        // A range with a negative step has at least two positions, because its step would otherwise be 1.
        AxisRange {
            start: self.position(self.len - 1),
            step: self.step.wrapping_neg(),
            len: self.len,
        }
    }

    /// Creates the range of `len` positions that begins at `start` and has the step `step`, in canonical form.
    ///
    /// The positions are not checked here. [`Selection::from_axes`](crate::Selection::from_axes) and
    /// [`Selection::from_steps`](crate::Selection::from_steps) check that the positions are on their axis.
    ///
    /// ```
    /// use slice_core::AxisRange;
    ///
    /// let range = AxisRange::new(4, -2, 3);
    /// assert_eq!(range.positions().collect::<Vec<_>>(), [4, 2, 0]);
    /// ```
    #[inline]
    #[must_use]
    pub const fn new(start: usize, step: isize, len: usize) -> Self {
        match len {
            0 => AxisRange::whole(0),
            1 => AxisRange::single(start),
            _ => AxisRange { start, step, len },
        }
    }

    /// Returns the first selected position.
    #[must_use]
    pub const fn start(self) -> usize {
        self.start
    }

    /// Returns the distance from one selected position to the next. In a selection, it is zero only in a
    /// [run](crate::AxisPositions::runs) that repeats a position.
    #[must_use]
    pub const fn step(self) -> isize {
        self.step
    }

    /// Returns the number of selected positions.
    #[must_use]
    pub const fn len(self) -> usize {
        self.len
    }

    /// Returns `true` if no position is selected.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// assert!(s![3:1].resolve(&[5])?.axes()?[0].is_empty());
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Returns the selected positions, in order.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let selection = s![:-3:-1].resolve(&[5])?;
    /// assert_eq!(selection.axes()?[0].positions().collect::<Vec<_>>(), [4, 3]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[inline]
    pub fn positions(self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + Clone {
        (0..self.len).map(move |k| self.position(k))
    }

    /// Returns the `k`-th selected position, counting from 0. The result is meaningless unless `k < len`.
    ///
    /// ```
    /// use slice_core::AxisRange;
    ///
    /// assert_eq!(AxisRange::new(4, -2, 3).position(2), 0);
    /// ```
    #[inline]
    #[must_use]
    pub const fn position(self, k: usize) -> usize {
        // The result is on the axis, but the arithmetic must wrap, because the product `k * step` may be negative.
        self.start.wrapping_add(k.wrapping_mul(self.step as usize))
    }
}

/// Converts a written bound to a position counted from 0: a negative bound becomes `bound + size`.
#[inline]
pub(crate) const fn wrap(bound: i64, size: i64) -> i64 {
    // The sum cannot overflow, because `bound` is negative and `size` is not.
    if bound < 0 { bound + size } else { bound }
}

/// Clamps `x` to `low..=high`.
#[inline]
pub(crate) const fn clamp(x: i64, low: i64, high: i64) -> i64 {
    if x < low {
        low
    } else if x > high {
        high
    } else {
        x
    }
}

/// Counts the positions `begin`, `begin + step`, and so on, that come before `end`. `step` must not be zero.
#[inline]
pub(crate) const fn count(begin: i64, end: i64, step: i64) -> usize {
    let distance = if step > 0 { end - begin } else { begin - end };
    if distance <= 0 {
        0
    } else if step == 1 || step == -1 {
        distance as usize
    } else {
        ((distance as u64 - 1) / step.unsigned_abs()) as usize + 1
    }
}

/// Returns the lowest and the highest position to which a bound can resolve. For a positive step, the highest position
/// is `size`, one after the last element. For a negative step, the lowest position is -1, one before the first element.
#[inline]
pub(crate) const fn limits(step: i64, size: i64) -> (i64, i64) {
    if step > 0 { (0, size) } else { (-1, size - 1) }
}

/// Returns the position of a written bound, wrapped and clamped.
#[inline]
pub(crate) const fn wrap_and_clamp(written: i64, step: i64, size: i64) -> i64 {
    let (low, high) = limits(step, size);
    clamp(wrap(written, size), low, high)
}

/// Returns the position at which a range starts if its `begin` is omitted.
#[inline]
pub(crate) const fn open_begin(step: i64, size: i64) -> i64 {
    let (low, high) = limits(step, size);
    if step > 0 { low } else { high }
}

/// Returns the excluded position at which a range stops if its `end` is omitted.
#[inline]
pub(crate) const fn open_end(step: i64, size: i64) -> i64 {
    let (low, high) = limits(step, size);
    if step > 0 { high } else { low }
}

/// Implements Python's `slice(begin, end, step).indices(size)`. `step` must not be zero, and `size` must be at most
/// [`MAX_AXIS_LEN`].
#[inline(always)]
pub(crate) const fn range(
    begin: Option<i64>,
    end: Option<i64>,
    step: i64,
    size: usize,
) -> AxisRange {
    let size = size as i64;
    let begin = match begin {
        Some(begin) => wrap_and_clamp(begin, step, size),
        None => open_begin(step, size),
    };
    let end = match end {
        Some(end) => wrap_and_clamp(end, step, size),
        None => open_end(step, size),
    };
    AxisRange::between(begin, end, step)
}

/// Returns the position of a written index on an axis of `size` elements, or `None` if the index is out of bounds.
#[inline]
pub(crate) const fn index(index: i64, size: usize) -> Option<usize> {
    let position = wrap(index, size as i64);
    if 0 <= position && position < size as i64 {
        Some(position as usize)
    } else {
        None
    }
}
