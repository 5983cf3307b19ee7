//! Applies a spec to a shape: expands the ellipsis, and assigns axes to the items.
//!
//! [`ItemAxes`] assigns axes to the items of a slice. Other crates also use it, through
//! [`item_axes`](super::item_axes), for the operations of TensorFlow, ONNX and other systems. [`ResolvedItems`]
//! resolves a spec step by step without allocating, for constants, and for [`each_step`], which passes the steps to
//! `Selection`s and to ndarray views. Code that reads an existing selection uses
//! [`Selection::resolved_steps`](crate::Selection::resolved_steps).

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
/// Returns [`SliceError::TooManyIndices`] if there are fewer than `consuming` axes.
#[inline]
pub(crate) const fn ellipsis_axes(rank: usize, consuming: usize) -> Result<usize, ResolveError> {
    if consuming > rank {
        Err(ResolveError::new(SliceError::TooManyIndices {
            rank,
            indexed: consuming,
        }))
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
        None => Err(ResolveError::new(SliceError::IndexOutOfBounds {
            item,
            axis,
            index,
            size,
        })),
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
        Err(ResolveError::new(SliceError::ZeroStep {
            item,
            axis,
            begin,
            end,
        }))
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
    /// Returns [`SliceError::TooManyIndices`] if there are fewer than `consuming` axes.
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

/// The resolved steps of a spec applied to a shape, from left to right.
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
                return Some(Ok(self.keep_whole(self.whole_axes.start - 1)));
            }
            let item = self.item;
            if item > self.spec.len() {
                return None;
            }
            self.item += 1;
            let role = self.role(item);
            let axes = self.axes.next(role);
            match role {
                ItemRole::Ellipsis => self.whole_axes = axes,
                role => return Some(self.step(item, role, axes.start)),
            }
        }
    }

    /// Returns the role of an item. The implied ellipsis follows the last item.
    #[inline(always)]
    const fn role(&self, item: usize) -> ItemRole {
        if item == self.spec.len() {
            return ItemRole::Ellipsis;
        }
        self.spec.masks.item_masks(item).role()
    }

    #[inline(always)]
    const fn keep_whole(&self, axis: usize) -> ResolvedStep<'static> {
        ResolvedStep::Keep(AxisRange::whole(self.shape[axis]))
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
        let size = self.shape[axis];
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
        let role = self.role(item);
        let axes = self.axes.next(role);
        if role != ItemRole::Ellipsis {
            visitor.visit(self.step(item, role, axes.start)?);
            return Ok(());
        }
        for axis in axes {
            visitor.visit(self.keep_whole(axis));
        }
        Ok(())
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
    /// any array. If an item does not fit its axis, the steps before it have been passed.
    ///
    /// The example of [`StepVisitor`] calls this function.
    #[inline(always)]
    pub fn each_step(
        &self,
        shape: &[usize],
        visitor: &mut impl StepVisitor,
    ) -> Result<(), SliceError> {
        let too_long = |&(_, &size): &(usize, &usize)| size > MAX_AXIS_LEN;
        if let Some((axis, &size)) = shape.iter().enumerate().find(too_long) {
            return Err(SliceError::TooLarge { axis, size });
        }
        each_step(self.encoded(), shape, visitor)
    }
}

/// Passes the effect of a slice on each axis of an array with the shape `shape` to `visitor`. No axis may be longer than
/// [`MAX_AXIS_LEN`].
#[inline(always)]
pub(crate) fn each_step(
    spec: Encoded<'_>,
    shape: &[usize],
    visitor: &mut impl StepVisitor,
) -> Result<(), SliceError> {
    let mut items = ResolvedItems::new(spec, shape)?;
    let mut item = 0;
    // The compiler does not unroll a loop as long as this one. Where it knows the items, a step then takes only a few
    // instructions. An unoptimized program would take three times as long to compile.
    #[cfg(not(debug_assertions))]
    {
        macro_rules! visit {
            ($($number:literal)*) => { $(
                if $number < spec.len() {
                    items.visit($number, visitor)?;
                    item += 1;
                }
            )* };
        }
        visit!(0 1 2 3 4 5);
    }
    while item <= spec.len() {
        items.visit(item, visitor)?;
        item += 1;
    }
    Ok(())
}
