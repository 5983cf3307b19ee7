//! What is written in the place of a slice, of an operand and of an assignment.

use proc_macro2::{Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;

use super::forms::{is_place, plain};

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

    /// A call, shown at the brackets. A panic takes the place of the first token for its location, so that this must be one
    /// that belongs to the caller, and the path of the crate does not.
    fn call(&self, function: &str, arguments: [&TokenStream; 3], at: &Group) -> TokenStream {
        let place = at.span();
        let (krate, function) = (self.path(place), Ident::new(function, place));
        let arguments = arguments
            .into_iter()
            .filter(|argument| !argument.is_empty());
        quote_spanned!(place=> (#krate::__private::py::#function)(#(#arguments),*))
    }

    /// A slice that may outlive the statement, of a place or of a value.
    pub fn view(
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

    /// A slice that is read within the statement.
    pub fn read(&self, operand: &Expr, spec: &TokenStream, at: &Group) -> TokenStream {
        let operand = if is_place(operand) {
            plain(operand)
        } else {
            operand
        };
        let reference = quote_spanned!(mixed(operand.span())=> &#operand);
        self.call("read", [&reference, spec, &TokenStream::new()], at)
    }

    /// The elements of a slice, in an array of their own.
    pub fn owned(view: &TokenStream, at: &Group) -> TokenStream {
        method(view, "to_owned", [], at.span())
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
        method(&self.place(operand), "operand", [], operand.span())
    }

    /// An operand that some expression gives.
    pub fn operand(&self, operand: &Expr) -> TokenStream {
        method(&self.value(operand), "operand", [], operand.span())
    }

    /// A value that is no view any more.
    pub fn detached(&self, value: &Expr) -> TokenStream {
        method(&self.value(value), "detached", [], value.span())
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
        self.call("at_mut", [view, spec, &TokenStream::new()], at)
    }

    /// The statement that writes. The arguments are evaluated in the order of Python, but for a plain place.
    pub fn write(
        &self,
        operator: &str,
        (view, is_plain): (&TokenStream, bool),
        spec: &TokenStream,
        value: &TokenStream,
        at: &Group,
    ) -> TokenStream {
        match (operator, is_plain) {
            ("set", true) => self.call("set", [value, spec, view], at),
            ("set", false) => self.call("set_found", [value, view, spec], at),
            (_, true) => self.call(operator, [spec, value, view], at),
            (_, false) => {
                let name = Ident::new("__py_view", mixed(at.span()));
                let call = self.call(operator, [spec, value, &name.to_token_stream()], at);
                quote_spanned!(Span::mixed_site()=> match #view { #name => #call })
            }
        }
    }
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
