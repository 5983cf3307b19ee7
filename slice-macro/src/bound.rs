//! One bound of an item: a number, or the caller's expression for one.

use crate::tokens::{Delimiter, Group, Literal, Span, TokenTree};

use crate::grammar::{self, Fault};
use crate::literal::{self, Number};
use crate::messages;
use crate::mistake::Mistakes;
use crate::path;
use crate::syntax::is_word;

/// Where in its item a bound stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Index,
    Begin,
    End,
    Stride,
}

/// What the caller wrote for one number.
pub enum Bound {
    Literal(i64),
    Expression(Vec<TokenTree>),
    /// A stride whose name says that it is a constant, so that the compiler can look whether it is zero.
    ConstantStride(Vec<TokenTree>),
}

impl Bound {
    /// Stands in for a bound with a mistake in it, so that the rest of the spec keeps its type.
    pub fn placeholder() -> Self {
        Self::Literal(1)
    }
}

/// Reads one bound, reporting what is wrong with it.
pub fn read(tokens: Vec<TokenTree>, role: Role, mistakes: &mut Mistakes) -> Bound {
    if let Some((at, text)) = problem(&tokens, role) {
        mistakes.at(&tokens[at], text);
        return Bound::placeholder();
    }
    if let Some(Number::Integer { value, .. }) = literal::read(&tokens)
        && let Ok(value) = i64::try_from(value)
    {
        return Bound::Literal(value);
    }
    if role == Role::Stride && path::is_constant(&tokens) {
        return Bound::ConstantStride(quiet(tokens));
    }
    Bound::Expression(quiet(tokens))
}

/// A token for a bound that has been reported already; it reads as some number.
pub fn unknown() -> TokenTree {
    Literal::i64_unsuffixed(1).into()
}

type Problem = (std::ops::Range<usize>, String);

fn problem(tokens: &[TokenTree], role: Role) -> Option<Problem> {
    if let Some(number) = literal::read(tokens) {
        return Some((0..tokens.len(), number_problem(tokens, number, role)?));
    }
    if let Some(text) = word_problem(tokens) {
        return Some((0..tokens.len(), text));
    }
    let (fault, at) = grammar::faults(tokens).into_iter().next()?;
    let text = match fault {
        // `check` splits items at forgotten commas and reports Rust's ranges and semicolons itself.
        Fault::MissingComma | Fault::RustRange | Fault::Semicolon | Fault::Unexpected => {
            messages::not_an_expression(&tokens[at.clone()])
        }
        Fault::BareFraction => messages::float(literal::around(tokens)),
        Fault::LeadingPlus => messages::leading_plus(&tokens[at.end..]),
        Fault::MissingOperand if at == (0..tokens.len()) => {
            messages::lone_operator(&tokens[at.clone()])
        }
        Fault::MissingOperand => messages::missing_operand(&tokens[at.clone()]),
        Fault::Comparison => messages::boolean_mask(),
        Fault::Assignment => messages::assignment(),
        Fault::Power => messages::power(),
        Fault::Statement => messages::statement(&tokens[at.clone()]),
    };
    let whole = matches!(fault, Fault::Comparison | Fault::BareFraction);
    Some((if whole { 0..tokens.len() } else { at }, text))
}

fn number_problem(tokens: &[TokenTree], number: Number, role: Role) -> Option<String> {
    match number {
        Number::Integer { value: 0, .. } if role == Role::Stride => Some(messages::zero_step()),
        Number::Integer { value, .. } if i64::try_from(value).is_err() => {
            Some(messages::beyond_i64(role))
        }
        Number::Integer { .. } => None,
        Number::NegativeUnsigned => Some(messages::negative_unsigned()),
        Number::TooLarge => Some(messages::beyond_its_type()),
        Number::U128 => Some(messages::u128_literal()),
        Number::Float => Some(messages::float(literal::around(tokens))),
    }
}

/// Words and literals that can never be a number.
fn word_problem(tokens: &[TokenTree]) -> Option<String> {
    match tokens {
        [word] if is_word(word, "true") || is_word(word, "false") => Some(messages::boolean()),
        [TokenTree::Literal(literal)] if literal.to_string().starts_with('\'') => {
            Some(messages::text_literal())
        }
        [TokenTree::Literal(literal)] if literal.to_string().ends_with(['"', '#']) => {
            Some(messages::text_literal())
        }
        _ => None,
    }
}

/// Marks brackets around a whole bound as the macro's own: a caller who needs them around a path must not be told by
/// the `unused_parens` lint to take them away.
fn quiet(mut tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    if let [TokenTree::Group(group)] = tokens.as_mut_slice()
        && matches!(group.delimiter(), Delimiter::Parenthesis | Delimiter::Brace)
    {
        let inner = quiet(group.stream().into_iter().collect());
        let mut ours = Group::new(group.delimiter(), inner.into_iter().collect());
        ours.set_span(Span::mixed_site().located_at(group.span()));
        *group = ours;
    }
    tokens
}
