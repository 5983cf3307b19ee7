//! Row after row of bytes.

use super::bytes::{Byte, Job};
use super::plan::Dim;
use super::walk::Rows;

/// Copies the runs of `job` in `src` to `dst`, one after the other.
pub(super) fn gather(job: &Job, src: &[Byte], dst: &mut [Byte]) {
    let mut runs = dst.chunks_exact_mut(job.run);
    each_run(job, |at| {
        if let Some(run) = runs.next() {
            run.copy_from_slice(&src[at..at + run.len()]);
        }
    });
}

/// Copies the runs in `src`, one after the other, to those of `job` in `dst`.
pub(super) fn scatter(job: &Job, src: &[Byte], dst: &mut [Byte]) {
    let mut runs = src.chunks_exact(job.run);
    each_run(job, |at| {
        if let Some(run) = runs.next() {
            dst[at..at + run.len()].copy_from_slice(run);
        }
    });
}

#[inline]
fn each_run(job: &Job, mut run: impl FnMut(usize)) {
    let (outer, inner) = match job.dims.split_last() {
        Some((&inner, outer)) => (outer, inner),
        None => (&[][..], Dim { len: 1, stride: 0 }),
    };
    for mut at in Rows::new(job.offset, outer) {
        for _ in 0..inner.len {
            run(at);
            at = at.wrapping_add_signed(inner.stride);
        }
    }
}
