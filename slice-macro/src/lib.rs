//! The `s![]` macro of `slice-core`: Python slice syntax in Rust source, checked and encoded by the compiler.
//!
//! Tokens walk through the rooms of this crate in one direction: `syntax` splits them into items, `check` finds every
//! mistake and says so in the words of `messages`, `encode` turns items into begin, end, strides and masks as
//! TensorFlow's `__getitem__` does, and `emit` writes one Rust expression. No room knows a shape.

mod bound;
mod check;
mod emit;
mod encode;
mod grammar;
mod literal;
mod messages;
mod mistake;
mod named;
mod path;
#[cfg(not(test))]
mod py;
mod rust_range;
mod syntax;
mod text;

#[cfg(test)]
mod tests;

// Outside a compiler, where tests run, there are no tokens of a compiler.
#[cfg(not(test))]
use proc_macro as tokens;
#[cfg(test)]
use proc_macro2 as tokens;

use tokens::TokenStream;

/// Python slice syntax as a `slice_core::SliceSpec`, for crates that depend on `slice-macro` directly.
///
/// Use `slice_core::s!` unless you have a reason not to: it is the same macro and works under any name of the crate,
/// this one expands to `::slice_core` paths.
#[cfg(not(test))]
#[proc_macro]
pub fn s(input: TokenStream) -> TokenStream {
    let krate = "::slice_core".parse().expect("this is a path");
    expand(krate, input)
}

/// What stands behind `slice_core::s!`: the path of `slice_core` as its caller knows it, `;`, the items.
#[cfg(not(test))]
#[doc(hidden)]
#[proc_macro]
pub fn __s_in(input: TokenStream) -> TokenStream {
    behind_door(input)
}

/// What stands behind `slice_core::named!`: the path of `slice_core` as its caller knows it, `;`, the declarations.
#[cfg(not(test))]
#[doc(hidden)]
#[proc_macro]
pub fn __named_in(input: TokenStream) -> TokenStream {
    let (krate, declarations) = syntax::split_door(input);
    named::declarations(krate, declarations)
}

/// What stands behind `slice_core::py!`: the path of `slice_core` as its caller knows it, `;`, the expression or the
/// statements.
#[cfg(not(test))]
#[doc(hidden)]
#[proc_macro]
pub fn __py_in(input: TokenStream) -> TokenStream {
    let (krate, body) = syntax::split_door(input);
    py::expand(krate.into(), body.into()).into()
}

/// Every mistake in the items of a slice, for an expansion in which it does not get as far as `s![]`.
#[cfg(not(test))]
fn mistakes(items: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    let mut mistakes = mistake::Mistakes::default();
    check::items(syntax::split_items(items.into()), &mut mistakes);
    emit::compile_errors(&mistakes).into()
}

fn behind_door(input: TokenStream) -> TokenStream {
    let (krate, items) = syntax::split_door(input);
    expand(krate, items)
}

fn expand(krate: TokenStream, items: TokenStream) -> TokenStream {
    let mut mistakes = mistake::Mistakes::default();
    let items = check::items(syntax::split_items(items), &mut mistakes);
    emit::expression(krate, &encode::encode(items), &mistakes)
}
