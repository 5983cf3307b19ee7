//! Finds the slices in unparsed tokens, and replaces the items of each slice with a placeholder name, its *mark*. Only then are
//! the tokens parsed, because Rust's parser rejects slices.

use std::borrow::Cow;
use std::mem;

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use syn::Expr;

use super::forms::{comparison, is_number};
use crate::expand::mistakes;
use crate::fragments::{self, Context};
use crate::list::is_list;
use crate::notation::ends_operand;
use crate::split::{RawItem, split_items};
use crate::tokens::{any_level, dots, is_group, is_new_axis, is_punct, visible};
use crate::writer;

/// The prefix of all marks.
const MARK_PREFIX: &str = "__py_slice_";

/// A slice that has been replaced with a mark.
struct Slice {
    group: Group,
    /// The items in the brackets, split as for `s![]`, with marks in place of other slices.
    items: Vec<RawItem>,
    forms: Vec<ItemForm>,
}

/// The form of an item in brackets.
#[derive(Clone, Copy, PartialEq)]
pub enum ItemForm {
    /// A range or a new axis.
    Strided,
    Ellipsis,
    List,
    /// An index that is visibly a number.
    Number,
    /// Any other index, so that only its type tells whether it is a number, a list or a mask.
    Dynamic,
    /// An index with a mistake, which is reported as in `s![]`.
    Mistake,
}

impl ItemForm {
    pub fn of(item: &RawItem) -> Self {
        let tokens = visible(&item.tokens);
        if is_list(item) {
            return Self::List;
        }
        match tokens.as_ref() {
            _ if !item.colons.is_empty() => Self::Strided,
            tokens if dots(tokens) == 3 => Self::Ellipsis,
            [word] if is_new_axis(word) => Self::Strided,
            tokens => match syn::parse2(writer::stream(tokens.to_vec())) {
                // A comparison is a mistake only in `s![]`.
                Ok(Expr::Binary(binary)) if comparison(&binary.op).is_some() => Self::Dynamic,
                Ok(_) if !mistakes(split_items(tokens)).is_empty() => Self::Mistake,
                Ok(index) if is_number(&index) => Self::Number,
                Ok(_) => Self::Dynamic,
                Err(_) => Self::Mistake,
            },
        }
    }

    fn is_index(self) -> bool {
        matches!(self, Self::Number | Self::Dynamic | Self::Mistake)
    }
}

/// All slices that have been replaced with marks.
#[derive(Default)]
pub struct Slices {
    slices: Vec<Slice>,
    /// The number of slices whose expansions have replaced their marks.
    pub replaced: usize,
    /// The number of rewritten fragments. A fragment is a group of tokens that another macro has passed to `py!`.
    fragment_count: usize,
}

impl Slices {
    pub fn len(&self) -> usize {
        self.slices.len()
    }

    /// Returns the tokens with a mark in place of each slice.
    pub fn take_out(&mut self, tokens: Vec<TokenTree>, context: Context) -> Vec<TokenTree> {
        let mut out = Vec::with_capacity(tokens.len() + 8);
        let mut tokens = tokens.into_iter();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => self.group(group, tokens.as_slice(), context, &mut out),
                token => out.push(token),
            }
        }
        out
    }

    /// Appends a group to `out`, or a mark if the group is a slice. `after` holds the tokens after the group.
    fn group(
        &mut self,
        group: Group,
        after: &[TokenTree],
        context: Context,
        out: &mut Vec<TokenTree>,
    ) {
        let bracket = group.delimiter() == Delimiter::Bracket;
        let is_attribute = match out.as_slice() {
            [.., hash] if bracket && is_punct(hash, '#') => true,
            [.., hash, bang] => is_punct(bang, '!') && is_punct(hash, '#'),
            _ => false,
        };
        if is_attribute {
            return out.push(group.into());
        }
        let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
        if let Some(context) = Context::of_macro(out) {
            out.push(match fragments::kept_together(&tokens, context) {
                Cow::Borrowed(_) => group.into(),
                Cow::Owned(tokens) => {
                    self.fragment_count += 1;
                    writer::group(group.delimiter(), tokens, group.span()).into()
                }
            });
            return;
        }
        if group.delimiter() == Delimiter::None {
            self.fragment_count += 1;
            let inner = self.take_out(visible(&tokens).into_owned(), Context::Code);
            return fragments::push(inner, &group, out, after, context);
        }
        if bracket
            && ends_in_operand(out)
            && let Some(mut items) = slice_items(&tokens)
        {
            if has_brackets(&tokens) {
                items = split_items(&self.take_out(tokens, Context::Items));
            }
            let mark = Ident::new(&format!("{MARK_PREFIX}{}", self.len()), group.span());
            out.push(writer::group(Delimiter::Bracket, vec![mark.into()], group.span()).into());
            let forms = items.iter().map(ItemForm::of).collect();
            self.slices.push(Slice {
                group,
                items,
                forms,
            });
            return;
        }
        let before = (self.len(), self.fragment_count);
        let inside = self.take_out(tokens, Context::Code);
        out.push(if (self.len(), self.fragment_count) != before {
            writer::group(group.delimiter(), inside, group.span()).into()
        } else {
            group.into()
        });
    }

    /// Returns the sliced expression and the index of the slice, or `None` if `expression` is not a slice.
    pub fn find<'e>(&self, expression: &'e Expr) -> Option<(&'e Expr, usize)> {
        let Expr::Index(index) = expression else {
            return None;
        };
        let number = self.number(&index.index)?;
        (!is_dynamic(&self.slices[number].forms)).then_some((&index.expr, number))
    }

    /// Returns the same as [`find`](Self::find), but with a mutable reference to the sliced expression.
    pub fn find_mut<'e>(&self, expression: &'e mut Expr) -> Option<(&'e mut Expr, usize)> {
        let (_, number) = self.find(expression)?;
        match expression {
            Expr::Index(index) => Some((&mut index.expr, number)),
            _ => None,
        }
    }

    /// Returns the number of the slice if `index` is the mark of a slice whose items are known only by their types.
    pub fn find_items(&self, index: &Expr) -> Option<usize> {
        let number = self.number(index)?;
        is_dynamic(&self.slices[number].forms).then_some(number)
    }

    fn number(&self, index: &Expr) -> Option<usize> {
        match index {
            Expr::Path(path) => self.number_of(path.path.get_ident()?),
            _ => None,
        }
    }

    fn number_of(&self, mark: &Ident) -> Option<usize> {
        let name = mark.to_string();
        let number = name.strip_prefix(MARK_PREFIX)?.parse().ok()?;
        (number < self.len()).then_some(number)
    }

    pub fn group_of(&self, number: usize) -> &Group {
        &self.slices[number].group
    }

    /// Returns whether the items of a slice contain only literals, punctuation, `newaxis` and `None`.
    pub fn is_constant(&self, number: usize) -> bool {
        let mut tokens = self.slices[number]
            .items
            .iter()
            .flat_map(|item| &item.tokens);
        tokens.all(|token| match token {
            TokenTree::Group(_) => false,
            TokenTree::Ident(_) => is_new_axis(token),
            TokenTree::Punct(_) | TokenTree::Literal(_) => true,
        })
    }

    /// Returns the items of a slice, whose expansion replaces the mark, and removes them from the slice.
    pub fn items_of(&mut self, number: usize) -> Vec<RawItem> {
        self.replaced += 1;
        mem::take(&mut self.slices[number].items)
    }

    /// Returns the tokens with each remaining mark replaced by its slice.
    pub fn put_back(&self, stream: TokenStream) -> TokenStream {
        let mut out: Vec<TokenTree> = Vec::new();
        for token in stream {
            let TokenTree::Group(group) = token else {
                out.push(token);
                continue;
            };
            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
            let slice = match inside.as_slice() {
                [TokenTree::Ident(name)] if group.delimiter() == Delimiter::Bracket => {
                    self.number_of(name)
                }
                _ => None,
            };
            out.push(match slice {
                Some(slice) => self.group_of(slice).clone().into(),
                None => {
                    let inside = self.put_back(group.stream()).into_iter().collect();
                    writer::group(group.delimiter(), inside, group.span()).into()
                }
            });
        }
        writer::stream(out)
    }

    /// Returns whether a slice contains an item of the given form.
    pub fn has(&self, number: usize, form: ItemForm) -> bool {
        self.slices[number].forms.contains(&form)
    }

    /// Returns the brackets of all slices, in the order in which they were added.
    pub fn groups(&self) -> impl Iterator<Item = &Group> {
        self.slices.iter().map(|slice| &slice.group)
    }
}

/// Returns whether there are brackets among the tokens, at any level.
pub fn has_brackets(tokens: &[TokenTree]) -> bool {
    any_level(tokens, |token, _| is_group(token, Delimiter::Bracket))
}

/// Returns whether the types of the array and the items determine what the items select: all are indices, there is an index that
/// is not visibly a number, or a list is combined with an index or another list.
fn is_dynamic(forms: &[ItemForm]) -> bool {
    let count = |wanted| forms.iter().filter(|form| **form == wanted).count();
    let (lists, numbers) = (count(ItemForm::List), count(ItemForm::Number));
    let is_joint = lists > 1 || lists == 1 && numbers > 0;
    forms.iter().all(|form| form.is_index())
        || count(ItemForm::Mistake) == 0 && (count(ItemForm::Dynamic) > 0 || is_joint)
}

/// Returns whether brackets after the tokens `before` can be an index.
pub fn ends_in_operand(before: &[TokenTree]) -> bool {
    match before {
        [.., quote, TokenTree::Ident(_)] if is_punct(quote, '\'') => false,
        [.., last] => is_group(last, Delimiter::Brace) || ends_operand(last),
        [] => false,
    }
}

/// Returns the items in brackets, split as for `s![]`, or `None` if the brackets are an ordinary Rust index.
///
/// Brackets are a slice if they contain a comma, a colon, or an item that is `...`, `newaxis` or `None`. A `;` is a mistake,
/// which is reported as in `s![]`. The `::` of a path, as in `v[Self::N]` and `v[usize::MAX]`, does not make the brackets a
/// slice.
pub fn slice_items(tokens: &[TokenTree]) -> Option<Vec<RawItem>> {
    let items = split_items(tokens);
    let has_semicolon = tokens.iter().any(|token| is_punct(token, ';'));
    let is_slice = has_semicolon
        || items.iter().any(|item| {
            let word = match item.tokens.as_slice() {
                [word] => is_new_axis(word),
                tokens => tokens.len() >= 3 && dots(tokens) == 3,
            };
            word || item.comma.is_some() || !item.colons.is_empty()
        });
    is_slice.then_some(items)
}
