//! Expands a slice, given as tokens or as items, to an expression.

#[cfg(feature = "py")]
use proc_macro2::TokenStream;
use proc_macro2::{Delimiter, TokenTree};

use crate::fragments::Context;
use crate::mistake::Mistakes;
use crate::split::{RawItem, split_items};
use crate::writer::{self, Krate};
use crate::{check, comments, emit};

/// Returns the expansion of `s![tokens]`.
pub fn tokens(krate: &Krate, tokens: &[TokenTree]) -> Vec<TokenTree> {
    let comments = comments::mistakes(tokens, Context::Items);
    if comments.is_empty() {
        return slice(krate, split_items(tokens));
    }
    let errors = emit::compile_errors(&comments);
    vec![writer::group(Delimiter::Brace, errors.into_iter().collect(), krate.span).into()]
}

/// Returns the expansion of `s![items]`, which reports the mistakes in the items.
pub fn slice(krate: &Krate, items: Vec<RawItem>) -> Vec<TokenTree> {
    let mut mistakes = Mistakes::default();
    let items = check::items(items, &mut mistakes);
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
