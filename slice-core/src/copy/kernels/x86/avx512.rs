//! Shuffles of 512-bit vectors, which move any byte of up to four vectors of a window.
//!
//! `vpermb` moves any byte of one vector, `vpermi2b` of two; four vectors are two pairs and a blend.
//!
//! Masked loads and stores never touch what is outside their mask, but on some processors they are slow: measured on
//! Zen 5, beyond the caches a gather with masked loads takes up to three times as long as one with whole loads. So where
//! all of the source may be read, vectors are loaded whole, except where the last of a window would end behind the source.

use super::super::super::bytes::Byte;
use super::super::super::cursor::Cursor;
use super::super::{exact, repeated};
use super::aligned::{self, Lines};
use super::line::Avx512;
use super::steps::{self, Step};
use super::table::{OUT, Table};
use core::arch::x86_64::*;
use core::array;

pub(super) const VECTOR: usize = 64;

/// A mask of the first `n` bytes of a vector.
#[inline(always)]
fn first(n: usize) -> __mmask64 {
    match n {
        VECTOR.. => !0,
        n => (1 << n) - 1,
    }
}

/// The bytes of a window that belong to cells, as masks of its vectors.
#[inline(always)]
fn selected<const LOADS: usize>(table: &Table) -> [__mmask64; LOADS] {
    let mut masks = [0; LOADS];
    for &place in &table.places[..table.out()] {
        masks[usize::from(place) / VECTOR] |= 1 << (usize::from(place) % VECTOR);
    }
    masks
}

struct Gather<const LOADS: usize, const EXACT: bool> {
    /// For each byte of the output its place in the window.
    places: __m512i,
    /// The bytes whose place is in the upper pair of a window of more than two vectors.
    upper: __mmask64,
    /// The bytes of each vector that may be read wherever the window is: those of the window or, if `EXACT`, of its cells.
    masks: [__mmask64; LOADS],
    /// Unless `EXACT`, whole vectors may be read in windows up to this address.
    last_whole: usize,
}

impl<const LOADS: usize, const EXACT: bool> Gather<LOADS, EXACT> {
    /// The step of a table; `end` is the address where a source that may be read whole ends.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2")]
    fn new(table: &Table, end: usize) -> Self {
        // SAFETY: the array is as long as the vector.
        let places = unsafe { _mm512_loadu_si512(table.places.as_ptr().cast()) };
        Self {
            places,
            upper: _mm512_movepi8_mask(places),
            masks: match EXACT {
                true => selected(table),
                false => array::from_fn(|i| first(table.span - i * VECTOR)),
            },
            last_whole: end.saturating_sub(LOADS * VECTOR),
        }
    }

    /// The vectors of a window, of which only the bytes of the masks are touched.
    ///
    /// # Safety
    ///
    /// * The processor has AVX-512.
    /// * The bytes of the masks can be read.
    #[inline(always)]
    unsafe fn load_masked(&self, window: *const Byte) -> [__m512i; LOADS] {
        array::from_fn(|i| {
            // SAFETY: the caller lets the bytes of the mask be read; others are not touched.
            unsafe {
                _mm512_maskz_loadu_epi8(self.masks[i], window.wrapping_add(i * VECTOR).cast())
            }
        })
    }

    /// [`load_masked`](Self::load_masked), out of the way of the loop that hardly ever needs it.
    ///
    /// # Safety
    ///
    /// As there.
    #[cold]
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2")]
    unsafe fn load_last(&self, window: *const Byte) -> [__m512i; LOADS] {
        // SAFETY: the caller lets the bytes of the masks be read.
        unsafe { self.load_masked(window) }
    }
}

impl<const LOADS: usize, const EXACT: bool> Step for Gather<LOADS, EXACT> {
    type Direction = exact::Gather;
    const OVERHANGS: bool = true;

    #[inline(always)]
    unsafe fn copy(&self, window: *mut Byte, dense: *mut Byte) {
        let loads: [__m512i; LOADS] = if EXACT {
            // SAFETY: the masks are those of the window's cells, which the caller lets be read.
            unsafe { self.load_masked(window) }
        } else if window.addr() <= self.last_whole {
            // SAFETY: `LOADS` vectors from here on end before the source does, all of which can be read.
            array::from_fn(|i| unsafe {
                _mm512_loadu_si512(window.wrapping_add(i * VECTOR).cast())
            })
        } else {
            // SAFETY: the masks are those of the window, which the caller lets be read.
            unsafe { self.load_last(window) }
        };
        // SAFETY: the caller's processor has the instructions.
        let out = unsafe { pick(loads, self.places, self.upper) };
        // SAFETY: the caller lets as many bytes as a vector has be written.
        unsafe { _mm512_storeu_si512(dense.cast(), out) };
    }
}

/// The bytes at `places` of a window of up to four vectors.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2")]
fn pick<const LOADS: usize>(
    window: [__m512i; LOADS],
    places: __m512i,
    upper: __mmask64,
) -> __m512i {
    match window.as_slice() {
        [a] => _mm512_permutexvar_epi8(places, *a),
        [a, b] => _mm512_permutex2var_epi8(*a, places, *b),
        [a, b, c] => {
            let low = _mm512_permutex2var_epi8(*a, places, *b);
            _mm512_mask_permutexvar_epi8(low, upper, places, *c)
        }
        [a, b, c, d, ..] => {
            let low = _mm512_permutex2var_epi8(*a, places, *b);
            let high = _mm512_permutex2var_epi8(*c, places, *d);
            _mm512_mask_mov_epi8(low, upper, high)
        }
        [] => _mm512_setzero_si512(),
    }
}

pub(super) struct Scatter<const LOADS: usize> {
    /// So many bytes before its first cell a window begins.
    shift: usize,
    /// For each byte of each vector of the window its place in the dense vector.
    places: [__m512i; LOADS],
    /// The bytes of each vector that belong to cells.
    masks: [__mmask64; LOADS],
    /// The bytes of the dense vector.
    out: __mmask64,
}

/// The first few cells of a step that scatters.
pub(super) struct FirstCells<const LOADS: usize> {
    /// Their bytes of each vector of the window.
    masks: [__mmask64; LOADS],
    /// Their bytes of the dense vector.
    out: __mmask64,
}

impl<const LOADS: usize> Scatter<LOADS> {
    /// The step of a table, in windows of `LOADS` vectors that begin `shift` bytes before the first cell.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2")]
    fn new(table: &Table, shift: usize) -> Self {
        let (mut places, mut masks) = ([[0u8; VECTOR]; LOADS], [0; LOADS]);
        for (i, &place) in table.places[..table.out()].iter().enumerate() {
            let (vector, byte) = (
                (usize::from(place) + shift) / VECTOR,
                (usize::from(place) + shift) % VECTOR,
            );
            places[vector][byte] = i as u8;
            masks[vector] |= 1 << byte;
        }
        Self {
            shift,
            places: places.map(|places| {
                // SAFETY: the array is as long as the vector.
                unsafe { _mm512_loadu_si512(places.as_ptr().cast()) }
            }),
            masks,
            out: first(table.out()),
        }
    }

    /// The first few cells of a step, whose cells must not lie between each other.
    #[inline(always)]
    pub(super) fn first_cells(&self, table: &Table, cells: usize) -> FirstCells<LOADS> {
        let far = table.stride.unsigned_abs();
        let (from, to) = match table.stride < 0 {
            true => (self.shift + far * (table.cells - cells), LOADS * VECTOR),
            false => (0, self.shift + far * cells),
        };
        let within = |i: usize| {
            let before = |place: usize| first(place.saturating_sub(i * VECTOR));
            before(to) & !before(from)
        };
        FirstCells {
            masks: array::from_fn(|i| self.masks[i] & within(i)),
            out: first(table.cell * cells),
        }
    }

    /// Scatters the first few cells of a step.
    ///
    /// # Safety
    ///
    /// As [`Step::copy`], for these cells.
    #[inline(always)]
    pub(super) unsafe fn copy_first(
        &self,
        cells: &FirstCells<LOADS>,
        window: *mut Byte,
        dense: *mut Byte,
    ) {
        // SAFETY: the bytes of the mask are the cells, which the caller lets be read; others are not touched.
        let dense = unsafe { _mm512_maskz_loadu_epi8(cells.out, dense.cast()) };
        for i in 0..LOADS {
            if cells.masks[i] != 0 {
                // SAFETY: the caller's processor has the instructions.
                let vector = unsafe { _mm512_permutexvar_epi8(self.places[i], dense) };
                let at = window.wrapping_add(i * VECTOR).cast();
                // SAFETY: the bytes of the mask belong to cells, which the caller lets be written; others are not
                // touched.
                unsafe { _mm512_mask_storeu_epi8(at, cells.masks[i], vector) };
            }
        }
    }
}

impl<const LOADS: usize> Step for Scatter<LOADS> {
    type Direction = exact::Scatter;
    const OVERHANGS: bool = false;

    #[inline(always)]
    unsafe fn copy(&self, window: *mut Byte, dense: *mut Byte) {
        // SAFETY: the bytes of the mask are the cells, which the caller lets be read; others are not touched.
        let dense = unsafe { _mm512_maskz_loadu_epi8(self.out, dense.cast()) };
        for i in 0..LOADS {
            // SAFETY: the caller's processor has the instructions.
            let vector = unsafe { _mm512_permutexvar_epi8(self.places[i], dense) };
            let at = window.wrapping_add(i * VECTOR).cast();
            // SAFETY: the bytes of the mask belong to cells, which the caller lets be written; others are not touched.
            unsafe { _mm512_mask_storeu_epi8(at, self.masks[i], vector) };
        }
    }
}

/// What may be read of the strided buffer, and how the output is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Manner {
    /// All bytes below this address may be read.
    Whole { end: usize },
    /// As `Whole`, writing past the caches.
    Stream { end: usize },
    /// The cells and nothing else may be read.
    Exact,
}

/// Gathers the cells that come next.
///
/// # Safety
///
/// * `LOADS` vectors are the least that the table's span needs.
/// * The requirements of [`steps::copy`] on `cursor`, `strided`, `dense` and `len` hold for a gather; if it is exact,
///   only the cells of a window need be readable.
/// * Otherwise all bytes from the lowest of the cells up to the end that the manner names can be read.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2")]
pub(super) unsafe fn gather<const LOADS: usize>(
    (table, manner): (&Table, Manner),
    cursor: &mut Cursor<'_>,
    strided: *const Byte,
    dense: *mut Byte,
    len: usize,
) {
    let strided = strided.cast_mut();
    match manner {
        Manner::Whole { end } => {
            let step = Gather::<LOADS, false>::new(table, end);
            // SAFETY: this function has the features that the step needs, and the caller vouches for the windows.
            unsafe { steps::copy(table, &step, cursor, strided, dense, len) }
        }
        Manner::Stream { end } => {
            let step = Gather::<LOADS, false>::new(table, end);
            // SAFETY: as for `Whole`.
            unsafe { steps::stream::<Avx512, _>(table, &step, cursor, strided, dense, len) }
        }
        Manner::Exact => {
            let step = Gather::<LOADS, true>::new(table, 0);
            // SAFETY: this function has the features that the step needs, and the caller vouches for the cells.
            unsafe { steps::copy(table, &step, cursor, strided, dense, len) }
        }
    }
}

/// Scatters the cells that come next, `len` bytes of them, if there are lines in windows that begin as these say; those in
/// `dense` are repeated as often as it takes.
///
/// # Safety
///
/// * `LOADS` vectors are the least that the table's span and the lines' shift need.
/// * The requirements of [`steps::copy`] on `cursor` and `strided` hold for a scatter.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2")]
pub(super) unsafe fn scatter<const LOADS: usize>(
    (table, lines): (&Table, Option<&Lines>),
    cursor: &mut Cursor<'_>,
    strided: *mut Byte,
    dense: &[Byte],
    len: usize,
) {
    let step = Scatter::<LOADS>::new(table, lines.map_or(0, |lines| lines.shift));
    for dense in repeated(dense, table.cell, len) {
        let (dense, len) = (dense.as_ptr().cast_mut(), dense.len());
        match lines {
            // SAFETY: this function has the features that the step needs, the bytes are whole cells, and the caller
            // vouches for the rest.
            Some(lines) => unsafe {
                aligned::scatter((table, lines), &step, cursor, strided, dense, len)
            },
            // SAFETY: as above, and the masks are those of the cells.
            None => unsafe { steps::copy(table, &step, cursor, strided, dense, len) },
        }
    }
}

const _: () = assert!(OUT == VECTOR);
