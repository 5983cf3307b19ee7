//! Checks every item and reports all mistakes. An item with a mistake is replaced with an item of the most likely kind,
//! so that the spec keeps its length and its output rank, and the compiler reports no further errors.

use std::iter;
use std::ops::Range;

use proc_macro2::{Delimiter, TokenTree};

use crate::bound::{self, WrittenBound};
use crate::expression::{self, Parsed};
use crate::list::{self, List};
use crate::messages;
use crate::mistake::Mistakes;
use crate::notation;
use crate::split::{BoundRole, RawItem, is_slice_syntax, split_items};
use crate::tokens::{
    are_separated, dots, inside, is_any_word, is_new_axis, is_path_separator, is_punct, is_word,
    visible,
};

/// The maximum number of items. Each mask has 64 bits, one for each item.
const MAX_ITEMS: usize = 64;

/// Returns the item that was probably meant by a word from another library, and the message about the word.
pub fn misspelled(word: &str) -> Option<(Item, &'static str)> {
    match word {
        "NewAxis" | "new_axis" | "Newaxis" | "NEWAXIS" | "NEW_AXIS" | "newAxis" | "none" => {
            Some((Item::NewAxis, messages::MISSPELLED_NEW_AXIS))
        }
        "null" | "NULL" => Some((Item::NewAxis, messages::NULL)),
        "Ellipsis" | "ellipsis" => Some((Item::Ellipsis, messages::MISSPELLED_ELLIPSIS)),
        _ => None,
    }
}

/// An item without mistakes.
pub enum Item {
    Index(WrittenBound),
    Range {
        begin: Option<WrittenBound>,
        end: Option<WrittenBound>,
        step: Option<WrittenBound>,
    },
    NewAxis,
    Ellipsis,
    List(List),
}

impl Item {
    fn placeholder_index() -> Self {
        Self::Index(WrittenBound::placeholder())
    }

    fn whole_axis() -> Self {
        Self::Range {
            begin: None,
            end: None,
            step: None,
        }
    }
}

/// Checks all items, in order, and adds every mistake to `mistakes`.
pub fn items(raw: Vec<RawItem>, mistakes: &mut Mistakes) -> Vec<Item> {
    let mut check = Check {
        items: Vec::new(),
        has_ellipsis: false,
        reported_too_many: false,
        mistakes,
    };
    check.items(raw);
    check.items
}

struct Check<'a> {
    items: Vec<Item>,
    has_ellipsis: bool,
    /// Whether the mistake `too_many_items` has already been reported.
    reported_too_many: bool,
    mistakes: &'a mut Mistakes,
}

impl Check<'_> {
    fn items(&mut self, raw: Vec<RawItem>) {
        if let [item] = raw.as_slice()
            && item.comma.is_none()
            && self.tuple(&item.tokens)
        {
            return;
        }
        for item in raw {
            self.item(&item);
        }
    }

    /// Reports a mistake if `tokens` is a tuple, and checks the items in the tuple. Returns `false` if `tokens` is not
    /// a tuple.
    fn tuple(&mut self, tokens: &[TokenTree]) -> bool {
        let Some(inner) = inside(tokens, Delimiter::Parenthesis) else {
            return false;
        };
        let text = if inner.is_empty() {
            messages::EMPTY_TUPLE.to_owned()
        } else if inner.iter().any(|token| is_punct(token, ',')) {
            messages::tuple(&inner)
        } else {
            return false;
        };
        self.report_around(tokens, &inner, text);
        true
    }

    /// Reports a mistake at `tokens`, and checks the items `inner` inside them.
    fn report_around(&mut self, tokens: &[TokenTree], inner: &[TokenTree], text: String) {
        self.mistakes.report(tokens, text);
        self.items(split_items(inner));
    }

    fn push(&mut self, tokens: &[TokenTree], item: Item) {
        if self.items.len() < MAX_ITEMS {
            self.items.push(item);
        } else if !self.reported_too_many {
            self.reported_too_many = true;
            self.mistakes.report(tokens, messages::TOO_MANY_ITEMS);
        }
    }

    fn item(&mut self, raw: &RawItem) {
        let tokens = &raw.tokens;
        if tokens.is_empty() {
            self.mistakes
                .report(raw.comma.as_slice(), messages::EMPTY_ITEM);
            return;
        }
        if self.side_by_side(raw) || self.brackets(tokens) {
            return;
        }
        let item = if is_foreign_whole_axis(tokens) {
            self.mistakes.report(tokens, messages::whole_axis(tokens));
            Item::whole_axis()
        } else if dots(tokens) == tokens.len() {
            self.dots(tokens)
        } else if let Some(item) = self.new_axis(tokens) {
            item
        } else if let Some((at, text)) = notation::range(raw) {
            self.mistakes.report(&tokens[at], text);
            if raw.ranges.is_empty() && raw.colons.is_empty() {
                Item::placeholder_index()
            } else {
                Item::whole_axis()
            }
        } else {
            self.parts(raw)
        };
        self.push(tokens, item);
    }

    /// Reports adjacent operands without an operator between them, unless syn can parse them. Returns `true` if it
    /// reports any.
    fn side_by_side(&mut self, raw: &RawItem) -> bool {
        let tokens = &raw.tokens;
        let is_rust =
            |part: Range<usize>| matches!(expression::parse(&tokens[part]), Parsed::Expression(_));
        let has_gap = |part: &Range<usize>| raw.gaps.iter().any(|gap| part.contains(gap));
        if raw.gaps.is_empty() || raw.parts().into_iter().filter(has_gap).all(is_rust) {
            return false;
        }
        if let Some((at, text)) = notation::side_by_side(raw) {
            let is_range = !raw.colons.is_empty() || is_word(&tokens[at.start], "to");
            self.mistakes.report(&tokens[at], text);
            let item = if is_range {
                Item::whole_axis()
            } else {
                Item::placeholder_index()
            };
            self.push(tokens, item);
            return true;
        }
        let starts = iter::once(0).chain(raw.gaps.iter().copied());
        let ends = raw.gaps.iter().copied().chain([tokens.len()]);
        let mut before: &[TokenTree] = &[];
        for (start, end) in starts.zip(ends) {
            let piece = &tokens[start..end];
            if !before.is_empty() {
                self.mistakes
                    .report(&piece[..1], messages::missing_comma(before, piece));
            }
            self.items(split_items(piece));
            before = piece;
        }
        true
    }

    fn dots(&mut self, tokens: &[TokenTree]) -> Item {
        match tokens.len() {
            3 if self.has_ellipsis => self.mistakes.report(tokens, messages::SECOND_ELLIPSIS),
            3 => self.has_ellipsis = true,
            _ => self
                .mistakes
                .report(tokens, messages::wrong_dots(tokens.len())),
        }
        Item::Ellipsis
    }

    /// Recognizes `newaxis` and `None`, the names that other libraries use for a new axis and an ellipsis, and likely
    /// misspellings of these names.
    fn new_axis(&mut self, tokens: &[TokenTree]) -> Option<Item> {
        let contents = visible(tokens);
        if let [TokenTree::Ident(word)] = &*contents {
            let name = word.to_string();
            if is_new_axis(&contents[0]) {
                return Some(Item::NewAxis);
            }
            if let Some((item, text)) = misspelled(&name) {
                self.mistakes.report(tokens, text);
                return Some(item);
            }
            let hint = notation::misspelling(&name)?;
            let mut bound = bound::read(tokens, BoundRole::Index, self.mistakes);
            bound.set_hint(hint);
            return Some(Item::Index(bound));
        }
        let name = match &*contents {
            [_, dot, name] if is_punct(dot, '.') => name,
            [_, colons @ .., name] if colons.len() == 2 && is_path_separator(colons) => name,
            _ => return None,
        };
        let (item, text) = match name.to_string().as_str() {
            "Ellipsis" => (Item::Ellipsis, messages::MISSPELLED_ELLIPSIS),
            "newaxis" | "NewAxis" => (Item::NewAxis, messages::QUALIFIED_NEW_AXIS),
            _ => return None,
        };
        self.mistakes.report(tokens, text);
        Some(item)
    }

    /// Checks NumPy's `s_[...]`, slices in extra brackets, lists and tuples. Returns `false` if `tokens` is none of
    /// these.
    fn brackets(&mut self, tokens: &[TokenTree]) -> bool {
        if let Some((inner, text)) = notation::numpy_brackets(tokens) {
            self.report_around(tokens, &inner, text);
            return true;
        }
        if let Some(list) = list::call(tokens, self.mistakes) {
            self.push(tokens, Item::List(list));
            return true;
        }
        let list = inside(tokens, Delimiter::Bracket).map(|inner| (inner, true));
        let group = || Some((inside(tokens, Delimiter::Parenthesis)?, false));
        let Some((inner, list)) = list.or_else(group) else {
            return false;
        };
        if matches!(tokens, [token] if notation::is_new_axis_in_parentheses(token)) {
            return false;
        }
        if is_slice_syntax(&inner) {
            let text = match list {
                true => messages::extra_brackets(&inner),
                false => messages::range_in_parentheses(&inner),
            };
            self.report_around(tokens, &inner, text);
            return true;
        }
        if list {
            let list = list::literal(&inner, self.mistakes);
            self.push(tokens, Item::List(list));
            return true;
        }
        if inner.iter().any(|token| is_punct(token, ',')) {
            self.mistakes
                .report(tokens, messages::list_in_parentheses(&inner));
            self.push(tokens, Item::whole_axis());
            return true;
        }
        false
    }

    fn parts(&mut self, raw: &RawItem) -> Item {
        let (tokens, parts) = (&raw.tokens, raw.parts());
        let is_walrus = |&&colon: &&usize| matches!(&tokens[colon + 1..], [equals, _, ..] if is_punct(equals, '='));
        if let Some(&colon) = raw.colons.iter().find(is_walrus) {
            self.mistakes.report(
                &tokens[colon..=colon + 1],
                messages::assignment(&tokens[colon + 2..]),
            );
            return match parts.len() {
                2 => Item::placeholder_index(),
                _ => Item::whole_axis(),
            };
        }
        if parts.len() == 1 {
            if let Some(list) = list::reference(tokens, self.mistakes) {
                return Item::List(list);
            }
            let mut index = bound::read(tokens, BoundRole::Index, self.mistakes);
            if is_word(&tokens[0], "end") {
                index.set_hint(messages::LAST_INDEX_HINT);
            }
            return Item::Index(index);
        }
        if parts.len() > 3 {
            self.too_many_parts(raw);
        }
        let mut read = |at: usize, role| self.part(tokens, parts.get(at)?.clone(), role);
        let (mut begin, mut end) = (read(0, BoundRole::Begin), read(1, BoundRole::End));
        let mut step = read(2, BoundRole::Step);
        // In Julia and MATLAB, `end` is the last position, so `end` gets a hint. After a `begin` that is also an
        // expression, `end` is more likely to be a variable, and gets no hint.
        if !matches!(begin, Some(WrittenBound::Expression(_)))
            && let Some(end) = &mut end
            && is_word(&tokens[parts[1].start], "end")
        {
            end.set_hint(messages::LAST_BOUND_HINT);
        }
        // `config::N` is read as a range with the variables `config` and `N`. The hint is shown if the compiler cannot
        // resolve one of them.
        let is_name = |at: usize| matches!(tokens.get(at), Some(TokenTree::Ident(_)));
        if parts[0] == (0..1) && is_name(0) && is_path_separator(&tokens[1..]) && is_name(3) {
            let step = step.as_mut().filter(|_| tokens.len() == 4);
            let bounds = begin.iter_mut().chain(step);
            bounds.for_each(|bound| bound.set_hint(messages::PATH_HINT));
        }
        Item::Range { begin, end, step }
    }

    /// Reports a missing comma before a colon or, if no comma appears to be missing, the superfluous parts.
    fn too_many_parts(&mut self, raw: &RawItem) {
        let (tokens, colons) = (&raw.tokens, &raw.colons);
        // A colon begins an item if a space precedes it and none follows, as in `1:3 ::2`.
        let begins_item = |&&colon: &&usize| {
            let after = tokens.get(colon + 1);
            colon > 0
                && are_separated(&tokens[colon - 1], &tokens[colon])
                && after.is_some_and(|after| !are_separated(&tokens[colon], after))
        };
        let split = colons.iter().filter(begins_item).find(|&&colon| {
            let before = colons.iter().filter(|&&other| other < colon).count();
            (1..=2).contains(&before) && colons.len() - before <= 2
        });
        if let (Some(&colon), true) = (split, proc_macro::is_available()) {
            let text = messages::missing_comma(&tokens[..colon], &tokens[colon..]);
            self.mistakes.report(&tokens[colon..=colon], text);
            return;
        }
        let extra = colons[2]..tokens.len();
        let text = messages::too_many_parts(colons.len() + 1, &tokens[..extra.start]);
        self.mistakes.report(&tokens[extra], text);
    }

    fn part(
        &mut self,
        item: &[TokenTree],
        part: Range<usize>,
        role: BoundRole,
    ) -> Option<WrittenBound> {
        let tokens = &item[part.clone()];
        if tokens.is_empty() || is_none(tokens) {
            return None;
        }
        let is_new_axis = matches!(&*visible(tokens), [word] if is_word(word, "newaxis"));
        if dots(tokens) == tokens.len() || is_new_axis {
            self.mistakes
                .report(tokens, messages::item_in_range(item, part));
            return None;
        }
        if matches!(&*visible(tokens), [word] if is_any_word(word, "null NULL none")) {
            self.mistakes
                .report(tokens, messages::null_in_range(item, part));
            return None;
        }
        Some(bound::read(tokens, role, self.mistakes))
    }
}

fn is_none(tokens: &[TokenTree]) -> bool {
    matches!(&*visible(tokens), [word] if is_word(word, "None"))
}

/// Returns whether `tokens` stands for a whole axis in another notation: `..` as in Rust ranges, `_` as in patterns, or
/// `*` as in SQL.
fn is_foreign_whole_axis(tokens: &[TokenTree]) -> bool {
    match tokens {
        [token] => is_word(token, "_") || is_punct(token, '*'),
        _ => tokens.len() == 2 && dots(tokens) == 2,
    }
}
