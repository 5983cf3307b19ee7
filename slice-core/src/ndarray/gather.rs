//! Copies slices into new or existing arrays.

#![expect(unsafe_code)]

use alloc::vec::Vec;
use ndarray::{Array, ArrayRef, ArrayView, Dimension};

use super::assign::assign;
use super::bridge::view;
use super::buffer::{axes, buffer_start, distance, elements, elements_mut, is_in_c_order};
use super::rank::SliceFor;
use crate::copy::elements::Elements;
use crate::copy::gather_axes;
use crate::copy::new_memory::vector;
use crate::copy::plain::is_plain;
use crate::copy::plan::CopyPlan;

use crate::error::SliceError;
use crate::resolve::shape::check_shape;
use crate::s;

/// Copies the selected elements to an array with the shape of the slice.
pub(super) fn gather_into<A, D, E, I>(
    array: &ArrayRef<A, D>,
    spec: &I,
    out: &mut ArrayRef<A, E>,
) -> Result<(), SliceError>
where
    A: Clone,
    D: Dimension,
    E: Dimension,
    I: SliceFor<D>,
{
    let view = view(array, spec)?;
    check_shape(view.shape(), out.shape())?;
    if view.is_empty() {
        return Ok(());
    }
    if let Some(start) = buffer_start(array)
        && is_in_c_order(out)
    {
        let buffer = elements(array);
        let plan = CopyPlan::new(distance(start, view.as_ptr()), axes(&view), buffer.len());
        let plan = plan.expect("the view should lie within its buffer");
        plan.gather_clones_into(buffer, elements_mut(out));
        return Ok(());
    }
    assign(out, &s![...], &view)
}

/// Returns the selected elements in a new array in C order.
pub(super) fn gather<A, D, I>(
    array: &ArrayRef<A, D>,
    spec: &I,
) -> Result<Array<A, I::OutDim>, SliceError>
where
    A: Clone,
    D: Dimension,
    I: SliceFor<D>,
{
    copy(array, view(array, spec)?)
}

/// Copies the elements of a view of the array. This function is not generic over the slice, so it is compiled once for
/// all slices whose results have the same rank.
fn copy<A, D, E>(
    array: &ArrayRef<A, D>,
    view: ArrayView<'_, A, E>,
) -> Result<Array<A, E>, SliceError>
where
    A: Clone,
    D: Dimension,
    E: Dimension,
{
    let axes = axes(&view);
    let elements = match buffer_start(array) {
        _ if view.is_empty() => Vec::new(),
        Some(start) => {
            let buffer = elements(array);
            // SAFETY: the length of a view is the product of the lengths of its axes.
            unsafe { gather_axes(buffer, distance(start, view.as_ptr()), axes, view.len())? }
        }
        None if !is_plain::<A>() => {
            let mut elements = vector(view.len())?;
            elements.extend(view.iter().cloned());
            elements
        }
        None => {
            let (plan, first) = CopyPlan::of_view(axes);
            // SAFETY: the plan copies the elements of the view, which may be read and, as checked above, are
            // plain. `gather_exact` does not access the gaps between them, which may be borrowed elsewhere.
            unsafe { plan.gather_exact(view.as_ptr().wrapping_sub(first))? }
        }
    };
    match Array::from_shape_vec(view.raw_dim(), elements) {
        Ok(array) => Ok(array),
        Err(_) => unreachable!("the length matches the shape"),
    }
}
