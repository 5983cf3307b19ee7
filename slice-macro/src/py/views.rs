//! Handles variables that hold slices, such as `v` after `let v = x[1:]`, or rows, such as `row` in `for row in x[1:]`.
//!
//! The macro sees the declarations of these variables. It can therefore borrow a variable that is an operand, so that
//! the operator does not move it, and suggest a mutable declaration if a read-only variable is modified.

use proc_macro2::{Delimiter, Ident, Punct, Spacing, Span, TokenTree};
use syn::{BinOp, Error, Expr, ExprForLoop, Lit, Local, Pat, PatIdent, PatType, UnOp};

use super::brackets::Slice;
use super::expand;
use super::forms::{
    any_operand, assignment_method, comparison, is_arithmetic, is_number, is_place, is_sign,
    is_writing, plain, plain_mut,
};
use super::messages::with_help;
use super::rewrite::Rewrite;
use super::variables::Kind;
use crate::split::split_items;
use crate::writer;

/// The kind of the variable in a `let`, which comes into scope after the value of the `let`.
pub struct Declaration(Option<Kind>);

impl Rewrite {
    /// Determines the kind of the variable that a `let` declares. The value must not have been rewritten yet.
    pub fn declaration(&self, local: &Local) -> Declaration {
        let name = declared_name(&local.pat);
        let value = local.init.as_ref().map(|init| plain(&init.expr));
        if let (Pat::Slice(_), Some(value)) = (&local.pat, value)
            && self.is_view(value)
        {
            return Declaration(Some(Kind::Part));
        }
        Declaration(name.zip(value).and_then(|(name, value)| match value {
            Expr::Reference(reference) if reference.mutability.is_some() => {
                self.is_view(&reference.expr).then_some(Kind::Written)
            }
            value if self.is_view(value) => Some(match self.begins_with_place(value) {
                true => {
                    let value = self.text_of(value);
                    Kind::Read(format!("write `let {name} = &mut {value};`"))
                }
                false => Kind::Value,
            }),
            _ => None,
        }))
    }

    /// Brings the variables of a `let` into scope.
    pub fn declare(&mut self, local: &Local, Declaration(kind): Declaration) {
        self.variables
            .declare_as(&local.pat, kind.as_ref().unwrap_or(&Kind::Other));
    }

    /// Brings the variables of a `for` loop into scope. The iterated expression must not have been rewritten yet.
    pub fn declare_row(&mut self, repeated: &ExprForLoop) {
        let declared = declared_name(&repeated.pat);
        let row = declared.and_then(|name| match plain(&repeated.expr) {
            Expr::MethodCall(call) if self.is_view(&call.receiver) && call.args.is_empty() => {
                let rows = ["columns", "outer_iter", "rows"];
                let method = &call.method;
                let receiver = self.text_of(&call.receiver);
                let mutable = match method.to_string().strip_suffix("_iter") {
                    Some(name) => format!("{name}_iter_mut"),
                    None => format!("{method}_mut"),
                };
                rows.iter().any(|rows| method == rows).then(|| {
                    format!("write `for mut {name} in {receiver}.{mutable}()`")
                })
            }
            iterated if self.is_view(iterated) => {
                let text = self.text_of(iterated);
                Some(format!(
                    "write `for mut {name} in &mut {text}`, and `*{name} = ...` if `{name}` is an element"
                ))
            }
            _ => None,
        });
        let kind = row.map_or(Kind::Other, Kind::Row);
        self.variables.declare_as(&repeated.pat, &kind);
    }

    /// Returns whether an expression is a slice that is a view, rather than an element or a copy.
    fn is_view(&self, expression: &Expr) -> bool {
        let slice = self.slices.find(plain(expression));
        slice.is_some_and(|(_, slice)| {
            !self.slices.is_element(slice) && !self.slices.has_list(slice)
        })
    }

    /// Returns whether the array from which a slice is taken is a place.
    fn begins_with_place(&self, slice: &Expr) -> bool {
        match self.slices.find(plain(slice)) {
            Some((operand, _)) => self.begins_with_place(operand),
            None => is_place(slice),
        }
    }

    /// Replaces each operand `v` that is a variable holding a slice with `v[...]`, which borrows the variable.
    pub fn open_views(&mut self, expression: &mut Expr) {
        if self.variables.is_empty() {
            return;
        }
        match expression {
            Expr::Binary(binary) if comparison(&binary.op).is_some() => {
                // As in Rust, `==` of two arrays returns a single `bool`.
                let is_equality = matches!(binary.op, BinOp::Eq(_) | BinOp::Ne(_));
                if !is_equality || is_number(&binary.left) || is_number(&binary.right) {
                    self.open(&mut binary.left);
                    self.open(&mut binary.right);
                }
            }
            Expr::Assign(assign) => {
                if let Expr::Binary(_) | Expr::Unary(_) = plain(&assign.right) {
                    self.open(&mut assign.right);
                }
            }
            Expr::Binary(binary) if assignment_method(&binary.op).is_some() => {
                if let Some(Kind::Written) = self.variables.kind_of(&binary.left) {
                    self.open(&mut binary.left);
                }
                self.open(&mut binary.right);
            }
            Expr::Binary(_) | Expr::Unary(_) => self.open(expression),
            _ => {}
        }
    }

    /// Replaces `x[1:][0] = value` with `x[1:][0, ...] = value`, so that the target can be a row.
    pub fn open_chained(&mut self, expression: &mut Expr) {
        let target = match expression {
            Expr::Assign(assign) => &mut assign.left,
            Expr::Binary(binary) if assignment_method(&binary.op).is_some() => &mut binary.left,
            _ => return,
        };
        let Expr::Index(index) = &mut **target else {
            return;
        };
        let number = match plain(&index.index) {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => &unary.expr,
            number => number,
        };
        let is_number = matches!(number, Expr::Lit(number) if matches!(number.lit, Lit::Int(_)));
        if !is_number || !self.is_view(&index.expr) {
            return;
        }
        let span = index.bracket_token.span.join();
        let mut items = expand::tokens(&index.index);
        items.push(Punct::new(',', Spacing::Alone).into());
        items.extend(dots(span));
        let array = std::mem::replace(&mut *index.expr, Expr::PLACEHOLDER);
        **target = self.slices.marked_place(array, slice(items, span));
        self.marked += 1;
    }

    /// Replaces each variable `v` that holds a slice in arithmetic with `v[...]`.
    fn open(&mut self, operand: &mut Expr) {
        match plain_mut(operand) {
            Expr::Binary(binary) if is_arithmetic(&binary.op) => {
                self.open(&mut binary.left);
                self.open(&mut binary.right);
            }
            Expr::Unary(unary) if is_sign(&unary.op) => self.open(&mut unary.expr),
            place @ Expr::Path(_) => {
                if let Some(Kind::Read(_) | Kind::Value | Kind::Written) =
                    self.variables.kind_of(place)
                {
                    let span = expand::span(place);
                    let array = std::mem::replace(place, Expr::PLACEHOLDER);
                    *place = self.slices.marked_place(array, whole(span));
                    self.marked += 1;
                }
            }
            _ => {}
        }
    }

    /// Rejects an expression that modifies a read-only slice or row, or that assigns a new array to a variable holding
    /// a slice.
    pub fn refuse_written_view(&self, expression: &Expr) -> Option<Error> {
        if self.variables.is_empty() {
            return None;
        }
        let target = match expression {
            Expr::Assign(assign) => {
                if let Some(error) = self.another_array(&assign.left, &assign.right) {
                    return Some(error);
                }
                (!is_name(&assign.left)).then_some(&assign.left)?
            }
            Expr::Binary(binary) if assignment_method(&binary.op).is_some() => &binary.left,
            Expr::MethodCall(call) if is_writing(&call.method) => &call.receiver,
            _ => return None,
        };
        let name = self.written_name(target)?;
        match self.variables.kind(name)? {
            Kind::Read(write) => Some(with_help(
                name.span(),
                &format!("`{name}` is a read-only slice"),
                write,
            )),
            Kind::Row(write) => Some(with_help(
                name.span(),
                &format!("`{name}` is read-only"),
                write,
            )),
            _ => None,
        }
    }

    /// Rejects `v = v * 2.0`, because a variable that holds a slice cannot hold a new array.
    fn another_array(&self, target: &Expr, value: &Expr) -> Option<Error> {
        let Expr::Path(path) = target else {
            return None;
        };
        let name = path.path.get_ident()?;
        let kind = self.variables.kind(name)?;
        let is_array = match plain(value) {
            Expr::Binary(binary) if is_arithmetic(&binary.op) => self.has_views(value),
            Expr::Unary(unary) if is_sign(&unary.op) => self.has_views(value),
            _ => false,
        };
        let value = self.text_of(value);
        let write = match kind {
            Kind::Read(_) | Kind::Value => format!("write `let {name} = {value};`"),
            Kind::Written => format!("write `{name}[...] = {value};`"),
            _ => return None,
        };
        is_array.then(|| {
            with_help(
                name.span(),
                &format!("`{name}` is a slice, but this value is a new array"),
                &write,
            )
        })
    }

    /// Returns whether there is a slice, or a variable that holds one, among the operands.
    fn has_views(&self, value: &Expr) -> bool {
        any_operand(value, &|operand| {
            let kind = self.variables.kind_of(operand);
            matches!(kind, Some(Kind::Read(_) | Kind::Value | Kind::Written))
                || self.is_view(operand)
        })
    }

    /// Returns the variable that is a target, or whose elements are the target.
    fn written_name<'e>(&'e self, target: &'e Expr) -> Option<&'e Ident> {
        match plain(target) {
            Expr::Path(path) => path.path.get_ident(),
            Expr::Index(index) => self.written_name(&index.expr),
            Expr::Field(_) => self.written_name(self.slices.find(plain(target))?.0),
            _ => None,
        }
    }

    /// Returns whether a variable that holds a row or an element is an operand.
    pub fn has_row(&self, expression: &Expr) -> bool {
        any_operand(expression, &|operand| self.variables.is_row(operand))
    }
}

fn is_name(expression: &Expr) -> bool {
    matches!(plain(expression), Expr::Path(_))
}

/// Returns the name of a pattern that is only a name, possibly with a type.
fn declared_name(pattern: &Pat) -> Option<&Ident> {
    match pattern {
        Pat::Ident(PatIdent {
            by_ref: None,
            subpat: None,
            ident,
            ..
        }) => Some(ident),
        Pat::Type(PatType { pat, .. }) => declared_name(pat),
        _ => None,
    }
}

/// Returns the slice `[...]`.
fn whole(span: Span) -> Slice {
    Slice {
        implied: true,
        ..slice(dots(span), span)
    }
}

/// Returns the tokens of `...`.
fn dots(span: Span) -> Vec<TokenTree> {
    let dot = |spacing| {
        let mut dot = Punct::new('.', spacing);
        dot.set_span(span);
        TokenTree::from(dot)
    };
    vec![
        dot(Spacing::Joint),
        dot(Spacing::Joint),
        dot(Spacing::Alone),
    ]
}

/// Returns a slice with these items.
fn slice(items: Vec<TokenTree>, span: Span) -> Slice {
    Slice {
        items: split_items(&items),
        group: writer::group(Delimiter::Bracket, items, span),
        stored: false,
        implied: false,
    }
}
