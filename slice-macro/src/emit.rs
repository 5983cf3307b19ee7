//! The encoded spec to one Rust expression, and every mistake to a `compile_error!` in front of it.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};

use crate::bound::Bound;
use crate::encode::{Encoded, Kind, Number};
use crate::mistake::{Mistake, Mistakes};

/// The value of the macro's call.
///
/// With mistakes it is a block whose last expression still has the type that the caller wanted, so that nothing but the
/// mistakes is reported.
pub fn expression(krate: &TokenStream, encoded: &Encoded, mistakes: &Mistakes) -> TokenStream {
    let spec = spec(krate, encoded);
    let value = if encoded.expressions.is_empty() {
        spec
    } else {
        let names = (0..encoded.expressions.len()).map(name);
        let values = encoded
            .expressions
            .iter()
            .map(|bound| value(krate, bound, mistakes));
        quote!(match [#(#values),*] { [#(#names),*] => #spec })
    };
    if mistakes.is_empty() {
        return value;
    }
    let errors = compile_errors(mistakes);
    quote!({ #errors #value })
}

/// The type of the spec, as it is written in an expression or elsewhere.
pub fn spec_type(krate: &TokenStream, encoded: &Encoded) -> TokenStream {
    let length = encoded.kinds.len();
    let kinds = encoded.kinds.iter().rev().fold(quote!(()), |tail, kind| {
        let kind = match kind {
            Kind::Range => quote!(Range),
            Kind::Index => quote!(Index),
            Kind::NewAxis => quote!(NewAxis),
            Kind::Ellipsis => quote!(Ellipsis),
        };
        quote!((#krate::kind::#kind, #tail))
    });
    quote!(#krate::SliceSpec::<#length, #kinds>)
}

fn spec(krate: &TokenStream, encoded: &Encoded) -> TokenStream {
    let spec = spec_type(krate, encoded);
    let [begin, end, strides] = [&encoded.begin, &encoded.end, &encoded.strides].map(|numbers| {
        numbers
            .iter()
            .map(|number| self::number(krate, number))
            .collect::<Vec<_>>()
    });
    let masks = encoded.masks;
    let masks = [
        masks.begin,
        masks.end,
        masks.ellipsis,
        masks.new_axis,
        masks.shrink_axis,
    ]
    .map(Literal::u64_unsuffixed);
    quote!(#spec::__encoded([#(#begin),*], [#(#end),*], [#(#strides),*], #(#masks),*))
}

fn number(krate: &TokenStream, number: &Number) -> TokenStream {
    match *number {
        Number::Literal(value) => TokenTree::Literal(Literal::i64_unsuffixed(value)).into(),
        Number::Value(value) => TokenTree::Ident(name(value)).into(),
        Number::IndexEnd(value) => {
            let name = name(value);
            quote!(#krate::__private::index_end(#name))
        }
    }
}

fn name(value: usize) -> Ident {
    format_ident!("__slice_{value}", span = Span::mixed_site())
}

/// The caller's expression as an `i64`: any integer type, saturating, and a type error in its own place otherwise.
fn value(krate: &TokenStream, bound: &Bound, mistakes: &Mistakes) -> TokenStream {
    let (Bound::Expression(tokens) | Bound::ConstantStride(tokens)) = bound else {
        unreachable!("a literal is no expression")
    };
    let place = |token: Option<&TokenTree>| {
        token.map_or_else(Span::mixed_site, |token| {
            Span::mixed_site().located_at(token.span())
        })
    };
    let (first, last) = (place(tokens.first()), place(tokens.last()));
    let krate = &relocate(krate, first);
    let tokens: TokenStream = if mistakes.is_empty() {
        tokens.iter().cloned().collect()
    } else {
        // A syntax error in the caller's expression must not swallow the mistakes in front of it.
        quote!(#krate::__private::bound!(#(#tokens)*))
    };
    let integer = quote_spanned! {first=>
        #krate::__private::saturate(#krate::__private::integer(#tokens) as ::core::primitive::i128)
    };
    match bound {
        Bound::ConstantStride(_) => {
            let mut arguments = Group::new(Delimiter::Parenthesis, integer);
            arguments.set_span(last);
            quote_spanned!(first=> const { #krate::__private::assert_stride #arguments })
        }
        _ => integer,
    }
}

/// The crate's path, shown in errors at `place` and resolved where it came from.
fn relocate(krate: &TokenStream, place: Span) -> TokenStream {
    let mut tokens: Vec<TokenTree> = krate.clone().into_iter().collect();
    for token in &mut tokens {
        token.set_span(place.resolved_at(token.span()));
    }
    tokens.into_iter().collect()
}

/// A `compile_error!` in the place of each mistake.
pub fn compile_errors(mistakes: &Mistakes) -> TokenStream {
    mistakes.iter().map(compile_error).collect()
}

fn compile_error(mistake: &Mistake) -> TokenStream {
    let text = Literal::string(&mistake.text);
    let path = quote_spanned!(mistake.first=> ::core::compile_error!);
    let mut arguments = Group::new(Delimiter::Brace, TokenTree::Literal(text).into());
    arguments.set_span(mistake.last);
    quote!(#path #arguments)
}
