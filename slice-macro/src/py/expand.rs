//! Generates the code for slices, operands and assignments. Most functions generate a call to a function or method in
//! `slice_core::python`. The comments below omit the suffix `_in_py` of these methods.

use proc_macro2::{Delimiter, Ident, Literal, Span, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Error, Expr, Lit};

use super::forms::{is_list, plain};
use crate::split::RawItem;
use crate::writer::{self, Krate, Part, code, separated};

impl Part for &Expr {
    fn append_to(self, out: &mut Vec<TokenTree>) {
        out.append(&mut tokens(self));
    }
}

/// Returns the expansion of `s![items]`. A call to `s![]` would cost the compiler a second expansion.
pub fn spec(krate: &Krate, items: Vec<RawItem>) -> Vec<TokenTree> {
    let mut spec = crate::expand::slice(krate, items);
    // The compiler treats the slice as the caller's code if its first and last tokens have the caller's spans. See
    // `call_of`.
    for end in [0, spec.len() - 1] {
        spec[end].set_span(krate.caller_span);
    }
    spec
}

fn function(krate: &Krate, function: &str) -> Vec<TokenTree> {
    krate.path(&["python", function])
}

/// Generates a call to the function `name` in `slice_core::python`.
pub fn call<const N: usize>(
    krate: &Krate,
    name: &str,
    arguments: [Vec<TokenTree>; N],
) -> Vec<TokenTree> {
    let arguments = separated(arguments, krate.caller_span);
    call_of(krate, function(krate, name), arguments)
}

/// Generates a call to the function `name` at the beginning of a method chain.
pub fn chain_start(krate: &Krate, name: &str, argument: Vec<TokenTree>) -> Vec<TokenTree> {
    let function = function(krate, name);
    code!(krate.span => #function(#argument))
}

/// Generates a call to the method `{name}_in_py` in `slice_core::python`. The suffix makes it unlikely that a trait
/// defined by the caller has a method with the same name, which the compiler could find first.
pub fn method<const N: usize>(
    receiver: Vec<TokenTree>,
    name: &str,
    arguments: [Vec<TokenTree>; N],
    span: Span,
) -> Vec<TokenTree> {
    rust_method(receiver, &format!("{name}_in_py"), arguments, span)
}

/// Generates a call to the method `name`. `span` is the span of the name and the arguments, and thus the location of a
/// panic in the method.
pub fn rust_method<const N: usize>(
    receiver: Vec<TokenTree>,
    name: &str,
    arguments: [Vec<TokenTree>; N],
    span: Span,
) -> Vec<TokenTree> {
    let (name, arguments) = (&Ident::new(name, span), separated(arguments, span));
    code!(span => #receiver.#name(#arguments))
}

/// Generates a call whose first token, a parenthesis around the path to the function, has the caller's span. If the
/// first token had the macro's span, the compiler would locate errors in arguments, and a panic, at the whole macro
/// call. The disadvantage is that clippy treats the generated call as the caller's own code.
pub fn call_of(
    krate: &Krate,
    function: Vec<TokenTree>,
    arguments: Vec<TokenTree>,
) -> Vec<TokenTree> {
    code!(krate.caller_span => (#function)(#arguments))
}

/// Generates `&expression`.
pub fn reference(expression: &Expr) -> Vec<TokenTree> {
    code!(mixed_site_at(span(expression)) => &#expression)
}

/// Generates `name(expression)`.
pub fn wrapped(krate: &Krate, name: &str, expression: &Expr) -> Vec<TokenTree> {
    let expression = plain(expression);
    let krate = krate.located_at(span(expression));
    let mut argument = tokens(expression);
    if let [TokenTree::Group(braces)] = argument.as_mut_slice() {
        // If the braces had the caller's span, the compiler would suggest removing them.
        braces.set_span(krate.span);
    }
    chain_start(&krate, name, argument)
}

/// Generates `name(&expression)`. The compiler's errors and suggestions cover the expression and what follows it together.
pub fn borrowed(krate: &Krate, name: &str, expression: &Expr) -> Vec<TokenTree> {
    let expression = plain(expression);
    let krate = krate.located_at(span(expression));
    call(&krate, name, [reference(expression)])
}

/// Generates `place(&place).method()` for a place expression, such as a variable, whose type the macro does not know.
pub fn of_place(krate: &Krate, place: &Expr, method: &str) -> Vec<TokenTree> {
    let place = plain(place);
    let krate = krate.located_at(span(place));
    chain(&krate, "place", reference(place), method)
}

/// Generates `wrapper(argument).method()`.
pub fn chain(
    krate: &Krate,
    wrapper: &str,
    argument: Vec<TokenTree>,
    method: &str,
) -> Vec<TokenTree> {
    let start = chain_start(krate, wrapper, argument);
    self::method(start, method, [], krate.caller_span)
}

/// Generates `(*reference)`.
pub fn dereferenced(krate: &Krate, reference: Vec<TokenTree>) -> Vec<TokenTree> {
    in_parentheses(code!(krate.span => *#reference))
}

/// Generates parentheses around tokens. The parentheses have the macro's own span, so that no lint suggests removing
/// them.
pub fn in_parentheses(tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    code!(Span::mixed_site() => (#tokens))
}

/// Wraps a call in a block that imports the traits `names`.
pub fn with_imports(krate: &Krate, names: &[&str], call: Vec<TokenTree>) -> Vec<TokenTree> {
    let mut imports = Vec::new();
    for name in names {
        let name = function(krate, name);
        imports.extend(code!(krate.span => use #name as _;));
    }
    code!(krate.caller_span => { #imports #call })
}

/// Generates `value(value).method()` for a value that is not a place.
pub fn of_value(krate: &Krate, value: &Expr, method: &str) -> Vec<TokenTree> {
    let span = mixed_site_at(span(value));
    self::method(wrapped(krate, "value", value), method, [], span)
}

/// Generates `list(list)` for a list of numbers on one side of an operator, or `rows(list)` for a list of such lists.
pub fn list(krate: &Krate, list: &Expr) -> Vec<TokenTree> {
    let function = match list {
        Expr::Array(list) if list.elems.first().is_some_and(is_list) => "rows",
        Expr::Repeat(list) if is_list(&list.expr) => "rows",
        _ => "list",
    };
    call(&krate.located_at(span(list)), function, [tokens(list)])
}

/// Generates `(match both(left, right) { (left, right) => left operator right })`.
pub fn both_sides(
    krate: &Krate,
    sides: [Vec<TokenTree>; 2],
    operator: Vec<TokenTree>,
    spans: [Span; 2],
) -> Vec<TokenTree> {
    let [left, right] = &[("__py_left", spans[0]), ("__py_right", spans[1])]
        .map(|(name, span)| Ident::new(name, mixed_site_at(span)));
    let both = call(krate, "both", sides);
    code!(krate.span => (match #both { (#left, #right) => #left #operator #right }))
}

/// Generates `name(expression)`. Errors underline the expression from its first token to its last, and suggestions cover
/// the same code.
pub fn underlined(
    krate: &Krate,
    name: &str,
    expression: &Expr,
    [first, last]: [Span; 2],
) -> Vec<TokenTree> {
    let function = function(&krate.located_at(first), name);
    let function = code!(first => (#function));
    code!(last => #function(#expression))
}

/// Values that are evaluated before the code that uses them, in this order.
pub struct Temporaries {
    /// The beginning of their names.
    prefix: &'static str,
    values: Vec<(Ident, Vec<TokenTree>)>,
}

impl Temporaries {
    pub fn new(prefix: &'static str) -> Self {
        let values = Vec::new();
        Temporaries { prefix, values }
    }

    /// Adds a value, and generates `(name,).0`, which evaluates to it. The first of these tokens has the span `first`, and
    /// the last token has the span `last`, so that errors underline everything from `first` to `last`.
    pub fn store(&mut self, value: Vec<TokenTree>, [first, last]: [Span; 2]) -> Vec<TokenTree> {
        let name = self.name(value, first);
        let mut field = Literal::u64_unsuffixed(0);
        field.set_span(last);
        let (tuple, field) = (code!(first => (#name,)), &field);
        code!(last => #tuple.#field)
    }

    /// Adds a value, and generates its name, located at `span`. The name cannot collide with a variable of the caller.
    pub fn name(&mut self, value: Vec<TokenTree>, span: Span) -> Vec<TokenTree> {
        let name = format!("__py_{}{}", self.prefix, self.values.len());
        self.values
            .push((Ident::new(&name, Span::mixed_site()), value));
        vec![Ident::new(&name, mixed_site_at(span)).into()]
    }

    /// Generates `match value { name => then }` for each value. Temporaries in the values live until `then` has been
    /// evaluated.
    pub fn before(self, then: Vec<TokenTree>) -> Vec<TokenTree> {
        self.values
            .into_iter()
            .rev()
            .fold(then, |then, (name, value)| {
                let name = &name;
                code!(Span::mixed_site() => match #value { #name => #then })
            })
    }
}

/// Returns a span with the macro's hygiene and the location of `span`.
pub fn mixed_site_at(span: Span) -> Span {
    Span::mixed_site().located_at(span)
}

/// Generates an expression that reports the error. The compiler accepts it as any type, so that it causes no further errors.
pub fn error(error: &Error) -> Vec<TokenTree> {
    let mut tokens: Vec<TokenTree> = error.to_compile_error().into_iter().collect();
    // An operator may follow parentheses, but not braces.
    if let Some(TokenTree::Group(braces)) = tokens.pop() {
        let text = braces.stream().into_iter().collect();
        tokens.push(writer::group(Delimiter::Parenthesis, text, braces.span()).into());
    }
    tokens
}

/// Returns the tokens of an expression. Most expressions are a single name or number, for which the function does not
/// create a token stream.
pub fn tokens(expression: &Expr) -> Vec<TokenTree> {
    match expression {
        Expr::Path(path) if path.attrs.is_empty() && path.qself.is_none() => {
            if let Some(name) = path.path.get_ident() {
                return vec![name.clone().into()];
            }
        }
        Expr::Lit(literal) if literal.attrs.is_empty() => match &literal.lit {
            Lit::Int(number) => return vec![number.token().into()],
            Lit::Float(number) => return vec![number.token().into()],
            _ => {}
        },
        Expr::Verbatim(tokens) => return tokens.clone().into_iter().collect(),
        _ => {}
    }
    expression.to_token_stream().into_iter().collect()
}

/// Returns the spans of the first and the last token of an expression.
pub fn end_spans(expression: &Expr) -> [Span; 2] {
    let tokens = tokens(expression);
    [tokens.first(), tokens.last()]
        .map(|token| token.map_or_else(Span::mixed_site, TokenTree::span))
}

/// Returns tokens as an expression that syn does not parse.
pub fn verbatim(tokens: Vec<TokenTree>) -> Expr {
    Expr::Verbatim(writer::stream(tokens))
}

/// Returns the span from the first token of an expression to its last token.
pub fn span(expression: &Expr) -> Span {
    match expression {
        Expr::Path(path) if path.attrs.is_empty() && path.qself.is_none() => {
            match path.path.get_ident() {
                Some(name) => name.span(),
                None => path.span(),
            }
        }
        expression => expression.span(),
    }
}
