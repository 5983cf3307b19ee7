//! Detects Python's `//` and `#`. In Python, `//` is a division and `#` begins a comment. In Rust, `//` begins a
//! comment, and `#` does not. Because the text after `//` never reaches a macro, a division by that text would be
//! dropped silently, and can be found only in the source text.

use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;
use std::rc::Rc;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::fragments::Context;
use crate::messages;
use crate::mistake::Mistakes;
use crate::notation::is_keyword;
use crate::tokens::{closing, is_group, is_punct, is_word, opening};
use crate::writer;

/// Reports each comment in a call that may be a division and, among the items of a slice, the first `#`.
pub fn mistakes(tokens: &[TokenTree], context: Context) -> Mistakes {
    let mut mistakes = Mistakes::default();
    if let Some(file) = file_of_call(tokens) {
        let all = all_tokens(writer::stream(tokens.to_vec()));
        for token in all.iter().filter(|token| ends_operand(token)) {
            let comment = comment_after(&file.1, token);
            if let Some(division) = comment.and_then(|rest| division(rest, context, &all)) {
                mistakes.report(
                    std::slice::from_ref(token),
                    messages::floor_division(&division),
                );
            }
        }
    }
    let is_attribute = |next: &TokenTree| is_punct(next, '!') || is_group(next, Delimiter::Bracket);
    let hash = tokens
        .iter()
        .enumerate()
        .find(|&(at, token)| is_punct(token, '#') && !tokens.get(at + 1).is_some_and(is_attribute));
    if let (Context::Items, Some((at, _))) = (context, hash) {
        mistakes.report(&tokens[at..=at], messages::HASH);
    }
    mistakes
}

/// A file's path and lines.
type File = Rc<(PathBuf, Vec<String>)>;

thread_local! {
    /// The file of the last call. The next call is nearly always in the same file.
    static LAST_FILE: RefCell<Option<File>> = const { RefCell::new(None) };
}

/// Returns the file that contains a call, if the text from the call's first token to its last contains `//`. Comments do not
/// reach a macro, so they can be read only in the source file. Returns `None` if the compiler does not know the file, if
/// it cannot be read, or if the text differs from the tokens, because another macro has passed some of them on.
fn file_of_call(tokens: &[TokenTree]) -> Option<File> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    if !proc_macro::is_available() {
        return None;
    }
    let (start, end) = (
        opening(first).unwrap().start(),
        closing(last).unwrap().end(),
    );
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
    let lines = file.1.get(start.line() - 1..end.line())?;
    if !lines.iter().any(|line| line.contains("//")) {
        return None;
    }
    let mut text = lines.join("\n");
    let (before, after) = (
        start.column() - 1,
        from_column(lines.last()?, end.column())?,
    );
    text.truncate(text.len() - after.len());
    let text: String = text.chars().skip(before).collect();
    let without_spaces = |stream: TokenStream| stream.to_string().replace([' ', '\n'], "");
    let written = without_spaces(writer::stream(tokens.to_vec()));
    let is_whole = |read| without_spaces(read) == written;
    text.parse().is_ok_and(is_whole).then_some(file)
}

/// Returns the part of a line that begins at a column, which is counted from 1.
fn from_column(line: &str, column: usize) -> Option<&str> {
    let mut starts = line
        .char_indices()
        .map(|(start, _)| start)
        .chain([line.len()]);
    Some(&line[starts.nth(column - 1)?..])
}

/// Returns the rest of the line after a token, if it is a comment.
fn comment_after<'l>(lines: &'l [String], token: &TokenTree) -> Option<&'l str> {
    let end = closing(token).unwrap().end();
    let rest = from_column(lines.get(end.line() - 1)?, end.column())?;
    rest.trim_start().starts_with("//").then_some(rest)
}

/// Returns all tokens, including those inside groups. A group follows the tokens that it contains.
fn all_tokens(stream: TokenStream) -> Vec<TokenTree> {
    let with_contents = |token| {
        let mut all = match &token {
            TokenTree::Group(group) => all_tokens(group.stream()),
            _ => Vec::new(),
        };
        all.push(token);
        all
    };
    stream.into_iter().flat_map(with_contents).collect()
}

/// Returns the operator and the divisor if `rest`, the rest of a line after an operand, appears to be a division, and `None`
/// if it appears to be an ordinary comment. In a division, the comment is an expression. Either it follows `//=`, or there
/// is no space on either side of `//`, or it consists of numbers and of names in the call.
fn division(rest: &str, context: Context, call: &[TokenTree]) -> Option<String> {
    let comment = rest.trim_start().strip_prefix("//")?;
    let (operator, value) = match comment.strip_prefix('=') {
        Some(value) => ("//=", value),
        None => ("//", comment),
    };
    let divisor = operand(value);
    let after = &value[value.find(divisor)? + divisor.len()..];
    let is_alone = after
        .chars()
        .all(|letter| letter.is_whitespace() || ",:;)]}".contains(letter));
    // Among the items of a slice, a single word is likely to be a comment that names an axis.
    let is_letter = |letter: char| letter.is_alphabetic() || letter == '_';
    let names_an_axis =
        context == Context::Items && divisor.chars().count() > 1 && divisor.chars().all(is_letter);
    let is_glued = rest.starts_with("//") && !value.starts_with(char::is_whitespace);
    let tokens: TokenStream = divisor.parse().ok()?;
    let divides = operator == "//="
        || is_glued
        || is_alone && !names_an_axis && is_value(tokens.clone(), call);
    (divides && is_expression(tokens)).then(|| format!("{operator} {divisor}"))
}

/// Returns whether tokens can be an expression. Unlike in text, no two words or numbers in it are consecutive.
fn is_expression(stream: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let is_word = |token: &TokenTree| matches!(token, TokenTree::Ident(name) if name != "as");
    let is_text = |token: &TokenTree| is_word(token) || matches!(token, TokenTree::Literal(_));
    let begins = |first: &TokenTree| is_punct(first, '-') || !matches!(first, TokenTree::Punct(_));
    tokens.first().is_some_and(begins)
        && tokens.last().is_some_and(ends_operand)
        && !tokens
            .windows(2)
            .any(|pair| is_text(&pair[0]) && is_text(&pair[1]))
}

/// Returns whether tokens consist of numbers, operators, types after `as`, and names that are in the call, except directly
/// after a dot.
fn is_value(stream: TokenStream, call: &[TokenTree]) -> bool {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let follows_dot = |tokens: &[TokenTree], at: usize| at > 0 && is_punct(&tokens[at - 1], '.');
    let is_in_call = |name: &TokenTree| {
        let mut same = call
            .iter()
            .enumerate()
            .filter(|(_, token)| token.to_string() == name.to_string());
        same.any(|(at, _)| !follows_dot(call, at))
    };
    tokens.iter().enumerate().all(|(at, token)| match token {
        TokenTree::Group(group) => {
            group.delimiter() != Delimiter::Brace && is_value(group.stream(), call)
        }
        TokenTree::Ident(name) => {
            let is_called = tokens
                .get(at + 1)
                .is_some_and(|next| is_group(next, Delimiter::Parenthesis));
            let is_type = at > 0 && is_word(&tokens[at - 1], "as");
            name == "as" || is_called || is_type || follows_dot(&tokens, at) || is_in_call(token)
        }
        // A suffix such as in `2_i64` is part of a number, unlike `nd` in `2nd`.
        TokenTree::Literal(number) => number
            .to_string()
            .chars()
            .all(|letter| "0123456789._iufsze".contains(letter)),
        TokenTree::Punct(_) => true,
    })
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
    use super::{Context, TokenTree, all_tokens, division};

    fn is_division_in(rest: &str, context: Context) -> bool {
        let call: Vec<TokenTree> = all_tokens("n + x + rows".parse().unwrap());
        division(rest, context, &call).is_some()
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
