//! A step: byte shuffles that copy all cells of a window at once, with the vectors of any instruction set.
//!
//! ```text
//! window  r g b · r g b · r g b · r g b · r g b · r g …    a lane of output needs up to four lanes of input,
//!         └──────── lane 0 ───────────┘                    which begin where its first byte comes from
//!                             └──────── lane 1 ──────…
//! out     r g b r g b r g b r g b r g b r │ g b r g b …    64 bytes make a step: four lanes of 16, or one of 64
//! ```
//!
//! A scatter exchanges the sides: lanes of the window are assembled from lanes of the dense buffer.
//!
//! Bytes outside all cells keep their values. AVX-512 skips them: its masked loads and stores never access bytes
//! outside the mask. Masked loads are slow on some processors: measured on Zen 5, a gather beyond the caches takes up
//! to three times as long as with whole loads. If all of the strided buffer may be read, vectors are therefore loaded
//! whole, unless the last load of a window would end after the buffer. Other instruction sets read the gaps between
//! cells and, in a scatter, write them back. They need buffers whose gaps may be accessed.

use super::super::super::job::Byte;
use super::super::direction::Direction;
use super::table::{CellRows, MAX_STEP_BYTES, MIN_LONG_ROW_CELLS, Table};
use super::vector::{NOWHERE, Shape, Vector};
use core::array;
use core::marker::PhantomData;

/// The maximum number of lanes in a step.
const MAX_LANES: usize = 4;

/// A table of moves, expressed as shuffles of lanes.
pub(in super::super) struct Lanes {
    pub(super) table: Table,
    /// The place where each output vector begins. The vectors are contiguous, except that the last vector of a scatter
    /// ends with the window.
    to: [usize; MAX_LANES],
    /// The place where the input lanes of each output lane begin.
    from: [usize; MAX_LANES],
    /// The number of input lanes for each output lane.
    pub(super) loads: usize,
    /// The place in the input lanes of each output byte, or [`NOWHERE`].
    places: [u8; MAX_STEP_BYTES],
}

impl Lanes {
    /// Returns the shuffles for vectors of this shape. `whole` is true if the gaps between cells may be accessed.
    /// Returns `None` if shuffles are not faster, or would access bytes outside a window or gaps that must not be
    /// accessed.
    pub(super) fn new<D: Direction>(
        cells: &CellRows<'_>,
        shape: Shape,
        whole: bool,
    ) -> Option<Self> {
        let Shape { lane, lanes, masks } = shape;
        let vector = lane * lanes;
        let most = if D::SCATTERS {
            MAX_STEP_BYTES
        } else {
            NOWHERE as usize
        };
        let mut count = cells.within(most);
        if count > 0 && masks && !D::SCATTERS {
            // A step should copy as many cells as possible, unless the last load adds only a few cells.
            let loads = cells.span_of(count).div_ceil(vector);
            let fewer = cells.within((loads - 1) * vector);
            if fewer * (loads + 1) > count * loads {
                count = fewer;
            }
        }
        // The price of a step is the number of its loads, shuffles and stores. Without masks, a scatter also reads the
        // window back. In rows of few steps, this read waits for the previous store.
        let waits = match cells.rows.row.len < MIN_LONG_ROW_CELLS {
            true => MAX_LANES,
            // Measured on Zen 5: with SSSE3, eight moves of four bytes take four fifths of the time of a scatter step.
            false => usize::from(lanes == 1 && cfg!(target_arch = "x86_64")),
        };
        let price = |loads: usize| match (masks, D::SCATTERS) {
            (true, _) => loads + 1,
            (false, false) => 3 * loads + 1,
            (false, true) => 3 * loads + 1 + MAX_LANES + waits,
        };
        if count == 0 || !cells.are_worth(count, price(1)) {
            return None;
        }
        let table = Table::new(cells, count);
        if !(whole || masks) && table.has_gaps() {
            return None;
        }
        let mut source = [NOWHERE; MAX_STEP_BYTES];
        let (outputs, inputs) = match D::SCATTERS {
            true => (table.span, table.out()),
            false => (MAX_STEP_BYTES, table.span),
        };
        for (i, &place) in table.places[..table.out()].iter().enumerate() {
            match D::SCATTERS {
                true => source[usize::from(place)] = i as u8,
                false => source[i] = place,
            }
        }
        let mut made = Self {
            loads: table.span.div_ceil(lane),
            table,
            to: [0; MAX_LANES],
            from: [0; MAX_LANES],
            places: source,
        };
        if masks {
            // There is one lane of output, which is combined from all lanes of input.
            made.loads = if D::SCATTERS { 1 } else { made.loads };
            return cells.are_worth(count, price(made.loads)).then_some(made);
        }
        let last = outputs.checked_sub(vector)?;
        made.to = array::from_fn(|i| (i * vector).min(last));
        let lane_to: [usize; MAX_LANES] = array::from_fn(|i| made.to[i / lanes] + i % lanes * lane);
        // The first place and the end of the places in each lane. For the minimum, `NOWHERE` is the highest value. For
        // the maximum, it wraps to the lowest.
        let ends = lane_to.map(|to| {
            let places = &source[to..][..lane];
            let first = places
                .iter()
                .fold(NOWHERE, |first, &place| first.min(place));
            let end = places
                .iter()
                .fold(0, |end, &place| end.max(place.wrapping_add(1)));
            (usize::from(first.min(end)), usize::from(end))
        });
        let loads = ends.map(|(start, end)| (end - start).div_ceil(lane));
        made.loads = loads.into_iter().fold(1, usize::max).next_power_of_two();
        if made.loads > MAX_LANES || !cells.are_worth(count, price(made.loads)) {
            return None;
        }
        let highest = inputs.checked_sub(made.loads * lane)?;
        made.from = ends.map(|(start, _)| start.min(highest));
        let lanes = made
            .places
            .chunks_exact_mut(lane)
            .zip(lane_to)
            .zip(made.from);
        for ((places, to), from) in lanes {
            for (to, &place) in places.iter_mut().zip(&source[to..]) {
                *to = if place == NOWHERE {
                    NOWHERE
                } else {
                    place - from as u8
                };
            }
        }
        Some(made)
    }
}

/// A step of [`Lanes`], in vectors of an instruction set.
///
/// INVARIANT: without masks, `LOADS` lanes from each place in `from` are within the input of a step. A vector at each
/// place in `to` is within the window in a scatter, and within `MAX_STEP_BYTES` bytes in a gather.
// No field is a reference, because the compiler would have to assume that stores change the data behind it.
#[derive(Clone, Copy)]
pub(super) struct Shuffle<D, V, const LOADS: usize> {
    to: [usize; MAX_LANES],
    from: [usize; MAX_LANES],
    /// The shuffle controls for each output vector.
    controls: [[V; LOADS]; MAX_LANES],
    /// Masks of the bytes that a scatter keeps.
    gaps: [V; MAX_LANES],
    has_gaps: bool,
    /// Masks of the bytes in the window that belong to cells.
    cells: [u64; LOADS],
    /// The mask of the bytes in the dense buffer that belong to cells.
    out: u64,
    /// The address of the last window whose vectors may all be read.
    last_whole: usize,
    direction: PhantomData<D>,
}

impl<D: Direction, V: Vector, const LOADS: usize> Shuffle<D, V, LOADS> {
    /// The number of output vectors per step.
    const VECTORS: usize = MAX_STEP_BYTES / size_of::<V>();

    /// Whether whole loads may reach beyond the buffer, so that some windows need masks.
    pub(super) const MAY_REACH_BEYOND: bool = !D::SCATTERS && V::SHAPE.masks;

    /// Returns a step. All bytes from the lowest cell to the address `end` may be read. If `end` is 0, only the cells
    /// may be read.
    ///
    /// # Safety
    ///
    /// * The processor has the instructions of the vector.
    #[inline(always)]
    pub(super) unsafe fn new(lanes: &Lanes, end: usize) -> Self {
        debug_assert!(LOADS == lanes.loads);
        let mut bytes = [0; MAX_STEP_BYTES];
        // SAFETY: the array has the bytes of a vector. The caller guarantees that the processor has the instructions.
        let zero = unsafe { V::load(bytes.as_ptr().cast()) };
        let (mut controls, mut gaps) = ([[zero; LOADS]; MAX_LANES], [zero; MAX_LANES]);
        for vector in 0..Self::VECTORS {
            let places = &lanes.places[vector * size_of::<V>()..][..size_of::<V>()];
            for (i, control) in controls[vector].iter_mut().enumerate() {
                for (byte, &place) in bytes.iter_mut().zip(places) {
                    *byte = V::control(place, i);
                }
                // SAFETY: the array has the bytes of a vector. The caller guarantees that the processor has the
                // instructions.
                *control = unsafe { V::load(bytes.as_ptr().cast()) };
            }
            for (byte, &place) in bytes.iter_mut().zip(places) {
                *byte = if place == NOWHERE { !0 } else { 0 };
            }
            // SAFETY: the array has the bytes of a vector. The caller guarantees that the processor has the
            // instructions.
            gaps[vector] = unsafe { V::load(bytes.as_ptr().cast()) };
        }
        let out = lanes.table.out();
        let (mut cells, mut last_whole) = ([0; LOADS], usize::MAX);
        if V::SHAPE.masks {
            for &place in &lanes.table.places[..out] {
                cells[usize::from(place) / 64] |= 1 << (place % 64);
            }
            if cells.iter().any(|&mask| mask != !0) {
                last_whole = end.saturating_sub(LOADS * size_of::<V>());
            }
        }
        Self {
            to: lanes.to,
            from: lanes.from,
            controls,
            gaps,
            has_gaps: D::SCATTERS && lanes.table.has_gaps(),
            cells,
            out: if out == 64 { !0 } else { (1 << out) - 1 },
            last_whole,
            direction: PhantomData,
        }
    }

    /// Returns `true` if all vectors of a window may be read.
    #[inline(always)]
    pub(super) fn is_whole(&self, window: *mut Byte) -> bool {
        !Self::MAY_REACH_BEYOND || window.addr() <= self.last_whole
    }

    /// Splits `steps` windows, `far` bytes apart, into windows that are not [whole](Self::is_whole), then whole
    /// windows, then windows that are not whole. Returns the number of windows in each group.
    #[inline(always)]
    pub(super) fn split(&self, window: *mut Byte, far: isize, steps: usize) -> [usize; 3] {
        let last = window.wrapping_offset(far.wrapping_mul(steps as isize));
        if self.is_whole(window.max(last)) {
            return [0, steps, 0];
        }
        let (first, far_enough) = (window.addr(), far.unsigned_abs().max(1));
        if far < 0 {
            let before = first.saturating_sub(self.last_whole).div_ceil(far_enough);
            let before = before.min(steps);
            [before, steps - before, 0]
        } else {
            let whole = self.last_whole.checked_sub(first);
            let whole = whole.map_or(0, |reach| reach / far_enough + 1).min(steps);
            [0, whole, steps - whole]
        }
    }

    /// Copies the cells of a window from or to `dense`. A gather writes `MAX_STEP_BYTES` bytes.
    ///
    /// # Safety
    ///
    /// * The processor has the instructions of the vector.
    /// * The cells of the window can be read or, in a scatter, written. Without masks, this also holds for the gaps
    ///   between the cells.
    /// * If `WHOLE` is true, the window is [whole](Self::is_whole).
    /// * The cells can be read at `dense` or, in a gather, `MAX_STEP_BYTES` bytes can be written there.
    #[inline(always)]
    pub(super) unsafe fn copy<const WHOLE: bool>(&self, window: *mut Byte, dense: *mut Byte) {
        debug_assert!(!WHOLE || self.is_whole(window));
        // The conditions in this function are constants, so the compiler removes branches that cannot be taken.
        let (from, to) = D::from_to(window, dense);
        // There are no closures, because they would be compiled without the instruction set of this function.
        let mut out = self.gaps;
        for (i, out) in out[..Self::VECTORS].iter_mut().enumerate() {
            let a = from.wrapping_add(self.from[i * V::SHAPE.lanes]);
            let b = from.wrapping_add(self.from[(i + 1) * V::SHAPE.lanes - 1]);
            let mut inputs = [*out; LOADS];
            for (j, input) in inputs.iter_mut().enumerate() {
                let (a, b) = (
                    a.wrapping_add(j * V::SHAPE.lane),
                    b.wrapping_add(j * V::SHAPE.lane),
                );
                *input = if const { V::SHAPE.masks && (D::SCATTERS || !WHOLE) } {
                    let mask = if D::SCATTERS { self.out } else { self.cells[j] };
                    // SAFETY: the bytes of the mask belong to cells.
                    unsafe { V::load_masked(a, mask) }
                } else {
                    // SAFETY: by the invariant, these lanes are input, or the window may be read as a whole.
                    unsafe { V::load_lanes([a, b]) }
                };
            }
            // SAFETY: the caller guarantees that the processor has the instructions.
            *out = unsafe { V::shuffle(inputs, &self.controls[i]) };
            if const { D::SCATTERS && !V::SHAPE.masks } && self.has_gaps {
                // All old values are read before any vector is written. If vectors overlap, both write the same bytes.
                // SAFETY: this is a part of the window, all of which may be read if it has gaps.
                let old = unsafe { V::load(to.wrapping_add(self.to[i])) };
                // SAFETY: the caller guarantees that the processor has the instructions.
                *out = unsafe { out.or_masked(old, self.gaps[i]) };
            }
        }
        for (i, out) in out[..Self::VECTORS].iter().enumerate() {
            if const { D::SCATTERS && V::SHAPE.masks } {
                // SAFETY: the bytes of the mask belong to cells.
                unsafe { out.store_masked(to, self.cells[0]) };
            } else {
                let place = if D::SCATTERS {
                    self.to[i]
                } else {
                    i * size_of::<V>()
                };
                // SAFETY: by the invariant, this vector is output, or it is within the `MAX_STEP_BYTES` bytes that can
                // be written.
                unsafe { out.store(to.wrapping_add(place)) };
            }
        }
    }
}
