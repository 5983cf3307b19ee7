//! `py!`: Rust in which `operand[items]`, with Python's slice syntax in the brackets, is a slice.
//!
//! [`brackets`] takes the slices out of the tokens, so that syn can read the rest; [`rewrite`] goes through the
//! expressions and replaces the slices, and operands beside them, with calls; [`write`](self::write) does the
//! same for assignments; [`expand`] is what they write. Everything else stays as it was written, with its spans.

mod brackets;
mod expand;
mod forms;
mod messages;
mod rewrite;
mod write;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::parse::Parser;
use syn::{Block, Expr, Stmt};

use self::brackets::Slices;
use self::rewrite::Rewrite;
use crate::tokens::is_punct;

/// The expansion of `py!`: one expression, which is a block if there are several statements.
pub fn expand(krate: TokenStream, input: TokenStream) -> TokenStream {
    let mut slices = Slices::default();
    let tokens = slices.take_out(input.clone());
    let body = match Body::parse(tokens) {
        Ok(body) => body,
        Err(error) => return nothing(messages::syntax(&error, &input), &slices),
    };
    let mut rewrite = Rewrite::new(krate, slices);
    let out = body.rewritten(&mut rewrite);
    rewrite.finish(out)
}

/// What `py!` was given.
enum Body {
    Expression(Expr),
    Statements(Vec<Stmt>),
}

impl Body {
    fn parse(tokens: TokenStream) -> syn::Result<Self> {
        let statements = tokens.clone().into_iter().any(|token| {
            is_punct(&token, ';') || matches!(&token, TokenTree::Ident(word) if *word == "let")
        });
        if !statements && let Ok(expression) = syn::parse2(tokens.clone()) {
            return Ok(Self::Expression(expression));
        }
        Block::parse_within.parse2(tokens).map(Self::Statements)
    }

    fn rewritten(self, rewrite: &mut Rewrite) -> TokenStream {
        match self {
            Self::Expression(mut expression) => {
                rewrite.expression(&mut expression);
                expression.into_token_stream()
            }
            Self::Statements(mut statements) => {
                rewrite.statements(&mut statements);
                let span = Span::mixed_site();
                quote_spanned!(span=> { #(#statements)* })
            }
        }
    }
}

/// Only errors: this one, and every mistake in the slices.
fn nothing(error: syn::Error, slices: &Slices) -> TokenStream {
    let error = error.into_compile_error();
    let mistakes = slices.iter().map(|group| crate::mistakes(group.stream()));
    quote_spanned!(Span::mixed_site()=> { #(#mistakes)* #error ::core::unreachable!() })
}
