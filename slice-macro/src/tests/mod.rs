//! Tests the steps of the expansion with tokens that are created without the compiler.

#[cfg(feature = "py")]
mod advice;
mod random;
mod snapshots;
#[cfg(feature = "py")]
mod tokens;
mod translated;
mod valid;

use proc_macro2::{TokenStream, TokenTree};

use crate::encode::{Encoded, encode};
use crate::mistake::Mistakes;
use crate::{check, emit, slice_core, split, writer};

/// An expansion, and the results of the steps before it.
struct Outcome {
    encoded: Encoded,
    mistakes: Vec<String>,
    tokens: TokenStream,
}

fn run(items: TokenStream) -> Outcome {
    let mut mistakes = Mistakes::default();
    let items: Vec<TokenTree> = items.into_iter().collect();
    let encoded = encode(check::items(
        split::split_items(&items),
        &mut Mistakes::default(),
    ));
    let items = check::items(split::split_items(&items), &mut mistakes);
    let tokens = writer::stream(emit::expression(&slice_core(), items, &mistakes));
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

/// Returns a random value from a list.
fn pick<T: Clone>(random: &mut fastrand::Rng, from: &[T]) -> T {
    from[random.usize(..from.len())].clone()
}
