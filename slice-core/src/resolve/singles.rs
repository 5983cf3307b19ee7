//! Stores the positions of a list one by one, in four bytes each if the axis is short enough.

use alloc::vec::Vec;

/// The type in which a position is stored: `u32` or `usize`.
pub(crate) trait Single: Copy {
    /// Returns the position.
    fn position(self) -> usize;

    /// Returns `true` if the step from `b` to `c` differs from the step from `a` to `b`.
    fn differ(a: Self, b: Self, c: Self) -> bool;

    /// Stores a position. The bits that do not fit are lost.
    fn of_position(position: usize) -> Self;

    /// Adds a distance to the position. The sum wraps.
    fn add(&mut self, distance: usize);

    /// Stores `positions`.
    fn into_singles(positions: Vec<Self>) -> Singles;
}

impl Single for u32 {
    #[inline(always)]
    fn position(self) -> usize {
        // The position fits in a `usize`, because it is on an axis, and the length of an axis is a `usize`.
        self as usize
    }

    #[inline(always)]
    fn differ(a: Self, b: Self, c: Self) -> bool {
        // The positions are below 2^31, so two steps differ by less than 2^32, and different steps do not become equal
        // by wrapping.
        b.wrapping_sub(a) != c.wrapping_sub(b)
    }

    #[inline(always)]
    fn of_position(position: usize) -> Self {
        position as u32
    }

    #[inline(always)]
    fn add(&mut self, distance: usize) {
        *self = self.wrapping_add(distance as u32);
    }

    fn into_singles(positions: Vec<Self>) -> Singles {
        Singles::Narrow(positions)
    }
}

impl Single for usize {
    #[inline(always)]
    fn position(self) -> usize {
        self
    }

    #[inline(always)]
    fn differ(a: Self, b: Self, c: Self) -> bool {
        b.wrapping_sub(a) != c.wrapping_sub(b)
    }

    #[inline(always)]
    fn of_position(position: usize) -> Self {
        position
    }

    #[inline(always)]
    fn add(&mut self, distance: usize) {
        *self = self.wrapping_add(distance);
    }

    fn into_singles(positions: Vec<Self>) -> Singles {
        Singles::Wide(positions)
    }
}

/// The positions of a list, stored one by one.
#[derive(Clone, Debug)]
pub(crate) enum Singles {
    /// Positions on an axis with at most 2^31 elements. INVARIANT: all positions are below 2^31.
    Narrow(Vec<u32>),
    /// Positions on an axis of any length.
    Wide(Vec<usize>),
}

/// Returns `true` if positions on an axis of `size` elements are stored in four bytes each.
pub(crate) const fn are_narrow(size: usize) -> bool {
    size <= 1 << 31
}

/// Evaluates an expression on the positions. The expression is compiled once for each stored type.
macro_rules! with_singles {
    ($singles:expr, $positions:ident => $result:expr) => {
        match $singles {
            $crate::resolve::singles::Singles::Narrow($positions) => $result,
            $crate::resolve::singles::Singles::Wide($positions) => $result,
        }
    };
}
pub(crate) use with_singles;

impl Singles {
    pub(crate) fn len(&self) -> usize {
        with_singles!(self, positions => positions.len())
    }

    /// Returns the `k`-th position, for `k < len`.
    #[inline]
    pub(crate) fn position(&self, k: usize) -> usize {
        with_singles!(self, positions => positions[k].position())
    }

    pub(crate) fn to_positions(&self) -> Vec<usize> {
        match self {
            Singles::Narrow(positions) => positions.iter().map(|k| k.position()).collect(),
            Singles::Wide(positions) => positions.clone(),
        }
    }
}
