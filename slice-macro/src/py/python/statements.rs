//! Detects Python statements.

use proc_macro2::{Delimiter, TokenTree};

use super::operand::{begins_operand, condition, operand_at_end};
use crate::py::messages::with_help;
use crate::text::text;
use crate::tokens::{inside, is_group, is_joint, is_punct, is_word};

/// Detects Python statements, blocks after `:`, `np.where`, the operator `in`, and `let` before a slice that is
/// assigned to. `is_after_operand` is `true` if an operand precedes the word.
pub fn python_statement(
    word: &str,
    tokens: &[TokenTree],
    at: usize,
    is_after_operand: bool,
) -> Option<syn::Error> {
    let (span, after) = (tokens[at].span(), &tokens[at + 1..]);
    let first = at == 0
        || matches!(&tokens[at - 1], TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let operand_follows = after.first().is_some_and(begins_operand);
    let no = |help: &str| {
        Some(with_help(
            span,
            &format!("there is no `{word}` in Rust"),
            help,
        ))
    };
    match word {
        "elif" if operand_follows => no("write `else if`"),
        "del" if first && operand_follows => {
            let is_part = matches!(after.last(), Some(last) if is_group(last, Delimiter::Bracket));
            no(&match is_part {
                true => "elements cannot be removed from an array: assign the rest to a variable, or write `v.drain(1..)` for a `Vec`".to_owned(),
                false => format!("write `drop({})`", text(condition(after))),
            })
        }
        "where" if operand_follows && is_numpy_module(&tokens[..at]) => Some(with_help(
            span,
            "there is no `np.where` in Rust",
            &where_help(after.first()?),
        )),
        "let"
            if first
                && matches!(after, [TokenTree::Ident(_), brackets, ..] if is_group(brackets, Delimiter::Bracket)) =>
        {
            Some(with_help(
                span,
                "`let` declares a new variable, but these elements belong to an existing one",
                &format!("write `{}`", text(after)),
            ))
        }
        "import" if first => no("write `use` outside of `py!`"),
        "def" if first && operand_follows => {
            no("write a `fn` outside of `py!`, or a closure (`|x| ...`)")
        }
        "global" | "nonlocal" if first && operand_follows => {
            no("outer variables can be used without a declaration")
        }
        "with" if first && operand_follows => {
            no("write `let name = ...;` in a block (`{ ... }`), which drops the value at its end")
        }
        "try" if first && after.first().is_some_and(|next| is_punct(next, ':')) => {
            no("use `match` on the `Result` of a method such as `x.try_at(s![1:])`")
        }
        "except" | "finally" if first => no("use `match` on a `Result`, or write `?` after it"),
        "raise" if first && operand_follows => no(
            "write `panic!(\"...\")`, or `return Err(...)` in a function that returns a `Result`",
        ),
        "yield" if first => no("write an iterator, such as `x[1:].iter()` or `x[1:].outer_iter()`"),
        "pass" if after.is_empty() => no("leave the block empty (`{}`)"),
        "assert"
            if first
                && operand_follows
                && !after.first().is_some_and(|next| is_punct(next, '!')) =>
        {
            Some(with_help(
                span,
                "`assert` is a macro in Rust",
                &format!("write `assert!({})`", text(condition(after))),
            ))
        }
        "in" if is_after_operand
            && operand_follows
            && !tokens[..at].iter().any(|token| is_word(token, "for")) =>
        {
            Some(with_help(
                span,
                "`in` is not an operator in Rust",
                &format!(
                    "write `{}.iter().any(|value| *value == {})`",
                    text(condition(after)),
                    text(operand_at_end(&tokens[..at]))
                ),
            ))
        }
        "for" if !is_after_operand => {
            let in_at = after.iter().position(|token| is_word(token, "in"))?;
            let comma = after[..in_at].iter().find(|token| is_punct(token, ','));
            if let Some(comma) = comma {
                return Some(with_help(
                    comma.span(),
                    "several loop variables need parentheses in Rust",
                    &format!("write `for ({}) in`", text(&after[..in_at])),
                ));
            }
            block(after)
        }
        "while" | "if" | "else" if !is_after_operand || word == "else" => block(after),
        "return" => {
            let comma = condition(after).len();
            let is_list = after.get(comma).is_some_and(|next| is_punct(next, ','));
            is_list.then(|| {
                with_help(
                    after[comma].span(),
                    "several return values need parentheses in Rust",
                    &format!("write `return ({})`", text(after)),
                )
            })
        }
        _ => None,
    }
}

/// Returns the help text for `np.where(...)`, given its arguments.
fn where_help(arguments: &TokenTree) -> String {
    let arguments = inside(std::slice::from_ref(arguments), Delimiter::Parenthesis);
    let arguments = arguments.unwrap_or_default();
    let parts: Vec<&[TokenTree]> = arguments.split(|token| is_punct(token, ',')).collect();
    let [condition, yes, no] = parts[..] else {
        return "write `.iter().enumerate().filter(...)` to find the positions".to_owned();
    };
    let Some(at) = condition.iter().position(is_comparing) else {
        let (condition, yes, no) = (text(condition), text(yes), text(no));
        return format!(
            "write `ndarray::Zip::from(&{condition}).and(&{yes}).and(&{no}).map_collect(|&value, &a, &b| if value {{ a }} else {{ b }})`"
        );
    };
    let end = at
        + 1
        + usize::from(
            condition
                .get(at + 1)
                .is_some_and(|next| is_punct(next, '=')),
        );
    let (array, sign, limit) = (&condition[..at], &condition[at..end], &condition[end..]);
    let (array_text, sign) = (text(array), text(sign));
    // This list holds the operands other than `array` and literals. The closure in the help text names their elements
    // `a`, `b` and `c`.
    let mut others = Vec::new();
    let mut element = |part: &[TokenTree]| {
        let part_text = text(part);
        if part_text == array_text {
            return "value".to_owned();
        }
        if part
            .iter()
            .all(|token| matches!(token, TokenTree::Literal(_)) || is_punct(token, '-'))
        {
            return part_text;
        }
        let names = ["a", "b", "c"];
        let at = others
            .iter()
            .position(|other| *other == part_text)
            .unwrap_or_else(|| {
                others.push(part_text);
                others.len() - 1
            });
        names[at].to_owned()
    };
    let (limit, yes, no) = (element(limit), element(yes), element(no));
    let choice = format!("if value {sign} {limit} {{ {yes} }} else {{ {no} }}");
    if others.is_empty() {
        return format!("write `{array_text}.mapv(|value| {choice})`");
    }
    let and: String = others
        .iter()
        .map(|other| format!(".and(&{other})"))
        .collect();
    let names: String = ["a", "b", "c"][..others.len()]
        .iter()
        .map(|name| format!(", &{name}"))
        .collect();
    format!("write `ndarray::Zip::from(&{array_text}){and}.map_collect(|&value{names}| {choice})`")
}

fn is_comparing(token: &TokenTree) -> bool {
    ['<', '>', '=', '!']
        .iter()
        .any(|&sign| is_punct(token, sign))
}

/// Returns whether the tokens end with `np.` or `numpy.`.
fn is_numpy_module(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [.., module, dot] if is_punct(dot, '.') && (is_word(module, "np") || is_word(module, "numpy")))
}

/// Detects the `:` before a block in Python.
fn block(header: &[TokenTree]) -> Option<syn::Error> {
    let end = header
        .iter()
        .position(|token| is_group(token, Delimiter::Brace))
        .unwrap_or(header.len());
    let header = &header[..end];
    let colon = header.iter().enumerate().find(|(at, token)| {
        is_punct(token, ':') && !is_joint(token) && !(*at > 0 && is_punct(&header[at - 1], ':'))
    });
    colon.map(|(_, colon)| {
        with_help(
            colon.span(),
            "a block is written in braces in Rust",
            "write `{ ... }` instead of `:`",
        )
    })
}
