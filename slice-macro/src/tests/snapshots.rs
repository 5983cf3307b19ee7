//! Compares expansions with the files in `snapshots/`, so that every change of an expansion can be reviewed. The first
//! line of each file is a comment with the source.
//!
//! `BLESS=1 cargo test -p slice-macro` rewrites these files.

use std::{env, fs};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

use crate::expand_s;

fn check(name: &str, source: &str) {
    check_tokens(name, source, source.parse().unwrap());
}

fn check_tokens(name: &str, source: &str, items: TokenStream) {
    let expansion = expand_s(quote!(::slice_core; #items));
    let formatted = formatted(quote!(const _: () = #expansion;));
    let body = formatted
        .trim_start_matches("const _: () = ")
        .trim_end()
        .trim_end_matches(';');
    compare(name, &format!("// s![{source}]\n{body}\n"));
}

fn formatted(file: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(file).unwrap())
}

fn compare(name: &str, actual: &str) {
    let path = format!("{}/snapshots/{name}.rs", env!("CARGO_MANIFEST_DIR"));
    if env::var_os("BLESS").is_some() {
        fs::write(&path, actual).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        actual, expected,
        "the expansion has changed: review the change, then run the test again with BLESS=1"
    );
}

#[test]
fn empty() {
    check("empty", "");
}

#[test]
fn literals() {
    check("literals", "1, 2:4, None, ..., :-3:-1, :");
}

#[test]
fn expressions() {
    check("expressions", "n, a.len():usize::MAX, 1::step, n + 1:2 * m");
}

#[test]
fn lists() {
    check("lists", "[0, 2, -1], ..., &rows, 1:, [n, 0], [true, false]");
}

#[test]
fn minus() {
    check("minus", "-n, -a.len():--m");
}

#[test]
fn names_that_may_be_unknown() {
    check("names_that_may_be_unknown", "config::N, newaxs");
}

#[test]
fn constant_stride() {
    check(
        "constant_stride",
        "::STEP, ::-(Self::N), ::{ N }, ::(1 - 1)",
    );
}

#[test]
fn mistakes() {
    check("mistakes", "0, ..., ..., ::0, n:(2 +)");
}

#[test]
fn negative_literal_from_a_macro() {
    // The compiler passes on a `$e:expr` in an invisible group.
    let literal = |text: &str| TokenTree::from(Group::new(Delimiter::None, text.parse().unwrap()));
    let (begin, stride) = (literal("-1"), literal("2"));
    check_tokens(
        "negative_literal_from_a_macro",
        "$begin::-$stride",
        quote!(#begin::-#stride),
    );
}

#[test]
fn expressions_from_a_macro() {
    let sum = TokenTree::from(Group::new(Delimiter::None, quote!(1 + 2)));
    check_tokens(
        "expressions_from_a_macro",
        "$e * 2:, $e, -$e.pow(2)",
        quote!(#sum * 2:, #sum, -#sum.pow(2)),
    );
}

#[test]
fn named() {
    let source = "pub const A: u8 = s![0]; const B = s![..., -1]; static C = s![:]";
    let declarations: TokenStream = source.parse().unwrap();
    let declarations: Vec<TokenTree> = declarations.into_iter().collect();
    let expansion = crate::named::declarations(&crate::slice_core(), &declarations);
    compare("named", &format!("// {source}\n{}", formatted(expansion)));
}
