//! Reads literals as numbers. A literal may be in any radix, contain underscores, have a suffix, be negated, and be
//! enclosed in parentheses, braces or invisible groups.

use std::iter;

use proc_macro2::{Delimiter, Literal, TokenTree};
use syn::{Lit, LitInt};

use crate::tokens::is_punct;

/// A bound that is a single literal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LiteralBound {
    /// An integer literal without a suffix, or one whose value fits in the type named by its suffix.
    Integer(i128),
    /// An integer literal whose value does not fit in the type named by its suffix.
    TooLarge,
    /// A literal with the suffix `u128`, the only primitive integer type that a bound cannot have.
    U128,
    /// A float literal. The value is infinite if the literal is outside the range of `f64`.
    Float(f64),
    /// A string, byte-string or character literal.
    Text,
}

/// Returns the value of `tokens` if `tokens` is one literal with optional minus signs, parentheses, braces and
/// invisible groups, and `None` otherwise.
///
/// A minus sign negates a literal even if the suffix is an unsigned type, because in a slice, it also negates an
/// unsigned variable.
pub fn read(tokens: &[TokenTree]) -> Option<LiteralBound> {
    let mut inner;
    let mut rest = tokens;
    let mut negative = false;
    loop {
        match rest {
            [sign, more @ ..] if is_punct(sign, '-') => {
                negative = !negative;
                rest = more;
            }
            [TokenTree::Group(group)] if group.delimiter() != Delimiter::Bracket => {
                let mut stream = group.stream().into_iter();
                let first = stream.next()?;
                if matches!(first, TokenTree::Ident(_)) {
                    return None;
                }
                inner = iter::once(first).chain(stream).collect::<Vec<_>>();
                rest = &inner;
            }
            [TokenTree::Literal(literal)] => return literal_bound(literal, negative),
            _ => return None,
        }
    }
}

/// Returns the nearest integers below and above a float, or `None` if the float is so large that `f64` cannot represent
/// every integer nearby.
pub fn nearest_integers(value: f64) -> Option<(i64, i64)> {
    // Above 2^53, an `f64` cannot represent every integer.
    let exact = value.abs() < 9_007_199_254_740_992.0;
    exact.then(|| (value.floor() as i64, value.ceil() as i64))
}

fn literal_bound(literal: &Literal, negative: bool) -> Option<LiteralBound> {
    match Lit::new(literal.clone()) {
        Lit::Int(literal) => integer(&literal, negative),
        Lit::Float(literal) => float(literal.suffix(), literal.base10_digits(), negative),
        Lit::Byte(literal) => Some(signed(literal.value().into(), negative)),
        Lit::Str(_) | Lit::ByteStr(_) | Lit::CStr(_) | Lit::Char(_) => Some(LiteralBound::Text),
        _ => None,
    }
}

fn signed(value: i128, negative: bool) -> LiteralBound {
    LiteralBound::Integer(if negative { -value } else { value })
}

fn integer(literal: &LitInt, negative: bool) -> Option<LiteralBound> {
    // A signed type has one more value below zero than above.
    let below = i128::from(negative);
    let limit = match literal.suffix() {
        "" | "i128" => i128::MAX,
        "i64" | "isize" => i128::from(i64::MAX) + below,
        "i32" => i128::from(i32::MAX) + below,
        "i16" => i128::from(i16::MAX) + below,
        "i8" => i128::from(i8::MAX) + below,
        "u64" | "usize" => u64::MAX.into(),
        "u32" => u32::MAX.into(),
        "u16" => u16::MAX.into(),
        "u8" => u8::MAX.into(),
        "u128" => return Some(LiteralBound::U128),
        suffix => return float(suffix, literal.base10_digits(), negative),
    };
    // A literal outside the range of `i128` does not fit in an `i64` either, so `i128::MAX` can stand in for it.
    let value = literal.base10_parse().unwrap_or(i128::MAX);
    Some(if value > limit {
        LiteralBound::TooLarge
    } else {
        signed(value, negative)
    })
}

fn float(suffix: &str, digits: &str, negative: bool) -> Option<LiteralBound> {
    if !matches!(suffix, "" | "f32" | "f64") {
        return None;
    }
    let value: f64 = digits.parse().ok()?;
    Some(LiteralBound::Float(if negative { -value } else { value }))
}
