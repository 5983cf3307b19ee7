//! Copies and assignment with lists and masks, for ndarray arrays.
//!
//! For slices with lists, the copy engine of this crate accesses only arrays that are contiguous in some order of their
//! axes. In other arrays, the gaps between elements may be borrowed elsewhere, so the elements of such arrays are copied
//! row by row.

#![expect(unsafe_code)]

use alloc::vec::Vec;
use core::{iter, ptr};

use ndarray::{Array, ArrayRef, Dimension, IxDyn};
use smallvec::SmallVec;

use super::assign::{assign, fill, without_surplus_axes};
use super::buffer::{axes, buffer_start, distance, elements, elements_mut, is_in_c_order};
use super::gather::{gather, gather_into};
use super::indexed::FitsIn;
use super::rank::{Action, SelectFor, SliceFor, TypedRank};
use crate::copy::broadcast::broadcast;
use crate::copy::elements::Elements;
#[cfg(feature = "py")]
use crate::copy::lists::filter;
use crate::copy::lists::walk::LoopPlan;
use crate::copy::new_memory::vector;
use crate::copy::plan::extent;
use crate::error::SliceError;
use crate::resolve::list::resolve;
use crate::resolve::selection::Selection;
use crate::resolve::shape::check_shape;
use crate::resolve::walk::StepVisitor;
use crate::s;
use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::ItemRef;
use crate::spec::list::ListArray;
use crate::spec::list_spec::ListSpec;
use crate::spec::slice_spec::SliceSpec;

// Compiler messages quote this implementation.
impl<D: Dimension, const M: usize, K: TypedRank<Axes: FitsIn<D>>> SelectFor<D> for SliceSpec<M, K> {
    type OutDim = K::Inserted<K::Dropped<D>>;
    type Fits = <K::Axes as FitsIn<D>>::Fits;

    #[inline(always)]
    fn perform<T: Action<D, Self::OutDim>>(&self, action: T) -> Result<T::Output, SliceError> {
        action.strided(self)
    }
}

impl<D: Dimension> SelectFor<D> for DynSliceSpec {
    type OutDim = IxDyn;
    type Fits = ();

    fn perform<T: Action<D, IxDyn>>(&self, action: T) -> Result<T::Output, SliceError> {
        if !self.has_lists() {
            return action.strided(self);
        }
        let selection = self.resolve(action.shape())?;
        action.listed(&selection)
    }
}

impl<D, const M: usize, K> SelectFor<D> for ListSpec<'_, M, K>
where
    D: Dimension,
    K: TypedRank<Axes: FitsIn<D>>,
{
    type OutDim = K::Inserted<K::Dropped<D>>;
    type Fits = <K::Axes as FitsIn<D>>::Fits;

    fn perform<T: Action<D, Self::OutDim>>(&self, action: T) -> Result<T::Output, SliceError> {
        if let Some(output) = action.in_blocks(self) {
            return Ok(output);
        }
        // The selection is not moved, because moving it takes as long as copying a few elements.
        match self.resolve(action.shape()) {
            Ok(ref selection) => action.listed(selection),
            Err(error) => Err(error),
        }
    }
}

impl<D: Dimension> SelectFor<D> for Selection {
    type OutDim = IxDyn;
    type Fits = ();

    fn perform<T: Action<D, IxDyn>>(&self, action: T) -> Result<T::Output, SliceError> {
        if self.is_strided() {
            return action.strided(self);
        }
        self.check_shape(action.shape())?;
        action.listed(self)
    }
}

impl<D: Dimension, T: SelectFor<D> + ?Sized> SelectFor<D> for &T {
    type OutDim = T::OutDim;
    type Fits = T::Fits;

    #[inline(always)]
    fn perform<A: Action<D, T::OutDim>>(&self, action: A) -> Result<A::Output, SliceError> {
        T::perform(self, action)
    }
}

/// Lists of item kinds, with lists among them, that select a view of an array of dimension `D`. No type implements this
/// trait, which exists only for its compiler message.
#[diagnostic::on_unimplemented(
    message = "a slice with a list does not produce a view of the array",
    label = "the positions in a list need not be evenly spaced",
    note = "read the selected elements with `gather` or `gather_into`, which copy them; write to them with `set` or `fill_at`; \
            a function that accepts lists has the bound `SelectFor` instead of `SliceFor`"
)]
pub trait AreAView<D>: TypedRank<Axes: FitsIn<D>> {
    /// Cannot be called, because nothing implements the trait.
    #[doc(hidden)]
    fn never<T>() -> T;
}

// These methods cannot be called, because no view can represent a slice with lists.
#[doc(hidden)]
impl<D: Dimension, const M: usize, K: AreAView<D>> SliceFor<D> for ListSpec<'_, M, K> {
    fn rank(&self, _: &[usize]) -> Result<usize, SliceError> {
        K::never()
    }

    fn steps(&self, _: &[usize], _: &mut impl StepVisitor) -> Result<(), SliceError> {
        K::never()
    }
}

/// Returns the loops over the selected elements of an array that is not empty, the number of elements from the lowest
/// address in the array to its first element, and whether the array has a [`buffer_start`]. If not, its elements are
/// not contiguous or are zero-sized. The offsets of the loops are counted from the lowest address.
#[inline(always)]
fn plan<'s, A, D: Dimension>(
    array: &ArrayRef<A, D>,
    selection: &'s Selection,
) -> (LoopPlan<'s>, usize, bool) {
    let start = buffer_start(array);
    let first = match start {
        Some(start) => distance(start, array.as_ptr()),
        None => extent(axes(array)).0,
    };
    let plan = LoopPlan::new(selection, first, array.strides());
    (plan, first, start.is_some())
}

/// Calls `each` with the addresses of the selected elements of an array, in order: with several that are next to each
/// other, or with one. Offset 0 of the loops is at the address `lowest`.
fn each_part<A>(plan: &LoopPlan<'_>, lowest: *mut A, mut each: impl FnMut(*mut [A])) {
    let part = |offset, len| ptr::slice_from_raw_parts_mut(lowest.wrapping_add(offset), len);
    plan.each_row(|row| match row.as_range() {
        Some(range) => each(part(range.start, range.len())),
        None => row.for_each(|offset| each(part(offset, 1))),
    });
}

/// Returns the selected elements in C order.
pub(super) fn gather_lists<A: Clone, D: Dimension, O: Dimension>(
    array: &ArrayRef<A, D>,
    selection: &Selection,
) -> Result<Array<A, O>, SliceError> {
    let mut gathered = Vec::new();
    if !selection.is_empty() {
        let (plan, first, is_buffer) = plan(array, selection);
        if is_buffer {
            gathered = plan.gather_clones(elements(array))?;
        } else if selection.is_strided() {
            return Ok(into_rank(gather(array, selection)?));
        } else {
            gathered = vector(plan.len())?;
            let lowest = array.as_ptr().wrapping_sub(first).cast_mut();
            each_part(&plan, lowest, |part| {
                // SAFETY: the plan was made for this array, so the parts consist of its elements.
                gathered.extend_from_slice(unsafe { &*part });
            });
        }
    }
    // The rank of `O` is that of the selection.
    let shape = selection.output_shape();
    let mut dim = O::zeros(shape.len());
    dim.slice_mut().copy_from_slice(shape);
    match Array::from_shape_vec(dim, gathered) {
        Ok(array) => Ok(array),
        Err(_) => unreachable!("the length matches the shape"),
    }
}

/// Returns the elements at many points, or at the positions of a long list, if these are the only item of the slice. The
/// positions are resolved in blocks, because mapping new memory for all of them can take longer than the copy. Returns
/// `None` for any other slice, and for any error.
pub(super) fn gather_in_blocks<A: Clone, D: Dimension, O: Dimension, const M: usize, K>(
    array: &ArrayRef<A, D>,
    spec: &ListSpec<'_, M, K>,
) -> Option<Array<A, O>> {
    const PLACES_OF_BLOCK: usize = 1 << 14;
    let lists = spec.__parts.iter().map(|part| part.__item.list());
    let len = lists.clone().next()??.elements().len();
    if len < 4 * PLACES_OF_BLOCK || spec.len() != 1 {
        return None;
    }
    let lists = lists.collect::<Option<SmallVec<[_; 2]>>>()?;
    let is_of_len = |list: &ListArray<'_>| list.rank() == 1 && list.elements().len() == len;
    if !lists.iter().all(is_of_len) {
        return None;
    }
    let (mut gathered, mut dim) = (Vec::new(), O::default());
    for first in (0..len).step_by(PLACES_OF_BLOCK) {
        let places = first..len.min(first + PLACES_OF_BLOCK);
        let parts = lists.iter().map(|list| list.part(places.clone()));
        let points = ItemRef::Points(parts.collect::<Option<_>>()?);
        let selection = resolve(iter::once(points), array.shape()).ok()?;
        let block = gather_lists::<A, D, O>(array, &selection).ok()?;
        if first == 0 {
            dim = block.raw_dim();
            gathered = vector((block.len() / dim[0]).checked_mul(len)?).ok()?;
        }
        gathered.append(&mut block.into_raw_vec_and_offset().0);
    }
    dim[0] = len;
    Array::from_shape_vec(dim, gathered).ok()
}

/// Returns the elements of a contiguous array for which `select` writes `true`, or `None` if they cannot be filtered in one
/// pass. See [`filter`].
#[cfg(feature = "py")]
pub(crate) fn gather_selected<A: Clone, D: Dimension, O: Dimension>(
    array: &ArrayRef<A, D>,
    select: impl Fn(usize, &mut [bool; 64]),
) -> Option<Array<A, O>> {
    let selected = filter(array.as_slice()?, select)?;
    Some(into_rank(Array::from(selected).into_dyn()))
}

fn into_rank<A, O: Dimension>(array: Array<A, IxDyn>) -> Array<A, O> {
    match array.into_dimensionality() {
        Ok(array) => array,
        Err(_) => unreachable!("the rank matches the type"),
    }
}

pub(super) fn gather_lists_into<A: Clone, D: Dimension, E: Dimension>(
    array: &ArrayRef<A, D>,
    selection: &Selection,
    out: &mut ArrayRef<A, E>,
) -> Result<(), SliceError> {
    if selection.is_strided() {
        return gather_into(array, selection, out);
    }
    check_shape(selection.output_shape(), out.shape())?;
    if selection.is_empty() {
        return Ok(());
    }
    let (plan, first, is_buffer) = plan(array, selection);
    if is_buffer && is_in_c_order(out) {
        plan.gather_clones_into(elements(array), elements_mut(out));
        return Ok(());
    }
    let (lowest, mut slots) = (array.as_ptr().wrapping_sub(first), out.iter_mut());
    each_part(&plan, lowest.cast_mut(), |part| {
        // SAFETY: the plan was made for this array, so the parts consist of its elements.
        let elements = unsafe { &*part }.iter();
        elements
            .zip(slots.by_ref())
            .for_each(|(element, slot)| slot.clone_from(element));
    });
    Ok(())
}

pub(super) fn assign_lists<A: Clone, D: Dimension, E: Dimension>(
    array: &mut ArrayRef<A, D>,
    selection: &Selection,
    value: &ArrayRef<A, E>,
) -> Result<(), SliceError> {
    let shape = selection.output_shape();
    let is_broadcast = value.shape() != shape;
    if is_broadcast && broadcast(value.shape(), value.strides(), shape).is_err() {
        return Err(SliceError::BroadcastToLists {
            value: value.shape().into(),
            result: shape.into(),
        });
    }
    if selection.is_strided() {
        return assign(array, selection, value);
    }
    if selection.is_empty() {
        return Ok(());
    }
    let copy;
    let mut values = if !is_broadcast && is_in_c_order(value) {
        elements(value)
    } else {
        copy = gather_broadcast(value, shape)?;
        elements(&copy)
    };
    let (plan, first, is_buffer) = plan(array, selection);
    if is_buffer {
        plan.scatter_clones(values, elements_mut(array));
        return Ok(());
    }
    each_part(&plan, array.as_mut_ptr().wrapping_sub(first), |part| {
        let next = values.split_off(..part.len());
        let next = next.expect("there should be a value for each selected element");
        // SAFETY: the plan was made for this array, which is borrowed mutably, so the parts consist of its elements.
        unsafe { &mut *part }.clone_from_slice(next);
    });
    Ok(())
}

/// Returns the elements of `value` in C order, broadcast to `shape`. The caller must have checked that `value` can be
/// broadcast to `shape`.
fn gather_broadcast<A: Clone, E: Dimension>(
    value: &ArrayRef<A, E>,
    shape: &[usize],
) -> Result<Array<A, IxDyn>, SliceError> {
    match without_surplus_axes(value, shape.len()).broadcast(IxDyn(shape)) {
        Some(value) => gather(&value, &s![...]),
        None => unreachable!("the caller checks that the value can be broadcast"),
    }
}

pub(super) fn fill_lists<A: Clone, D: Dimension>(
    array: &mut ArrayRef<A, D>,
    selection: &Selection,
    value: A,
) -> Result<(), SliceError> {
    if selection.is_strided() {
        return fill(array, selection, value);
    }
    if selection.is_empty() {
        return Ok(());
    }
    let (plan, first, is_buffer) = plan(array, selection);
    if is_buffer {
        plan.fill(&value, elements_mut(array));
        return Ok(());
    }
    each_part(&plan, array.as_mut_ptr().wrapping_sub(first), |part| {
        // SAFETY: the plan was made for this array, which is borrowed mutably, so the parts consist of its elements.
        unsafe { &mut *part }.fill(value.clone());
    });
    Ok(())
}
