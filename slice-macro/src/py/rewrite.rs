//! Rewrites the expressions in a call to `py!`: each slice becomes a call to a function of slice-core.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, Expr, ExprMatch, Stmt};

use super::brackets::{ItemForm, Slices};
use super::expand;
use super::forms::{any_operand, is_place, plain, plain_mut};
use super::messages;
use super::variables::Variables;
use crate::writer::Krate;

/// How an expression is used.
#[derive(Clone, Copy, Default, PartialEq)]
pub enum Use {
    #[default]
    Value,
    /// As a value that is borrowed, but not modified.
    Borrowed,
    /// As a condition, which must be a single `bool`.
    Condition,
    /// As a place, which may be assigned to.
    Place,
    /// As a place that is assigned to or mutably borrowed.
    Mutated,
}

impl Use {
    pub fn is_place(self) -> bool {
        matches!(self, Self::Place | Self::Mutated)
    }
}

/// The state while one call to `py!` is rewritten.
pub struct Rewrite {
    pub krate: Krate,
    pub slices: Slices,
    /// How the next expression is used.
    pub used: Use,
    /// The variables in scope that are declared in `py!`.
    pub variables: Variables,
}

impl Rewrite {
    pub fn new(krate: Krate, slices: Slices) -> Self {
        Rewrite {
            krate,
            slices,
            used: Use::default(),
            variables: Variables::default(),
        }
    }

    /// Returns `out` with each remaining mark replaced by its slice.
    pub fn finish(self, out: TokenStream) -> TokenStream {
        match self.slices.replaced < self.slices.len() {
            true => self.slices.put_back(out),
            false => out,
        }
    }

    /// Returns the path to the crate, located at a slice.
    pub fn krate_at(&self, slice: usize) -> Krate {
        let group = self.slices.group_of(slice);
        self.krate.located_at(group.span())
    }

    /// Returns the sliced expression and the index of the slice in [`Slices`], or `None` if `expression` is not a
    /// slice.
    pub fn slice<'e>(&self, expression: &'e mut Expr) -> Option<(&'e mut Expr, usize)> {
        self.slices.find_mut(plain_mut(expression))
    }

    pub fn is_slice(&self, expression: &Expr) -> bool {
        self.slices.find(plain(expression)).is_some()
    }

    /// Returns whether [`has_view`](Self::has_view) is true of the value of a block.
    fn ends_in_a_slice(&self, block: &Block) -> bool {
        matches!(block.stmts.last(), Some(Stmt::Expr(last, None)) if self.has_view(last))
    }

    /// Returns whether [`has_view`](Self::has_view) is true of the value of any arm of a `match`.
    fn chooses_a_slice(&self, choice: &ExprMatch) -> bool {
        choice.arms.iter().any(|arm| match &*arm.body {
            Expr::Block(block) => self.ends_in_a_slice(&block.block),
            body => self.has_view(body),
        })
    }

    /// Returns whether the expression is a slice, a comparison of elements, an `if` or `match` with such a value, or an
    /// operation with such an operand.
    pub fn has_view(&self, expression: &Expr) -> bool {
        any_operand(expression, &|operand| match operand {
            Expr::If(branches) => self.ends_in_a_slice(&branches.then_branch),
            Expr::Match(choice) => self.chooses_a_slice(choice),
            Expr::Binary(_) => self.is_comparison(operand),
            operand => self.is_slice(operand),
        })
    }

    /// Rewrites a slice that is used in the given way. The view is mutable if it is mutated, unless the slice contains a list.
    pub fn selected(&mut self, operand: &mut Expr, slice: usize, used: Use) -> Vec<TokenTree> {
        match used == Use::Mutated && !self.slices.has(slice, ItemForm::List) {
            true => expand::in_parentheses(self.mutable(operand, slice)),
            false => self.view(operand, slice).1,
        }
    }

    /// Rewrites a slice that is read: a view or, if the slice contains a list, a new array. Also returns the path to the crate,
    /// located at the slice.
    pub fn view(&mut self, operand: &mut Expr, slice: usize) -> (Krate, Vec<TokenTree>) {
        let has_list = self.slices.has(slice, ItemForm::List);
        let is_indexed = self.is_indexed(operand);
        let start = if is_indexed && !has_list {
            self.read_indexed(operand, false).1
        } else {
            match is_indexed {
                true => self.borrow_indexed(operand),
                false => self.visit_expr_mut(operand),
            }
            // A new array does not borrow from the operand.
            if has_list || is_place(operand) {
                expand::borrowed(&self.krate, "place", operand)
            } else {
                let operand = plain(operand);
                expand::underlined(&self.krate, "value", operand, expand::end_spans(operand))
            }
        };
        let (krate, spec) = self.spec(slice);
        let function = if has_list { "copied" } else { "at" };
        let view = expand::method(start, function, [spec], krate.caller_span);
        (krate, view)
    }
}

/// Replaces a part of an expression that has an attribute with an error, as the compiler does.
pub fn reject_attributes(part: &mut Expr) {
    let error = attributes(part).and_then(|all| all.first().map(messages::attribute));
    match (error, part) {
        (Some(error), part) => *part = expand::verbatim(expand::error(&error)),
        (None, Expr::Paren(paren)) => reject_attributes(&mut paren.expr),
        (None, Expr::Group(group)) => reject_attributes(&mut group.expr),
        _ => {}
    }
}

/// Returns the attributes of a path, a field access, an index expression, a literal, a unary expression, or an
/// expression in parentheses or an invisible group. Returns `None` for any other expression.
pub fn attributes(expression: &mut Expr) -> Option<&mut Vec<Attribute>> {
    Some(match expression {
        Expr::Field(field) => &mut field.attrs,
        Expr::Group(group) => &mut group.attrs,
        Expr::Index(index) => &mut index.attrs,
        Expr::Lit(literal) => &mut literal.attrs,
        Expr::Paren(paren) => &mut paren.attrs,
        Expr::Path(path) => &mut path.attrs,
        Expr::Unary(unary) => &mut unary.attrs,
        _ => return None,
    })
}
