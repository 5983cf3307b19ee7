//! Rust's ranges and ndarray's `;`, translated into what to write here.

use crate::tokens::TokenTree;

use crate::grammar::{Fault, Place};
use crate::literal::{self, Number};
use crate::messages;
use crate::syntax::is_punct;
use crate::text::text;

/// What to say about an item with `..` in it, or `None` when it has none.
pub fn mistake(tokens: &[TokenTree], faults: &[Place]) -> Option<String> {
    let (_, dots) = faults
        .iter()
        .find(|(fault, _)| *fault == Fault::RustRange)?;
    let inclusive = dots.len() == 3;
    let begin = &tokens[..dots.start];
    let mut rest = tokens[dots.end..].split(|token| is_punct(token, ';'));
    let end = rest.next().unwrap_or_default();
    let step = rest.next();
    let Some(step) = step else {
        return Some(messages::rust_range(&format!(
            "{}:{}",
            text(begin),
            exclusive(end, inclusive)
        )));
    };
    match integer(step) {
        Some(step) if step < 0 => Some(messages::ndarray_negative_step(
            reversed(begin, end, inclusive, step).as_deref(),
        )),
        _ => {
            let ours = format!(
                "{}:{}:{}",
                text(begin),
                exclusive(end, inclusive),
                text(step)
            );
            Some(messages::ndarray_step(&ours))
        }
    }
}

/// The end as Python means it: one behind the last.
fn exclusive(end: &[TokenTree], inclusive: bool) -> String {
    match integer(end) {
        _ if !inclusive => text(end),
        Some(-1) => String::new(),
        Some(last) => (last + 1).to_string(),
        None => format!("{} + 1", text(end)),
    }
}

/// ndarray cuts the range out first and then walks it from its last element; in Python the range itself runs backwards.
fn reversed(begin: &[TokenTree], end: &[TokenTree], inclusive: bool, step: i128) -> Option<String> {
    let first = match (end.is_empty(), integer(end)?) {
        (true, _) => String::new(),
        (false, last) if inclusive => last.to_string(),
        (false, 0) => return None,
        (false, behind) => (behind - 1).to_string(),
    };
    let last = match (begin.is_empty(), integer(begin)) {
        (true, _) | (false, Some(0)) => String::new(),
        (false, last) => (last? - 1).to_string(),
    };
    Some(format!("{first}:{last}:{step}"))
}

/// The value of a literal; an omitted bound counts as some number.
fn integer(tokens: &[TokenTree]) -> Option<i128> {
    if tokens.is_empty() {
        return Some(0);
    }
    match literal::read(tokens)? {
        Number::Integer { value, .. } => i64::try_from(value).ok().map(i128::from),
        _ => None,
    }
}
