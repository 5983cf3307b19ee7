//! Rewrites comparisons with slices as comparisons of elements.

use proc_macro2::{Span, TokenTree};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprBinary};

use super::expand;
use super::forms::{comparison, is_literal, is_number, is_place, plain};
use super::rewrite::Rewrite;
use crate::writer::Writer;

impl Rewrite {
    /// Rewrites a comparison as a comparison of elements, if one of its sides is an array. Returns `None` if the comparison
    /// keeps Rust's meaning: if both sides are numbers, or if it is a condition, which must be a single `bool`, and neither
    /// side has brackets.
    pub fn comparison(&mut self, binary: &mut ExprBinary, is_condition: bool) -> Option<Expr> {
        let [same, exchanged] = comparison(&binary.op)?;
        let is_read = |side: &Expr| self.is_slice(side) || self.is_indexed(side);
        let has_view = [&binary.left, &binary.right].map(|side| self.has_view(side));
        let has_brackets =
            has_view != [false; 2] || is_read(&binary.left) || is_read(&binary.right);
        if is_condition && !has_brackets || is_number(&binary.left) && is_number(&binary.right) {
            return None;
        }
        self.reject_attributes(&mut binary.left);
        self.reject_attributes(&mut binary.right);
        let (left, right) = (&mut binary.left, &mut binary.right);
        let is_exchanged = match has_view {
            [true, _] => false,
            [false, true] => true,
            _ => is_number(left),
        };
        let (function, array, other) = match is_exchanged {
            true => (exchanged, right, left),
            false => (same, left, right),
        };
        let krate = self.krate.located_at(binary.op.span());
        if has_view == [false; 2] {
            let array = self.wrapped(array);
            let other = self.comparand(other);
            return Some(expand::verbatim(expand::method(
                array,
                function,
                [other],
                krate.caller_span,
            )));
        }
        let is_slice = self.is_slice(array);
        let mut array = self.operand(array);
        if !is_slice {
            let mut reference = Writer::new(Span::mixed_site());
            reference.punct('&');
            reference.parentheses(array);
            array = reference.tokens();
        }
        let other = self.comparand(other);
        let sides = [array, other];
        Some(expand::verbatim(match function {
            "lt" | "le" | "gt" | "ge" => {
                let compared = expand::call(&krate, "compared", sides);
                expand::rust_method(compared, function, [], krate.caller_span)
            }
            function => expand::call(&krate, function, sides),
        }))
    }

    /// Returns whether an expression is a comparison that compares elements and returns an array.
    pub fn is_comparison(&self, expression: &Expr) -> bool {
        let Expr::Binary(binary) = plain(expression) else {
            return false;
        };
        comparison(&binary.op).is_some()
            && (self.has_view(&binary.left) || self.has_view(&binary.right))
    }

    /// Returns the expansion of the other side of a comparison with an array.
    pub fn comparand(&mut self, expression: &mut Expr) -> Vec<TokenTree> {
        if self.has_view(expression) {
            let is_slice = self.is_slice(expression);
            let array = self.operand(expression);
            if is_slice {
                return array;
            }
            let mut reference = Writer::new(Span::mixed_site());
            reference.punct('&');
            reference.parentheses(array);
            return reference.tokens();
        }
        if let Some((operand, slice)) = self.slice(expression) {
            let (krate, read) = self.read(operand, slice);
            return expand::element(&krate, read, "compared");
        }
        if self.is_indexed(expression) {
            return self.indexed(expression, "compared");
        }
        if let Expr::Array(_) | Expr::Repeat(_) = plain(expression) {
            self.visit_expr_mut(expression);
            let mut reference = Writer::new(Span::mixed_site());
            reference.punct('&');
            reference.append(expand::list(&self.krate, plain(expression)));
            return reference.tokens();
        }
        if is_literal(plain(expression)) {
            return expand::scalar(&self.krate, plain(expression));
        }
        self.visit_expr_mut(expression);
        let span = expand::mixed_site_at(expand::span(expression));
        let start = if is_place(expression) {
            expand::place(&self.krate, expression)
        } else {
            expand::value(&self.krate, expression)
        };
        expand::method(start, "compared", [], span)
    }
}
