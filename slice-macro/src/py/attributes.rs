//! Accesses and copies the attributes of expressions. `py!` keeps attributes where Rust allows them, and rejects them
//! elsewhere.

use proc_macro2::TokenTree;
use quote::ToTokens;
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

/// Returns the attributes of an expression, and of the expressions inside its parentheses and invisible groups.
pub fn all_attributes(expression: &mut Expr) -> Vec<TokenTree> {
    let mut out = attributes(expression).map_or_else(Vec::new, |all| attribute_tokens(all));
    match expression {
        Expr::Paren(paren) => out.extend(all_attributes(&mut paren.expr)),
        Expr::Group(group) => out.extend(all_attributes(&mut group.expr)),
        _ => {}
    }
    out
}

pub fn attribute_tokens(attributes: &[Attribute]) -> Vec<TokenTree> {
    let tokens = attributes.iter().flat_map(ToTokens::to_token_stream);
    tokens.collect()
}
