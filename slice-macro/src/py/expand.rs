//! What is written in the place of a slice, of an operand and of an assignment.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;

use super::forms::plain;

/// Writes paths into `slice_core`, as the caller knows it.
pub struct Crate(TokenStream);

impl Crate {
    pub fn new(path: TokenStream) -> Self {
        Self(path)
    }

    fn path(&self, place: Span) -> TokenStream {
        shown_at(self.0.clone(), place)
    }

    /// A call of one of the functions with which expansions begin.
    fn begin(&self, function: &str, argument: &impl ToTokens, place: Span) -> TokenStream {
        let (krate, function) = (self.path(place), Ident::new(function, mixed(place)));
        quote_spanned!(mixed(place)=> #krate::__private::py::#function(#argument))
    }

    /// What `s![items]` expands to: a macro in the expansion would be one more for the compiler to expand.
    pub fn spec(&self, items: TokenStream, brackets: Span) -> TokenStream {
        shown_at(crate::expand(self.path(brackets), items), brackets)
    }

    /// A slice that is read, of a place or of a value.
    pub fn read(
        &self,
        operand: &Expr,
        is_place: bool,
        spec: &TokenStream,
        at: &Group,
    ) -> TokenStream {
        let start = if is_place {
            self.place(operand)
        } else {
            self.value(operand)
        };
        method(&start, "at", [spec], at.span())
    }

    fn place(&self, place: &Expr) -> TokenStream {
        let place = plain(place);
        let span = place.span();
        let reference = quote_spanned!(mixed(span)=> &#place);
        self.begin("place", &reference, span)
    }

    fn value(&self, value: &Expr) -> TokenStream {
        let value = plain(value);
        self.begin("value", value, value.span())
    }

    /// An operand that has a name.
    pub fn named_operand(&self, operand: &Expr) -> TokenStream {
        method(&self.place(operand), "operand", [], mixed(operand.span()))
    }

    /// An operand that some expression gives.
    pub fn operand(&self, operand: &Expr) -> TokenStream {
        method(&self.value(operand), "operand", [], mixed(operand.span()))
    }

    /// A value that is no view any more.
    pub fn detached(&self, value: &Expr) -> TokenStream {
        method(&self.value(value), "detached", [], mixed(value.span()))
    }

    /// The subviews of a slice.
    pub fn unpacked(&self, view: &Expr) -> TokenStream {
        self.begin("unpack", view, view.span())
    }

    /// The view of an array through which it is written.
    pub fn view_mut(array: &Expr) -> TokenStream {
        method(array, "view_mut", [], mixed(array.span()))
    }

    /// A copy of an array.
    pub fn copy(array: &Expr) -> TokenStream {
        let view = method(array, "view", [], mixed(array.span()));
        method(&view, "to_owned", [], mixed(array.span()))
    }

    /// A slice that is written, of a view that is.
    pub fn mutable(&self, view: &TokenStream, spec: &TokenStream, at: &Group) -> TokenStream {
        method(
            &self.begin("target", view, at.span()),
            "at_mut",
            [spec],
            at.span(),
        )
    }

    /// The statement that writes.
    pub fn write(
        &self,
        view: &impl ToTokens,
        operator: &str,
        spec: &impl ToTokens,
        value: &impl ToTokens,
        at: &Group,
    ) -> TokenStream {
        let target = self.begin("target", view, at.span());
        let (spec, value) = (spec.to_token_stream(), value.to_token_stream());
        method(&target, operator, [&spec, &value], at.span())
    }
}

/// `match value { name => then }`: the value is made here, and lives as long as what follows.
pub fn bind(value: &TokenStream, name: &Ident, then: &TokenStream) -> TokenStream {
    quote_spanned!(Span::mixed_site()=> match #value { #name => #then })
}

/// A name that no variable of the caller has, shown at `place`.
pub fn hidden(name: &str, place: Span) -> Ident {
    Ident::new(&format!("__py_{name}"), mixed(place))
}

/// Whose location a panic has is the span of the method's name and arguments.
fn method<const N: usize>(
    receiver: &impl ToTokens,
    name: &str,
    arguments: [&TokenStream; N],
    place: Span,
) -> TokenStream {
    let name = Ident::new(name, place);
    quote_spanned!(place=> #receiver.#name(#(#arguments),*))
}

/// Resolved where the tokens themselves came from, what is in their brackets left where it is.
fn shown_at(tokens: TokenStream, place: Span) -> TokenStream {
    let tokens = tokens.into_iter().map(|mut token| {
        token.set_span(place.resolved_at(token.span()));
        token
    });
    tokens.collect()
}

/// In the hygiene of the macro, shown at `place`.
fn mixed(place: Span) -> Span {
    Span::mixed_site().located_at(place)
}

/// Whether the items of a slice hold numbers and signs only.
pub fn is_constant(items: &TokenStream) -> bool {
    items.clone().into_iter().all(|token| match token {
        TokenTree::Group(_) => false,
        TokenTree::Ident(word) => word == "newaxis" || word == "None",
        TokenTree::Punct(_) | TokenTree::Literal(_) => true,
    })
}
