//! The kernels that move vectors, of processors that have them.

mod ahead;
mod rows;
#[cfg(target_arch = "x86_64")]
mod runs;
mod shuffle;
mod table;
mod tile;
mod vector;

use super::super::cursor::BlockCursor;
use super::super::isa::InstructionSet;
use super::super::job::Job;
use super::buffers::Buffers;
use super::moves::Direction;
use super::strides;
use ahead::NEAR;
#[cfg(target_arch = "aarch64")]
use core::arch::aarch64::uint8x16_t;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__m128i, __m256i, __m512i};
use shuffle::Lanes;
use table::{CellRows, LONG_ROW, OUT};
use vector::{LINE, Vector};

/// A kernel, for processors that have the instruction set it was made for.
pub(super) struct VectorKernel {
    pattern: Pattern,
    /// INVARIANT: the running processor has it.
    isa: InstructionSet,
    /// Whether the output is written past the caches.
    streams: bool,
}

#[expect(
    clippy::large_enum_variant,
    reason = "there is one per copy, on the stack"
)]
enum Pattern {
    /// Rows that are runs of bytes.
    #[cfg(target_arch = "x86_64")]
    Runs,
    /// [`strides`], compiled for AVX2.
    #[cfg(target_arch = "x86_64")]
    Strides,
    Shuffle(Lanes),
}

impl VectorKernel {
    /// The kernel, and the cells that it copies, if there is one that gains something; `far` if the output is beyond the
    /// caches, `whole` if what lies between the runs may be touched.
    #[inline(always)]
    pub(super) fn new<'a, D: Direction>(
        job: Job<'a>,
        far: bool,
        whole: bool,
    ) -> Option<(Self, Job<'a>)> {
        let kernel = |pattern, isa, streams| Self {
            pattern,
            isa,
            streams,
        };
        let mut isa = job.isa.known();
        #[cfg(target_arch = "x86_64")]
        if job.is_contiguous() && job.plain {
            return Some((kernel(Pattern::Runs, isa, far), job));
        }
        if isa == InstructionSet::Baseline || job.is_contiguous() || job.run >= OUT {
            return None;
        }
        let cells = CellRows::new(job);
        // Where far more is read than copied, at least four bytes for each, as whole cache lines are, ordinary stores
        // are as good.
        let sparse = 4 * cells.rows.run < cells.rows.row.stride.unsigned_abs().min(LINE);
        let streams = far && !sparse && !D::SCATTERS && cfg!(target_arch = "x86_64");
        let strides = !D::SCATTERS && whole && cells.are_runs();
        let loops = strides && prefers_strides(&job);
        // Measured on Zen 5: a single row takes SSSE3 as long or longer if it is streamed.
        let streams = streams && !(loops && isa == InstructionSet::Ssse3 && job.outer.is_empty());
        if job.plain && (streams || !loops) {
            // Beyond the second-level cache masked stores take up to three times as long, and so do whole ones of 512 bits,
            // since nearly all of them lie on two cache lines. But a row of few steps reads again what it has just written,
            // which takes longer still.
            if D::SCATTERS && (far || job.strided > NEAR) && cells.rows.row.len >= LONG_ROW {
                isa = isa.min(InstructionSet::Avx2);
            }
            let shape = match isa {
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx512 => __m512i::SHAPE,
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx2 => __m256i::SHAPE,
                #[cfg(target_arch = "x86_64")]
                _ => __m128i::SHAPE,
                #[cfg(target_arch = "aarch64")]
                _ => uint8x16_t::SHAPE,
            };
            if let Some(lanes) = Lanes::new::<D>(&cells, shape, whole) {
                return Some((kernel(Pattern::Shuffle(lanes), isa, streams), cells.rows));
            }
        }
        #[cfg(target_arch = "x86_64")]
        if isa >= InstructionSet::Avx2 && strides && strides::fits(&job) {
            return Some((kernel(Pattern::Strides, isa, false), job));
        }
        None
    }

    /// Copies the cells that come next.
    ///
    /// # Safety
    ///
    /// * `cursor` walks cells that came with the kernel, which, counted from `strided`, can be read or, to scatter,
    ///   written.
    /// * So can all that is `whole`, which is not 0 if the kernel was made for that.
    /// * The bytes of `dense` can be written or, to scatter, read; the two do not overlap.
    pub(super) unsafe fn copy<D: Direction>(
        &self,
        cells: &Job<'_>,
        cursor: &mut BlockCursor<'_>,
        buffers: Buffers,
    ) {
        let streams = self.streams;
        #[cfg(not(target_arch = "x86_64"))]
        let _ = cells;
        match &self.pattern {
            #[cfg(target_arch = "x86_64")]
            Pattern::Runs => {
                let copy = match self.isa.known() {
                    InstructionSet::Avx512 => avx512::runs::<D>,
                    InstructionSet::Avx2 => avx2::runs::<D>,
                    _ => ssse3::runs::<D>,
                };
                // SAFETY: the cells are bytes of runs; the processor has the instruction set.
                unsafe { copy(cells, streams, cursor, buffers) }
            }
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor has AVX2, and a kernel like this is for gathers of what may be read whole.
            Pattern::Strides => unsafe { strides_avx2(cells, cursor, buffers) },
            Pattern::Shuffle(lanes) => {
                let copy = match (self.isa.known(), lanes.loads) {
                    #[cfg(target_arch = "x86_64")]
                    (InstructionSet::Avx512, 1) => avx512::rows::<D, 1>,
                    #[cfg(target_arch = "x86_64")]
                    (InstructionSet::Avx512, 2) => avx512::rows::<D, 2>,
                    #[cfg(target_arch = "x86_64")]
                    (InstructionSet::Avx512, 3) => avx512::rows::<D, 3>,
                    #[cfg(target_arch = "x86_64")]
                    (InstructionSet::Avx512, _) => avx512::rows::<D, 4>,
                    #[cfg(target_arch = "x86_64")]
                    (InstructionSet::Avx2, 1) => avx2::rows::<D, 1>,
                    #[cfg(target_arch = "x86_64")]
                    (InstructionSet::Avx2, 2) => avx2::rows::<D, 2>,
                    #[cfg(target_arch = "x86_64")]
                    (InstructionSet::Avx2, _) => avx2::rows::<D, 4>,
                    #[cfg(target_arch = "x86_64")]
                    (_, 1) => ssse3::rows::<D, 1>,
                    #[cfg(target_arch = "x86_64")]
                    (_, 2) => ssse3::rows::<D, 2>,
                    #[cfg(target_arch = "x86_64")]
                    _ => ssse3::rows::<D, 4>,
                    #[cfg(target_arch = "aarch64")]
                    (_, 1) => neon::rows::<D, 1>,
                    #[cfg(target_arch = "aarch64")]
                    (_, 2) => neon::rows::<D, 2>,
                    #[cfg(target_arch = "aarch64")]
                    _ => neon::rows::<D, 4>,
                };
                // SAFETY: the function is the one for this instruction set, which the processor has, and for this number of
                // loads.
                unsafe { copy(lanes, streams, cursor, buffers) }
            }
        }
    }
}

/// The kernels compiled for an instruction set.
macro_rules! compiled {
    ($name:ident: $vector:ty, $features:literal $(, runs: $runs:literal)?) => {
        mod $name {
            use super::*;

            /// # Safety
            ///
            /// * As [`rows::copy`].
            #[target_feature(enable = $features)]
            pub(super) unsafe fn rows<D: Direction, const LOADS: usize>(
                lanes: &Lanes,
                streams: bool,
                cursor: &mut BlockCursor<'_>,
                buffers: Buffers,
            ) {
                // SAFETY: the function has the features of the vector; the rest is what the caller vouches for.
                unsafe { rows::copy::<D, $vector, LOADS>(lanes, streams, cursor, buffers) }
            }

            $(
                /// # Safety
                ///
                /// * As [`runs::copy`].
                #[target_feature(enable = $runs)]
                pub(super) unsafe fn runs<D: Direction>(
                    job: &Job<'_>,
                    streams: bool,
                    cursor: &mut BlockCursor<'_>,
                    buffers: Buffers,
                ) {
                    // SAFETY: the function has the features of the vector; the rest is what the caller vouches for.
                    unsafe { runs::copy::<D, $vector>(job, streams, cursor, buffers) }
                }
            )?
        }
    };
}

#[cfg(target_arch = "x86_64")]
compiled!(ssse3: __m128i, "ssse3", runs: "sse2");

#[cfg(target_arch = "x86_64")]
compiled!(avx2: __m256i, "avx2,bmi2", runs: "avx2,bmi2");

#[cfg(target_arch = "x86_64")]
compiled!(avx512: __m512i, "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2", runs: "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2");

#[cfg(target_arch = "aarch64")]
compiled!(neon: uint8x16_t, "neon");

/// Whether [`strides`] is for these runs and faster than shuffles, within the caches.
fn prefers_strides(job: &Job<'_>) -> bool {
    match job.isa {
        // What the compiler makes of SSE2 for registers of four bytes or more, and of every second byte, takes four fifths of
        // the time.
        InstructionSet::Ssse3 => {
            strides::fits(job) && (job.run >= 4 || (job.run, job.row.stride) == (1, 2))
        }
        _ => strides::fits(job),
    }
}

/// [`strides::copy`], compiled for AVX2.
///
/// # Safety
///
/// * As [`strides::copy`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn strides_avx2(job: &Job<'_>, cursor: &mut BlockCursor<'_>, buffers: Buffers) {
    // SAFETY: the buffers are those that the caller vouches for.
    unsafe { strides::copy(job, cursor, buffers) };
}
