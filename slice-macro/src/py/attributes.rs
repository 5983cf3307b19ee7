//! Accesses the attributes of expressions. `py!` keeps attributes where Rust allows them, and rejects them elsewhere.

use syn::{Attribute, Expr};

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
