//! `//` and `#`, which are a division and a comment in Python, and in Rust a comment and no operator. What is after `//` never
//! reaches a macro, so that a division would be left out without a word; the source text shows it.

use std::borrow::Cow;
use std::iter;

use proc_macro2::{Delimiter, Group, Punct, Spacing, Span, TokenStream, TokenTree};

use crate::literal::{self, LiteralNumber};
use crate::messages;
use crate::mistake::Mistakes;
use crate::notation::{is_keyword, is_operator};
use crate::source::{Place, Source};
use crate::tokens::{closing, is_group, is_punct, opening};

/// Every `//` and `#` after which Python would read on, and the tokens that it would read.
pub fn mistakes(tokens: &[TokenTree]) -> (Mistakes, Cow<'_, [TokenTree]>) {
    let mut mistakes = Mistakes::default();
    let divisions = divisions(tokens, &mut mistakes);
    let mut tokens = Cow::Borrowed(tokens);
    for (at, comment) in divisions.into_iter().rev() {
        let slash = TokenTree::from(Punct::new('/', Spacing::Alone));
        tokens
            .to_mut()
            .splice(at..at, iter::once(slash).chain(comment));
    }
    while let Some(at) = hash(&tokens) {
        mistakes.at(&tokens[at..=at], messages::hash());
        let is_comment = |token: &&TokenTree| !begins_line(&tokens[at], token);
        let end = at + tokens[at..].iter().take_while(is_comment).count();
        tokens.to_mut().drain(at..end);
    }
    (mistakes, tokens)
}

/// The first `#` that is not of an attribute.
fn hash(tokens: &[TokenTree]) -> Option<usize> {
    let is_attribute = |next: &TokenTree| is_punct(next, '!') || is_group(next, Delimiter::Bracket);
    tokens.iter().enumerate().position(|(at, token)| {
        is_punct(token, '#') && !tokens.get(at + 1).is_some_and(is_attribute)
    })
}

/// Whether a token is on another line than one before it, as far as this is known.
fn begins_line(before: &TokenTree, token: &TokenTree) -> bool {
    proc_macro::is_available() && opening(token).unwrap().line() != closing(before).unwrap().line()
}

/// Reports every comment that may be a division, and returns those after one of these tokens: its place, and what the
/// comment holds. Where no `//` is on their lines, nothing else is looked at.
pub fn divisions(tokens: &[TokenTree], mistakes: &mut Mistakes) -> Vec<(usize, TokenStream)> {
    let Some(last) = tokens.last() else {
        return Vec::new();
    };
    if tokens.len() == 1 && !ends_operand(last) {
        return Vec::new();
    }
    match Source::of(last) {
        Some(source) if source.has_slashes(tokens) => {
            let end = end(&source, tokens, last);
            look(&source, tokens, end, mistakes)
        }
        _ => Vec::new(),
    }
}

/// Where the brackets around the macro's input end, if all of it is written there. What another macro hands on, as in
/// `m!(n // 2)`, is not.
fn end(source: &Source, tokens: &[TokenTree], last: &TokenTree) -> Option<Place> {
    let is_direct = source.is_first_of(Place::before(&tokens[0]), &["s", "named", "py"])
        && tokens
            .windows(2)
            .all(|pair| source.is_empty_between(Place::after(&pair[0]), Place::before(&pair[1])));
    is_direct.then(|| source.closing_after_line(Place::after(last)))?
}

/// Looks after every operand that is the last on its line; `end` is where the group around the tokens ends.
fn look(
    source: &Source,
    tokens: &[TokenTree],
    end: Option<Place>,
    mistakes: &mut Mistakes,
) -> Vec<(usize, TokenStream)> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
            let end = group.delimiter() != Delimiter::None;
            let end = end.then(|| Place::of(group.span_close()));
            look(source, &inside, end, mistakes);
        }
        if !ends_operand(token) {
            continue;
        }
        let place = Place::after(token);
        let next = tokens.get(at + 1).map(Place::before).or(end);
        // What another macro has put side by side is not so in the text.
        if let Some(next) = next
            && let Some(rest) = source.rest_of_line(place)
            && let Some(divisor) = divisor(rest)
            && source.is_empty_between(place, next)
        {
            let operand = operand_of(&tokens[..=at]);
            mistakes.at(operand, messages::floor_division(operand, divisor));
            let comment = rest.trim_start().trim_start_matches('/');
            let comment = comment.parse().unwrap_or_default();
            found.push((at + 1, shown_at(comment, token.span())));
        }
    }
    found
}

/// The same tokens with the span of a token of the caller, and so with its names.
fn shown_at(tokens: TokenStream, span: Span) -> TokenStream {
    let shown = tokens.into_iter().map(|mut token| {
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), shown_at(group.stream(), span)).into();
        }
        token.set_span(span);
        token
    });
    shown.collect()
}

/// The operand with which tokens end.
fn operand_of(tokens: &[TokenTree]) -> &[TokenTree] {
    let separator = |token: &TokenTree| [',', ':', ';'].iter().any(|&sign| is_punct(token, sign));
    let before = |token: &TokenTree| is_operator(token) || separator(token);
    let start = tokens.iter().rposition(before).map_or(0, |sign| sign + 1);
    &tokens[start..]
}

/// The divisor in the rest of a line after an operand, if that can be a division rather than a comment in words: `//` glued
/// to both, or a number and nothing more.
fn divisor(rest: &str) -> Option<&str> {
    let comment = rest.trim_start().strip_prefix("//")?;
    let is_glued = rest.starts_with("//")
        && comment.starts_with(|first: char| first.is_alphanumeric() || "_(-".contains(first));
    let written = comment
        .trim()
        .trim_end_matches([',', ':', ';', ')', ']', '}'])
        .trim();
    if is_number(written) {
        return Some(written);
    }
    (is_glued && !is_words(comment)).then(|| operand(comment))
}

fn is_number(text: &str) -> bool {
    let tokens: Option<TokenStream> = text.parse().ok();
    let tokens: Vec<TokenTree> = tokens.into_iter().flatten().collect();
    matches!(
        literal::read(&tokens),
        Some(LiteralNumber::Integer(_) | LiteralNumber::Float(_))
    )
}

/// What is before the first separator or the bracket that closes one before it.
fn operand(text: &str) -> &str {
    let mut depth = 0;
    let end = text.find(|letter| match letter {
        '(' | '[' | '{' => {
            depth += 1;
            false
        }
        ')' | ']' | '}' => {
            depth -= 1;
            depth < 0
        }
        ',' | ':' | ';' => depth == 0,
        _ => false,
    });
    text[..end.unwrap_or(text.len())].trim()
}

/// Whether two words follow each other.
fn is_words(text: &str) -> bool {
    let is_word = |text: &str| text.ends_with(|last: char| last.is_alphanumeric());
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        if is_word(word)
            && words
                .peek()
                .is_some_and(|next| next.starts_with(|first: char| first.is_alphabetic()))
        {
            return true;
        }
    }
    false
}

/// Whether a token can be the last of something that is divided.
fn ends_operand(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(word) => {
            let word = word.to_string();
            !is_keyword(&word) && word != "None" && word != "newaxis"
        }
        TokenTree::Literal(literal) => literal
            .to_string()
            .starts_with(|first: char| first.is_ascii_digit()),
        TokenTree::Group(group) => matches!(
            group.delimiter(),
            Delimiter::Parenthesis | Delimiter::Bracket
        ),
        TokenTree::Punct(question) => question.as_char() == '?',
    }
}
