//! Implements `named!`, which declares slices as constants or statics. The macro adds to each declaration a type that
//! lists the item kinds of the slice.

use std::borrow::Cow;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use crate::fragments::{self, Context};
use crate::messages;
use crate::mistake::Mistakes;
use crate::split::split_items;
use crate::text::text;
use crate::tokens::{is_punct, is_word};
use crate::writer::{self, Krate};
use crate::{check, emit};

/// Returns the declarations with their types. Also returns an error for each declaration that is not of the form
/// `const NAME = s![...];`. `s!` itself reports the mistakes in the slices.
pub fn declarations(krate: &Krate, tokens: &[TokenTree]) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let mut output = TokenStream::new();
    for declaration in tokens.split_inclusive(|token| is_punct(token, ';')) {
        match with_type(krate, declaration) {
            Ok(typed) => output.extend(typed),
            Err(text) => mistakes.report(declaration, text),
        }
    }
    output.extend(emit::compile_errors(&mistakes));
    output
}

/// Adds the type to `const NAME = s![...];`. The declaration still calls `s!`.
fn with_type(krate: &Krate, declaration: &[TokenTree]) -> Result<TokenStream, String> {
    let [declaration @ .., semicolon] = declaration else {
        unreachable!("`split_inclusive` returns no empty parts")
    };
    if !is_punct(semicolon, ';') {
        let all: Vec<TokenTree> = declaration.iter().chain([semicolon]).cloned().collect();
        return Err(match without_const(&all) {
            Some([name, slice]) => messages::named_without_const(&name, &slice),
            None => messages::NAMED_WITHOUT_SEMICOLON.to_owned(),
        });
    }
    if let Some([name, slice]) = without_const(declaration) {
        return Err(messages::named_without_const(&name, &slice));
    }
    let Some(equals) = declaration.iter().position(|token| is_punct(token, '=')) else {
        return Err(messages::NAMED_FORM.to_owned());
    };
    let (name, value) = (&declaration[..equals], &declaration[equals..]);
    let [.., keyword, TokenTree::Ident(_)] = name else {
        return Err(if name.iter().any(|token| is_punct(token, ':')) {
            messages::NAMED_WITH_TYPE.to_owned()
        } else {
            messages::NAMED_FORM.to_owned()
        });
    };
    let [_, _, .., bang, TokenTree::Group(items)] = value else {
        return Err(messages::NAMED_FORM.to_owned());
    };
    if !(is_word(keyword, "const") || is_word(keyword, "static")) || !is_punct(bang, '!') {
        return Err(messages::NAMED_FORM.to_owned());
    }
    let tokens: Vec<TokenTree> = items.stream().into_iter().collect();
    let checked = check::items(split_items(&tokens), &mut Mistakes::default());
    let spec = emit::spec_type(krate, &checked);
    let mut value = value.to_vec();
    if let Cow::Owned(tokens) = fragments::kept_together(&tokens, Context::Items) {
        let brackets = writer::group(items.delimiter(), tokens, items.span());
        value.pop();
        value.push(brackets.into());
    }
    Ok(quote!(#(#name)*: #spec #(#value)* #semicolon))
}

/// Returns the name and the slice of `NAME = s![...]` or of `NAME, s![...]`.
fn without_const(tokens: &[TokenTree]) -> Option<[String; 2]> {
    match tokens {
        [
            TokenTree::Ident(name),
            sign,
            slice @ ..,
            TokenTree::Group(_),
        ] if is_punct(sign, '=') || is_punct(sign, ',') => {
            let slice = &tokens[tokens.len() - slice.len() - 1..];
            Some([name.to_string(), text(slice)])
        }
        _ => None,
    }
}
