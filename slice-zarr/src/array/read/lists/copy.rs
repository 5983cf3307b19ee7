//! Copies elements of a chunk to their positions in the output.

use ndarray::{ArrayViewMut, Axis, IxDyn};

use super::Step;

/// An axis of the output: its steps, and its stride in units.
type Dim<'s> = (&'s [Step], usize);

/// Copies elements to an output that is contiguous in C order.
pub(super) fn copy<U: Copy>(
    from: &[U],
    mut offset: usize,
    to: &mut [U],
    shape: &[usize],
    steps: &[Vec<Step>],
) {
    let mut dims: Vec<Dim<'_>> = Vec::with_capacity(steps.len());
    let mut stride = 1;
    for (steps, &len) in steps.iter().zip(shape).rev() {
        dims.push((steps, stride));
        stride *= len;
    }
    dims.reverse();
    // The last axes are merged into one block, as long as the block is contiguous in both the chunk and the output.
    let (mut block, mut place) = (1, 0);
    while let Some(&(&[step], stride)) = dims.last()
        && stride == block
        && (step.len == 1 || step.step == block as isize)
    {
        offset += step.from;
        place += step.to * stride;
        block *= step.len;
        dims.pop();
    }
    copy_dims(from, offset, to, place, &dims, block);
}

fn copy_dims<U: Copy>(
    from: &[U],
    offset: usize,
    to: &mut [U],
    place: usize,
    dims: &[Dim<'_>],
    block: usize,
) {
    let Some((&(steps, stride), inner)) = dims.split_first() else {
        to[place..place + block].copy_from_slice(&from[offset..offset + block]);
        return;
    };
    for &Step {
        from: first,
        step,
        to: begin,
        len,
    } in steps
    {
        let (first, begin) = (offset + first, place + begin * stride);
        if !inner.is_empty() {
            for k in 0..len {
                let offset = first.wrapping_add_signed(step * k as isize);
                copy_dims(from, offset, to, begin + k * stride, inner, block);
            }
        } else if stride == block && step == block as isize {
            let all = len * block;
            to[begin..begin + all].copy_from_slice(&from[first..first + all]);
        } else if block == 1 {
            let places = to[begin..].iter_mut().step_by(stride).take(len);
            for (k, to) in places.enumerate() {
                *to = from[first.wrapping_add_signed(step * k as isize)];
            }
        } else {
            for k in 0..len {
                let offset = first.wrapping_add_signed(step * k as isize);
                let place = begin + k * stride;
                to[place..place + block].copy_from_slice(&from[offset..offset + block]);
            }
        }
    }
}

/// Copies elements one by one to a view that is not contiguous in C order.
pub(super) fn copy_strided<U: Copy>(
    from: &[U],
    offset: usize,
    mut to: ArrayViewMut<'_, U, IxDyn>,
    steps: &[Vec<Step>],
) {
    let Some((first, inner)) = steps.split_first() else {
        to.fill(from[offset]);
        return;
    };
    for step in first {
        for k in 0..step.len {
            let from_here = (offset + step.from).wrapping_add_signed(step.step * k as isize);
            let place = to.index_axis_mut(Axis(0), step.to + k);
            copy_strided(from, from_here, place, inner);
        }
    }
}
