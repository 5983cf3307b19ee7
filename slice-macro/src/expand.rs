//! Expands one slice, from its tokens or its items, to an expression.

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

/// Returns the expansion of `s![items]`. If the items have mistakes, only these are reported, and not the mistakes in
/// `before`.
#[cfg(feature = "py")]
pub fn slice(krate: &Krate, items: Vec<RawItem>, before: Mistakes) -> Vec<TokenTree> {
    let mut mistakes = Mistakes::default();
    let items = check::items(items, &mut mistakes);
    let mistakes = if mistakes.is_empty() {
        before
    } else {
        mistakes
    };
    emit::expression(krate, items, &mistakes)
}

/// Expands a slice. If `before` contains mistakes, only these are reported, because mistakes in the items may be their
/// consequences.
fn slice_unless_mistakes(krate: &Krate, items: Vec<RawItem>, before: Mistakes) -> Vec<TokenTree> {
    let mut mistakes = Mistakes::default();
    let items = check::items(items, &mut mistakes);
    let mistakes = if before.is_empty() { mistakes } else { before };
    emit::expression(krate, items, &mistakes)
}

/// Returns only the errors of a slice, for a call to `py!` whose other tokens cannot be parsed.
#[cfg(feature = "py")]
pub fn mistakes(items: Vec<RawItem>) -> TokenStream {
    let mut mistakes = Mistakes::default();
    check::items(items, &mut mistakes);
    emit::compile_errors(&mistakes)
}
