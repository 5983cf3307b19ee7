//! Handles variables that hold slices, such as `v` after `let v = x[1:]`, or rows, such as `row` in `for row in x[1:]`.
//!
//! The macro sees the declarations of these variables. It can therefore suggest a mutable declaration if a read-only variable
//! is modified.

use proc_macro2::Ident;
use syn::{Error, Expr, ExprForLoop, Local, Pat, PatIdent, PatType, parse_quote_spanned};

use super::brackets::ItemForm;
use super::expand;
use super::forms::{assignment_operator, is_modifying, is_operation, is_place, plain};
use super::messages::with_help;
use super::rewrite::Rewrite;
use super::variables::VariableKind;
use crate::tokens::is_one_of;

impl Rewrite {
    /// Returns the kind of the variable that a `let` declares. The value must not have been rewritten yet. The variable comes
    /// into scope after the value.
    pub fn declared_kind(&self, local: &Local) -> VariableKind {
        let (Some(init), Some(name)) = (&local.init, declared_name(&local.pat)) else {
            return VariableKind::Other;
        };
        let (is_mutable, value) = match plain(&init.expr) {
            Expr::Reference(reference) if reference.mutability.is_some() => {
                (true, &*reference.expr)
            }
            value => (false, value),
        };
        if !self.is_view(value) {
            return VariableKind::Other;
        }
        if is_mutable {
            return VariableKind::Mutable;
        }
        let text = || format!("write `let {name} = &mut {};`", self.text_of(value));
        VariableKind::View(self.begins_with_place(value).then(text))
    }

    /// Returns the kind of the variable of a `for` loop. The iterated expression must not have been rewritten yet.
    pub fn row_kind(&self, for_loop: &ExprForLoop) -> VariableKind {
        let declared = declared_name(&for_loop.pat);
        let row = declared.and_then(|name| match plain(&for_loop.expr) {
            Expr::MethodCall(call) if self.is_view(&call.receiver) && call.args.is_empty() => {
                let method = &call.method;
                let receiver = self.text_of(&call.receiver);
                let mutable = match method.to_string().strip_suffix("_iter") {
                    Some(name) => format!("{name}_iter_mut"),
                    None => format!("{method}_mut"),
                };
                is_one_of(method, "columns outer_iter rows").then(|| {
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
        row.map_or(VariableKind::Other, |write| VariableKind::View(Some(write)))
    }

    /// Returns whether an expression is a slice that is a view, and not a copy.
    fn is_view(&self, expression: &Expr) -> bool {
        let slice = self.slices.find(plain(expression));
        slice.is_some_and(|(_, slice)| !self.slices.has(slice, ItemForm::List))
    }

    /// Returns whether the array that is sliced is a place.
    fn begins_with_place(&self, slice: &Expr) -> bool {
        match self.slices.find(plain(slice)) {
            Some((operand, _)) => self.begins_with_place(operand),
            None => is_place(slice),
        }
    }

    /// Replaces `v += value` with `*v += value` if `v` is a variable that holds a mutable slice.
    pub fn dereference_view(&self, expression: &mut Expr) {
        if let Expr::Binary(binary) = expression
            && assignment_operator(&binary.op).is_some()
            && let Some(VariableKind::Mutable) = self.variables.kind_of(&binary.left)
        {
            let view = &binary.left;
            binary.left = parse_quote_spanned!(expand::span(view)=> *#view);
        }
    }

    /// Returns the error for an expression that modifies a read-only slice or row, or that assigns a new array to a variable
    /// holding a slice.
    pub fn mutated_view(&self, expression: &Expr) -> Option<Error> {
        let target = match expression {
            Expr::Assign(assign) => {
                if let Some(error) = self.reject_new_array(&assign.left, &assign.right) {
                    return Some(error);
                }
                (!matches!(plain(&assign.left), Expr::Path(_))).then_some(&assign.left)?
            }
            Expr::Binary(binary) if assignment_operator(&binary.op).is_some() => &binary.left,
            Expr::MethodCall(call) if is_modifying(&call.method) => &call.receiver,
            _ => return None,
        };
        let name = self.target_variable(target)?;
        match self.variables.kind(name)? {
            VariableKind::View(Some(write)) => {
                let problem = format!("`{name}` is read-only");
                Some(with_help(name.span(), &problem, write))
            }
            _ => None,
        }
    }

    /// Rejects `v = v * 2.0`, because a variable that holds a slice cannot hold a new array.
    fn reject_new_array(&self, target: &Expr, value: &Expr) -> Option<Error> {
        let Expr::Path(path) = target else {
            return None;
        };
        let name = path.path.get_ident()?;
        let kind = self.variables.kind(name)?;
        let is_array = is_operation(plain(value));
        let value = self.text_of(value);
        let write = match kind {
            VariableKind::View(_) => format!("write `let {name} = {value};`"),
            VariableKind::Mutable => format!("write `{name}[...] = {value};`"),
            _ => return None,
        };
        is_array.then(|| {
            with_help(
                name.span(),
                &format!("cannot assign a new array to `{name}`, which is a slice"),
                &write,
            )
        })
    }

    /// Returns the variable that is `target`, or that contains `target` as an element or a slice.
    fn target_variable<'e>(&'e self, target: &'e Expr) -> Option<&'e Ident> {
        match plain(target) {
            Expr::Path(path) => path.path.get_ident(),
            Expr::Index(index) => self.target_variable(&index.expr),
            _ => None,
        }
    }
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
