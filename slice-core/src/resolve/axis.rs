//! One axis: the only place where bounds are wrapped, clamped and counted.
//!
//! Everything that slices (constants, run time, every system's operation) calls these functions, so that a bound means the
//! same everywhere. A *written* bound (an `i64`, negative from the end) and a *resolved* one (`start`, `step`, `len`)
//! are different types on purpose: "before the first element" resolves to -1, which read again would mean "the last".

/// What a slice selects of one axis: `start`, `start + step`, ..., `len` elements in all.
///
/// The form is canonical, so that equal selections compare equal: with `len == 0` start is 0, and with `len <= 1`
/// step is 1. Every position that a selection has is inside its axis.
///
/// # Example
///
/// ```
/// use slice_core::{AxisRange, s};
///
/// let selection = s![::-2].resolve(&[5])?;
/// let range: AxisRange = selection.axes()[0];
/// assert_eq!((range.start(), range.step(), range.len()), (4, -2, 3));
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AxisRange {
    // INVARIANT: what the type's documentation promises.
    pub(crate) start: usize,
    pub(crate) step: isize,
    pub(crate) len: usize,
}

/// The longest axis there can be; longer ones are refused before any arithmetic.
pub(crate) const MAX_AXIS: usize = isize::MAX as usize;

impl AxisRange {
    /// All of an axis of `size` elements.
    #[inline]
    #[must_use]
    pub const fn whole(size: usize) -> Self {
        AxisRange {
            start: 0,
            step: 1,
            len: size,
        }
    }

    /// The one element at `position`.
    #[inline]
    #[must_use]
    pub const fn single(position: usize) -> Self {
        AxisRange {
            start: position,
            step: 1,
            len: 1,
        }
    }

    /// The canonical form of `len` elements from `start` in steps of `step`.
    #[inline]
    pub(crate) const fn canonical(start: usize, step: isize, len: usize) -> Self {
        match len {
            0 => AxisRange {
                start: 0,
                step: 1,
                len,
            },
            1 => AxisRange {
                start,
                step: 1,
                len,
            },
            _ => AxisRange { start, step, len },
        }
    }

    /// The elements from `begin` up to, not including, `end`: both already wrapped and clamped into `-1..=size`.
    #[inline]
    pub(crate) const fn between(begin: i64, end: i64, stride: i64) -> Self {
        let len = count(begin, end, stride);
        // More than one element is only found when the stride is shorter than the axis, so the casts keep the value.
        AxisRange::canonical(begin as usize, stride as isize, len)
    }

    /// Whether all positions are on an axis of `size` elements.
    pub(crate) const fn lies_within(self, size: usize) -> bool {
        if self.len == 0 {
            return size <= MAX_AXIS;
        }
        if size > MAX_AXIS || self.step == 0 || self.start >= size {
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

    /// These positions from the lowest to the highest.
    #[must_use]
    pub const fn ascending(self) -> Self {
        if self.step > 0 {
            return self;
        }
        // There is more than one position, or the step would be 1.
        AxisRange {
            start: self.position(self.len - 1),
            step: self.step.wrapping_neg(),
            len: self.len,
        }
    }

    /// `len` positions from `start` in steps of `step`, in the canonical form.
    ///
    /// Whether they are inside an axis is checked where the range is given to one, by
    /// [`Selection::from_axes`](crate::Selection::from_axes).
    #[must_use]
    pub const fn new(start: usize, step: isize, len: usize) -> Self {
        AxisRange::canonical(start, step, len)
    }

    /// The first selected position.
    #[must_use]
    pub const fn start(self) -> usize {
        self.start
    }

    /// The distance from one selected position to the next; never zero.
    #[must_use]
    pub const fn step(self) -> isize {
        self.step
    }

    /// The number of selected positions.
    #[must_use]
    pub const fn len(self) -> usize {
        self.len
    }

    /// Whether no position is selected.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The selected positions, in order.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let selection = s![:-3:-1].resolve(&[5])?;
    /// assert_eq!(selection.axes()[0].positions().collect::<Vec<_>>(), [4, 3]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn positions(self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + Clone {
        (0..self.len).map(move |k| self.position(k))
    }

    /// The `k`-th selected position, for `k < len`; for any other it has no meaning.
    #[inline]
    #[must_use]
    pub const fn position(self, k: usize) -> usize {
        // In bounds of the axis by the type's promise; wrapping because `k * step` alone may be negative.
        self.start.wrapping_add(k.wrapping_mul(self.step as usize))
    }
}

/// A written bound counted from the front: `bound + size` if negative.
#[inline]
pub(crate) const fn wrap(bound: i64, size: i64) -> i64 {
    // A negative and a non-negative number: the sum cannot overflow.
    if bound < 0 { bound + size } else { bound }
}

/// `x` moved into `low..=high`.
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

/// How many of `begin`, `begin + stride`, ... come before `end`; `stride` must not be zero.
#[inline]
pub(crate) const fn count(begin: i64, end: i64, stride: i64) -> usize {
    let distance = if stride > 0 { end - begin } else { begin - end };
    if distance <= 0 {
        0
    } else if stride == 1 || stride == -1 {
        distance as usize
    } else {
        ((distance as u64 - 1) / stride.unsigned_abs()) as usize + 1
    }
}

/// The lowest and the highest place that a bound can mean: the axis, and one past its end or, walking
/// backwards, before its beginning.
#[inline]
pub(crate) const fn limits(stride: i64, size: i64) -> (i64, i64) {
    if stride > 0 {
        (0, size)
    } else {
        (-1, size - 1)
    }
}

/// The place that a written bound means.
#[inline]
pub(crate) const fn bound(written: i64, stride: i64, size: i64) -> i64 {
    let (low, high) = limits(stride, size);
    clamp(wrap(written, size), low, high)
}

/// The place where a range without a begin starts.
#[inline]
pub(crate) const fn open_begin(stride: i64, size: i64) -> i64 {
    let (low, high) = limits(stride, size);
    if stride > 0 { low } else { high }
}

/// The place where a range without an end stops.
#[inline]
pub(crate) const fn open_end(stride: i64, size: i64) -> i64 {
    let (low, high) = limits(stride, size);
    if stride > 0 { high } else { low }
}

/// Python's `slice(begin, end, stride).indices(size)`, for a stride that is not zero and a size of at most
/// [`MAX_AXIS`].
#[inline]
pub(crate) const fn range(
    begin: Option<i64>,
    end: Option<i64>,
    stride: i64,
    size: usize,
) -> AxisRange {
    let size = size as i64;
    let begin = match begin {
        Some(begin) => bound(begin, stride, size),
        None => open_begin(stride, size),
    };
    let end = match end {
        Some(end) => bound(end, stride, size),
        None => open_end(stride, size),
    };
    AxisRange::between(begin, end, stride)
}

/// The position that a written index means on an axis of `size` elements, if there is one.
#[inline]
pub(crate) const fn index(index: i64, size: usize) -> Option<usize> {
    let position = wrap(index, size as i64);
    if 0 <= position && position < size as i64 {
        Some(position as usize)
    } else {
        None
    }
}
