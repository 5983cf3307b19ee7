//! Splits tokens into items: a `,` ends an item, and a `:` ends a part of an item. An expression parser cannot split
//! items, because it reads `n::2` as the beginning of a path. This module decides, from left to right, whether a colon
//! belongs to a path or to a range. The decision depends on where operands begin in Rust's grammar, and on Rust's
//! naming conventions. In an item that would otherwise have too many parts, a `::` after a name in lower case belongs
//! to a path if no space precedes it.

use std::borrow::Cow;
use std::ops::Range;
use std::{iter, slice};

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use crate::tokens::{
    are_separated, dots, is_any_punct, is_group, is_joint, is_new_axis, is_path_separator,
    is_punct, is_word, visible,
};
use crate::writer::Krate;

/// The role of a bound in its item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundRole {
    Index,
    Begin,
    End,
    Step,
}

/// The tokens of one item, before it is checked.
#[derive(Default)]
pub struct RawItem {
    pub tokens: Vec<TokenTree>,
    /// The comma after the item.
    pub comma: Option<TokenTree>,
    /// The indices in `tokens` of the colons.
    pub colons: Vec<usize>,
    /// The indices in `tokens` of the semicolons.
    pub semicolons: Vec<usize>,
    /// The index in `tokens` of each `..`.
    pub ranges: Vec<usize>,
    /// The indices in `tokens` at which an operand directly follows another operand.
    pub gaps: Vec<usize>,
}

impl RawItem {
    /// Returns the token range of each part. An index has one part, and a valid range has two or three parts.
    pub fn parts(&self) -> Vec<Range<usize>> {
        let starts = iter::once(0).chain(self.colons.iter().map(|colon| colon + 1));
        let ends = self.colons.iter().copied().chain([self.tokens.len()]);
        starts.zip(ends).map(|(start, end)| start..end).collect()
    }
}

/// Returns the path to `slice_core`, which precedes the first `;` in `input`, and the tokens after that `;`.
pub fn split_crate(input: TokenStream) -> (Krate, Vec<TokenTree>) {
    let mut path: Vec<TokenTree> = input.into_iter().collect();
    let semicolon = path.iter().position(|token| is_punct(token, ';'));
    let rest = path.split_off(semicolon.map_or(path.len(), |at| at + 1));
    path.truncate(semicolon.unwrap_or(path.len()));
    (Krate::new(path), rest)
}

/// Splits tokens at every top-level comma; a trailing comma adds no item.
pub fn split_items(tokens: &[TokenTree]) -> Vec<RawItem> {
    let tokens = &*with_ungrouped_labels(tokens);
    let mut items = items(tokens, DoubleColon::Range);
    for item in items.iter_mut().filter(|item| item.colons.len() > 2) {
        // The item has too many parts for a range, so `config::N` in it may be a path.
        if let [again] = self::items(&item.tokens, DoubleColon::Path).as_mut_slice()
            && again.colons.len() <= 2
        {
            again.comma = item.comma.take();
            *item = std::mem::take(again);
        }
    }
    items
}

/// Returns the tokens without the invisible groups in which `macro_rules!` macros pass on labels (`$label:lifetime`).
fn with_ungrouped_labels(tokens: &[TokenTree]) -> Cow<'_, [TokenTree]> {
    let label = |token: &TokenTree| {
        let inner = is_group(token, Delimiter::None).then(|| visible(slice::from_ref(token)))?;
        matches!(&*inner, [quote, TokenTree::Ident(_)] if is_punct(quote, '\''))
            .then(|| inner.into_owned())
    };
    if !tokens.iter().any(|token| label(token).is_some()) {
        return Cow::Borrowed(tokens);
    }
    let shown = |token: &TokenTree| label(token).unwrap_or_else(|| vec![token.clone()]);
    Cow::Owned(tokens.iter().flat_map(shown).collect())
}

/// The meaning of `::` after a name in lower case: two colons of a range, as in `n::step`, or a path, as in
/// `config::N`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DoubleColon {
    Range,
    Path,
}

fn items(tokens: &[TokenTree], double_colon: DoubleColon) -> Vec<RawItem> {
    let mut splitter = Splitter {
        tokens,
        double_colon,
        at: 0,
        start: 0,
        operand_next: true,
        closing: closing_angles(tokens),
        item: RawItem::default(),
        items: Vec::new(),
    };
    while splitter.at < tokens.len() {
        if splitter.operand_next {
            splitter.operand();
        } else {
            splitter.operator();
        }
    }
    if splitter.start < tokens.len() {
        splitter.end_of_item(None);
    }
    splitter.items
}

/// Returns one number for each token: for each `<` that can be an opening bracket, the index of the closing `>`, and
/// for all other tokens, 0. Returns an empty vector if there is no `<`.
pub fn closing_angles(tokens: &[TokenTree]) -> Vec<usize> {
    if !tokens.iter().any(|token| is_punct(token, '<')) {
        return Vec::new();
    }
    let mut closing = vec![0; tokens.len()];
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if is_punct(token, ';') {
            open.clear();
        } else if is_punct(token, '<') {
            open.push(at);
        } else if is_punct(token, '>')
            && !(at > 0 && is_joint(&tokens[at - 1]) && is_any_punct(&tokens[at - 1], "-="))
            && let Some(start) = open.pop()
        {
            closing[start] = at;
        }
    }
    closing
}

/// The possible meanings of a path segment, according to Rust's naming conventions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NameKind {
    /// A keyword such as `Self` or `crate`, or `<T as Trait>`: never a bound on its own.
    Root,
    /// A primitive type: never a bound on its own, and never followed by the name of a module or type.
    Primitive,
    /// CamelCase: a type, a trait or a variant.
    Camel,
    /// One capital letter: a type parameter or a constant.
    Letter,
    /// Capitals: a constant.
    Constant,
    /// Lower case: a variable, a function or a module.
    Lower,
}

impl NameKind {
    fn of(ident: &Ident) -> Self {
        let name = ident.to_string();
        match name.as_str() {
            "Self" | "self" | "super" | "crate" | "$crate" => return Self::Root,
            "bool" | "char" | "str" | "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8"
            | "i16" | "i32" | "i64" | "i128" | "isize" | "f32" | "f64" => return Self::Primitive,
            _ => {}
        }
        let mut letters = name.chars();
        if !letters.next().is_some_and(char::is_uppercase) {
            Self::Lower
        } else if name.contains(char::is_lowercase) {
            Self::Camel
        } else if letters.next().is_none() {
            Self::Letter
        } else {
            Self::Constant
        }
    }

    /// Returns the kind of the type or path in an invisible group, or `None` for any other token.
    fn of_group(token: &TokenTree) -> Option<Self> {
        match &*visible(slice::from_ref(token)) {
            [TokenTree::Ident(ident)] => Some(Self::of(ident)),
            [first, .., TokenTree::Ident(last)] if !is_punct(first, '<') => Some(Self::of(last)),
            [first, .., last] if is_punct(last, '>') => Some(match first {
                TokenTree::Ident(_) => Self::Camel,
                _ => Self::Root,
            }),
            _ => None,
        }
    }
}

struct Splitter<'a> {
    tokens: &'a [TokenTree],
    double_colon: DoubleColon,
    at: usize,
    /// The index of the first token of the current item.
    start: usize,
    operand_next: bool,
    closing: Vec<usize>,
    item: RawItem,
    items: Vec<RawItem>,
}

impl Splitter<'_> {
    fn is(&self, ahead: usize, wanted: char) -> bool {
        let token = self.tokens.get(self.at + ahead);
        token.is_some_and(|token| is_punct(token, wanted))
    }

    fn is_group(&self, ahead: usize, delimiters: &[Delimiter]) -> bool {
        matches!(self.tokens.get(self.at + ahead), Some(TokenTree::Group(group)) if delimiters.contains(&group.delimiter()))
    }

    fn word(&self, ahead: usize) -> Option<&Ident> {
        match self.tokens.get(self.at + ahead) {
            Some(TokenTree::Ident(word)) => Some(word),
            _ => None,
        }
    }

    fn advance(&mut self, length: usize, operand_next: bool) {
        self.at = (self.at + length).min(self.tokens.len());
        self.operand_next = operand_next;
    }

    fn end_of_item(&mut self, comma: Option<TokenTree>) {
        let mut item = std::mem::take(&mut self.item);
        item.tokens = self.tokens[self.start..self.at].to_vec();
        item.comma = comma;
        self.items.push(item);
    }

    /// Steps over a separator. Returns `false` if the current token is not a separator.
    fn separator(&mut self) -> bool {
        let index = self.at - self.start;
        if self.is(0, ',') {
            self.end_of_item(Some(self.tokens[self.at].clone()));
            self.start = self.at + 1;
        } else if self.is(0, ':') {
            self.item.colons.push(index);
        } else if self.is(0, ';') {
            self.item.semicolons.push(index);
        } else {
            return false;
        }
        self.advance(1, true);
        true
    }

    /// Steps over one operand, or over a token that can precede an operand.
    fn operand(&mut self) {
        if self.separator() {
            return;
        }
        match &self.tokens[self.at] {
            TokenTree::Literal(_) => self.advance(1, false),
            TokenTree::Group(group) => {
                let invisible = group.delimiter() == Delimiter::None;
                let name = invisible.then(|| NameKind::of_group(&self.tokens[self.at]));
                self.advance(1, false);
                if let Some(Some(name)) = name {
                    self.rest_of_path(name, true);
                }
            }
            TokenTree::Ident(word) => self.operand_word(&word.to_string()),
            TokenTree::Punct(punct) => match punct.as_char() {
                '<' => match self.angle(0) {
                    Some(length) => {
                        self.advance(length, false);
                        self.rest_of_path(NameKind::Root, true);
                    }
                    None => self.advance(1, true),
                },
                '|' => self.closure(),
                '\'' => {
                    // This is the label of a block or a loop, or of a `break` or `continue`.
                    let label = self.is(2, ':')
                        && (self.is_group(3, &[Delimiter::Brace])
                            || self.word(3).is_some_and(|word| {
                                word == "loop" || word == "while" || word == "for"
                            }));
                    self.advance(if label { 3 } else { 2 }, true);
                }
                '#' if self.is_group(1, &[Delimiter::Bracket]) => self.advance(2, true),
                '.' => self.dots(),
                _ => self.advance(1, true),
            },
        }
    }

    fn operand_word(&mut self, word: &str) {
        match word {
            "if" | "match" | "while" | "for" | "loop" | "unsafe" | "const" | "async" => {
                self.blocks();
            }
            "mut" | "move" | "static" | "return" | "break" | "yield" | "let" => {
                self.advance(1, true)
            }
            _ if self.is(1, '!')
                && matches!(self.tokens.get(self.at + 2), Some(TokenTree::Group(_))) =>
            {
                self.advance(3, false);
            }
            _ => {
                let name = self.word(0).map_or(NameKind::Lower, NameKind::of);
                self.advance(1, false);
                self.rest_of_path(name, true);
            }
        }
    }

    /// Steps over a token after an operand: an operator, or a continuation of the operand.
    fn operator(&mut self) {
        if self.separator() {
            return;
        }
        match &self.tokens[self.at] {
            TokenTree::Ident(word) if word == "as" => self.cast(),
            TokenTree::Group(_) if self.continues() => self.advance(1, false),
            TokenTree::Ident(_) | TokenTree::Literal(_) | TokenTree::Group(_) => self.gap(),
            TokenTree::Punct(punct) => match punct.as_char() {
                '?' => self.advance(1, false),
                '.' if dots(&self.tokens[self.at..]) == 1 => self.member(),
                '.' if dots(&self.tokens[self.at..]) > 2 => self.gap(),
                '.' => self.dots(),
                first @ ('&' | '|' | '<' | '>')
                    if is_joint(&self.tokens[self.at]) && self.is(1, first) =>
                {
                    self.advance(2, true);
                }
                _ => self.advance(1, true),
            },
        }
    }

    fn gap(&mut self) {
        self.item.gaps.push(self.at - self.start);
        self.operand_next = true;
    }

    /// Returns whether a group after an operand contains the arguments of a call, an index, or the fields of a struct
    /// literal.
    fn continues(&self) -> bool {
        let before = &self.tokens[self.at - 1];
        if self.is_group(0, &[Delimiter::Parenthesis, Delimiter::Bracket]) {
            !is_punct(before, '.')
        } else {
            let is_name = matches!(before, TokenTree::Ident(_)) || is_punct(before, '>');
            is_name && self.is_group(0, &[Delimiter::Brace])
        }
    }

    fn dots(&mut self) {
        match dots(&self.tokens[self.at..]) {
            2 => {
                self.item.ranges.push(self.at - self.start);
                self.advance(if self.is(2, '=') { 3 } else { 2 }, true);
            }
            1 => self.advance(1, true),
            all => self.advance(all, false),
        }
    }

    fn member(&mut self) {
        self.advance(1, true);
        if matches!(
            self.tokens.get(self.at),
            Some(TokenTree::Ident(_) | TokenTree::Literal(_))
        ) {
            self.advance(1, false);
            if is_path_separator(&self.tokens[self.at..])
                && let Some(length) = self.angle(2)
                && !self.is_qualified(length)
            {
                self.advance(2 + length, false);
            }
        }
    }

    /// Returns the number of tokens in the `<...>` that begins `ahead` tokens after the current token, or `None` if no
    /// `<...>` begins there.
    fn angle(&self, ahead: usize) -> Option<usize> {
        let start = self.at + ahead;
        if !self.is(ahead, '<') {
            return None;
        }
        let end = *self.closing.get(start)?;
        (end > start).then(|| end + 1 - start)
    }

    /// Returns whether the `<...>` after `::` has the form `<T as Trait>`, which begins a new path.
    fn is_qualified(&self, length: usize) -> bool {
        let inside = &self.tokens[self.at + 2..self.at + 2 + length];
        inside.iter().any(|token| is_word(token, "as"))
    }

    /// Steps over each `::` that belongs to a path, and over the segment after each `::`. If the path names a macro,
    /// also steps over the arguments of the macro. `name` is the kind of the segment before the next `::`, and
    /// `is_first` is `true` if that segment is the first one of the path.
    fn rest_of_path(&mut self, mut name: NameKind, mut is_first: bool) {
        while is_path_separator(&self.tokens[self.at..]) {
            if let Some(length) = self.angle(2) {
                let called = matches!(self.tokens.get(self.at + 2 + length), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
                if self.is_qualified(length) || (is_first && name == NameKind::Lower && !called) {
                    return;
                }
                self.advance(2 + length, false);
            } else if self.path_continues(name, is_first) {
                name = self.word(2).map_or(NameKind::Lower, NameKind::of);
                self.advance(3, false);
            } else {
                return;
            }
            is_first = false;
        }
        if self.is(0, '!') && matches!(self.tokens.get(self.at + 1), Some(TokenTree::Group(_))) {
            self.advance(2, false);
        }
    }

    /// Returns whether the next `::` belongs to the path. `name` is the kind of the segment before the `::`, and
    /// `is_first` is `true` if that segment is the first one of the path.
    fn path_continues(&self, name: NameKind, is_first: bool) -> bool {
        let Some(next) = self.word(2) else {
            return false;
        };
        match name {
            // In `Self::N::step`, the path ends at the constant `N`, and `step` is the step of a range. A path
            // continues after a type, but not after a constant.
            NameKind::Constant => false,
            NameKind::Letter => {
                NameKind::of(next) != NameKind::Lower
                    || is_path_separator(&self.tokens[self.at + 3..])
                    || self.is_group(3, &[Delimiter::Parenthesis])
                    || self.is(3, '!')
            }
            NameKind::Lower if is_first => {
                let spaced = are_separated(&self.tokens[self.at - 1], &self.tokens[self.at]);
                self.double_colon == DoubleColon::Path && (!proc_macro::is_available() || !spaced)
            }
            NameKind::Root | NameKind::Primitive | NameKind::Camel | NameKind::Lower => true,
        }
    }

    /// Steps over the type after `as`.
    fn cast(&mut self) {
        self.advance(1, true);
        while self.is(0, '&')
            || self.is(0, '*')
            || self
                .word(0)
                .is_some_and(|word| word == "const" || word == "mut")
        {
            self.at += 1;
        }
        let name = match self.tokens.get(self.at) {
            Some(TokenTree::Ident(word)) => NameKind::of(word),
            // A group contains a complete type, which another macro has passed on.
            Some(TokenTree::Group(_)) => return self.advance(1, false),
            _ => match self.angle(0) {
                Some(length) => {
                    self.at += length - 1;
                    NameKind::Camel
                }
                None => return,
            },
        };
        self.advance(1, false);
        let mut module = name == NameKind::Lower || name == NameKind::Root;
        loop {
            if let Some(length) = self.angle(0) {
                self.advance(length, false);
            } else if name != NameKind::Primitive
                && is_path_separator(&self.tokens[self.at..])
                && let Some(next) = self.word(2).map(NameKind::of)
                && (module || matches!(next, NameKind::Camel | NameKind::Letter))
            {
                module = next == NameKind::Lower;
                self.advance(3, false);
            } else {
                return;
            }
        }
    }

    /// Steps over the parameters of a closure, and over its return type if it has one.
    fn closure(&mut self) {
        let parameters = self.tokens[self.at + 1..].iter();
        let Some(length) = parameters.clone().position(|token| is_punct(token, '|')) else {
            return self.advance(1, true);
        };
        self.advance(length + 2, true);
        if self.is(0, '-') && self.is(1, '>') {
            while self.at < self.tokens.len() && !self.is_group(0, &[Delimiter::Brace]) {
                self.at += 1;
            }
        }
    }

    /// Steps over an expression that begins with a keyword and ends with a block. All colons before the end of the
    /// block belong to the expression.
    fn blocks(&mut self) {
        match end_of_blocks(self.tokens, self.at) {
            Some(end) => self.advance(end - self.at, false),
            // If no block follows, the separators belong to the slice.
            None => self.advance(1, true),
        }
    }
}

/// Returns the index after the last token of the expression that begins with a keyword at `start` and ends with a
/// block, or `None` if no block ends such an expression.
pub fn end_of_blocks(tokens: &[TokenTree], start: usize) -> Option<usize> {
    let mut missing = 0_usize;
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        match token {
            TokenTree::Ident(word) => match word.to_string().as_str() {
                "if" | "match" | "while" | "for" | "loop" | "unsafe" | "async" => missing += 1,
                "const" if !matches!(tokens.get(at.wrapping_sub(1)), Some(star) if is_punct(star, '*')) => {
                    missing += 1
                }
                _ => {}
            },
            TokenTree::Group(_) if is_block(token) => {
                let next = tokens.get(at + 1);
                let pattern = next.is_some_and(|next| is_punct(next, '=') && !is_joint(next));
                missing -= usize::from(!pattern && missing > 0);
                if missing == 0 {
                    match (next, tokens.get(at + 2)) {
                        (Some(word), Some(next)) if is_word(word, "else") => {
                            // In `else if`, the block is counted when the loop reaches the `if`.
                            missing += usize::from(!is_word(next, "if"));
                            at += 1;
                        }
                        _ => return Some(at + 1),
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns whether a token is a block, possibly inside the invisible groups in which `macro_rules!` macros pass on
/// blocks (`$body:block`).
fn is_block(token: &TokenTree) -> bool {
    matches!(&*visible(slice::from_ref(token)), [token] if is_group(token, Delimiter::Brace))
}

/// Returns whether a group without delimiters contains a type. A `::` after such a group continues a path.
pub fn is_type_group(token: &TokenTree) -> bool {
    matches!(
        NameKind::of_group(token),
        Some(NameKind::Root | NameKind::Primitive | NameKind::Camel)
    )
}

/// Returns whether `tokens`, the contents of brackets, are a slice in the syntax of `s![]` and not Rust code.
pub fn is_slice_syntax(tokens: &[TokenTree]) -> bool {
    split_items(tokens).iter().any(|item| {
        let colon = item
            .colons
            .iter()
            .any(|&colon| !is_path(&item.tokens, colon));
        colon
            || matches!(item.tokens.as_slice(), [word] if is_new_axis(word))
            || (item.tokens.len() == 3 && dots(&item.tokens) == 3)
    })
}

/// Returns whether a colon is one half of the `::` of a path in Rust.
fn is_path(tokens: &[TokenTree], colon: usize) -> bool {
    let pair = |first: usize| {
        let after = tokens.get(first + 2);
        let names = matches!(after, Some(TokenTree::Ident(_)))
            || after.is_some_and(|after| is_punct(after, '<'));
        names && first > 0 && is_path_separator(&tokens[first..])
    };
    pair(colon) || (colon > 0 && pair(colon - 1))
}
