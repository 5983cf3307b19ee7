//! Masks packed into bits, with functions that count the true elements and find their positions, 64 elements at a time.
//! The code for each instruction set that makes these functions faster is in its own file.

#![expect(unsafe_code)]
#![cfg_attr(
    not(all(target_arch = "x86_64", target_feature = "sse2")),
    allow(unused_unsafe, reason = "the portable functions are safe")
)]

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx512;
mod elements;
pub(crate) mod kernels;

use alloc::vec::Vec;
use core::fmt;
use core::iter;
use core::mem::MaybeUninit;

use crate::processor::detect;
use crate::processor::isa::InstructionSet;
use elements::portable;
use kernels::{Counts, edges_of, word};

/// A mask with one bit per element.
#[derive(Clone)]
pub(crate) struct Bits {
    /// The elements, 64 per word, starting with the lowest bit of each word. The bits after the last element are 0.
    words: Vec<u64>,
    len: usize,
    /// INVARIANT: the current processor supports the instruction set.
    isa: InstructionSet,
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Bits").field(&self.words).finish()
    }
}

/// Calls the version of a function for an instruction set, which the processor must support.
macro_rules! for_isa {
    ($isa:expr, $function:ident $(::<$T:ty>)? ($($argument:expr),*)) => {
        match $isa {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            InstructionSet::Avx512 => avx512::$function$(::<$T>)?($($argument),*),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            InstructionSet::Avx2 => avx2::$function$(::<$T>)?($($argument),*),
            _ => portable::$function$(::<$T>)?($($argument),*),
        }
    };
}

/// Copies the selected elements of `from`, a multiple of 64, to the beginning of `to`, and returns their number.
/// `select(k, selected)` writes whether the elements `64 * k` to `64 * k + 63` are selected. The size of `T` must be one that
/// [`Bits::copies`] accepts. If there is a `limit`, uses only an instruction set that `limit` includes.
///
/// # Safety
///
/// * The bytes of `from` must be initialized, and plain values of type `T`.
#[cfg(feature = "py")]
pub(crate) unsafe fn filter<T>(
    select: impl Fn(usize, &mut [bool; 64]),
    from: &[MaybeUninit<u8>],
    to: &mut [MaybeUninit<u8>],
    limit: Option<InstructionSet>,
) -> usize {
    // SAFETY: the processor supports the instructions that `detect` returned, and the caller guarantees that the bytes are
    // initialized.
    unsafe { for_isa!(detect(limit), filter::<T>(select, from, to)) }
}

impl Bits {
    pub(crate) fn pack(mask: &[bool]) -> Self {
        Self::pack_with_limit(mask, None)
    }

    /// Packs a mask. If there is a `limit`, uses only an instruction set that `limit` includes.
    pub(crate) fn pack_with_limit(mask: &[bool], limit: Option<InstructionSet>) -> Self {
        let isa = detect(limit);
        let (whole, rest) = mask.as_chunks::<64>();
        let mut words = Vec::with_capacity(mask.len().div_ceil(64));
        // SAFETY: `detect` returned the instruction set, so the processor supports the instructions.
        unsafe { for_isa!(isa, pack(whole, &mut words)) };
        if !rest.is_empty() {
            let mut last = [false; 64];
            last[..rest.len()].copy_from_slice(rest);
            words.push(word(&last));
        }
        Bits {
            words,
            len: mask.len(),
            isa,
        }
    }

    /// Returns the number of elements.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if the distance from each true element to the next is the same. `counts` is the result of
    /// [`counts`](Self::counts).
    pub(crate) fn has_constant_step(&self, counts: &Counts) -> bool {
        let mut positions = self.each_position();
        let (Some(first), Some(second)) = (positions.next(), positions.next()) else {
            return true;
        };
        let step = second - first;
        let is_true = |k: usize| {
            let distance = k.checked_mul(step);
            let position = distance.and_then(|distance| distance.checked_add(first));
            position.is_some_and(|position| {
                let word = self.words.get(position / 64);
                word.is_some_and(|word| word >> (position % 64) & 1 == 1)
            })
        };
        // The last positions are checked first, because they differ in nearly all masks without a constant step.
        match step {
            1 => counts.runs == 1,
            _ => counts.runs == counts.trues && (1..counts.trues).rev().all(is_true),
        }
    }

    /// Returns `true` if elements of `size` bytes can be copied by the mask.
    pub(crate) fn copies(size: usize) -> bool {
        matches!(size, 1 | 2 | 4 | 8)
    }

    /// Copies the selected elements of `from` to the beginning of `to`, and returns their number. `from` contains the elements
    /// beginning at `first`, which must be a multiple of 64. An element has `size` bytes, a size that
    /// [`copies`](Self::copies) accepts.
    ///
    /// # Safety
    ///
    /// * The bytes of `from` must be initialized.
    pub(crate) unsafe fn compress(
        &self,
        first: usize,
        size: usize,
        from: &[MaybeUninit<u8>],
        to: &mut [MaybeUninit<u8>],
    ) -> usize {
        let words = self.words_of(first, from.len(), size);
        // SAFETY: by the invariant of `isa`, the processor supports the instructions. The caller guarantees that the bytes
        // are initialized.
        unsafe { for_isa!(self.isa, compress(words, size, from, to)) }
    }

    /// Copies the first elements of `from` to the selected elements of `to`, and returns their number. `to` contains the
    /// elements beginning at `first`. The other arguments are as for [`compress`](Self::compress).
    ///
    /// # Safety
    ///
    /// * The bytes of both buffers must be initialized.
    pub(crate) unsafe fn expand(
        &self,
        first: usize,
        size: usize,
        from: &[MaybeUninit<u8>],
        to: &mut [MaybeUninit<u8>],
    ) -> usize {
        let words = self.words_of(first, to.len(), size);
        // SAFETY: as in `compress`.
        unsafe { for_isa!(self.isa, expand(words, size, from, to)) }
    }

    /// Copies one element, `value`, to all selected elements of `to`, which contains the elements beginning at `first`.
    ///
    /// # Safety
    ///
    /// * The bytes of `value` and of `to` must be initialized.
    pub(crate) unsafe fn fill(
        &self,
        first: usize,
        value: &[MaybeUninit<u8>],
        to: &mut [MaybeUninit<u8>],
    ) {
        let words = self.words_of(first, to.len(), value.len());
        // SAFETY: as in `compress`.
        unsafe { for_isa!(self.isa, fill(words, value.len(), value, to)) }
    }

    /// Returns the words for the `bytes` bytes of the elements of `size` bytes that begin at `first`.
    fn words_of(&self, first: usize, bytes: usize, size: usize) -> &[u64] {
        assert!(
            Self::copies(size)
                && first.is_multiple_of(64)
                && bytes <= self.len.saturating_sub(first) * size
        );
        &self.words[first / 64..]
    }

    pub(crate) fn counts(&self) -> Counts {
        // SAFETY: by the invariant of `isa`, the processor supports the instructions.
        unsafe { for_isa!(self.isa, count(&self.words)) }
    }

    /// Calls `run(start, len)` for each run of consecutive true elements.
    pub(crate) fn each_run(&self, mut run: impl FnMut(usize, usize)) {
        let (mut start, mut last) = (None, 0);
        let mut edge = |position: usize| match start.take() {
            None => start = Some(position),
            Some(start) => run(start, position - start),
        };
        for (i, &word) in self.words.iter().enumerate() {
            let mut edges = edges_of(word, last);
            while edges != 0 {
                edge(64 * i + edges.trailing_zeros() as usize);
                edges &= edges - 1;
            }
            last = word;
        }
        if last >> 63 == 1 {
            edge(self.len);
        }
    }

    /// Returns the positions of the true elements. `counts` is the result of [`counts`](Self::counts). Every position
    /// must fit in 32 bits.
    pub(crate) fn positions_u32(&self, counts: &Counts) -> Vec<u32> {
        let mut positions = Vec::with_capacity(counts.trues + kernels::RESERVED_POSITIONS);
        // SAFETY: by the invariant of `isa`, the processor supports the instructions.
        unsafe { for_isa!(self.isa, positions(&self.words, &mut positions)) };
        positions
    }

    /// Returns the positions of the true elements, one after the other.
    pub(crate) fn each_position(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let words = iter::successors(Some(word), |&left| Some(left & left.wrapping_sub(1)));
            let left = words.take_while(|&left| left != 0);
            left.map(move |left| 64 * i + left.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{Bits, detect};
    use crate::processor::isa::InstructionSet;
    use crate::random::Random;
    use alloc::vec;
    use alloc::vec::Vec;
    use core::mem::MaybeUninit;

    /// Writes one byte for each number from `first` on.
    fn write(to: &mut [MaybeUninit<u8>], first: usize) {
        for (i, byte) in (first..).zip(to) {
            *byte = MaybeUninit::new(((i * 7) ^ (i >> 8)) as u8);
        }
    }

    /// Copies, fills and filters elements of `size` bytes with every instruction set. `strided` has room for all elements, and
    /// `dense` for those that the mask selects.
    pub(crate) fn check_elements(
        mask: &[bool],
        size: usize,
        strided: &mut [MaybeUninit<u8>],
        dense: &mut [MaybeUninit<u8>],
    ) {
        let read = |bytes: &[MaybeUninit<u8>]| -> Vec<u8> {
            // SAFETY: all buffers are initialized.
            bytes.iter().map(|x| unsafe { x.assume_init() }).collect()
        };
        let trues: Vec<usize> = (0..mask.len()).filter(|&i| mask[i]).collect();
        write(strided, 0);
        let input = read(strided);
        let kept = trues.iter().flat_map(|&i| &input[i * size..][..size]);
        let kept: Vec<u8> = kept.copied().collect();
        for isa in InstructionSet::ALL {
            if !detect(None).includes(isa) {
                continue;
            }
            let bits = Bits::pack_with_limit(mask, Some(isa));
            write(strided, 0);
            write(dense, 5);
            // SAFETY: both buffers are initialized.
            let copied = unsafe { bits.compress(0, size, strided, dense) };
            assert!(
                copied == trues.len() && read(dense) == kept,
                "{isa:?} {size}"
            );
            write(dense, 5);
            let values = read(dense);
            let (mut expanded, mut filled) = (input.clone(), input.clone());
            for (&i, value) in trues.iter().zip(values.chunks(size)) {
                expanded[i * size..][..size].copy_from_slice(value);
                filled[i * size..][..size].copy_from_slice(&values[values.len() - size..]);
            }
            // SAFETY: both buffers are initialized.
            let copied = unsafe { bits.expand(0, size, dense, strided) };
            assert!(
                copied == trues.len() && read(strided) == expanded,
                "{isa:?} {size}"
            );
            write(strided, 0);
            if let Some(value) = dense.rchunks(size).next() {
                // SAFETY: both buffers are initialized.
                unsafe { bits.fill(0, value, strided) };
            }
            assert!(read(strided) == filled, "{isa:?} {size}");
            #[cfg(feature = "py")]
            if mask.len().is_multiple_of(64) {
                use super::filter;

                write(strided, 0);
                let mask = mask.as_chunks().0;
                let select = |k: usize, selected: &mut [bool; 64]| *selected = mask[k];
                macro_rules! filter {
                    ($int:ty) => {
                        // SAFETY: all buffers are initialized, and every pattern of bits is an integer.
                        unsafe { filter::<$int>(select, strided, dense, Some(isa)) }
                    };
                }
                let len = match size {
                    1 => filter!(u8),
                    2 => filter!(u16),
                    4 => filter!(u32),
                    _ => filter!(u64),
                };
                assert!(len == trues.len() && read(dense) == kept, "{isa:?} {size}");
            }
        }
    }

    #[test]
    fn every_instruction_set_copies_the_same_elements() {
        let mut random = Random(4);
        for len in [0, 1, 7, 63, 64, 65, 127, 128, 129, 511, 640, 1300] {
            for share in [0, 1, 30, 130, 500, 900, 990, 999, 1000] {
                if cfg!(miri) && !([7, 64, 65, 129].contains(&len) && [500, 1000].contains(&share))
                {
                    continue;
                }
                let mask: Vec<bool> = (0..len).map(|_| random.below(1000) < share).collect();
                let trues = mask.iter().filter(|&&is_true| is_true).count();
                for size in [1, 2, 4, 8] {
                    let [strided, dense] =
                        &mut [len, trues].map(|len| vec![MaybeUninit::new(0); len * size]);
                    check_elements(&mask, size, strided, dense);
                }
            }
        }
    }

    #[test]
    fn every_instruction_set_finds_the_same_positions() {
        let mut random = Random(3);
        for len in [0, 1, 63, 64, 65, 511, 512, 513, 2000] {
            for share in [0, 1, 30, 90, 130, 200, 500, 999, 1000] {
                if cfg!(miri) && len > 600 {
                    continue;
                }
                let mask: Vec<bool> = (0..len).map(|_| random.below(1000) < share).collect();
                let expected: Vec<usize> = (0..len).filter(|&i| mask[i]).collect();
                let starts = |&i: &usize| i == 0 || !mask[i - 1];
                let runs = expected.iter().filter(|i| starts(i)).count();
                for isa in InstructionSet::ALL {
                    if !detect(None).includes(isa) {
                        continue;
                    }
                    let bits = Bits::pack_with_limit(&mask, Some(isa));
                    let word = |i: usize| bits.words[i / 64] >> (i % 64) & 1 == 1;
                    assert!(
                        (0..len).all(|i| word(i) == mask[i]),
                        "{isa:?} {len} {share}"
                    );
                    let counts = bits.counts();
                    assert_eq!(
                        (counts.trues, counts.runs),
                        (expected.len(), runs),
                        "{isa:?}"
                    );
                    let positions = bits.positions_u32(&counts);
                    let positions: Vec<usize> = positions.iter().map(|&k| k as usize).collect();
                    assert_eq!(positions, expected, "{isa:?} {len} {share}");
                    assert!(bits.each_position().eq(expected.iter().copied()));
                    let mut positions = Vec::new();
                    bits.each_run(|start, len| positions.extend(start..start + len));
                    assert_eq!(positions, expected);
                }
            }
        }
    }
}
