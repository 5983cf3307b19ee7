//! Explains syntax errors in the input of `py!`.

use proc_macro2::{TokenStream, TokenTree};
use syn::Error;

use super::brackets::misplaced_brackets;
use super::messages::with_help;
use super::python;
use crate::tokens::is_punct;

/// Returns an error that suggests a correction or, if no correction is known, the parser's own error, `error`.
pub fn syntax(error: &Error, input: TokenStream) -> Error {
    let tokens: Vec<TokenTree> = input.clone().into_iter().collect();
    let source = error.span().source_text();
    let matrix_product = (source.as_deref() == Some("@")).then(|| {
        let help = "write `.dot(&y)` for the matrix product";
        with_help(error.span(), "`@` is not an operator in Rust", help)
    });
    let is_between_operands = error.to_string().ends_with("expected `;`");
    misplaced_brackets(input.clone())
        .or(matrix_product)
        .or_else(|| python::find_python_syntax(input.clone()))
        .or_else(|| missing_operand(error, &tokens))
        .or_else(|| several_values(error, &tokens))
        .or_else(|| is_between_operands.then(|| python::missing_operator(input))?)
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
