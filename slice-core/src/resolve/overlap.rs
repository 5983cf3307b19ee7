//! Finds a common element of two selections.
//!
//! The positions on one axis do not depend on the other axes, so two selections share an element if and only if they
//! share a position on every axis. On each axis, the selected positions form a range, which is a finite part of an
//! arithmetic progression. By the Chinese remainder theorem, the common members of two progressions, if there are any,
//! also form a progression. It is therefore enough to find the lowest common member that is not before the beginning of
//! either range, and to check that this member is not beyond the end of either range.

use alloc::vec::Vec;

use crate::error::SliceError;
use crate::resolve::axis::AxisRange;
use crate::resolve::selection::Selection;
use crate::resolve::shape::check_shape;

impl Selection {
    /// Returns the position of the first element that this selection shares with another selection of the same array,
    /// or `None` if the selections share no element.
    ///
    /// Python equivalent: none. `np.shares_memory(x[a], x[b])` only reports whether the selections share an element.
    ///
    /// # Errors
    ///
    /// * [`SliceError::ShapeMismatch`] unless the two selections were resolved for the same shape.
    /// * [`SliceError::NotStrided`] unless both selections [are strided](Self::is_strided).
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let shape = [4, 9];
    /// let even = s![:, ::2].resolve(&shape)?;
    /// assert_eq!(even.overlap(&s![:, 1::2].resolve(&shape)?)?, None);
    /// assert_eq!(even.overlap(&s![3, 1::3].resolve(&shape)?)?, Some(vec![3, 4]));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn overlap(&self, other: &Selection) -> Result<Option<Vec<usize>>, SliceError> {
        check_shape(self.input_shape(), other.input_shape())?;
        let axes = self.axes()?.iter().zip(other.axes()?);
        if self.is_empty() || other.is_empty() {
            return Ok(None);
        }
        Ok(axes
            .map(|(&one, &other)| first_common(one, other))
            .collect())
    }
}

/// Returns the lowest position that is in both ranges, or `None` if the ranges share no position.
fn first_common(one: AxisRange, other: AxisRange) -> Option<usize> {
    if one.len == 0 || other.len == 0 {
        return None;
    }
    let ((a, a_last, s), (b, b_last, t)) = (ascending(one), ascending(other));
    // A common position is x = a + s * k = b + t * l, so s * k is congruent to b - a modulo t. The steps are below
    // 2^63, and k is below t, so no value reaches 2^127.
    let (gcd, inverse) = gcd_and_inverse(s, t);
    if (b - a) % gcd != 0 {
        return None;
    }
    let k = ((b - a) / gcd % (t / gcd) * inverse).rem_euclid(t / gcd);
    let x = a + s * k;
    let period = s / gcd * t;
    // If `one` had no end, and `other` had neither a beginning nor an end, `x` would be their lowest common position.
    // If `other` begins after `x`, the lowest common position is one or more periods later.
    let skipped_periods = if x < b {
        (b - x + period - 1) / period
    } else {
        0
    };
    let x = x + skipped_periods * period;
    (x <= a_last.min(b_last)).then_some(x as usize)
}

/// Returns the lowest position, the highest position and the absolute step of a non-empty range.
fn ascending(range: AxisRange) -> (i128, i128, i128) {
    let range = range.ascending();
    let last = range.position(range.len - 1);
    (range.start as i128, last as i128, range.step as i128)
}

/// Returns the greatest common divisor `g` of the positive numbers `s` and `t`, and the inverse of `s / g` modulo
/// `t / g`.
fn gcd_and_inverse(s: i128, t: i128) -> (i128, i128) {
    let (mut r, mut next_r) = (s, t);
    let (mut x, mut next_x) = (1, 0);
    while next_r != 0 {
        let quotient = r / next_r;
        (r, next_r) = (next_r, r - quotient * next_r);
        (x, next_x) = (next_x, x - quotient * next_x);
    }
    (r, x.rem_euclid(t / r))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns all ranges on an axis of `size` elements, including ranges with a step longer than the axis.
    fn ranges(size: usize) -> Vec<AxisRange> {
        let mut all = Vec::new();
        for start in 0..size {
            for step in (1..=size as isize + 1).flat_map(|step| [step, -step]) {
                let room = if step > 0 { size - 1 - start } else { start };
                for len in 0..=room / step.unsigned_abs() + 1 {
                    all.push(AxisRange::new(start, step, len));
                }
            }
        }
        all
    }

    #[test]
    fn first_common_agrees_with_an_exhaustive_search_on_a_short_axis() {
        let all = ranges(9);
        for &one in &all {
            for &other in &all {
                let expected = one
                    .positions()
                    .filter(|&x| other.positions().any(|y| x == y));
                assert_eq!(
                    first_common(one, other),
                    expected.min(),
                    "{one:?} {other:?}"
                );
            }
        }
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn first_common_is_correct_on_the_longest_axes() {
        let size = isize::MAX as usize;
        let range = AxisRange::new;
        // The steps s and t = s - 2 are coprime: 0 + s * k = 1 + t * l has its first solution at k = (t + 1) / 2.
        let (s, t) = (3_037_000_493, 3_037_000_491);
        let (one, other) = (
            range(0, s, size / s as usize),
            range(1, t, size / t as usize),
        );
        assert_eq!(
            first_common(one, other),
            Some(3_037_000_493 * 1_518_500_246)
        );
        let ends = range(0, isize::MAX - 1, 2);
        assert_eq!(first_common(ends, range(size - 1, -1, size)), Some(0));
        assert_eq!(first_common(ends, range(1, 1, size - 2)), None);
        assert_eq!(first_common(ends, range(1, 1, size - 1)), Some(size - 1));
    }
}
