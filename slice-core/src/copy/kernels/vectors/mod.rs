//! The kernels that move vectors, of processors that have them.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod lanes;
#[cfg(target_arch = "x86_64")]
mod line;
#[cfg(target_arch = "x86_64")]
mod runs;
mod steps;
mod table;
#[cfg(target_arch = "x86_64")]
mod tile;
mod vector;

use super::super::cursor::Cursor;
use super::super::isa::InstructionSet;
use super::super::job::Pattern;
use super::moves::Direction;
use super::{Dense, Strided, strides};
use lanes::Lanes;
use table::{Cells, OUT};

/// Bytes of a cache line.
const LINE: usize = 64;

/// So far ahead is asked for what comes from memory: lines on their way there seem to keep the processor from doing it
/// itself. Measured on Zen 5: without it, vectors of 512 bits take up to 1.4 times as long as those of 256.
const AHEAD: isize = 2048;

/// A kernel, for processors that have the instruction set it was made for.
pub(super) struct Kernel {
    way: Way,
    isa: InstructionSet,
    /// Whether the output is written past the caches.
    streams: bool,
}

enum Way {
    /// Rows that are runs of bytes.
    #[cfg(target_arch = "x86_64")]
    Runs,
    /// [`strides`], compiled for AVX2.
    #[cfg(target_arch = "x86_64")]
    Strides,
    #[cfg(target_arch = "x86_64")]
    Avx512(table::Table),
    Lanes(Lanes),
}

impl Kernel {
    /// The kernel, the rows of cells that it copies, and the bytes of a cell, if there is one that gains something; `far` if
    /// the buffers are beyond the caches, `whole` if what lies between the runs may be touched.
    #[inline(always)]
    pub(super) fn new<'a, D: Direction>(
        runs: Pattern<'a>,
        far: bool,
        whole: bool,
    ) -> Option<(Self, Pattern<'a>, usize)> {
        let isa = runs.job.isa;
        let kernel = |way, streams| Self { way, isa, streams };
        #[cfg(target_arch = "x86_64")]
        if runs.is_contiguous() && runs.job.plain {
            return Some((kernel(Way::Runs, far), runs, 1));
        }
        if isa == InstructionSet::Baseline || runs.is_contiguous() || runs.run >= OUT {
            return None;
        }
        let cells = Cells::new(runs);
        // Where far more is read than copied, at least four bytes for each, as whole cache lines are, ordinary stores
        // are as good.
        let sparse = 4 * cells.size < cells.rows.row.stride.unsigned_abs().min(LINE);
        let streams = far && !sparse && !D::SCATTERS && cfg!(target_arch = "x86_64");
        let strides = !D::SCATTERS && whole && cells.size == runs.run;
        let shuffles = runs.job.plain && !(strides && !streams && prefers_strides(&runs));
        let way = match shuffles {
            #[cfg(target_arch = "x86_64")]
            true if isa == InstructionSet::Avx512 && !(D::SCATTERS && far) => {
                avx512::table::<D>(&cells).map(Way::Avx512)
            }
            true => {
                let lanes = if isa >= InstructionSet::Avx2 { 2 } else { 1 };
                Lanes::new::<D>(&cells, lanes, whole).map(Way::Lanes)
            }
            false => None,
        };
        match way {
            Some(way) => Some((kernel(way, streams), cells.rows, cells.size)),
            #[cfg(target_arch = "x86_64")]
            None if isa >= InstructionSet::Avx2 && strides && strides::fits::<true>(&runs) => {
                Some((kernel(Way::Strides, false), runs, runs.run))
            }
            None => None,
        }
    }

    /// Copies the cells that come next.
    ///
    /// # Safety
    ///
    /// * `cursor` walks the rows that came with the kernel, the cells of which, counted from the start of `strided`, can
    ///   be read or, to scatter, written.
    /// * So can all other bytes that `strided` says may be touched, if the kernel was made for that.
    /// * The bytes of `dense` can be written or, to scatter, read; the two do not overlap.
    pub(super) unsafe fn copy<D: Direction>(
        &self,
        rows: &Pattern<'_>,
        cursor: &mut Cursor<'_>,
        strided: Strided,
        dense: Dense,
    ) {
        let streams = self.streams;
        #[cfg(not(target_arch = "x86_64"))]
        let _ = rows;
        // The address after the last byte that may be touched.
        #[cfg(target_arch = "x86_64")]
        let end = match strided.whole {
            0 => 0,
            whole => strided.start.addr() + whole,
        };
        match &self.way {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the cells are runs of bytes.
            Way::Runs => unsafe { runs::copy::<D>((rows, streams), cursor, strided.start, dense) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor has AVX2, and a kernel like this is for gathers of what may be read whole.
            Way::Strides => unsafe { strides_avx2(rows, cursor, strided, dense) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor has AVX-512; if `end` is not 0, all bytes up to there may be touched.
            Way::Avx512(table) => unsafe {
                avx512::copy::<D>((table, end, streams), cursor, strided.start, dense)
            },
            // SAFETY: the processor has the instruction set; if the windows have gaps, these may be touched.
            Way::Lanes(lanes) => unsafe {
                lanes::copy::<D>((lanes, self.isa), streams, cursor, strided.start, dense)
            },
        }
    }
}

/// Whether [`strides`] is for this pattern and faster than shuffles, within the caches.
fn prefers_strides(runs: &Pattern<'_>) -> bool {
    match runs.job.isa {
        // What the compiler makes of SSE2 for registers of four bytes or more takes four fifths of the time.
        InstructionSet::Ssse3 => runs.run >= 4 && strides::fits::<false>(runs),
        InstructionSet::Neon => strides::fits::<false>(runs),
        _ => strides::fits::<true>(runs),
    }
}

/// [`strides::gather`], compiled for AVX2.
///
/// # Safety
///
/// * All of `strided` can be read.
/// * The bytes of `dense` can be written, and do not overlap it.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn strides_avx2(
    pattern: &Pattern<'_>,
    cursor: &mut Cursor<'_>,
    strided: Strided,
    dense: Dense,
) {
    // SAFETY: the caller lets all of it be read.
    let src = unsafe { core::slice::from_raw_parts(strided.start, strided.whole) };
    // SAFETY: the caller lets all of it be written, and nobody else touches it.
    let dst = unsafe { core::slice::from_raw_parts_mut(dense.start, dense.len) };
    strides::gather::<true>(pattern, cursor, src, dst);
}
