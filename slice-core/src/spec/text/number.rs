//! Reads Python integer literals, optionally with a Rust suffix.

use core::ops::Range;

use super::cursor::TextCursor;
use super::error::{Mistake, ParseErrorKind};

/// Reads a number without a sign. A number above `i128::MAX` becomes `i128::MAX`. This changes no result, because all
/// numbers outside the range of `i64` have the same effect in a range, and none of them is a valid index.
pub(super) fn read(cursor: &mut TextCursor<'_>) -> Result<(i128, Range<usize>), Mistake> {
    let start = cursor.offset();
    let word = cursor.skip_while(|c| c.is_alphanumeric() || c == '_');
    let span = start..cursor.offset();
    // Three dots are an ellipsis after a forgotten comma, and two dots are a Rust range. The caller reports both.
    let has_fraction = cursor.rest().starts_with('.') && !cursor.rest().starts_with("..");
    if has_fraction || has_exponent(word) {
        cursor.skip_while(|c| c.is_alphanumeric() || c == '_' || c == '.');
        return Err((ParseErrorKind::Float, start..cursor.offset()));
    }
    match value(word) {
        Ok(value) => Ok((value, span)),
        Err(kind) => Err((kind, span)),
    }
}

fn has_exponent(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_');
    digits
        .strip_prefix(['e', 'E'])
        .is_some_and(|exponent| exponent.chars().all(|c| c.is_ascii_digit() || c == '_'))
}

fn value(word: &str) -> Result<i128, ParseErrorKind> {
    let (radix, body) = match word.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &word[2..]),
        [b'0', b'o' | b'O', ..] => (8, &word[2..]),
        [b'0', b'b' | b'B', ..] => (2, &word[2..]),
        _ => (10, word),
    };
    let is_digit = |c: char| c == '_' || c.is_digit(radix);
    let (mut digits, suffix) = body.split_at(body.find(|c| !is_digit(c)).unwrap_or(body.len()));
    if !suffix.is_empty() {
        digits = digits.strip_suffix('_').unwrap_or(digits);
    }
    if radix != 10 {
        digits = digits.strip_prefix('_').unwrap_or(digits);
    }
    // Only single underscores are allowed, and only between digits.
    if digits.split('_').any(str::is_empty) {
        return Err(ParseErrorKind::BadNumber);
    }
    let mut value = 0_i128;
    for digit in digits.chars().filter_map(|c| c.to_digit(radix)) {
        value = value
            .saturating_mul(i128::from(radix))
            .saturating_add(i128::from(digit));
    }
    match limit(suffix) {
        Some(limit) if value <= limit => {}
        _ => return Err(ParseErrorKind::BadNumber),
    }
    if radix == 10 && value != 0 && digits.starts_with('0') {
        return Err(ParseErrorKind::LeadingZeros);
    }
    Ok(value)
}

/// Returns the largest absolute value of a literal with this suffix, or `None` if the suffix is not accepted.
fn limit(suffix: &str) -> Option<i128> {
    Some(match suffix {
        "" => i128::MAX,
        "i8" => 1 << 7,
        "i16" => 1 << 15,
        "i32" => 1 << 31,
        "i64" | "isize" => 1 << 63,
        "i128" => i128::MAX,
        "u8" => (1 << 8) - 1,
        "u16" => (1 << 16) - 1,
        "u32" => (1 << 32) - 1,
        "u64" | "usize" => (1 << 64) - 1,
        _ => return None,
    })
}
