//! Python syntax that Rust's parser refuses: one message on its first token, with a correction.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

use super::messages::with_help;
use crate::notation::is_keyword;
use crate::text::text;
use crate::tokens::{is_group, is_joint, is_punct, is_word};

/// The first piece of Python in tokens that are not Rust.
pub fn mistake(stream: TokenStream) -> Option<syn::Error> {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let statements = tokens.split(|token| is_punct(token, ';'));
    let found = statements.into_iter().find_map(statement);
    found.or_else(|| {
        tokens.iter().find_map(|token| match token {
            TokenTree::Group(group) => mistake(group.stream()),
            _ => None,
        })
    })
}

fn statement(tokens: &[TokenTree]) -> Option<syn::Error> {
    (0..tokens.len()).find_map(|at| {
        let (before, here, after) = (&tokens[..at], &tokens[at], &tokens[at + 1..]);
        let operand = before.last().is_some_and(ends_operand);
        match here {
            TokenTree::Punct(_) if is_punct(here, '#') => comment(here.span(), after),
            TokenTree::Punct(_) if operand => {
                operator(before, here, after).or_else(|| sign(before, here, after))
            }
            TokenTree::Punct(_) => prefix(here, after),
            TokenTree::Ident(word) => {
                let word = word.to_string();
                word_of_python(&word, tokens, at, operand)
                    .or_else(|| statement_of_python(&word, tokens, at, operand))
            }
            TokenTree::Group(group) => brackets(before, group, operand),
            _ => None,
        }
    })
}

fn comment(span: Span, after: &[TokenTree]) -> Option<syn::Error> {
    let attribute = after
        .first()
        .is_some_and(|next| is_punct(next, '!') || is_group(next, Delimiter::Bracket));
    (!attribute).then(|| {
        with_help(
            span,
            "`#` does not begin a comment in Rust",
            "write `//` in front of a comment",
        )
    })
}

/// Operators that Rust does not have, after an operand.
fn operator(before: &[TokenTree], here: &TokenTree, after: &[TokenTree]) -> Option<syn::Error> {
    let twice = |sign| {
        is_punct(here, sign)
            && is_joint(here)
            && after.first().is_some_and(|next| is_punct(next, sign))
    };
    for sign in ['+', '-'] {
        if twice(sign) && after.len() == 1 {
            return Some(with_help(
                here.span(),
                &format!("`{sign}{sign}` is not an operator in Rust"),
                &format!("write `{} {sign}= 1`", text(operand_at_end(before))),
            ));
        }
    }
    if twice('*') && after.get(1).is_some_and(|next| is_punct(next, '=')) {
        let target = text(operand_at_end(before));
        return Some(with_help(
            here.span(),
            "`**=` is not an operator in Rust",
            &format!("write `{target} = {target}.mapv(|v| v.powi(n))`"),
        ));
    }
    if is_punct(here, ':')
        && is_joint(here)
        && after.first().is_some_and(|next| is_punct(next, '='))
    {
        return Some(with_help(
            here.span(),
            "`:=` is not an operator in Rust",
            "write `=`, or `let` and `=` for a new variable",
        ));
    }
    if is_punct(here, ',')
        && let Some(equals) = after.iter().position(|token| is_punct(token, '='))
        && !after[..equals].iter().any(|token| is_word(token, "let"))
        && !before
            .iter()
            .any(|token| is_punct(token, '=') || is_punct(token, '|'))
        && !(after
            .get(equals + 1)
            .is_some_and(|next| is_punct(next, '>') || is_punct(next, '=')))
    {
        let targets = match before {
            [first, rest @ ..] if is_word(first, "let") => rest,
            all => all,
        };
        if !targets.iter().chain(&after[..equals]).all(is_name_or_comma) {
            return Some(with_help(
                here.span(),
                "a slice cannot be one of several targets",
                "write one statement for each target",
            ));
        }
        let names: Vec<TokenTree> = targets
            .iter()
            .chain([here])
            .chain(&after[..equals])
            .cloned()
            .collect();
        return Some(with_help(
            here.span(),
            "several targets are a pattern in Rust",
            &format!(
                "write `let [{}] = {};`",
                text(&names),
                text(&after[equals + 1..])
            ),
        ));
    }
    None
}

fn is_name_or_comma(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(_)) || is_punct(token, ',')
}

fn word_of_python(
    word: &str,
    tokens: &[TokenTree],
    at: usize,
    operand: bool,
) -> Option<syn::Error> {
    let (before, span, after) = (&tokens[..at], tokens[at].span(), &tokens[at + 1..]);
    let operand_follows = after.first().is_some_and(begins_operand);
    match word {
        "not" if !operand && operand_follows => Some(with_help(
            span,
            "`not` is not an operator in Rust",
            &negated(condition(after)),
        )),
        "and" | "or" if operand && operand_follows => {
            let (rust, of_arrays) = if word == "and" {
                ("&&", "&")
            } else {
                ("||", "|")
            };
            Some(with_help(
                span,
                &format!("`{word}` is not an operator in Rust"),
                &format!("write `{rust}`, or `{of_arrays}` between arrays of `bool`"),
            ))
        }
        "is" if operand && operand_follows => Some(with_help(
            span,
            "`is` is not an operator in Rust",
            "write `==`",
        )),
        "lambda" if !operand && operand_follows => {
            let colon = after.iter().position(|token| is_punct(token, ':'))?;
            Some(with_help(
                span,
                "`lambda` is not a word of Rust",
                &format!(
                    "write a closure, `|{}| {}`",
                    text(&after[..colon]),
                    text(&after[colon + 1..])
                ),
            ))
        }
        "if" if operand => {
            let otherwise = after.iter().position(|token| is_word(token, "else"))?;
            let (condition, rest) = (&after[..otherwise], &after[otherwise + 1..]);
            if condition
                .iter()
                .any(|token| is_group(token, Delimiter::Brace))
            {
                return None;
            }
            let start = before
                .iter()
                .rposition(|token| is_punct(token, '=') || is_punct(token, ','))
                .map_or(0, |at| at + 1);
            Some(with_help(
                span,
                "a conditional is written as in Rust",
                &format!(
                    "write `if {} {{ {} }} else {{ {} }}`",
                    text(condition),
                    text(&before[start..]),
                    text(rest)
                ),
            ))
        }
        _ => None,
    }
}

/// Returns the tokens before the braces, the separator or the word that ends a condition.
fn condition(tokens: &[TokenTree]) -> &[TokenTree] {
    let end = tokens.iter().position(|token| {
        is_group(token, Delimiter::Brace)
            || [',', ';'].iter().any(|&sign| is_punct(token, sign))
            || ["and", "or", "else"]
                .iter()
                .any(|word| is_word(token, word))
    });
    &tokens[..end.unwrap_or(tokens.len())]
}

fn negated(condition: &[TokenTree]) -> String {
    match condition {
        [_] => format!("write `!{}`", text(condition)),
        condition => format!("write `!({})`", text(condition)),
    }
}

/// Signs that Rust does not have between operands, or does not take twice.
fn sign(before: &[TokenTree], here: &TokenTree, after: &[TokenTree]) -> Option<syn::Error> {
    let next_is = |sign| is_joint(here) && after.first().is_some_and(|next| is_punct(next, sign));
    if is_punct(here, '<') && next_is('>') {
        return Some(with_help(
            here.span(),
            "`<>` is not an operator in Rust",
            "write `!=`",
        ));
    }
    if is_punct(here, '.') && after.first().is_some_and(|next| is_punct(next, '*')) {
        return Some(with_help(
            here.span(),
            "`.*` is not an operator in Rust",
            "write `*`, which multiplies elements",
        ));
    }
    let is_comparison = |token: &TokenTree| is_punct(token, '<') || is_punct(token, '>');
    let is_arrow = |at: usize, tokens: &[TokenTree]| {
        at > 0 && (is_punct(&tokens[at - 1], '-') || is_punct(&tokens[at - 1], '='))
    };
    if is_comparison(here)
        && !is_arrow(before.len(), before)
        && !before.iter().any(|token| is_punct(token, ':'))
    {
        let part_end = after
            .iter()
            .position(|token| is_punct(token, '&') || is_punct(token, '|') || is_punct(token, ','));
        let chained = after.iter().position(is_comparison)?;
        let middle = &after[..chained];
        let is_other = |token: &TokenTree| {
            is_group(token, Delimiter::Brace)
                || matches!(token, TokenTree::Ident(word) if is_python(&word.to_string()))
        };
        if middle.is_empty()
            || middle.iter().any(is_other)
            || middle.iter().any(|token| is_punct(token, ':'))
            || is_arrow(chained, after)
        {
            return None;
        }
        let between = text(middle);
        return Some(match part_end.filter(|&end| end < chained) {
            Some(_) => with_help(
                here.span(),
                "comparisons bind less strongly than `&` and `|`",
                "write each comparison in parentheses, `(x[1:] > 1.0) & (x[1:] < 3.0)`",
            ),
            None => with_help(
                here.span(),
                "comparisons cannot be chained in Rust",
                &format!(
                    "write `({} {here} {between}) & ({between} {} {})`, and `&&` between numbers",
                    text(operand_at_end(before)),
                    text(&after[chained..=chained]),
                    text(condition(&after[chained + 1..]))
                ),
            ),
        });
    }
    None
}

/// Signs that Rust does not have before an operand.
fn prefix(here: &TokenTree, after: &[TokenTree]) -> Option<syn::Error> {
    let operand = after.first().is_some_and(begins_operand);
    match here {
        _ if is_punct(here, '~') && operand => Some(with_help(
            here.span(),
            "`~` is not an operator in Rust",
            "write `!`",
        )),
        _ if is_punct(here, '+') && !is_joint(here) && operand => Some(with_help(
            here.span(),
            "`+` is not a sign in Rust",
            "remove it",
        )),
        _ => None,
    }
}

/// Brackets that Python reads and Rust does not: items without a comma, a slice in parentheses, a list made by a loop.
fn brackets(before: &[TokenTree], group: &Group, operand: bool) -> Option<syn::Error> {
    let inside: Vec<TokenTree> = group.stream().into_iter().collect();
    let ends = |token: &TokenTree| matches!(token, TokenTree::Literal(_)) || ends_operand(token);
    match group.delimiter() {
        Delimiter::Bracket => {
            if let Some(at) = inside.iter().position(|token| is_word(token, "for"))
                && at > 0
                && let Some(of) = inside.iter().position(|token| is_word(token, "in"))
                && of > at
            {
                let help = format!(
                    "write `{}.iter().map(|{}| {}).collect::<Vec<_>>()`, or `.mapv(...)` for an array",
                    text(&inside[of + 1..]),
                    text(&inside[at + 1..of]),
                    text(&inside[..at])
                );
                return Some(with_help(
                    inside[at].span(),
                    "a list is not made by a loop in brackets in Rust",
                    &help,
                ));
            }
            if let [TokenTree::Group(items)] = inside.as_slice()
                && operand
                && items.delimiter() == Delimiter::Parenthesis
                && items
                    .stream()
                    .into_iter()
                    .any(|token| is_punct(&token, ':'))
            {
                let items: Vec<TokenTree> = items.stream().into_iter().collect();
                return Some(with_help(
                    inside[0].span(),
                    "the items of a slice are not in parentheses",
                    &format!("write `{}[{}]`", text(operand_at_end(before)), text(&items)),
                ));
            }
            let pair = inside.windows(2).find(|pair| {
                operand
                    && ends(&pair[0])
                    && matches!(pair[1], TokenTree::Literal(_) | TokenTree::Ident(_))
                    && !matches!(&pair[1], TokenTree::Ident(word) if is_keyword(&word.to_string()))
            })?;
            Some(with_help(
                pair[1].span(),
                "a comma is missing before this",
                &format!("write `{}, {}`", text(&pair[..1]), text(&pair[1..])),
            ))
        }
        Delimiter::Parenthesis => {
            let colon = inside.iter().enumerate().position(|(at, token)| {
                is_punct(token, ':')
                    && !is_joint(token)
                    && !(at > 0 && is_punct(&inside[at - 1], ':'))
            })?;
            let is_closure = inside[..colon].iter().any(|token| is_punct(token, '|'));
            let is_name = matches!(before, [.., TokenTree::Ident(_)])
                && !matches!(before, [.., dot, _] if is_punct(dot, '.'));
            let is_other = before.iter().any(|token| is_word(token, "fn"))
                || inside.iter().any(|token| is_word(token, "lambda"));
            (is_name && !is_closure && !is_other).then(|| {
                with_help(
                    group.span_open(),
                    "a slice is written in brackets",
                    &format!(
                        "write `{}[{}]`",
                        text(operand_at_end(before)),
                        text(&inside)
                    ),
                )
            })
        }
        _ => None,
    }
}

/// Words with which Python's statements begin, and blocks after `:`.
fn statement_of_python(
    word: &str,
    tokens: &[TokenTree],
    at: usize,
    operand: bool,
) -> Option<syn::Error> {
    let (span, after) = (tokens[at].span(), &tokens[at + 1..]);
    let first = at == 0
        || matches!(&tokens[at - 1], TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let operand_follows = after.first().is_some_and(begins_operand);
    let no = |help: &str| {
        Some(with_help(
            span,
            &format!("`{word}` is not a word of Rust"),
            help,
        ))
    };
    match word {
        "elif" if operand_follows => no("write `else if`"),
        "del" if first && operand_follows => {
            let is_part = matches!(after.last(), Some(last) if is_group(last, Delimiter::Bracket));
            no(&match is_part {
                true => "elements cannot be removed from an array: assign the rest to a variable; of a `Vec`, write `v.drain(1..)`".to_owned(),
                false => format!("write `drop({})`", text(condition(after))),
            })
        }
        "where" if operand_follows && is_of_numpy(&tokens[..at]) => Some(with_help(
            span,
            "there is no `np.where` in Rust",
            "write `x[1:].mapv(|v| if v > 1.0 { v } else { 0.0 })`, or `ndarray::Zip` for several arrays",
        )),
        "import" if first => no("write `use`, outside of `py!`"),
        "def" if first && operand_follows => {
            no("write `fn`, outside of `py!`, or a closure, `|x| ...`")
        }
        "global" | "nonlocal" if first && operand_follows => {
            no("variables outside are used without a declaration")
        }
        "pass" if after.is_empty() => no("write nothing, `{}`"),
        "assert"
            if first
                && operand_follows
                && !after.first().is_some_and(|next| is_punct(next, '!')) =>
        {
            Some(with_help(
                span,
                "`assert` is a macro in Rust",
                &format!("write `assert!({})`", text(condition(after))),
            ))
        }
        "in" if operand
            && operand_follows
            && !tokens[..at].iter().any(|token| is_word(token, "for")) =>
        {
            Some(with_help(
                span,
                "`in` is not an operator in Rust",
                &format!(
                    "write `{}.iter().any(|value| *value == {})`",
                    text(condition(after)),
                    text(operand_at_end(&tokens[..at]))
                ),
            ))
        }
        "for" if !operand => {
            let of = after.iter().position(|token| is_word(token, "in"))?;
            let comma = after[..of].iter().find(|token| is_punct(token, ','));
            if let Some(comma) = comma {
                return Some(with_help(
                    comma.span(),
                    "several variables of a loop are in parentheses in Rust",
                    &format!("write `for ({}) in`", text(&after[..of])),
                ));
            }
            block(after)
        }
        "while" | "if" | "else" if !operand || word == "else" => block(after),
        "return" => {
            let comma = condition(after).len();
            let is_list = after.get(comma).is_some_and(|next| is_punct(next, ','));
            is_list.then(|| {
                with_help(
                    after[comma].span(),
                    "several values are returned in parentheses in Rust",
                    &format!("write `return ({})`", text(after)),
                )
            })
        }
        _ => None,
    }
}

/// Whether tokens end in `np.`.
fn is_of_numpy(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [.., module, dot] if is_punct(dot, '.') && (is_word(module, "np") || is_word(module, "numpy")))
}

/// `:` where a block begins in Python.
fn block(header: &[TokenTree]) -> Option<syn::Error> {
    let end = header
        .iter()
        .position(|token| is_group(token, Delimiter::Brace))
        .unwrap_or(header.len());
    let header = &header[..end];
    let colon = header.iter().enumerate().find(|(at, token)| {
        is_punct(token, ':') && !is_joint(token) && !(*at > 0 && is_punct(&header[at - 1], ':'))
    });
    colon.map(|(_, colon)| {
        with_help(
            colon.span(),
            "a block is in braces in Rust",
            "write `{ ... }` instead of `:`",
        )
    })
}

/// The operand that ends here, without an operator before it.
fn operand_at_end(tokens: &[TokenTree]) -> &[TokenTree] {
    let start = tokens.iter().rposition(|token| match token {
        TokenTree::Punct(sign) => sign.as_char() != '.',
        TokenTree::Ident(word) => {
            let word = word.to_string();
            word != "self" && is_keyword(&word) || is_python(&word)
        }
        _ => false,
    });
    &tokens[start.map_or(0, |at| at + 1)..]
}

/// Words between operands that are Python's.
fn is_python(word: &str) -> bool {
    ["and", "or", "not", "in", "is", "if", "else", "elif"].contains(&word)
}

fn ends_operand(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(word) => !is_keyword(&word.to_string()) || *word == "self",
        TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
        TokenTree::Literal(_) => true,
        TokenTree::Punct(sign) => sign.as_char() == '?',
    }
}

fn begins_operand(token: &TokenTree) -> bool {
    !matches!(token, TokenTree::Punct(sign) if !matches!(sign.as_char(), '-' | '!' | '&' | '*'))
}
