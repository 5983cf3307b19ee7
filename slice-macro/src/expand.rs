//! The expansion of one slice: from its items to an expression.

#[cfg(feature = "py")]
use proc_macro2::TokenStream;
use proc_macro2::TokenTree;

use crate::mistake::Mistakes;
use crate::split::RawItem;
use crate::writer::Krate;
use crate::{check, emit, encode};

/// What `s![items]` expands to.
pub fn slice(krate: &Krate, items: Vec<RawItem>) -> Vec<TokenTree> {
    let mut mistakes = Mistakes::default();
    let items = check::items(items, &mut mistakes);
    emit::expression(krate, &encode::encode(items), &mistakes)
}

/// Only the errors of a slice, for a `py!` whose other tokens cannot be read.
#[cfg(feature = "py")]
pub fn mistakes(items: Vec<RawItem>) -> TokenStream {
    let mut mistakes = Mistakes::default();
    check::items(items, &mut mistakes);
    emit::compile_errors(&mistakes)
}
