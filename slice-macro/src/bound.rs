//! Reads the bounds of an item. Each bound is a literal number or another expression.

use std::ops::Range;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenTree};
use syn::{Expr, ExprCast, Lit, Type, UnOp};

use crate::expression::{self, OperatorKind, Parsed};
use crate::fragments::{self, Context};
use crate::literal::{self, LiteralBound};
use crate::messages;
use crate::mistake::{Mistakes, Problem};
use crate::notation;
use crate::split::BoundRole;
use crate::tokens::{inside, is_punct, visible};

/// A bound as the caller wrote it.
pub enum WrittenBound {
    Literal(i64),
    Expression(Expression),
}

/// The tokens of a bound that is not a literal, and their conversion to a number.
pub struct Expression {
    pub tokens: Vec<TokenTree>,
    pub conversion: Conversion,
    /// Whether the expression is a step that appears to be constant. If so, the expansion checks at compile time that
    /// the step is not zero.
    pub constant: bool,
    /// Whether the tokens are known to be a valid expression. If not, they may contain a syntax error.
    pub parsed: bool,
    /// The token range at which the compiler may report an error, and the hint to give in that case.
    pub hint: Option<(Range<usize>, &'static str)>,
}

/// How the expansion converts an expression to a number. The conversion depends on the values that the expression can
/// have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// An integer used as an index.
    Index,
    /// An integer used as a `begin`, an `end` or a step.
    Integer,
    /// An integer or an `Option` of an integer.
    Optional,
    /// An integer to be negated.
    Negated,
    /// An integer after an even number of minus signs.
    NegatedTwice,
    /// No value, because evaluating the expression leaves the function, the loop or the block.
    Never,
}

impl WrittenBound {
    /// Returns a placeholder for a bound with a mistake, so that the spec keeps its type.
    pub fn placeholder() -> Self {
        Self::Literal(1)
    }

    /// Sets the hint to give if the compiler fails to resolve the first name of the bound.
    pub fn set_hint(&mut self, hint: &'static str) {
        if let Self::Expression(expression) = self {
            expression.hint = Some((0..1, hint));
        }
    }
}

/// Reads one bound. If it contains a mistake, adds the mistake to `mistakes`, and returns a placeholder.
pub fn read(tokens: &[TokenTree], role: BoundRole, mistakes: &mut Mistakes) -> WrittenBound {
    let tokens = fragments::kept_together(tokens, Context::Code);
    match bound(&tokens, role) {
        Ok(bound) => bound,
        Err((at, text)) => {
            mistakes.report(&tokens[at], text);
            WrittenBound::placeholder()
        }
    }
}

fn bound(tokens: &[TokenTree], role: BoundRole) -> Result<WrittenBound, Problem> {
    let whole = 0..tokens.len();
    if let Some(number) = literal::read(tokens) {
        let value = literal_value(number, role).map_err(|text| (whole, text))?;
        return Ok(WrittenBound::Literal(value));
    }
    if let Some(problem) = notation::power(tokens).or_else(|| notation::python_call(tokens)) {
        return Err(problem);
    }
    if let [TokenTree::Ident(word)] = &*visible(tokens)
        && !notation::is_keyword(&word.to_string())
    {
        if word == "True" || word == "False" {
            return Err((whole, messages::boolean(role)));
        }
        return Ok(name(tokens, word, conversion_for_role(role), role));
    }
    let (signs, operand) = split_minus_signs(tokens);
    if let ([TokenTree::Ident(word)], 1..) = (operand, signs)
        && !notation::is_keyword(&word.to_string())
    {
        return Ok(name(operand, word, negated(signs), role));
    }
    // A long run of minus signs is shortened to two or three signs with the same effect, so that the bound does not
    // become too long to parse.
    let skipped = signs.saturating_sub(2) & !1;
    let tokens = &tokens[skipped..];
    let unparsed = |tokens| {
        let mut expression = Expression::new(tokens, conversion_for_role(role), false);
        expression.parsed = false;
        Ok(WrittenBound::Expression(expression))
    };
    let bound = match expression::parse(tokens) {
        Parsed::TooLarge if expression::is_too_deep(tokens) => {
            Err((0..tokens.len(), messages::TOO_DEEP.to_owned()))
        }
        Parsed::TooLarge => unparsed(with_macro_delimiters(tokens.to_vec(), 0)),
        Parsed::Expression(parsed) => parsed_bound(tokens, &parsed, role),
        Parsed::Stopped(parsed) => match notation::mistake(tokens, parsed) {
            Some(problem) => Err(problem),
            None => unparsed(tokens.to_vec()),
        },
    };
    bound.map_err(|(at, text)| (at.start + skipped..at.end + skipped, text))
}

/// Returns the bound for a single name. A step is treated as a constant if its name is in capitals.
fn name(
    tokens: &[TokenTree],
    name: &Ident,
    conversion: Conversion,
    role: BoundRole,
) -> WrittenBound {
    let constant = role == BoundRole::Step && expression::is_capital(&name.to_string());
    WrittenBound::Expression(Expression::new(tokens.to_vec(), conversion, constant))
}

impl Expression {
    fn new(tokens: Vec<TokenTree>, conversion: Conversion, constant: bool) -> Self {
        Self {
            tokens,
            conversion,
            constant,
            parsed: true,
            hint: None,
        }
    }
}

/// Returns the conversion of an expression of unknown type that has the given role.
fn conversion_for_role(role: BoundRole) -> Conversion {
    match role {
        BoundRole::Index => Conversion::Index,
        BoundRole::Begin | BoundRole::End | BoundRole::Step => Conversion::Optional,
    }
}

fn negated(signs: usize) -> Conversion {
    if signs.is_multiple_of(2) {
        Conversion::NegatedTwice
    } else {
        Conversion::Negated
    }
}

fn split_minus_signs(tokens: &[TokenTree]) -> (usize, &[TokenTree]) {
    let is_minus = |token: &&TokenTree| is_punct(token, '-');
    let signs = tokens.iter().take_while(is_minus).count();
    (signs, &tokens[signs..])
}

fn parsed_bound(
    tokens: &[TokenTree],
    parsed: &Expr,
    role: BoundRole,
) -> Result<WrittenBound, Problem> {
    let constant = role == BoundRole::Step && expression::is_constant(parsed);
    let (tokens, conversion) = match conversion(tokens, parsed, role)? {
        Conversion::Negated => {
            let (signs, operand) = split_nested_minus_signs(tokens, parsed);
            (operand, negated(signs))
        }
        conversion => (tokens.to_vec(), conversion),
    };
    let mut expression = Expression::new(with_macro_delimiters(tokens, 0), conversion, constant);
    expression.hint = notation::hint(&expression.tokens, parsed);
    Ok(WrittenBound::Expression(expression))
}

/// Returns the conversion of a bound, which its form determines, or the mistake in a bound that cannot be a number.
fn conversion(tokens: &[TokenTree], parsed: &Expr, role: BoundRole) -> Result<Conversion, Problem> {
    let error = |text: &str| Err((0..tokens.len(), text.to_owned()));
    // The result of arithmetic is not an `Option`.
    let arithmetic = match role {
        BoundRole::Index => Conversion::Index,
        BoundRole::Begin | BoundRole::End | BoundRole::Step => Conversion::Integer,
    };
    match parsed {
        Expr::Group(group) => conversion(tokens, &group.expr, role),
        Expr::Paren(paren) => conversion(tokens, &paren.expr, role),
        Expr::Unary(unary) => Ok(match unary.op {
            UnOp::Neg(_) => Conversion::Negated,
            UnOp::Not(_) => arithmetic,
            _ => conversion_for_role(role),
        }),
        Expr::Binary(binary) if expression::is_arithmetic(&binary.op) => Ok(arithmetic),
        Expr::Binary(binary) => match expression::operator_kind(&binary.op) {
            Some((OperatorKind::Assignment, _)) => Err(notation::assignment(tokens)),
            _ => error(messages::BOOLEAN_MASK),
        },
        Expr::Assign(_) => Err(notation::assignment(tokens)),
        Expr::Cast(cast) if is_negative_cast(cast) => error(messages::NEGATIVE_CAST),
        Expr::Cast(_) => Ok(arithmetic),
        Expr::Array(_) | Expr::Tuple(_) | Expr::Repeat(_) => error(messages::LIST_IN_RANGE),
        Expr::Closure(_) => error(messages::CLOSURE),
        Expr::Let(_) => Err((0..1, messages::statement(&tokens[..1]))),
        Expr::Lit(literal) if matches!(literal.lit, Lit::Bool(_)) => {
            error(&messages::boolean(role))
        }
        _ if expression::diverges(parsed) => Ok(Conversion::Never),
        _ => Ok(conversion_for_role(role)),
    }
}

/// Returns whether an expression casts a negative number to an unsigned type, as in `-1 as usize`.
pub fn is_negative_cast(cast: &ExprCast) -> bool {
    let types = ["u8", "u16", "u32", "u64", "u128", "usize"];
    matches!(&*cast.expr, Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)))
        && matches!(&*cast.ty, Type::Path(path) if types.iter().any(|name| path.path.is_ident(name)))
}

/// Splits a whole expression into the number of its leading minus signs and the tokens of their operand. Signs inside
/// parentheses or invisible groups are counted, too.
fn split_nested_minus_signs(tokens: &[TokenTree], mut parsed: &Expr) -> (usize, Vec<TokenTree>) {
    let mut signs = 0;
    let mut tokens = tokens.to_vec();
    loop {
        let (inner, delimiter) = match parsed {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                signs += 1;
                tokens.remove(0);
                parsed = &unary.expr;
                continue;
            }
            Expr::Group(group) => (&group.expr, Delimiter::None),
            Expr::Paren(paren) => (&paren.expr, Delimiter::Parenthesis),
            _ => return (signs, tokens),
        };
        // An expression can begin inside an invisible group and continue after it. syn parses both parts as one
        // expression.
        match inside(&tokens, delimiter) {
            Some(contents) => tokens = contents,
            None => return (signs, tokens),
        }
        parsed = inner;
    }
}

fn literal_value(bound: LiteralBound, role: BoundRole) -> Result<i64, String> {
    match bound {
        LiteralBound::Integer(0) if role == BoundRole::Step => Err(messages::ZERO_STEP.to_owned()),
        LiteralBound::Integer(value) => {
            i64::try_from(value).map_err(|_| messages::beyond_i64(role, value < 0))
        }
        LiteralBound::TooLarge => Err(messages::BEYOND_LITERAL_TYPE.to_owned()),
        LiteralBound::U128 => Err(messages::U128_LITERAL.to_owned()),
        LiteralBound::Float(value) => Err(messages::float(literal::nearest_integers(value))),
        LiteralBound::Text => Err(messages::TEXT_LITERAL.to_owned()),
    }
}

/// Gives the parentheses or braces around a whole bound a span that belongs to the macro (a mixed-site span). The lint
/// `unused_parens` would otherwise suggest removing the parentheses, although some expansions need them. `depth` is the
/// number of groups around `tokens`. It limits the recursion.
pub fn with_macro_delimiters(mut tokens: Vec<TokenTree>, depth: usize) -> Vec<TokenTree> {
    if let [TokenTree::Group(group)] = tokens.as_mut_slice()
        && matches!(group.delimiter(), Delimiter::Parenthesis | Delimiter::Brace)
        && depth < 64
    {
        let inner = with_macro_delimiters(group.stream().into_iter().collect(), depth + 1);
        let mut new_group = Group::new(group.delimiter(), inner.into_iter().collect());
        new_group.set_span(Span::mixed_site().located_at(group.span()));
        *group = new_group;
    }
    tokens
}
