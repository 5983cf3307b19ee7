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

/// Returns the expansion of `s![items]`. If the items contain mistakes, only those mistakes are reported, and the
/// mistakes in `before` are not.
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

/// Returns the expansion of `s![items]`. If `before` contains mistakes, only those mistakes are reported, because they
/// may have caused the mistakes in the items.
fn slice_unless_mistakes(krate: &Krate, items: Vec<RawItem>, before: Mistakes) -> Vec<TokenTree> {
    let mut mistakes = Mistakes::default();
    let items = check::items(items, &mut mistakes);
    let mistakes = if before.is_empty() { mistakes } else { before };
    emit::expression(krate, items, &mistakes)
}

/// Returns only the errors for the mistakes in a slice, for a call to `py!` whose other tokens cannot be parsed.
#[cfg(feature = "py")]
pub fn mistakes(items: Vec<RawItem>) -> TokenStream {
    let mut mistakes = Mistakes::default();
    check::items(items, &mut mistakes);
    emit::compile_errors(&mistakes)
}
