//! Keeps the tokens of each fragment together. A fragment consists of the tokens with which a `macro_rules!` macro
//! replaces a parameter such as `$e:expr`. A fragment arrives in a group without delimiters, but the compiler ignores
//! such groups in the output of a procedural macro: with `1 + 2` as `$e`, `$e * 2` would become `1 + 2 * 2`. This
//! module therefore puts a fragment in parentheses wherever a neighboring token can bind to only a part of it.

mod form;
mod neighbors;

use std::borrow::Cow;

use proc_macro2::{Delimiter, Group, Punct, Spacing, Span, TokenStream, TokenTree};

use self::form::Form;
use self::neighbors::{is_continued, is_unbound_after, is_unbound_before};
use crate::notation::is_keyword;
use crate::split::is_type_group;
use crate::tokens::{
    any_level, is_group, is_one_of, is_path_separator, is_punct, is_word, visible,
};
use crate::writer::group;

/// The kind of tokens that surround a fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// Rust code, or one bound of a slice.
    Code,
    /// The arguments of a macro, which may put any tokens next to the fragment.
    Arguments,
    /// The items of a slice, where `::` may be two colons of a range.
    Items,
}

impl Context {
    /// Returns the context in a macro's brackets, or `None` if `before` does not end with the name of a macro and `!`.
    pub fn of_macro(before: &[TokenTree]) -> Option<Self> {
        match before {
            [.., TokenTree::Ident(name), bang] if is_punct(bang, '!') => match name {
                name if name == "s" => Some(Self::Items),
                // The `!` is a negation, as in `if !(...)`.
                name if is_keyword(&name.to_string()) => None,
                name if is_one_of(name, EXPRESSION_MACROS) => Some(Self::Code),
                _ => Some(Self::Arguments),
            },
            _ => None,
        }
    }
}

/// Macros of the standard library whose arguments are expressions. Some of them print the source text of an expression,
/// in which additional parentheses would be visible.
const EXPRESSION_MACROS: &str = "assert assert_eq assert_ne dbg debug_assert debug_assert_eq debug_assert_ne eprint eprintln \
    format format_args matches panic print println stringify todo vec write writeln";

/// Returns the tokens with each fragment kept together.
pub fn kept_together(tokens: &[TokenTree], context: Context) -> Cow<'_, [TokenTree]> {
    let any = any_level(tokens, |token, _| is_group(token, Delimiter::None));
    if any {
        Cow::Owned(rewritten(tokens, context))
    } else {
        Cow::Borrowed(tokens)
    }
}

fn rewritten(tokens: &[TokenTree], context: Context) -> Vec<TokenTree> {
    let mut out = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            out.push(token.clone());
            continue;
        };
        if group.delimiter() == Delimiter::None {
            let inner = rewritten(&visible(std::slice::from_ref(token)), Context::Code);
            push(inner, group, &mut out, &tokens[at + 1..], context);
            continue;
        }
        let inside: Vec<TokenTree> = group.stream().into_iter().collect();
        let inside = match out.as_slice() {
            [.., hash] if is_punct(hash, '#') => inside,
            before => {
                // In a nested `py!`, brackets may contain a slice.
                let otherwise = match group.delimiter() {
                    Delimiter::Bracket => Context::Items,
                    _ => Context::Code,
                };
                rewritten(&inside, Context::of_macro(before).unwrap_or(otherwise))
            }
        };
        out.push(self::group(group.delimiter(), inside, group.span()).into());
    }
    out
}

/// Appends a fragment with the tokens `inner`, in parentheses if the tokens before or after it require them.
pub fn push(
    inner: Vec<TokenTree>,
    fragment: &Group,
    out: &mut Vec<TokenTree>,
    after: &[TokenTree],
    context: Context,
) {
    let (form, inner) = match Form::of(&inner) {
        Form::Path(generics) if context != Context::Arguments && !generics.is_empty() => {
            (Form::Path(Vec::new()), with_turbofish(inner, &generics))
        }
        form => (form, inner),
    };
    let is_unbound = is_unbound_before(out) && is_unbound_after(after);
    let delimiter = match form {
        Form::Path(_) if context == Context::Items && inner.len() > 1 => {
            let path_continues =
                is_path_separator(after) && is_type_group(&fragment.clone().into());
            (!path_continues).then_some(Delimiter::Parenthesis)
        }
        // In `x as $t < y`, Rust would read `<` as the beginning of generic arguments.
        Form::Path(_)
            if matches!(out.as_slice(), [.., word] if is_word(word, "as"))
                && matches!(after, [less, ..] if is_punct(less, '<')) =>
        {
            Some(Delimiter::Parenthesis)
        }
        Form::Path(_) | Form::Whole => None,
        Form::NegativeLiteral if !is_continued(after) => None,
        Form::Member if !matches!(after, [next, ..] if is_group(next, Delimiter::Parenthesis)) => {
            None
        }
        Form::Jump | Form::StructLiteral if is_unbound => None,
        Form::Assignment if is_unbound => Some(Delimiter::None),
        _ if is_unbound && context != Context::Arguments => Some(Delimiter::None),
        _ => Some(Delimiter::Parenthesis),
    };
    match delimiter {
        Some(Delimiter::None) => out.push(group(Delimiter::None, inner, fragment.span()).into()),
        Some(delimiter) => out.push(macro_group(
            delimiter,
            inner.into_iter().collect(),
            fragment.span(),
        )),
        None => match inner.as_slice() {
            [TokenTree::Group(block)] if block.delimiter() == Delimiter::Brace => {
                out.push(macro_group(Delimiter::Brace, block.stream(), block.span()));
            }
            _ => out.extend(inner),
        },
    }
}

/// Returns a group whose delimiters have a span that belongs to the macro, so that no lint suggests removing them.
fn macro_group(delimiter: Delimiter, inner: TokenStream, span: Span) -> TokenTree {
    let mut group = Group::new(delimiter, inner);
    group.set_span(Span::mixed_site().located_at(span));
    group.into()
}

/// Returns a path with `::` before each generic argument list, which is valid both in a type and in an expression.
fn with_turbofish(path: Vec<TokenTree>, generics: &[usize]) -> Vec<TokenTree> {
    let mut out = Vec::with_capacity(path.len() + 2 * generics.len());
    for (at, token) in path.into_iter().enumerate() {
        if generics.contains(&at) {
            for spacing in [Spacing::Joint, Spacing::Alone] {
                let mut colon = Punct::new(':', spacing);
                colon.set_span(token.span());
                out.push(colon.into());
            }
        }
        out.push(token);
    }
    out
}
