//! The plan in bytes: runs of contiguous bytes at byte distances.
//!
//! Only bytes move here, as `MaybeUninit<u8>`, because an element may have padding, any alignment and any size. An
//! innermost axis of stride 1 is part of the run: `[:, 1:3]` of `f32` copies runs of 8 bytes.

#![expect(unsafe_code)]

use super::isa::InstructionSet;
use super::plan::{Dim, GatherPlan};
use core::mem::MaybeUninit;
use core::slice;

/// A byte of an element, which may be padding.
pub(super) type Byte = MaybeUninit<u8>;

/// A plan for elements of a known size; every copy has at least one byte.
///
/// INVARIANT: `run` bytes from every place that `offset` and the axes name lie within `strided` bytes, and there are
/// `dense` bytes of them; no stride times `size` overflows, nor that times the length of its axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job<'a> {
    /// Bytes per element, by which strides are to be multiplied.
    pub(super) size: usize,
    /// Bytes from the start of the strided buffer to the first run.
    pub(super) offset: usize,
    /// The length of every run in bytes. INVARIANT: not 0.
    pub(super) run: usize,
    /// The axes to repeat the run over, with strides in elements.
    pub(super) dims: &'a [Dim],
    /// Bytes of the strided buffer.
    pub(super) strided: usize,
    /// Bytes of the dense buffer.
    pub(super) dense: usize,
    /// INVARIANT: the running processor has it.
    pub(super) isa: InstructionSet,
}

impl<'a> Job<'a> {
    /// `None` when there is nothing to copy: no element is selected, or elements have no size.
    ///
    /// Buffers of the plan's lengths must exist: that bounds all that is computed here.
    #[inline]
    pub(super) fn new(plan: &'a GatherPlan, size: usize) -> Option<Self> {
        if plan.len == 0 || size == 0 {
            return None;
        }
        let (mut dims, mut run) = (plan.dims.as_slice(), size);
        if let [outer @ .., Dim { len, stride: 1 }] = dims {
            (dims, run) = (outer, len * size);
        }
        Some(Self {
            size,
            offset: plan.offset * size,
            run,
            dims,
            strided: plan.input_len * size,
            dense: plan.len * size,
            isa: plan.isa,
        })
    }

    /// An axis with its stride in bytes.
    #[inline]
    pub(super) fn scaled(&self, dim: Dim) -> Dim {
        dim.scaled(self.size)
    }
}

/// The bytes of elements, to be read.
pub(super) fn as_bytes<T: Copy>(elements: &[T]) -> &[Byte] {
    // SAFETY: the same memory, valid for reads of as many bytes; a `MaybeUninit<u8>` may be any byte, also padding.
    unsafe { slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) }
}

/// The bytes of elements that need not be valid, to be written.
pub(super) fn as_bytes_mut<T: Copy>(elements: &mut [MaybeUninit<T>]) -> &mut [Byte] {
    // SAFETY: the same memory, exclusively borrowed; whatever bytes are written, they are a valid `MaybeUninit<T>`.
    unsafe { slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), size_of_val(elements)) }
}

/// Elements as places to be written.
///
/// The engine writes whole copies of other elements through it, or nothing, so the elements stay valid.
pub(super) fn as_uninit<T: Copy>(elements: &mut [T]) -> &mut [MaybeUninit<T>] {
    // SAFETY: `MaybeUninit<T>` has the layout of `T`, and the module's callers write only copies of valid elements.
    unsafe { slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), elements.len()) }
}
