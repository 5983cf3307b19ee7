//! Expands a slice, given as tokens or as items, to an expression.

#[cfg(feature = "py")]
use proc_macro2::TokenStream;
use proc_macro2::TokenTree;

use crate::mistake::Mistakes;
use crate::split::{RawItem, split_items};
use crate::writer::Krate;
use crate::{check, comments, emit};

/// Returns the expansion of `s![tokens]`.
pub fn tokens(krate: &Krate, tokens: &[TokenTree]) -> Vec<TokenTree> {
    let (comments, tokens) = comments::mistakes(tokens);
    slice_unless_mistakes(krate, split_items(&tokens), comments)
}

/// Returns the expansion of `s![items]`, which reports the mistakes in the items.
#[cfg(feature = "py")]
pub fn slice(krate: &Krate, items: Vec<RawItem>) -> Vec<TokenTree> {
    slice_unless_mistakes(krate, items, Mistakes::default())
}

/// Returns the expansion of `s![items]`, which reports the mistakes in `before` or, if there are none, the mistakes in
/// the items. The mistakes in `before` may have caused those in the items.
fn slice_unless_mistakes(krate: &Krate, items: Vec<RawItem>, before: Mistakes) -> Vec<TokenTree> {
    let mut mistakes = Mistakes::default();
    let items = check::items(items, &mut mistakes);
    let mistakes = if before.is_empty() { mistakes } else { before };
    emit::expression(krate, items, &mistakes)
}

/// Returns an error for each mistake in the items, but no value. `py!` calls this function if its other tokens cannot
/// be parsed.
#[cfg(feature = "py")]
pub fn mistakes(items: Vec<RawItem>) -> TokenStream {
    let mut mistakes = Mistakes::default();
    check::items(items, &mut mistakes);
    emit::compile_errors(&mistakes)
}
