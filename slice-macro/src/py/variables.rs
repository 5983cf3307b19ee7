//! Records the variables declared in `py!`, and which of them hold slices or rows.

use proc_macro2::Ident;
use syn::{Expr, Pat};

use super::forms::plain;

/// The kind of value that a variable in scope holds.
#[derive(Clone, Debug)]
pub enum VariableKind {
    /// A slice, or a row or an element of a slice. If it is read-only, the string is the help text that shows how to declare a
    /// mutable one.
    View(Option<String>),
    /// A mutable view.
    Mutable,
    /// A closure parameter without a type.
    Untyped,
    /// Any other value.
    Other,
}

/// The variables in scope, in the order of their declarations.
#[derive(Default)]
pub struct Variables(pub Vec<(Ident, VariableKind)>);

impl Variables {
    pub fn kind(&self, name: &Ident) -> Option<&VariableKind> {
        let variable = self.0.iter().rev().find(|(declared, _)| declared == name);
        variable.map(|(_, kind)| kind)
    }

    pub fn kind_of(&self, expression: &Expr) -> Option<&VariableKind> {
        match plain(expression) {
            Expr::Path(path) => self.kind(path.path.get_ident()?),
            _ => None,
        }
    }

    /// Declares a variable, which does not hold a slice or a row unless [`set_kind`](Self::set_kind) is called.
    pub fn declare(&mut self, name: &Ident) {
        self.0.push((name.clone(), VariableKind::Other));
    }

    /// Sets the kind of the declared variable that a pattern binds to the whole value, or of the variables in a tuple without a
    /// type.
    pub fn set_kind(&mut self, pattern: &Pat, kind: &VariableKind) {
        match (pattern, kind) {
            (Pat::Ident(name), _) if name.subpat.is_none() => {
                let mut declared = self.0.iter_mut().rev();
                if let Some((_, kind_of_name)) = declared.find(|(one, _)| *one == name.ident) {
                    *kind_of_name = kind.clone();
                }
            }
            (Pat::Paren(inner), _) => self.set_kind(&inner.pat, kind),
            (Pat::Type(typed), _) => self.set_kind(&typed.pat, kind),
            (Pat::Tuple(tuple), VariableKind::Untyped) => {
                tuple
                    .elems
                    .iter()
                    .for_each(|part| self.set_kind(part, kind));
            }
            _ => {}
        }
    }

    /// Returns whether an expression is a closure parameter without a type, which the compiler may have to infer from
    /// the uses of the parameter.
    pub fn is_untyped(&self, expression: &Expr) -> bool {
        matches!(self.kind_of(expression), Some(VariableKind::Untyped))
    }
}
