//! Implements the macro `py!`. Its input is Rust code that can contain slices of the form `operand[items]`, with
//! Python's slice syntax in the brackets.
//!
//! [`brackets`] replaces each slice in the tokens with a placeholder name, so that syn can parse the tokens. [`visit`]
//! traverses the expressions, and replaces each slice with a call. In arithmetic that contains slices, it also replaces
//! the other operands with calls. [`write`](mod@write) replaces assignments, and [`expand`](mod@expand) generates the
//! calls. All other tokens stay unchanged, and keep their spans.

mod bounds;
mod brackets;
mod compare;
mod expand;
mod forms;
mod functions;
mod indexed;
mod messages;
mod numpy;
mod operands;
mod python;
mod rewrite;
mod variables;
mod views;
mod visit;
mod write;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::parse::Parser;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Stmt};

use self::brackets::Slices;
use self::forms::assignment_operator;
use self::rewrite::Rewrite;
use crate::fragments::Context;
use crate::split::split_items;
use crate::tokens::is_word;
use crate::writer::{self, Krate};
use crate::{comments, emit};

/// Returns the expansion of `py!`: one expression, which is a block if the input consists of statements.
pub fn expand(krate: Krate, input: Vec<TokenTree>) -> TokenStream {
    let divisions = comments::mistakes(&input, Context::Code);
    if !divisions.is_empty() {
        let errors = emit::compile_errors(&divisions);
        return quote_spanned!(Span::mixed_site()=> { #errors });
    }
    let mut slices = Slices::default();
    let tokens = writer::stream(slices.take_out(input, Context::Code));
    let mut statements = match parse(&tokens) {
        Ok(statements) => statements,
        Err(error) => {
            let error = python::syntax(&error, slices.put_back(tokens)).into_compile_error();
            let mistakes = slices.groups().map(|group| {
                let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
                crate::expand::mistakes(split_items(&tokens))
            });
            return quote_spanned!(Span::mixed_site()=> { #(#mistakes)* #error });
        }
    };
    let mut rewrite = Rewrite::new(krate, slices);
    for statement in &mut statements {
        rewrite.visit_stmt_mut(statement);
    }
    rewrite.finish(match statements.as_slice() {
        [Stmt::Expr(expression, None)] => expression.to_token_stream(),
        _ => quote_spanned!(Span::mixed_site()=> { #(#statements)* }),
    })
}

/// Parses the input of `py!`. An expression is a single statement without a semicolon. A block at the beginning is an operand
/// if it has a value, and otherwise a statement of its own, as in `for i in 0..2 {} -3`.
fn parse(tokens: &TokenStream) -> syn::Result<Vec<Stmt>> {
    let statements = Block::parse_within.parse2(tokens.clone());
    match statements.as_deref() {
        Ok([Stmt::Expr(_, None)]) => return statements,
        Ok([first, ..]) if is_without_value(first) => return statements,
        _ => {}
    }
    let is_let = |first| is_word(&first, "let");
    match syn::parse2(tokens.clone()) {
        Ok(expression) if !tokens.clone().into_iter().next().is_some_and(is_let) => {
            Ok(vec![Stmt::Expr(expression, None)])
        }
        _ => statements,
    }
}

/// Returns whether a statement has no value.
fn is_without_value(statement: &Stmt) -> bool {
    match statement {
        Stmt::Expr(expression, None) => is_unit(expression),
        Stmt::Macro(call) => call.semi_token.is_some(),
        _ => true,
    }
}

/// Returns whether an expression is a block or a loop whose value is `()`.
fn is_unit(expression: &Expr) -> bool {
    match expression {
        Expr::ForLoop(_) | Expr::While(_) | Expr::Assign(_) => true,
        Expr::If(branches) => {
            ends_without_value(&branches.then_branch)
                || match &branches.else_branch {
                    Some((_, otherwise)) => is_unit(otherwise),
                    None => true,
                }
        }
        Expr::Block(block) => ends_without_value(&block.block),
        Expr::Unsafe(block) => ends_without_value(&block.block),
        Expr::Match(choice) => choice.arms.iter().any(|arm| is_unit(&arm.body)),
        Expr::Binary(binary) => assignment_operator(&binary.op).is_some(),
        _ => false,
    }
}

fn ends_without_value(block: &Block) -> bool {
    block.stmts.last().is_none_or(is_without_value)
}
