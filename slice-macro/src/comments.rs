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
use crate::notation::ends_operand;
use crate::tokens::{closing, is_group, is_new_axis, is_punct, is_word, opening};
use crate::writer;

/// Reports each comment in a call that may be a division and, among the items of a slice, the first `#`.
pub fn mistakes(tokens: &[TokenTree], context: Context) -> Mistakes {
    let mut mistakes = Mistakes::default();
    if let Some(lines) = lines_of_call(tokens) {
        let call = all_tokens(writer::stream(tokens.to_vec()));
        for token in call.iter().filter(|token| is_dividend(token)) {
            let rest = rest_of_line(&lines, token);
            if let Some(division) = rest.and_then(|rest| division(rest, context, &call)) {
                let text = messages::floor_division(&division);
                mistakes.report(std::slice::from_ref(token), text);
            }
        }
    }
    let mut all = (0..tokens.len()).map(|at| tokens.split_at(at));
    if context == Context::Items
        && let Some((_, rest)) = all.find(|(_, rest)| begins_python_comment(rest))
    {
        mistakes.report(&rest[..1], messages::HASH);
    }
    mistakes
}

/// Returns whether `tokens` begins with a `#`, but not with an attribute.
pub fn begins_python_comment(tokens: &[TokenTree]) -> bool {
    let is_attribute = |next| is_punct(next, '!') || is_group(next, Delimiter::Bracket);
    is_punct(&tokens[0], '#') && !tokens.get(1).is_some_and(is_attribute)
}

thread_local! {
    /// The path and the lines of the last call's file. The next call is nearly always in the same file.
    static LAST_FILE: RefCell<(PathBuf, Rc<[String]>)> = RefCell::default();
}

/// Returns the lines of the file that contains a call, if `//` is in the call's lines. Returns `None` if the compiler does not
/// know the file, if it cannot be read, or if the text of the call differs from its tokens, because another macro has passed
/// some of them on.
fn lines_of_call(tokens: &[TokenTree]) -> Option<Rc<[String]>> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    if !proc_macro::is_available() {
        return None;
    }
    let (first, last) = (opening(first).unwrap(), closing(last).unwrap());
    let path = last.local_file()?;
    let lines = LAST_FILE.with_borrow_mut(|(last_path, lines)| {
        // Comparing `Path`s component by component would be slower.
        if last_path.as_os_str() != path.as_os_str() {
            let text = fs::read_to_string(&path).ok()?;
            *lines = text.lines().map(str::to_owned).collect();
            *last_path = path;
        }
        Some(lines.clone())
    })?;
    let call = lines.get(first.start().line() - 1..last.end().line())?;
    if !call.iter().any(|line| line.contains("//")) {
        return None;
    }
    let text = call.join("\n");
    let after = from_column(call.last()?, last.end().column())?;
    let text = from_column(&text[..text.len() - after.len()], first.start().column())?;
    let without_spaces = |stream: TokenStream| stream.to_string().replace([' ', '\n'], "");
    let written = without_spaces(writer::stream(tokens.to_vec()));
    let is_whole = |read| without_spaces(read) == written;
    text.parse().is_ok_and(is_whole).then_some(lines)
}

/// Returns the part of a text that begins at a column, which is counted from 1.
fn from_column(text: &str, column: usize) -> Option<&str> {
    let starts = text.char_indices().map(|(start, _)| start);
    let start = starts.chain([text.len()]).nth(column - 1)?;
    Some(&text[start..])
}

fn rest_of_line<'l>(lines: &'l [String], token: &TokenTree) -> Option<&'l str> {
    let end = closing(token).unwrap().end();
    from_column(lines.get(end.line() - 1)?, end.column())
}

/// Returns all tokens, including those inside groups. A group precedes the tokens that it contains.
fn all_tokens(stream: TokenStream) -> Vec<TokenTree> {
    let with_contents = |token| {
        let mut all = vec![token];
        if let TokenTree::Group(group) = &all[0] {
            all.extend(all_tokens(group.stream()));
        }
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
    let (divisor, after) = value.split_at(end_of_operand(value));
    let divisor = divisor.trim();
    let tokens = all_tokens(divisor.parse().ok()?);
    let is_separator = |letter: char| letter.is_whitespace() || ",:;)]}".contains(letter);
    let is_alone = after.chars().all(is_separator);
    // Among the items of a slice, a single word is likely to be a comment that names an axis.
    let names_an_axis = context == Context::Items
        && matches!(&*tokens, [TokenTree::Ident(_)])
        && divisor.chars().count() > 1;
    let is_glued = rest.starts_with("//") && !value.starts_with(char::is_whitespace);
    let divides =
        operator == "//=" || is_glued || is_alone && !names_an_axis && is_known(&tokens, call);
    (divides && is_expression(&tokens)).then(|| format!("{operator} {divisor}"))
}

/// Returns whether tokens can be an expression. Unlike in text, no two words or numbers in it are consecutive.
fn is_expression(tokens: &[TokenTree]) -> bool {
    let is_word = |token: &TokenTree| matches!(token, TokenTree::Ident(name) if name != "as");
    let is_text = |token: &TokenTree| is_word(token) || matches!(token, TokenTree::Literal(_));
    let begins = |first: &TokenTree| is_punct(first, '-') || !matches!(first, TokenTree::Punct(_));
    let mut pairs = tokens.windows(2);
    tokens.first().is_some_and(begins)
        && tokens.last().is_some_and(is_dividend)
        && !pairs.any(|pair| is_text(&pair[0]) && is_text(&pair[1]))
}

/// Returns whether tokens consist of numbers, operators and names, and the variables among the names are in the call.
fn is_known(tokens: &[TokenTree], call: &[TokenTree]) -> bool {
    let is_number = |text: String| text.chars().all(|one| "0123456789._iufsze".contains(one));
    let known: Vec<String> = variables(call).collect();
    let mut unknown = variables(tokens).filter(|name| !known.contains(name));
    let is_value = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
        // A suffix such as in `2_i64` is part of a number, unlike `nd` in `2nd`.
        TokenTree::Literal(number) => is_number(number.to_string()),
        _ => true,
    };
    unknown.next().is_none() && tokens.iter().all(is_value)
}

/// Returns the words that can be variables. Fields, methods, functions and types after `as` are no variables.
fn variables(tokens: &[TokenTree]) -> impl Iterator<Item = String> {
    let follows = |at: usize| {
        let before = &tokens[at.saturating_sub(1)];
        is_punct(before, '.') || is_word(before, "as")
    };
    let is_called = |at: usize| matches!(tokens.get(at + 1), Some(next) if is_group(next, Delimiter::Parenthesis));
    let is_variable = move |&at: &usize| {
        matches!(tokens[at], TokenTree::Ident(_)) && !follows(at) && !is_called(at)
    };
    let names = (0..tokens.len()).filter(is_variable);
    names
        .map(|at| tokens[at].to_string())
        .filter(|name| name != "as")
}

/// Returns the position of the first separator or unmatched closing bracket.
fn end_of_operand(text: &str) -> usize {
    let mut depth = 0;
    let end = text.find(|letter| {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        depth < 0 || depth == 0 && ",:;".contains(letter)
    });
    end.unwrap_or(text.len())
}

/// Returns whether a token can be the last token of a dividend.
fn is_dividend(token: &TokenTree) -> bool {
    ends_operand(token) && !is_new_axis(token) && !token.to_string().ends_with('"')
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
