//! Integer literals to numbers, whatever the radix, underscores, suffix, sign, brackets or invisible groups.

use crate::tokens::{Delimiter, Literal, TokenTree};

use crate::syntax::{inside, is_punct};

/// What a bound is when all of it is one literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// An integer literal whose value fits its own suffix.
    Integer { value: i128, unsigned: bool },
    /// `-` before a literal with an unsigned suffix.
    NegativeUnsigned,
    /// More than the type of the suffix holds.
    TooLarge,
    /// A `u128` suffix, the one integer type a bound cannot have.
    U128,
    /// A float literal.
    Float,
}

/// The number that `tokens` spell, or `None` when they are anything but one literal with signs and brackets around it.
pub fn read(tokens: &[TokenTree]) -> Option<Number> {
    if let [TokenTree::Literal(literal)] = tokens {
        return read_literal(literal);
    }
    let minuses = tokens
        .iter()
        .take_while(|token| is_punct(token, '-'))
        .count();
    if minuses > 0 {
        let number = read(&tokens[minuses..])?;
        return Some(if minuses % 2 == 0 {
            number
        } else {
            negate(number)
        });
    }
    [Delimiter::None, Delimiter::Parenthesis, Delimiter::Brace]
        .into_iter()
        .find_map(|delimiter| read(&inside(tokens, delimiter)?))
}

/// The integers nearest to a float, below and above, as far as an `f64` tells them apart.
pub fn around(tokens: &[TokenTree]) -> Option<(i64, i64)> {
    let text: String = tokens.iter().map(ToString::to_string).collect();
    let digits = text
        .trim_end_matches("f32")
        .trim_end_matches("f64")
        .replace('_', "");
    let value: f64 = digits.parse().ok()?;
    // Beyond this not every integer is a float.
    let exact = value.abs() < 9_007_199_254_740_992.0;
    exact.then(|| (value.floor() as i64, value.ceil() as i64))
}

fn negate(number: Number) -> Number {
    match number {
        Number::Integer { unsigned: true, .. } => Number::NegativeUnsigned,
        Number::Integer { value, unsigned } => Number::Integer {
            value: -value,
            unsigned,
        },
        other => other,
    }
}

fn read_literal(literal: &Literal) -> Option<Number> {
    let text = literal.to_string();
    if !text.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let (radix, body) = match text.get(..2) {
        Some("0x") => (16, &text[2..]),
        Some("0o") => (8, &text[2..]),
        Some("0b") => (2, &text[2..]),
        _ => (10, &text[..]),
    };
    let is_digit = |c: char| c == '_' || c.is_digit(radix);
    let (digits, suffix) = body.split_at(body.find(|c| !is_digit(c)).unwrap_or(body.len()));
    let (limit, unsigned) = match suffix {
        // One more than the largest positive value, so that the smallest negative one can be spelt.
        "" | "i128" => (i128::MAX, false),
        "i64" | "isize" => (1 << 63, false),
        "i32" => (1 << 31, false),
        "i16" => (1 << 15, false),
        "i8" => (1 << 7, false),
        "u64" | "usize" => ((1 << 64) - 1, true),
        "u32" => ((1 << 32) - 1, true),
        "u16" => ((1 << 16) - 1, true),
        "u8" => ((1 << 8) - 1, true),
        "u128" => return Some(Number::U128),
        _ if radix == 10
            && (suffix.starts_with(['.', 'e', 'E']) || matches!(suffix, "f32" | "f64")) =>
        {
            return Some(Number::Float);
        }
        _ => return None,
    };
    let digits: String = digits.chars().filter(|&c| c != '_').collect();
    if digits.is_empty() {
        return None;
    }
    // So many digits that not even an `i128` holds them are at least too many for an `i64`.
    let value = i128::from_str_radix(&digits, radix).unwrap_or(i128::MAX);
    Some(if value > limit {
        Number::TooLarge
    } else {
        Number::Integer { value, unsigned }
    })
}
