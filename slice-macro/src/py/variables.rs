//! The variables that the code in `py!` declares, and which of them hold slices or rows.

use proc_macro2::Ident;
use syn::{BinOp, Expr, Pat};

use super::forms::plain;

/// The kind of a variable in scope.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A read-only view, and the declaration of a writable one.
    Read(String),
    /// A view of a value, which may be written.
    Value,
    /// A mutable view.
    Written,
    /// A read-only row or element, and the declaration of a writable one.
    Row(String),
    /// An element or a subview of a slice that a pattern takes apart.
    Part,
    /// A parameter of a closure without a type.
    Untyped,
    /// Any other variable.
    Other,
}

/// The variables that the code in `py!` has declared, in the order of their declarations.
#[derive(Default)]
pub struct Variables(Vec<(Ident, Kind)>);

impl Variables {
    /// Returns a mark for the end of a scope.
    pub fn scope(&self) -> usize {
        self.0.len()
    }

    /// Forgets the variables of a scope.
    pub fn leave(&mut self, scope: usize) {
        self.0.truncate(scope);
    }

    /// Returns whether no variable is in scope.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether any variable in scope holds a slice or a row.
    pub fn any_slice(&self) -> bool {
        let is_slice = |kind: &Kind| !matches!(kind, Kind::Untyped | Kind::Other);
        self.0.iter().any(|(_, kind)| is_slice(kind))
    }

    pub fn kind(&self, name: &Ident) -> Option<&Kind> {
        let found = self.0.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, kind)| kind)
    }

    pub fn kind_of(&self, expression: &Expr) -> Option<&Kind> {
        match plain(expression) {
            Expr::Path(path) if !self.0.is_empty() => self.kind(path.path.get_ident()?),
            _ => None,
        }
    }

    /// Declares all variables of a pattern.
    pub fn declare(&mut self, pattern: &Pat) {
        self.declare_as(pattern, &Kind::Other);
    }

    /// Declares the parameter of a closure.
    pub fn declare_parameter(&mut self, pattern: &Pat) {
        let is_typed = matches!(pattern, Pat::Type(_));
        self.declare_as(
            pattern,
            if is_typed {
                &Kind::Other
            } else {
                &Kind::Untyped
            },
        );
    }

    pub fn declare_as(&mut self, pattern: &Pat, kind: &Kind) {
        match pattern {
            Pat::Ident(name) => {
                let kind = if name.subpat.is_some() {
                    &Kind::Other
                } else {
                    kind
                };
                self.0.push((name.ident.clone(), kind.clone()));
                if let Some((_, inner)) = &name.subpat {
                    self.declare(inner);
                }
            }
            Pat::Or(either) => either.cases.iter().for_each(|case| self.declare(case)),
            Pat::Paren(inner) => self.declare_as(&inner.pat, kind),
            Pat::Reference(inner) => self.declare(&inner.pat),
            Pat::Slice(list) => {
                let kind = if let Kind::Part = kind {
                    kind
                } else {
                    &Kind::Other
                };
                list.elems
                    .iter()
                    .for_each(|element| self.declare_as(element, kind));
            }
            Pat::Struct(parts) => parts.fields.iter().for_each(|part| self.declare(&part.pat)),
            Pat::Tuple(tuple) => {
                let kind = if let Kind::Untyped = kind {
                    kind
                } else {
                    &Kind::Other
                };
                tuple
                    .elems
                    .iter()
                    .for_each(|part| self.declare_as(part, kind));
            }
            Pat::TupleStruct(tuple) => tuple.elems.iter().for_each(|part| self.declare(part)),
            Pat::Type(typed) => self.declare_as(&typed.pat, kind),
            _ => {}
        }
    }

    /// Declares the variables in the patterns of a condition.
    pub fn declare_in_condition(&mut self, condition: &Expr) {
        match condition {
            Expr::Let(condition) => self.declare(&condition.pat),
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
                self.declare_in_condition(&binary.left);
                self.declare_in_condition(&binary.right);
            }
            _ => {}
        }
    }

    /// Returns whether an expression is a row or an element of an array.
    pub fn is_row(&self, expression: &Expr) -> bool {
        matches!(self.kind_of(expression), Some(Kind::Row(_) | Kind::Part))
    }

    /// Returns whether the type of a variable may follow from its use only.
    pub fn is_untyped(&self, expression: &Expr) -> bool {
        matches!(self.kind_of(expression), Some(Kind::Untyped))
    }
}
