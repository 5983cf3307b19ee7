//! The search for the true positions of a mask, 64 elements at a time.

use alloc::vec::Vec;

use crate::copy::bits::{pack, word};

/// A mask with one bit per element.
pub(super) struct Bits {
    /// The elements, from the lowest bit of each word. Zeros follow the last element.
    words: Vec<u64>,
    len: usize,
}

/// The number of true elements of a mask, and of runs of true elements.
pub(super) struct Census {
    pub(super) trues: usize,
    pub(super) runs: usize,
}

/// The number of words whose positions are found at a time.
const PART: usize = 8;

/// The largest number of true elements in a word that are found one by one. Above it, finding eight at a time is
/// faster.
const FEW: u32 = 12;

/// The number of true elements for each pattern of eight.
static COUNTS: [u8; 256] = {
    let (mut all, mut byte) = ([0; 256], 0_usize);
    while byte < 256 {
        all[byte] = byte.count_ones() as u8;
        byte += 1;
    }
    all
};

/// The places of the true elements for each pattern of eight, followed by arbitrary places.
static PLACES: [[u32; 8]; 256] = places();

const fn places() -> [[u32; 8]; 256] {
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
}

impl Bits {
    pub(super) fn of(mask: &[bool]) -> Self {
        let (whole, rest) = mask.as_chunks::<64>();
        let mut words = Vec::with_capacity(mask.len().div_ceil(64));
        pack(whole, &mut words);
        if !rest.is_empty() {
            let mut last = [false; 64];
            last[..rest.len()].copy_from_slice(rest);
            words.push(word(&last));
        }
        Bits {
            words,
            len: mask.len(),
        }
    }

    pub(super) fn census(&self) -> Census {
        let (mut trues, mut edges, mut last) = (0, 0, false);
        for &word in &self.words {
            // A long run of false elements has nothing to count.
            if word == 0 && !last {
                continue;
            }
            trues += word.count_ones() as usize;
            edges += edges_of(word, last).count_ones() as usize;
            last = word >> 63 == 1;
        }
        Census {
            trues,
            // The last run may reach the end of the mask.
            runs: (edges + usize::from(last)) / 2,
        }
    }

    /// Calls `run(start, len)` for each run of true elements.
    pub(super) fn each_run(&self, mut run: impl FnMut(usize, usize)) {
        let (mut start, mut last) = (None, false);
        let mut edge = |at: usize| match start.take() {
            None => start = Some(at),
            Some(start) => run(start, at - start),
        };
        for (i, &word) in self.words.iter().enumerate() {
            let mut edges = edges_of(word, last);
            while edges != 0 {
                edge(64 * i + edges.trailing_zeros() as usize);
                edges &= edges - 1;
            }
            last = word >> 63 == 1;
        }
        if last {
            edge(self.len);
        }
    }

    /// Returns the positions of the true elements, which `census` has counted. The length of the mask must fit 32 bits.
    pub(super) fn narrow(&self, census: &Census) -> Vec<u32> {
        let mut positions = Vec::with_capacity(census.trues);
        // The places of false elements are written too, and overwritten later, but never beyond this buffer.
        let mut part = [0; PART * 64 + 8];
        for (i, words) in self.words.chunks(PART).enumerate() {
            let (mut next, first) = (0, i * PART * 64);
            for (j, &word) in words.iter().enumerate().filter(|(_, word)| **word != 0) {
                let at = (first + 64 * j) as u32;
                if word.count_ones() <= FEW {
                    let mut left = word;
                    while left != 0 {
                        part[next] = at + left.trailing_zeros();
                        next += 1;
                        left &= left - 1;
                    }
                    continue;
                }
                for (k, byte) in word.to_le_bytes().into_iter().enumerate() {
                    let Some(to) = part[next..].first_chunk_mut::<8>() else {
                        unreachable!("the part has room for each element of so many words")
                    };
                    let byte = usize::from(byte);
                    *to = moved(PLACES[byte], at + 8 * k as u32);
                    next += usize::from(COUNTS[byte]);
                }
            }
            positions.extend_from_slice(&part[..next]);
        }
        positions
    }

    /// Returns the positions of the true elements of a mask of any length.
    pub(super) fn wide(&self, census: &Census) -> Vec<usize> {
        let mut positions = Vec::with_capacity(census.trues);
        for (i, &word) in self.words.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                positions.push(64 * i + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
        positions
    }
}

/// Adds `by` to all places. It takes the array by value and does not check for overflow, so that the compiler
/// vectorizes the additions.
#[inline(always)]
fn moved(mut places: [u32; 8], by: u32) -> [u32; 8] {
    places
        .iter_mut()
        .for_each(|place| *place = place.wrapping_add(by));
    places
}

/// Returns the places at which the mask changes.
#[inline(always)]
const fn edges_of(word: u64, last: bool) -> u64 {
    word ^ (word << 1 | last as u64)
}
