//! Classifies `x[i]` with one index, whose meaning depends on the type of `x`.

use proc_macro2::Ident;
use syn::{BinOp, Expr, ExprIndex, Lit, Member, UnOp};

use super::brackets::is_mark;
use super::forms::{comparison, is_plain_place, plain};

/// An index whose meaning depends on the array.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// A number, or a name.
    Plain,
    /// An index with a minus before it.
    Negative,
    /// A comparison.
    Mask,
}

/// Returns the kind of an index of a variable or of a field.
pub fn item(index: &ExprIndex) -> Option<Item> {
    if !is_named(&index.expr) {
        let is_part = !is_marked(&index.expr) && is_plain_place(&index.expr);
        return (is_part && is_from_the_end(plain(&index.index))).then_some(Item::Negative);
    }
    match plain(&index.index) {
        Expr::Lit(literal) if matches!(literal.lit, Lit::Int(_)) => Some(Item::Plain),
        Expr::Path(path) if path.path.get_ident().is_some() => Some(Item::Plain),
        end if is_from_the_end(end) => Some(Item::Negative),
        condition if is_condition(condition) => Some(Item::Mask),
        _ => None,
    }
}

/// Returns whether an index begins with a minus, as `-1`, `-i` and `-i - 1` do.
fn is_from_the_end(index: &Expr) -> bool {
    match index {
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)),
        Expr::Binary(binary) => {
            matches!(binary.op, BinOp::Add(_) | BinOp::Sub(_)) && is_from_the_end(&binary.left)
        }
        _ => false,
    }
}

/// Returns whether there is a slice among the parts of a place.
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
        || combined(expression).is_some_and(|parts| parts.into_iter().all(is_condition))
}

/// Returns whether the operator of an expression is a comparison.
fn is_comparison(expression: &Expr) -> bool {
    matches!(plain(expression), Expr::Binary(binary) if comparison(&binary.op).is_some())
}

/// Returns the parts that `&`, `|`, `^` or `!` combines.
fn combined(expression: &Expr) -> Option<Vec<&Expr>> {
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

/// Returns whether the expression is an item counted from the end. A copy cannot replace such an item where it is
/// written, or where a method is called on it.
pub fn is_negative(expression: &Expr) -> bool {
    matches!(plain(expression), Expr::Index(index) if item(index) == Some(Item::Negative))
}

/// Returns whether an index is a mask if the item is written: a comparison, or comparisons and names that are combined
/// with `&`, `|`, `^` or `!`.
pub fn is_written_mask(index: &ExprIndex) -> bool {
    is_named(&index.expr) && is_mask(&index.index)
}

fn is_mask(expression: &Expr) -> bool {
    let part = |part: &Expr| is_mask(part) || is_named(part);
    is_comparison(expression)
        || combined(expression).is_some_and(|parts| {
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
