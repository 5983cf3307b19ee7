//! Reads the lists among the items of a slice: `[0, 2, -1]`, `[true, false]` and `&rows`.

use proc_macro2::{Delimiter, TokenTree};
use syn::Expr;

use crate::bound::{self, WrittenBound};
use crate::expression::{self, Parsed};
use crate::messages;
use crate::mistake::Mistakes;
use crate::notation;
use crate::split::{BoundRole, RawItem, split_items};
#[cfg(feature = "py")]
use crate::tokens::is_group;
use crate::tokens::{inside, is_punct, is_word, visible};

/// A list in a slice.
pub enum List {
    /// A list of positions.
    Positions(Vec<WrittenBound>),
    /// A mask of `true` and `false`.
    Mask(Vec<bool>),
    /// A reference to a list or a mask.
    Reference(Vec<TokenTree>),
}

/// Returns whether an item looks like a list: brackets, or a reference.
#[cfg(feature = "py")]
pub fn is_list(item: &RawItem) -> bool {
    let tokens = &item.tokens;
    let begins_list = match tokens.as_slice() {
        [group @ TokenTree::Group(_)] => {
            is_group(group, Delimiter::Bracket) || begins_with_reference(tokens)
        }
        [first, ..] => is_punct(first, '&'),
        [] => false,
    };
    begins_list && item.colons.is_empty()
}

/// Reads the elements of a list in brackets, and adds every mistake to `mistakes`.
pub fn literal(inner: &[TokenTree], mistakes: &mut Mistakes) -> List {
    let (mut positions, mut mask) = (Vec::new(), Vec::new());
    for element in split_items(inner) {
        let tokens = &element.tokens;
        if tokens.is_empty() {
            mistakes.report(element.comma.as_slice(), messages::empty_element());
        } else if let Some(is_true) = boolean(tokens) {
            mask.push(is_true);
            if !positions.is_empty() {
                mistakes.report(tokens, messages::mixed_list());
            }
        } else if let Some((at, text)) = invalid_element(&element) {
            mistakes.report(&tokens[at], text);
        } else {
            if !mask.is_empty() {
                mistakes.report(tokens, messages::mixed_list());
            }
            positions.push(bound::read(tokens, BoundRole::Index, mistakes));
        }
    }
    match mask.is_empty() {
        true => List::Positions(positions),
        false => List::Mask(mask),
    }
}

/// Returns the mistake in an element whose form shows that it is not a numeric expression, or `None` for any other
/// element.
fn invalid_element(element: &RawItem) -> Option<(std::ops::Range<usize>, String)> {
    let tokens = &element.tokens;
    if let Some(&semicolon) = element.semicolons.first() {
        return Some((semicolon..semicolon + 1, messages::repeated_element()));
    }
    if !element.ranges.is_empty() {
        return notation::range(element);
    }
    if let Some(&gap) = element.gaps.first()
        && !matches!(expression::parse(tokens), Parsed::Expression(_))
    {
        let text = messages::missing_comma(&tokens[..gap], &tokens[gap..]);
        return Some((gap..gap + 1, text));
    }
    let whole = 0..tokens.len();
    if let [TokenTree::Ident(word)] = &*visible(tokens)
        && (word == "True" || word == "False")
    {
        return Some((whole, messages::python_boolean(&word.to_string())));
    }
    let nested = inside(tokens, Delimiter::Bracket).is_some()
        || inside(tokens, Delimiter::Parenthesis)
            .is_some_and(|inner| inner.iter().any(|token| is_punct(token, ',')));
    nested.then(|| (whole, messages::nested_list()))
}

/// Reads `tokens` as a list if `tokens` is exactly one reference, and returns `None` otherwise. `&[...]` is read like
/// `[...]`, but `&[0; n]` remains a Rust expression.
pub fn reference(tokens: &[TokenTree], mistakes: &mut Mistakes) -> Option<List> {
    let may_be_reference = match tokens.first()? {
        TokenTree::Group(group) => group.delimiter() != Delimiter::Bracket,
        first => is_punct(first, '&'),
    };
    if !may_be_reference || tokens.len() == 1 && !begins_with_reference(tokens) {
        return None;
    }
    if let [sign, list] = &*visible(tokens)
        && is_punct(sign, '&')
        && let Some(inner) = inside(std::slice::from_ref(list), Delimiter::Bracket)
        && !inner.iter().any(|token| is_punct(token, ';'))
    {
        return Some(literal(&inner, mistakes));
    }
    match expression::parse(tokens) {
        Parsed::Expression(parsed) if is_reference(&parsed) => Some(List::Reference(
            bound::with_macro_delimiters(tokens.to_vec(), 0),
        )),
        _ => None,
    }
}

/// Returns whether `tokens` begins with `&`, possibly inside parentheses or invisible groups.
fn begins_with_reference(tokens: &[TokenTree]) -> bool {
    let mut contents = tokens.to_vec();
    while let [TokenTree::Group(group)] = contents.as_slice()
        && matches!(group.delimiter(), Delimiter::None | Delimiter::Parenthesis)
    {
        contents = group.stream().into_iter().collect();
    }
    contents.first().is_some_and(|token| is_punct(token, '&'))
}

fn is_reference(expression: &Expr) -> bool {
    match expression {
        Expr::Group(group) => is_reference(&group.expr),
        Expr::Paren(paren) => is_reference(&paren.expr),
        Expr::Reference(_) => true,
        _ => false,
    }
}

fn boolean(tokens: &[TokenTree]) -> Option<bool> {
    match &*visible(tokens) {
        [word] if is_word(word, "true") => Some(true),
        [word] if is_word(word, "false") => Some(false),
        _ => None,
    }
}
