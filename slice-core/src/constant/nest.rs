//! A slice applied to a shape, as nested loops over a flat C-order buffer.

use crate::resolve::shape::element_count;
use crate::resolve::strided::StridedAxis;
use crate::resolve::walk::ResolvedItems;
use crate::spec::item::Encoded;

/// The number of innermost loops that are written without recursion, so that the compiler can unroll and vectorize
/// them.
pub(crate) const INNER_LOOPS: usize = 6;

/// A loop that runs once.
const ONCE: StridedAxis = StridedAxis { len: 1, stride: 0 };

/// The loops of a copy from or to an array with at most `N` axes. New axes need no loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nest<const N: usize> {
    /// The offset of the first element. INVARIANT: for all `i_k < len_k`, `offset + sum(i_k * stride_k)` over all loops
    /// is in `0..input_len`.
    pub(super) offset: usize,
    /// The loops outside the innermost [`INNER_LOOPS`]. Unused entries are [`ONCE`].
    outer: [StridedAxis; N],
    outer_rank: usize,
    /// The innermost loops. Leading unused entries are [`ONCE`].
    pub(super) inner: [StridedAxis; INNER_LOOPS],
    /// The number of elements to copy. INVARIANT: equals the product of the lengths of all loops.
    pub(super) len: usize,
    pub(super) input_len: usize,
}

impl<const N: usize> Nest<N> {
    /// Returns the loops of a spec applied to an array of shape `shape`, which has at most `N` axes.
    #[track_caller]
    pub(crate) const fn new(spec: Encoded<'_>, shape: &[usize]) -> Self {
        let mut items = ok!(ResolvedItems::new(spec, shape));
        let input_len = ok!(element_count(shape));
        let mut loops = Loops::<N>::new();
        let (mut offset, mut len, mut axis) = (0, 1, 0);
        // The stride of the current axis. It divides the number of elements of the input, and positions lie within
        // their axes, so no product below overflows. In an empty array, the stride is 0.
        let mut stride = input_len;
        while let Some(item) = items.next() {
            let range = match ok!(item).input_range() {
                Some(range) => range,
                None => continue,
            };
            stride = match stride.checked_div(shape[axis]) {
                Some(stride) => stride,
                None => 0,
            };
            axis += 1;
            let (first, selected) = range.strided(stride as isize);
            offset += first as usize;
            // If the input is empty, the product of the other lengths may overflow.
            len = if input_len == 0 {
                0
            } else {
                len * selected.len
            };
            loops.push(selected);
        }
        if len == 0 {
            loops = Loops::new();
            loops.push(StridedAxis { len: 0, stride: 0 });
        }
        let (outer, outer_rank, inner) = loops.split();
        Nest {
            offset,
            outer,
            outer_rank,
            inner,
            len,
            input_len,
        }
    }

    /// Returns the loops outside `inner`.
    #[inline(always)]
    pub(crate) const fn outer(&self) -> &[StridedAxis] {
        self.outer.split_at(self.outer_rank).0
    }
}

/// A list of loops, from the outermost to the innermost. Each new loop is merged with the previous one if possible.
struct Loops<const N: usize> {
    loops: [StridedAxis; N],
    rank: usize,
}

impl<const N: usize> Loops<N> {
    const fn new() -> Self {
        Loops {
            loops: [ONCE; N],
            rank: 0,
        }
    }

    const fn push(&mut self, inner: StridedAxis) {
        if inner.len == 1 {
            return;
        }
        if self.rank > 0
            && let Some(merged) = self.loops[self.rank - 1].merge(inner)
        {
            self.loops[self.rank - 1] = merged;
            return;
        }
        self.loops[self.rank] = inner;
        self.rank += 1;
    }

    /// Returns the loops outside the innermost [`INNER_LOOPS`], the number of these outer loops, and the innermost
    /// loops.
    const fn split(mut self) -> ([StridedAxis; N], usize, [StridedAxis; INNER_LOOPS]) {
        let mut inner = [ONCE; INNER_LOOPS];
        let mut level = INNER_LOOPS;
        while level > 0 && self.rank > 0 {
            level -= 1;
            self.rank -= 1;
            inner[level] = self.loops[self.rank];
            self.loops[self.rank] = ONCE;
        }
        (self.loops, self.rank, inner)
    }
}
