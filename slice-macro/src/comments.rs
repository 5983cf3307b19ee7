//! Detects Python's `//` and `#`. In Python, `//` is a division and `#` begins a comment. In Rust, `//` begins a
//! comment, and `#` does not. Because the text after `//` never reaches a macro, a division by that text would be
//! dropped silently, and can be found only in the source text.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::rc::Rc;
use std::{fs, iter};

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::{Expr, Lit, Token, UnOp};

use crate::fragments::Context;
use crate::messages;
use crate::mistake::Mistakes;
use crate::notation::{is_keyword, is_operator};
use crate::tokens::{closing, is_group, is_punct, opening};

/// Reports each `//` that may be a division, and each `#` outside inner brackets that may begin a comment. Returns the
/// tokens that Python would read: the text after each reported `//` outside inner brackets is included, and the comment
/// after each reported `#` is omitted.
pub fn mistakes(tokens: &[TokenTree]) -> (Mistakes, Cow<'_, [TokenTree]>) {
    let mut mistakes = Mistakes::default();
    let divisions = divisions(tokens, Context::Items, &mut mistakes);
    let mut tokens = Cow::Borrowed(tokens);
    for (at, comment) in divisions.into_iter().rev() {
        let slash = TokenTree::from(Punct::new('/', Spacing::Alone));
        tokens
            .to_mut()
            .splice(at..at, iter::once(slash).chain(comment));
    }
    while let Some(at) = hash(&tokens) {
        mistakes.report(&tokens[at..=at], messages::hash());
        let is_comment = |token: &&TokenTree| !begins_line(&tokens[at], token);
        let end = at + tokens[at..].iter().take_while(is_comment).count();
        tokens.to_mut().drain(at..end);
    }
    (mistakes, tokens)
}

/// Returns the index of the first `#` that does not begin an attribute.
fn hash(tokens: &[TokenTree]) -> Option<usize> {
    let is_attribute = |next: &TokenTree| is_punct(next, '!') || is_group(next, Delimiter::Bracket);
    tokens.iter().enumerate().position(|(at, token)| {
        is_punct(token, '#') && !tokens.get(at + 1).is_some_and(is_attribute)
    })
}

/// Returns whether `token` is known to begin on a line after the line of `before`.
fn begins_line(before: &TokenTree, token: &TokenTree) -> bool {
    proc_macro::is_available() && opening(token).unwrap().line() != closing(before).unwrap().line()
}

/// Reports each comment that may be a division. Returns the content of each such comment outside inner brackets, with
/// the index in `tokens` at which to insert it.
pub fn divisions(
    tokens: &[TokenTree],
    context: Context,
    mistakes: &mut Mistakes,
) -> Vec<(usize, TokenStream)> {
    let Some(lines) = Lines::of_call(tokens) else {
        return Vec::new();
    };
    // If another macro passes the input on, as in `m!(n // 2`, the comment after it is not in the brackets of this macro.
    let are_adjacent = |pair: &[TokenTree]| lines.is_adjacent(&pair[0], opening(&pair[1]));
    let is_direct = tokens.windows(2).all(are_adjacent)
        && lines.text_before(&tokens[0]).is_none_or(|text| {
            let call = text.trim_end().trim_end_matches(['(', '[', '{']).trim_end();
            let names = ["s!", "py!", "named!"];
            text.trim().is_empty() || names.iter().any(|name| call.ends_with(name))
        });
    let tokens_before_end = match is_direct {
        true => tokens,
        false => &tokens[..tokens.len() - 1],
    };
    report_divisions(&lines, (tokens, context), tokens_before_end, None, mistakes)
}

/// A file's path and lines.
type File = Rc<(PathBuf, Vec<String>)>;

/// The lines of a macro call, from its first token to its last.
struct Lines {
    file: File,
    numbers: RangeInclusive<usize>,
}

thread_local! {
    /// The file of the last call. The next call is nearly always in the same file.
    static LAST_FILE: RefCell<Option<File>> = const { RefCell::new(None) };
}

impl Lines {
    /// Returns the lines of the call that contains `tokens`, if any of them contains `//`. Comments do not reach a macro,
    /// so they can be read only in the source file. This is the only function that opens it, and it returns no line outside
    /// the call. Returns `None` if the compiler does not know the file, or if it cannot be read.
    fn of_call(tokens: &[TokenTree]) -> Option<Lines> {
        let (first, last) = (tokens.first()?, tokens.last()?);
        if !proc_macro::is_available() {
            return None;
        }
        let numbers = opening(first).unwrap().line()..=closing(last).unwrap().line();
        let path = last.span().unwrap().local_file()?;
        let file = LAST_FILE.with_borrow_mut(|file| {
            // Comparing `Path`s component by component would be slower.
            let is_same = |file: &File| file.0.as_os_str() == path.as_os_str();
            if !file.as_ref().is_some_and(is_same) {
                let text = fs::read_to_string(&path).ok()?;
                let lines = text.lines().map(str::to_owned).collect();
                *file = Some(Rc::new((path, lines)));
            }
            file.clone()
        })?;
        let lines = Lines { file, numbers };
        let has_slashes = |number| lines.get(number).is_some_and(|line| line.contains("//"));
        lines.numbers.clone().any(has_slashes).then_some(lines)
    }

    /// Returns the line with a number, which is counted from 1.
    fn get(&self, number: usize) -> Option<&str> {
        let is_in_call = self.numbers.contains(&number);
        is_in_call
            .then(|| self.file.1.get(number - 1))?
            .map(String::as_str)
    }

    /// Returns the text before a token on its line.
    fn text_before(&self, token: &TokenTree) -> Option<String> {
        let start = opening(token).unwrap().start();
        let line = self.get(start.line())?;
        Some(line.chars().take(start.column() - 1).collect())
    }

    /// Returns whether there are only spaces and comments between a token and the token after it. Tokens joined by another
    /// macro are not adjacent.
    fn is_adjacent(&self, token: &TokenTree, next: Span) -> bool {
        let (end, start) = (closing(token).unwrap().end(), next.unwrap().start());
        (end.line()..=start.line()).all(|number| {
            let skipped = if number == end.line() {
                end.column() - 1
            } else {
                0
            };
            let is_last = number == start.line();
            let taken = if is_last {
                start.column() - 1
            } else {
                usize::MAX
            };
            self.get(number).is_some_and(|line| {
                let text: String = line.chars().take(taken).skip(skipped).collect();
                let text = text.trim_start();
                text.is_empty() || !is_last && text.starts_with("//")
            })
        }) && (end.line(), end.column()) <= (start.line(), start.column())
    }

    /// Returns the comment between a token and the token after it, or the rest of the call. Returns `None` if there is
    /// anything but a comment on the rest of the line.
    fn comment_after(&self, token: &TokenTree, next: Option<Span>) -> Option<&str> {
        let end = closing(token).unwrap().end();
        if next.is_some_and(|next| !self.is_adjacent(token, next)) {
            return None;
        }
        let line = self.get(end.line())?;
        let mut starts = line
            .char_indices()
            .map(|(start, _)| start)
            .chain([line.len()]);
        let rest = &line[starts.nth(end.column() - 1)?..];
        rest.trim_start().starts_with("//").then_some(rest)
    }
}

/// Returns whether the tokens contain `name`, except directly after a dot.
fn contains_name(tokens: &[TokenTree], name: &Ident) -> bool {
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(ident) => ident == name && !(at > 0 && is_punct(&tokens[at - 1], '.')),
        TokenTree::Group(group) => {
            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
            contains_name(&inside, name)
        }
        _ => false,
    })
}

/// For each operand in `tokens` that precedes a comment on the same line, reports the comment if it may be a division.
/// `all` is the whole input of the macro, and `end` is the closing bracket after `tokens`. Returns the comments as
/// [`divisions`] does.
fn report_divisions(
    lines: &Lines,
    (all, context): (&[TokenTree], Context),
    tokens: &[TokenTree],
    end: Option<Span>,
    mistakes: &mut Mistakes,
) -> Vec<(usize, TokenStream)> {
    let mut comments = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
            let end = group.delimiter() != Delimiter::None;
            let end = end.then(|| group.span_close());
            report_divisions(lines, (all, context), &inside, end, mistakes);
        }
        let next = tokens.get(at + 1).map(opening).or(end);
        if ends_operand(token)
            && let Some(rest) = lines.comment_after(token, next)
            && let Some(Divisor { divisor, assigns }) =
                divisor(rest, context, |name| contains_name(all, name))
        {
            let operand = operand_of(&tokens[..=at]);
            let message = match assigns {
                true => messages::floor_division_assigned(operand, divisor),
                false => messages::floor_division(operand, divisor),
            };
            mistakes.report(operand, message);
            let comment = rest.trim_start().trim_start_matches('/');
            let comment = comment.parse().unwrap_or_default();
            comments.push((at + 1, with_span(comment, token.span())));
        }
    }
    comments
}

/// Returns the tokens with `span`, the span of one of the caller's tokens, so that names resolve in the caller's scope.
fn with_span(tokens: TokenStream, span: Span) -> TokenStream {
    let located = tokens.into_iter().map(|mut token| {
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), with_span(group.stream(), span)).into();
        }
        token.set_span(span);
        token
    });
    located.collect()
}

/// Returns the operand at the end of the tokens.
fn operand_of(tokens: &[TokenTree]) -> &[TokenTree] {
    let separator = |token: &TokenTree| [',', ':', ';'].iter().any(|&sign| is_punct(token, sign));
    let before = |token: &TokenTree| is_operator(token) || separator(token);
    let start = tokens.iter().rposition(before).map_or(0, |sign| sign + 1);
    &tokens[start..]
}

/// Returns the divisor if `rest`, the rest of a line after an operand, appears to be a division, or `None` if it
/// appears to be an ordinary comment. A division has one of three forms: it begins with `//=`; it has no space on
/// either side of `//` and no two consecutive words after it; or it consists of `//` and a divisor that contains only
/// numbers and names for which `known` returns `true`.
fn divisor(rest: &str, context: Context, known: impl Fn(&Ident) -> bool) -> Option<Divisor<'_>> {
    let comment = rest.trim_start().strip_prefix("//")?;
    if let Some(value) = comment.strip_prefix('=')
        && !value.starts_with(['=', '>', '-', '/'])
        && !value.trim().is_empty()
    {
        let divisor = operand(value);
        let assigns = true;
        return Some(Divisor { divisor, assigns });
    }
    let divisor = operand(comment);
    let after = &comment[comment.find(divisor).unwrap_or_default() + divisor.len()..];
    let is_only_divisor = after
        .chars()
        .all(|letter| letter.is_whitespace() || ",:;)]}".contains(letter));
    let is_glued = rest.starts_with("//")
        && comment.starts_with(|first: char| first.is_alphanumeric() || "_(-".contains(first));
    let is_value = || {
        // Among the items of a slice, a single word after `//` is likely to be a comment that names an axis.
        let is_word = context == Context::Items
            && divisor.chars().count() > 1
            && divisor
                .chars()
                .all(|letter| letter.is_alphabetic() || letter == '_');
        !is_word && syn::parse_str(divisor).is_ok_and(|divisor| is_value(&divisor, &known))
    };
    let assigns = false;
    let divides = is_glued && !has_two_words(comment) || is_only_divisor && is_value();
    divides.then_some(Divisor { divisor, assigns })
}

/// A divisor in a comment.
#[derive(Debug, PartialEq, Eq)]
struct Divisor<'a> {
    divisor: &'a str,
    /// Whether the operator is `//=`.
    assigns: bool,
}

/// Returns whether an expression consists of numbers and known names.
fn is_value(expression: &Expr, known: &impl Fn(&Ident) -> bool) -> bool {
    let are_values =
        |list: &Punctuated<Expr, Token![,]>| list.iter().all(|one| is_value(one, known));
    match expression {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => is_suffix(number.suffix()),
            Lit::Float(number) => is_suffix(number.suffix()),
            _ => false,
        },
        Expr::Path(path) => path.path.get_ident().is_some_and(known),
        Expr::Paren(paren) => is_value(&paren.expr, known),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && is_value(&unary.expr, known),
        Expr::Binary(binary) => is_value(&binary.left, known) && is_value(&binary.right, known),
        Expr::Cast(cast) => is_value(&cast.expr, known),
        Expr::Field(field) => is_value(&field.base, known),
        Expr::Index(index) => is_value(&index.expr, known),
        Expr::MethodCall(call) => is_value(&call.receiver, known) && are_values(&call.args),
        Expr::Call(call) => !call.args.is_empty() && are_values(&call.args),
        _ => false,
    }
}

/// Returns whether `text` may be the suffix of a number in Rust, unlike `nd` in `2nd`.
fn is_suffix(text: &str) -> bool {
    let digits = text.strip_prefix(['i', 'u', 'f']);
    text.is_empty() || digits.is_some_and(|digits| digits == "size" || digits.parse::<u8>().is_ok())
}

/// Returns the text before the first separator or unmatched closing bracket.
fn operand(text: &str) -> &str {
    let mut depth = 0;
    let end = text.find(|letter| match letter {
        '(' | '[' | '{' => {
            depth += 1;
            false
        }
        ')' | ']' | '}' => {
            depth -= 1;
            depth < 0
        }
        ',' | ':' | ';' => depth == 0,
        _ => false,
    });
    text[..end.unwrap_or(text.len())].trim()
}

/// Returns whether the text contains two consecutive words.
fn has_two_words(text: &str) -> bool {
    let is_word = |text: &str| text.ends_with(|last: char| last.is_alphanumeric());
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        if is_word(word)
            && words
                .peek()
                .is_some_and(|next| next.starts_with(|first: char| first.is_alphabetic()))
        {
            return true;
        }
    }
    false
}

/// Returns whether a token can be the last token of a dividend.
fn ends_operand(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(word) => {
            let word = word.to_string();
            !is_keyword(&word) && word != "None" && word != "newaxis"
        }
        TokenTree::Literal(literal) => literal
            .to_string()
            .starts_with(|first: char| first.is_ascii_digit()),
        TokenTree::Group(group) => matches!(
            group.delimiter(),
            Delimiter::Parenthesis | Delimiter::Bracket
        ),
        TokenTree::Punct(question) => question.as_char() == '?',
    }
}

#[cfg(test)]
mod tests {
    use super::{Context, divisor};

    fn is_division_in(rest: &str, context: Context) -> bool {
        divisor(rest, context, |name| {
            ["n", "x", "rows"].iter().any(|known| name == known)
        })
        .is_some()
    }

    fn is_division(rest: &str) -> bool {
        is_division_in(rest, Context::Items)
    }

    #[test]
    fn a_known_word_is_a_comment_among_items_but_a_divisor_in_code() {
        assert!(!is_division(" // rows"));
        assert!(is_division_in(" // rows", Context::Code));
        assert!(is_division_in(" // rows)", Context::Code));
        assert!(!is_division_in(" // rows of it", Context::Code));
    }

    #[test]
    fn floor_division_is_recognized() {
        for rest in [
            "// 2",
            " // 2,",
            "//2, 0]",
            "//n",
            "//len(n)",
            " // n",
            " // n)",
            " // (n + 1)",
            " // n - 1]);",
            " // x[0]",
            " // len(x)",
            " // 2.0 * n",
            " // 3 + 1,",
            " // n as f64",
            " // x.len() / 2",
            " // -2",
            " //= 2;",
            "//=2;",
            " //= n + 1;",
        ] {
            assert!(is_division(rest), "{rest}");
        }
    }

    #[test]
    fn ordinary_comments_are_not_divisions() {
        for rest in [
            "",
            " ",
            " / 2",
            " // rows",
            " // n rows",
            " // 2 of them",
            " // x[1:] is not read here",
            " // x-axis",
            " // 2nd",
            "//2nd part",
            " // non-negative",
            " // see f()",
            " // rows, columns",
            " // n, m: as above",
            " //",
            " ///",
            " // ----",
            " //=====",
            " //=> 2",
            "//rows of it",
            " // m / n",
            " // {",
            " // a(m)",
        ] {
            assert!(!is_division(rest), "{rest}");
        }
    }
}
