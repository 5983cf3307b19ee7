//! Predicates and accessors for single tokens and groups.

use std::borrow::Cow;

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};

pub fn is_word(token: &TokenTree, wanted: &str) -> bool {
    matches!(token, TokenTree::Ident(word) if word == wanted)
}

/// Returns whether a word is one of `words`, which are separated by spaces.
pub fn is_one_of(word: &Ident, words: &str) -> bool {
    let word = word.to_string();
    words.split(' ').any(|one| one == word)
}

/// Returns whether a token is one of `words`, which are separated by spaces.
pub fn is_any_word(token: &TokenTree, words: &str) -> bool {
    matches!(token, TokenTree::Ident(word) if is_one_of(word, words))
}

/// Returns whether a token is `newaxis` or `None`.
pub fn is_new_axis(token: &TokenTree) -> bool {
    is_any_word(token, "newaxis None")
}

/// Returns whether a token is one of the characters in `wanted`.
pub fn is_any_punct(token: &TokenTree, wanted: &str) -> bool {
    matches!(token, TokenTree::Punct(punct) if wanted.contains(punct.as_char()))
}

pub fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

pub fn is_group(token: &TokenTree, delimiter: Delimiter) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == delimiter)
}

/// Returns whether `tokens` begins with `::`, without a space between the colons.
pub fn is_path_separator(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [first, second, ..] if is_punct(first, ':') && is_punct(second, ':') && is_joint(first))
}

pub fn is_joint(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.spacing() == proc_macro2::Spacing::Joint)
}

/// Returns the number of dots at the beginning of `tokens`.
pub fn dots(tokens: &[TokenTree]) -> usize {
    let is_dot = |token: &&TokenTree| is_punct(token, '.');
    tokens.iter().take_while(is_dot).count()
}

/// Returns the contents of the group if `tokens` consists of a single group with the delimiter `delimiter`.
pub fn inside(tokens: &[TokenTree], delimiter: Delimiter) -> Option<Vec<TokenTree>> {
    match tokens {
        [TokenTree::Group(group)] if group.delimiter() == delimiter => {
            Some(group.stream().into_iter().collect())
        }
        _ => None,
    }
}

/// Returns the tokens without the invisible groups around them. An invisible group is a group without delimiters. A
/// `macro_rules!` macro passes on a `$e:expr` in such a group.
pub fn visible(tokens: &[TokenTree]) -> Cow<'_, [TokenTree]> {
    let mut contents = Cow::Borrowed(tokens);
    while let Some(inner) = inside(&contents, Delimiter::None) {
        contents = Cow::Owned(inner);
    }
    contents
}

/// Returns whether `wanted` returns `true` for any token at any depth. The second argument of `wanted` is the number of
/// blocks `{ }` that contain the token. The function is not recursive, so deeply nested tokens cannot overflow the
/// stack.
pub fn any_level(tokens: &[TokenTree], mut wanted: impl FnMut(&TokenTree, usize) -> bool) -> bool {
    let mut streams: Vec<(TokenStream, usize)> = Vec::new();
    let mut visit = |token: &TokenTree, blocks: usize, streams: &mut Vec<_>| {
        if let TokenTree::Group(group) = token {
            let block = usize::from(group.delimiter() == Delimiter::Brace);
            streams.push((group.stream(), blocks + block));
        }
        wanted(token, blocks)
    };
    if tokens.iter().any(|token| visit(token, 0, &mut streams)) {
        return true;
    }
    while let Some((stream, blocks)) = streams.pop() {
        if stream
            .into_iter()
            .any(|token| visit(&token, blocks, &mut streams))
        {
            return true;
        }
    }
    false
}

/// Returns whether there is a space or a comment between two adjacent tokens. Outside the compiler, tokens have no
/// locations, so the function returns `true`.
pub fn are_separated(before: &TokenTree, after: &TokenTree) -> bool {
    if !proc_macro::is_available() {
        return true;
    }
    let (before, after) = (
        closing(before).unwrap().end(),
        opening(after).unwrap().start(),
    );
    (before.line(), before.column()) != (after.line(), after.column())
}

/// Returns the span of a token, or of the opening delimiter of a group.
pub fn opening(token: &TokenTree) -> Span {
    match token {
        TokenTree::Group(group) => group.span_open(),
        _ => token.span(),
    }
}

/// Returns the span of a token, or of the closing delimiter of a group.
pub fn closing(token: &TokenTree) -> Span {
    match token {
        TokenTree::Group(group) => group.span_close(),
        _ => token.span(),
    }
}
