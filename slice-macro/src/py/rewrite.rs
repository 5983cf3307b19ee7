//! Goes through the expressions: slices, and the operands beside them.

use std::mem;

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Error, Expr, ExprMatch, Local, Macro, Pat, Stmt, Token, UnOp};

use super::attributes::{attributes, with_attributes};
use super::brackets::Slices;
use super::expand;
use super::forms::{
    assignment_method, comparison, is_arithmetic, is_place, is_plain_place, is_reading, is_sign,
    is_unit, is_writing, plain, plain_mut,
};
use super::index::{Item, item};
use crate::fragments::Among;
use crate::writer::{self, Krate};

/// Macros that read slices themselves.
const OWN: [&str; 3] = ["s", "py", "named"];

/// Macros that only read their arguments.
const READING: [&str; 13] = [
    "array",
    "assert",
    "assert_eq",
    "assert_ne",
    "dbg",
    "debug_assert",
    "eprintln",
    "format",
    "panic",
    "print",
    "println",
    "unreachable",
    "vec",
];

pub struct Rewrite {
    pub krate: Krate,
    pub slices: Slices,
    /// Slices that are still marked.
    pub marked: usize,
    /// Whether the operands are elements and what stands beside them, so that the result is a number.
    pub numbers: bool,
    /// Whether all operands but single items are Rust's, because there is no slice among them.
    pub rust: bool,
    /// Whether what is visited next may be written, as far as its parts are.
    place: bool,
    errors: Vec<Error>,
}

impl Rewrite {
    pub fn new(krate: Krate, slices: Slices) -> Self {
        Rewrite {
            krate,
            marked: slices.len(),
            slices,
            numbers: false,
            rust: false,
            place: false,
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
        let span = Span::mixed_site();
        let errors = self.errors.into_iter().map(Error::into_compile_error);
        quote_spanned!(span=> { #(#errors)* #out })
    }

    /// What `expression` is a slice of, and the number of the slice.
    pub fn slice<'e>(&self, expression: &'e mut Expr) -> Option<(&'e mut Expr, usize)> {
        self.slices.find_mut(plain_mut(expression))
    }

    pub fn is_slice(&self, expression: &Expr) -> bool {
        self.slices.find(plain(expression)).is_some()
    }

    /// Whether it is an operator's result with a slice among the operands.
    pub fn has_slice(&self, expression: &Expr) -> bool {
        match plain(expression) {
            Expr::Binary(binary) if is_arithmetic(&binary.op) => {
                self.has_slice(&binary.left) || self.has_slice(&binary.right)
            }
            Expr::Unary(unary) if is_sign(&unary.op) => self.has_slice(&unary.expr),
            Expr::If(branches) => self.ends_in_a_slice(&branches.then_branch),
            Expr::Match(choice) => self.chooses_a_slice(choice),
            Expr::Binary(_) => self.is_comparison(expression),
            expression => self.is_slice(expression),
        }
    }

    /// Whether the value of a block is a slice.
    fn ends_in_a_slice(&self, block: &Block) -> bool {
        matches!(block.stmts.last(), Some(Stmt::Expr(last, None)) if self.has_view(last))
    }

    /// Whether the value of a `match` is a slice.
    fn chooses_a_slice(&self, choice: &ExprMatch) -> bool {
        choice.arms.iter().any(|arm| match &*arm.body {
            Expr::Block(block) => self.ends_in_a_slice(&block.block),
            body => self.has_view(body),
        })
    }

    /// Whether a number or a row is an operand.
    pub fn has_item(&self, expression: &Expr) -> bool {
        match plain(expression) {
            Expr::Binary(binary) if is_arithmetic(&binary.op) => {
                self.has_item(&binary.left) || self.has_item(&binary.right)
            }
            Expr::Unary(unary) if is_sign(&unary.op) => self.has_item(&unary.expr),
            expression => self.is_item(expression),
        }
    }

    /// Whether it is `x[i]`, and no slice.
    fn is_written_item(&self, expression: &Expr) -> bool {
        match expression {
            Expr::Index(index) => !self.is_slice(expression) && item(index).is_some(),
            _ => false,
        }
    }

    /// Whether it is a slice that is not an element, or an operator's result with one among the operands.
    pub fn has_view(&self, expression: &Expr) -> bool {
        match plain(expression) {
            Expr::Binary(binary) if is_arithmetic(&binary.op) => {
                self.has_view(&binary.left) || self.has_view(&binary.right)
            }
            Expr::Unary(unary) if is_sign(&unary.op) => self.has_view(&unary.expr),
            Expr::If(branches) => self.ends_in_a_slice(&branches.then_branch),
            Expr::Match(choice) => self.chooses_a_slice(choice),
            Expr::Binary(_) => self.is_comparison(expression),
            expression => {
                let slice = self.slices.find(expression);
                slice.is_some_and(|(_, slice)| !self.slices.is_element(slice))
            }
        }
    }

    /// A slice as a value: the element, if indices select one.
    fn selected(&mut self, operand: &mut Expr, slice: usize) -> Expr {
        let is_element = self.slices.is_element(slice);
        let view = self.view(operand, slice);
        if !is_element {
            return view;
        }
        let krate = self.krate.shown_at(self.slices.group_of(slice).span());
        expand::verbatim(expand::element(&krate, expand::tokens(&view), "value"))
    }

    /// Goes through an expression that may be written.
    pub fn visit_place(&mut self, expression: &mut Expr, place: bool) {
        self.place = place;
        self.visit_expr_mut(expression);
        self.place = false;
    }

    /// Goes through the parts of an expression, of which some are written if it is.
    fn visit_parts(&mut self, expression: &mut Expr, place: bool) {
        match expression {
            Expr::Assign(assign) => {
                self.visit_place(&mut assign.left, true);
                self.visit_expr_mut(&mut assign.right);
            }
            Expr::Call(call) => {
                self.visit_place(&mut call.func, true);
                call.args
                    .iter_mut()
                    .for_each(|argument| self.visit_expr_mut(argument));
            }
            Expr::Field(field) => self.visit_place(&mut field.base, place),
            Expr::Group(group) => self.visit_place(&mut group.expr, place),
            Expr::Let(condition) => self.visit_place(&mut condition.expr, true),
            Expr::Match(choice) => {
                self.visit_place(&mut choice.expr, true);
                choice
                    .arms
                    .iter_mut()
                    .for_each(|arm| self.visit_arm_mut(arm));
            }
            Expr::MethodCall(call) => {
                self.visit_place(&mut call.receiver, !is_reading(&call.method));
                call.args
                    .iter_mut()
                    .for_each(|argument| self.visit_expr_mut(argument));
            }
            Expr::Paren(paren) => self.visit_place(&mut paren.expr, place),
            Expr::Reference(reference) => {
                self.visit_place(&mut reference.expr, reference.mutability.is_some());
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                self.visit_place(&mut unary.expr, place);
            }
            _ => visit_mut::visit_expr_mut(self, expression),
        }
    }

    /// A slice that may outlive the statement.
    pub fn view(&mut self, operand: &mut Expr, slice: usize) -> Expr {
        if self.slices.has_list(slice) {
            // It is an array of its own.
            return expand::verbatim(self.read(operand, slice).1);
        }
        self.visit_expr_mut(operand);
        let (krate, spec) = self.spec(slice);
        let start = if is_place(operand) {
            expand::sliced_place(&self.krate, operand)
        } else {
            expand::value(&self.krate, operand)
        };
        expand::verbatim(expand::method(start, "at", [spec], krate.place))
    }

    /// A slice that is read within the statement, and so are those that it is a slice of.
    pub fn read(&mut self, operand: &mut Expr, slice: usize) -> (Krate, Vec<TokenTree>) {
        match self.slice(operand) {
            Some((inner, outer)) => *operand = expand::verbatim(self.read(inner, outer).1),
            None => self.visit_expr_mut(operand),
        }
        let function = if self.slices.has_list(slice) {
            "copied"
        } else {
            "read"
        };
        let (krate, spec) = self.spec(slice);
        let operand = if is_place(operand) {
            plain(operand)
        } else {
            operand
        };
        let read = expand::call(&krate, function, [expand::reference(operand), spec]);
        (krate, read)
    }
}

/// Whether there are brackets in tokens, which can be those of an item.
fn has_brackets(tokens: &[TokenTree]) -> bool {
    tokens.iter().any(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => true,
        TokenTree::Group(group) => {
            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
            has_brackets(&inside)
        }
        _ => false,
    })
}

impl VisitMut for Rewrite {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        let place = mem::take(&mut self.place);
        if self.slices.find(expression).is_some() {
            let attributes = attributes(expression).map(mem::take).unwrap_or_default();
            let (operand, slice) = self.slices.find_mut(expression).expect("it is a slice");
            let selected = self.selected(operand, slice);
            *expression = with_attributes(&attributes, selected);
            return;
        }
        if self.refuse_numpy(expression) {
            return;
        }
        if let Expr::MethodCall(call) = expression
            && is_reading(&call.method)
            && self.is_item(&call.receiver)
        {
            *call.receiver = expand::verbatim(self.item(&mut call.receiver, "receiver"));
            return call
                .args
                .iter_mut()
                .for_each(|argument| self.visit_expr_mut(argument));
        }
        if let Some(whole) = self.place_from_the_end(expression) {
            *expression = whole;
            return;
        }
        match expression {
            Expr::Assign(assign) if self.is_slice(&assign.left) => {
                *expression = self.assignment(assign);
            }
            Expr::Assign(assign) if self.is_written_item(&assign.left) => {
                let operator = assign.eq_token.to_token_stream();
                match self.written_item(&mut assign.left, operator, &mut assign.right) {
                    Some(written) => *expression = written,
                    None => *expression = self.checked_assignment(assign),
                }
            }
            Expr::Assign(assign) if self.refuse_targets(&assign.left) => {
                *expression = Expr::Verbatim(TokenStream::new());
            }
            Expr::Binary(binary) if assignment_method(&binary.op).is_some() => {
                if self.is_slice(&binary.left) {
                    *expression = self.operator_assignment(binary);
                } else if self.is_written_item(&binary.left)
                    && let operator = binary.op.to_token_stream()
                    && let Some(written) =
                        self.written_item(&mut binary.left, operator, &mut binary.right)
                {
                    *expression = written;
                } else if self.has_slice(&binary.right) {
                    *expression = self.named_assignment(binary);
                } else {
                    self.visit_place(&mut binary.left, true);
                    self.visit_expr_mut(&mut binary.right);
                }
            }
            Expr::Binary(binary) if is_arithmetic(&binary.op) && self.has_slice(expression) => {
                *expression = expand::verbatim(self.result(expression));
            }
            Expr::Unary(unary) if is_sign(&unary.op) && self.has_slice(expression) => {
                *expression = expand::verbatim(self.result(expression));
            }
            Expr::Binary(binary) if is_arithmetic(&binary.op) && self.has_item(expression) => {
                *expression = self.item_arithmetic(expression);
            }
            Expr::Unary(unary) if is_sign(&unary.op) && self.is_item(&unary.expr) => {
                *expression = self.item_arithmetic(expression);
            }
            Expr::MethodCall(call) if is_writing(&call.method) && self.is_slice(&call.receiver) => {
                let (operand, slice) = self.slice(&mut call.receiver).expect("it is a slice");
                *call.receiver = if is_plain_place(operand) {
                    expand::verbatim(self.mutable(operand, slice))
                } else {
                    self.view(operand, slice)
                };
                call.args
                    .iter_mut()
                    .for_each(|argument| self.visit_expr_mut(argument));
            }
            Expr::Binary(binary) if comparison(&binary.op).is_some() => {
                match self.comparison(binary) {
                    Some(compared) => *expression = compared,
                    None => visit_mut::visit_expr_mut(self, expression),
                }
            }
            Expr::Reference(reference) if reference.mutability.is_some() => {
                if self.is_slice(&reference.expr) {
                    self.refuse_attributes(&mut reference.expr);
                }
                match self.slice(&mut reference.expr) {
                    Some((operand, slice)) => {
                        *reference.expr = expand::verbatim(self.mutable(operand, slice));
                    }
                    None => self.visit_parts(expression, place),
                }
            }
            // `x[i, j][()]`, the element of a view of rank 0.
            Expr::Index(index) if is_unit(&index.index) && self.is_slice(&index.expr) => {
                let (operand, slice) = self.slice(&mut index.expr).expect("it is a slice");
                *index.expr = self.view(operand, slice);
            }
            Expr::Index(index) if item(index) == Some(Item::Negative) => {
                *expression = expand::verbatim(self.item(expression, "value"));
            }
            Expr::Index(index) => {
                // The parentheses tell a path from a slice, and would be one pair too many for the compiler.
                if let Expr::Paren(paren) = &mut *index.index
                    && let Expr::Path(_) = &*paren.expr
                {
                    *index.index = mem::replace(&mut *paren.expr, Expr::PLACEHOLDER);
                }
                self.visit_place(&mut index.expr, place);
                self.visit_expr_mut(&mut index.index);
                if !place {
                    self.check_position(index);
                }
            }
            _ => self.visit_parts(expression, place),
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
            *init.expr = expand::verbatim(expand::unpacked(&self.krate, &init.expr));
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
        let tokens: Vec<TokenTree> = call.tokens.clone().into_iter().collect();
        let has_brackets = has_brackets(&tokens);
        let Some((tokens, found)) = self
            .slices_of(tokens.clone(), Among::Code)
            .or(has_brackets.then_some((tokens, 0)))
        else {
            return;
        };
        let tokens = writer::stream(tokens);
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
            let is_writing = !READING.iter().any(|name| call.path.is_ident(name));
            arguments
                .iter_mut()
                .for_each(|argument| self.visit_place(argument, is_writing));
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
