//! Byte shuffles in lanes of 16 bytes: SSSE3, AVX2 (two lanes at a time) and NEON.
//!
//! ```text
//! window  r g b · r g b · r g b · r g b · r g b · r g …    a lane of output needs up to four lanes of input,
//!         └──────── lane 0 ───────────┘                    which begin where its first byte comes from
//!                             └──────── lane 1 ──────…
//! out     r g b r g b r g b r g b r g b r │ g b r g b …    four lanes make a step
//! ```
//!
//! To scatter is the same with the sides exchanged: lanes of the window are made of lanes of the dense buffer. What
//! belongs to no cell keeps its value, because it is read and written again; so a scatter with gaps is for buffers that
//! may be touched as a whole.

use super::super::super::cursor::Cursor;
use super::super::super::isa::InstructionSet;
use super::super::super::job::Byte;
use super::super::Dense;
use super::super::moves::Direction;
use super::steps::{self, Step};
use super::table::{Cells, OUT, Table};
use super::vector::{LANE, NOWHERE, Vector};
#[cfg(target_arch = "aarch64")]
use core::arch::aarch64::uint8x16_t;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__m128i, __m256i};
use core::array;
use core::marker::PhantomData;

/// Lanes of a step.
const LANES: usize = OUT / LANE;

/// The longest window in which every place is less than [`NOWHERE`].
const MOST: usize = NOWHERE as usize;

/// A table, as shuffles of lanes.
pub(super) struct Lanes {
    pub(super) table: Table,
    /// Where each vector of output begins: one after the other, but those of a scatter end where the window does.
    to: [usize; LANES],
    /// Where the lanes of input begin that each lane of output is made of, and how many there are of these.
    from: [usize; LANES],
    pub(super) loads: usize,
    /// For each byte of output its place in those, or [`NOWHERE`].
    places: [u8; OUT],
}

impl Lanes {
    /// Of vectors of so many lanes; `None` if it gains nothing, or if it would touch what is outside a window. `whole` says
    /// that what lies between cells may be touched.
    pub(super) fn new<D: Direction>(
        cells: &Cells<'_>,
        count_of_lanes: usize,
        whole: bool,
    ) -> Option<Self> {
        let most = if D::SCATTERS { OUT } else { MOST };
        let count = cells.within(most);
        // The loads of three lanes and a store; to scatter, the old values of four lanes as well.
        let price = |loads: usize| 3 * loads + if D::SCATTERS { 1 + LANES } else { 1 };
        if count == 0 || !cells.are_worth(count, price(1)) {
            return None;
        }
        let table = Table::new(cells, count);
        if !whole && table.has_gaps() {
            return None;
        }
        let mut source = [NOWHERE; OUT];
        let (outputs, inputs) = match D::SCATTERS {
            true => (table.span, table.out()),
            false => (OUT, table.span),
        };
        let vector = count_of_lanes * LANE;
        let last = outputs.checked_sub(vector)?;
        let to: [usize; LANES] = array::from_fn(|i| (i * vector).min(last));
        let lane_to: [usize; LANES] =
            array::from_fn(|lane| to[lane / count_of_lanes] + lane % count_of_lanes * LANE);
        for (i, &place) in table.places[..table.out()].iter().enumerate() {
            match D::SCATTERS {
                true => source[usize::from(place)] = i as u8,
                false => source[i] = place,
            }
        }
        let ends = lane_to.map(|to| {
            let known = source[to..][..LANE]
                .iter()
                .filter(|&&place| place != NOWHERE);
            let end = known.clone().max().map_or(0, |&end| usize::from(end) + 1);
            (known.min().map_or(0, |&start| usize::from(start)), end)
        });
        let loads = ends.map(|(start, end)| (end - start).div_ceil(LANE));
        let loads = loads.into_iter().max()?.next_power_of_two();
        if loads > 4 || !cells.are_worth(count, price(loads)) {
            return None;
        }
        let highest = inputs.checked_sub(loads * LANE)?;
        let from = ends.map(|(start, _)| start.min(highest));
        let places = array::from_fn(|i| match source[lane_to[i / LANE] + i % LANE] {
            NOWHERE => NOWHERE,
            place => place - from[i / LANE] as u8,
        });
        Some(Self {
            table,
            to,
            from,
            loads,
            places,
        })
    }
}

/// The step of [`Lanes`] in vectors of an instruction set.
///
/// INVARIANT: `LOADS` lanes from each of `from` lie within the input of a step, and a vector from each of `to` within its
/// output, of which a gather may overhang.
// Nothing in it is a reference: the compiler would not know that nothing else writes there meanwhile.
#[derive(Clone, Copy)]
struct Shuffle<D, V, const LOADS: usize> {
    to: [usize; LANES],
    from: [usize; LANES],
    /// For each vector of output. The first `LANES / V::COUNT` count.
    controls: [[V; LOADS]; LANES],
    /// What a scatter keeps.
    gaps: [V; LANES],
    has_gaps: bool,
    direction: PhantomData<D>,
}

impl<D: Direction, V: Vector, const LOADS: usize> Shuffle<D, V, LOADS> {
    /// # Safety
    ///
    /// The processor has the instructions of `V`.
    #[inline(always)]
    unsafe fn new(lanes: &Lanes) -> Self {
        assert!(LOADS == lanes.loads);
        let load = |byte: &dyn Fn(u8) -> u8, vector: usize| {
            let mut bytes = [0_u8; 2 * LANE];
            let places = lanes.places.iter().skip(vector * V::COUNT * LANE);
            for (to, &place) in bytes.iter_mut().zip(places) {
                *to = byte(place);
            }
            // SAFETY: the array has two lanes, and the caller's processor has the instructions.
            unsafe { V::load(bytes.as_mut_ptr().cast()) }
        };
        Self {
            to: lanes.to,
            from: lanes.from,
            controls: array::from_fn(|vector| {
                array::from_fn(|i| load(&|place| V::control(place, i), vector))
            }),
            gaps: array::from_fn(|vector| {
                load(&|place| if place == NOWHERE { !0 } else { 0 }, vector)
            }),
            has_gaps: D::SCATTERS && lanes.table.has_gaps(),
            direction: PhantomData,
        }
    }
}

impl<D: Direction, V: Vector, const LOADS: usize> Step for Shuffle<D, V, LOADS> {
    type Direction = D;
    const OVERHANGS: bool = !D::SCATTERS;

    #[inline(always)]
    unsafe fn copy(&self, window: *mut Byte, dense: *mut Byte) {
        // No closures: what is not in the function that has the instructions is not compiled for them.
        let (from, to) = match D::SCATTERS {
            true => (dense, window),
            false => (window, dense),
        };
        let mut out = self.gaps;
        for (i, out) in out[..LANES / V::COUNT].iter_mut().enumerate() {
            let a = from.wrapping_add(self.from[i * V::COUNT]);
            let b = from.wrapping_add(self.from[(i + 1) * V::COUNT - 1]);
            // SAFETY: by the invariant these lanes are input, which the caller lets be read.
            let mut inputs = [unsafe { V::load_lanes([a, b]) }; LOADS];
            for (j, input) in inputs.iter_mut().enumerate().skip(1) {
                let at = [a.wrapping_add(j * LANE), b.wrapping_add(j * LANE)];
                // SAFETY: as for the first.
                *input = unsafe { V::load_lanes(at) };
            }
            // SAFETY: the caller's processor has the instructions.
            *out = unsafe { V::shuffle(inputs, &self.controls[i]) };
            if self.has_gaps {
                // All of the old values before any new one: where vectors overlap, each writes what the other does.
                // SAFETY: a part of the window, all of which may be read if there are gaps in it.
                let old = unsafe { V::load(to.wrapping_add(self.to[i])) };
                // SAFETY: the caller's processor has the instructions.
                *out = unsafe { out.or_masked(old, self.gaps[i]) };
            }
        }
        for (i, out) in out[..LANES / V::COUNT].iter().enumerate() {
            let at = if D::SCATTERS {
                self.to[i]
            } else {
                i * V::COUNT * LANE
            };
            // SAFETY: by the invariant these lanes are output, which the caller lets be written.
            unsafe { out.store(to.wrapping_add(at)) };
        }
    }
}

/// Copies the cells that come next; `streams` if a gather is to go past the caches.
///
/// # Safety
///
/// * The processor has the instruction set.
/// * The requirements of [`steps::copy`] on `cursor`, `strided` and `dense` hold.
/// * If the lanes were made for a buffer that may be touched as a whole, all bytes of the windows can be read or, to
///   scatter, read and written.
pub(super) unsafe fn copy<D: Direction>(
    (lanes, isa): (&Lanes, InstructionSet),
    streams: bool,
    cursor: &mut Cursor<'_>,
    strided: *mut Byte,
    dense: Dense,
) {
    let copy = match (lanes.loads, isa) {
        #[cfg(target_arch = "x86_64")]
        (1, InstructionSet::Ssse3) => ssse3::<D, 1>,
        #[cfg(target_arch = "x86_64")]
        (2, InstructionSet::Ssse3) => ssse3::<D, 2>,
        #[cfg(target_arch = "x86_64")]
        (_, InstructionSet::Ssse3) => ssse3::<D, 4>,
        #[cfg(target_arch = "x86_64")]
        (1, _) => avx2::<D, 1>,
        #[cfg(target_arch = "x86_64")]
        (2, _) => avx2::<D, 2>,
        #[cfg(target_arch = "x86_64")]
        _ => avx2::<D, 4>,
        #[cfg(target_arch = "aarch64")]
        (1, _) => neon::<D, 1>,
        #[cfg(target_arch = "aarch64")]
        (2, _) => neon::<D, 2>,
        #[cfg(target_arch = "aarch64")]
        _ => neon::<D, 4>,
    };
    // SAFETY: the function is the one for this instruction set and number of loads; the caller vouches for the rest.
    unsafe { copy(lanes, streams, cursor, strided, dense) }
}

#[cfg(target_arch = "x86_64")]
macro_rules! copy_with {
    ($name:ident, $vector:ty, $line:ty, $features:literal) => {
        /// # Safety
        ///
        /// * As [`copy`].
        /// * `LOADS` is the number of loads of the lanes.
        #[target_feature(enable = $features)]
        unsafe fn $name<D: Direction, const LOADS: usize>(
            lanes: &Lanes,
            streams: bool,
            cursor: &mut Cursor<'_>,
            strided: *mut Byte,
            dense: Dense,
        ) {
            // SAFETY: this function has the features of the vector.
            let step = unsafe { Shuffle::<D, $vector, LOADS>::new(lanes) };
            if streams && !D::SCATTERS {
                // SAFETY: this function has the features; the lanes of the step lie in the window, and the caller vouches
                // for the buffers.
                unsafe { steps::stream::<$line, _>(&lanes.table, &step, cursor, strided, dense) }
            } else {
                // SAFETY: this function has the features; the lanes of the step lie in the window, and the caller vouches
                // for the buffers.
                unsafe { steps::copy(&lanes.table, &step, cursor, strided, dense) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
copy_with! { ssse3, __m128i, super::line::Sse2, "ssse3" }

#[cfg(target_arch = "x86_64")]
copy_with! { avx2, __m256i, super::line::Avx2, "avx2,bmi2" }

/// # Safety
///
/// * As [`copy`].
/// * `LOADS` is the number of loads of the lanes.
#[cfg(target_arch = "aarch64")]
unsafe fn neon<D: Direction, const LOADS: usize>(
    lanes: &Lanes,
    _: bool,
    cursor: &mut Cursor<'_>,
    strided: *mut Byte,
    dense: Dense,
) {
    // SAFETY: NEON is part of every processor of this target.
    let step = unsafe { Shuffle::<D, uint8x16_t, LOADS>::new(lanes) };
    // SAFETY: the lanes of the step lie in the window, and the caller vouches for the rest.
    unsafe { steps::copy(&lanes.table, &step, cursor, strided, dense) }
}
