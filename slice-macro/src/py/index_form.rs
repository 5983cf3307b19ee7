//! Classifies the index of an expression with a single index, `x[i]`. The meaning of such an expression depends on the
//! type of `x`.

use proc_macro2::Ident;
use syn::{BinOp, Expr, ExprIndex, Lit, Member, UnOp};

use super::brackets::is_mark;
use super::forms::{comparison, is_plain_place, plain};

/// The form of an index whose meaning depends on the type of the array.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum IndexForm {
    /// An integer literal or a name.
    Plain,
    /// An index that begins with a minus sign, such as `-1` or `-i - 1`.
    Negative,
    /// A comparison, or comparisons combined with `&`, `|`, `^` or `!`.
    Mask,
}

/// Returns the form of an index. Returns `None` if the index has none of the forms in [`IndexForm`], or if the array is
/// neither a variable nor a field of a variable. If the index begins with a minus sign, the array may also be any other
/// [plain place](is_plain_place) that contains no slice.
pub fn index_form(index: &ExprIndex) -> Option<IndexForm> {
    if !is_named(&index.expr) {
        let is_part = !is_marked(&index.expr) && is_plain_place(&index.expr);
        return (is_part && is_from_the_end(plain(&index.index))).then_some(IndexForm::Negative);
    }
    match plain(&index.index) {
        Expr::Lit(literal) if matches!(literal.lit, Lit::Int(_)) => Some(IndexForm::Plain),
        Expr::Path(path) if path.path.get_ident().is_some() => Some(IndexForm::Plain),
        end if is_from_the_end(end) => Some(IndexForm::Negative),
        condition if is_condition(condition) => Some(IndexForm::Mask),
        _ => None,
    }
}

/// Returns whether an index begins with a minus sign, as `-1`, `-i` and `-i - 1` do.
fn is_from_the_end(index: &Expr) -> bool {
    match index {
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)),
        Expr::Binary(binary) => {
            matches!(binary.op, BinOp::Add(_) | BinOp::Sub(_)) && is_from_the_end(&binary.left)
        }
        _ => false,
    }
}

/// Returns whether a place contains a slice.
fn is_marked(expression: &Expr) -> bool {
    match plain(expression) {
        Expr::Field(field) => {
            matches!(&field.member, Member::Named(name) if is_mark(name)) || is_marked(&field.base)
        }
        Expr::Index(index) => is_marked(&index.expr),
        Expr::Unary(unary) => is_marked(&unary.expr),
        _ => false,
    }
}

/// Returns whether the expression is a variable, or a field of a variable.
pub fn is_named(expression: &Expr) -> bool {
    match plain(expression) {
        Expr::Path(path) => path.path.get_ident().is_some(),
        Expr::Field(field) => {
            !matches!(&field.member, Member::Named(name) if is_mark(name)) && is_named(&field.base)
        }
        _ => false,
    }
}

/// Returns whether the expression is a comparison, or combines comparisons with `&`, `|`, `^` or `!`.
fn is_condition(expression: &Expr) -> bool {
    is_comparison(expression)
        || logical_operands(expression).is_some_and(|parts| parts.into_iter().all(is_condition))
}

/// Returns whether the operator of an expression is a comparison.
fn is_comparison(expression: &Expr) -> bool {
    matches!(plain(expression), Expr::Binary(binary) if comparison(&binary.op).is_some())
}

/// Returns the operands of `&`, `|`, `^` or `!`.
fn logical_operands(expression: &Expr) -> Option<Vec<&Expr>> {
    match plain(expression) {
        Expr::Binary(binary) => matches!(
            binary.op,
            BinOp::BitAnd(_) | BinOp::BitOr(_) | BinOp::BitXor(_)
        )
        .then(|| vec![&*binary.left, &*binary.right]),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Not(_)).then(|| vec![&*unary.expr]),
        _ => None,
    }
}

/// Returns whether the expression is an `x[i]` whose index begins with a minus sign. If such an expression is assigned
/// to, or if a method is called on it, a copy of the element cannot replace it.
pub fn is_negative(expression: &Expr) -> bool {
    matches!(plain(expression), Expr::Index(index) if index_form(index) == Some(IndexForm::Negative))
}

/// Returns whether the index in an assignment target `x[index]` is a mask: a comparison, a mask or name negated with
/// `!`, or a mask combined with another mask or a name by `&`, `|` or `^`.
pub fn is_assigned_mask(index: &ExprIndex) -> bool {
    is_named(&index.expr) && is_mask(&index.index)
}

fn is_mask(expression: &Expr) -> bool {
    let part = |part: &Expr| is_mask(part) || is_named(part);
    is_comparison(expression)
        || logical_operands(expression).is_some_and(|parts| {
            let is_not = parts.len() == 1;
            parts.iter().all(|&one| part(one)) && (is_not || parts.into_iter().any(is_mask))
        })
}

/// Returns the name of an index that is a variable or a reference to one.
pub fn variable(index: &Expr) -> Option<&Ident> {
    match plain(index) {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Reference(reference) if reference.mutability.is_none() => variable(&reference.expr),
        _ => None,
    }
}
