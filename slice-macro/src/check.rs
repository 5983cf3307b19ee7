//! Rules over items: what each one is, and everything that is wrong with it. Whatever is wrong, an item of the most
//! likely kind comes out, so that the spec keeps its length and its output rank.

use std::iter;
use std::ops::Range;

use crate::tokens::{Delimiter, TokenTree};

use crate::bound::{self, Bound, Role};
use crate::grammar::{self, Fault};
use crate::messages;
use crate::mistake::Mistakes;
use crate::path;
use crate::rust_range;
use crate::syntax::{RawItem, inside, is_punct, is_word, split_items, split_parts, visible};

/// The mask of each kind has 64 bits.
const MOST_ITEMS: usize = 64;

/// An item that is what it looks like.
pub enum Item {
    Index(Bound),
    Range {
        begin: Option<Bound>,
        end: Option<Bound>,
        stride: Option<Bound>,
    },
    NewAxis,
    Ellipsis,
}

impl Item {
    fn placeholder_index() -> Self {
        Self::Index(Bound::placeholder())
    }

    fn whole_axis() -> Self {
        Self::Range {
            begin: None,
            end: None,
            stride: None,
        }
    }
}

/// All items, in order; every mistake goes to `mistakes`.
pub fn items(raw: Vec<RawItem>, mistakes: &mut Mistakes) -> Vec<Item> {
    let mut check = Check {
        items: Vec::new(),
        seen_ellipsis: false,
        full: false,
        mistakes,
    };
    check.items(raw);
    check.items
}

struct Check<'a> {
    items: Vec<Item>,
    seen_ellipsis: bool,
    /// Whether the item that is one too many has been reported.
    full: bool,
    mistakes: &'a mut Mistakes,
}

impl Check<'_> {
    fn items(&mut self, raw: Vec<RawItem>) {
        for RawItem { tokens, comma } in raw {
            self.item(&tokens, comma.as_slice());
        }
    }

    fn push(&mut self, tokens: &[TokenTree], item: Item) {
        if self.items.len() < MOST_ITEMS {
            self.items.push(item);
        } else if !self.full {
            self.full = true;
            self.mistakes.at(tokens, messages::too_many_items());
        }
    }

    /// Checks one item; `place` is where it would be if there is nothing in it.
    fn item(&mut self, tokens: &[TokenTree], place: &[TokenTree]) {
        if tokens.is_empty() {
            self.mistakes.at(place, messages::empty_item());
            return;
        }
        let faults = grammar::faults(tokens);
        let commas = faults
            .iter()
            .filter(|(fault, _)| *fault == Fault::MissingComma);
        let mut ends: Vec<usize> = commas.map(|(_, at)| at.start).collect();
        if !ends.is_empty() {
            ends.push(tokens.len());
            let pieces: Vec<_> = iter::once(0)
                .chain(ends.iter().copied())
                .zip(ends.iter().copied())
                .collect();
            for (at, &(start, end)) in pieces.iter().enumerate() {
                if let Some(&(before, _)) = at.checked_sub(1).and_then(|left| pieces.get(left)) {
                    let text = messages::missing_comma(&tokens[before..start], &tokens[start..end]);
                    self.mistakes.at(&tokens[start..=start], text);
                }
                let piece = &tokens[start..end];
                self.item(&visible(piece.to_vec()), piece);
            }
            return;
        }
        if self.brackets(tokens) {
            return;
        }
        let dots = grammar::dots(tokens);
        let item = if is_foreign_whole_axis(tokens) {
            self.mistakes.at(tokens, messages::whole_axis(tokens));
            Item::whole_axis()
        } else if dots == tokens.len() {
            self.dots(tokens)
        } else if let Some(item) = self.new_axis(tokens) {
            item
        } else if let Some(text) = rust_range::mistake(tokens, &faults) {
            self.mistakes.at(tokens, text);
            Item::whole_axis()
        } else if let Some((_, at)) = faults.iter().find(|(fault, _)| *fault == Fault::Semicolon) {
            self.mistakes.at(&tokens[at.clone()], messages::semicolon());
            if split_parts(tokens).len() > 1 {
                Item::whole_axis()
            } else {
                Item::placeholder_index()
            }
        } else {
            self.parts(tokens.to_vec())
        };
        self.push(tokens, item);
    }

    fn dots(&mut self, tokens: &[TokenTree]) -> Item {
        match tokens.len() {
            3 if self.seen_ellipsis => self.mistakes.at(tokens, messages::second_ellipsis()),
            3 => self.seen_ellipsis = true,
            _ => self.mistakes.at(tokens, messages::wrong_dots(tokens.len())),
        }
        Item::Ellipsis
    }

    /// `newaxis`, and the names it has elsewhere.
    fn new_axis(&mut self, tokens: &[TokenTree]) -> Option<Item> {
        if let [TokenTree::Ident(word)] = tokens {
            return match word.to_string().as_str() {
                "newaxis" | "None" => Some(Item::NewAxis),
                "NewAxis" | "new_axis" | "Newaxis" | "NEWAXIS" | "NEW_AXIS" | "newAxis"
                | "none" => {
                    self.mistakes.at(tokens, messages::misspelt_new_axis());
                    Some(Item::NewAxis)
                }
                "Ellipsis" | "ellipsis" => {
                    self.mistakes.at(tokens, messages::misspelt_ellipsis());
                    Some(Item::Ellipsis)
                }
                _ => None,
            };
        }
        let names: Vec<String> = tokens.iter().map(ToString::to_string).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        match names.as_slice() {
            [_, ".", name @ ("newaxis" | "Ellipsis")]
            | [_, ":", ":", name @ ("newaxis" | "NewAxis" | "Ellipsis")] => {
                let ellipsis = *name == "Ellipsis";
                self.mistakes.at(
                    tokens,
                    if ellipsis {
                        messages::misspelt_ellipsis()
                    } else {
                        messages::qualified_new_axis()
                    },
                );
                Some(if ellipsis {
                    Item::Ellipsis
                } else {
                    Item::NewAxis
                })
            }
            _ => None,
        }
    }

    /// Lists, tuples and brackets around what needs none; true when `tokens` were one of these.
    fn brackets(&mut self, tokens: &[TokenTree]) -> bool {
        let (inner, list) = match inside(tokens, Delimiter::Bracket) {
            Some(inner) => (inner, true),
            None => match inside(tokens, Delimiter::Parenthesis) {
                Some(inner) => (inner, false),
                None => return false,
            },
        };
        let slices = is_slice_syntax(&inner);
        if slices {
            let text = if list {
                messages::extra_brackets(&inner)
            } else {
                messages::range_in_parentheses(&inner)
            };
            self.mistakes.at(tokens, text);
            self.items(split_items(inner.into_iter().collect()));
            return true;
        }
        if list || inner.iter().any(|token| is_punct(token, ',')) {
            self.mistakes.at(tokens, messages::fancy_index());
            self.push(tokens, Item::whole_axis());
            return true;
        }
        false
    }

    fn parts(&mut self, mut tokens: Vec<TokenTree>) -> Item {
        let paths = path::unparenthesised(&tokens);
        for path in &paths {
            self.mistakes.at(
                &tokens[path.clone()],
                messages::path_without_parentheses(&tokens, &paths),
            );
        }
        for path in paths.into_iter().rev() {
            tokens.splice(path, [bound::unknown()]);
        }
        let parts = split_parts(&tokens);
        if parts.len() == 1 {
            return Item::Index(bound::read(tokens, Role::Index, self.mistakes));
        }
        if let Some(fourth) = parts.get(3) {
            let extra = fourth.start - 1..tokens.len();
            self.mistakes.at(
                &tokens[extra.clone()],
                messages::too_many_parts(parts.len(), &tokens[..extra.start]),
            );
        }
        let mut read = |at: usize, role| self.part(&tokens, parts.get(at)?.clone(), role);
        Item::Range {
            begin: read(0, Role::Begin),
            end: read(1, Role::End),
            stride: read(2, Role::Stride),
        }
    }

    fn part(&mut self, item: &[TokenTree], part: Range<usize>, role: Role) -> Option<Bound> {
        let tokens = visible(item[part.clone()].to_vec());
        if tokens.is_empty() {
            return None;
        }
        let ellipsis = grammar::dots(&tokens) == tokens.len();
        if ellipsis || is_new_axis(&tokens) {
            self.mistakes
                .at(&tokens, messages::item_in_range(item, part));
            return None;
        }
        Some(bound::read(tokens, role, self.mistakes))
    }
}

fn is_new_axis(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [word] if is_word(word, "newaxis") || is_word(word, "None"))
}

/// Rust's, a pattern's and SQL's way to say "all of it".
fn is_foreign_whole_axis(tokens: &[TokenTree]) -> bool {
    match tokens {
        [token] => is_word(token, "_") || is_punct(token, '*'),
        _ => tokens.len() == 2 && grammar::dots(tokens) == 2,
    }
}

/// Whether tokens in brackets are what `s![]` reads, rather than what Rust does.
fn is_slice_syntax(tokens: &[TokenTree]) -> bool {
    split_items(tokens.iter().cloned().collect())
        .iter()
        .any(|item| {
            let tokens = &item.tokens;
            path::has_other_colon(tokens)
                || is_new_axis(tokens)
                || (tokens.len() == 3 && grammar::dots(tokens) == 3)
        })
}
