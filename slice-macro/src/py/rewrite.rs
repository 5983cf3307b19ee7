//! Goes through the expressions: slices, and the operands beside them.

use std::mem;

use proc_macro2::{Delimiter, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, BinOp, Block, Error, Expr, ExprBinary, Local, Macro, Pat, Stmt, Token, UnOp};

use super::brackets::Slices;
use super::expand;
use super::forms::{
    arithmetic_sign, assignment_method, comparison, is_arithmetic, is_literal, is_place, is_sign,
    is_unit, is_writing, may_be_a_view, plain, plain_mut, sign,
};
use super::items::{Item, is_negative, item};
use super::messages;
use super::write::is_plain_place;
use crate::fragments::Among;
use crate::split::{RawItem, split_items};
use crate::tokens::is_punct;
use crate::writer::{self, Krate, Writer};

/// Macros that read slices themselves.
const OWN: [&str; 3] = ["s", "py", "named"];

pub struct Rewrite {
    pub krate: Krate,
    pub slices: Slices,
    /// Slices that are still marked.
    marked: usize,
    /// Whether the operands are elements and what stands beside them, so that the result is a number.
    numbers: bool,
    /// Whether all operands but single items are Rust's, because there is no slice among them.
    rust: bool,
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
            expression => self.is_slice(expression),
        }
    }

    /// Arithmetic of single items, and of what Rust has.
    fn item_arithmetic(&mut self, expression: &mut Expr) -> Expr {
        let modes = (
            mem::take(&mut self.numbers),
            mem::replace(&mut self.rust, true),
        );
        let out = self.operand(expression);
        (self.numbers, self.rust) = modes;
        expand::verbatim(out)
    }

    /// Whether the value of a block is a slice.
    fn ends_in_a_slice(&self, block: &Block) -> bool {
        matches!(block.stmts.last(), Some(Stmt::Expr(last, None)) if self.has_view(last))
    }

    /// Whether a number or a row is an operand.
    fn has_item(&self, expression: &Expr) -> bool {
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

    /// A comparison with a slice on one side: of elements, with an array of `bool` as the result.
    fn comparison(&mut self, binary: &mut ExprBinary) -> Option<Expr> {
        let [function, exchanged] = comparison(&binary.op)?;
        self.refuse_attributes(&mut binary.left);
        self.refuse_attributes(&mut binary.right);
        let (function, array, other) = if self.has_view(&binary.left) {
            (function, &mut binary.left, &mut binary.right)
        } else if self.has_view(&binary.right) {
            (exchanged, &mut binary.right, &mut binary.left)
        } else {
            return None;
        };
        // As in Rust: of two arrays `==` asks one question.
        if let (Expr::Reference(_), BinOp::Eq(_) | BinOp::Ne(_)) = (plain(other), &binary.op) {
            return None;
        }
        let krate = self.krate.shown_at(binary.op.span());
        let is_slice = self.is_slice(array);
        let mut array = self.operand(array);
        if !is_slice {
            let mut reference = Writer::new(Span::mixed_site());
            reference.sign('&');
            reference.parentheses(array);
            array = reference.tokens();
        }
        let other = self.comparand(other);
        Some(expand::verbatim(expand::call(
            &krate,
            function,
            [array, other],
        )))
    }

    /// What an array is compared with.
    pub fn comparand(&mut self, expression: &mut Expr) -> Vec<TokenTree> {
        if self.has_view(expression) {
            let is_slice = self.is_slice(expression);
            let array = self.operand(expression);
            if is_slice {
                return array;
            }
            let mut reference = Writer::new(Span::mixed_site());
            reference.sign('&');
            reference.parentheses(array);
            return reference.tokens();
        }
        if let Some((operand, slice)) = self.slice(expression) {
            let (krate, read) = self.read(operand, slice);
            return expand::element(&krate, read, "compared");
        }
        if self.is_item(expression) {
            return self.item(expression, "compared");
        }
        if is_literal(plain(expression)) {
            return expand::scalar(&self.krate, plain(expression));
        }
        self.visit_expr_mut(expression);
        let place = expand::mixed(expand::span(expression));
        let start = if is_place(expression) {
            expand::place(&self.krate, expression)
        } else {
            expand::value(&self.krate, expression)
        };
        expand::method(start, "compared", [], place)
    }

    /// A slice that may outlive the statement.
    pub fn view(&mut self, operand: &mut Expr, slice: usize) -> Expr {
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
        let (krate, spec) = self.spec(slice);
        let operand = if is_place(operand) {
            plain(operand)
        } else {
            operand
        };
        let read = expand::call(&krate, "read", [expand::reference(operand), spec]);
        (krate, read)
    }

    /// What `s![items]` expands to, and the path of the crate, shown where the slice is.
    pub fn spec(&mut self, slice: usize) -> (Krate, Vec<TokenTree>) {
        self.marked -= 1;
        let krate = self.krate.shown_at(self.slices.group_of(slice).span());
        let items = self.items(slice);
        let spec = expand::spec(&krate, items);
        (krate, spec)
    }

    /// The items of a slice, with slices in its bounds rewritten.
    fn items(&mut self, slice: usize) -> Vec<RawItem> {
        let items = self.slices.items_of(slice);
        let has_group = |item: &RawItem| {
            let is_group = |token: &TokenTree| matches!(token, TokenTree::Group(_));
            item.tokens.iter().any(is_group)
        };
        if !items.iter().any(has_group) {
            return items;
        }
        let tokens = self.slices.group_of(slice).stream().into_iter().collect();
        let Some((tokens, found)) = self.slices_of(tokens, Among::Items) else {
            return items;
        };
        self.marked += found;
        let mut out = Vec::new();
        let mut bound = Vec::new();
        for token in tokens {
            if is_punct(&token, ',') || is_punct(&token, ':') {
                out.extend(self.bound(mem::take(&mut bound)));
                out.push(token);
            } else {
                bound.push(token);
            }
        }
        out.extend(self.bound(bound));
        split_items(&out)
    }

    /// Tokens without the slices in them, and the number of these; nothing if there is neither one nor a macro.
    fn slices_of(
        &mut self,
        tokens: Vec<TokenTree>,
        among: Among,
    ) -> Option<(Vec<TokenTree>, usize)> {
        let (before, macros) = (self.slices.len(), mem::take(&mut self.slices.macros));
        let tokens = self.slices.take_out(tokens, among);
        let found = self.slices.len() - before;
        let any = found > 0 || self.slices.macros;
        self.slices.macros = macros;
        any.then_some((tokens, found))
    }

    /// A bound, in parentheses if there was a slice in it, because an expansion is full of paths.
    fn bound(&mut self, tokens: Vec<TokenTree>) -> Vec<TokenTree> {
        let marked = self.marked;
        let Ok(mut expression) = syn::parse2::<Expr>(writer::stream(tokens.clone())) else {
            return tokens;
        };
        self.visit_expr_mut(&mut expression);
        let tokens = expand::tokens(&expression);
        if self.marked == marked {
            return tokens;
        }
        let span = Span::call_site();
        vec![writer::group(Delimiter::Parenthesis, tokens, span).into()]
    }

    /// An operand of an operator that has slices among its operands.
    pub fn operand(&mut self, expression: &mut Expr) -> Vec<TokenTree> {
        let mut out = Vec::with_capacity(16);
        self.write_operand(expression, &mut out);
        out
    }

    /// The same where the result may be a number.
    fn result(&mut self, expression: &mut Expr) -> Vec<TokenTree> {
        let numbers = !self.has_view(expression);
        let before = (
            mem::replace(&mut self.numbers, numbers),
            mem::take(&mut self.rust),
        );
        let out = self.operand(expression);
        (self.numbers, self.rust) = before;
        out
    }

    fn write_operand(&mut self, expression: &mut Expr, out: &mut Vec<TokenTree>) {
        if self.is_slice(expression) {
            write_all_attributes(expression, out);
        }
        if let Some((operand, slice)) = self.slice(expression) {
            let is_number = self.numbers && self.slices.is_element(slice);
            let (krate, read) = self.read(operand, slice);
            if is_number {
                out.extend(expand::element(&krate, read, "operand"));
                return;
            }
            let mut and = Punct::new('&', Spacing::Alone);
            and.set_span(krate.span);
            out.push(and.into());
            out.extend(read);
            return;
        }
        match expression {
            Expr::Paren(paren) => {
                write_attributes(&paren.attrs, out);
                let inside = self.operand(&mut paren.expr);
                let span = paren.paren_token.span.join();
                out.push(writer::group(Delimiter::Parenthesis, inside, span).into());
            }
            Expr::Group(group) => {
                write_attributes(&group.attrs, out);
                let inside = self.operand(&mut group.expr);
                let span = group.group_token.span;
                out.push(writer::group(Delimiter::None, inside, span).into());
            }
            Expr::Binary(binary) if is_arithmetic(&binary.op) => {
                self.refuse_attributes(&mut binary.left);
                self.refuse_attributes(&mut binary.right);
                self.write_operand(&mut binary.left, out);
                write_signs(arithmetic_sign(&binary.op), out);
                self.refuse_power(&binary.op, &mut binary.right);
                self.write_operand(&mut binary.right, out);
            }
            Expr::Unary(unary) if is_sign(&unary.op) => {
                write_attributes(&unary.attrs, out);
                write_signs(sign(&unary.op), out);
                self.refuse_attributes(&mut unary.expr);
                self.write_operand(&mut unary.expr, out);
            }
            _ if self.is_item(expression) => out.extend(self.item(expression, "operand")),
            _ if self.rust => {
                let modes = (mem::take(&mut self.numbers), mem::take(&mut self.rust));
                self.visit_expr_mut(expression);
                (self.numbers, self.rust) = modes;
                out.extend(expand::tokens(expression));
            }
            _ => {
                let modes = (mem::take(&mut self.numbers), mem::take(&mut self.rust));
                self.visit_expr_mut(expression);
                (self.numbers, self.rust) = modes;
                out.extend(if is_place(expression) {
                    expand::named_operand(&self.krate, expression)
                } else if may_be_a_view(expression) {
                    expand::operand(&self.krate, expression)
                } else {
                    expand::tokens(expression)
                });
            }
        }
    }

    /// Refuses the attributes of a part of an expression, as the compiler does.
    pub fn refuse_attributes(&mut self, part: &mut Expr) {
        let attributes = attributes(part).map(mem::take).unwrap_or_default();
        if let Some(first) = attributes.first() {
            self.error(messages::attribute(first));
        }
        match part {
            Expr::Paren(paren) => self.refuse_attributes(&mut paren.expr),
            Expr::Group(group) => self.refuse_attributes(&mut group.expr),
            _ => {}
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

/// The attributes of an expression that can be replaced.
fn attributes(expression: &mut Expr) -> Option<&mut Vec<Attribute>> {
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

/// The attributes of an expression, and of those in the parentheses around which they are.
fn write_all_attributes(expression: &mut Expr, out: &mut Vec<TokenTree>) {
    if let Some(attributes) = attributes(expression) {
        write_attributes(attributes, out);
    }
    match expression {
        Expr::Paren(paren) => write_all_attributes(&mut paren.expr, out),
        Expr::Group(group) => write_all_attributes(&mut group.expr, out),
        _ => {}
    }
}

fn with_attributes(attributes: &[Attribute], expression: Expr) -> Expr {
    if attributes.is_empty() {
        return expression;
    }
    let mut tokens = Vec::new();
    write_attributes(attributes, &mut tokens);
    tokens.extend(expand::into_stream(expression));
    expand::verbatim(tokens)
}

fn write_attributes(attributes: &[Attribute], out: &mut Vec<TokenTree>) {
    for attribute in attributes {
        out.extend(attribute.to_token_stream());
    }
}

fn write_signs(signs: Option<(&str, &[Span])>, out: &mut Vec<TokenTree>) {
    let (signs, spans) = signs.expect("the caller has seen that it is one of these");
    for (at, (sign, span)) in signs.chars().zip(spans).enumerate() {
        let is_last = at + 1 == spans.len();
        let mut sign = Punct::new(
            sign,
            if is_last {
                Spacing::Alone
            } else {
                Spacing::Joint
            },
        );
        sign.set_span(*span);
        out.push(sign.into());
    }
}

impl VisitMut for Rewrite {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if self.slices.find(expression).is_some() {
            let attributes = attributes(expression).map(mem::take).unwrap_or_default();
            let (operand, slice) = self.slices.find_mut(expression).expect("it is a slice");
            let selected = self.selected(operand, slice);
            *expression = with_attributes(&attributes, selected);
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
                    None => visit_mut::visit_expr_mut(self, expression),
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
                    self.visit_expr_mut(&mut binary.left);
                    let mut right = mem::replace(&mut *binary.right, Expr::PLACEHOLDER);
                    self.refuse_attributes(&mut right);
                    let is_slice = self.is_slice(&right);
                    let is_view = self.has_view(&right);
                    let mut right = self.result(&mut right);
                    if !is_slice && !is_view {
                        let right_span = expand::mixed(binary.op.span());
                        let sum = expand::verbatim(right);
                        let value = expand::value(&self.krate.shown_at(right_span), &sum);
                        right = expand::method(value, "addend", [], right_span);
                    } else if !is_slice {
                        let mut reference = Writer::new(Span::mixed_site());
                        reference.sign('&');
                        reference.parentheses(right);
                        right = reference.tokens();
                    }
                    *binary.right = expand::verbatim(right);
                } else {
                    visit_mut::visit_expr_mut(self, expression);
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
            Expr::MethodCall(call) if is_negative(&call.receiver) => {
                call.args
                    .iter_mut()
                    .for_each(|argument| self.visit_expr_mut(argument));
            }
            Expr::Field(field) if is_negative(&field.base) => {}
            Expr::Index(index) if is_negative(&index.expr) => {}
            Expr::Reference(reference)
                if reference.mutability.is_some() && is_negative(&reference.expr) => {}
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
                    None => visit_mut::visit_expr_mut(self, expression),
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
        let tokens = call.tokens.clone().into_iter().collect();
        let Some((tokens, found)) = self.slices_of(tokens, Among::Code) else {
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
