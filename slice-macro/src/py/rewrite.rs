//! Goes through the expressions: slices, and the operands beside them.

use std::mem;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Error, Expr, Local, Macro, Pat, Stmt, Token, UnOp};

use super::brackets::Slices;
use super::expand::{self, Crate};
use super::forms::{assignment_method, is_arithmetic, is_place, is_sign, may_be_a_view, plain};
use super::messages;
use crate::tokens::is_punct;

/// Macros that read slices themselves.
const OWN: [&str; 3] = ["s", "py", "named"];

pub struct Rewrite {
    pub krate: Crate,
    pub slices: Slices,
    /// Slices that are still marked.
    marked: usize,
    errors: Vec<Error>,
}

impl Rewrite {
    pub fn new(krate: TokenStream, slices: Slices) -> Self {
        Rewrite {
            krate: Crate::new(krate),
            marked: slices.len(),
            slices,
            errors: Vec::new(),
        }
    }

    pub fn expression(&mut self, expression: &mut Expr) {
        self.visit_expr_mut(expression);
    }

    pub fn statements(&mut self, statements: &mut [Stmt]) {
        statements
            .iter_mut()
            .for_each(|statement| self.visit_stmt_mut(statement));
    }

    pub fn error(&mut self, error: Error) {
        self.errors.push(error);
    }

    /// The tokens that were written, with what was not a slice put back, and all errors.
    pub fn finish(self, mut out: TokenStream) -> TokenStream {
        if self.marked > 0 {
            out = self.slices.put_back(out);
        }
        if self.errors.is_empty() {
            return out;
        }
        let span = proc_macro2::Span::mixed_site();
        let errors = self.errors.into_iter().map(Error::into_compile_error);
        quote_spanned!(span=> { #(#errors)* #out })
    }

    /// The slice that `expression` is, and what it is a slice of.
    pub fn slice<'e>(&self, expression: &'e mut Expr) -> Option<(&'e mut Expr, Group)> {
        match expression {
            Expr::Index(index) => {
                let group = self.slices.find(&index.index)?.clone();
                Some((&mut index.expr, group))
            }
            Expr::Paren(paren) => self.slice(&mut paren.expr),
            Expr::Group(group) => self.slice(&mut group.expr),
            _ => None,
        }
    }

    pub fn is_slice(&self, expression: &Expr) -> bool {
        match plain(expression) {
            Expr::Index(index) => self.slices.find(&index.index).is_some(),
            _ => false,
        }
    }

    /// Whether it is an operator's result with a slice among the operands.
    pub fn has_slice(&self, expression: &Expr) -> bool {
        match plain(expression) {
            Expr::Binary(binary) if is_arithmetic(&binary.op) => {
                self.has_slice(&binary.left) || self.has_slice(&binary.right)
            }
            Expr::Unary(unary) if is_sign(&unary.op) => self.has_slice(&unary.expr),
            expression => self.is_slice(expression),
        }
    }

    /// A slice that may outlive the statement.
    pub fn view(&mut self, operand: &mut Expr, group: &Group) -> Expr {
        self.visit_expr_mut(operand);
        let spec = self.spec(group);
        let is_place = is_place(operand);
        Expr::Verbatim(self.krate.view(operand, is_place, &spec, group))
    }

    /// A slice that is read within the statement, and so are those that it is a slice of.
    pub fn read(&mut self, operand: &mut Expr, group: &Group) -> TokenStream {
        match self.slice(operand) {
            Some((inner, outer)) => *operand = Expr::Verbatim(self.read(inner, &outer)),
            None => self.visit_expr_mut(operand),
        }
        let spec = self.spec(group);
        self.krate.read(operand, &spec, group)
    }

    /// What `s![items]` expands to.
    pub fn spec(&mut self, group: &Group) -> TokenStream {
        self.marked -= 1;
        let items = self.items(group.stream());
        self.krate.spec(items, group.span())
    }

    /// The items of a slice, with slices in its bounds rewritten.
    fn items(&mut self, items: TokenStream) -> TokenStream {
        let (before, macros) = (self.slices.len(), self.slices.macros);
        self.slices.macros = false;
        let tokens = self.slices.take_out(items.clone());
        let found = self.slices.len() - before;
        let any = found > 0 || self.slices.macros;
        self.slices.macros = macros;
        if !any {
            return items;
        }
        self.marked += found;
        let mut out = TokenStream::new();
        let mut bound = Vec::new();
        for token in tokens {
            if is_punct(&token, ',') || is_punct(&token, ':') {
                out.extend(self.bound(mem::take(&mut bound)));
                out.extend([token]);
            } else {
                bound.push(token);
            }
        }
        out.extend(self.bound(bound));
        out
    }

    /// A bound, in parentheses if there was a slice in it, because an expansion is full of paths.
    fn bound(&mut self, tokens: Vec<TokenTree>) -> TokenStream {
        let tokens: TokenStream = tokens.into_iter().collect();
        let marked = self.marked;
        let Ok(mut expression) = syn::parse2::<Expr>(tokens.clone()) else {
            return tokens;
        };
        self.visit_expr_mut(&mut expression);
        if self.marked == marked {
            return expression.into_token_stream();
        }
        let tokens = expression.into_token_stream();
        TokenTree::Group(Group::new(Delimiter::Parenthesis, tokens)).into()
    }

    /// An operand of an operator that has slices among its operands.
    pub fn operand(&mut self, expression: &mut Expr) {
        if let Some((operand, group)) = self.slice(expression) {
            let read = self.read(operand, &group);
            *expression = Expr::Verbatim(expand::borrowed(&read, &group));
            return;
        }
        match expression {
            Expr::Paren(paren) => self.operand(&mut paren.expr),
            Expr::Group(group) => self.operand(&mut group.expr),
            Expr::Binary(binary) if is_arithmetic(&binary.op) => {
                self.operand(&mut binary.left);
                self.refuse_power(&binary.op, &mut binary.right);
                self.operand(&mut binary.right);
            }
            Expr::Unary(unary) if is_sign(&unary.op) => self.operand(&mut unary.expr),
            _ => {
                self.visit_expr_mut(expression);
                if is_place(expression) {
                    *expression = Expr::Verbatim(self.krate.named_operand(expression));
                } else if may_be_a_view(expression) {
                    *expression = Expr::Verbatim(self.krate.operand(expression));
                }
            }
        }
    }

    /// `a ** 2`, which for Rust dereferences a number.
    fn refuse_power(&mut self, operator: &BinOp, right: &mut Expr) {
        if let (BinOp::Mul(star), Expr::Unary(unary)) = (operator, &mut *right)
            && let UnOp::Deref(_) = unary.op
            && let Expr::Lit(_) = plain(&unary.expr)
        {
            let number = mem::replace(&mut *unary.expr, Expr::PLACEHOLDER);
            self.error(messages::power(star.span));
            *right = number;
        }
    }
}

impl VisitMut for Rewrite {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if let Expr::Index(_) = expression
            && let Some((operand, group)) = self.slice(expression)
        {
            *expression = self.view(operand, &group);
            return;
        }
        match expression {
            Expr::Assign(assign) if self.is_slice(&assign.left) => {
                *expression = self.assignment(assign);
            }
            Expr::Assign(assign) if self.refuse_targets(&assign.left) => {
                *expression = Expr::Verbatim(TokenStream::new());
            }
            Expr::Binary(binary) if assignment_method(&binary.op).is_some() => {
                if self.is_slice(&binary.left) {
                    *expression = self.operator_assignment(binary);
                } else if self.has_slice(&binary.right) {
                    self.visit_expr_mut(&mut binary.left);
                    let mut right = mem::replace(&mut *binary.right, Expr::PLACEHOLDER);
                    let slice = self.is_slice(&right);
                    self.operand(&mut right);
                    *binary.right = if slice {
                        right
                    } else {
                        let span = proc_macro2::Span::mixed_site();
                        Expr::Verbatim(quote_spanned!(span=> &(#right)))
                    };
                } else {
                    visit_mut::visit_expr_mut(self, expression);
                }
            }
            Expr::Binary(binary) if is_arithmetic(&binary.op) && self.has_slice(expression) => {
                self.operand(expression);
            }
            Expr::Unary(unary) if is_sign(&unary.op) && self.has_slice(expression) => {
                self.operand(expression);
            }
            Expr::Reference(reference) if reference.mutability.is_some() => {
                match self.slice(&mut reference.expr) {
                    Some((operand, group)) => {
                        let view = self.mutable(operand, &group);
                        *reference.expr = Expr::Verbatim(view);
                    }
                    None => visit_mut::visit_expr_mut(self, expression),
                }
            }
            Expr::Index(index) => {
                // The parentheses tell a path from a slice, and would be one pair too many for the compiler.
                if let Expr::Paren(paren) = &mut *index.index
                    && let Expr::Path(_) = &*paren.expr
                {
                    *index.index = mem::replace(&mut *paren.expr, Expr::PLACEHOLDER);
                }
                visit_mut::visit_expr_mut(self, expression);
            }
            _ => visit_mut::visit_expr_mut(self, expression),
        }
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        let unpacks = matches!(local.pat, Pat::Slice(_))
            && local
                .init
                .as_ref()
                .is_some_and(|init| self.is_slice(&init.expr));
        visit_mut::visit_local_mut(self, local);
        if unpacks && let Some(init) = &mut local.init {
            *init.expr = Expr::Verbatim(self.krate.unpacked(&init.expr));
        }
    }

    /// The arguments of macros that take expressions; those of any other are the macro's own.
    fn visit_macro_mut(&mut self, call: &mut Macro) {
        if call
            .path
            .segments
            .last()
            .is_some_and(|last| OWN.iter().any(|own| last.ident == own))
        {
            return;
        }
        let mut slices = Slices::default();
        slices.take_out(call.tokens.clone());
        if slices.len() == 0 && !slices.macros {
            return;
        }
        let before = self.slices.len();
        let tokens = self.slices.take_out(call.tokens.clone());
        let found = self.slices.len() - before;
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        let repeat = |input: syn::parse::ParseStream<'_>| {
            Ok((
                input.parse::<Expr>()?,
                input.parse::<Token![;]>()?,
                input.parse::<Expr>()?,
            ))
        };
        if let Ok(mut arguments) = list.parse2(tokens.clone()) {
            self.marked += found;
            arguments
                .iter_mut()
                .for_each(|argument| self.visit_expr_mut(argument));
            call.tokens = arguments.into_token_stream();
        } else if let Ok((mut element, semicolon, mut length)) = repeat.parse2(tokens) {
            self.marked += found;
            self.visit_expr_mut(&mut element);
            self.visit_expr_mut(&mut length);
            call.tokens = element.into_token_stream();
            semicolon.to_tokens(&mut call.tokens);
            length.to_tokens(&mut call.tokens);
        }
    }
}
