//! Assignments to slices.
//!
//! Python's order of evaluation is kept: the value, what is sliced, the bounds, for `=`; what is sliced, the bounds, the
//! value, for `+=` and its like. A plain place is borrowed last, which makes no difference, so that bounds and value can read
//! it.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprAssign, ExprBinary, Lit, UnOp};

use super::expand::{self, Bound, Crate};
use super::forms::{assignment_method, is_arithmetic, is_place, is_sign, plain};
use super::messages;
use super::rewrite::Rewrite;

/// A part of an assignment: evaluated before the call, or where it is used.
struct Part {
    used: TokenStream,
    bound: Option<Bound>,
}

impl Part {
    fn new(tokens: TokenStream, name: &str, shown: &TokenStream, in_place: bool) -> Self {
        if in_place {
            let (used, bound) = (tokens, None);
            return Part { used, bound };
        }
        let bound = Bound::new(tokens, name);
        let used = bound.used(shown);
        let bound = Some(bound);
        Part { used, bound }
    }

    fn before(&self, then: TokenStream) -> TokenStream {
        match &self.bound {
            Some(bound) => bound.before(&then),
            None => then,
        }
    }
}

impl Rewrite {
    /// `x[items] = value`.
    pub fn assignment(&mut self, assign: &mut ExprAssign) -> Expr {
        if let Expr::Assign(second) = plain(&assign.right) {
            self.error(messages::chained_assignment(second.eq_token.span));
            return Expr::Verbatim(TokenStream::new());
        }
        let (left, right) = (&mut assign.left, &mut assign.right);
        self.written(left, "set", right)
    }

    /// `x[items] += value`, and so on.
    pub fn operator_assignment(&mut self, binary: &mut ExprBinary) -> Expr {
        let method = assignment_method(&binary.op).expect("the caller has seen it");
        let (left, right) = (&mut binary.left, &mut binary.right);
        self.written(left, method, right)
    }

    fn written(&mut self, slice: &mut Expr, operator: &str, value: &mut Expr) -> Expr {
        let root = root(slice, self);
        let (array, group) = self.slice(slice).expect("the caller has seen it");
        // What may be evaluated before or after the borrow of a plain place, without a difference.
        let is_plain = is_plain_place(array);
        let is_inert = match plain(value) {
            Expr::Lit(_) => true,
            Expr::Path(_) => is_plain && words(plain(value)) != root,
            _ => false,
        };
        let shown = value.to_token_stream();
        let value = self.value(value, &root);
        let view = self.view_mut(array);
        let (constant, spec) = (expand::is_constant(&group.stream()), self.spec(&group));

        let value = Part::new(value, "value", &shown, is_inert);
        let view = Part::new(view, "view", &shown, is_plain);
        let in_place = operator == "set" || is_inert || constant;
        let spec = Part::new(spec, "spec", &group.to_token_stream(), in_place);
        let arguments = [&spec.used, &view.used, &value.used];
        let call = self.krate.write(operator, arguments, &group);
        Expr::Verbatim(if operator == "set" {
            value.before(view.before(spec.before(call)))
        } else {
            view.before(spec.before(value.before(call)))
        })
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

    /// What is written: something with a name is read where it is, and what would be read while it is written is copied.
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
        // A slice of another array does not need a copy, even if its bounds read the target.
        let same = same && (!self.is_slice(value) || root(value, self) == target);
        if let Some((operand, group)) = self.slice(value) {
            let view = self.read(operand, &group);
            return if same {
                Crate::owned(&view, &group)
            } else {
                view
            };
        }
        if same && words(plain(value)) == target {
            return Crate::copy(plain(value));
        }
        let named = is_place(value);
        self.visit_expr_mut(value);
        if named && !(same && matches!(plain(value), Expr::Index(_))) {
            self.krate.named_value(value)
        } else if same {
            self.krate.detached(value)
        } else {
            plain(value).to_token_stream()
        }
    }

    /// Whether there are slices among several targets.
    pub fn refuse_targets(&mut self, target: &Expr) -> bool {
        let targets = match target {
            Expr::Tuple(tuple) => &tuple.elems,
            Expr::Array(array) => &array.elems,
            _ => return false,
        };
        let mut any = false;
        for target in targets {
            if self.is_slice(target) {
                self.error(messages::slice_in_a_pattern(target.span()));
                any = true;
            }
            any |= self.refuse_targets(target);
        }
        any
    }
}

/// A variable, or a field or an element of one: whether it is evaluated early or late makes no difference.
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
