//! Copies the elements selected by a packed mask to or from a dense buffer, and fills them. The functions in this module
//! are portable. Elements are arrays of bytes.

use core::mem::MaybeUninit;

/// A byte of an element.
pub(super) type Byte = MaybeUninit<u8>;

/// Functions on the elements that a packed mask selects. The second argument is the size of an element in bytes: 1, 2,
/// 4 or 8. The lengths of buffers are in bytes. Set bits that have no element in one of the buffers are ignored.
pub(super) struct ElementKernels {
    /// Copies the selected elements of the first buffer to the second buffer, where they are contiguous.
    pub(super) compress: unsafe fn(&[u64], usize, &[Byte], &mut [Byte]),
    /// Copies the contiguous elements of the first buffer to the selected elements of the second buffer.
    pub(super) expand: unsafe fn(&[u64], usize, &[Byte], &mut [Byte]),
    /// Copies the element in the first buffer to all selected elements of the second buffer.
    pub(super) fill: unsafe fn(&[u64], usize, &[Byte], &mut [Byte]),
}

/// Defines functions for elements of 1, 2, 4 and 8 bytes, compiled with the given attributes, that call `$function` with
/// the size of an element as a constant.
macro_rules! for_each_size {
    ($(#[$attribute:meta])* $visibility:vis $name:ident => $function:ident) => {
        $(#[$attribute])*
        $visibility fn $name(words: &[u64], size: usize, from: &[Byte], to: &mut [Byte]) {
            match size {
                1 => $function::<1>(words, from, to),
                2 => $function::<2>(words, from, to),
                4 => $function::<4>(words, from, to),
                8 => $function::<8>(words, from, to),
                _ => unreachable!("the caller checks the size of an element"),
            }
        }
    };
}
pub(super) use for_each_size;

for_each_size! { pub(super) compress => compress_elements }
for_each_size! { pub(super) expand => expand_elements }
for_each_size! { pub(super) fill => fill_elements }

/// The functions, compiled for the baseline instructions of the target.
pub(super) const PORTABLE: ElementKernels = ElementKernels {
    compress,
    expand,
    fill,
};

/// The maximum number of set bits in a word whose elements are copied one by one. For words with more set bits, copying
/// all 64 elements is faster.
const MAX_ONES_ONE_BY_ONE: u32 = 16;

/// Calls `bit` with the number of each set bit of a word.
#[inline(always)]
pub(super) fn each_bit(word: u64, mut bit: impl FnMut(usize)) {
    let mut left = word;
    while left != 0 {
        bit(left.trailing_zeros() as usize);
        left &= left - 1;
    }
}

/// Copies the elements selected by one word, one by one, to the front of `to`. Returns the number of copied elements.
#[inline(always)]
pub(super) fn compress_one_by_one<const N: usize>(
    word: u64,
    from: &[[Byte; N]],
    to: &mut [[Byte; N]],
) -> usize {
    let mut next = 0;
    each_bit(word, |bit| {
        if let (Some(from), Some(to)) = (from.get(bit), to.get_mut(next)) {
            *to = *from;
            next += 1;
        }
    });
    next
}

/// Copies elements from the front of `from` to the elements of `to` that one word selects, one by one. Returns the number
/// of copied elements.
#[inline(always)]
pub(super) fn expand_one_by_one<const N: usize>(
    word: u64,
    from: &[[Byte; N]],
    to: &mut [[Byte; N]],
) -> usize {
    let mut next = 0;
    each_bit(word, |bit| {
        if let (Some(from), Some(to)) = (from.get(next), to.get_mut(bit)) {
            *to = *from;
            next += 1;
        }
    });
    next
}

/// Copies all 64 elements, one after the other. An element that is not selected is overwritten by the next one.
#[inline(always)]
fn compress_elements<const N: usize>(words: &[u64], from: &[Byte], to: &mut [Byte]) {
    let (from, to) = (from.as_chunks::<N>().0, to.as_chunks_mut::<N>().0);
    let mut next = 0;
    for (&word, from) in words.iter().zip(from.chunks(64)) {
        let to = &mut to[next..];
        next += match (from.first_chunk::<64>(), to.first_chunk_mut::<64>()) {
            (Some(from), Some(to)) if word.count_ones() > MAX_ONES_ONE_BY_ONE => {
                let mut next = 0;
                for (bit, from) in from.iter().enumerate() {
                    // At most one element is kept for each bit, so `next` is at most `bit`, which is less than 64.
                    to[next % 64] = *from;
                    next += (word >> bit & 1) as usize;
                }
                next
            }
            _ => compress_one_by_one(word, from, to),
        };
    }
}

/// Visits all 64 elements, and replaces those that are selected.
#[inline(always)]
pub(super) fn expand_elements<const N: usize>(words: &[u64], from: &[Byte], to: &mut [Byte]) {
    let (from, to) = (from.as_chunks::<N>().0, to.as_chunks_mut::<N>().0);
    let mut next = 0;
    for (&word, to) in words.iter().zip(to.chunks_mut(64)) {
        let from = &from[next..];
        next += match (from.first_chunk::<64>(), to.first_chunk_mut::<64>()) {
            (Some(from), Some(to)) if word.count_ones() > MAX_ONES_ONE_BY_ONE => {
                let mut next = 0;
                for (bit, to) in to.iter_mut().enumerate() {
                    let is_selected = word >> bit & 1 == 1;
                    // At most one element is copied for each bit, so `next` is at most `bit`, which is less than 64.
                    *to = if is_selected { from[next % 64] } else { *to };
                    next += usize::from(is_selected);
                }
                next
            }
            _ => expand_one_by_one(word, from, to),
        };
    }
}

/// Visits all 64 elements, and replaces those that are selected.
#[inline(always)]
pub(super) fn fill_elements<const N: usize>(words: &[u64], from: &[Byte], to: &mut [Byte]) {
    let Some(value) = from.first_chunk::<N>() else {
        return;
    };
    for (&word, to) in words.iter().zip(to.as_chunks_mut::<N>().0.chunks_mut(64)) {
        match to.first_chunk_mut::<64>() {
            Some(to) if word.count_ones() > MAX_ONES_ONE_BY_ONE => {
                for (bit, to) in to.iter_mut().enumerate() {
                    *to = if word >> bit & 1 == 1 { *value } else { *to };
                }
            }
            _ => each_bit(word, |bit| {
                if let Some(to) = to.get_mut(bit) {
                    *to = *value;
                }
            }),
        }
    }
}

/// For each possible byte of a mask, the shuffle that moves the selected elements of `LEN / 8` bytes to the front of a
/// vector of `LEN` bytes. The bytes after them have no meaning.
#[allow(dead_code, reason = "only some instruction sets use the tables")]
pub(super) const fn shuffles<const LEN: usize>() -> [[u8; LEN]; 256] {
    let size = LEN / 8;
    let mut all = [[0; LEN]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut next, mut bit) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                let mut k = 0;
                while k < size {
                    all[byte][next] = (bit * size + k) as u8;
                    next += 1;
                    k += 1;
                }
            }
            bit += 1;
        }
        byte += 1;
    }
    all
}
