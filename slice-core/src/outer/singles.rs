//! Positions one by one, in four bytes each where the axis is short enough for that.

use alloc::vec::Vec;

/// A position as it is kept.
pub(crate) trait Single: Copy {
    /// The position.
    fn position(self) -> usize;

    /// Whether the step from `b` to `c` is another than the one from `a` to `b`.
    fn differ(a: Self, b: Self, c: Self) -> bool;

    /// These positions, kept.
    fn keep(positions: Vec<Self>) -> Singles;
}

impl Single for u32 {
    #[inline(always)]
    fn position(self) -> usize {
        // As many bits at least: an axis of so many positions exists.
        self as usize
    }

    #[inline(always)]
    fn differ(a: Self, b: Self, c: Self) -> bool {
        // Of positions below 2^31 the steps differ by less than 2^32.
        b.wrapping_sub(a) != c.wrapping_sub(b)
    }

    fn keep(positions: Vec<Self>) -> Singles {
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

    fn keep(positions: Vec<Self>) -> Singles {
        Singles::Wide(positions)
    }
}

/// Positions one by one.
#[derive(Clone, Debug)]
pub(crate) enum Singles {
    /// INVARIANT: all below 2^31.
    Narrow(Vec<u32>),
    /// Of any axis.
    Wide(Vec<usize>),
}

/// Whether positions of an axis of this size are kept in four bytes.
pub(crate) const fn are_narrow(size: usize) -> bool {
    size <= 1 << 31
}

/// An expression about the positions, compiled for both of their types.
macro_rules! with_singles {
    ($singles:expr, $positions:ident => $result:expr) => {
        match $singles {
            $crate::outer::singles::Singles::Narrow($positions) => $result,
            $crate::outer::singles::Singles::Wide($positions) => $result,
        }
    };
}
pub(crate) use with_singles;

impl Singles {
    pub(crate) fn len(&self) -> usize {
        with_singles!(self, positions => positions.len())
    }

    /// The `k`-th position, for `k < len`.
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
