//! Applies a spec to a shape: expands the ellipsis, and assigns axes to the items.
//!
//! [`ItemAxes`] assigns axes to the items of a slice. Other crates also use it, through
//! [`item_axes`](super::item_axes), for the operations of TensorFlow, ONNX and other systems. [`ResolvedItems`]
//! resolves a spec step by step without allocating. It is used for constants, for `Selection`s, and for ndarray views
//! if the kinds of the items are not known at compile time. If they are known, the view is created by other code
//! (`ndarray/rank.rs`). A test checks that the two implementations create equal views. Code that reads an existing
//! selection uses [`Selection::resolved_steps`](crate::Selection::resolved_steps).

use core::ops::Range;

use crate::error::SliceError;
use crate::error::resolve_error::ResolveError;
use crate::resolve::axis;
use crate::resolve::axis::{AxisRange, MAX_AXIS_LEN};
use crate::resolve::step::ResolvedStep;
use crate::spec::item::{Encoded, ItemRole};
use crate::spec::slice_spec::SliceSpec;

/// Returns the number of axes that the ellipsis covers, for an array with `rank` axes and a slice in which `consuming`
/// items consume an axis. A slice without an ellipsis has an implied one at the end.
///
/// # Errors
///
/// Returns [`ResolveError::TooManyIndices`] if there are fewer than `consuming` axes.
#[inline]
pub(crate) const fn ellipsis_axes(rank: usize, consuming: usize) -> Result<usize, ResolveError> {
    if consuming > rank {
        Err(ResolveError::TooManyIndices {
            rank,
            indexed: consuming,
        })
    } else {
        Ok(rank - consuming)
    }
}

/// Returns the position of an index on its axis.
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

/// Returns the positions of a range on its axis.
#[inline(always)]
pub(crate) const fn range_at(
    item: usize,
    axis: usize,
    begin: Option<i64>,
    end: Option<i64>,
    step: i64,
    size: usize,
) -> Result<AxisRange, ResolveError> {
    if step == 0 {
        Err(ResolveError::ZeroStep {
            item,
            axis,
            begin,
            end,
        })
    } else {
        Ok(axis::range(begin, end, step, size))
    }
}

/// Assigns axes to the items of a slice, from left to right.
#[derive(Debug)]
pub(crate) struct ItemAxes {
    /// The first axis that is not yet assigned.
    axis: usize,
    /// The number of axes that the ellipsis covers, or 0 after the ellipsis.
    ellipsis_axes: usize,
}

impl ItemAxes {
    /// Creates an `ItemAxes` for an array with `rank` axes and a slice with `consuming` indices and ranges.
    ///
    /// # Errors
    ///
    /// Returns [`ResolveError::TooManyIndices`] if there are fewer than `consuming` axes.
    #[inline]
    pub(crate) const fn new(rank: usize, consuming: usize) -> Result<Self, ResolveError> {
        match ellipsis_axes(rank, consuming) {
            Ok(ellipsis_axes) => Ok(ItemAxes {
                axis: 0,
                ellipsis_axes,
            }),
            Err(error) => Err(error),
        }
    }

    /// Returns the next `count` axes, for an item that applies to several axes.
    pub(crate) fn take(&mut self, count: usize) -> Range<usize> {
        let first = self.axis;
        self.axis += count;
        first..self.axis
    }

    /// Returns the axes of the next item. An index or a range applies to one axis, and a new axis to none. The first
    /// ellipsis applies to all axes to which no other item applies. The caller passes an implied ellipsis after the
    /// last item.
    #[inline]
    pub(crate) const fn next(&mut self, role: ItemRole) -> Range<usize> {
        let first = self.axis;
        match role {
            ItemRole::Index | ItemRole::Range => self.axis += 1,
            ItemRole::NewAxis => {}
            ItemRole::Ellipsis => {
                self.axis += self.ellipsis_axes;
                self.ellipsis_axes = 0;
            }
        }
        first..self.axis
    }
}

/// An iterator over the resolved steps of a spec applied to a shape, from left to right.
#[derive(Debug)]
pub(crate) struct ResolvedItems<'a> {
    spec: Encoded<'a>,
    shape: &'a [usize],
    /// The number of the next item. The implied ellipsis has the number after that of the last item.
    item: usize,
    axes: ItemAxes,
    /// The remaining axes of the current ellipsis, on which all positions are kept.
    whole_axes: Range<usize>,
}

impl<'a> ResolvedItems<'a> {
    #[inline]
    pub(crate) const fn new(spec: Encoded<'a>, shape: &'a [usize]) -> Result<Self, ResolveError> {
        match ItemAxes::new(shape.len(), spec.consuming_items()) {
            Ok(axes) => Ok(ResolvedItems {
                spec,
                shape,
                item: 0,
                axes,
                whole_axes: 0..0,
            }),
            Err(error) => Err(error),
        }
    }

    /// Returns the rank of the result.
    #[inline]
    pub(crate) const fn output_rank(&self) -> usize {
        self.spec.output_rank(self.shape.len())
    }

    /// Returns the next step, or `None` after the last item and the last axis.
    #[inline]
    pub(crate) const fn next(&mut self) -> Option<Result<ResolvedStep<'static>, ResolveError>> {
        loop {
            if self.whole_axes.start < self.whole_axes.end {
                self.whole_axes.start += 1;
                return Some(self.keep_whole(self.whole_axes.start - 1));
            }
            let item = self.item;
            if item > self.spec.len() {
                return None;
            }
            self.item += 1;
            if item == self.spec.len() {
                self.whole_axes = self.axes.next(ItemRole::Ellipsis);
                continue;
            }
            let role = self.spec.masks.item_masks(item).role();
            let axes = self.axes.next(role);
            match role {
                ItemRole::Ellipsis => self.whole_axes = axes,
                role => return Some(self.step(item, role, axes.start)),
            }
        }
    }

    #[inline(always)]
    const fn keep_whole(&self, axis: usize) -> Result<ResolvedStep<'static>, ResolveError> {
        match self.size(axis) {
            Ok(size) => Ok(ResolvedStep::Keep(AxisRange::whole(size))),
            Err(error) => Err(error),
        }
    }

    /// Returns the effect of an item other than an ellipsis. `axis` is the axis to which it applies, if any.
    #[inline(always)]
    const fn step(
        &self,
        item: usize,
        role: ItemRole,
        axis: usize,
    ) -> Result<ResolvedStep<'static>, ResolveError> {
        if let ItemRole::NewAxis = role {
            return Ok(ResolvedStep::Insert { len: 1 });
        }
        let size = match self.size(axis) {
            Ok(size) => size,
            Err(error) => return Err(error),
        };
        if let ItemRole::Index = role {
            return match index_at(item, axis, self.spec.begin[item], size) {
                Ok(position) => Ok(ResolvedStep::Drop(position)),
                Err(error) => Err(error),
            };
        }
        let (begin, end, step) = self.spec.bounds(item);
        match range_at(item, axis, begin, end, step, size) {
            Ok(range) => Ok(ResolvedStep::Keep(range)),
            Err(error) => Err(error),
        }
    }

    /// Passes the steps of an item to `visitor`. The items must be passed in order.
    #[inline(always)]
    fn visit(&mut self, item: usize, visitor: &mut impl StepVisitor) -> Result<(), ResolveError> {
        let role = self.spec.masks.item_masks(item).role();
        let axes = self.axes.next(role);
        if role != ItemRole::Ellipsis {
            visitor.visit(self.step(item, role, axes.start)?);
            return Ok(());
        }
        for axis in axes {
            visitor.visit(self.keep_whole(axis)?);
        }
        Ok(())
    }

    /// Returns the length of an axis.
    #[inline]
    const fn size(&self, axis: usize) -> Result<usize, ResolveError> {
        let size = self.shape[axis];
        if size > MAX_AXIS_LEN {
            Err(ResolveError::TooLarge { axis, size })
        } else {
            Ok(size)
        }
    }
}

impl Iterator for ResolvedItems<'_> {
    type Item = Result<ResolvedStep<'static>, ResolveError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        ResolvedItems::next(self)
    }
}

/// Receives the steps of a slice from [`SliceSpec::each_step`].
///
/// # Example
///
/// ```
/// use slice_core::{AxisRange, ResolvedStep, StepVisitor, s};
///
/// struct Steps(Vec<ResolvedStep<'static>>);
///
/// impl StepVisitor for Steps {
///     fn visit(&mut self, step: ResolvedStep<'static>) {
///         self.0.push(step);
///     }
/// }
///
/// let mut steps = Steps(Vec::new());
/// s![newaxis, -1, ::2].each_step(&[4, 5], &mut steps)?;
/// let range = AxisRange::new(0, 2, 3);
/// assert_eq!(steps.0, [ResolvedStep::Insert { len: 1 }, ResolvedStep::Drop(3), ResolvedStep::Keep(range)]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
pub trait StepVisitor {
    /// Receives the next step, which has no list.
    ///
    /// If this function is marked `#[inline(always)]`, the compiler knows the kind of each step.
    fn visit(&mut self, step: ResolvedStep<'static>);
}

impl<const M: usize, K> SliceSpec<M, K> {
    /// Passes the effect of the slice on each axis of an array with the shape `shape` to `visitor`, from left to right,
    /// without creating a [`Selection`](crate::Selection).
    ///
    /// Unlike [`Selection::resolved_steps`](crate::Selection::resolved_steps), it passes new axes where they were written.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`resolve`](Self::resolve), but [`SliceError::TooLarge`] only for an axis that is too long for
    /// any array. The steps before the item that does not fit have then been passed.
    ///
    /// The example of [`StepVisitor`] calls this function.
    #[inline(always)]
    pub fn each_step(
        &self,
        shape: &[usize],
        visitor: &mut impl StepVisitor,
    ) -> Result<(), SliceError> {
        let spec = self.encoded();
        let mut items = ResolvedItems::new(spec, shape)?;
        // The compiler does not unroll a loop as long as this one. Where it knows the items, a step then takes only a few
        // instructions.
        macro_rules! visit {
            ($($item:literal)*) => { $( if $item < M { items.visit($item, visitor)?; } )* };
        }
        visit!(0 1 2 3 4 5);
        for item in 6..M {
            items.visit(item, visitor)?;
        }
        for axis in items.axes.next(ItemRole::Ellipsis) {
            visitor.visit(items.keep_whole(axis)?);
        }
        Ok(())
    }
}
