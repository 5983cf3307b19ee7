//! The bounds of a part of a plan.

use crate::Dims;

/// The bounds of a part: the positions `begin..end` of the result, along each axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct PartBounds {
    pub(super) begin: Dims,
    pub(super) end: Dims,
}

impl PartBounds {
    pub(super) fn whole(shape: &[usize]) -> Self {
        PartBounds {
            begin: Dims::from_elem(0, shape.len()),
            end: Dims::from_slice(shape),
        }
    }

    pub(super) fn len(&self) -> usize {
        let axes = self.begin.iter().zip(&self.end);
        axes.map(|(begin, end)| end - begin).product()
    }

    pub(super) fn overlaps(&self, other: &PartBounds) -> bool {
        let one = self.begin.iter().zip(&other.end);
        let mut both = one.chain(other.begin.iter().zip(&self.end));
        both.all(|(begin, end)| begin < end)
    }
}
