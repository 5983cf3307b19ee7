//! Paths. `::` separates in `s![]` as it does in Python, so a path stands in parentheses; this room notices the ones
//! that do not, and the ones whose name says that they are constants.

use std::ops::Range;

use crate::tokens::{Delimiter, Ident, Spacing, TokenTree};

use crate::syntax::{inside, is_punct, is_word};

/// Types and keywords that can begin a path but can never be a bound.
const HEADS: [&str; 18] = [
    "Self", "self", "super", "crate", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16",
    "i32", "i64", "i128", "isize", "f32", "f64",
];

/// The bounds with a path outside parentheses in them, which can only have been meant as one: by what it begins with, or
/// because the item has too many parts otherwise.
pub fn unparenthesised(tokens: &[TokenTree]) -> Vec<Range<usize>> {
    let mut paths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let end = path_end(tokens, at);
        if end > at + 1 {
            paths.push(at..end);
        }
        at = end.max(at + 1);
    }
    let certain: Vec<_> = paths
        .iter()
        .filter(|path| is_certain(tokens, path))
        .cloned()
        .collect();
    if bounds(tokens, &certain).len() <= 3 {
        paths = certain;
    }
    let mut bounds = bounds(tokens, &paths);
    bounds.retain(|bound| paths.iter().any(|path| bound.contains(&path.start)));
    bounds
}

/// The parts of an item when the colons in these paths do not separate.
fn bounds(tokens: &[TokenTree], paths: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut bounds = Vec::new();
    let mut start = 0;
    for (at, token) in tokens.iter().enumerate() {
        if is_punct(token, ':') && !paths.iter().any(|path| path.contains(&at)) {
            bounds.push(start..at);
            start = at + 1;
        }
    }
    bounds.push(start..tokens.len());
    bounds
}

fn is_certain(tokens: &[TokenTree], path: &Range<usize>) -> bool {
    let turbofish = tokens[path.clone()]
        .iter()
        .any(|token| is_punct(token, '<'));
    let cast = path.start > 0 && is_word(&tokens[path.start - 1], "as");
    turbofish || (!cast && is_head(&tokens[path.start]))
}

/// Where the path that begins at `start` ends, calls, subscripts and macro arguments directly behind it included.
fn path_end(tokens: &[TokenTree], start: usize) -> usize {
    let Some(TokenTree::Ident(_)) = tokens.get(start) else {
        return start;
    };
    let mut end = start + 1;
    while is_double_colon(&tokens[end..]) {
        match tokens.get(end + 2) {
            Some(TokenTree::Ident(_)) => end += 3,
            Some(token) if is_punct(token, '<') => match closing_angle(&tokens[end + 2..]) {
                Some(length) => end += 2 + length,
                None => return tokens.len(),
            },
            _ => break,
        }
    }
    if end > start + 1 {
        while let Some(TokenTree::Group(group)) = tokens.get(end)
            && group.delimiter() != Delimiter::None
        {
            end += 1;
        }
    }
    end
}

fn is_double_colon(tokens: &[TokenTree]) -> bool {
    match tokens {
        [TokenTree::Punct(first), TokenTree::Punct(second), ..] => {
            (first.as_char(), second.as_char(), first.spacing()) == (':', ':', Spacing::Joint)
        }
        _ => false,
    }
}

/// Whether a colon stands in `tokens` that is not part of a path.
pub fn has_other_colon(mut tokens: &[TokenTree]) -> bool {
    while let [first, rest @ ..] = tokens {
        tokens = match tokens {
            _ if !is_punct(first, ':') => rest,
            [_, _, next, rest @ ..]
                if is_double_colon(tokens)
                    && (matches!(next, TokenTree::Ident(_)) || is_punct(next, '<')) =>
            {
                rest
            }
            _ => return true,
        };
    }
    false
}

fn closing_angle(tokens: &[TokenTree]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        if is_punct(token, '<') {
            depth += 1;
        } else if is_punct(token, '>') {
            depth -= 1;
            if depth == 0 {
                return Some(at + 1);
            }
        }
    }
    None
}

fn is_head(token: &TokenTree) -> bool {
    let TokenTree::Ident(ident) = token else {
        return false;
    };
    let name = ident.to_string();
    let camel_case = name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
    HEADS.contains(&name.as_str()) || camel_case
}

/// Whether `tokens` are a path to a name in capitals, with `-` and parentheses around it.
///
/// A block is not looked into: `{ N }` is how a caller says that a local variable in capitals is not a constant.
pub fn is_constant(tokens: &[TokenTree]) -> bool {
    if let Some(inner) = [Delimiter::None, Delimiter::Parenthesis]
        .into_iter()
        .find_map(|d| inside(tokens, d))
    {
        return is_constant(&inner);
    }
    match tokens {
        [minus, rest @ ..] if is_punct(minus, '-') => is_constant(rest),
        [.., TokenTree::Ident(last)] => is_capital(last) && is_path(tokens),
        _ => false,
    }
}

fn is_capital(ident: &Ident) -> bool {
    let name = ident.to_string();
    name.contains(char::is_uppercase) && !name.contains(char::is_lowercase)
}

/// Whether `tokens` are names and `<...>` with `::` between them.
fn is_path(tokens: &[TokenTree]) -> bool {
    let mut rest = match tokens {
        [first, second, rest @ ..] if is_punct(first, ':') && is_punct(second, ':') => rest,
        _ => tokens,
    };
    loop {
        rest = match rest {
            [TokenTree::Ident(_), rest @ ..] => rest,
            [angle, ..] if is_punct(angle, '<') => match closing_angle(rest) {
                Some(length) => &rest[length..],
                None => return false,
            },
            _ => return false,
        };
        rest = match rest {
            [] => return true,
            [first, second, rest @ ..] if is_punct(first, ':') && is_punct(second, ':') => rest,
            _ => return false,
        };
    }
}
