//! Functions on packed masks, in which each bit is an element. The functions are written once, and compiled for each
//! instruction set that makes them faster.

use alloc::vec::Vec;
use core::mem::MaybeUninit;

/// The number of set bits, and the number of runs of consecutive set bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) trues: usize,
    pub(crate) runs: usize,
}

/// Packs 64 elements into a word.
#[inline(always)]
pub(super) fn word(mask: &[bool; 64]) -> u64 {
    if mask.iter().fold(0, |any, &x| any | u8::from(x)) == 0 {
        return 0;
    }
    let eights = mask.as_chunks::<8>().0.iter().rev();
    eights.fold(0, |word, eight| {
        // The multiplication by bit 56 - 7 k of the constant moves byte k to bit k of the highest byte. No other
        // partial product falls into this byte.
        let eight = u64::from_le_bytes(eight.map(u8::from));
        word << 8 | eight.wrapping_mul(0x0102_0408_1020_4080) >> 56
    })
}

/// Counts the set bits, and the runs of consecutive set bits. If `skips_zeros` is true, words without set bits are
/// skipped unless a run ends there, which saves time if no instruction counts the set bits of a word.
#[inline(always)]
pub(super) fn count(words: &[u64], skips_zeros: bool) -> Counts {
    let [first, rest @ ..] = words else {
        return Counts { trues: 0, runs: 0 };
    };
    let (mut trues, mut edges) = (
        u64::from(first.count_ones()),
        u64::from(edges_of(*first, 0).count_ones()),
    );
    // Each step depends only on two words, so that the compiler can vectorize the loop.
    for (&last, &word) in words.iter().zip(rest) {
        if skips_zeros && word == 0 && last >> 63 == 0 {
            continue;
        }
        trues += u64::from(word.count_ones());
        edges += u64::from(edges_of(word, last).count_ones());
    }
    // A run that reaches the end of the words has no edge there, so one edge is added.
    let open = words.last().map_or(0, |last| last >> 63);
    Counts {
        trues: trues as usize,
        runs: ((edges + open) / 2) as usize,
    }
}

/// Returns a word in which a bit is set if and only if the same bit of `word` differs from the bit before it. `last` is
/// the word before.
#[inline(always)]
pub(super) const fn edges_of(word: u64, last: u64) -> u64 {
    word ^ (word << 1 | last >> 63)
}

/// The number of words for which memory is reserved at a time.
const WORDS_PER_RESERVATION: usize = 8;

/// The number of positions for which memory is reserved before each `WORDS_PER_RESERVATION` words. If the capacity of
/// the vector exceeds its final length by at least this number, the vector is never reallocated.
pub(super) const RESERVED_POSITIONS: usize = WORDS_PER_RESERVATION * 64 + MAX_EXCESS_POSITIONS;

/// The maximum number of elements that may be written after the last valid position. They are overwritten later, or are
/// not part of the result.
const MAX_EXCESS_POSITIONS: usize = 16;

/// Memory for the positions of a word, and for the elements that may be written after them.
pub(super) type WordPositions = [MaybeUninit<u32>; 64 + MAX_EXCESS_POSITIONS];

/// The maximum number of set bits in a word whose set bits are located one by one. For words with more set bits,
/// [`positions_of_word`], which uses a table, is faster.
pub(super) const MAX_ONES_WITHOUT_TABLE: u32 = 12;

/// Appends the positions of all set bits. In words with at most `max_ones_for_loop` set bits, a loop locates the set
/// bits one by one. For each other word, `positions_of_word` writes the positions of the set bits and returns their
/// number. The second argument of `positions_of_word` is the position of the word's first bit.
///
/// # Safety
///
/// * `positions_of_word` must initialize at least the first `n` elements of the [`WordPositions`], where `n` is the
///   number that it returns.
#[inline(always)]
pub(super) unsafe fn positions(
    words: &[u64],
    max_ones_for_loop: u32,
    positions_of_word: impl Fn(u64, u32, &mut WordPositions) -> usize,
    output: &mut Vec<u32>,
) {
    for (i, words) in words.chunks(WORDS_PER_RESERVATION).enumerate() {
        if words.iter().fold(0, |any, word| any | word) == 0 {
            continue;
        }
        output.reserve(RESERVED_POSITIONS);
        let (spare, mut next) = (output.spare_capacity_mut(), 0);
        for (j, &word) in words.iter().enumerate().filter(|(_, word)| **word != 0) {
            let start = (64 * (WORDS_PER_RESERVATION * i + j)) as u32;
            let Some(to) = spare[next..].first_chunk_mut() else {
                unreachable!("the vector has room for 64 elements per word")
            };
            next += match word.count_ones() <= max_ones_for_loop {
                true => positions_one_by_one(word, start, to),
                false => positions_of_word(word, start, to),
            };
        }
        // SAFETY: `next` positions have been written, without gaps between the positions of different words.
        unsafe { output.set_len(output.len() + next) };
    }
}

/// Writes the positions of the set bits of a word, one by one, and returns their number. `start` is the position of the
/// word's first bit.
#[inline(always)]
fn positions_one_by_one(word: u64, start: u32, to: &mut WordPositions) -> usize {
    let (mut left, mut next) = (word, 0);
    while left != 0 {
        to[next].write(start + left.trailing_zeros());
        next += 1;
        left &= left - 1;
    }
    next
}

/// Writes the positions of the set bits of a word, eight bits at a time, and returns their number. `start` is the
/// position of the word's first bit.
#[inline(always)]
pub(super) fn positions_of_word(word: u64, start: u32, to: &mut WordPositions) -> usize {
    let mut next = 0;
    for (k, byte) in word.to_le_bytes().into_iter().enumerate() {
        let Some(eight) = to[next..].first_chunk_mut::<8>() else {
            unreachable!("`to` has room for the positions of all 64 bits and for 16 more")
        };
        let byte = usize::from(byte);
        *eight = shifted(POSITIONS_OF_BYTE[byte], start + 8 * k as u32).map(MaybeUninit::new);
        next += usize::from(ONES_OF_BYTE[byte]);
    }
    next
}

/// Adds `by` to all positions. This function receives the array by value and does not check for overflow, so that the
/// compiler can vectorize the additions.
#[inline(always)]
fn shifted(mut positions: [u32; 8], by: u32) -> [u32; 8] {
    positions
        .iter_mut()
        .for_each(|position| *position = position.wrapping_add(by));
    positions
}

/// The number of set bits in each possible byte.
pub(super) static ONES_OF_BYTE: [u8; 256] = {
    let (mut all, mut byte) = ([0; 256], 0_usize);
    while byte < 256 {
        all[byte] = byte.count_ones() as u8;
        byte += 1;
    }
    all
};

/// The positions of the set bits in each possible byte, followed by unused zeros.
pub(super) static POSITIONS_OF_BYTE: [[u32; 8]; 256] = {
    let mut all = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut next, mut bit) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                all[byte][next] = bit;
                next += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    all
};
