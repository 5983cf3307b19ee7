//! Rewrites comparisons with slices as comparisons of elements.

use proc_macro2::{Span, TokenTree};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{BinOp, Expr, ExprBinary};

use super::expand;
use super::forms::{comparison, is_literal, is_number, is_place, is_plain_place, plain};
use super::rewrite::Rewrite;
use crate::writer::Writer;

impl Rewrite {
    /// Rewrites a comparison with a slice or an `x[i]` on one side as a comparison of elements. The result is an array
    /// of `bool`, or a single `bool` for a single element and for `==` or `!=` between two arrays. Returns `None` if
    /// the comparison keeps Rust's meaning.
    pub fn comparison(&mut self, binary: &mut ExprBinary) -> Option<Expr> {
        let [function, exchanged] = comparison(&binary.op)?;
        self.reject_attributes(&mut binary.left);
        self.reject_attributes(&mut binary.right);
        let (left, right) = (&mut binary.left, &mut binary.right);
        let (function, array, other) = if self.has_view(left) {
            (function, left, right)
        } else if self.has_view(right) {
            (exchanged, right, left)
        } else if self.is_stored(left) && is_inert(right) {
            return Some(self.stored_comparison(left, function, right));
        } else if self.is_stored(right) && is_inert(left) {
            return Some(self.stored_comparison(right, exchanged, left));
        } else if self.is_indexed(left) && is_inert(right) {
            return Some(self.indexed_comparison(left, function, right));
        } else if self.is_indexed(right) && is_inert(left) {
            return Some(self.indexed_comparison(right, exchanged, left));
        } else {
            return None;
        };
        // As in Rust, `==` between an array and a reference to an array returns a single `bool`, so the comparison
        // keeps Rust's meaning.
        if let (Expr::Reference(_), BinOp::Eq(_) | BinOp::Ne(_)) = (plain(other), &binary.op) {
            return None;
        }
        let krate = self.krate.located_at(binary.op.span());
        let is_slice = self.is_slice(array);
        let mut array = self.operand(array);
        if !is_slice {
            let mut reference = Writer::new(Span::mixed_site());
            reference.punct('&');
            reference.parentheses(array);
            array = reference.tokens();
        }
        let function = match function {
            "eq" if is_number(other) => "eq_number",
            "ne" if is_number(other) => "ne_number",
            function => function,
        };
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

    fn is_stored(&self, expression: &Expr) -> bool {
        let slice = self.slices.find(plain(expression));
        slice.is_some_and(|(_, slice)| self.slices.is_stored(slice))
    }

    /// Rewrites a comparison with `x[spec]`, where `spec` is a variable that holds a slice.
    fn stored_comparison(&mut self, array: &mut Expr, function: &str, other: &mut Expr) -> Expr {
        let (operand, slice) = self
            .slice(array)
            .expect("the caller should have found a slice");
        let (krate, read) = self.read(operand, slice);
        let other = self.comparand(other);
        let selected = expand::selected(&krate, read);
        expand::verbatim(expand::method(
            selected,
            function,
            [other],
            krate.caller_span,
        ))
    }

    /// Rewrites a comparison in which one side is an `x[i]` with a single index, and thus an element or a row.
    fn indexed_comparison(&mut self, indexed: &mut Expr, function: &str, other: &mut Expr) -> Expr {
        let (krate, read) = self.read_indexed(indexed);
        let other = self.comparand(other);
        expand::verbatim(expand::method(read, function, [other], krate.caller_span))
    }

    /// Returns whether an expression is a comparison that compares elements and returns an array. `==` between two
    /// arrays returns a single `bool` instead.
    pub fn is_comparison(&self, expression: &Expr) -> bool {
        let Expr::Binary(binary) = plain(expression) else {
            return false;
        };
        let has_view =
            |one, other| self.has_view(one) && (is_ordered(&binary.op) || is_number(other));
        comparison(&binary.op).is_some()
            && (has_view(&binary.left, &binary.right) || has_view(&binary.right, &binary.left))
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

fn is_ordered(operator: &BinOp) -> bool {
    !matches!(operator, BinOp::Eq(_) | BinOp::Ne(_))
}

/// Returns whether the evaluation of the expression has no side effects, so that the other side of the comparison can
/// stay borrowed during the evaluation.
fn is_inert(expression: &Expr) -> bool {
    match plain(expression) {
        Expr::Reference(reference) => reference.mutability.is_none() && is_inert(&reference.expr),
        Expr::Unary(unary) => is_inert(&unary.expr),
        expression => is_number(expression) || is_literal(expression) || is_plain_place(expression),
    }
}
