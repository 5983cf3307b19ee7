//! Detects Python's words, and statements whose form differs in Rust.

use proc_macro2::{Delimiter, Span, TokenTree};

use self::Position::{BeforeOperand, First, Operator};
use super::begins_operand;
use crate::py::functions::guide;
use crate::py::messages::with_help;
use crate::tokens::{is_any_word, is_group, is_punct, is_word};

/// Where a word is reported.
enum Position {
    /// Between two operands.
    Operator,
    /// Before an operand.
    BeforeOperand,
    /// At the beginning of a statement.
    First,
}

/// Python's words, with the help for each.
#[rustfmt::skip]
const WORDS: [(&str, Position, &str); 17] = [
    ("and", Operator, "write `&&`, or `(...) & (...)` for arrays of `bool`"),
    ("or", Operator, "write `||`, or `(...) | (...)` for arrays of `bool`"),
    ("is", Operator, "write `==`, or `value.is_none()` instead of `is None`"),
    ("in", Operator, "write `x.iter().any(|value| *value == wanted)`"),
    ("not", Operator, "write `!x.iter().any(|value| *value == wanted)` instead of `not in`"),
    ("not", BeforeOperand, "write `!`, with the operand in parentheses, as in `!(x > 1.0)`"),
    ("lambda", BeforeOperand, "write a closure, such as `|value| value + 1.0`"),
    ("elif", BeforeOperand, "write `else if`"),
    ("assert", First, "write `assert!(condition)`"),
    ("def", First, "write a `fn` outside of `py!`, or a closure (`|x| ...`)"),
    ("del", First, "write `drop(x)` for a variable, or `v.drain(1..)` for elements of a `Vec`; an array keeps its elements"),
    ("global nonlocal", First, "outer variables can be used without a declaration"),
    ("import", First, "write `use` outside of `py!`"),
    ("pass", First, "leave the block empty (`{}`)"),
    ("raise", First, "write `panic!(\"...\")`, or `return Err(...)` in a function that returns a `Result`"),
    ("try except finally", First, "use `match` on the `Result` of a method such as `x.try_at(s![1:])`, or write `?` after it"),
    ("with", First, "write `let name = ...;` in a block (`{ ... }`), which drops the value at its end"),
];

/// Detects one of Python's words. `is_after_operand` is `true` if an operand precedes the word.
pub fn python_word(
    word: &str,
    tokens: &[TokenTree],
    at: usize,
    is_after_operand: bool,
) -> Option<syn::Error> {
    let (before, span, after) = (&tokens[..at], tokens[at].span(), &tokens[at + 1..]);
    let operand_follows = after.first().is_some_and(begins_operand);
    let is_first = before
        .last()
        .is_none_or(|last| is_group(last, Delimiter::Brace));
    let is_at = |position: &Position| match position {
        Operator => is_after_operand && operand_follows,
        BeforeOperand => !is_after_operand && operand_follows,
        First => {
            let is_macro = after.first().is_some_and(|next| is_punct(next, '!'));
            let is_alone = after.first().is_none_or(|next| is_punct(next, ':'));
            is_first && !is_macro && (operand_follows || is_alone)
        }
    };
    let is_loop = word == "in" && before.iter().any(|token| is_word(token, "for"));
    let row = WORDS.iter().find(|(words, position, _)| {
        words.split(' ').any(|one| one == word) && is_at(position) && !is_loop
    });
    if let Some((_, position, help)) = row {
        let problem = match position {
            First => format!("there is no statement `{word}` in Rust"),
            BeforeOperand if word != "not" => format!("there is no `{word}` in Rust"),
            _ => format!("`{word}` is not an operator in Rust"),
        };
        return Some(with_help(span, &problem, help));
    }
    if word == "where"
        && matches!(before, [.., module, dot] if is_punct(dot, '.') && is_any_word(module, "np numpy"))
    {
        let help = guide("where");
        return Some(with_help(span, "there is no `np.where` in Rust", &help));
    }
    statement(word, span, after, is_first, is_after_operand)
}

/// Detects a statement or an expression whose first word has a different syntax in Rust.
fn statement(
    word: &str,
    span: Span,
    after: &[TokenTree],
    is_first: bool,
    is_after_operand: bool,
) -> Option<syn::Error> {
    let comma_before = |end: usize| {
        let comma = after[..end].iter().find(|token| is_punct(token, ','));
        comma.map(TokenTree::span)
    };
    let (at, problem, help) = match word {
        "let"
            if is_first
                && matches!(after, [TokenTree::Ident(_), brackets, ..] if is_group(brackets, Delimiter::Bracket)) =>
        {
            (
                span,
                "`let` declares a new variable, but these elements belong to an existing one",
                "remove the `let`",
            )
        }
        "if" if is_after_operand => {
            let otherwise = after.iter().position(|token| is_word(token, "else"))?;
            if block_at(after) < otherwise {
                return None;
            }
            (
                span,
                "a conditional expression begins with `if` in Rust",
                "write `if condition { a } else { b }`",
            )
        }
        "for" if !is_after_operand => {
            let in_at = after.iter().position(|token| is_word(token, "in"))?;
            let Some(comma) = comma_before(in_at) else {
                return block(after);
            };
            (
                comma,
                "several loop variables need parentheses in Rust",
                "write `for (a, b) in`",
            )
        }
        "while" | "if" | "else" if !is_after_operand || word == "else" => return block(after),
        "return" => (
            comma_before(after.len())?,
            "several return values need parentheses in Rust",
            "write `return (a, b)`",
        ),
        _ => return None,
    };
    Some(with_help(at, problem, help))
}

/// Returns the index of the first `{ }`, or the number of tokens.
fn block_at(tokens: &[TokenTree]) -> usize {
    let is_block = |token: &TokenTree| is_group(token, Delimiter::Brace);
    tokens.iter().position(is_block).unwrap_or(tokens.len())
}

/// Detects the `:` before a block in Python.
fn block(header: &[TokenTree]) -> Option<syn::Error> {
    let colon = lone_colon(&header[..block_at(header)])?;
    Some(with_help(
        header[colon].span(),
        "a block is written in braces in Rust",
        "write `{ ... }` instead of `:`",
    ))
}

/// Returns the index of the first colon that is not next to another colon.
pub fn lone_colon(tokens: &[TokenTree]) -> Option<usize> {
    let is_colon = |at: usize| tokens.get(at).is_some_and(|token| is_punct(token, ':'));
    (0..tokens.len()).find(|&at| is_colon(at) && !is_colon(at + 1) && !is_colon(at.wrapping_sub(1)))
}
