//! Rewrites `x[i].fill(0)` and other calls to methods that modify their receiver, and assignments to `x[0][1]`. In
//! NumPy, `x[i]` is a row if `x` has several axes, but ndarray rejects a single index for such an array. The rewritten
//! code modifies the row.

use proc_macro2::{Ident, TokenTree};
use syn::punctuated::Punctuated;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprIndex, Lit, Token};

use super::expand::{self, Temporary};
use super::forms::{any_operand, is_arithmetic, is_modifying, is_number, plain, plain_mut};
use super::index_form::{IndexForm, index_form, is_named};
use super::indexed::can_be_checked;
use super::rewrite::Rewrite;
use super::write::{mentions, token_strings};

impl Rewrite {
    /// Rewrites a call to a method that modifies its receiver, if the receiver has the form `x[i]` with a single index.
    /// Returns `true` if the call was rewritten.
    pub fn row_modified_by_method(&mut self, expression: &mut Expr) -> bool {
        let Expr::MethodCall(call) = expression else {
            return false;
        };
        let Expr::Index(index) = plain_mut(&mut call.receiver) else {
            return false;
        };
        if !self.may_be_row(index) || !may_be_array_method(&call.method, &call.args) {
            return false;
        }
        let array = token_strings(plain(&index.expr));
        let reads = |argument: &Expr| mentions(&token_strings(argument), &array);
        let krate = self.krate.located_at(index.bracket_token.span.join());
        let row = expand::dereferenced(&krate, self.row(index));
        let value = match call.args.first_mut() {
            Some(value) if call.method == "fill" && reads(value) => {
                // The value is evaluated first, because it reads the array, from which the row is mutably borrowed.
                self.visit_expr_mut(value);
                let temporary = Temporary::new(expand::tokens(value), "value");
                *value = expand::verbatim(temporary.used(expand::end_spans(value)));
                Some(temporary)
            }
            _ => {
                // If `x` is not an array, Rust may accept an argument that reads `x`, so a call with such an argument
                // is not rewritten. A call with a reference to a part of `x` is rewritten, because Rust never accepts
                // it.
                let borrows = |argument: &Expr| matches!(argument, Expr::Reference(_));
                if call
                    .args
                    .iter()
                    .any(|argument| reads(argument) && !borrows(argument))
                {
                    return false;
                }
                let arguments = call.args.iter_mut();
                arguments.for_each(|argument| self.visit_expr_mut(argument));
                None
            }
        };
        *call.receiver = expand::verbatim(row);
        if let Some(value) = value {
            let all = value.before(expand::tokens(expression));
            *expression = expand::verbatim(expand::in_parentheses(all));
        }
        true
    }

    /// Returns whether an expression may be an element of a row, as in `x[0][1]`.
    pub fn may_be_element_of_row(&self, element: &ExprIndex) -> bool {
        let number = &element.index;
        match &*element.expr {
            Expr::Index(index) => {
                (is_number(number) || is_named(number) || is_arithmetic_index(number))
                    && !self.is_slice(&element.expr)
                    && self.may_be_row(index)
            }
            _ => false,
        }
    }

    /// Rewrites the `x[0]` of an `x[0][1]` that is assigned to or mutably borrowed.
    pub fn rewrite_mutated_row(&self, element: &mut ExprIndex) {
        if let Expr::Index(index) = &*element.expr {
            *element.expr = expand::verbatim(expand::in_parentheses(self.row(index)));
        }
    }

    /// Returns whether an expression may be a row, which is the case if its array has several axes.
    fn may_be_row(&self, index: &ExprIndex) -> bool {
        let is_indexed = matches!(
            index_form(index),
            Some(IndexForm::Plain | IndexForm::Negative)
        );
        is_named(&index.expr)
            && can_be_checked(&index.expr)
            && (is_indexed || is_arithmetic_index(&index.index))
            && !any_operand(&index.index, &|operand| self.variables.is_untyped(operand))
            && !self.variables.is_untyped(&index.expr)
    }

    /// Generates `{ match place(&x).row_at(i) { at => x.row_mut(at) } }`. The call to `row_at` wraps the index in a
    /// type that states whether the index selects a row. The `match` calls `row_at` before `row_mut` borrows `x`
    /// mutably.
    fn row(&self, index: &ExprIndex) -> Vec<TokenTree> {
        let krate = self.krate.located_at(index.bracket_token.span.join());
        let array = plain(&index.expr);
        let start = expand::place(&self.krate, array);
        let (method, number) = match index_form(index) {
            Some(IndexForm::Negative) => ("row_from_end", expand::tokens(plain(&index.index))),
            _ => ("row_at", expand::index(&self.krate, plain(&index.index))),
        };
        let at = expand::method(start, method, [number], krate.caller_span);
        let at = Temporary::new(at, "index");
        let array = expand::tokens(array);
        let row = expand::method(
            array,
            "row_mut",
            [at.name_at(krate.caller_span)],
            krate.caller_span,
        );
        expand::with_import(&krate, "RowMut", at.before(row))
    }
}

/// Returns whether an index is computed from numbers and variables, as in `x[i + 1]`.
fn is_arithmetic_index(index: &Expr) -> bool {
    match plain(index) {
        Expr::Binary(binary) if is_arithmetic(&binary.op) => {
            let is_operand =
                |side: &Expr| is_number(side) || is_named(side) || is_arithmetic_index(side);
            is_operand(&binary.left) && is_operand(&binary.right)
        }
        _ => false,
    }
}

/// Returns whether a call may modify an array. A call to `swap` must have two integer literals as arguments, because
/// other types have a `swap` that takes `&self` and different arguments, such as `Cell::swap` and `AtomicI32::swap`.
fn may_be_array_method(method: &Ident, arguments: &Punctuated<Expr, Token![,]>) -> bool {
    let is_number =
        |argument: &Expr| matches!(argument, Expr::Lit(one) if matches!(one.lit, Lit::Int(_)));
    match method.to_string().as_str() {
        "swap" => arguments.len() == 2 && arguments.iter().all(is_number),
        "as_slice_mut" | "scaled_add" => true,
        _ => is_modifying(method),
    }
}
