//! Procedural macros whose expansions slice.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Returns its input.
#[proc_macro]
pub fn forwarded(input: TokenStream) -> TokenStream {
    input
}

/// Takes two pairs of braces. Returns the content of the first with each `it` replaced by an undelimited group that
/// contains the content of the second.
#[proc_macro]
pub fn substituted(input: TokenStream) -> TokenStream {
    let groups: Vec<TokenTree> = input.into_iter().collect();
    let [TokenTree::Group(template), TokenTree::Group(it)] = groups.as_slice() else {
        unreachable!("called with two groups")
    };
    with(template.stream(), &it.stream())
}

fn with(template: TokenStream, it: &TokenStream) -> TokenStream {
    let replaced = template.into_iter().map(|token| match token {
        TokenTree::Ident(name) if name.to_string() == "it" => {
            Group::new(Delimiter::None, it.clone()).into()
        }
        TokenTree::Group(group) => {
            let mut replaced = Group::new(group.delimiter(), with(group.stream(), it));
            replaced.set_span(group.span());
            replaced.into()
        }
        token => token,
    });
    replaced.collect()
}
