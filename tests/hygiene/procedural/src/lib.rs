//! Procedural macros whose expansions contain slices.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Returns its input.
#[proc_macro]
pub fn forwarded(input: TokenStream) -> TokenStream {
    input
}

/// Substitutes an expression into a template. The input consists of two groups in braces. Returns the contents of the
/// first group, with each `it` replaced by the contents of the second group in invisible delimiters.
#[proc_macro]
pub fn substituted(input: TokenStream) -> TokenStream {
    let groups: Vec<TokenTree> = input.into_iter().collect();
    let [TokenTree::Group(template), TokenTree::Group(it)] = groups.as_slice() else {
        unreachable!("the macro should be called with two groups")
    };
    substitute(template.stream(), &it.stream())
}

fn substitute(template: TokenStream, it: &TokenStream) -> TokenStream {
    let replaced = template.into_iter().map(|token| match token {
        TokenTree::Ident(name) if name.to_string() == "it" => {
            Group::new(Delimiter::None, it.clone()).into()
        }
        TokenTree::Group(group) => {
            let mut replaced = Group::new(group.delimiter(), substitute(group.stream(), it));
            replaced.set_span(group.span());
            replaced.into()
        }
        token => token,
    });
    replaced.collect()
}
