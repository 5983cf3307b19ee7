//! Expands the items of a slice, whose bounds can contain other slices.

use std::mem;

use proc_macro2::{Literal, Span, TokenTree};
use syn::visit_mut::VisitMut;
use syn::{Error, Expr};

use super::brackets::{ItemForm, has_brackets};
use super::expand;
use super::rewrite::Rewrite;
use crate::messages::SECOND_ELLIPSIS;
use crate::split::{RawItem, split_items};
use crate::writer::{self, Krate, code, nested_pairs};

impl Rewrite {
    /// Returns the path to the crate, located at the slice, and the expansion of `s![items]`.
    pub fn spec(&mut self, slice: usize) -> (Krate, Vec<TokenTree>) {
        let krate = self.krate_at(slice);
        let items = self.items(slice, false);
        let spec = expand::spec(&krate, items);
        (krate, spec)
    }

    /// Returns the expansion of the items in brackets whose types determine what they select: `items((first, (second, ())))`,
    /// where an item that is neither an index nor a list is a slice of its own.
    pub fn dynamic_items(&mut self, slice: usize) -> Vec<TokenTree> {
        let krate = self.krate_at(slice);
        let mut items = self.items(slice, true);
        let count = items.len();
        // As in NumPy, `x[i,]` is `x[i]`.
        if let [item] = items.as_mut_slice()
            && let ItemForm::Number | ItemForm::Dynamic = ItemForm::of(item)
        {
            return self.parsed_index(mem::take(&mut item.tokens));
        }
        let mut has_ellipsis = false;
        let mut parts = Vec::new();
        for item in items {
            parts.push(match ItemForm::of(&item) {
                ItemForm::Ellipsis if mem::replace(&mut has_ellipsis, true) => {
                    let error = Error::new(item.tokens[0].span(), SECOND_ELLIPSIS);
                    expand::error(&error)
                }
                ItemForm::Dynamic => self.parsed_index(item.tokens),
                _ => expand::spec(&krate, vec![item]),
            });
        }
        let count = &Literal::usize_unsuffixed(count);
        let (items, parts) = (krate.path(&["python", "items"]), parts.into_iter());
        let function = code!(krate.span => #items::<#count, _>);
        expand::call_of(&krate, function, nested_pairs(parts, krate.span))
    }

    fn parsed_index(&mut self, tokens: Vec<TokenTree>) -> Vec<TokenTree> {
        let mut index: Expr =
            syn::parse2(writer::stream(tokens)).expect("the index should have been parsed before");
        self.index(&mut index)
    }

    /// Returns the items of a slice, with the slices in their bounds rewritten. If `keeps_indices` is `true`, the indices whose
    /// types are not known are returned unchanged.
    fn items(&mut self, slice: usize, keeps_indices: bool) -> Vec<RawItem> {
        let mut out = Vec::new();
        for item in self.slices.items_of(slice) {
            let is_dynamic = || ItemForm::of(&item) == ItemForm::Dynamic;
            if !has_brackets(&item.tokens) || keeps_indices && is_dynamic() {
                out.push(item);
                continue;
            }
            let mut tokens = Vec::new();
            for part in item.parts() {
                let colon = item.tokens.get(part.end).cloned();
                tokens.extend(self.bound(item.tokens[part].to_vec()));
                tokens.extend(colon);
            }
            tokens.extend(item.comma);
            out.extend(split_items(&tokens));
        }
        out
    }

    /// Rewrites a bound. A bound that contains a slice is put in parentheses: its expansion contains paths, whose `::`
    /// could otherwise be read as the colons of a range.
    fn bound(&mut self, tokens: Vec<TokenTree>) -> Vec<TokenTree> {
        let replaced_before = self.slices.replaced;
        let Ok(mut expression) = syn::parse2::<Expr>(writer::stream(tokens.clone())) else {
            return tokens;
        };
        self.visit_expr_mut(&mut expression);
        let tokens = expand::tokens(&expression);
        if self.slices.replaced == replaced_before {
            return tokens;
        }
        code!(Span::call_site() => (#tokens))
    }
}
