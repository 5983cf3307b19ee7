//! Reports Python syntax that Rust's parser refuses, with one message on its first token and a correction.

mod brackets;
mod operand;
mod operators;
mod statements;
mod words;

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

use self::brackets::brackets;
use self::operand::ends_operand;
use self::operators::{operator, prefix, sign};
use self::statements::statement_of_python;
use self::words::word_of_python;
use crate::py::messages::with_help;
use crate::tokens::{is_group, is_punct};

/// Finds the first piece of Python in tokens that are not Rust.
pub fn mistake(stream: TokenStream) -> Option<syn::Error> {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let statements = tokens.split(|token| is_punct(token, ';'));
    let found = statements.into_iter().find_map(statement);
    found.or_else(|| {
        tokens.iter().find_map(|token| match token {
            TokenTree::Group(group) => mistake(group.stream()),
            _ => None,
        })
    })
}

fn statement(tokens: &[TokenTree]) -> Option<syn::Error> {
    (0..tokens.len()).find_map(|at| {
        let (before, here, after) = (&tokens[..at], &tokens[at], &tokens[at + 1..]);
        let operand = before.last().is_some_and(ends_operand);
        match here {
            TokenTree::Punct(_) if is_punct(here, '#') => comment(here.span(), after),
            TokenTree::Punct(_) if operand => {
                operator(before, here, after).or_else(|| sign(before, here, after))
            }
            TokenTree::Punct(_) => prefix(here, after),
            TokenTree::Ident(word) => {
                let word = word.to_string();
                word_of_python(&word, tokens, at, operand)
                    .or_else(|| statement_of_python(&word, tokens, at, operand))
            }
            TokenTree::Group(group) => brackets(before, group, operand),
            _ => None,
        }
    })
}

fn comment(span: Span, after: &[TokenTree]) -> Option<syn::Error> {
    let attribute = after
        .first()
        .is_some_and(|next| is_punct(next, '!') || is_group(next, Delimiter::Bracket));
    (!attribute).then(|| {
        with_help(
            span,
            "`#` does not begin a comment in Rust",
            "write `//` in front of a comment",
        )
    })
}
