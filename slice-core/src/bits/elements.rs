//! Copies the elements selected by a packed mask to or from a dense buffer, and fills them. The functions in this module
//! are portable. Elements are arrays of bytes.

use core::mem::MaybeUninit;

/// A byte of an element.
pub(super) type Byte = MaybeUninit<u8>;

/// The 64 elements of a word of the mask.
pub(super) type WordElements<const N: usize> = [[Byte; N]; 64];

/// The number of words that `filter` computes before it copies the elements that they select. A `bool` is written a while
/// before it is read as a part of a whole vector, because a processor delays reading a vector if its parts were just written.
#[cfg(feature = "py")]
pub(super) const WORDS_PER_BLOCK: usize = 32;

/// Defines functions on the elements that a packed mask selects, compiled with the given attributes. For each word, they call
/// functions for elements of 1, 2, 4 or 8 bytes.
///
/// `compress` copies the selected elements of `from` to `to`, where they are contiguous, and returns their number. `expand`
/// copies the contiguous elements of `from` to the selected elements of `to`, and returns their number. `fill` copies the
/// element `from` to all selected elements of `to`. `size` is the size of an element in bytes: 1, 2, 4 or 8. Each buffer should
/// have an element for each set bit. If one has fewer elements, the copied values are unspecified, but no memory outside the
/// buffers is accessed.
///
/// `filter` copies the selected elements of `from`, a multiple of 64, to `to`, and returns their number. The elements are
/// plain values of type `T`. `select(k, selected)` writes whether the elements `64 * k` to `64 * k + 63` are selected, and
/// `$word` packs the result.
///
/// # Safety
///
/// * The bytes of all buffers, except `to` of `compress` and `filter`, must be initialized.
macro_rules! element_kernels {
    ($(#[$attribute:meta])* max_ones: $max_ones:expr, $word:ident, $compress:ident, $expand:ident, $fill:ident) => {
        $(#[$attribute])*
        pub(in crate::bits) unsafe fn compress(words: &[u64], size: usize, from: &[Byte], to: &mut [Byte]) -> usize {
            element_kernels!(size, compress, words, from, to, $max_ones, $compress, 1 2 4 8)
        }

        $(#[$attribute])*
        pub(in crate::bits) unsafe fn expand(words: &[u64], size: usize, from: &[Byte], to: &mut [Byte]) -> usize {
            element_kernels!(size, expand, words, from, to, $max_ones, $expand, 1 2 4 8)
        }

        $(#[$attribute])*
        pub(in crate::bits) unsafe fn fill(words: &[u64], size: usize, from: &[Byte], to: &mut [Byte]) {
            element_kernels!(size, fill, words, from, to, $max_ones, $fill, 1 2 4 8)
        }

        #[cfg(feature = "py")]
        $(#[$attribute])*
        pub(in crate::bits) unsafe fn filter<T>(
            select: impl Fn(usize, &mut [bool; 64]),
            from: &[Byte],
            to: &mut [Byte],
        ) -> usize {
            const WORDS: usize = $crate::bits::elements::WORDS_PER_BLOCK;
            let (mut copied, mut selected, mut words) = (0, [[false; 64]; WORDS], [0; WORDS]);
            for (block, from) in from.chunks(WORDS * 64 * size_of::<T>()).enumerate() {
                let selected = &mut selected[..from.len() / (64 * size_of::<T>())];
                for (k, selected) in selected.iter_mut().enumerate() {
                    select(WORDS * block + k, selected);
                }
                for (word, selected) in words.iter_mut().zip(&*selected) {
                    *word = $word(selected);
                }
                let (words, to) = (&words, &mut to[copied * size_of::<T>()..]);
                copied += element_kernels!(
                    const { size_of::<T>() }, compress, words, from, to, $max_ones, $compress, 1 2 4 8
                );
            }
            copied
        }
    };
    ($size:expr, $name:ident, $words:ident, $from:ident, $to:ident, $max_ones:expr, $of_word:ident, $($N:literal)*) => {
        match $size {
            $($N => $crate::bits::elements::$name($words, $from, $to, $max_ones, |word, from, to| {
                // The closure is compiled with the attributes of the function.
                // SAFETY: the caller guarantees that the bytes are initialized, and the bytes of padding are zeros.
                #[allow(unused_unsafe, reason = "the portable functions are safe")]
                unsafe { $of_word::<$N>(word, from, to) }
            }),)*
            _ => unreachable!("the caller checks the size of an element"),
        }
    };
}
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) use element_kernels;

/// The functions, compiled for the baseline instructions of the target.
pub(super) mod portable {
    use alloc::vec::Vec;

    use super::super::kernels::{self, Counts, MAX_ONES_WITHOUT_TABLE, positions_of_word, word};
    use super::{Byte, compress_word, expand_word, fill_word};

    /// Appends a word for every 64 elements. The lowest bit represents the first element.
    pub(in crate::bits) fn pack(mask: &[[bool; 64]], words: &mut Vec<u64>) {
        words.extend(mask.iter().map(word));
    }

    /// Counts the set bits, and the runs of consecutive set bits.
    pub(in crate::bits) fn count(words: &[u64]) -> Counts {
        kernels::count(words, true)
    }

    /// Appends the positions of the set bits, which must fit in 32 bits.
    pub(in crate::bits) fn positions(words: &[u64], output: &mut Vec<u32>) {
        // SAFETY: `positions_of_word` initializes at least the first `n` elements, where `n` is the number that it returns.
        unsafe { kernels::positions(words, MAX_ONES_WITHOUT_TABLE, positions_of_word, output) }
    }

    element_kernels! { max_ones: 16, word, compress_word, expand_word, fill_word }
}

/// Copies the elements of `from` that `words` selects to `to`, and returns their number. For each word with more than
/// `max_ones` set bits, `of_word` copies the selected elements to the front of an array, may write other elements after
/// them, and returns their number. The elements of other words are copied one by one.
#[inline(always)]
pub(super) fn compress<const N: usize>(
    words: &[u64],
    from: &[Byte],
    to: &mut [Byte],
    max_ones: u32,
    of_word: impl Fn(u64, &WordElements<N>, &mut WordElements<N>) -> usize,
) -> usize {
    let (from, to) = (from.as_chunks::<N>().0, to.as_chunks_mut::<N>().0);
    let (whole, rest) = from.as_chunks::<64>();
    let mut next = 0;
    for (from, &word) in whole.iter().zip(words) {
        let to = &mut to[next..];
        next += if word.count_ones() <= max_ones {
            compress_one_by_one(word, from, to)
        } else if let Some(to) = to.first_chunk_mut() {
            of_word(word, from, to)
        } else {
            compress_front(word, from, to, &of_word)
        };
    }
    if !rest.is_empty()
        && let Some(&word) = words.get(whole.len())
    {
        let to = &mut to[next..];
        next += if word.count_ones() <= max_ones {
            compress_one_by_one(word, rest, to)
        } else if word.trailing_ones() as usize == rest.len() && rest.len() <= to.len() {
            to[..rest.len()].copy_from_slice(rest);
            rest.len()
        } else {
            compress_front(word, &padded(rest), to, of_word)
        };
    }
    next
}

/// Copies the selected elements of a word one by one, at most as many as `to` has.
#[inline(always)]
fn compress_one_by_one<const N: usize>(
    word: u64,
    from: &[[Byte; N]],
    to: &mut [[Byte; N]],
) -> usize {
    let mut copied = 0;
    each_bit(word, |bit| {
        if let (Some(from), Some(to)) = (from.get(bit), to.get_mut(copied)) {
            *to = *from;
            copied += 1;
        }
    });
    copied
}

/// Copies the selected elements of a word, at most as many as `to` has.
#[inline(always)]
fn compress_front<const N: usize>(
    word: u64,
    from: &WordElements<N>,
    to: &mut [[Byte; N]],
    of_word: impl Fn(u64, &WordElements<N>, &mut WordElements<N>) -> usize,
) -> usize {
    let mut front = zeros();
    let copied = of_word(word, from, &mut front).min(to.len());
    to[..copied].copy_from_slice(&front[..copied]);
    copied
}

/// Copies the elements of `from` to the selected elements of `to`, and returns their number. For each word with more than
/// `max_ones` set bits, `of_word` copies elements from the front of an array, and returns their number. The elements of other
/// words are copied one by one.
#[inline(always)]
pub(super) fn expand<const N: usize>(
    words: &[u64],
    from: &[Byte],
    to: &mut [Byte],
    max_ones: u32,
    of_word: impl Fn(u64, &WordElements<N>, &mut WordElements<N>) -> usize,
) -> usize {
    let (from, to) = (from.as_chunks::<N>().0, to.as_chunks_mut::<N>().0);
    let mut next = 0;
    for (&word, to) in words.iter().zip(to.chunks_mut(64)) {
        let from = &from[next..];
        if word.count_ones() <= max_ones {
            let mut copied = 0;
            each_bit(word, |bit| {
                if let (Some(from), Some(to)) = (from.get(copied), to.get_mut(bit)) {
                    *to = *from;
                    copied += 1;
                }
            });
            next += copied;
        } else if let (Some(from), Some(to)) = (from.first_chunk(), to.first_chunk_mut()) {
            next += of_word(word, from, to);
        } else {
            let mut all = padded(to);
            next += of_word(word, &padded(from), &mut all).min(from.len());
            to.copy_from_slice(&all[..to.len()]);
        }
    }
    next
}

/// Copies the element `from` to the selected elements of `to`. For each word with more than `max_ones` set bits,
/// `of_word` fills the selected elements. The elements of other words are filled one by one.
#[inline(always)]
pub(super) fn fill<const N: usize>(
    words: &[u64],
    from: &[Byte],
    to: &mut [Byte],
    max_ones: u32,
    of_word: impl Fn(u64, &[Byte; N], &mut WordElements<N>),
) {
    let Some(value) = from.first_chunk::<N>() else {
        return;
    };
    for (&word, to) in words.iter().zip(to.as_chunks_mut::<N>().0.chunks_mut(64)) {
        if word.count_ones() <= max_ones {
            each_bit(word, |bit| {
                if let Some(to) = to.get_mut(bit) {
                    *to = *value;
                }
            });
        } else if let Some(to) = to.first_chunk_mut() {
            of_word(word, value, to);
        } else {
            let mut all = padded(to);
            of_word(word, value, &mut all);
            to.copy_from_slice(&all[..to.len()]);
        }
    }
}

/// Copies all elements of a word, and returns their number.
#[inline(always)]
pub(super) fn copy_all<const N: usize>(from: &WordElements<N>, to: &mut WordElements<N>) -> usize {
    *to = *from;
    to.len()
}

const fn zeros<const N: usize>() -> WordElements<N> {
    [[MaybeUninit::new(0); N]; 64]
}

/// Returns the first elements, at most 64, followed by zeros.
#[inline(always)]
fn padded<const N: usize>(elements: &[[Byte; N]]) -> WordElements<N> {
    let mut padded = zeros();
    let len = elements.len().min(64);
    padded[..len].copy_from_slice(&elements[..len]);
    padded
}

/// Calls `bit` with the number of each set bit of a word.
#[inline(always)]
fn each_bit(word: u64, mut bit: impl FnMut(usize)) {
    let mut left = word;
    while left != 0 {
        bit(left.trailing_zeros() as usize);
        left &= left - 1;
    }
}

/// Copies all 64 elements, one after the other. An element that is not selected is overwritten by the next one.
#[inline(always)]
fn compress_word<const N: usize>(
    word: u64,
    from: &WordElements<N>,
    to: &mut WordElements<N>,
) -> usize {
    if word == u64::MAX {
        return copy_all(from, to);
    }
    let mut next = 0;
    for (bit, from) in from.iter().enumerate() {
        // At most one element is kept for each bit, so `next` is at most `bit`, which is less than 64.
        to[next % 64] = *from;
        next += (word >> bit & 1) as usize;
    }
    next
}

/// Visits all 64 elements, and replaces those that are selected.
#[inline(always)]
fn expand_word<const N: usize>(
    word: u64,
    from: &WordElements<N>,
    to: &mut WordElements<N>,
) -> usize {
    if word == u64::MAX {
        return copy_all(from, to);
    }
    let mut next = 0;
    for (bit, to) in to.iter_mut().enumerate() {
        let is_selected = word >> bit & 1 == 1;
        // At most one element is copied for each bit, so `next` is at most `bit`, which is less than 64.
        *to = if is_selected { from[next % 64] } else { *to };
        next += usize::from(is_selected);
    }
    next
}

/// Visits all 64 elements, and replaces those that are selected.
#[inline(always)]
fn fill_word<const N: usize>(word: u64, value: &[Byte; N], to: &mut WordElements<N>) {
    for (bit, to) in to.iter_mut().enumerate() {
        *to = if word >> bit & 1 == 1 { *value } else { *to };
    }
}
