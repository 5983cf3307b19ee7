//! Explains syntax errors in the input of `py!`, most of which are Python syntax.

mod brackets;
mod operators;
mod words;

use proc_macro2::{TokenStream, TokenTree};
use syn::Error;

use self::brackets::brackets;
use self::operators::{operator, prefix};
use self::words::python_word;
use crate::comments::begins_python_comment;
use crate::messages::HASH;
use crate::notation::{ends_operand, is_keyword};
use crate::py::messages::with_help;
use crate::tokens::{is_joint, is_punct, is_word};

/// Returns an error that suggests a correction or, if no correction is known, the parser's own error, `error`.
pub fn syntax(error: &Error, input: TokenStream) -> Error {
    let tokens: Vec<TokenTree> = input.clone().into_iter().collect();
    let source = error.span().source_text();
    let matrix_product = (source.as_deref() == Some("@")).then(|| {
        let help =
            "write `.dot(&y)` for the matrix product, as in `x = x.dot(&y)` instead of `x @= y`";
        with_help(error.span(), "`@` is not an operator in Rust", help)
    });
    let is_between_operands = error.to_string().ends_with("expected `;`");
    matrix_product
        .or_else(|| find_python_syntax(input.clone()))
        .or_else(|| missing_operand(error, &tokens))
        .or_else(|| several_values(error, &tokens))
        .or_else(|| is_between_operands.then(|| open_declaration(&tokens))?)
        .or_else(|| is_between_operands.then(|| missing_operator(input))?)
        .unwrap_or_else(|| error.clone())
}

/// Reports an operator without a right operand at the end of the input. The parser's own error would underline the
/// whole macro call instead of the operator.
fn missing_operand(error: &Error, tokens: &[TokenTree]) -> Option<Error> {
    let last = tokens.last()?;
    let is_end = error.to_string().starts_with("unexpected end of input");
    let is_sign = matches!(last, TokenTree::Punct(sign) if sign.as_char() != ';');
    (is_end && is_sign).then(|| {
        with_help(
            last.span(),
            "an operand is missing after this operator",
            "write the operand, or remove the operator",
        )
    })
}

/// Reports a comma between values, where the parser expected the end of a statement.
fn several_values(error: &Error, tokens: &[TokenTree]) -> Option<Error> {
    let is_comma = error.span().source_text().as_deref() == Some(",");
    let expects_end = error.to_string().ends_with("expected `;`");
    (is_comma && expects_end && tokens.iter().any(|token| is_punct(token, ','))).then(|| {
        with_help(
            error.span(),
            "`py!` has one value",
            "write several values in parentheses, as in `py!((x[0], x[1:]))`",
        )
    })
}

/// Reports a declaration without a `;` at the end of the input. The parser's own error would underline the whole macro call.
fn open_declaration(tokens: &[TokenTree]) -> Option<Error> {
    let last = tokens.rsplit(|token| is_punct(token, ';')).next()?;
    let word = last.first().filter(|token| is_word(token, "let"))?;
    Some(with_help(
        word.span(),
        "a `;` is missing after this declaration",
        "write `let v = py!(x[1:]);` for a variable that is used after `py!`, and otherwise `py! { let v = x[1:]; ... }`",
    ))
}

/// Returns an error for the first piece of Python syntax in `stream`, or `None` if there is none.
fn find_python_syntax(stream: TokenStream) -> Option<Error> {
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

fn find_in_statement(tokens: &[TokenTree]) -> Option<Error> {
    (0..tokens.len()).find_map(|at| {
        let (before, here, after) = (&tokens[..at], &tokens[at], &tokens[at + 1..]);
        let is_after_operand = before.last().is_some_and(ends_operand);
        match here {
            TokenTree::Punct(_) if is_punct(here, '#') => {
                begins_python_comment(&tokens[at..]).then(|| Error::new(here.span(), HASH))
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
fn python_literal(before: &[TokenTree], here: &TokenTree, after: &[TokenTree]) -> Option<Error> {
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
fn missing_operator(stream: TokenStream) -> Option<Error> {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let mut pairs = tokens.windows(2);
    let pair = pairs.find(|pair| ends_operand(&pair[0]) && begins_text(&pair[1]));
    match pair {
        Some([prefix, TokenTree::Literal(text)]) if is_word(prefix, "f") => Some(with_help(
            text.span(),
            "Rust has no f-strings",
            "write `format!(\"{}\", x[0])`, with `{}` for each value",
        )),
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

/// Returns whether a token is a name or a literal, which can only begin an operand.
fn begins_text(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(word) => !is_keyword(&word.to_string()),
        token => matches!(token, TokenTree::Literal(_)),
    }
}
