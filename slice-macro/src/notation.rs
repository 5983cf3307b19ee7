//! Recognizes bounds and items that are incomplete or in the notation of another language, and suggests corrections.

use proc_macro2::{Delimiter, TokenTree};
use syn::Expr;

use crate::literal::{self, LiteralBound};
use crate::messages;
use crate::mistake::Problem;
use crate::split::{RawItem, is_slice_syntax};
use crate::text::text;
use crate::tokens::{inside, is_any_punct, is_any_word, is_punct, is_word};

const KEYWORDS: [&str; 39] = [
    "as", "async", "await", "break", "const", "continue", "dyn", "else", "enum", "extern", "false",
    "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref",
    "return", "static", "struct", "super", "crate", "Self", "trait", "true", "type", "unsafe",
    "use", "where", "while", "yield", "_",
];

/// Returns whether a word is a keyword or `_`, and so cannot be a name.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// Returns whether a token is an operator, or a part of an operator.
pub fn is_operator(token: &TokenTree) -> bool {
    is_any_punct(token, "+-*/%^&|<>!=") || is_word(token, "as")
}

/// Returns whether a token can be the last token of an operand.
pub fn ends_operand(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(word) => {
            !is_keyword(&word.to_string()) || is_any_word(token, "await true false")
        }
        TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
        TokenTree::Literal(_) => true,
        TokenTree::Punct(sign) => sign.as_char() == '?',
    }
}

/// Words that begin a statement or an item of Rust, or that cannot begin an expression.
const STATEMENT_WORDS: &str =
    "let fn use mod struct enum trait impl type pub extern else where in as ref dyn";

/// Returns the mistake in a bound of which syn could parse only the first `parsed` tokens, or `None` if the compiler
/// must report the error.
pub fn mistake(tokens: &[TokenTree], parsed: usize) -> Option<Problem> {
    let whole = 0..tokens.len();
    let operators = |token: &TokenTree| is_operator(token) || is_any_punct(token, "?.");
    match tokens {
        [plus, operand @ ..] if is_punct(plus, '+') && !operand.is_empty() => {
            return Some((0..1, messages::leading_plus(operand)));
        }
        [dot, TokenTree::Literal(digits)] if is_punct(dot, '.') => {
            let value: f64 = format!("0.{digits}").parse().ok()?;
            return Some((whole, messages::float(literal::nearest_integers(value))));
        }
        [quote, TokenTree::Ident(_)] if is_punct(quote, '\'') => {
            return Some((whole, messages::label(tokens)));
        }
        [operand @ .., TokenTree::Punct(first), second]
            if !operand.is_empty()
                && "+-".contains(first.as_char())
                && is_punct(second, first.as_char()) =>
        {
            let at = operand.len()..tokens.len();
            return Some((at, messages::increment(operand, first.as_char())));
        }
        [array @ .., brackets] if !array.is_empty() && !is_punct(&array[0], '-') => {
            if let Some(inner) = inside(std::slice::from_ref(brackets), Delimiter::Bracket)
                && is_slice_syntax(&inner)
            {
                return Some((whole, messages::array_in_a_slice(array, &inner)));
            }
        }
        [group] => {
            if let Some(inner) = inside(std::slice::from_ref(group), Delimiter::Parenthesis)
                && let [TokenTree::Ident(_), colon, equals, value @ ..] = inner.as_slice()
                && is_punct(colon, ':')
                && is_punct(equals, '=')
                && !value.is_empty()
            {
                return Some((whole, messages::assignment(value)));
            }
        }
        _ => {}
    }
    match tokens {
        [word, ..] if is_any_word(word, STATEMENT_WORDS) => {
            return Some((0..1, messages::statement(&tokens[..1])));
        }
        _ if tokens.iter().all(operators) => return Some((whole, messages::lone_operator(tokens))),
        _ => {}
    }
    let at_end = parsed == tokens.len() || is_operator(&tokens[parsed]);
    let before = tokens[..parsed].iter().rev();
    let operator = before
        .take_while(|token| is_operator(token) || is_punct(token, '.'))
        .count();
    if at_end && operator > 0 {
        // The operator before the error lacks its right operand. Two characters such as `&&` count as one operator.
        let mut start = parsed - 1;
        while start > parsed - operator && is_punct_pair(&tokens[start - 1], &tokens[start]) {
            start -= 1;
        }
        return Some((
            start..parsed,
            messages::missing_operand(&tokens[start..parsed]),
        ));
    }
    let unexpected = tokens.get(parsed)?;
    if is_any_punct(unexpected, "@~$\\'") {
        return Some((
            parsed..parsed + 1,
            messages::not_an_expression(&tokens[parsed..=parsed]),
        ));
    }
    if is_punct(unexpected, '=')
        && tokens
            .get(parsed + 1)
            .is_some_and(|next| is_punct(next, '>'))
    {
        return Some((
            parsed..parsed + 2,
            messages::not_an_expression(&tokens[parsed..parsed + 2]),
        ));
    }
    None
}

fn is_punct_pair(first: &TokenTree, second: &TokenTree) -> bool {
    match (first, second) {
        (TokenTree::Punct(first), TokenTree::Punct(second)) => {
            first.spacing() == proc_macro2::Spacing::Joint
                && (first.as_char() == second.as_char() || second.as_char() == '=')
        }
        _ => false,
    }
}

/// Returns the mistake in `base ** exponent` if the exponent is a literal. Rust parses this code as `base *
/// (*exponent)`, but a number cannot be dereferenced.
pub fn power(tokens: &[TokenTree]) -> Option<Problem> {
    let at = tokens
        .windows(2)
        .position(|pair| is_punct(&pair[0], '*') && is_punct(&pair[1], '*'))?;
    let is_number = |tokens: &[TokenTree]| {
        matches!(
            literal::read(tokens),
            Some(LiteralBound::Integer(_) | LiteralBound::Float(_))
        )
    };
    let exponent = &tokens[at + 2..];
    let length = (1..=exponent.len().min(2)).find(|&length| is_number(&exponent[..length]))?;
    let begins_operand = at == 0 || is_operator(&tokens[at - 1]);
    (!begins_operand).then(|| {
        let base = base(&tokens[..at]);
        (at..at + 2, messages::power(base, &exponent[..length]))
    })
}

/// Returns the mistake in a bound that is a call of one of Python's functions. To call another function with the same name, the
/// call is put in parentheses.
pub fn python_call(tokens: &[TokenTree]) -> Option<Problem> {
    let [TokenTree::Ident(name), arguments] = tokens else {
        return None;
    };
    let name = name.to_string();
    let arguments = inside(std::slice::from_ref(arguments), Delimiter::Parenthesis)?;
    let is_python = matches!(&*name, "slice" | "range" | "int") && !arguments.is_empty();
    is_python.then(|| (0..tokens.len(), messages::python_call(&name, &arguments)))
}

/// Returns the operand at the end of the tokens.
fn base(tokens: &[TokenTree]) -> &[TokenTree] {
    let start = tokens
        .iter()
        .rposition(is_operator)
        .map_or(0, |operator| operator + 1);
    &tokens[start..]
}

/// Returns the mistake in a bound that is an assignment. The message suggests writing only the assigned value.
pub fn assignment(tokens: &[TokenTree]) -> Problem {
    let is_equals = |token: &TokenTree| is_punct(token, '=');
    let Some(equals) = tokens.iter().position(is_equals) else {
        return (0..tokens.len(), messages::assignment(tokens));
    };
    let before = tokens[..equals]
        .iter()
        .rev()
        .take_while(|token| is_operator(token));
    let start = equals - before.count();
    (
        start..equals + 1,
        messages::assignment(&tokens[equals + 1..]),
    )
}

/// Returns the token range in a bound at which the compiler may report an error, and the hint to give in that case.
pub fn hint(tokens: &[TokenTree], parsed: &Expr) -> Option<(std::ops::Range<usize>, &'static str)> {
    match (parsed, tokens) {
        (Expr::Paren(_), [name]) if is_new_axis_in_parentheses(name) => {
            Some((0..1, messages::NEW_AXIS_IN_PARENTHESES_HINT))
        }
        (Expr::Unary(_), [star, name])
            if is_punct(star, '*') && is_any_word(name, "args indices items index idx ix") =>
        {
            Some((0..2, messages::UNPACKING_HINT))
        }
        // In `-n * 2` and `-2 * n`, for example, Rust negates the first factor. If a minus sign precedes a whole bound,
        // the macro itself negates the value, even if its type is unsigned.
        (
            Expr::Binary(_),
            [
                minus,
                operand @ (TokenTree::Ident(_) | TokenTree::Literal(_)),
                operator,
                ..,
            ],
        ) if is_punct(minus, '-') && is_operator(operator) && fits_every_type(operand) => {
            Some((0..2, messages::UNSIGNED_HINT))
        }
        (Expr::Path(path), _) if path.qself.is_none() => {
            let mut before_the_last = path.path.segments.iter().rev().skip(1);
            let is_letter = before_the_last.any(|name| name.ident.to_string().chars().count() == 1);
            is_letter.then_some((0..tokens.len(), messages::TWO_PATHS_HINT))
        }
        _ => None,
    }
}

/// Returns `false` if the token is a literal that does not fit in every integer type. In a block, such a literal would
/// overflow its type even if its negative does not, as in `-128_i8`.
fn fits_every_type(token: &TokenTree) -> bool {
    match token {
        TokenTree::Literal(literal) => literal.to_string().parse::<i8>().is_ok(),
        _ => true,
    }
}

/// Returns whether a token is `(newaxis)`, which stands for a variable named `newaxis`.
pub fn is_new_axis_in_parentheses(token: &TokenTree) -> bool {
    let inner = inside(std::slice::from_ref(token), Delimiter::Parenthesis);
    matches!(inner.as_deref(), Some([word]) if is_word(word, "newaxis"))
}

/// Returns a hint about the correct spelling if a name is nearly `newaxis` or `Ellipsis`.
pub fn misspelling(name: &str) -> Option<&'static str> {
    if are_similar(name, "newaxis") {
        Some(messages::NEW_AXIS_HINT)
    } else if are_similar(name, "Ellipsis") {
        Some(messages::ELLIPSIS_HINT)
    } else {
        None
    }
}

/// Returns whether inserting, deleting or replacing at most two letters turns one name into the other.
fn are_similar(name: &str, wanted: &str) -> bool {
    let name: Vec<char> = name.chars().take(wanted.len() + 3).collect();
    if name.len().abs_diff(wanted.len()) > 2 {
        return false;
    }
    let mut row: Vec<usize> = (0..=name.len()).collect();
    for (i, letter) in wanted.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &other) in name.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[name.len()] <= 2
}

/// Returns the mistake in an item that contains a word from another language in place of an operator or a separator,
/// such as Python's `a in b`.
pub fn side_by_side(item: &RawItem) -> Option<Problem> {
    let tokens = &item.tokens;
    let at = |gap: usize, word: &str| is_word(&tokens[gap], word);
    let &first = item.gaps.first()?;
    let ends_at = |gap: usize| {
        let end = item.colons.iter().copied().find(|&colon| colon > gap);
        end.unwrap_or(tokens.len())
    };
    let begins_at = |gap: usize| {
        let begin = item.colons.iter().copied().rfind(|&colon| colon < gap);
        begin.map_or(0, |colon| colon + 1)
    };
    for &gap in &item.gaps {
        let word = tokens[gap].to_string();
        let (element, list) = (&tokens[begins_at(gap)..gap], &tokens[gap + 1..ends_at(gap)]);
        if word == "in" && !element.is_empty() && !list.is_empty() {
            return Some((gap..gap + 1, messages::python_in(element, list)));
        }
        if matches!(word.as_str(), "and" | "or" | "not" | "is") {
            return Some((gap..gap + 1, messages::python_operator(&word)));
        }
    }
    let start = begins_at(first);
    if is_word(&tokens[start], "not") {
        let operand = &tokens[start + 1..ends_at(first)];
        return Some((start..start + 1, messages::python_not(operand)));
    }
    let end = ends_at(first);
    if at(first, "if")
        && let Some(otherwise) = (first + 1..end).find(|&index| at(index, "else"))
        && otherwise > first + 1
        && otherwise + 1 < end
    {
        let text = messages::conditional(
            &tokens[first + 1..otherwise],
            &tokens[start..first],
            &tokens[otherwise + 1..end],
        );
        return Some((start..end, text));
    }
    if at(first, "to") && item.colons.is_empty() && first > 0 && first + 1 < tokens.len() {
        let (begin, end) = (&tokens[..first], &tokens[first + 1..]);
        let text = messages::range_in_words(begin, end, &python_end(end, true));
        return Some((first..first + 1, text));
    }
    if is_any_word(&tokens[first], "step by") && item.colons.len() == 1 && first + 1 < tokens.len()
    {
        let python_range = format!("{}:{}", text(&tokens[..first]), text(&tokens[first + 1..]));
        return Some((first..first + 1, messages::step(&python_range)));
    }
    None
}

/// Returns the tokens in the brackets of NumPy's `np.s_[1:]`, and the message about this notation.
pub fn numpy_brackets(tokens: &[TokenTree]) -> Option<(Vec<TokenTree>, String)> {
    let [_, dot, name, brackets] = tokens else {
        return None;
    };
    let is_numpy_object = is_punct(dot, '.') && (is_word(name, "s_") || is_word(name, "index_exp"));
    let inner = inside(std::slice::from_ref(brackets), Delimiter::Bracket)?;
    (is_numpy_object && is_slice_syntax(&inner)).then(|| {
        let text = messages::numpy_brackets(&inner);
        (inner, text)
    })
}

/// Returns the mistake in a range in Rust's or ndarray's notation, or in any other item with a semicolon.
pub fn range(item: &RawItem) -> Option<Problem> {
    let tokens = &item.tokens;
    let whole = 0..tokens.len();
    let Some(&dots) = item.ranges.first() else {
        return semicolon(item);
    };
    let inclusive = tokens
        .get(dots + 2)
        .is_some_and(|token| is_punct(token, '='));
    let begin = &tokens[..dots];
    let mut rest =
        tokens[dots + if inclusive { 3 } else { 2 }..].split(|token| is_punct(token, ';'));
    let end = rest.next().unwrap_or_default();
    let Some(step) = rest.next() else {
        let python_range = format!("{}:{}", text(begin), python_end(end, inclusive));
        return Some((whole, messages::rust_range(&python_range)));
    };
    let text = match integer(step) {
        Some(step) if step < 0 => messages::ndarray_negative_step(
            reversed_python_range(begin, end, inclusive, step).as_deref(),
        ),
        _ => messages::step(&format!(
            "{}:{}:{}",
            text(begin),
            python_end(end, inclusive),
            text(step)
        )),
    };
    Some((whole, text))
}

fn semicolon(item: &RawItem) -> Option<Problem> {
    let (&first, tokens) = (item.semicolons.first()?, &item.tokens);
    let one_step = item.semicolons.len() == 1 && item.colons.len() == 1 && item.colons[0] < first;
    let step = tokens.get(first + 1..).unwrap_or_default();
    // A step of zero is another mistake, so the semicolon probably separates items.
    let is_step = !step.is_empty() && integer(step) != Some(0);
    let text = if one_step && is_step {
        messages::step(&format!("{}:{}", text(&tokens[..first]), text(step)))
    } else {
        messages::SEMICOLON.to_owned()
    };
    Some((first..first + 1, text))
}

/// Converts the end of a Rust range to the end of the same range in Python. `inclusive` is `true` if the Rust range
/// includes its end.
fn python_end(end: &[TokenTree], inclusive: bool) -> String {
    match integer(end) {
        _ if !inclusive || end.is_empty() => text(end),
        Some(-1) => String::new(),
        Some(last) => (last + 1).to_string(),
        None => format!("{} + 1", text(end)),
    }
}

/// Translates an ndarray range with a negative step. ndarray first selects the range, and then steps through it from
/// its last element. In Python, the range itself goes backwards. Returns `None` if a bound is not an integer literal,
/// or if the end of ndarray's range is 0 and excluded.
fn reversed_python_range(
    begin: &[TokenTree],
    end: &[TokenTree],
    inclusive: bool,
    step: i128,
) -> Option<String> {
    let first = match (end.is_empty(), integer(end)?) {
        (true, _) => String::new(),
        (false, last) if inclusive => last.to_string(),
        (false, 0) => return None,
        (false, after) => (after - 1).to_string(),
    };
    let last = match (begin.is_empty(), integer(begin)) {
        (true, _) | (false, Some(0)) => String::new(),
        (false, last) => (last? - 1).to_string(),
    };
    Some(format!("{first}:{last}:{step}"))
}

/// Returns the value of an integer literal, or 0 for an omitted bound.
fn integer(tokens: &[TokenTree]) -> Option<i128> {
    if tokens.is_empty() {
        return Some(0);
    }
    match literal::read(tokens)? {
        LiteralBound::Integer(value) => i64::try_from(value).ok().map(i128::from),
        _ => None,
    }
}
