//! Walking the offsets of a plan in output order, row by row.

use super::plan::{Dim, GatherPlan};
use smallvec::SmallVec;

/// The start offsets of the innermost rows, in output order.
#[derive(Clone, Debug)]
pub(crate) struct Rows<'a> {
    outer: &'a [Dim],
    index: SmallVec<[usize; 6]>,
    next: Option<usize>,
}

impl<'a> Rows<'a> {
    /// Walks `outer` from `offset`; one row exactly when `outer` is empty.
    #[inline]
    pub(crate) fn new(offset: usize, outer: &'a [Dim]) -> Self {
        Self {
            outer,
            index: SmallVec::from_elem(0, outer.len()),
            next: Some(offset),
        }
    }
}

impl Iterator for Rows<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let current = self.next?;
        self.next = advance(self.outer, &mut self.index, current);
        Some(current)
    }
}

/// Counts `index` up like an odometer; the offset of the next position, or `None` behind the last.
///
/// Wrapping arithmetic only crosses offsets that are not visited: those that are lie in `0..input_len`.
#[inline]
fn advance(dims: &[Dim], index: &mut [usize], mut offset: usize) -> Option<usize> {
    for (dim, i) in dims.iter().zip(index).rev() {
        *i += 1;
        if *i < dim.len {
            return Some(offset.wrapping_add_signed(dim.stride));
        }
        *i = 0;
        offset = offset.wrapping_sub((dim.len - 1).wrapping_mul(dim.stride as usize));
    }
    None
}

impl GatherPlan {
    /// The outer axes and the innermost one, which for a single element is one of length 1.
    pub(super) fn split_inner(&self) -> (&[Dim], Dim) {
        match self.dims.split_last() {
            Some((&inner, outer)) => (outer, inner),
            None => (&[], Dim { len: 1, stride: 1 }),
        }
    }
}
