//! The macros of `slice-core`: Python slice syntax in Rust source, checked and encoded by the compiler.
//!
//! `expand` expands `s![]` in these steps, none of which depends on the shape of an array:
//!
//! - `split` splits the tokens into items and parts.
//! - `check` finds every mistake and reports it with `messages`.
//! - `encode` converts items to begin, end, strides and masks, as TensorFlow's `__getitem__` does.
//! - `emit` writes one Rust expression.
//!
//! `named` and `py` implement the other macros.

mod bound;
mod check;
mod comments;
mod emit;
mod encode;
mod expand;
mod expression;
mod fragments;

mod list;
mod literal;
mod messages;
mod mistake;
mod named;
mod notation;
#[cfg(feature = "py")]
mod py;
mod source;
mod split;
mod text;
mod tokens;
mod writer;

#[cfg(test)]
mod tests;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use crate::writer::Krate;

/// Evaluates to the `slice_core::SliceSpec` of a slice in Python syntax, for crates that depend on `slice-macro`
/// directly.
///
/// Prefer `slice_core::s!`, the same macro, which works even if the crate `slice_core` is renamed. This macro expands
/// to `::slice_core` paths.
#[proc_macro]
pub fn s(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let items: Vec<TokenTree> = TokenStream::from(input).into_iter().collect();
    writer::stream(expand::tokens(&slice_core(), &items)).into()
}

/// Evaluates expressions and statements with Python slices, for crates that depend on `slice-macro` directly.
///
/// Prefer `slice_core::py!`, for the reason given at [`s!`]. This macro requires the feature `py`, which slice-core's
/// feature `py` turns on, and expands to paths that slice-core has with that feature.
#[cfg(feature = "py")]
#[proc_macro]
pub fn py(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    py::expand(slice_core(), TokenStream::from(input).into_iter().collect()).into()
}

/// Expands `slice_core::s!`. The input is the path of `slice_core` as written at the call, `;`, and the items.
#[doc(hidden)]
#[proc_macro]
pub fn s_in(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    in_crate(input.into()).into()
}

/// Expands `slice_core::named!`. The input is the path of `slice_core` as written at the call, `;`, and the
/// declarations.
#[doc(hidden)]
#[proc_macro]
pub fn named_in(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let (krate, declarations) = split::split_crate(input.into());
    named::declarations(&krate, &declarations).into()
}

/// Expands `slice_core::py!`. The input is the path of `slice_core` as written at the call, `;`, and the expression or
/// the statements.
#[cfg(feature = "py")]
#[doc(hidden)]
#[proc_macro]
pub fn py_in(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let (krate, body) = split::split_crate(input.into());
    py::expand(krate, body).into()
}

/// Returns the path of `slice_core` for macros that do not receive it.
fn slice_core() -> Krate {
    Krate::new(quote!(::slice_core).into_iter().collect())
}

fn in_crate(input: TokenStream) -> TokenStream {
    let (krate, items) = split::split_crate(input);
    writer::stream(expand::tokens(&krate, &items))
}
