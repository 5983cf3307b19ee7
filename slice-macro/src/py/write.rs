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
use syn::{Error, Expr, ExprBinary, UnOp};

use super::expand::{self, Temporaries};
use super::forms::{
    is_literal, is_number, is_operation, is_place, is_plain_place, plain, plain_mut,
};
use super::messages::{SEVERAL_TARGETS_HELP, with_help};
use super::rewrite::{Rewrite, Use, reject_attributes};
use crate::writer::code;

/// The name of the type in slice-core that stands for `=`.
pub const SET: &str = "Set";

impl Rewrite {
    /// Rewrites `x += value`, where `x` is not a slice. If `x` is an array, its type lets slice-core add the value.
    pub fn whole_assignment(&mut self, binary: &mut ExprBinary) -> Vec<TokenTree> {
        let (left, right) = (&mut *binary.left, &mut *binary.right);
        reject_attributes(right);
        let target = root(left, self);
        if target.is_empty() || is_number(right) || self.variables.is_untyped(left) {
            let is_view = self.has_view(right);
            self.visit_as(left, Use::Mutated);
            self.visit_expr_mut(right);
            if is_view {
                let view = expand::verbatim(expand::in_parentheses(expand::tokens(right)));
                *right = expand::verbatim(expand::reference(&view));
            }
            return binary.to_token_stream().into_iter().collect();
        }
        let value_spans = expand::end_spans(right);
        let value = self.value(right, &target, true);
        self.visit_as(left, Use::Mutated);
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
        reject_attributes(slice);
        reject_attributes(value);
        let root = root(slice, self);
        let Some((array, slice)) = self.slice(slice) else {
            return expand::tokens(slice);
        };
        let is_plain = is_plain_place(array);
        // A value is inert if it makes no difference whether it is evaluated before or after the array is borrowed.
        let is_inert = match plain(value) {
            Expr::Lit(_) => true,
            Expr::Path(_) => is_plain && token_strings(plain(value)) != root,
            _ => false,
        };
        let value_spans = expand::end_spans(value);
        let value = self.value(value, &root, false);
        let view = self.view_mut(array, is_plain);
        let is_constant = self.slices.is_constant(slice);
        let (krate, spec) = self.spec(slice);

        // Stores a part of the assignment in the order of evaluation, unless it makes no difference when it is evaluated.
        let mut temporaries = Temporaries::new("value");
        let mut part = |tokens, is_in_place: bool, spans| match is_in_place {
            true => tokens,
            false => temporaries.store(tokens, spans),
        };
        let (value, view, spec) = if operator == SET {
            let value = part(value, is_inert, value_spans);
            (value, part(view, is_plain, value_spans), spec)
        } else {
            let view = part(view, is_plain, value_spans);
            let spec = part(spec, is_inert || is_constant, [krate.caller_span; 2]);
            (part(value, is_inert, value_spans), view, spec)
        };
        let operator = krate.path(&["python", operator]);
        let assignment = expand::call(&krate, "assignment", [spec, view, value]);
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
        let start = expand::chain_start(&krate, "value", view);
        let slice = expand::method(start, "at", [spec], krate.caller_span);
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
        let span = expand::span(array);
        match in_scope {
            true => expand::method(expand::tokens(array), "view_mut", [], span),
            false => {
                let span = expand::mixed_site_at(span);
                expand::rust_method(expand::tokens(array), "view_mut", [], span)
            }
        }
    }

    /// Rewrites an assigned value as one side of an operator. A place is not copied, unless the assignment may overwrite it.
    /// `keeps_rust` is passed to [`operand`](Self::operand) for arithmetic without slices.
    fn value(&mut self, value: &mut Expr, target: &[String], keeps_rust: bool) -> Vec<TokenTree> {
        let krate = self.krate.located_at(expand::span(value));
        let number = |tokens| expand::call(&krate, "number", [tokens]);
        let inside = plain_mut(value);
        if is_literal(inside) {
            return number(expand::tokens(inside));
        }
        if is_operation(inside) {
            return match self.has_view(inside) {
                true => self.result(inside),
                false => number(self.operand(inside, keeps_rust)),
            };
        }
        let mentions_target = !target.is_empty() && mentions(&token_strings(value), target);
        if let Expr::Reference(reference) = value
            && self.is_slice(&reference.expr)
            && reference.mutability.is_none()
        {
            *value = std::mem::replace(&mut *reference.expr, Expr::PLACEHOLDER);
        }
        // A slice of another array does not need a copy, even if its bounds read the target.
        let is_read = mentions_target && (!self.is_slice(value) || root(value, self) == target);
        if let Some((operand, slice)) = self.slice(value) {
            let (krate, view) = self.view(operand, slice);
            return match is_read {
                true => expand::chain(&krate, "value", view, "owned"),
                false => view,
            };
        }
        if self.is_indexed(value) {
            return match is_read {
                true => number(self.indexed(value, "owned")),
                false => self.indexed(value, "side"),
            };
        }
        let is_target = is_read && token_strings(plain(value)) == target;
        let is_place = is_place(value);
        self.visit_expr_mut(value);
        if is_target {
            number(expand::of_place(&krate, value, "owned"))
        } else if is_place && !(is_read && matches!(plain(value), Expr::Index(_))) {
            expand::of_place(&krate, value, "side")
        } else if is_read {
            number(expand::of_value(&krate, value, "owned"))
        } else {
            number(expand::tokens(plain(value)))
        }
    }

    /// Returns the error for an element or a slice in a tuple or array of assignment targets.
    pub fn several_targets(&self, target: &Expr) -> Option<Error> {
        let targets = match target {
            Expr::Tuple(tuple) => &tuple.elems,
            Expr::Array(array) => &array.elems,
            _ => return None,
        };
        targets.iter().find_map(|target| {
            let problem = "an element or a slice cannot be one of several assignment targets";
            let error = || with_help(target.span(), problem, SEVERAL_TARGETS_HELP);
            let is_part = self.is_slice(target) || self.is_indexed(target);
            is_part.then(error).or_else(|| self.several_targets(target))
        })
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
