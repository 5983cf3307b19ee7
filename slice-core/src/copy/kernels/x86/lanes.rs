//! Shuffles of 128-bit lanes: four lanes make a step, one at a time with SSSE3 and two at a time with AVX2.
//!
//! `pshufb` moves any byte of one lane and zeroes others, so a lane of output whose bytes come from up to four lanes of
//! input is as many shuffles, or-ed together. Every lane of output has a part of the window to itself.

use super::super::super::bytes::Byte;
use super::super::super::cursor::Cursor;
use super::super::exact;
use super::line::{Avx2, Line, Sse2};
use super::steps::{self, Step};
use super::table::{OUT, Table};
use core::arch::x86_64::*;
use core::array;

const LANE: usize = 16;
const LANES: usize = OUT / LANE;

/// Where the lanes of a step come from.
pub(in super::super) struct Parts {
    /// Where the part of the window that a lane needs begins.
    starts: [usize; LANES],
    /// Lanes of input per lane of output.
    pub(super) loads: usize,
}

impl Parts {
    /// `None` if a lane's bytes are too far apart, or a lane's loads would leave the window.
    pub(super) fn new(table: &Table) -> Option<Self> {
        let places = &table.places[..table.out()];
        let ends = |lane: &[u8]| {
            Some((
                usize::from(*lane.iter().min()?),
                usize::from(*lane.iter().max()?) + 1,
            ))
        };
        let loads = places
            .chunks(LANE)
            .filter_map(ends)
            .map(|(from, to)| (to - from).div_ceil(LANE))
            .max()?;
        let highest = table.span.checked_sub(loads * LANE)?;
        let mut starts = [0; LANES];
        for (start, lane) in starts.iter_mut().zip(places.chunks(LANE)) {
            *start = ends(lane)?.0.min(highest);
        }
        (loads <= 4).then_some(Self { starts, loads })
    }
}

/// A vector of one or two lanes.
///
/// # Safety
///
/// All methods: the processor has the instructions. `load` reads a lane at each of the first `COUNT` places of `at`,
/// `store` writes `COUNT` lanes.
trait Vector: Copy {
    /// Lanes per vector.
    const COUNT: usize;
    unsafe fn load(at: [*const Byte; 2]) -> Self;
    unsafe fn shuffle(self, places: Self) -> Self;
    unsafe fn or(self, other: Self) -> Self;
    unsafe fn store(self, to: *mut Byte);
}

impl Vector for __m128i {
    const COUNT: usize = 1;

    #[inline(always)]
    unsafe fn load(at: [*const Byte; 2]) -> Self {
        // SAFETY: by the contract of the trait.
        unsafe { _mm_loadu_si128(at[0].cast()) }
    }

    #[inline(always)]
    unsafe fn shuffle(self, places: Self) -> Self {
        // SAFETY: by the contract of the trait.
        unsafe { _mm_shuffle_epi8(self, places) }
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        // SAFETY: by the contract of the trait.
        unsafe { _mm_or_si128(self, other) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut Byte) {
        // SAFETY: by the contract of the trait.
        unsafe { _mm_storeu_si128(to.cast(), self) }
    }
}

impl Vector for __m256i {
    const COUNT: usize = 2;

    #[inline(always)]
    unsafe fn load(at: [*const Byte; 2]) -> Self {
        // SAFETY: by the contract of the trait.
        unsafe { _mm256_loadu2_m128i(at[1].cast(), at[0].cast()) }
    }

    #[inline(always)]
    unsafe fn shuffle(self, places: Self) -> Self {
        // SAFETY: by the contract of the trait.
        unsafe { _mm256_shuffle_epi8(self, places) }
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        // SAFETY: by the contract of the trait.
        unsafe { _mm256_or_si256(self, other) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut Byte) {
        // SAFETY: by the contract of the trait.
        unsafe { _mm256_storeu_si256(to.cast(), self) }
    }
}

struct Window<V, const LOADS: usize> {
    starts: [usize; LANES],
    /// For each byte of the output its place in each of its lane's loads, or 0x80. The first `LANES / V::COUNT` count.
    places: [[V; LOADS]; LANES],
}

impl<V: Vector, const LOADS: usize> Window<V, LOADS> {
    /// # Safety
    ///
    /// The processor has the instructions of `V`.
    #[inline(always)]
    unsafe fn new(table: &Table, parts: &Parts) -> Self {
        let places = array::from_fn(|vector| {
            array::from_fn(|load| {
                let mut control = [0x80; 2 * LANE];
                let lanes = (vector * V::COUNT..LANES).zip(control.as_chunks_mut::<LANE>().0);
                for (lane, control) in lanes.take(V::COUNT) {
                    let from = (parts.starts[lane] + load * LANE) as u8;
                    for (control, place) in control.iter_mut().zip(&table.places[lane * LANE..]) {
                        let at = place.wrapping_sub(from);
                        *control = if at < LANE as u8 { at } else { 0x80 };
                    }
                }
                // SAFETY: the array has two lanes.
                unsafe { V::load([control.as_ptr().cast(), control[LANE..].as_ptr().cast()]) }
            })
        });
        Self {
            starts: parts.starts,
            places,
        }
    }

    /// Gathers the cells that come next.
    ///
    /// # Safety
    ///
    /// The requirements of [`steps::copy`] or [`steps::stream`] on all of these.
    #[inline(always)]
    unsafe fn gather<L: Line>(
        &self,
        (table, streams): (&Table, bool),
        cursor: &mut Cursor<'_>,
        strided: *const Byte,
        dense: *mut Byte,
        len: usize,
    ) {
        let strided = strided.cast_mut();
        match streams {
            // SAFETY: by the contract.
            true => unsafe { steps::stream::<L, _>(table, self, cursor, strided, dense, len) },
            // SAFETY: by the contract.
            false => unsafe { steps::copy(table, self, cursor, strided, dense, len) },
        }
    }
}

impl<V: Vector, const LOADS: usize> Step for Window<V, LOADS> {
    type Direction = exact::Gather;
    const OVERHANGS: bool = true;

    #[inline(always)]
    unsafe fn copy(&self, window: *mut Byte, dense: *mut Byte) {
        for vector in 0..LANES / V::COUNT {
            let first = vector * V::COUNT;
            let load = |i: usize| {
                let lane = |lane: usize| {
                    window
                        .wrapping_add(self.starts[lane] + i * LANE)
                        .cast_const()
                };
                // SAFETY: the loads of a lane lie in the window, which the caller lets be read.
                let vector_of_input = unsafe { V::load([lane(first), lane(first + V::COUNT - 1)]) };
                // SAFETY: the caller's processor has the instructions.
                unsafe { vector_of_input.shuffle(self.places[vector][i]) }
            };
            let mut out = load(0);
            for i in 1..LOADS {
                // SAFETY: the caller's processor has the instructions.
                out = unsafe { out.or(load(i)) };
            }
            // SAFETY: the lanes of a step are the `OUT` bytes that the caller lets be written.
            unsafe { out.store(dense.wrapping_add(first * LANE)) };
        }
    }
}

/// Gathers the cells that come next.
///
/// # Safety
///
/// * `parts` are those of the table, and `LOADS` is the number of loads in them.
/// * The requirements of [`steps::copy`] on `cursor`, `strided`, `dense` and `len` hold.
#[target_feature(enable = "avx2,bmi2")]
pub(super) unsafe fn gather_avx2<const LOADS: usize>(
    (table, parts, streams): (&Table, &Parts, bool),
    cursor: &mut Cursor<'_>,
    strided: *const Byte,
    dense: *mut Byte,
    len: usize,
) {
    // SAFETY: this function has the features that the steps need.
    let window = unsafe { Window::<__m256i, LOADS>::new(table, parts) };
    // SAFETY: as above; by the parts, all loads lie in the window; the caller vouches for the rest.
    unsafe { window.gather::<Avx2>((table, streams), cursor, strided, dense, len) }
}

/// Gathers the cells that come next.
///
/// # Safety
///
/// As [`gather_avx2`].
#[target_feature(enable = "ssse3")]
pub(super) unsafe fn gather_ssse3<const LOADS: usize>(
    (table, parts, streams): (&Table, &Parts, bool),
    cursor: &mut Cursor<'_>,
    strided: *const Byte,
    dense: *mut Byte,
    len: usize,
) {
    // SAFETY: this function has the features that the steps need.
    let window = unsafe { Window::<__m128i, LOADS>::new(table, parts) };
    // SAFETY: as in `gather_avx2`.
    unsafe { window.gather::<Sse2>((table, streams), cursor, strided, dense, len) }
}
