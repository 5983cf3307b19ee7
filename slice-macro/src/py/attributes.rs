//! Accesses and copies the attributes of expressions. `py!` keeps attributes where Rust allows them, and rejects them
//! elsewhere.

use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::{Attribute, Expr};

use super::expand;

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

/// Appends to `out` the attributes of an expression, and of the expressions inside its parentheses and invisible
/// groups.
pub fn write_all_attributes(expression: &mut Expr, out: &mut Vec<TokenTree>) {
    if let Some(attributes) = attributes(expression) {
        write_attributes(attributes, out);
    }
    match expression {
        Expr::Paren(paren) => write_all_attributes(&mut paren.expr, out),
        Expr::Group(group) => write_all_attributes(&mut group.expr, out),
        _ => {}
    }
}

pub fn with_attributes(attributes: &[Attribute], expression: Expr) -> Expr {
    if attributes.is_empty() {
        return expression;
    }
    let mut tokens = Vec::new();
    write_attributes(attributes, &mut tokens);
    tokens.extend(expand::tokens(&expression));
    expand::verbatim(tokens)
}

pub fn write_attributes(attributes: &[Attribute], out: &mut Vec<TokenTree>) {
    for attribute in attributes {
        out.extend(attribute.to_token_stream());
    }
}
