//! The macros of `slice-core`: Python slice syntax in Rust source, checked and encoded at compile time.
//!
//! `expand` expands `s![]` in these steps, none of which depends on the shape of an array:
//!
//! - `comments` reports Python's `//` and `#`.
//! - `split` splits the tokens into items, and each item into its parts.
//! - `check` checks every item, and reports each mistake with a message from `messages`.
//! - `encode` encodes the items as begin, end, strides and masks, as TensorFlow's `__getitem__` does.
//! - `emit` writes the result as one Rust expression.
//!
//! `named` and `py` implement the macros with these names.
//!
//! ```
//! use slice_macro::s;
//!
//! assert_eq!(s![1:, ::-1].output_shape([4, 5]), [3, 5]);
//! ```

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
mod split;
mod text;
mod tokens;
mod writer;

#[cfg(test)]
mod tests;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use crate::writer::Krate;

/// Evaluates to the `slice_core::SliceSpec` of a slice in Python syntax or, if the slice contains lists, to its
/// `slice_core::ListSpec`.
///
/// This macro is for crates that depend on `slice-macro` directly. Prefer `slice_core::s!`, which does the same, and
/// also works if the crate `slice_core` is renamed. The expansion of `slice_macro::s!` contains paths that begin with
/// `::slice_core`.
///
/// # Example
///
/// ```
/// use slice_macro::s;
///
/// let selection = s![1:, ..., newaxis, :-3:-1].resolve(&[4, 5, 6])?;
/// assert_eq!(selection.output_shape(), [3, 5, 1, 2]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[proc_macro]
pub fn s(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let items: Vec<TokenTree> = TokenStream::from(input).into_iter().collect();
    writer::stream(expand::tokens(&slice_core(), &items)).into()
}

/// Evaluates Rust expressions and statements that contain Python slices.
///
/// This macro is for crates that depend on `slice-macro` directly. Prefer `slice_core::py!`, for the reason given at
/// [`s!`]. This macro requires slice-macro's feature `py`. The expansion uses functions and types that slice-core
/// provides only with its own feature `py`, which also enables slice-macro's feature.
///
/// # Example
///
/// ```
/// use ndarray::array;
/// use slice_macro::py;
///
/// let x = array![1, 4, 9, 16];
/// assert_eq!(py!(x[1:] - x[:-1]), array![3, 5, 7]);
/// ```
#[cfg(feature = "py")]
#[proc_macro]
pub fn py(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    py::expand(slice_core(), TokenStream::from(input).into_iter().collect()).into()
}

/// Expands `slice_core::s!`. The input consists of `$crate` (the path to `slice_core`), a `;`, and the items.
#[doc(hidden)]
#[proc_macro]
pub fn s_in(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand_s(input.into()).into()
}

/// Expands `slice_core::named!`. The input consists of `$crate` (the path to `slice_core`), a `;`, and the
/// declarations.
#[doc(hidden)]
#[proc_macro]
pub fn named_in(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let (krate, declarations) = split::split_crate(input.into());
    named::declarations(&krate, &declarations).into()
}

/// Expands `slice_core::py!`. The input consists of `$crate` (the path to `slice_core`), a `;`, and the expression or
/// the statements.
#[cfg(feature = "py")]
#[doc(hidden)]
#[proc_macro]
pub fn py_in(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let (krate, body) = split::split_crate(input.into());
    py::expand(krate, body).into()
}

/// Returns the path `::slice_core`, for macros whose input does not contain a path to the crate.
fn slice_core() -> Krate {
    Krate::new(quote!(::slice_core).into_iter().collect())
}

fn expand_s(input: TokenStream) -> TokenStream {
    let (krate, items) = split::split_crate(input);
    writer::stream(expand::tokens(&krate, &items))
}
