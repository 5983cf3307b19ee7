//! The encoded spec to one Rust expression, and every mistake to a `compile_error!` before it.

use std::borrow::Cow;

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt, format_ident, quote_spanned};

use crate::bound::{BoundValue, Expression};
use crate::encode::{Computed, Encoded, EncodedNumber, Kind};
use crate::mistake::{Mistake, Mistakes};
use crate::split::BoundRole;

/// The value of the macro's call.
///
/// With mistakes it is a block whose last expression still has the type that the caller wanted, so that nothing but the
/// mistakes is reported.
pub fn expression(krate: TokenStream, encoded: &Encoded, mistakes: &Mistakes) -> TokenStream {
    let mixed = Span::mixed_site();
    let output = Output::new(krate, !mistakes.is_empty());
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
    let output = Output::new(krate, false);
    let krate = &output.krate;
    let items = Literal::usize_unsuffixed(encoded.kinds.len());
    let kinds = output.kinds(&encoded.kinds);
    quote_spanned!(Span::mixed_site()=> #(#krate)*::SliceSpec<#items, #kinds>)
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

/// What is written is put together of single tokens: a stream in a stream is a question to the compiler each time.
struct Output {
    /// The path of `slice_core`, as written at the call.
    krate: Vec<TokenTree>,
    /// Whether a syntax error in a caller's expression would swallow mistakes before it.
    careful: bool,
}

impl Output {
    fn new(krate: TokenStream, careful: bool) -> Self {
        let krate = krate.into_iter().collect();
        Self { krate, careful }
    }

    /// The path of `slice_core`, shown in errors at `place` and resolved where that path came from.
    fn krate(&self, place: Span) -> Vec<TokenTree> {
        let mut krate = self.krate.clone();
        for token in &mut krate {
            token.set_span(place.resolved_at(token.span()));
        }
        krate
    }

    /// `match saturate_all([...]) { [__slice_0, ...] => spec }`: all values once, in the order of the source.
    fn computed(&self, encoded: &Encoded) -> TokenStream {
        let mixed = Span::mixed_site();
        let krate = &self.krate;
        let spec = self.spec(encoded);
        let expressions = &encoded.expressions;
        let numbers: Vec<Ident> = (0..expressions.len()).map(number).collect();
        let values = expressions.iter().map(|computed| self.value(computed));
        if !expressions.iter().any(can_be_omitted) {
            return quote_spanned! {mixed=>
                match #(#krate)*::__private::saturate_all([#(#values),*]) { [#(#numbers),*] => #spec }
            };
        }
        // Of what may be left out there is a number, and the bit of the mask.
        let (mut bounds, mut wide) = (TokenStream::new(), TokenStream::new());
        for (position, (computed, number)) in expressions.iter().zip(&numbers).enumerate() {
            if can_be_omitted(computed) {
                let omitted = omitted(position);
                bounds.append(Group::new(
                    Delimiter::Parenthesis,
                    quote_spanned!(mixed=> #number, #omitted),
                ));
                wide.append(number.clone());
                wide.append(Ident::new("as", mixed));
                wide.append(Ident::new("_", mixed));
            } else {
                bounds.append(number.clone());
                wide.append(number.clone());
            }
            bounds.append(Punct::new(',', Spacing::Alone));
            wide.append(Punct::new(',', Spacing::Alone));
        }
        quote_spanned! {mixed=>
            match (#(#values,)*) { (#bounds) =>
                match #(#krate)*::__private::saturate_all([#wide]) { [#(#numbers),*] => #spec }
            }
        }
    }

    /// `SliceSpec::<_, kinds>::__encoded(begin, end, strides, masks)`.
    fn spec(&self, encoded: &Encoded) -> TokenStream {
        let Encoded {
            begin,
            end,
            strides,
            masks,
            ..
        } = encoded;
        let krate = &self.krate;
        let kinds = self.kinds(&encoded.kinds);
        let begin_mask = Mask(masks.begin, BoundRole::Begin, encoded);
        let end_mask = Mask(masks.end, BoundRole::End, encoded);
        let [ellipsis, new_axis, shrink_axis] =
            [masks.ellipsis, masks.new_axis, masks.shrink_axis].map(Literal::u64_unsuffixed);
        quote_spanned! {Span::mixed_site()=>
            #(#krate)*::SliceSpec::<_, #kinds>::__encoded(
                [#(#begin),*], [#(#end),*], [#(#strides),*],
                #begin_mask, #end_mask, #ellipsis, #new_axis, #shrink_axis
            )
        }
    }

    /// `(Range, (Index, ()))`.
    fn kinds(&self, kinds: &[Kind]) -> Group {
        let krate = &self.krate;
        let mixed = Span::mixed_site();
        let end = Group::new(Delimiter::Parenthesis, TokenStream::new());
        kinds.iter().rev().fold(end, |rest, kind| {
            let kind = match kind {
                Kind::Range => "Range",
                Kind::Index => "Index",
                Kind::NewAxis => "NewAxis",
                Kind::Ellipsis => "Ellipsis",
            };
            let kind = Ident::new(kind, mixed);
            let pair = quote_spanned!(mixed=> #(#krate)*::kind::#kind, #rest);
            Group::new(Delimiter::Parenthesis, pair)
        })
    }

    /// The caller's expression as a number of a type that is known from what becomes of it, or with the bit that is set
    /// if it is left out; a type error in its own place if it is neither.
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
            unreachable!("an empty bound is not an expression")
        };
        let krate = &self.krate(first);
        let tokens = &self.tokens(&computed.expression);
        let number = match value {
            BoundValue::Index => quote_spanned! {first=>
                #(#krate)*::__private::index(#(#tokens)*) as _
            },
            BoundValue::Integer => quote_spanned! {first=>
                #(#krate)*::__private::integer(#(#tokens)*) as _
            },
            BoundValue::Never => quote_spanned! {first=>
                #(#krate)*::__private::integer::<::core::primitive::i128, _>(#(#tokens)*)
            },
            BoundValue::Optional if computed.role == BoundRole::Stride => quote_spanned! {first=>
                #(#krate)*::__private::bound(#(#tokens)*).stride() as _
            },
            BoundValue::Optional => {
                let bit = Literal::u64_unsuffixed(computed.bit);
                quote_spanned! {first=> #(#krate)*::__private::bound(#(#tokens)*).or_omitted(#bit) }
            }
            BoundValue::Unchanged => quote_spanned! {first=>
                #(#krate)*::__private::operand(#(#tokens)*).value() as _
            },
            BoundValue::Negated => quote_spanned! {first=>
                #(#krate)*::__private::opposite(#(#krate)*::__private::operand(#(#tokens)*).value() as _)
            },
        };
        if !constant {
            return number;
        }
        // The error underlines all of the bound, from the first token of the call to the last.
        let argument = quote_spanned!(last=> (#number));
        quote_spanned! {first=> const { #(#krate)*::__private::nonzero #argument } }
    }

    /// The caller's tokens as they are, but for names that the compiler may not find.
    fn tokens<'a>(&self, expression: &'a Expression) -> Cow<'a, [TokenTree]> {
        let Expression {
            tokens,
            parsed,
            hint,
            ..
        } = expression;
        if let Some((range, hint)) = hint {
            let mut hinted: Vec<TokenTree> = tokens[..range.start].to_vec();
            hinted.push(named(&tokens[range.clone()], hint).into());
            hinted.extend(tokens[range.end..].iter().cloned());
            return hinted.into();
        }
        if *parsed || !self.careful {
            return tokens.into();
        }
        let krate = &self.krate;
        let checked =
            quote_spanned!(Span::mixed_site()=> #(#krate)*::__private::expression!(#(#tokens)*));
        checked.into_iter().collect()
    }
}

/// `tokens` by way of a macro whose name says what to write: where the compiler does not find what they name, it says
/// that the error originates in that macro. They mean what they mean outside of it, variables included.
fn named(tokens: &[TokenTree], hint: &str) -> Group {
    let place = tokens
        .first()
        .map_or_else(Span::mixed_site, TokenTree::span);
    let place = Span::mixed_site().located_at(place);
    let hint = Ident::new(hint, place);
    let call = quote_spanned!(place=> macro_rules! #hint { () => { #(#tokens)* } } #hint!());
    let mut block = Group::new(Delimiter::Brace, call);
    block.set_span(place);
    block
}

/// Whether a bit of a mask is known only at run time.
fn can_be_omitted(computed: &Computed) -> bool {
    computed.expression.value == BoundValue::Optional && computed.role != BoundRole::Stride
}

fn number(position: usize) -> Ident {
    format_ident!("__slice_{position}", span = Span::mixed_site())
}

fn omitted(position: usize) -> Ident {
    format_ident!("__omitted_{position}", span = Span::mixed_site())
}

impl ToTokens for EncodedNumber {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match *self {
            EncodedNumber::Literal(value) => tokens.append(Literal::i64_unsuffixed(value)),
            EncodedNumber::Value(value) => tokens.append(number(value)),
            EncodedNumber::IndexEnd(value) => {
                let value = number(value);
                quote_spanned!(Span::mixed_site()=> #value.saturating_add(1)).to_tokens(tokens);
            }
        }
    }
}

/// The bits of the bounds that are not written, and of those that are and turn out to be `None`.
struct Mask<'a>(u64, BoundRole, &'a Encoded);

impl ToTokens for Mask<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Mask(bits, role, encoded) = *self;
        tokens.append(Literal::u64_unsuffixed(bits));
        for (position, computed) in encoded.expressions.iter().enumerate() {
            if computed.role == role && can_be_omitted(computed) {
                tokens.append(Punct::new('|', Spacing::Alone));
                tokens.append(omitted(position));
            }
        }
    }
}
