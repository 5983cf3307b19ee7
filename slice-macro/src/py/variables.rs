//! Records the variables declared in `py!`, and which of them hold slices or rows.

use proc_macro2::Ident;
use syn::{BinOp, Expr, Pat};

use super::forms::plain;

/// The kind of value that a variable in scope holds.
#[derive(Clone, Debug)]
pub enum VariableKind {
    /// A slice, or a row or an element of a slice. If it is read-only, the string is the help text that shows how to declare a
    /// mutable one.
    View(Option<String>),
    /// A mutable view.
    Mutable,
    /// An element or a subview of a destructured slice.
    Destructured,
    /// A closure parameter without a type.
    Untyped,
    /// Any other value.
    Other,
}

/// The variables in scope, in the order of their declarations.
#[derive(Default)]
pub struct Variables(Vec<(Ident, VariableKind)>);

impl Variables {
    /// Begins a scope. Returns the argument to pass to [`leave`](Self::leave) at the end of the scope.
    pub fn scope(&self) -> usize {
        self.0.len()
    }

    /// Ends a scope, and removes the variables declared in it.
    pub fn leave(&mut self, scope: usize) {
        self.0.truncate(scope);
    }

    /// Returns whether no variable is in scope.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether any variable in scope holds a slice or a row.
    pub fn any_slice(&self) -> bool {
        let is_slice =
            |kind: &VariableKind| !matches!(kind, VariableKind::Untyped | VariableKind::Other);
        self.0.iter().any(|(_, kind)| is_slice(kind))
    }

    pub fn kind(&self, name: &Ident) -> Option<&VariableKind> {
        let variable = self.0.iter().rev().find(|(declared, _)| declared == name);
        variable.map(|(_, kind)| kind)
    }

    pub fn kind_of(&self, expression: &Expr) -> Option<&VariableKind> {
        match plain(expression) {
            Expr::Path(path) if !self.0.is_empty() => self.kind(path.path.get_ident()?),
            _ => None,
        }
    }

    /// Declares all variables in a pattern, none of which holds a slice or a row.
    pub fn declare(&mut self, pattern: &Pat) {
        self.declare_as(pattern, &VariableKind::Other);
    }

    /// Declares all variables in a closure parameter.
    pub fn declare_parameter(&mut self, pattern: &Pat) {
        let kind = match pattern {
            Pat::Type(_) => VariableKind::Other,
            _ => VariableKind::Untyped,
        };
        self.declare_as(pattern, &kind);
    }

    /// Declares all variables in a pattern. The variable that is bound to the whole value holds a value of the given kind.
    pub fn declare_as(&mut self, pattern: &Pat, kind: &VariableKind) {
        let parts: Vec<&Pat> = match pattern {
            Pat::Ident(name) => {
                let (kind, inner) = match &name.subpat {
                    Some((_, inner)) => (&VariableKind::Other, vec![&**inner]),
                    None => (kind, Vec::new()),
                };
                self.0.push((name.ident.clone(), kind.clone()));
                inner
            }
            Pat::Guard(guarded) => return self.declare_as(&guarded.pat, kind),
            Pat::Paren(inner) => return self.declare_as(&inner.pat, kind),
            Pat::Type(typed) => return self.declare_as(&typed.pat, kind),
            Pat::Or(either) => either.cases.iter().collect(),
            Pat::Reference(inner) => vec![&*inner.pat],
            Pat::Slice(list) => list.elems.iter().collect(),
            Pat::Struct(parts) => parts.fields.iter().map(|part| &*part.pat).collect(),
            Pat::Tuple(tuple) => tuple.elems.iter().collect(),
            Pat::TupleStruct(tuple) => tuple.elems.iter().collect(),
            _ => Vec::new(),
        };
        let part_kind = match (pattern, kind) {
            (Pat::Slice(_), VariableKind::Destructured)
            | (Pat::Tuple(_), VariableKind::Untyped) => kind,
            _ => &VariableKind::Other,
        };
        for part in parts {
            self.declare_as(part, part_kind);
        }
    }

    /// Declares the variables in the `let` patterns of a condition.
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

    /// Returns whether an expression is a closure parameter without a type, which the compiler may have to infer from
    /// the uses of the parameter.
    pub fn is_untyped(&self, expression: &Expr) -> bool {
        matches!(self.kind_of(expression), Some(VariableKind::Untyped))
    }
}
