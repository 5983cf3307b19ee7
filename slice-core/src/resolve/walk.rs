//! A spec is applied to a shape: the ellipsis is expanded, and every item gets its axis.
//!
//! [`ItemAxes`] gives the items of a slice their axes, for specs, for the operations of the systems, for explanations and
//! for the translation to ONNX. [`ResolvedItems`] says what a spec makes of a shape, step by step: constants,
//! `Selection` and ndarray views of a dynamic rank collect from it what they need, without any allocation. Beside it
//! there is only the pass of the typed ndarray views (`ndarray/rank.rs`), whose items are known to the compiler; a test
//! compares the two. Who goes through a selection that there is, does so by
//! [`Selection::resolved_steps`](crate::Selection::resolved_steps).

use core::ops::Range;

use crate::error::resolve_error::ResolveError;
use crate::resolve::axis;
use crate::resolve::axis::{AxisRange, MAX_AXIS};
use crate::resolve::step::ResolvedStep;
use crate::spec::item::{Encoded, Item, ItemRole};

/// How many axes the ellipsis covers, given or implied at the end.
///
/// # Errors
///
/// [`SliceError::TooManyIndices`] if there are fewer than `consuming` axes.
#[inline]
pub(crate) const fn covered(rank: usize, consuming: usize) -> Result<usize, ResolveError> {
    if consuming > rank {
        Err(ResolveError::TooManyIndices {
            rank,
            indexed: consuming,
        })
    } else {
        Ok(rank - consuming)
    }
}

/// The position that the index `item` means on its axis.
#[inline]
pub(crate) const fn index_at(
    item: usize,
    axis: usize,
    index: i64,
    size: usize,
) -> Result<usize, ResolveError> {
    match axis::index(index, size) {
        Some(position) => Ok(position),
        None => Err(ResolveError::IndexOutOfBounds {
            item,
            axis,
            index,
            size,
        }),
    }
}

/// The positions that the range `item` means on its axis.
#[inline]
pub(crate) const fn range_at(
    item: usize,
    axis: usize,
    begin: Option<i64>,
    end: Option<i64>,
    stride: i64,
    size: usize,
) -> Result<AxisRange, ResolveError> {
    if stride == 0 {
        Err(ResolveError::ZeroStep {
            item,
            axis,
            begin,
            end,
        })
    } else {
        Ok(axis::range(begin, end, stride, size))
    }
}

/// Gives the items of a slice their axes, from left to right.
#[derive(Debug)]
pub(crate) struct ItemAxes {
    /// The first axis that no item has yet.
    axis: usize,
    /// How many axes the ellipsis still has to cover.
    covered: usize,
}

impl ItemAxes {
    /// For an array of this rank and a slice with so many indices and ranges.
    ///
    /// # Errors
    ///
    /// [`SliceError::TooManyIndices`] if there are more of them than axes.
    #[inline]
    pub(crate) const fn new(rank: usize, consuming: usize) -> Result<Self, ResolveError> {
        match covered(rank, consuming) {
            Ok(covered) => Ok(ItemAxes { axis: 0, covered }),
            Err(error) => Err(error),
        }
    }

    /// The axes of the next item: one for an index or a range, none for a new axis, and for an ellipsis all that it
    /// covers. An implied ellipsis after the last item covers what is left.
    #[inline]
    pub(crate) const fn next(&mut self, role: ItemRole) -> Range<usize> {
        let first = self.axis;
        match role {
            ItemRole::Index | ItemRole::Range => self.axis += 1,
            ItemRole::NewAxis => {}
            ItemRole::Ellipsis => {
                self.axis += self.covered;
                self.covered = 0;
            }
        }
        first..self.axis
    }
}

/// What a spec makes of the axes of a shape, from left to right.
#[derive(Debug)]
pub(crate) struct ResolvedItems<'a> {
    spec: Encoded<'a>,
    shape: &'a [usize],
    /// The next item; one past the last is the implied ellipsis.
    item: usize,
    axes: ItemAxes,
    /// Axes of the ellipsis at hand, which stay whole.
    whole: Range<usize>,
}

impl<'a> ResolvedItems<'a> {
    #[inline]
    pub(crate) const fn new(spec: Encoded<'a>, shape: &'a [usize]) -> Result<Self, ResolveError> {
        match ItemAxes::new(shape.len(), spec.consuming()) {
            Ok(axes) => Ok(ResolvedItems {
                spec,
                shape,
                item: 0,
                axes,
                whole: 0..0,
            }),
            Err(error) => Err(error),
        }
    }

    /// The rank of the result.
    #[inline]
    pub(crate) const fn output_rank(&self) -> usize {
        self.spec.output_rank(self.shape.len())
    }

    /// The next one; `None` after every item and every axis.
    #[inline]
    pub(crate) const fn next(&mut self) -> Option<Result<ResolvedStep, ResolveError>> {
        loop {
            if self.whole.start < self.whole.end {
                self.whole.start += 1;
                return Some(self.whole(self.whole.start - 1));
            }
            let item = self.item;
            if item > self.spec.len() {
                return None;
            }
            self.item += 1;
            if item == self.spec.len() {
                self.whole = self.axes.next(ItemRole::Ellipsis);
                continue;
            }
            let written = self.spec.item(item);
            let axes = self.axes.next(written.role());
            match written {
                Item::Ellipsis => self.whole = axes,
                Item::NewAxis => return Some(Ok(ResolvedStep::Insert { len: 1 })),
                Item::Index(index) => return Some(self.index(item, axes.start, index)),
                Item::Range { begin, end, stride } => {
                    return Some(self.range(item, axes.start, begin, end, stride));
                }
            }
        }
    }

    #[inline]
    const fn whole(&self, axis: usize) -> Result<ResolvedStep, ResolveError> {
        match self.size(axis) {
            Ok(size) => Ok(ResolvedStep::Keep(AxisRange::whole(size))),
            Err(error) => Err(error),
        }
    }

    #[inline]
    const fn index(
        &self,
        item: usize,
        axis: usize,
        index: i64,
    ) -> Result<ResolvedStep, ResolveError> {
        match self.size(axis) {
            Ok(size) => match index_at(item, axis, index, size) {
                Ok(position) => Ok(ResolvedStep::Drop(position)),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    #[inline]
    const fn range(
        &self,
        item: usize,
        axis: usize,
        begin: Option<i64>,
        end: Option<i64>,
        stride: i64,
    ) -> Result<ResolvedStep, ResolveError> {
        match self.size(axis) {
            Ok(size) => match range_at(item, axis, begin, end, stride, size) {
                Ok(range) => Ok(ResolvedStep::Keep(range)),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    /// The length of an axis.
    #[inline]
    const fn size(&self, axis: usize) -> Result<usize, ResolveError> {
        let size = self.shape[axis];
        if size > MAX_AXIS {
            Err(ResolveError::TooLarge { axis, size })
        } else {
            Ok(size)
        }
    }
}

impl Iterator for ResolvedItems<'_> {
    type Item = Result<ResolvedStep, ResolveError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        ResolvedItems::next(self)
    }
}
