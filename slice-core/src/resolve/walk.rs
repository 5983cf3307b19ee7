//! A spec meets a shape: the ellipsis is expanded and every item finds its axis.
//!
//! [`Walk`] is the one loop over items and axes. Constants, `Selection` and the typed ndarray views all drive it, each
//! collecting what it needs, so that there is one meaning and no allocation.

use crate::error::SliceError;
use crate::resolve::axis;
use crate::resolve::axis::{AxisRange, MAX_AXIS};
use crate::spec::item::{Encoded, Item};

/// How many axes the ellipsis covers, given or implied at the end.
///
/// # Errors
///
/// [`SliceError::TooManyIndices`] if `consuming` items meet fewer than `consuming` axes.
#[inline]
pub(crate) const fn covered(rank: usize, consuming: usize) -> Result<usize, SliceError> {
    if consuming > rank {
        Err(SliceError::TooManyIndices {
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
) -> Result<usize, SliceError> {
    match axis::index(index, size) {
        Some(position) => Ok(position),
        None => Err(SliceError::IndexOutOfBounds {
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
) -> Result<AxisRange, SliceError> {
    if stride == 0 {
        Err(SliceError::ZeroStride {
            item,
            axis,
            begin,
            end,
        })
    } else {
        Ok(axis::range(begin, end, stride, size))
    }
}

/// What became of one axis, or what was inserted between two.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// The axis stays, with these positions.
    Keep(AxisRange),
    /// The axis is dropped at this position.
    Drop(usize),
    /// An axis of length 1 appears.
    Insert,
}

/// The steps from a spec and a shape to a result, from left to right.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    spec: Encoded<'a>,
    shape: &'a [usize],
    /// The next item; one past the last is the implied ellipsis.
    item: usize,
    axis: usize,
    /// Axes that the ellipsis covers in all.
    covered: usize,
    /// Axes that the ellipsis at hand still has to cover.
    pending: usize,
}

impl<'a> Walk<'a> {
    #[inline]
    pub(crate) const fn new(spec: Encoded<'a>, shape: &'a [usize]) -> Result<Self, SliceError> {
        match covered(shape.len(), spec.consuming()) {
            Ok(covered) => Ok(Walk {
                spec,
                shape,
                item: 0,
                axis: 0,
                covered,
                pending: 0,
            }),
            Err(error) => Err(error),
        }
    }

    /// The rank of the result.
    #[inline]
    pub(crate) const fn output_rank(&self) -> usize {
        self.spec.output_rank(self.shape.len())
    }

    /// The next step; `None` once every item and every axis has been met.
    #[inline]
    pub(crate) const fn next(&mut self) -> Option<Result<Step, SliceError>> {
        loop {
            if self.pending > 0 {
                self.pending -= 1;
                return Some(self.whole());
            }
            if self.item >= self.spec.len() {
                if self.axis >= self.shape.len() {
                    return None;
                }
                return Some(self.whole());
            }
            let item = self.item;
            self.item += 1;
            match self.spec.item(item) {
                Item::Ellipsis => self.pending = self.covered,
                Item::NewAxis => return Some(Ok(Step::Insert)),
                Item::Index(index) => return Some(self.index(item, index)),
                Item::Range { begin, end, stride } => {
                    return Some(self.range(item, begin, end, stride));
                }
            }
        }
    }

    #[inline]
    const fn whole(&mut self) -> Result<Step, SliceError> {
        match self.take_axis() {
            Ok((_, size)) => Ok(Step::Keep(AxisRange::whole(size))),
            Err(error) => Err(error),
        }
    }

    #[inline]
    const fn index(&mut self, item: usize, index: i64) -> Result<Step, SliceError> {
        match self.take_axis() {
            Ok((axis, size)) => match index_at(item, axis, index, size) {
                Ok(position) => Ok(Step::Drop(position)),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    #[inline]
    const fn range(
        &mut self,
        item: usize,
        begin: Option<i64>,
        end: Option<i64>,
        stride: i64,
    ) -> Result<Step, SliceError> {
        match self.take_axis() {
            Ok((axis, size)) => match range_at(item, axis, begin, end, stride, size) {
                Ok(range) => Ok(Step::Keep(range)),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    /// The next axis and its length.
    #[inline]
    const fn take_axis(&mut self) -> Result<(usize, usize), SliceError> {
        let axis = self.axis;
        let size = self.shape[axis];
        self.axis += 1;
        if size > MAX_AXIS {
            Err(SliceError::TooLarge { axis, size })
        } else {
            Ok((axis, size))
        }
    }
}
