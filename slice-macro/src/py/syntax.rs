//! Explains syntax errors in the input of `py!`.

use proc_macro2::{TokenStream, TokenTree};
use syn::Error;

use super::brackets::{MisplacedBrackets, misplaced_brackets};
use super::messages::with_help;
use super::python;
use crate::tokens::is_punct;

/// Returns an error that suggests a correction or, if no correction is known, the parser's own error, `error`.
pub fn syntax(error: &Error, input: TokenStream) -> Error {
    let python = python::find_python_syntax(input.clone());
    let tokens: Vec<TokenTree> = input.clone().into_iter().collect();
    let input_copy = input.clone();
    match misplaced_brackets(input) {
        Some(MisplacedBrackets::NothingInFront(brackets)) => with_help(
            brackets,
            "an array is missing before these brackets",
            "write the array before them, as in `x[1:]`; a slice without an array is written with `s![]`",
        ),
        Some(MisplacedBrackets::NoItems(brackets)) => with_help(
            brackets,
            "these brackets are empty",
            "write `x[...]` for the whole array",
        ),
        None if error.span().source_text().as_deref() == Some("@") => with_help(
            error.span(),
            "`@` is not an operator in Rust",
            "write `.dot(&y)` for the matrix product",
        ),
        None => python
            .or_else(|| missing_operand(error, &tokens))
            .or_else(|| several_values(error, &tokens))
            .or_else(|| {
                let text = error.to_string();
                text.ends_with("expected `;`")
                    .then(|| python::missing_operator(input_copy))?
            })
            .unwrap_or_else(|| error.clone()),
    }
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
