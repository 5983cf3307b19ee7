//! Assignments to slices.
//!
//! Python's order of evaluation is kept: the value, what is sliced, the bounds, for `=`; what is sliced, the bounds, the
//! value, for `+=` and its like. A plain place is borrowed last, which nobody can tell, so that bounds and value can read
//! it.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{BinOp, Expr, ExprAssign, ExprBinary, Lit, UnOp};

use super::expand::{self, Crate, bind, hidden};
use super::messages;
use super::rewrite::{Rewrite, is_arithmetic, is_place, is_sign, plain};

/// The method that does what this operator does.
pub fn method(operator: &BinOp) -> Option<&'static str> {
    Some(match operator {
        BinOp::AddAssign(_) => "add_assign",
        BinOp::SubAssign(_) => "sub_assign",
        BinOp::MulAssign(_) => "mul_assign",
        BinOp::DivAssign(_) => "div_assign",
        BinOp::RemAssign(_) => "rem_assign",
        BinOp::BitAndAssign(_) => "bitand_assign",
        BinOp::BitOrAssign(_) => "bitor_assign",
        BinOp::BitXorAssign(_) => "bitxor_assign",
        BinOp::ShlAssign(_) => "shl_assign",
        BinOp::ShrAssign(_) => "shr_assign",
        _ => return None,
    })
}

impl Rewrite {
    /// `x[items] = value`.
    pub fn assignment(&mut self, assign: &mut ExprAssign) -> Expr {
        if let Expr::Assign(second) = plain(&assign.right) {
            let error = messages::chained_assignment(second.eq_token.span);
            self.error(error);
        }
        let value = self.value(&mut assign.right, &root(&assign.left, self));
        let (array, group) = self
            .slice(&mut assign.left)
            .expect("the caller has seen it");
        self.written(array, &group, "set", value)
    }

    /// `x[items] += value`, and so on.
    pub fn operator_assignment(&mut self, binary: &mut ExprBinary) -> Expr {
        let method = method(&binary.op).expect("the caller has seen it");
        let value = self.value(&mut binary.right, &root(&binary.left, self));
        let (array, group) = self
            .slice(&mut binary.left)
            .expect("the caller has seen it");
        self.written(array, &group, method, value)
    }

    fn written(
        &mut self,
        array: &mut Expr,
        group: &Group,
        method: &str,
        value: TokenStream,
    ) -> Expr {
        let (spec_name, value_name, view_name) = (hidden("spec"), hidden("value"), hidden("view"));
        let constant = expand::is_constant(&group.stream());
        let late = is_plain_place(array);
        let view = self.view_mut(array);
        let spec = self.spec(group);
        let spec_used = if constant {
            spec.clone()
        } else {
            spec_name.to_token_stream()
        };
        let view_used = if late {
            view.clone()
        } else {
            view_name.to_token_stream()
        };
        let mut out = self
            .krate
            .write(&view_used, method, &spec_used, &value_name, group);
        let by_operator = method != "set";
        if by_operator {
            out = bind(&value, &value_name, &out);
        }
        if !constant {
            out = bind(&spec, &spec_name, &out);
        }
        if !late {
            out = bind(&view, &view_name, &out);
        }
        if !by_operator {
            out = bind(&value, &value_name, &out);
        }
        Expr::Verbatim(out)
    }

    /// `&mut x[items]`, without the reference.
    pub fn mutable(&mut self, array: &mut Expr, group: &Group) -> TokenStream {
        let view = self.view_mut(array);
        let spec = self.spec(group);
        self.krate.mutable(&view, &spec, group)
    }

    /// A view of all of `array`, which may itself be a slice.
    fn view_mut(&mut self, array: &mut Expr) -> TokenStream {
        if let Some((inner, group)) = self.slice(array) {
            return self.mutable(inner, &group);
        }
        self.visit_expr_mut(array);
        Crate::view_mut(array)
    }

    /// What is written: something named is read where it is, and what would still be read while it is written is copied.
    fn value(&mut self, value: &mut Expr, target: &[String]) -> TokenStream {
        match plain(value) {
            Expr::Binary(binary) if is_arithmetic(&binary.op) => {
                self.operand(value);
                return plain(value).to_token_stream();
            }
            Expr::Unary(unary) if is_sign(&unary.op) => {
                if !matches!(plain(&unary.expr), Expr::Lit(_)) {
                    self.operand(value);
                }
                return plain(value).to_token_stream();
            }
            Expr::Lit(literal) if !matches!(literal.lit, Lit::Verbatim(_)) => {
                return plain(value).to_token_stream();
            }
            _ => {}
        }
        let same = !target.is_empty() && mentions(&words(value), target);
        if let Expr::Reference(reference) = value
            && self.is_slice(&reference.expr)
            && reference.mutability.is_none()
        {
            *value = std::mem::replace(&mut *reference.expr, Expr::PLACEHOLDER);
        }
        // A slice that is found in another array is no reason for a copy.
        let same = same && (!self.is_slice(value) || root(value, self) == target);
        let named = is_place(value) && !self.is_slice(value);
        self.visit_expr_mut(value);
        if named && !(same && matches!(plain(value), Expr::Index(_))) {
            let value = plain(value);
            quote_spanned!(value.span()=> &#value)
        } else if same {
            self.krate.detached(value)
        } else {
            plain(value).to_token_stream()
        }
    }

    /// Slices among several targets.
    pub fn refuse_patterns(&mut self, target: &Expr) {
        let targets = match target {
            Expr::Tuple(tuple) => &tuple.elems,
            Expr::Array(array) => &array.elems,
            _ => return,
        };
        for target in targets {
            if self.is_slice(target) {
                self.error(messages::slice_in_a_pattern(target.span()));
            }
            self.refuse_patterns(target);
        }
    }
}

/// A variable, or a field or an element of one: that it is looked at early or late makes no difference.
fn is_plain_place(expression: &Expr) -> bool {
    match plain(expression) {
        Expr::Path(_) => true,
        Expr::Field(field) => is_plain_place(&field.base),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)) && is_plain_place(&unary.expr),
        Expr::Index(index) => {
            is_plain_place(&index.expr)
                && matches!(plain(&index.index), Expr::Lit(_) | Expr::Path(_))
        }
        _ => false,
    }
}

/// The words of the place that a slice is taken of, also where it is a slice of a slice.
fn root(slice: &Expr, rewrite: &Rewrite) -> Vec<String> {
    match plain(slice) {
        Expr::Index(index) if rewrite.slices.find(&index.index).is_some() => {
            root(&index.expr, rewrite)
        }
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => root(&unary.expr, rewrite),
        place if is_plain_place(place) => words(place),
        _ => Vec::new(),
    }
}

fn words(expression: &Expr) -> Vec<String> {
    fn flatten(stream: TokenStream, into: &mut Vec<String>) {
        for token in stream {
            match token {
                TokenTree::Group(group) => {
                    into.push("(".to_owned());
                    flatten(group.stream(), into);
                    into.push(")".to_owned());
                }
                token => into.push(token.to_string()),
            }
        }
    }
    let mut words = Vec::new();
    flatten(expression.to_token_stream(), &mut words);
    words
}

fn mentions(words: &[String], place: &[String]) -> bool {
    (0..words.len()).any(|at| {
        words[at..].starts_with(place) && (at == 0 || words[at - 1] != "." && words[at - 1] != ":")
    })
}
