//! Visits the expressions of `py!`, and rewrites slices and other operands in arithmetic with slices.

use std::mem;

use proc_macro2::{Delimiter, Span, TokenTree};
use quote::{ToTokens, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Arm, BinOp, Block, Expr, ExprMethodCall, ExprReference, Local, Macro, Pat, PatIdent, UnOp,
    parse_quote,
};

use super::compare::CONDITION;
use super::expand;
use super::forms::{
    assignment_operator, is_modifying, is_modifying_std, is_number, is_operation, is_place,
    is_plain_place, is_rust, only_reads, plain, plain_mut, takes_by_value,
};
use super::indexed::is_value;
use super::messages::with_help;
use super::rewrite::{Rewrite, Use, attributes, reject_attributes};
use super::variables::VariableKind;
use super::write::{SET, token_strings};
use crate::fragments::Context;
use crate::tokens::is_one_of;
use crate::writer;

/// Macros that parse slices themselves, and a macro that prints its arguments. Their arguments are not visited.
const UNVISITED_MACROS: &str = "s py named stringify";

impl Rewrite {
    /// Visits an expression that is used in the given way.
    pub fn visit_as(&mut self, expression: &mut Expr, used: Use) {
        self.used = used;
        self.visit_expr_mut(expression);
    }

    /// Visits an expression that is matched against `patterns`.
    fn visit_scrutinee<'p>(
        &mut self,
        expression: &mut Expr,
        mut patterns: impl Iterator<Item = &'p Pat> + Clone,
    ) {
        let used = if patterns.clone().any(binds_mutably) {
            Use::Mutated
        } else if self.is_indexed(expression) && patterns.any(binds_value) {
            Use::Value
        } else {
            Use::Borrowed
        };
        self.visit_as(expression, used);
    }

    /// Visits an argument of a function. An argument `&mut x[items]` is wrapped in a call, so that the compiler does
    /// not suggest removing the `&mut`.
    fn visit_argument(&mut self, argument: &mut Expr) {
        self.convert_reference(argument);
        let is_slice = matches!(argument, Expr::Reference(reference)
            if reference.mutability.is_some() && self.is_slice(&reference.expr));
        let ends = is_slice.then(|| expand::end_spans(argument));
        self.visit_expr_mut(argument);
        if let Some(ends) = ends {
            *argument =
                expand::verbatim(expand::underlined(&self.krate, "argument", argument, ends));
        }
    }

    /// Replaces `&mut x[1:].into()` with `(&mut x[1:]).into()`. The compiler suggests the former instead of `&mut x[1:]` if the
    /// parameter is a view.
    fn convert_reference(&self, argument: &mut Expr) {
        if let Expr::Reference(reference) = argument
            && reference.mutability.is_some()
            && let Expr::MethodCall(call) = &mut *reference.expr
            && call.method == "into"
            && call.args.is_empty()
            && self.is_slice(&call.receiver)
        {
            let slice = mem::replace(&mut *call.receiver, Expr::PLACEHOLDER);
            let mut call = mem::replace(&mut *reference.expr, slice);
            if let Expr::MethodCall(call) = &mut call {
                call.receiver = parse_quote!((#reference));
            }
            *argument = call;
        }
    }

    /// Visits the expression over which a `for` loop iterates. As in Python, the loop iterates over the rows of a part of an
    /// array with several axes.
    fn visit_iterated(&mut self, expression: &mut Expr) {
        let (is_reference, is_mutable, inside) = match plain_mut(expression) {
            Expr::Reference(reference) => {
                (true, reference.mutability.is_some(), &mut *reference.expr)
            }
            other => (false, false, other),
        };
        let parts = if is_mutable && let Some((operand, slice)) = self.slice(inside) {
            let krate = self.krate_at(slice);
            expand::call(&krate, "parts_mut", [self.mutable(operand, slice)])
        } else if !is_mutable && (self.is_slice(inside) || self.is_items(inside))
            || !is_reference && self.is_indexed(inside)
        {
            self.part(inside, "parts")
        } else {
            return self.visit_expr_mut(expression);
        };
        *expression = expand::verbatim(parts);
    }

    /// Rewrites a part of an array that is read, with a call to `method` on the part.
    fn part(&mut self, part: &mut Expr, method: &str) -> Vec<TokenTree> {
        match self.slice(part) {
            Some((operand, slice)) => {
                let (krate, view) = self.view(operand, slice);
                expand::chain(&krate, "choice", view, method)
            }
            None => self.indexed(part, method),
        }
    }

    /// Visits code in its own scope. The variables declared in the code are removed at the end.
    fn in_scope(&mut self, visit: impl FnOnce(&mut Self)) {
        let outside = self.variables.0.len();
        visit(self);
        self.variables.0.truncate(outside);
    }

    /// Returns the tokens that replace an expression, or `None` if only parts of the expression have been rewritten.
    fn replacement(&mut self, expression: &mut Expr, used: Use) -> Option<Vec<TokenTree>> {
        if let Some((operand, slice)) = self.slices.find_mut(expression) {
            return Some(self.selected(operand, slice, used));
        }
        let mistake = self.numpy_mistake(expression);
        if let Some(error) = mistake.or_else(|| self.mutated_view(expression)) {
            return Some(expand::error(&error));
        }
        self.dereference_view(expression);
        let assigned = self.assignment(expression);
        assigned.or_else(|| match expression {
            Expr::Binary(_) | Expr::Unary(_) => self.operation_or_comparison(expression, used),
            Expr::MethodCall(call) => self.method_call(call),
            Expr::Index(_) => self.index_expression(expression, used),
            _ => {
                self.visit_parts(expression, used);
                None
            }
        })
    }

    /// Rewrites an assignment to a slice or to an `x[i]`, and any assignment with an operator such as `+=`.
    fn assignment(&mut self, expression: &mut Expr) -> Option<Vec<TokenTree>> {
        let (target, operator, value) = match expression {
            Expr::Assign(assign) => (&mut *assign.left, SET, &mut *assign.right),
            Expr::Binary(binary) => {
                let operator = assignment_operator(&binary.op)?;
                (&mut *binary.left, operator, &mut *binary.right)
            }
            _ => return None,
        };
        let (is_slice, is_indexed) = (self.is_slice(target), self.is_indexed(target));
        if (is_slice || is_indexed)
            && let (SET, Expr::Assign(second)) = (operator, plain(value))
        {
            return Some(expand::error(&with_help(
                second.eq_token.span,
                "an assignment has no value in Rust, so assignments cannot be chained",
                "write a separate statement for each target",
            )));
        }
        if is_slice {
            return Some(self.slice_assignment(target, operator, value));
        }
        if is_indexed
            && is_value(value)
            && let Expr::Index(target) = plain_mut(target)
        {
            return Some(self.indexed_assignment(target, operator, value));
        }
        match expression {
            Expr::Binary(binary) => Some(self.whole_assignment(binary)),
            Expr::Assign(assign) => {
                let error = self.several_targets(&assign.left);
                error.map(|error| expand::error(&error))
            }
            _ => None,
        }
    }

    /// Rewrites arithmetic or a comparison, unless it keeps Rust's meaning.
    fn operation_or_comparison(
        &mut self,
        expression: &mut Expr,
        used: Use,
    ) -> Option<Vec<TokenTree>> {
        let is_condition = used == Use::Condition;
        if is_condition && self.is_comparison(expression) {
            return Some(expand::error(&self.compared_elements(expression)));
        }
        if is_operation(expression) {
            let is_negated_condition = is_condition && matches!(expression, Expr::Unary(_));
            let is_rust = is_number(expression) || is_rust(expression) || is_negated_condition;
            if self.has_view(expression) || !is_rust {
                return Some(self.result(expression));
            }
        }
        if let Expr::Binary(binary) = expression
            && let Some(compared) =
                self.comparison(binary, if is_condition { CONDITION } else { "result" })
        {
            return Some(compared);
        }
        self.visit_parts(expression, used);
        None
    }

    /// Visits a method call, whose method determines how the receiver is used.
    fn method_call(&mut self, call: &mut ExprMethodCall) -> Option<Vec<TokenTree>> {
        let is_indexed = self.is_indexed(&call.receiver);
        let modifies = is_modifying(&call.method);
        if is_indexed && modifies && (call.method != "swap" || call.args.iter().all(is_number)) {
            return Some(self.modified_receiver(call));
        }
        if modifies && let Some((operand, slice)) = self.slice(&mut call.receiver) {
            *call.receiver = expand::verbatim(match is_plain_place(operand) {
                true => self.mutable(operand, slice),
                false => self.view(operand, slice).1,
            });
        } else {
            let used = if only_reads(&call.method) {
                Use::Borrowed
            } else if takes_by_value(&call.method) {
                Use::Value
            } else if is_modifying_std(&call.method) {
                Use::Mutated
            } else {
                Use::Place
            };
            self.visit_as(&mut call.receiver, used);
        }
        for argument in &mut call.args {
            self.visit_expr_mut(argument);
        }
        None
    }

    /// Rewrites brackets that are not a slice.
    fn index_expression(&mut self, expression: &mut Expr, used: Use) -> Option<Vec<TokenTree>> {
        let Expr::Index(index) = expression else {
            return None;
        };
        let is_mutated = used == Use::Mutated;
        if self.is_whole(index) {
            let whole = self.whole(&mut index.expr, used);
            *index.expr = expand::verbatim(whole);
            return None;
        }
        // Parentheses around a path show that it is not a slice. They are removed, because the compiler would report them
        // as unnecessary.
        if let Expr::Paren(paren) = &mut *index.index
            && let Expr::Path(_) = &*paren.expr
        {
            *index.index = mem::replace(&mut *paren.expr, Expr::PLACEHOLDER);
        }
        if matches!(plain(&index.index), Expr::Range(_)) {
            self.visit_as(&mut index.expr, if is_mutated { used } else { Use::Place });
            self.visit_expr_mut(&mut index.index);
            if !used.is_place() && is_place(&index.expr) {
                let ranged = expand::of_place(&self.krate, &index.expr, "ranged");
                *index.expr = expand::verbatim(expand::dereferenced(&self.krate, ranged));
            }
            return None;
        }
        match used {
            Use::Mutated => return Some(self.mutable_part(index)),
            Use::Value | Use::Condition => return Some(self.indexed(expression, "value")),
            Use::Place if self.slices.find_items(&index.index).is_none() => {
                self.visit_as(&mut index.expr, used);
                self.visit_expr_mut(&mut index.index);
            }
            Use::Place | Use::Borrowed => self.borrow_indexed(expression),
        }
        None
    }

    /// Visits what `&` or `&mut` refers to. A reference to an element must be to the element itself, not to a copy.
    fn visit_referent(&mut self, reference: &mut ExprReference) {
        let is_mutable = reference.mutability.is_some();
        let referent = &mut *reference.expr;
        if is_mutable && self.is_slice(referent) {
            reject_attributes(referent);
        }
        if is_mutable && let Some((operand, slice)) = self.slice(referent) {
            *referent = expand::verbatim(self.mutable(operand, slice));
            return;
        }
        let used = match is_mutable {
            true => Use::Mutated,
            false => Use::Borrowed,
        };
        self.visit_as(referent, used);
    }

    /// Visits the parts of an expression. Some of its parts are used in the same way as the expression: an assignment to a
    /// field, for example, also modifies the base of the field.
    fn visit_parts(&mut self, expression: &mut Expr, used: Use) {
        let used_base = if used.is_place() { used } else { Use::Borrowed };
        match expression {
            Expr::Assign(assign) => {
                self.visit_as(&mut assign.left, Use::Mutated);
                self.visit_expr_mut(&mut assign.right);
            }
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
                self.visit_as(&mut binary.left, Use::Condition);
                self.visit_as(&mut binary.right, Use::Condition);
            }
            Expr::Call(call) => {
                self.visit_as(&mut call.func, Use::Place);
                for argument in &mut call.args {
                    self.visit_argument(argument);
                }
            }
            Expr::Closure(closure) => self.in_scope(|rewrite| {
                for parameter in &mut closure.inputs {
                    rewrite.visit_pat_mut(parameter);
                    if !matches!(parameter, Pat::Type(_)) {
                        let untyped = VariableKind::Untyped;
                        rewrite.variables.set_kind(parameter, &untyped);
                    }
                }
                rewrite.visit_expr_mut(&mut closure.body);
            }),
            Expr::If(_) | Expr::While(_) => self.in_scope(|rewrite| {
                rewrite.used = Use::Condition;
                visit_mut::visit_expr_mut(rewrite, expression);
            }),
            Expr::ForLoop(for_loop) => {
                self.in_scope(|rewrite| {
                    let kind = rewrite.row_kind(for_loop);
                    rewrite.visit_iterated(&mut for_loop.expr);
                    rewrite.visit_pat_mut(&mut for_loop.pat);
                    rewrite.variables.set_kind(&for_loop.pat, &kind);
                    rewrite.visit_block_mut(&mut for_loop.body);
                });
            }
            // Elements with fields are not arrays, so a place keeps Rust's brackets.
            Expr::Field(field)
                if used.is_place()
                    && self.is_indexed(&field.base)
                    && !self.is_items(&field.base) =>
            {
                self.visit_as(&mut field.base, Use::Place);
            }
            Expr::Field(field) => self.visit_as(&mut field.base, used_base),
            Expr::Group(group) => self.visit_as(&mut group.expr, used),
            Expr::Let(condition) => {
                self.visit_scrutinee(&mut condition.expr, [&*condition.pat].into_iter());
                self.visit_pat_mut(&mut condition.pat);
            }
            Expr::Match(choice) => {
                let patterns = choice.arms.iter().map(|arm| &arm.pat);
                self.visit_scrutinee(&mut choice.expr, patterns);
                for arm in &mut choice.arms {
                    self.visit_arm_mut(arm);
                }
            }
            Expr::Paren(paren) => self.visit_as(&mut paren.expr, used),
            Expr::Reference(reference) => self.visit_referent(reference),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                self.visit_as(&mut unary.expr, used_base);
            }
            Expr::Unary(unary) if used == Use::Condition && matches!(unary.op, UnOp::Not(_)) => {
                self.visit_as(&mut unary.expr, Use::Condition);
            }
            _ => visit_mut::visit_expr_mut(self, expression),
        }
    }
}

/// Returns whether a pattern is a name that is bound to the value itself. Names such as `None` are constants.
fn binds_value(pattern: &Pat) -> bool {
    match pattern {
        Pat::Guard(guarded) => binds_value(&guarded.pat),
        Pat::Ident(name) => {
            let is_variable = !name.ident.to_string().starts_with(char::is_uppercase);
            is_variable && name.by_ref.is_none() && name.subpat.is_none()
        }
        _ => false,
    }
}

/// Returns whether a pattern contains `ref mut`.
fn binds_mutably(pattern: &Pat) -> bool {
    let words = token_strings(pattern);
    words.windows(2).any(|pair| pair == ["ref", "mut"])
}

impl VisitMut for Rewrite {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        let used = mem::take(&mut self.used);
        let kept = attributes(expression).map(mem::take).unwrap_or_default();
        if let Some(tokens) = self.replacement(expression, used) {
            *expression = expand::verbatim(tokens);
        }
        match attributes(expression) {
            _ if kept.is_empty() => {}
            Some(attributes) => *attributes = kept,
            None => *expression = Expr::Verbatim(quote!(#(#kept)* #expression)),
        }
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        let kind = self.declared_kind(local);
        if let (Pat::Slice(pattern), Some(init)) = (&local.pat, &mut local.init) {
            let is_unpacked = self.is_slice(&init.expr)
                || self.is_indexed(&init.expr) && pattern.elems.iter().any(binds_value);
            if is_unpacked {
                *init.expr = expand::verbatim(self.part(&mut init.expr, "unpack"));
            }
        }
        if let Some(init) = &mut local.init {
            self.visit_local_init_mut(init);
        }
        self.visit_pat_mut(&mut local.pat);
        self.variables.set_kind(&local.pat, &kind);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        self.in_scope(|rewrite| visit_mut::visit_block_mut(rewrite, block));
    }

    fn visit_pat_ident_mut(&mut self, name: &mut PatIdent) {
        self.variables.declare(&name.ident);
        visit_mut::visit_pat_ident_mut(self, name);
    }

    fn visit_arm_mut(&mut self, arm: &mut Arm) {
        self.in_scope(|rewrite| visit_mut::visit_arm_mut(rewrite, arm));
    }

    /// Visits a Rust item, such as a function, which cannot use the variables declared outside it.
    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        let outside = mem::take(&mut self.variables);
        visit_mut::visit_item_mut(self, item);
        self.variables = outside;
    }

    /// Visits the arguments of a macro call if they can be parsed as expressions. Other arguments stay unchanged.
    fn visit_macro_mut(&mut self, call: &mut Macro) {
        if call
            .path
            .segments
            .last()
            .is_some_and(|last| is_one_of(&last.ident, UNVISITED_MACROS))
        {
            return;
        }
        let tokens = call.tokens.clone().into_iter().collect();
        let tokens = self.slices.take_out(tokens, Context::Code);
        // The arguments are parsed as the elements of a list, because `[element; length]` is a list, too.
        let list = writer::group(Delimiter::Bracket, tokens, Span::call_site());
        match syn::parse2(TokenTree::from(list).into()) {
            Ok(mut list @ Expr::Repeat(_)) => {
                self.visit_expr_mut(&mut list);
                if let [TokenTree::Group(list)] = expand::tokens(&list).as_slice() {
                    call.tokens = list.stream();
                }
            }
            Ok(Expr::Array(mut list)) => {
                let name = call.path.get_ident().map(ToString::to_string);
                for (at, argument) in list.elems.iter_mut().enumerate() {
                    let used = match (name.as_deref().unwrap_or_default(), at) {
                        ("assert" | "debug_assert", 0) => Use::Condition,
                        ("write" | "writeln", 0) => Use::Mutated,
                        // The second argument of `matches!` is a pattern.
                        ("matches", 1..) => continue,
                        (
                            "array" | "assert" | "assert_eq" | "assert_ne" | "dbg" | "debug_assert"
                            | "eprintln" | "format" | "panic" | "print" | "println" | "unreachable"
                            | "vec" | "write" | "writeln",
                            _,
                        ) => Use::Value,
                        // Any other macro may modify its arguments.
                        _ => Use::Place,
                    };
                    self.visit_as(argument, used);
                }
                call.tokens = list.elems.into_token_stream();
            }
            _ => {}
        }
    }
}
