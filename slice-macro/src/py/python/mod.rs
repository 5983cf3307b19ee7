//! Reports Python syntax that Rust's parser rejects, with a message that suggests a correction.

mod brackets;
mod operators;
mod words;

use proc_macro2::{TokenStream, TokenTree};

use self::brackets::brackets;
use self::operators::{operator, prefix};
use self::words::python_word;
use crate::comments::begins_python_comment;
use crate::messages::HASH;
use crate::notation::{ends_operand, is_keyword};
use crate::py::messages::with_help;
use crate::tokens::{is_joint, is_punct};

/// Returns an error for the first piece of Python syntax in `stream`, or `None` if there is none. Rust's parser must
/// have rejected `stream`.
pub fn find_python_syntax(stream: TokenStream) -> Option<syn::Error> {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let statements = tokens.split(|token| is_punct(token, ';'));
    let error = statements.into_iter().find_map(find_in_statement);
    error.or_else(|| {
        tokens.iter().find_map(|token| match token {
            TokenTree::Group(group) => find_python_syntax(group.stream()),
            _ => None,
        })
    })
}

fn find_in_statement(tokens: &[TokenTree]) -> Option<syn::Error> {
    (0..tokens.len()).find_map(|at| {
        let (before, here, after) = (&tokens[..at], &tokens[at], &tokens[at + 1..]);
        let is_after_operand = before.last().is_some_and(ends_operand);
        match here {
            TokenTree::Punct(_) if is_punct(here, '#') => {
                begins_python_comment(&tokens[at..]).then(|| syn::Error::new(here.span(), HASH))
            }
            TokenTree::Punct(_) if is_after_operand => operator(before, here, after),
            TokenTree::Punct(_) => prefix(here, after),
            TokenTree::Ident(word) => python_word(&word.to_string(), tokens, at, is_after_operand),
            TokenTree::Group(group) => brackets(before, group, is_after_operand),
            TokenTree::Literal(_) => python_literal(before, here, after),
        }
    })
}

/// Detects a triple-quoted string, or the first key of a dictionary.
fn python_literal(
    before: &[TokenTree],
    here: &TokenTree,
    after: &[TokenTree],
) -> Option<syn::Error> {
    let next = after.first()?;
    if here.to_string() == "\"\"" && matches!(next, TokenTree::Literal(_)) {
        return Some(with_help(
            here.span(),
            "Rust has no triple-quoted strings",
            "write `\"...\"` (a string can span several lines), or, for a comment, write `//` at the start of each line",
        ));
    }
    let is_key = before.is_empty()
        && here.to_string().starts_with('"')
        && is_punct(next, ':')
        && !is_joint(next);
    is_key.then(|| {
        with_help(
            here.span(),
            "Rust has no dictionary literals",
            &format!("write `HashMap::from([({here}, ...)])`, with a pair for each key"),
        )
    })
}

/// Detects two operands without an operator between them.
pub fn missing_operator(stream: TokenStream) -> Option<syn::Error> {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let pair = tokens.windows(2).find(|pair| {
        let begins = match &pair[1] {
            TokenTree::Ident(word) => !is_keyword(&word.to_string()),
            token => matches!(token, TokenTree::Literal(_)),
        };
        begins && ends_operand(&pair[0])
    });
    match pair {
        Some(pair) => Some(with_help(
            pair[1].span(),
            "an operator is missing before this",
            "write the operator, as in `x[1:] * x[:-1]`, or end the statement with `;`",
        )),
        None => tokens.iter().find_map(|token| match token {
            TokenTree::Group(group) => missing_operator(group.stream()),
            _ => None,
        }),
    }
}

fn begins_operand(token: &TokenTree) -> bool {
    !matches!(token, TokenTree::Punct(sign) if !matches!(sign.as_char(), '-' | '!' | '&' | '*'))
}
