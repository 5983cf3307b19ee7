//! Rewrites `x[i]` with a single index, which this file calls an *indexed expression*. An indexed expression has Rust's
//! meaning, unless `x` is an array with several axes, `i` is negative, or `i` is a mask in an assignment target.

use std::mem;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprAssign, ExprBinary, ExprIndex, ExprPath, ExprUnary, Token, UnOp};

use super::expand::{self, Temporary};
use super::forms::{
    assignment_function, comparison, is_arithmetic, is_number, is_place, is_prefix_operator, plain,
    plain_mut,
};
use super::index_form::{IndexForm, index_form, is_assigned_mask, is_named, is_negative, variable};
use super::rewrite::Rewrite;
use crate::source;
use crate::writer::{self, Krate, Writer};

impl Rewrite {
    /// Returns whether an operand is an `x[i]` with a single index, and thus an element or a row.
    pub fn is_indexed(&self, expression: &Expr) -> bool {
        match plain(expression) {
            Expr::Index(index) if !self.is_slice(plain(expression)) => {
                matches!(
                    index_form(index),
                    Some(IndexForm::Plain | IndexForm::Negative)
                )
            }
            _ => false,
        }
    }

    /// Returns whether `operand` is an indexed expression, and thus a row if its array has several axes. The caller
    /// must slice or index `operand`, but must not modify it. Closure parameters without a type are excluded, because
    /// the compiler may infer their types from the expression.
    pub fn is_row(&self, operand: &Expr) -> bool {
        matches!(operand, Expr::Index(index)
            if index_form(index) == Some(IndexForm::Plain)
                && can_be_checked(&index.expr)
                && !self.is_slice(operand)
                && !self.variables.is_untyped(&index.index)
                && !self.variables.is_untyped(&index.expr))
    }

    /// Rewrites the expression before the brackets of a slice that is only read.
    pub fn visit_sliced(&mut self, operand: &mut Expr) {
        if !self.is_row(operand) {
            return self.visit_expr_mut(operand);
        }
        *operand = Expr::Unary(ExprUnary {
            attrs: Vec::new(),
            op: UnOp::Deref(Token![*](expand::span(operand))),
            expr: Box::new(expand::verbatim(self.indexed(operand, "place"))),
        });
    }

    /// Rewrites an indexed expression that is read, with a call to `method` on the result. The type of the result
    /// determines which implementation of `method` is called.
    pub fn indexed(&mut self, expression: &mut Expr, method: &str) -> Vec<TokenTree> {
        let (krate, read) = self.read_indexed(expression);
        expand::method(read, method, [], krate.caller_span)
    }

    /// Rewrites `x[-1].push(0)` and other expressions that use `x[-1]` as a place. The position of the element is
    /// computed before the place is used.
    pub fn place_from_the_end(&mut self, expression: &mut Expr) -> Option<Expr> {
        let index = negative_root(expression, self)?;
        let position = self.position_temporary(index);
        self.visit_expr_mut(expression);
        let all = position.before(expand::tokens(expression));
        Some(expand::verbatim(expand::in_parentheses(all)))
    }

    /// If `place` is an `x[-1]` or a part of one, returns a temporary with the position of the element, and replaces
    /// the index with the name of the temporary.
    pub fn position_before(&mut self, place: &mut Expr) -> Option<Temporary> {
        let index = root(place, self)?;
        Some(self.position_temporary(index))
    }

    /// Returns a temporary with the position of the element, and replaces the index with the name of the temporary.
    fn position_temporary(&self, index: &mut ExprIndex) -> Temporary {
        let krate = self.krate.located_at(index.bracket_token.span.join());
        let start = expand::place(&self.krate, &index.expr);
        let number = expand::tokens(plain(&index.index));
        let position = expand::method(start, "position", [number], krate.caller_span);
        let position = Temporary::new(position, "index");
        *index.index = Expr::Path(ExprPath {
            attrs: Vec::new(),
            qself: None,
            path: position.ident_at(krate.caller_span).into(),
        });
        position
    }

    /// Rewrites an `x[-1]` that is modified by an assignment, such as `x[-1][1:] = 0`.
    pub fn mutated_from_the_end(&mut self, index: &mut ExprIndex) {
        let krate = self.krate.located_at(index.bracket_token.span.join());
        let start = expand::place(&self.krate, &index.expr);
        let number = expand::tokens(plain(&index.index));
        let position = expand::method(start, "position", [number], krate.caller_span);
        *index.index = expand::verbatim(position);
    }

    /// Adds a compile-time check to Rust's `x[i]`, so that the compiler shows the error message of `py!` if the index
    /// of an array has an invalid type.
    pub fn check_position(&self, index: &mut ExprIndex) {
        if can_be_checked(&index.expr) {
            let array = expand::place(&self.krate, &index.expr);
            *index.index = expand::verbatim(expand::position(&self.krate, &index.index, array));
        }
    }

    /// Rewrites Rust's `x[i] = value`. The index is checked first, because the assignment borrows the array mutably.
    pub fn checked_assignment(&mut self, assign: &mut ExprAssign) -> Expr {
        let is_inert = matches!(plain(&assign.right), Expr::Lit(_) | Expr::Path(_));
        self.visit_mutated(&mut assign.left);
        self.visit_expr_mut(&mut assign.right);
        let position = match &mut *assign.left {
            Expr::Index(index) if is_inert && can_be_checked(&index.expr) => {
                let span = expand::span(&index.index);
                self.check_position(index);
                let position = Temporary::new(expand::tokens(&index.index), "index");
                *index.index = expand::verbatim(position.name_at(span));
                Some(position)
            }
            _ => None,
        };
        let assignment = assign.to_token_stream().into_iter().collect();
        expand::verbatim(match position {
            Some(position) => position.before(assignment),
            None => assignment,
        })
    }

    /// Rewrites an indexed expression that is read, according to the form of its index. Also returns the path to the
    /// crate, located at the brackets.
    pub fn read_indexed(&mut self, expression: &mut Expr) -> (Krate, Vec<TokenTree>) {
        let Expr::Index(index) = plain_mut(expression) else {
            unreachable!("the caller should have found an index")
        };
        let position = self.position_before(&mut index.expr);
        let name = match (index_form(index), plain(&index.index)) {
            (Some(IndexForm::Negative), _) => "counted_from_end",
            (_, Expr::Lit(_)) => "row",
            _ => "item",
        };
        let span = index.bracket_token.span.join();
        let krate = self.krate.located_at(span);
        let array = expand::tokens(plain(&index.expr));
        let start = expand::place(&self.krate, &index.expr);
        let number = match name {
            "item" => expand::index(&self.krate, plain(&index.index)),
            _ => expand::tokens(plain(&index.index)),
        };
        // Generates the closure `|i| &array[i]`.
        let (mut parameter, mut rust) = (Writer::new(krate.span), Writer::new(krate.span));
        parameter.word("__py_item");
        rust.punct('|');
        rust.append(parameter.tokens());
        rust.punct('|');
        rust.punct('&');
        rust.append(array);
        let mut inside = Writer::new(krate.span);
        inside.word("__py_item");
        rust.token(writer::group(
            Delimiter::Bracket,
            inside.tokens(),
            krate.caller_span,
        ));
        let mut read = expand::method(start, name, [number, rust.tokens()], krate.caller_span);
        if let Some(position) = position {
            read = expand::in_parentheses(position.before(read));
        }
        (krate, read)
    }

    /// Rewrites `x[i] = value` and `x[i] += value`, where `i` is a number or a mask. `operator` holds the tokens of the
    /// operator. Returns `None` if the assignment keeps Rust's meaning.
    pub fn assigned_indexed(
        &mut self,
        left: &mut Expr,
        operator: TokenStream,
        value: &mut Expr,
    ) -> Option<Expr> {
        let Expr::Index(index) = left else {
            return None;
        };
        let stored = variable(&index.index)
            .filter(|name| is_named(&index.expr) && source::may_be_mask(name))
            .cloned();
        let kind = match is_assigned_mask(index) {
            true => IndexForm::Mask,
            false if stored.is_some() => IndexForm::Plain,
            false => index_form(index)?,
        };
        let is_literal = matches!(plain(&index.index), Expr::Lit(_));
        if kind == IndexForm::Plain && !is_literal && stored.is_none() || !is_value(value) {
            return None;
        }
        let position = self.position_before(&mut index.expr);
        let krate = self.krate.located_at(index.bracket_token.span.join());
        let array = expand::tokens(plain(&index.expr));
        let start = expand::place(&self.krate, &index.expr);
        let (method, number) = match (kind, stored) {
            (IndexForm::Mask, _) => ("written", self.condition(plain_mut(&mut index.index))),
            (_, Some(_)) => {
                let name = match plain(&index.index) {
                    Expr::Reference(reference) => &reference.expr,
                    name => name,
                };
                let (mask, span) = (expand::sliced_place(&self.krate, name), expand::span(name));
                ("stored", expand::method(mask, "mask", [], span))
            }
            _ => ("written", expand::tokens(plain(&index.index))),
        };
        let target = expand::method(start, method, [number], krate.caller_span);
        let value = self.assigned_value(value);
        // Generates the closure `|i, value| array[i] = value`.
        let mut rust = Writer::new(krate.span);
        rust.punct('|');
        rust.word("__py_item");
        rust.comma();
        rust.word("__py_value");
        rust.punct('|');
        rust.append(array);
        let mut inside = Writer::new(krate.span);
        inside.word("__py_item");
        rust.token(writer::group(
            Delimiter::Bracket,
            inside.tokens(),
            krate.caller_span,
        ));
        rust.append(operator.into_iter().collect());
        rust.token(Ident::new("__py_value", krate.span));
        let mut assignment =
            expand::method(target, "assign", [value, rust.tokens()], krate.caller_span);
        if let Some(position) = position {
            assignment = position.before(assignment);
        }
        Some(expand::verbatim(assignment))
    }

    fn assigned_value(&mut self, value: &mut Expr) -> Vec<TokenTree> {
        if self.is_indexed(value) {
            return self.indexed(value, "owned");
        }
        let is_view = self.has_view(value);
        if is_view && self.is_slice(value) {
            let (operand, slice) = self.slice(value).expect("the expression should be a slice");
            let (krate, view) = self.read(operand, slice);
            return expand::owned(&krate, view);
        }
        self.visit_expr_mut(value);
        expand::tokens(value)
    }

    /// Rewrites a mask. In a mask, comparisons with arrays compare elements.
    fn condition(&mut self, expression: &mut Expr) -> Vec<TokenTree> {
        match expression {
            Expr::Paren(paren) => {
                let inside = self.condition(&mut paren.expr);
                let span = paren.paren_token.span.join();
                vec![writer::group(Delimiter::Parenthesis, inside, span).into()]
            }
            Expr::Unary(unary) if is_prefix_operator(&unary.op) => {
                let mut out: Vec<TokenTree> = unary.op.to_token_stream().into_iter().collect();
                out.extend(self.condition(&mut unary.expr));
                out
            }
            Expr::Binary(binary) if comparison(&binary.op).is_none() => {
                let mut out = self.condition(&mut binary.left);
                out.extend(binary.op.to_token_stream());
                out.extend(self.condition(&mut binary.right));
                out
            }
            Expr::Binary(binary) => {
                let (left, right) = (&*binary.left, &*binary.right);
                let is_read = |side: &Expr| self.has_slice(side) || self.is_indexed(side);
                if is_read(left) || self.has_view(right) || is_number(left) && is_read(right) {
                    self.visit_expr_mut(expression);
                    return expand::tokens(expression);
                }
                self.element_comparison(binary)
            }
            _ if is_place(expression) => expand::place_operand(&self.krate, expression),
            _ => {
                self.visit_expr_mut(expression);
                expand::tokens(expression)
            }
        }
    }
}

impl Rewrite {
    /// Rewrites a comparison in a mask. Elements are compared if the left side is an array, or if the left side is a
    /// number and the right side is an array.
    fn element_comparison(&mut self, binary: &mut ExprBinary) -> Vec<TokenTree> {
        let [same, exchanged] =
            comparison(&binary.op).expect("the operator should be a comparison");
        let span = binary.op.span();
        let (function, array, other) = match is_number(&binary.left) {
            true => (exchanged, &mut *binary.right, &mut *binary.left),
            false => (same, &mut *binary.left, &mut *binary.right),
        };
        let function = match function {
            "eq" => "eq_each",
            "ne" => "ne_each",
            function => function,
        };
        // The other side keeps Rust's meaning, because it may be a variable that holds a number whose type the compiler
        // infers from the array.
        self.mask_operand(array);
        let start = expand::place(&self.krate, array);
        let other = self.comparand(other);
        expand::method(start, function, [other], span)
    }

    /// Rewrites a side of a comparison in a mask. Variables in arithmetic are borrowed, because they may be arrays,
    /// which must not be moved.
    fn mask_operand(&mut self, side: &mut Expr) {
        let inside = plain_mut(side);
        match inside {
            _ if is_place(inside) || is_number(inside) => {}
            Expr::Binary(binary) if is_arithmetic(&binary.op) => {
                let arrays = mem::replace(&mut self.may_be_arrays, true);
                *inside = expand::verbatim(expand::in_parentheses(self.operand(inside)));
                self.may_be_arrays = arrays;
            }
            Expr::Unary(unary) if is_prefix_operator(&unary.op) => {
                let arrays = mem::replace(&mut self.may_be_arrays, true);
                *inside = expand::verbatim(expand::in_parentheses(self.operand(inside)));
                self.may_be_arrays = arrays;
            }
            _ => self.visit_expr_mut(inside),
        }
    }
}

/// Returns whether an assigned value can be passed as an argument. Returns `false` for macro calls, jumps out of the
/// expression, and closures, whose types are inferred from the assignment target.
fn is_value(expression: &Expr) -> bool {
    !matches!(
        plain(expression),
        Expr::Break(_) | Expr::Closure(_) | Expr::Continue(_) | Expr::Macro(_) | Expr::Return(_)
    )
}

/// Returns whether a place can be borrowed before it is indexed. The place can be a variable, a field, an element or a
/// dereference, but not a `static`, which may be mutable. A name in upper case may belong to a `static`.
pub fn can_be_checked(array: &Expr) -> bool {
    match plain(array) {
        Expr::Path(path) => path.path.get_ident().is_some_and(|name| {
            let name = name.to_string();
            name != name.to_uppercase() || name == "_"
        }),
        Expr::Field(field) => can_be_checked(&field.base),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)) && can_be_checked(&unary.expr),
        Expr::Index(index) => can_be_checked(&index.expr),
        _ => false,
    }
}

/// Returns the `x[-1]` in `expression` if the expression accesses a part of this element, calls a method on it, borrows
/// it mutably, or assigns to a part of it. Returns `None` for any other expression.
fn negative_root<'e>(expression: &'e mut Expr, rewrite: &Rewrite) -> Option<&'e mut ExprIndex> {
    if is_negative(expression) {
        return None;
    }
    if let Expr::Field(_) | Expr::Index(_) | Expr::MethodCall(_) = expression {
        return root(expression, rewrite);
    }
    let part = match expression {
        Expr::Assign(assign) => &mut assign.left,
        Expr::Binary(binary) if assignment_function(&binary.op).is_some() => &mut binary.left,
        Expr::Reference(reference) if reference.mutability.is_some() => {
            return root(&mut reference.expr, rewrite);
        }
        _ => return None,
    };
    if is_negative(part) {
        return None;
    }
    root(part, rewrite)
}

fn root<'e>(expression: &'e mut Expr, rewrite: &Rewrite) -> Option<&'e mut ExprIndex> {
    if rewrite.is_slice(expression) {
        return None;
    }
    let is_root = is_negative(expression);
    match plain_mut(expression) {
        Expr::Index(index) => match is_root {
            true => Some(index),
            false => root(&mut index.expr, rewrite),
        },
        Expr::Field(field) => root(&mut field.base, rewrite),
        Expr::MethodCall(call) => root(&mut call.receiver, rewrite),
        _ => None,
    }
}
