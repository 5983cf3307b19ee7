//! Copies elements of a chunk to their positions in the output.

use ndarray::{ArrayViewMut, Axis, IxDyn};

use crate::chunks::grouped::Move;

/// An axis of the output: its runs, and its stride in units.
type AxisRuns<'s> = (&'s [Move], usize);

/// Copies elements to an output that is contiguous in C order.
pub(super) fn copy<U: Copy>(
    from: &[U],
    mut offset: usize,
    to: &mut [U],
    shape: &[usize],
    runs: &[Vec<Move>],
) {
    let mut dims: Vec<AxisRuns<'_>> = Vec::with_capacity(runs.len());
    let mut stride = 1;
    for (runs, &len) in runs.iter().zip(shape).rev() {
        dims.push((runs, stride));
        stride *= len;
    }
    dims.reverse();
    // The last axes are merged into one block, as long as the block is contiguous in both the chunk and the output.
    let (mut block, mut begin) = (1, 0);
    while let Some(&(&[run], stride)) = dims.last()
        && stride == block
        && (run.len == 1 || run.step == block as isize)
    {
        offset += run.from;
        begin += run.to * stride;
        block *= run.len;
        dims.pop();
    }
    copy_dims(from, offset, to, begin, &dims, block);
}

fn copy_dims<U: Copy>(
    from: &[U],
    offset: usize,
    to: &mut [U],
    begin: usize,
    dims: &[AxisRuns<'_>],
    block: usize,
) {
    let Some((&(runs, stride), inner)) = dims.split_first() else {
        to[begin..begin + block].copy_from_slice(&from[offset..offset + block]);
        return;
    };
    for &Move {
        from: first,
        step,
        to: first_to,
        len,
    } in runs
    {
        let (first, begin) = (offset + first, begin + first_to * stride);
        if !inner.is_empty() {
            for k in 0..len {
                let offset = first.wrapping_add_signed(step * k as isize);
                copy_dims(from, offset, to, begin + k * stride, inner, block);
            }
        } else if stride == block && step == block as isize {
            let run_len = len * block;
            to[begin..begin + run_len].copy_from_slice(&from[first..first + run_len]);
        } else if block == 1 {
            let elements = to[begin..].iter_mut().step_by(stride).take(len);
            for (k, to) in elements.enumerate() {
                *to = from[first.wrapping_add_signed(step * k as isize)];
            }
        } else {
            for k in 0..len {
                let offset = first.wrapping_add_signed(step * k as isize);
                let begin = begin + k * stride;
                to[begin..begin + block].copy_from_slice(&from[offset..offset + block]);
            }
        }
    }
}

/// Copies elements one by one to a view that is not contiguous in C order.
pub(super) fn copy_strided<U: Copy>(
    from: &[U],
    offset: usize,
    mut to: ArrayViewMut<'_, U, IxDyn>,
    runs: &[Vec<Move>],
) {
    let Some((first, inner)) = runs.split_first() else {
        to.fill(from[offset]);
        return;
    };
    for run in first {
        for k in 0..run.len {
            let from_here = (offset + run.from).wrapping_add_signed(run.step * k as isize);
            let part = to.index_axis_mut(Axis(0), run.to + k);
            copy_strided(from, from_here, part, inner);
        }
    }
}
