//! Copies all cells of a window at once, by shuffling bytes in vector registers. See [`table`](super::table) for the
//! terms.
//!
//! ```text
//! window  r g b · r g b · r g b · r g b · r g b · r g …    each output lane is assembled from up to four
//!         └──────── lane 0 ───────────┘                    consecutive input lanes, the first of which starts
//!                             └──────── lane 1 ──────…     at the first byte that the output lane needs
//! out     r g b r g b r g b r g b r g b r │ g b r g b …    a step writes 64 bytes: four lanes of 16, or one of 64
//! ```
//!
//! A scatter works in the opposite direction: lanes of the window are assembled from lanes of the dense buffer.
//!
//! A scatter does not change bytes that belong to no cell. With AVX-512, masked loads and stores do not even access
//! them. Masked loads are slow on some processors: on Zen 5, a gather whose output does not fit in the caches takes up
//! to three times as long with masked loads as with ordinary loads. If the whole strided buffer may be read, ordinary
//! loads are therefore used, unless the last load of a window would reach beyond the end of the buffer. With other
//! instruction sets, a copy reads the gaps between cells and, in a scatter, writes them back, so it needs a buffer
//! whose gaps may be accessed.

use super::super::super::job::Byte;
use super::super::direction::Direction;
use super::table::{CellRows, MAX_STEP_BYTES, MIN_LONG_ROW_CELLS, Table};
use super::vector::{NOWHERE, Shape, Vector};
use core::array;
use core::marker::PhantomData;

/// The maximum number of lanes in a step.
const MAX_LANES: usize = 4;

/// A [`Table`] of byte moves, expressed as shuffles of lanes.
pub(in super::super) struct Lanes {
    pub(super) table: Table,
    /// The offset at which each output vector begins, in the output of a step. In a scatter, a vector that would reach
    /// beyond the window ends where the window ends instead, and may therefore overlap the vector before it. Apart from
    /// this, the vectors are contiguous.
    to: [usize; MAX_LANES],
    /// For each output lane, the offset of its first input lane in the input of a step.
    from: [usize; MAX_LANES],
    /// The number of input lanes for each output lane.
    pub(super) loads: usize,
    /// For each output byte, the offset of its source byte in the input lanes of its output lane, or [`NOWHERE`].
    source_offsets: [u8; MAX_STEP_BYTES],
}

impl Lanes {
    /// Creates the shuffles for vectors of `shape`. `gaps_accessible` is true if the gaps between cells may be
    /// accessed. Returns `None` if the bytes of a cell or of an output lane are too far apart, if shuffles are not
    /// faster than moves, or if shuffles would access bytes outside a window or gaps that must not be accessed.
    pub(super) fn new<D: Direction>(
        cells: &CellRows<'_>,
        shape: Shape,
        gaps_accessible: bool,
    ) -> Option<Self> {
        let Shape {
            lane,
            lanes: lanes_per_vector,
            masks,
        } = shape;
        let vector = lane * lanes_per_vector;
        let max_span = if D::SCATTERS {
            MAX_STEP_BYTES
        } else {
            NOWHERE as usize
        };
        let mut count = cells.max_cells_within(max_span);
        if count > 0 && masks && !D::SCATTERS {
            // A step should copy as many cells as possible, unless the last load adds only a few cells.
            let loads = cells.span_of(count).div_ceil(vector);
            let fewer = cells.max_cells_within((loads - 1) * vector);
            if fewer * (loads + 1) > count * loads {
                count = fewer;
            }
        }
        // The cost of a step is estimated from its loads, shuffles and stores. Without masks, a scatter also reads the
        // old bytes of the window. In rows that take only a few steps, this read often has to wait for the stores of
        // the previous step (see `MIN_LONG_ROW_CELLS`).
        let waits = match cells.rows.row.len < MIN_LONG_ROW_CELLS {
            true => MAX_LANES,
            // Adds 1 for SSSE3, so that a step costs more than eight moves: on Zen 5, eight moves of four bytes take
            // 0.8 times as long as a scatter step.
            false => usize::from(lanes_per_vector == 1 && cfg!(target_arch = "x86_64")),
        };
        let cost = |loads: usize| match (masks, D::SCATTERS) {
            (true, _) => loads + 1,
            (false, false) => 3 * loads + 1,
            (false, true) => 3 * loads + 1 + MAX_LANES + waits,
        };
        if count == 0 || !cells.step_pays_off(count, cost(1)) {
            return None;
        }
        let table = Table::new(cells, count);
        if !(gaps_accessible || masks) && table.has_gaps() {
            return None;
        }
        let mut sources = [NOWHERE; MAX_STEP_BYTES];
        let (outputs, inputs) = match D::SCATTERS {
            true => (table.span, table.bytes_per_step()),
            false => (MAX_STEP_BYTES, table.span),
        };
        for (i, &offset) in table.window_offsets[..table.bytes_per_step()]
            .iter()
            .enumerate()
        {
            match D::SCATTERS {
                true => sources[usize::from(offset)] = i as u8,
                false => sources[i] = offset,
            }
        }
        let mut lanes = Self {
            loads: table.span.div_ceil(lane),
            table,
            to: [0; MAX_LANES],
            from: [0; MAX_LANES],
            source_offsets: sources,
        };
        if masks {
            // A step has a single output lane, which is combined from all input lanes.
            lanes.loads = if D::SCATTERS { 1 } else { lanes.loads };
            return cells
                .step_pays_off(count, cost(lanes.loads))
                .then_some(lanes);
        }
        let last = outputs.checked_sub(vector)?;
        lanes.to = array::from_fn(|i| (i * vector).min(last));
        let lane_to: [usize; MAX_LANES] =
            array::from_fn(|i| lanes.to[i / lanes_per_vector] + i % lanes_per_vector * lane);
        // The lowest source offset of each output lane, and the end of its source offsets. `NOWHERE` changes neither:
        // it is the highest `u8`, and adding 1 wraps it to 0.
        let ends = lane_to.map(|to| {
            let offsets = &sources[to..][..lane];
            let first = offsets
                .iter()
                .fold(NOWHERE, |first, &offset| first.min(offset));
            let end = offsets
                .iter()
                .fold(0, |end, &offset| end.max(offset.wrapping_add(1)));
            (usize::from(first.min(end)), usize::from(end))
        });
        let loads = ends.map(|(start, end)| (end - start).div_ceil(lane));
        lanes.loads = loads.into_iter().fold(1, usize::max).next_power_of_two();
        if lanes.loads > MAX_LANES || !cells.step_pays_off(count, cost(lanes.loads)) {
            return None;
        }
        let highest = inputs.checked_sub(lanes.loads * lane)?;
        lanes.from = ends.map(|(start, _)| start.min(highest));
        let output_lanes = lanes
            .source_offsets
            .chunks_exact_mut(lane)
            .zip(lane_to)
            .zip(lanes.from);
        for ((offsets, to), from) in output_lanes {
            for (to, &offset) in offsets.iter_mut().zip(&sources[to..]) {
                *to = if offset == NOWHERE {
                    NOWHERE
                } else {
                    offset - from as u8
                };
            }
        }
        Some(lanes)
    }
}

/// The step described by a [`Lanes`], prepared for the vectors of one instruction set.
///
/// INVARIANT: without masks, the `LOADS` lanes starting at each offset in `from` are within the input of a step. The
/// vector at each offset in `to` is within the output of a step, which is the window in a scatter, and `MAX_STEP_BYTES`
/// bytes in a gather.
// No field is a reference; otherwise, the compiler would have to assume that stores may change the referenced data.
#[derive(Clone, Copy)]
pub(super) struct Shuffle<D, V, const LOADS: usize> {
    to: [usize; MAX_LANES],
    from: [usize; MAX_LANES],
    /// The shuffle controls for each output vector.
    controls: [[V; LOADS]; MAX_LANES],
    /// For each output vector, a mask of the bytes that a scatter must not change.
    gap_masks: [V; MAX_LANES],
    has_gaps: bool,
    /// For each vector of a window, a mask of the bytes that belong to cells.
    cell_masks: [u64; LOADS],
    /// For a vector of the dense buffer, a mask of the bytes that belong to the cells of the step.
    dense_mask: u64,
    /// The highest address at which a window is [whole](Self::is_whole).
    last_whole: usize,
    direction: PhantomData<D>,
}

impl<D: Direction, V: Vector, const LOADS: usize> Shuffle<D, V, LOADS> {
    /// The number of output vectors per step.
    const VECTORS_PER_STEP: usize = MAX_STEP_BYTES / size_of::<V>();

    /// Whether ordinary loads may reach beyond the buffer, so that some windows need masked loads.
    pub(super) const MAY_REACH_BEYOND: bool = !D::SCATTERS && V::SHAPE.masks;

    /// Creates the step described by `lanes`. With masks, all bytes from the lowest cell up to, but not including, the
    /// address `end` may be read. If `end` is 0, only the cells may be read.
    ///
    /// # Safety
    ///
    /// * The processor must support the instructions of `V`.
    #[inline(always)]
    pub(super) unsafe fn new(lanes: &Lanes, end: usize) -> Self {
        debug_assert!(LOADS == lanes.loads);
        let mut bytes = [0; MAX_STEP_BYTES];
        // SAFETY: the array is at least as long as a vector. The caller guarantees that the processor supports the
        // instructions of `V`.
        let zero = unsafe { V::load(bytes.as_ptr().cast()) };
        let (mut controls, mut gap_masks) = ([[zero; LOADS]; MAX_LANES], [zero; MAX_LANES]);
        for vector in 0..Self::VECTORS_PER_STEP {
            let offsets = &lanes.source_offsets[vector * size_of::<V>()..][..size_of::<V>()];
            for (i, control) in controls[vector].iter_mut().enumerate() {
                for (byte, &offset) in bytes.iter_mut().zip(offsets) {
                    *byte = V::control(offset, i);
                }
                // SAFETY: the array is at least as long as a vector. The caller guarantees that the processor supports
                // the instructions of `V`.
                *control = unsafe { V::load(bytes.as_ptr().cast()) };
            }
            for (byte, &offset) in bytes.iter_mut().zip(offsets) {
                *byte = if offset == NOWHERE { !0 } else { 0 };
            }
            // SAFETY: the array is at least as long as a vector. The caller guarantees that the processor supports the
            // instructions of `V`.
            gap_masks[vector] = unsafe { V::load(bytes.as_ptr().cast()) };
        }
        let out = lanes.table.bytes_per_step();
        let (mut cell_masks, mut last_whole) = ([0; LOADS], usize::MAX);
        if V::SHAPE.masks {
            for &offset in &lanes.table.window_offsets[..out] {
                cell_masks[usize::from(offset) / 64] |= 1 << (offset % 64);
            }
            if cell_masks.iter().any(|&mask| mask != !0) {
                last_whole = end.saturating_sub(LOADS * size_of::<V>());
            }
        }
        Self {
            to: lanes.to,
            from: lanes.from,
            controls,
            gap_masks,
            // The cells of a scatter do not overlap, so comparing the byte counts is sufficient.
            has_gaps: D::SCATTERS && out != lanes.table.span,
            cell_masks,
            dense_mask: if out == 64 { !0 } else { (1 << out) - 1 },
            last_whole,
            direction: PhantomData,
        }
    }

    /// Returns `true` if the window at the address `window` is whole: all bytes of its vectors may be read.
    #[inline(always)]
    pub(super) fn is_whole(&self, window: *mut Byte) -> bool {
        !Self::MAY_REACH_BEYOND || window.addr() <= self.last_whole
    }

    /// Splits `steps` windows into three consecutive groups: windows that are not [whole](Self::is_whole), whole
    /// windows, and again windows that are not whole. The first window is at `window`, and each of the others is
    /// `step_bytes` bytes after the previous one. Returns the number of windows in each group.
    #[inline(always)]
    pub(super) fn split(&self, window: *mut Byte, step_bytes: isize, steps: usize) -> [usize; 3] {
        let last = window.wrapping_offset(step_bytes.wrapping_mul(steps as isize));
        if self.is_whole(window.max(last)) {
            return [0, steps, 0];
        }
        let (first, step_len) = (window.addr(), step_bytes.unsigned_abs().max(1));
        if step_bytes < 0 {
            let before = first.saturating_sub(self.last_whole).div_ceil(step_len);
            let before = before.min(steps);
            [before, steps - before, 0]
        } else {
            let whole = self.last_whole.checked_sub(first);
            let whole = whole.map_or(0, |reach| reach / step_len + 1).min(steps);
            [0, whole, steps - whole]
        }
    }

    /// Copies the cells of a window to `dense` or, in a scatter, fills them from `dense`. A gather writes
    /// `MAX_STEP_BYTES` bytes.
    ///
    /// # Safety
    ///
    /// * The processor must support the instructions of `V`.
    /// * The cells of the window must be readable or, in a scatter, writable. Without masks, the gaps between the cells
    ///   must be readable and, in a scatter, writable.
    /// * If `WHOLE` is true, the window must be [whole](Self::is_whole).
    /// * In a gather, `MAX_STEP_BYTES` bytes must be writable at `dense`. In a scatter, the bytes of the cells must be
    ///   readable there.
    #[inline(always)]
    pub(super) unsafe fn copy<const WHOLE: bool>(&self, window: *mut Byte, dense: *mut Byte) {
        debug_assert!(!WHOLE || self.is_whole(window));
        // Most conditions in this function are constants, so the compiler removes the branches that are never taken.
        let (from, to) = D::from_to(window, dense);
        // This function contains no closures, because they would be compiled without the target features of its caller.
        let mut out = self.gap_masks;
        for (i, out) in out[..Self::VECTORS_PER_STEP].iter_mut().enumerate() {
            let a = from.wrapping_add(self.from[i * V::SHAPE.lanes]);
            let b = from.wrapping_add(self.from[(i + 1) * V::SHAPE.lanes - 1]);
            let mut inputs = [*out; LOADS];
            for (j, input) in inputs.iter_mut().enumerate() {
                let (a, b) = (
                    a.wrapping_add(j * V::SHAPE.lane),
                    b.wrapping_add(j * V::SHAPE.lane),
                );
                *input = if const { V::SHAPE.masks && (D::SCATTERS || !WHOLE) } {
                    let mask = if D::SCATTERS {
                        self.dense_mask
                    } else {
                        self.cell_masks[j]
                    };
                    // SAFETY: the bytes selected by the mask belong to cells, which the caller guarantees can be read.
                    unsafe { V::load_masked(a, mask) }
                } else {
                    // SAFETY: by the invariant, these lanes are within the input of the step. With masks, `WHOLE` is
                    // true here, so the caller guarantees that the window is whole.
                    unsafe { V::load_lanes([a, b]) }
                };
            }
            // SAFETY: the caller guarantees that the processor supports the instructions of `V`.
            *out = unsafe { V::shuffle(inputs, &self.controls[i]) };
            // All old bytes are read before any vector is written. If two vectors overlap, they write the same bytes.
            if const { D::SCATTERS && !V::SHAPE.masks } && self.has_gaps {
                // SAFETY: by the invariant, this vector is within the window, whose gaps can be read.
                let old = unsafe { V::load(to.wrapping_add(self.to[i])) };
                // SAFETY: the caller guarantees that the processor supports the instructions of `V`.
                *out = unsafe { out.or_masked(old, self.gap_masks[i]) };
            }
        }
        for (i, out) in out[..Self::VECTORS_PER_STEP].iter().enumerate() {
            if const { D::SCATTERS && V::SHAPE.masks } {
                // SAFETY: the bytes selected by the mask belong to cells, which the caller guarantees can be written.
                unsafe { out.store_masked(to, self.cell_masks[0]) };
            } else {
                let offset = if D::SCATTERS {
                    self.to[i]
                } else {
                    i * size_of::<V>()
                };
                // SAFETY: by the invariant, this vector is within the window in a scatter, and within `MAX_STEP_BYTES`
                // bytes in a gather. The caller guarantees that these bytes can be written.
                unsafe { out.store(to.wrapping_add(offset)) };
            }
        }
    }
}
