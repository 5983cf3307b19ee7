//! A block of the result.

use crate::Dims;

/// The positions `begin..end` of the result, along each axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Block {
    pub(super) begin: Dims,
    pub(super) end: Dims,
}

impl Block {
    pub(super) fn whole(shape: &[usize]) -> Self {
        Block {
            begin: Dims::from_elem(0, shape.len()),
            end: Dims::from_slice(shape),
        }
    }

    pub(super) fn len(&self) -> usize {
        let axes = self.begin.iter().zip(&self.end);
        axes.map(|(begin, end)| end - begin).product()
    }

    pub(super) fn overlaps(&self, other: &Block) -> bool {
        let one = self.begin.iter().zip(&other.end);
        let mut both = one.chain(other.begin.iter().zip(&self.end));
        both.all(|(begin, end)| begin < end)
    }
}
