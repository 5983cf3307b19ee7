//! Byte shuffles of 512-bit vectors, which move any byte of up to four vectors of a window.
//!
//! ```text
//! window  r g b · r g b · … │ r g b · r g b · …    one to four vectors: `vpermb` moves any byte of one,
//!         ↓ ↓ ↓   ↓ ↓ ↓       ↓ ↓ ↓                `vpermi2b` of two; four are two pairs and a blend
//! out     r g b r g b …       r g b r g …          one vector
//! ```
//!
//! Masked loads and stores never touch what is outside their mask, but on some processors they are slow: measured on
//! Zen 5, beyond the caches a gather with masked loads takes up to three times as long as one with whole loads. So where
//! all of the strided buffer may be read, vectors are loaded whole, except where the last of a window would end after the
//! buffer. A scatter beyond the caches is left to [`lanes`](super::lanes): there, masked stores take up to twice as long,
//! and so do whole ones, since nearly all of them lie on two cache lines.

use super::super::super::cursor::Cursor;
use super::super::super::job::Byte;
use super::super::Dense;
use super::super::moves::{self, Direction};
use super::line::Avx512;
use super::steps::{self, Step};
use super::table::{Cells, OUT, Table, WINDOW};
use core::arch::x86_64::*;

const VECTOR: usize = 64;

const _: () = assert!(OUT == VECTOR);

/// The table with the best number of cells per step, if a step gains something.
///
/// A gather costs its loads, as many shuffles, and one store, so as many cells as possible are best, unless the last load
/// brings but few of them. In the other direction the vectors of the window are what counts.
#[inline(always)]
pub(super) fn table<D: Direction>(cells: &Cells<'_>) -> Option<Table> {
    let most = cells.within(WINDOW);
    if most == 0 {
        return None;
    }
    let loads = cells.span_of(most).div_ceil(VECTOR);
    let fewer = cells.within((loads - 1) * VECTOR);
    let others = usize::from(!D::SCATTERS);
    let (count, price) = match fewer * (loads + others) > most * (loads - 1 + others) {
        true => (fewer, loads),
        false => (most, loads + 1),
    };
    cells
        .are_worth(count, price)
        .then(|| Table::new(cells, count))
}

/// Copies the cells that come next; `streams` if a gather is to go past the caches. What lies between cells, up to the
/// address `end`, may be touched; if that is 0, nothing may.
///
/// # Safety
///
/// * The processor has AVX-512.
/// * The requirements of [`steps::copy`] on `cursor`, `strided` and `dense` hold for the bytes of cells.
/// * To gather, all bytes from the lowest of the cells to `end` can be read.
pub(super) unsafe fn copy<D: Direction>(
    (table, end, streams): (&Table, usize, bool),
    cursor: &mut Cursor<'_>,
    strided: *mut Byte,
    dense: Dense,
) {
    let copy = match (table.span.div_ceil(VECTOR), D::SCATTERS) {
        (1, false) => gather::<1>,
        (2, false) => gather::<2>,
        (3, false) => gather::<3>,
        (_, false) => gather::<4>,
        (1, true) => scatter::<1>,
        (2, true) => scatter::<2>,
        (3, true) => scatter::<3>,
        (_, true) => scatter::<4>,
    };
    // SAFETY: the function is the one for this number of vectors; the caller vouches for the rest.
    unsafe { copy((table, end, streams), cursor, strided, dense) }
}

/// Where the vectors of a window may be touched as a whole.
#[derive(Clone, Copy)]
struct Masks<const VECTORS: usize> {
    /// The bytes of each vector that belong to cells.
    cells: [__mmask64; VECTORS],
    /// The last window, as an address, all vectors of which may be touched.
    last_whole: usize,
}

impl<const VECTORS: usize> Masks<VECTORS> {
    fn new(table: &Table, end: usize) -> Self {
        let mut cells = [0; VECTORS];
        for &place in &table.places[..table.out()] {
            cells[usize::from(place) / VECTOR] |= 1 << (usize::from(place) % VECTOR);
        }
        let last_whole = match cells.iter().all(|&mask| mask == !0) {
            true => usize::MAX,
            false => end.saturating_sub(VECTORS * VECTOR),
        };
        Self { cells, last_whole }
    }

    /// The cells of a window.
    // Not inlined: it would take registers from the loop in which vectors are whole.
    ///
    /// # Safety
    ///
    /// They can be read.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2")]
    unsafe fn load(&self, window: *const Byte) -> [__m512i; VECTORS] {
        let mut loads = [_mm512_setzero_si512(); VECTORS];
        for (i, load) in loads.iter_mut().enumerate() {
            let at = window.wrapping_add(i * VECTOR);
            // SAFETY: the bytes of the mask can be read; others are not touched.
            *load = unsafe { _mm512_maskz_loadu_epi8(self.cells[i], at.cast()) };
        }
        loads
    }
}

#[derive(Clone, Copy)]
struct Gather<const LOADS: usize> {
    masks: Masks<LOADS>,
    /// For each byte of the output its place in the window.
    places: __m512i,
    /// The bytes whose place is in the upper pair of a window of more than two vectors.
    upper: __mmask64,
}

impl<const LOADS: usize> Step for Gather<LOADS> {
    type Direction = moves::Gather;
    const OVERHANGS: bool = true;

    #[inline(always)]
    unsafe fn copy(&self, window: *mut Byte, dense: *mut Byte) {
        // SAFETY: the caller's processor has the instructions.
        let mut loads = [unsafe { _mm512_setzero_si512() }; LOADS];
        if window.addr() <= self.masks.last_whole {
            for (i, load) in loads.iter_mut().enumerate() {
                // SAFETY: all of these vectors may be read.
                *load = unsafe { _mm512_loadu_si512(window.wrapping_add(i * VECTOR).cast()) };
            }
        } else {
            // SAFETY: the bytes of the masks belong to cells, which the caller lets be read.
            loads = unsafe { self.masks.load(window) };
        }
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

/// # Safety
///
/// * As [`copy`].
/// * `LOADS` vectors are the least that the table's span needs.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2")]
unsafe fn gather<const LOADS: usize>(
    (table, end, streams): (&Table, usize, bool),
    cursor: &mut Cursor<'_>,
    strided: *mut Byte,
    dense: Dense,
) {
    // SAFETY: the array is as long as the vector.
    let places = unsafe { _mm512_loadu_si512(table.places.as_ptr().cast()) };
    let step = Gather::<LOADS> {
        masks: Masks::new(table, end),
        places,
        upper: _mm512_movepi8_mask(places),
    };
    match streams {
        // SAFETY: this function has the features that the step needs, and the caller vouches for the rest.
        true => unsafe { steps::stream::<Avx512, _>(table, &step, cursor, strided, dense) },
        // SAFETY: this function has the features that the step needs, and the caller vouches for the rest.
        false => unsafe { steps::copy(table, &step, cursor, strided, dense) },
    }
}

#[derive(Clone, Copy)]
struct Scatter<const STORES: usize> {
    masks: Masks<STORES>,
    /// For each byte of each vector of the window its place in the dense vector.
    places: [__m512i; STORES],
    /// The bytes of the dense vector.
    out: __mmask64,
}

impl<const STORES: usize> Step for Scatter<STORES> {
    type Direction = moves::Scatter;
    const OVERHANGS: bool = false;

    #[inline(always)]
    unsafe fn copy(&self, window: *mut Byte, dense: *mut Byte) {
        // SAFETY: the bytes of the mask are those of the cells, which the caller lets be read; others are not touched.
        let dense = unsafe { _mm512_maskz_loadu_epi8(self.out, dense.cast()) };
        for i in 0..STORES {
            // SAFETY: the caller's processor has the instructions.
            let vector = unsafe { _mm512_permutexvar_epi8(self.places[i], dense) };
            let at = window.wrapping_add(i * VECTOR).cast();
            // SAFETY: the bytes of the mask belong to cells, which the caller lets be written; others are not touched.
            unsafe { _mm512_mask_storeu_epi8(at, self.masks.cells[i], vector) };
        }
    }
}

/// # Safety
///
/// * As [`copy`].
/// * `STORES` vectors are the least that the table's span needs.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2")]
unsafe fn scatter<const STORES: usize>(
    (table, _, _): (&Table, usize, bool),
    cursor: &mut Cursor<'_>,
    strided: *mut Byte,
    dense: Dense,
) {
    let mut places = [[0_u8; VECTOR]; STORES];
    for (i, &place) in table.places[..table.out()].iter().enumerate() {
        places[usize::from(place) / VECTOR][usize::from(place) % VECTOR] = i as u8;
    }
    let step = Scatter::<STORES> {
        masks: Masks::new(table, 0),
        // SAFETY: the array is as long as the vector.
        places: places.map(|places| unsafe { _mm512_loadu_si512(places.as_ptr().cast()) }),
        out: match table.out() {
            VECTOR.. => !0,
            out => (1 << out) - 1,
        },
    };
    // SAFETY: this function has the features that the step needs, and the caller vouches for the rest.
    unsafe { steps::copy(table, &step, cursor, strided, dense) }
}
