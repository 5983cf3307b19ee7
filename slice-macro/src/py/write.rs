//! Rewrites assignments to slices.
//!
//! The expansion keeps Python's order of evaluation. For `=`, the value is evaluated first, then the sliced expression,
//! and then the bounds. For `+=` and the other assignment operators, the sliced expression is evaluated first, then the
//! bounds, and then the value. A plain place, such as a variable, is borrowed last, so that the bounds and the value
//! can read it. Its evaluation has no side effects, so the different order cannot be observed.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprBinary, UnOp};

use super::expand::{self, Temporaries};
use super::forms::{
    is_literal, is_number, is_operation, is_place, is_plain_place, plain, plain_mut,
};
use super::messages;
use super::rewrite::{Rewrite, Use};
use crate::writer::code;

/// The name of the type in slice-core that stands for `=`.
pub const SET: &str = "Set";

impl Rewrite {
    /// Rewrites `x += value`, where `x` is not a slice. If `x` is an array, its type lets slice-core add the value.
    pub fn whole_assignment(&mut self, binary: &mut ExprBinary) -> Vec<TokenTree> {
        let (left, right) = (&mut *binary.left, &mut *binary.right);
        self.reject_attributes(right);
        let target = root(left, self);
        // A value that is read from `x` is copied before `x` is borrowed mutably.
        let is_same_array =
            !target.is_empty() && (target == root(right, self) || target == indexed_root(right));
        let is_slice = self.is_slice(right);
        let value_spans = expand::end_spans(right);
        if is_number(right) || self.variables.is_untyped(left) {
            self.visit_as(left, Use::Mutated);
            self.visit_expr_mut(right);
            return binary.to_token_stream().into_iter().collect();
        }
        let is_view = self.has_view(right);
        let span = expand::span(right);
        let krate = self.krate.located_at(span);
        let mut value = if target.is_empty() {
            match self.has_slice(right) {
                true => self.result(right),
                false => {
                    self.visit_expr_mut(right);
                    expand::tokens(right)
                }
            }
        } else if is_same_array && let Some(owned) = self.read_as(right, "owned") {
            expand::number(&krate, &expand::verbatim(owned))
        } else if self.has_slice(right) && (is_view || !is_slice) {
            let result = self.result(right);
            match is_view {
                true => result,
                false => expand::side(&krate, result, span),
            }
        } else if is_operation(plain(right)) {
            self.visit_expr_mut(right);
            expand::number(&krate, right)
        } else if let Some(side) = self.read_as(right, "side") {
            side
        } else {
            self.visit_expr_mut(right);
            expand::side(&krate, expand::tokens(right), span)
        };
        self.visit_as(left, Use::Mutated);
        if target.is_empty() {
            if is_view && !is_slice {
                value = expand::reference(&expand::verbatim(expand::in_parentheses(value)));
            }
            *right = expand::verbatim(value);
            return binary.to_token_stream().into_iter().collect();
        }
        let krate = self.krate.located_at(binary.op.span());
        let start = expand::borrowed(&self.krate, "place", left);
        let mut temporaries = Temporaries::new("value");
        let used = temporaries.store(value, value_spans);
        let assigned = expand::method(start, "assigned", [used], krate.caller_span);
        *right = expand::verbatim(assigned);
        let assignment = binary.to_token_stream().into_iter().collect();
        temporaries.before(assignment)
    }

    /// Rewrites `x[items] = value` and `x[items] += value`. `operator` is the name of the operator in slice-core.
    pub fn slice_assignment(
        &mut self,
        slice: &mut Expr,
        operator: &str,
        value: &mut Expr,
    ) -> Vec<TokenTree> {
        self.reject_attributes(slice);
        self.reject_attributes(value);
        let root = root(slice, self);
        let (array, slice) = self.known_slice(slice);
        let is_plain = is_plain_place(array);
        // A value is inert if it makes no difference whether it is evaluated before or after the array is borrowed.
        let is_inert = match plain(value) {
            Expr::Lit(_) => true,
            Expr::Path(_) => is_plain && token_strings(plain(value)) != root,
            _ => false,
        };
        let value_spans = (!is_plain || !is_inert).then(|| expand::end_spans(value));
        let (value, is_known) = self.value(value, &root);
        let view = self.view_mut(array, is_plain);
        let is_constant = self.slices.is_constant(slice);
        let (krate, spec) = self.spec(slice);

        // Stores a part of the assignment in the order of evaluation, unless it makes no difference when it is evaluated.
        let mut temporaries = Temporaries::new("value");
        let mut part = |tokens, is_in_place: bool, spans: Option<[Span; 2]>| match spans {
            Some(spans) if !is_in_place => temporaries.store(tokens, spans),
            _ => tokens,
        };
        let (value, view, spec) = if operator == SET {
            let value = part(value, is_inert, value_spans);
            (value, part(view, is_plain, value_spans), spec)
        } else {
            let view = part(view, is_plain, value_spans);
            let spec_spans = value_spans.map(|_| [krate.caller_span; 2]);
            let spec = part(spec, is_inert || is_constant, spec_spans);
            (part(value, is_inert, value_spans), view, spec)
        };
        let operator = krate.path(&["python", operator]);
        let argument = match is_known {
            true => value,
            false => expand::number(&krate, &expand::verbatim(value)),
        };
        let assignment = expand::call(&krate, "assignment", [spec, view, argument]);
        let all = expand::method(assignment, "assign", [operator], krate.caller_span);
        let all = code!(Span::call_site() => #all;);
        let all = expand::with_imports(&krate, &["ViewMut"], all);
        temporaries.before(all)
    }

    /// Returns the expansion of `x[items]` in `&mut x[items]`: a mutable view, without the `&mut`.
    pub fn mutable(&mut self, array: &mut Expr, slice: usize) -> Vec<TokenTree> {
        let is_plain = is_plain_place(array);
        let view = self.view_mut(array, is_plain);
        let (krate, spec) = self.spec(slice);
        let target = expand::chain_start(&krate, "target", view);
        let slice = expand::method(target, "at_mut", [spec], krate.caller_span);
        if is_plain {
            // The view outlives the block that imports the trait, so it must not borrow from temporaries in the block.
            // A plain place creates none.
            return expand::with_imports(&krate, &["ViewMut"], slice);
        }
        slice
    }

    /// Returns the expansion of a mutable view of the whole `array`, which may itself be a slice. `in_scope` is `true`
    /// if the trait `ViewMut`, which has the method `view_mut_in_py`, is in scope.
    fn view_mut(&mut self, array: &mut Expr, in_scope: bool) -> Vec<TokenTree> {
        if let Some((inner, slice)) = self.slice(array) {
            return self.mutable(inner, slice);
        }
        self.visit_as(array, Use::Mutated);
        expand::view_mut(array, in_scope)
    }

    /// Rewrites an assigned value. Also returns `true` if the type of the expansion determines whether the value is an
    /// array. A value that is a place is not copied, unless the assignment may overwrite it.
    fn value(&mut self, value: &mut Expr, target: &[String]) -> (Vec<TokenTree>, bool) {
        let inside = plain_mut(value);
        if is_literal(inside) {
            return (expand::tokens(inside), false);
        }
        if is_operation(inside) {
            let is_array = self.has_slice(inside);
            return (self.operand(inside), is_array);
        }
        let is_same_array = !target.is_empty() && mentions(&token_strings(value), target);
        if let Expr::Reference(reference) = value
            && self.is_slice(&reference.expr)
            && reference.mutability.is_none()
        {
            *value = std::mem::replace(&mut *reference.expr, Expr::PLACEHOLDER);
        }
        // A slice of another array does not need a copy, even if its bounds read the target.
        let is_same_array = is_same_array && (!self.is_slice(value) || root(value, self) == target);
        if let Some((operand, slice)) = self.slice(value) {
            let (krate, view) = self.read(operand, slice);
            let value = if is_same_array {
                expand::owned(&krate, view)
            } else {
                view
            };
            return (value, true);
        }
        if is_same_array && token_strings(plain(value)) == target {
            let span = expand::mixed_site_at(expand::span(plain(value)));
            let view = expand::rust_method(expand::tokens(plain(value)), "view", [], span);
            return (expand::owned(&self.krate, view), false);
        }
        if self.is_indexed(value) {
            let method = if is_same_array { "owned" } else { "side" };
            return (self.indexed(value, method), !is_same_array);
        }
        let is_place_value = is_place(value);
        self.visit_expr_mut(value);
        if is_place_value && !(is_same_array && matches!(plain(value), Expr::Index(_))) {
            (expand::of_place(&self.krate, value, "side"), true)
        } else if is_same_array {
            (expand::of_value(&self.krate, value, "detached"), false)
        } else {
            (expand::tokens(plain(value)), false)
        }
    }

    /// Rejects each slice in a tuple or array of assignment targets. Returns `true` if there is such a slice.
    pub fn reject_targets(&mut self, target: &Expr) -> bool {
        let targets = match target {
            Expr::Tuple(tuple) => &tuple.elems,
            Expr::Array(array) => &array.elems,
            _ => return false,
        };
        let mut any = false;
        for target in targets {
            if self.is_slice(target) {
                self.error(messages::slice_in_a_pattern(target.span()));
                any = true;
            }
            any |= self.reject_targets(target);
        }
        any
    }
}

/// Returns the tokens of an expression without the brackets at its end, as strings.
fn indexed_root(expression: &Expr) -> Vec<String> {
    match plain(expression) {
        Expr::Index(index) => indexed_root(&index.expr),
        root => token_strings(root),
    }
}

/// Returns the tokens of the array in a slice, or in a slice of a slice, as strings. Returns an empty list if the array
/// is not a plain place.
fn root(slice: &Expr, rewrite: &Rewrite) -> Vec<String> {
    let slice = plain(slice);
    if let Some((operand, _)) = rewrite.slices.find(slice) {
        return root(operand, rewrite);
    }
    match slice {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => root(&unary.expr, rewrite),
        place if is_plain_place(place) => token_strings(place),
        _ => Vec::new(),
    }
}

/// Returns the tokens of an expression as strings, with `(` and `)` for the delimiters of every group.
pub fn token_strings(expression: &impl ToTokens) -> Vec<String> {
    fn flatten(stream: TokenStream, into: &mut Vec<String>) {
        for token in stream {
            match token {
                TokenTree::Group(group) => {
                    into.push("(".to_owned());
                    flatten(group.stream(), into);
                    into.push(")".to_owned());
                }
                token => into.push(token.to_string()),
            }
        }
    }
    let mut strings = Vec::new();
    flatten(expression.to_token_stream(), &mut strings);
    strings
}

/// Returns whether `strings` contains `place`, except directly after a `.` or a `:`, where it would be part of a longer
/// path.
pub fn mentions(strings: &[String], place: &[String]) -> bool {
    (0..strings.len()).any(|at| {
        strings[at..].starts_with(place)
            && (at == 0 || strings[at - 1] != "." && strings[at - 1] != ":")
    })
}
