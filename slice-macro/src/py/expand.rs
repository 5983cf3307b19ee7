//! What replaces a slice, an operand and an assignment.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;

use super::forms::{is_place, plain};

/// Writes paths into `slice_core`, by the name that it has for the caller.
pub struct Crate(TokenStream);

impl Crate {
    pub fn new(path: TokenStream) -> Self {
        Self(path)
    }

    fn path(&self, place: Span) -> TokenStream {
        shown_at(self.0.clone(), place)
    }

    /// What `s![items]` expands to: a macro in the expansion would be one more for the compiler to expand.
    pub fn spec(&self, items: TokenStream, brackets: Span) -> TokenStream {
        let spec = shown_at(crate::expand(self.path(brackets), items), brackets);
        let mut tokens: Vec<TokenTree> = spec.into_iter().collect();
        let Some(mut last) = tokens.pop() else {
            unreachable!("an expansion is an expression")
        };
        last.set_span(brackets);
        match tokens.first_mut() {
            None => last.into(),
            Some(TokenTree::Ident(word)) if *word == "match" => {
                word.set_span(brackets);
                tokens.into_iter().chain([last]).collect()
            }
            Some(_) => {
                let function = tokens.into_iter().collect();
                belonging_to_the_caller(function, last.into(), brackets)
            }
        }
    }

    fn function(&self, function: &str, place: Span) -> TokenStream {
        let (krate, function) = (self.path(place), Ident::new(function, mixed(place)));
        quote_spanned!(mixed(place)=> #krate::__private::py::#function)
    }

    /// A call of one of the functions, shown at `place`.
    fn call(&self, function: &str, arguments: &[&TokenStream], place: Span) -> TokenStream {
        let arguments = quote_spanned!(place=> (#(#arguments),*));
        belonging_to_the_caller(self.function(function, place), arguments, place)
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
        self.call("read", &[&reference, spec], at.span())
    }

    /// The elements of a slice, in a new array.
    pub fn owned(view: &TokenStream, at: &Group) -> TokenStream {
        method(view, "to_owned", [], at.span())
    }

    /// A call with which a chain of methods begins.
    fn begin(&self, function: &str, argument: &TokenStream, place: Span) -> TokenStream {
        let function = self.function(function, place);
        quote_spanned!(mixed(place)=> #function(#argument))
    }

    fn place(&self, place: &Expr) -> TokenStream {
        let place = plain(place);
        let span = place.span();
        let reference = quote_spanned!(mixed(span)=> &#place);
        self.begin("place", &reference, span)
    }

    fn value(&self, value: &Expr) -> TokenStream {
        let value = plain(value);
        self.begin("value", &value.to_token_stream(), value.span())
    }

    /// An operand that has a name.
    pub fn named_operand(&self, operand: &Expr) -> TokenStream {
        method(&self.place(operand), "operand", [], mixed(operand.span()))
    }

    /// The same as an argument.
    pub fn named_value(&self, value: &Expr) -> TokenStream {
        let value = plain(value);
        let span = value.span();
        let reference = quote_spanned!(mixed(span)=> &#value);
        let place = self.call("place", &[&reference], span);
        method(&place, "operand", [], span)
    }

    /// An operand that some expression gives.
    pub fn operand(&self, operand: &Expr) -> TokenStream {
        method(&self.value(operand), "operand", [], mixed(operand.span()))
    }

    /// A value, owned if it was a view.
    pub fn detached(&self, value: &Expr) -> TokenStream {
        method(&self.value(value), "detached", [], mixed(value.span()))
    }

    /// The subviews of a slice.
    pub fn unpacked(&self, view: &Expr) -> TokenStream {
        self.begin("unpack", &view.to_token_stream(), view.span())
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

    /// The call that writes.
    pub fn write(
        &self,
        operator: &str,
        [spec, view, value]: [&TokenStream; 3],
        at: &Group,
    ) -> TokenStream {
        self.call(operator, &[spec, view, value], at.span())
    }
}

/// A call whose first token belongs to the caller, as the path of the crate does not: where one belongs to a macro, the
/// compiler shows errors in arguments, and the location of a panic, at the whole macro. On the other hand clippy takes such
/// a call for the caller's own.
fn belonging_to_the_caller(
    function: TokenStream,
    arguments: TokenStream,
    place: Span,
) -> TokenStream {
    quote_spanned!(place=> (#function) #arguments)
}

/// What is evaluated before the call in which it is used.
pub struct Bound {
    tokens: TokenStream,
    name: Ident,
}

impl Bound {
    /// `name` cannot be the name of a variable of the caller.
    pub fn new(tokens: TokenStream, name: &str) -> Self {
        let name = Ident::new(&format!("__py_{name}"), Span::mixed_site());
        Bound { tokens, name }
    }

    /// The value, shown where the expression is, from its first token to the last.
    pub fn used(&self, shown: &TokenStream) -> TokenStream {
        let (first, last) = ends(shown);
        let mut name = self.name.clone();
        name.set_span(mixed(first));
        let value = quote_spanned!(first=> (#name,));
        quote_spanned!(last=> #value.0)
    }

    /// `match value { name => then }`: the value is made here, and lives as long as what follows.
    pub fn before(&self, then: &TokenStream) -> TokenStream {
        let Bound { tokens, name } = self;
        quote_spanned!(Span::mixed_site()=> match #tokens { #name => #then })
    }
}

/// A slice as an operator takes it.
pub fn borrowed(view: &TokenStream, at: &Group) -> TokenStream {
    quote_spanned!(mixed(at.span())=> &#view)
}

/// The location of a panic is the span of the method's name and arguments.
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

/// The spans of the first token and the last.
fn ends(tokens: &TokenStream) -> (Span, Span) {
    let mut tokens = tokens.clone().into_iter().map(|token| token.span());
    let first = tokens.next().unwrap_or_else(Span::mixed_site);
    (first, tokens.last().unwrap_or(first))
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
