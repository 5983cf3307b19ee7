//! The encoded spec to one Rust expression, and every mistake to a `compile_error!` in front of it.

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote_spanned};

use crate::bound::{Expression, Role, Value};
use crate::encode::{Computed, Encoded, Kind, Number};
use crate::mistake::{Mistake, Mistakes};

/// The value of the macro's call.
///
/// With mistakes it is a block whose last expression still has the type that the caller wanted, so that nothing but the
/// mistakes is reported.
pub fn expression(krate: TokenStream, encoded: &Encoded, mistakes: &Mistakes) -> TokenStream {
    let mixed = Span::mixed_site();
    let output = Output {
        krate,
        careful: !mistakes.is_empty(),
    };
    let value = if encoded.expressions.is_empty() {
        output.spec(encoded)
    } else {
        output.computed(encoded)
    };
    if mistakes.is_empty() {
        return value;
    }
    let errors = compile_errors(mistakes);
    quote_spanned!(mixed=> { #errors #value })
}

/// The type of the spec, as it is written where nothing can be left for the compiler to infer.
pub fn spec_type(krate: TokenStream, encoded: &Encoded) -> TokenStream {
    let output = Output {
        krate,
        careful: false,
    };
    let krate = &output.krate;
    let items = Literal::usize_unsuffixed(encoded.kinds.len());
    let kinds = output.kinds(&encoded.kinds);
    quote_spanned!(Span::mixed_site()=> #krate::SliceSpec<#items, #kinds>)
}

/// A `compile_error!` in the place of each mistake.
pub fn compile_errors(mistakes: &Mistakes) -> TokenStream {
    mistakes.iter().map(compile_error).collect()
}

fn compile_error(Mistake { first, last, text }: &Mistake) -> TokenStream {
    // The error underlines everything from the first token of the call to the last.
    let path = quote_spanned!(*first=> ::core::compile_error!);
    let text = quote_spanned!(*last=> { #text });
    quote_spanned!(*first=> #path #text)
}

struct Output {
    /// The path of `slice_core`, as the caller knows it.
    krate: TokenStream,
    /// Whether a syntax error in a caller's expression would swallow mistakes in front of it.
    careful: bool,
}

impl Output {
    /// A path in `slice_core`, shown in errors at `place` and resolved where that crate's own path came from.
    fn private(&self, place: Span) -> TokenStream {
        let krate = self.krate.clone().into_iter().map(|mut token| {
            token.set_span(place.resolved_at(token.span()));
            token
        });
        quote_spanned!(place=> #(#krate)*::__private)
    }

    /// `match saturate_all([...]) { [__slice_0, ...] => spec }`: all values once, in the order of the source.
    fn computed(&self, encoded: &Encoded) -> TokenStream {
        let mixed = Span::mixed_site();
        let private = self.private(mixed);
        let spec = self.spec(encoded);
        let expressions = &encoded.expressions;
        let numbers = (0..expressions.len()).map(number);
        let values = expressions.iter().map(|computed| self.value(computed));
        if !expressions.iter().any(is_optional) {
            return quote_spanned! {mixed=>
                match #private::saturate_all([#(#values),*]) { [#(#numbers),*] => #spec }
            };
        }
        // What may be left out is asked twice: for its number, and whether it is there.
        let bounds = (0..expressions.len()).map(bound);
        let wide = expressions.iter().enumerate().map(|(position, computed)| {
            let bound = bound(position);
            match computed.role {
                _ if !is_optional(computed) => quote_spanned!(mixed=> #bound),
                Role::Stride => quote_spanned!(mixed=> #bound.step() as ::core::primitive::i128),
                _ => quote_spanned!(mixed=> #bound.value() as ::core::primitive::i128),
            }
        });
        quote_spanned! {mixed=>
            match (#(#values,)*) { (#(#bounds,)*) =>
                match #private::saturate_all([#(#wide),*]) { [#(#numbers),*] => #spec }
            }
        }
    }

    /// `SliceSpec::<_, kinds>::__encoded(begin, end, strides, masks)`.
    fn spec(&self, encoded: &Encoded) -> TokenStream {
        let krate = &self.krate;
        let kinds = self.kinds(&encoded.kinds);
        let arrays = [&encoded.begin, &encoded.end, &encoded.strides].map(|numbers| {
            let numbers = numbers.iter().copied().map(encoded_number);
            quote_spanned!(Span::mixed_site()=> [#(#numbers),*])
        });
        let masks = &encoded.masks;
        let masks = [
            omitted(masks.begin, Role::Begin, encoded),
            omitted(masks.end, Role::End, encoded),
            mask(masks.ellipsis),
            mask(masks.new_axis),
            mask(masks.shrink_axis),
        ];
        quote_spanned! {Span::mixed_site()=>
            #krate::SliceSpec::<_, #kinds>::__encoded(#(#arrays,)* #(#masks),*)
        }
    }

    /// `(Range, (Index, ()))`.
    fn kinds(&self, kinds: &[Kind]) -> TokenStream {
        let krate = &self.krate;
        let mixed = Span::mixed_site();
        kinds
            .iter()
            .rev()
            .fold(quote_spanned!(mixed=> ()), |rest, kind| {
                let kind = match kind {
                    Kind::Range => "Range",
                    Kind::Index => "Index",
                    Kind::NewAxis => "NewAxis",
                    Kind::Ellipsis => "Ellipsis",
                };
                let kind = Ident::new(kind, mixed);
                quote_spanned!(mixed=> (#krate::kind::#kind, #rest))
            })
    }

    /// The caller's expression as an `i128`, or as a bound that may be left out; a type error in its own place if it is
    /// neither.
    fn value(&self, computed: &Computed) -> TokenStream {
        let Expression {
            tokens,
            value,
            constant,
            ..
        } = &computed.expression;
        let [Some(first), Some(last)] = [tokens.first(), tokens.last()]
            .map(|token| Some(Span::mixed_site().located_at(token?.span())))
        else {
            unreachable!("an empty bound is no expression")
        };
        let private = self.private(first);
        let tokens = self.tokens(&computed.expression);
        let number = match value {
            Value::Index => {
                quote_spanned! {first=> #private::index(#tokens) as ::core::primitive::i128 }
            }
            Value::Integer => {
                quote_spanned! {first=> #private::integer(#tokens) as ::core::primitive::i128 }
            }
            Value::Never => quote_spanned! {first=>
                #private::integer::<::core::primitive::i64, _>(#tokens) as ::core::primitive::i128
            },
            Value::Optional => quote_spanned! {first=> #private::bound(#tokens) },
            Value::Unchanged => quote_spanned! {first=>
                #private::operand(#tokens).value() as ::core::primitive::i128
            },
            Value::Negated => quote_spanned! {first=>
                #private::opposite(#private::operand(#tokens).value() as ::core::primitive::i128)
            },
        };
        if !constant {
            return number;
        }
        // The error underlines all of the bound, from the first token of the call to the last.
        if is_optional(computed) {
            let step = quote_spanned!(first=> #private::nonzero);
            let arguments = quote_spanned! {last=> (__slice_stride, __slice_stride.step() as ::core::primitive::i128) };
            return quote_spanned! {first=> const { match #number { __slice_stride => #step #arguments } } };
        }
        let step = quote_spanned!(first=> #private::nonzero);
        let arguments = quote_spanned!(last=> (__slice_stride, __slice_stride));
        quote_spanned! {first=> const { match #number { __slice_stride => #step #arguments } } }
    }

    /// The caller's tokens as they are, but for names that the compiler may not find.
    fn tokens(&self, expression: &Expression) -> TokenStream {
        let Expression {
            tokens,
            parsed,
            hint,
            ..
        } = expression;
        if let Some((range, hint)) = hint {
            let (before, behind) = (&tokens[..range.start], &tokens[range.end..]);
            let hinted = hinted(&tokens[range.clone()], hint);
            return quote_spanned!(Span::mixed_site()=> #(#before)* #hinted #(#behind)*);
        }
        let tokens: TokenStream = tokens.iter().cloned().collect();
        if *parsed || !self.careful {
            return tokens;
        }
        let private = self.private(Span::mixed_site());
        quote_spanned!(Span::mixed_site()=> #private::expression!(#tokens))
    }
}

/// `tokens` by way of a macro whose name says what to write: where the compiler does not find what they name, it says
/// that the error originates in that macro. They mean what they mean outside of it, variables included.
fn hinted(tokens: &[TokenTree], hint: &str) -> TokenStream {
    let place = tokens
        .first()
        .map_or_else(Span::mixed_site, TokenTree::span);
    let place = Span::mixed_site().located_at(place);
    let hint = Ident::new(hint, place);
    quote_spanned! {place=> { macro_rules! #hint { () => { #(#tokens)* } } #hint!() } }
}

fn is_optional(computed: &Computed) -> bool {
    computed.expression.value == Value::Optional
}

fn number(position: usize) -> Ident {
    format_ident!("__slice_{position}", span = Span::mixed_site())
}

fn bound(position: usize) -> Ident {
    format_ident!("__bound_{position}", span = Span::mixed_site())
}

fn encoded_number(value: Number) -> TokenStream {
    let mixed = Span::mixed_site();
    match value {
        Number::Literal(value) => TokenTree::from(Literal::i64_unsuffixed(value)).into(),
        Number::Value(value) => TokenTree::from(number(value)).into(),
        Number::IndexEnd(value) => {
            let value = number(value);
            quote_spanned!(mixed=> #value.saturating_add(1))
        }
    }
}

fn mask(bits: u64) -> TokenStream {
    TokenTree::from(Literal::u64_unsuffixed(bits)).into()
}

/// The bits of the bounds that are not written, and of those that are and turn out to be `None`.
fn omitted(bits: u64, role: Role, encoded: &Encoded) -> TokenStream {
    let expressions = encoded.expressions.iter().enumerate();
    let optional =
        expressions.filter(|(_, computed)| computed.role == role && is_optional(computed));
    optional.fold(mask(bits), |bits, (position, computed)| {
        let (bound, bit) = (bound(position), mask(computed.bit));
        quote_spanned!(Span::mixed_site()=> #bits | #bound.omits(#bit))
    })
}
