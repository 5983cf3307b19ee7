//! Which brackets are slices, decided by their tokens: Rust's parser cannot read an expression with slices in it. Each slice
//! is taken out before the rest is parsed, and a name is put in its place.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::split::split_items;
use crate::tokens::{dots, is_punct, is_word};

/// The name in brackets whose slice was taken out.
const MARK: &str = "__py_slice_";

/// The keywords after which brackets can be an index.
const OPERANDS: [&str; 4] = ["self", "await", "true", "false"];

/// All other keywords: brackets after them are an array, a pattern or a type.
const KEYWORDS: [&str; 37] = [
    "Self", "as", "async", "box", "break", "const", "continue", "crate", "dyn", "else", "enum",
    "extern", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub",
    "ref", "return", "static", "struct", "super", "trait", "type", "unsafe", "use", "where",
    "while", "yield", "macro",
];

/// The slices that were taken out.
#[derive(Default)]
pub struct Slices {
    groups: Vec<Group>,
    /// Whether there are calls of macros, whose arguments have not been looked at.
    pub macros: bool,
}

impl Slices {
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// The same tokens with a mark in place of each slice.
    pub fn take_out(&mut self, stream: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let mut out = Vec::with_capacity(tokens.len());
        for (at, token) in tokens.iter().enumerate() {
            out.push(match token {
                TokenTree::Group(group) => self.group(&tokens[..at], group).into(),
                token => token.clone(),
            });
        }
        out.into_iter().collect()
    }

    fn group(&mut self, before: &[TokenTree], group: &Group) -> Group {
        let bracket = group.delimiter() == Delimiter::Bracket;
        match before {
            [.., hash] if bracket && is_punct(hash, '#') => return group.clone(),
            [.., hash, bang] if is_punct(bang, '!') && is_punct(hash, '#') => return group.clone(),
            [.., TokenTree::Ident(_), bang] if is_punct(bang, '!') => {
                self.macros = true;
                return group.clone();
            }
            _ => {}
        }
        let stream = group.stream();
        let (inner, changed) = if bracket && ends_operand(before) && is_slice(&stream) {
            let mark = Ident::new(&format!("{MARK}{}", self.groups.len()), group.span());
            self.groups.push(group.clone());
            (TokenTree::from(mark).into(), true)
        } else {
            let found = self.groups.len();
            let inner = self.take_out(stream);
            (inner, self.groups.len() > found)
        };
        if !changed {
            return group.clone();
        }
        let mut out = Group::new(group.delimiter(), inner);
        out.set_span(group.span());
        out
    }

    /// The slice that this expression in brackets is the mark of.
    pub fn find(&self, index: &syn::Expr) -> Option<&Group> {
        match index {
            syn::Expr::Path(path) => self.find_ident(path.path.get_ident()?),
            _ => None,
        }
    }

    fn find_ident(&self, ident: &Ident) -> Option<&Group> {
        let name = ident.to_string();
        self.groups
            .get(name.strip_prefix(MARK)?.parse::<usize>().ok()?)
    }

    /// The same tokens with every slice that is still marked put back.
    pub fn put_back(&self, stream: TokenStream) -> TokenStream {
        stream
            .into_iter()
            .map(|token| match token {
                TokenTree::Group(group) => {
                    let mut inner = group.stream().into_iter();
                    if let (Some(TokenTree::Ident(ident)), None) = (inner.next(), inner.next())
                        && let Some(slice) = self.find_ident(&ident)
                    {
                        return slice.clone().into();
                    }
                    let mut out = Group::new(group.delimiter(), self.put_back(group.stream()));
                    out.set_span(group.span());
                    out.into()
                }
                token => token,
            })
            .collect()
    }

    /// All slices, in the order of the source.
    pub fn iter(&self) -> impl Iterator<Item = &Group> {
        self.groups.iter()
    }
}

/// Mistakes in brackets that Rust's parser cannot explain.
pub enum Misplaced {
    /// Items of a slice without anything before them.
    NothingInFront(Span),
    /// An index without an item.
    NoItems(Span),
}

/// The first brackets that are neither a slice nor Rust's.
pub fn misplaced(stream: TokenStream) -> Option<Misplaced> {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    tokens.iter().enumerate().find_map(|(at, token)| {
        let TokenTree::Group(group) = token else {
            return None;
        };
        let before = &tokens[..at];
        let of_rust = before
            .last()
            .is_some_and(|token| is_punct(token, '#') || is_punct(token, '!'));
        if group.delimiter() != Delimiter::Bracket || of_rust {
            return misplaced(group.stream());
        }
        match ends_operand(before) {
            true if group.stream().is_empty() => Some(Misplaced::NoItems(group.span())),
            false if has_slice_item(group.stream()) => {
                Some(Misplaced::NothingInFront(group.span()))
            }
            _ => misplaced(group.stream()),
        }
    })
}

/// Whether an item can only be one of a slice.
fn has_slice_item(stream: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    tokens
        .split(|token| is_punct(token, ','))
        .any(|item| is_slice(&item.iter().cloned().collect()))
}

/// Whether brackets after these tokens can be an index.
fn ends_operand(before: &[TokenTree]) -> bool {
    match before {
        [.., quote, TokenTree::Ident(_)] if is_punct(quote, '\'') => false,
        [.., TokenTree::Ident(word)] => {
            let word = word.to_string();
            OPERANDS.contains(&word.as_str()) || !KEYWORDS.contains(&word.as_str())
        }
        [.., TokenTree::Group(_) | TokenTree::Literal(_)] => true,
        [.., token] => is_punct(token, '?'),
        [] => false,
    }
}

/// Whether tokens in brackets are what `s![]` reads, rather than an index of Rust.
///
/// They are if there are several items, or one with a colon, `...`, `newaxis` or `None`. A colon of a path does not count,
/// as in `v[Self::N]` and `v[usize::MAX]`.
fn is_slice(stream: &TokenStream) -> bool {
    split_items(stream.clone()).iter().any(|item| {
        let word = match item.tokens.as_slice() {
            [word] => is_word(word, "newaxis") || is_word(word, "None"),
            tokens => tokens.len() == 3 && dots(tokens) == 3,
        };
        word || item.comma.is_some() || !item.colons.is_empty()
    })
}
