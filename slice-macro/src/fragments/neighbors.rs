//! Determines whether the tokens next to a fragment bind to it, as an operator binds to its operands.

use proc_macro2::{Spacing, TokenTree};

use crate::tokens::{is_joint, is_punct};

/// Returns `true` if no token before a fragment binds to it.
pub fn is_unbound_before(before: &[TokenTree]) -> bool {
    match before {
        [] => true,
        [.., TokenTree::Ident(word)] => {
            matches!(word.to_string().as_str(), "return" | "break" | "let")
        }
        [before @ .., TokenTree::Punct(last)] => {
            let joint = before.last().is_some_and(is_joint);
            match last.as_char() {
                ',' | ';' | ':' => true,
                '=' => !joint,
                '>' => joint,
                _ => false,
            }
        }
        _ => false,
    }
}

/// Returns `true` if no token after a fragment binds to it.
pub fn is_unbound_after(after: &[TokenTree]) -> bool {
    match after {
        [] => true,
        [TokenTree::Punct(first), rest @ ..] => match first.as_char() {
            ',' | ';' | ':' => true,
            '=' => {
                first.spacing() == Spacing::Alone
                    || matches!(rest, [next, ..] if is_punct(next, '>'))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Returns whether `after`, the tokens after an operand, begins with a member access, an index, arguments or `?`.
pub fn is_continued(after: &[TokenTree]) -> bool {
    match after {
        [dot, next, ..] if is_punct(dot, '.') => !is_punct(next, '.'),
        [TokenTree::Group(_), ..] => true,
        [next, ..] => is_punct(next, '?'),
        [] => false,
    }
}
