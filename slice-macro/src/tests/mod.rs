//! The pipeline over tokens made without a compiler.

mod random;
mod snapshots;
mod translated;
mod valid;

use proc_macro2::TokenStream;
use quote::quote;

use crate::encode::{Encoded, encode};
use crate::mistake::Mistakes;
use crate::{check, emit, split};

/// The expansion, and what led to it.
struct Outcome {
    encoded: Encoded,
    mistakes: Vec<String>,
    tokens: TokenStream,
}

fn run(items: TokenStream) -> Outcome {
    let mut mistakes = Mistakes::default();
    let items = check::items(split::split_items(items), &mut mistakes);
    let encoded = encode(items);
    let tokens = emit::expression(quote!(::slice_core), &encoded, &mistakes);
    let mistakes = mistakes
        .iter()
        .map(|mistake| mistake.text.clone())
        .collect();
    Outcome {
        encoded,
        mistakes,
        tokens,
    }
}

/// Numbers that look random and are the same on every run (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }
}
