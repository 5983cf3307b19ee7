//! Broadcasting of shapes. If shapes cannot be broadcast, the functions panic with NumPy's messages.

use ndarray::{Dimension, IxDyn};

use crate::error::display::DisplayShape;
use crate::resolve::shape;

/// Returns the common shape to which both shapes broadcast.
///
/// # Panics
///
/// Panics with NumPy's message if the shapes cannot be broadcast together.
#[track_caller]
pub(super) fn common_shape<D: Dimension>(left: &[usize], right: &[usize]) -> D {
    let Some(common) = shape::common_shape(left, right) else {
        panic_mismatch(left, right)
    };
    let mut shape = D::zeros(common.len());
    shape.slice_mut().copy_from_slice(&common);
    shape
}

/// Panics with NumPy's message that two shapes cannot be broadcast together.
#[cold]
#[track_caller]
pub(super) fn panic_mismatch(left: &[usize], right: &[usize]) -> ! {
    let sizes = left.iter().rev().zip(right.iter().rev());
    let mut differing = (1..)
        .zip(sizes)
        .filter(|(_, (a, b))| a != b && **a != 1 && **b != 1);
    let (axis, (one, other)) = differing.next().expect("two sizes should differ");
    panic!(
        "operands could not be broadcast together with shapes {} {}; axis -{axis} has the sizes {one} and {other}, but sizes must be \
         equal or 1",
        DisplayShape(left),
        DisplayShape(right)
    )
}

/// Returns `true` if two shapes can be broadcast together.
pub(super) fn can_broadcast(left: &[usize], right: &[usize]) -> bool {
    shape::common_shape(left, right).is_some()
}

/// Panics with NumPy's message that a value cannot be broadcast to the target of an assignment operator.
#[cold]
#[track_caller]
pub(super) fn panic_not_assignable(target: &[usize], value: &[usize]) -> ! {
    if !can_broadcast(target, value) {
        panic_mismatch(target, value)
    }
    panic!(
        "non-broadcastable output operand with shape {} doesn't match the broadcast shape {}",
        DisplayShape(target),
        DisplayShape(common_shape::<IxDyn>(target, value).slice())
    )
}

/// Panics with NumPy's message if an array of dynamic rank has no axis.
#[track_caller]
pub(super) fn check_rank(rank: usize) {
    assert!(rank > 0, "iteration over a 0-d array");
}
