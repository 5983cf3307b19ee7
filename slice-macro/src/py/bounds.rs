//! Expands the items of a slice, whose bounds can contain other slices.

use std::mem;

use proc_macro2::{Delimiter, Span, TokenTree};
use syn::Expr;
use syn::visit_mut::VisitMut;

use super::expand;
use super::rewrite::Rewrite;
use crate::fragments::Context;
use crate::split::{RawItem, split_items};
use crate::tokens::is_punct;
use crate::writer::{self, Krate};

impl Rewrite {
    /// Returns the path to the crate, located at the slice, and the expansion of `s![items]`. If a variable holds the
    /// slice, returns a reference to the variable instead of the expansion.
    pub fn spec(&mut self, slice: usize) -> (Krate, Vec<TokenTree>) {
        self.remaining_marks -= 1;
        let krate = self.krate.located_at(self.slices.group_of(slice).span());
        let is_stored = self.slices.is_stored(slice);
        let items = self.items(slice);
        if is_stored {
            let name = items.into_iter().flat_map(|item| item.tokens).collect();
            let name = expand::reference(&expand::verbatim(name));
            return (krate, name);
        }
        let spec = expand::spec(&krate, items);
        (krate, spec)
    }

    /// Returns the items of a slice, with the slices in their bounds rewritten.
    fn items(&mut self, slice: usize) -> Vec<RawItem> {
        let items = self.slices.items_of(slice);
        let has_group = |item: &RawItem| {
            let is_group = |token: &TokenTree| matches!(token, TokenTree::Group(_));
            item.tokens.iter().any(is_group)
        };
        if !items.iter().any(has_group) {
            return items;
        }
        let tokens = self.slices.group_of(slice).stream().into_iter().collect();
        let Some((tokens, slice_count)) = self.slices_of(tokens, Context::Items) else {
            return items;
        };
        self.remaining_marks += slice_count;
        let mut out = Vec::new();
        let mut bound = Vec::new();
        for token in tokens {
            if is_punct(&token, ',') || is_punct(&token, ':') {
                out.extend(self.bound(mem::take(&mut bound)));
                out.push(token);
            } else {
                bound.push(token);
            }
        }
        out.extend(self.bound(bound));
        split_items(&out)
    }

    /// Replaces each slice in `tokens` with a mark, which is a placeholder name. Returns the tokens and the number of
    /// slices, or `None` if `tokens` contains neither slices nor macro calls.
    pub fn slices_of(
        &mut self,
        tokens: Vec<TokenTree>,
        context: Context,
    ) -> Option<(Vec<TokenTree>, usize)> {
        let (before, macros) = (self.slices.len(), mem::take(&mut self.slices.has_macros));
        let tokens = self.slices.take_out(tokens, context);
        let slice_count = self.slices.len() - before;
        let any = slice_count > 0 || self.slices.has_macros;
        self.slices.has_macros = macros;
        any.then_some((tokens, slice_count))
    }

    /// Rewrites a bound. A bound that contains a slice is put in parentheses: its expansion contains paths, whose `::`
    /// could otherwise be read as the colons of a range.
    fn bound(&mut self, tokens: Vec<TokenTree>) -> Vec<TokenTree> {
        let marks_before = self.remaining_marks;
        let Ok(mut expression) = syn::parse2::<Expr>(writer::stream(tokens.clone())) else {
            return tokens;
        };
        self.visit_expr_mut(&mut expression);
        let tokens = expand::tokens(&expression);
        if self.remaining_marks == marks_before {
            return tokens;
        }
        let span = Span::call_site();
        vec![writer::group(Delimiter::Parenthesis, tokens, span).into()]
    }
}
