//! Rewrites operators with slices among their operands.
//!
//! An operator between arrays becomes a function call, which checks the shapes before ndarray does. An operator with a
//! number on one side usually stays unchanged. If the macro does not know whether a side is an array, the operator also
//! stays unchanged, but a function checks both sides first.

use std::mem;

use proc_macro2::{Delimiter, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{BinOp, Expr, ExprBinary};

use super::expand;
use super::forms::{
    any_operand, arithmetic_function, is_arithmetic, is_float, is_list, is_number, is_operation,
    is_place, is_prefix_operator, may_be_a_view, plain, plain_mut, returns_view,
};
use super::rewrite::{Rewrite, reject_attributes};
use crate::tokens::{any_level, is_word};
use crate::writer::{self, code};

/// The form of an operator in the expansion.
enum Operation {
    /// The operator itself.
    Operator,
    /// The operator itself, after a check of both sides.
    CheckedOperator,
    /// A call to a function that checks both sides and computes the result. For a shift, the operator itself, after a check.
    Function,
}

impl Rewrite {
    /// Rewrites arithmetic. The result may be a number, unless at least one operand is certain to be an array.
    pub fn result(&mut self, expression: &mut Expr) -> Vec<TokenTree> {
        let keeps_rust = !self.has_view(expression);
        self.operand(expression, keeps_rust)
    }

    /// Rewrites an arithmetic expression or one of its operands. If `keeps_rust` is `true`, there is no slice among the operands
    /// of the whole operation, and operands other than `x[i]`, variables and results of methods keep Rust's meaning.
    pub fn operand(&mut self, expression: &mut Expr, keeps_rust: bool) -> Vec<TokenTree> {
        match expression {
            _ if self.is_slice(expression) => self.leaf(expression, "operand", keeps_rust),
            Expr::Paren(paren) => {
                let span = paren.paren_token.span.join();
                let is_call = matches!(&*paren.expr, Expr::Binary(binary)
                    if is_arithmetic(&binary.op) && !matches!(self.operation(binary, keeps_rust), Operation::Operator));
                let inside = self.operand(&mut paren.expr, keeps_rust);
                // The expansion omits the parentheses around a call, because a panic would otherwise be located at the opening
                // parenthesis.
                match is_call {
                    true => inside,
                    false => code!(span => (#inside)),
                }
            }
            Expr::Group(group) => {
                let inside = self.operand(&mut group.expr, keeps_rust);
                vec![writer::group(Delimiter::None, inside, group.group_token.span).into()]
            }
            Expr::Binary(binary) if is_arithmetic(&binary.op) => {
                reject_attributes(&mut binary.left);
                reject_attributes(&mut binary.right);
                self.rewritten_operation(binary, keeps_rust)
            }
            Expr::Unary(unary) if is_prefix_operator(&unary.op) => {
                reject_attributes(&mut unary.expr);
                let mut out: Vec<TokenTree> = unary.op.to_token_stream().into_iter().collect();
                out.extend(self.operand(&mut unary.expr, keeps_rust));
                out
            }
            _ => self.leaf(expression, "operand", keeps_rust),
        }
    }

    /// Rewrites an operand that is not an operation, with a call to `method` on it.
    fn leaf(&mut self, expression: &mut Expr, method: &str, keeps_rust: bool) -> Vec<TokenTree> {
        if let Some((operand, slice)) = self.slice(expression) {
            let (krate, read) = self.view(operand, slice);
            return code!(krate.span => &#read);
        }
        if self.is_indexed(expression) {
            return self.indexed(expression, method);
        }
        let is_known = self.is_comparison(expression);
        let is_array = self.is_borrowed(expression) || self.is_of_slice(expression);
        let is_rust = keeps_rust && !is_array;
        self.visit_expr_mut(expression);
        if is_known {
            expand::tokens(expression)
        } else if is_place(expression) && !is_rust {
            expand::of_place(&self.krate, expression, method)
        } else if method == "side" || may_be_a_view(expression) && !is_rust {
            expand::of_value(&self.krate, expression, method)
        } else {
            expand::tokens(expression)
        }
    }

    /// Returns whether an operand in arithmetic without slices must be borrowed if it is an array. Returns `true` for
    /// variables and fields. A closure parameter without a type is excluded, because the compiler may infer its type
    /// from the operation. A constant is excluded, because using it does not move it.
    fn is_borrowed(&self, operand: &Expr) -> bool {
        match plain(operand) {
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| {
                let name = name.to_string();
                name != name.to_uppercase() && !self.variables.is_untyped(operand)
            }),
            Expr::Field(field) => self.is_borrowed(&field.base),
            _ => false,
        }
    }

    /// Returns whether an operand is the result of a method of a slice, such as `x[1:].mapv(f)`, or of a method such as `t`,
    /// and may therefore be a view.
    fn is_of_slice(&self, operand: &Expr) -> bool {
        match plain(operand) {
            Expr::MethodCall(call) => {
                returns_view(&call.method)
                    || self.has_view(&call.receiver)
                    || self.is_of_slice(&call.receiver)
            }
            _ => false,
        }
    }

    /// Returns whether an expression is an operation whose result may or may not be an array. The expansion cannot call
    /// a method on the result, because the compiler may infer its type only from later code.
    fn is_unknown(&self, expression: &Expr) -> bool {
        is_operation(plain(expression))
            && !self.has_view(expression)
            && !any_operand(expression, &is_list)
    }

    fn operation(&self, binary: &ExprBinary, keeps_rust: bool) -> Operation {
        let sides = [&*binary.left, &*binary.right];
        // If a function is called, the compiler's message about a type mismatch suggests a correction, but a call takes
        // twice as long to compile as an operator. For a number and an array, a function is therefore called only if
        // the number is an integer: the most common mistake is to combine an integer with an array of floats.
        let is_integer_with_array = |number: &Expr, array: &Expr| {
            is_number(number) && !is_float(number) && self.has_view(array)
        };
        if is_integer_with_array(sides[0], sides[1]) || is_integer_with_array(sides[1], sides[0]) {
            return Operation::Function;
        }
        let keeps_operator = |side: &Expr| {
            is_number(side)
                || self.is_unknown(side)
                || keeps_rust
                    && !any_operand(side, &|operand| self.is_indexed(operand))
                    && !self.is_borrowed(side)
                    && !matches!(plain(side), Expr::MethodCall(_))
        };
        // A list beside anything but a number or another list is an array, as in NumPy.
        let is_plain = match sides.map(is_list) {
            [true, false] => is_number(sides[1]),
            [false, true] => is_number(sides[0]),
            _ => sides.into_iter().any(keeps_operator),
        };
        if is_plain {
            Operation::Operator
        } else if sides.iter().any(|side| self.has_view(side)) {
            Operation::Function
        } else {
            Operation::CheckedOperator
        }
    }

    fn rewritten_operation(&mut self, binary: &mut ExprBinary, keeps_rust: bool) -> Vec<TokenTree> {
        let operation = self.operation(binary, keeps_rust);
        if matches!(operation, Operation::Function) || self.has_view(&binary.right) {
            move_number_to_the_right(binary);
        }
        if let Operation::Operator = operation {
            let is_number = is_number(&binary.left);
            let mut left = self.operand(&mut binary.left, keeps_rust);
            let mut right = self.operand(&mut binary.right, keeps_rust);
            // The type of a number on the left would be the type of the result, and cause further errors.
            if is_number && any_level(&right, |token, _| is_word(token, "compile_error")) {
                mem::swap(&mut left, &mut right);
            }
            left.extend(binary.op.to_token_stream());
            left.append(&mut right);
            return left;
        }
        let ends = [&binary.left, &binary.right].map(|side| expand::span(side));
        let krate = self.krate.located_at(binary.op.span());
        let has_array = matches!(operation, Operation::Function);
        let left = self.side(&mut binary.left, has_array, keeps_rust);
        let right = self.side(&mut binary.right, has_array, keeps_rust);
        if has_array && let Some(function) = arithmetic_function(&binary.op) {
            let sides = expand::call(&krate, "sides", [left, right]);
            return expand::rust_method(sides, function, [], krate.caller_span);
        }
        let operator = binary.op.to_token_stream().into_iter().collect();
        expand::both_sides(&krate, [left, right], operator, ends)
    }

    /// Rewrites one side of an operator as an argument of the function that checks the shapes.
    fn side(&mut self, expression: &mut Expr, has_array: bool, keeps_rust: bool) -> Vec<TokenTree> {
        let expression = plain_mut(expression);
        match expression {
            // Unlike a number, an element that is broadcast to the shape of an array may have any type.
            _ if has_array && self.is_items(expression) => self.indexed_whole(expression, "side"),
            _ if is_number(expression) => {
                self.visit_expr_mut(expression);
                let krate = self.krate.located_at(expand::span(expression));
                expand::call(&krate, "number", [expand::tokens(expression)])
            }
            _ if is_operation(expression) => self.operand(expression, keeps_rust),
            _ if is_list(expression) => {
                self.visit_expr_mut(expression);
                expand::list(&self.krate, expression)
            }
            _ => self.leaf(expression, "side", keeps_rust),
        }
    }
}

/// Exchanges the sides of `2 * x` and `2 + x`, because the compiler infers the type of `x * 2`, but not that of `2 * x`, if `x`
/// is an array whose type is not known yet. A cast stays on the left, because its operand may be a call, which is evaluated
/// before the right side.
pub fn move_number_to_the_right(binary: &mut ExprBinary) {
    let is_cast = |expression: &Expr| matches!(expression, Expr::Cast(_));
    if let BinOp::Add(_) | BinOp::Mul(_) = binary.op
        && is_number(&binary.left)
        && !any_operand(&binary.left, &is_cast)
    {
        mem::swap(&mut binary.left, &mut binary.right);
    }
}
