//! Reads the lists among the items of a slice: `[0, 2, -1]`, `[true, false]`, `&rows` and `zip(&rows, &columns)`.

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
    /// A list of positions, in C order, and its shape.
    Positions(Vec<WrittenBound>, Vec<usize>),
    /// A mask of `true` and `false`, in C order, and its shape.
    Mask(Vec<bool>, Vec<usize>),
    /// A reference to a list or a mask.
    Reference(Vec<TokenTree>),
    /// The lists of `zip`.
    Points(Vec<List>),
}

/// The maximum number of axes of a literal list.
const MAX_RANK: usize = 6;

/// Returns whether an item looks like a list: brackets, a reference, or `zip`.
#[cfg(feature = "py")]
pub fn is_list(item: &RawItem) -> bool {
    let tokens = &item.tokens;
    let begins_list = zip_arguments(tokens).is_some()
        || match tokens.as_slice() {
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
    let mut elements = Elements {
        positions: Vec::new(),
        mask: Vec::new(),
        mistakes,
    };
    let shape = elements.axis(inner, 1);
    let Elements {
        positions, mask, ..
    } = elements;
    let len = if mask.is_empty() {
        positions.len()
    } else {
        mask.len()
    };
    // After a mistake, the shape may not match.
    let shape = match shape.iter().product::<usize>() == len {
        true => shape,
        false => vec![len],
    };
    match mask.is_empty() {
        true => List::Positions(positions, shape),
        false => List::Mask(mask, shape),
    }
}

/// The elements read so far.
struct Elements<'a> {
    positions: Vec<WrittenBound>,
    mask: Vec<bool>,
    mistakes: &'a mut Mistakes,
}

impl Elements<'_> {
    /// Reads elements, or lists of elements, and returns the lengths of their axes.
    fn axis(&mut self, inner: &[TokenTree], rank: usize) -> Vec<usize> {
        let (mut len, mut inner_shape) = (0, None);
        let before = self.mistakes.iter().count();
        for element in split_items(inner) {
            let tokens = &element.tokens;
            let shape = match inside(&visible(tokens), Delimiter::Bracket) {
                Some(_) if rank == MAX_RANK => {
                    self.mistakes.report(tokens, messages::TOO_MANY_AXES);
                    continue;
                }
                Some(inner) if element.semicolons.is_empty() => self.axis(&inner, rank + 1),
                _ => {
                    self.element(&element);
                    Vec::new()
                }
            };
            len += 1;
            let is_ragged = *inner_shape.get_or_insert_with(|| shape.clone()) != shape;
            if is_ragged && self.mistakes.iter().count() == before {
                self.mistakes.report(tokens, messages::RAGGED_LIST);
            }
        }
        let mut shape = vec![len];
        shape.extend(inner_shape.unwrap_or_default());
        shape
    }

    fn element(&mut self, element: &RawItem) {
        let tokens = &element.tokens;
        if tokens.is_empty() {
            let comma = element.comma.as_slice();
            self.mistakes.report(comma, messages::EMPTY_ELEMENT);
        } else if let Some(is_true) = boolean(tokens) {
            self.mask.push(is_true);
            if !self.positions.is_empty() {
                self.mistakes.report(tokens, messages::MIXED_LIST);
            }
        } else if let Some((at, text)) = invalid_element(element) {
            self.mistakes.report(&tokens[at], text);
        } else {
            if !self.mask.is_empty() {
                self.mistakes.report(tokens, messages::MIXED_LIST);
            }
            self.positions
                .push(bound::read(tokens, BoundRole::Index, self.mistakes));
        }
    }
}

/// Reads a call that is an item, `zip(...)`, or returns `None` if `tokens` is anything else.
pub fn call(tokens: &[TokenTree], mistakes: &mut Mistakes) -> Option<List> {
    let inner = zip_arguments(tokens)?;
    let mut lists = Vec::new();
    for argument in split_items(&inner) {
        let tokens = &argument.tokens;
        let list = match inside(&visible(tokens), Delimiter::Bracket) {
            _ if tokens.is_empty() => {
                let comma = argument.comma.as_slice();
                mistakes.report(comma, messages::EMPTY_ELEMENT);
                continue;
            }
            Some(inner) => Some(literal(&inner, mistakes)),
            None => reference(tokens, mistakes),
        };
        match list {
            Some(List::Mask(..)) => mistakes.report(tokens, messages::MASK_IN_POINTS),
            Some(list) => lists.push(list),
            None => mistakes.report(tokens, messages::point_list(tokens)),
        }
    }
    if lists.is_empty() && mistakes.is_empty() {
        mistakes.report(tokens, messages::EMPTY_POINTS);
    }
    Some(List::Points(lists))
}

/// Returns the contents of the parentheses of `zip(...)`.
fn zip_arguments(tokens: &[TokenTree]) -> Option<Vec<TokenTree>> {
    match tokens {
        [name, arguments] if is_word(name, "zip") => {
            inside(std::slice::from_ref(arguments), Delimiter::Parenthesis)
        }
        _ => None,
    }
}

/// Returns the mistake in an element whose form shows that it is not a numeric expression, or `None` for any other
/// element.
fn invalid_element(element: &RawItem) -> Option<(std::ops::Range<usize>, String)> {
    let tokens = &element.tokens;
    if let Some(&semicolon) = element.semicolons.first() {
        return Some((
            semicolon..semicolon + 1,
            messages::REPEATED_ELEMENT.to_owned(),
        ));
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
    let nested = inside(tokens, Delimiter::Parenthesis)
        .is_some_and(|inner| inner.iter().any(|token| is_punct(token, ',')));
    nested.then(|| (whole, messages::NESTED_LIST.to_owned()))
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
