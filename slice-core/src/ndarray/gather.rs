//! Copying a slice of an array into an array of its own.

#![expect(unsafe_code)]

use alloc::vec::Vec;
use ndarray::{Array, ArrayRef, Dimension};

use super::StridedSliceExt;
use super::buffer::{axes, buffer_start, distance, elements};
use super::rank::SliceFor;
use crate::copy::GatherPlan;
use crate::error::SliceError;

/// The selected elements in C order.
pub(super) fn gather<A, D, I>(
    array: &ArrayRef<A, D>,
    spec: &I,
) -> Result<Array<A, I::OutDim>, SliceError>
where
    A: Copy,
    D: Dimension,
    I: SliceFor<D>,
{
    let view = array.try_at(spec)?;
    let axes = axes(&view);
    let elements = match buffer_start(array) {
        _ if view.is_empty() => Vec::new(),
        Some(start) => {
            let buffer = elements(array);
            let plan = GatherPlan::new(distance(start, view.as_ptr()), axes, buffer.len());
            plan.expect("a view of an array stays within its buffer")
                .gather(buffer)?
        }
        None => {
            let (plan, first) = GatherPlan::of_view(axes);
            // SAFETY: these are the elements of the view, which may be read. What lies between them may belong to
            // somebody else.
            unsafe { plan.gather_exact(view.as_ptr().wrapping_sub(first))? }
        }
    };
    match Array::from_shape_vec(view.raw_dim(), elements) {
        Ok(array) => Ok(array),
        Err(_) => unreachable!("a view has as many elements as its shape says"),
    }
}
