//! Implements the macro `py!`. Its input is Rust code that can contain slices of the form `operand[items]`, with
//! Python's slice syntax in the brackets.
//!
//! [`brackets`] replaces each slice in the tokens with a placeholder name, so that syn can parse the tokens. [`visit`]
//! traverses the expressions, and replaces each slice with a call. In arithmetic that contains slices, it also replaces
//! the other operands with calls. [`write`](mod@write) replaces assignments, and [`expand`](mod@expand) generates the
//! calls. All other tokens stay unchanged, and keep their spans.

mod attributes;
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
mod syntax;
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
use crate::tokens::{is_punct, is_word};
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
    let tokens = slices.take_out(input, Context::Code);
    let mut statements = match parse(&tokens) {
        Ok(statements) => statements,
        Err(error) => {
            let input = slices.put_back(writer::stream(tokens));
            return errors_only(syntax::syntax(&error, input), slices);
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

/// Parses the input of `py!`. An expression is a single statement without a semicolon.
fn parse(tokens: &[TokenTree]) -> syn::Result<Vec<Stmt>> {
    let is_let = tokens.first().is_some_and(|token| is_word(token, "let"));
    let is_statements = is_let || tokens.iter().any(|token| is_punct(token, ';'));
    let tokens = writer::stream(tokens.to_vec());
    if !is_statements
        && let Ok(expression) = syn::parse2(tokens.clone())
        && !begins_with_statement(&expression)
    {
        return Ok(vec![Stmt::Expr(expression, None)]);
    }
    Block::parse_within.parse2(tokens)
}

/// Returns whether an expression begins with a block without a value, as in `for i in 0..2 {} -3`. Such a block is a
/// statement of its own.
fn begins_with_statement(expression: &Expr) -> bool {
    let left = match expression {
        Expr::Binary(binary) => &binary.left,
        Expr::Call(call) => &call.func,
        Expr::Index(index) => &index.expr,
        Expr::MethodCall(call) => &call.receiver,
        Expr::Cast(cast) => &cast.expr,
        _ => return false,
    };
    is_without_value(left) || begins_with_statement(left)
}

/// Returns whether an expression is a block or a loop whose value is `()`.
fn is_without_value(expression: &Expr) -> bool {
    match expression {
        Expr::ForLoop(_) | Expr::While(_) | Expr::Assign(_) => true,
        Expr::If(branches) => {
            ends_without_value(&branches.then_branch)
                || match &branches.else_branch {
                    Some((_, otherwise)) => is_without_value(otherwise),
                    None => true,
                }
        }
        Expr::Block(block) => ends_without_value(&block.block),
        Expr::Unsafe(block) => ends_without_value(&block.block),
        Expr::Match(choice) => choice.arms.iter().any(|arm| is_without_value(&arm.body)),
        Expr::Binary(binary) => assignment_operator(&binary.op).is_some(),
        _ => false,
    }
}

fn ends_without_value(block: &Block) -> bool {
    match block.stmts.last() {
        Some(Stmt::Expr(last, None)) => is_without_value(last),
        Some(Stmt::Macro(last)) => last.semi_token.is_some(),
        _ => true,
    }
}

/// Returns an expansion that only reports `error` and the mistakes in the slices.
fn errors_only(error: syn::Error, slices: Slices) -> TokenStream {
    let error = error.into_compile_error();
    let mistakes = slices
        .into_iter()
        .map(|slice| crate::expand::mistakes(slice.items));
    quote_spanned!(Span::mixed_site()=> { #(#mistakes)* #error })
}
