//! Rewrites comparisons with slices as comparisons of elements.

use proc_macro2::{Span, TokenTree};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprBinary};

use super::expand;
use super::forms::{comparison, is_list, is_number, plain};
use super::rewrite::{Rewrite, reject_attributes};
use crate::writer::code;

/// The name of the method that returns the result of a comparison as a condition.
pub const CONDITION: &str = "condition";

impl Rewrite {
    /// Rewrites a comparison as a comparison of elements, if one of its sides is an array: generates
    /// `compared(operator, left, right).method()`. Returns `None` if the comparison keeps Rust's meaning: if both sides are
    /// numbers, or if it is a condition, which must be a single `bool`, and neither side has brackets.
    pub fn comparison(&mut self, binary: &mut ExprBinary, method: &str) -> Option<Vec<TokenTree>> {
        let operator = comparison(&binary.op)?;
        let has_brackets = [&binary.left, &binary.right]
            .iter()
            .any(|side| self.has_view(side) || self.is_indexed(side));
        if method == CONDITION && !has_brackets
            || is_number(&binary.left) && is_number(&binary.right)
        {
            return None;
        }
        reject_attributes(&mut binary.left);
        reject_attributes(&mut binary.right);
        let krate = self.krate.located_at(binary.op.span());
        let operator = krate.path(&["python", operator]);
        let left = self.comparand(&mut binary.left);
        let right = self.comparand(&mut binary.right);
        let compared = expand::call(&krate, "compared", [operator, left, right]);
        Some(expand::method(compared, method, [], krate.caller_span))
    }

    /// Returns whether an expression is a comparison that compares elements and returns an array.
    pub fn is_comparison(&self, expression: &Expr) -> bool {
        let Expr::Binary(binary) = plain(expression) else {
            return false;
        };
        comparison(&binary.op).is_some()
            && (self.has_view(&binary.left) || self.has_view(&binary.right))
    }

    /// Returns the expansion of one side of a comparison.
    fn comparand(&mut self, expression: &mut Expr) -> Vec<TokenTree> {
        if self.is_indexed(expression) {
            return self.indexed(expression, "compared");
        }
        let krate = self.krate.located_at(expand::span(expression));
        let array = if self.is_slice(expression) {
            self.operand(expression, false)
        } else if self.has_view(expression) {
            let array = self.operand(expression, false);
            code!(Span::mixed_site() => &(#array))
        } else if is_list(expression) {
            self.visit_expr_mut(expression);
            let list = expand::list(&self.krate, plain(expression));
            code!(Span::mixed_site() => &#list)
        } else {
            let span = expand::mixed_site_at(expand::span(plain(expression)));
            return expand::method(self.wrapped(expression), "compared", [], span);
        };
        expand::chain(&krate, "choice", array, "compared")
    }
}
