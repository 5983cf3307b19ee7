//! Fragments that other macros hand on. A fragment such as `$e:expr` arrives in a group without delimiters, which the
//! compiler forgets when it reads the output of a procedural macro: `$e * 2` with `1 + 2` would be `1 + 2 * 2`. Such a
//! group is therefore written in parentheses, unless it is alone or means the same without them.

use std::borrow::Cow;

use proc_macro2::{Delimiter, Group, Punct, Spacing, Span, TokenStream, TokenTree};

use crate::notation::is_keyword;
use crate::split::{closing_angles, end_of_blocks, is_type_group};
use crate::tokens::{any_level, is_group, is_joint, is_path_separator, is_punct, is_word, visible};
use crate::writer::group;

/// The context of a fragment: the tokens around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// Rust, or one bound of a slice.
    Code,
    /// The arguments of a macro, which may put them next to anything.
    Arguments,
    /// The items of a slice, in which `::` may separate.
    Items,
}

impl Among {
    /// Returns the kind of the tokens in a macro's group, judged by the tokens before it.
    pub fn of_macro(before: &[TokenTree]) -> Option<Self> {
        match before {
            [.., TokenTree::Ident(name), bang] if is_punct(bang, '!') => match name.to_string() {
                name if name == "s" => Some(Self::Items),
                // `if !(...)`
                name if is_keyword(&name) => None,
                name if OF_EXPRESSIONS.contains(&&*name) => Some(Self::Code),
                _ => Some(Self::Arguments),
            },
            _ => None,
        }
    }
}

/// Macros of the standard library that take expressions, some of which show them.
const OF_EXPRESSIONS: [&str; 20] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "matches",
    "panic",
    "print",
    "println",
    "stringify",
    "todo",
    "vec",
    "write",
    "writeln",
];

/// Returns the tokens, in which each fragment stays together.
pub fn together(tokens: &[TokenTree], among: Among) -> Cow<'_, [TokenTree]> {
    let any = any_level(tokens, |token, _| is_group(token, Delimiter::None));
    if any {
        Cow::Owned(rewritten(tokens, among))
    } else {
        Cow::Borrowed(tokens)
    }
}

fn rewritten(tokens: &[TokenTree], among: Among) -> Vec<TokenTree> {
    let mut out = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            out.push(token.clone());
            continue;
        };
        if group.delimiter() == Delimiter::None {
            let inner = rewritten(&visible(std::slice::from_ref(token)), Among::Code);
            push(inner, group, &mut out, &tokens[at + 1..], among);
            continue;
        }
        let inside: Vec<TokenTree> = group.stream().into_iter().collect();
        let inside = match out.as_slice() {
            [.., hash] if is_punct(hash, '#') => inside,
            before => {
                // Brackets may be a slice of a `py!` that is inside.
                let otherwise = match group.delimiter() {
                    Delimiter::Bracket => Among::Items,
                    _ => Among::Code,
                };
                rewritten(&inside, Among::of_macro(before).unwrap_or(otherwise))
            }
        };
        out.push(self::group(group.delimiter(), inside, group.span()).into());
    }
    out
}

/// Writes a fragment, of which `inner` are the tokens, between what has been written and what follows.
pub fn push(
    inner: Vec<TokenTree>,
    fragment: &Group,
    out: &mut Vec<TokenTree>,
    after: &[TokenTree],
    among: Among,
) {
    let (form, inner) = match Form::of(&inner) {
        Form::Path(generics) if among != Among::Arguments && !generics.is_empty() => {
            (Form::Path(Vec::new()), with_turbofish(inner, &generics))
        }
        form => (form, inner),
    };
    let is_alone = begins(out) && ends(after);
    let delimiter = match form {
        Form::Path(_) if among == Among::Items && inner.len() > 1 => {
            let goes_on = is_path_separator(after) && is_type_group(&fragment.clone().into());
            (!goes_on).then_some(Delimiter::Parenthesis)
        }
        // `x as $t < y`
        Form::Path(_)
            if matches!(out.as_slice(), [.., word] if is_word(word, "as"))
                && matches!(after, [less, ..] if is_punct(less, '<')) =>
        {
            Some(Delimiter::Parenthesis)
        }
        Form::Path(_) | Form::Whole => None,
        Form::Number if !is_continued(after) => None,
        Form::Member if !matches!(after, [next, ..] if is_group(next, Delimiter::Parenthesis)) => {
            None
        }
        Form::Jump | Form::Structure if is_alone => None,
        Form::Equation if is_alone => Some(Delimiter::None),
        _ if is_alone && among != Among::Arguments => Some(Delimiter::None),
        _ => Some(Delimiter::Parenthesis),
    };
    match delimiter {
        Some(Delimiter::None) => out.push(group(Delimiter::None, inner, fragment.span()).into()),
        Some(delimiter) => out.push(ours(
            delimiter,
            inner.into_iter().collect(),
            fragment.span(),
        )),
        None => match inner.as_slice() {
            [TokenTree::Group(block)] if block.delimiter() == Delimiter::Brace => {
                out.push(ours(Delimiter::Brace, block.stream(), block.span()));
            }
            _ => out.extend(inner),
        },
    }
}

/// A group whose delimiters belong to the macro, so that no lint tells a caller to remove them.
fn ours(delimiter: Delimiter, inner: TokenStream, place: Span) -> TokenTree {
    let mut group = Group::new(delimiter, inner);
    group.set_span(Span::mixed_site().located_at(place));
    group.into()
}

/// The kind of a fragment, if it decides whether the fragment stays together without parentheses.
enum Form {
    /// A path, and where its `<` are that have no `::` in front of them.
    Path(Vec<usize>),
    /// An expression that stays together next to anything.
    Whole,
    /// A negative literal.
    Number,
    /// A field, which with arguments would be a method.
    Member,
    /// A struct and its fields, which ends a condition.
    Structure,
    /// `return` and its like without a value.
    Jump,
    /// `name = value`, of an attribute.
    Equation,
    /// All else.
    Operation,
}

impl Form {
    fn of(tokens: &[TokenTree]) -> Self {
        match tokens {
            [] => return Self::Whole,
            [TokenTree::Ident(word)] => {
                let word = word.to_string();
                return match word.as_str() {
                    "return" | "break" | "continue" | "yield" => Self::Jump,
                    _ => Self::Path(Vec::new()),
                };
            }
            [_] => return Self::Whole,
            [quote, TokenTree::Ident(_)] if is_punct(quote, '\'') => return Self::Whole,
            [minus, TokenTree::Literal(_)] if is_punct(minus, '-') => return Self::Number,
            _ => {}
        }
        if is_item(tokens) || is_block_like(tokens) {
            return Self::Whole;
        }
        let reader = Reader {
            tokens,
            at: 0,
            closing: closing_angles(tokens),
            generics: Vec::new(),
        };
        if let Some(form) = reader.operand() {
            return form;
        }
        let is_equation = tokens
            .windows(2)
            .any(|pair| is_punct(&pair[1], '=') && !is_joint(&pair[1]) && !is_joint(&pair[0]));
        if is_equation {
            Self::Equation
        } else {
            Self::Operation
        }
    }
}

/// `let`, a function and the like, or a visibility; attributes may be before it.
fn is_item(tokens: &[TokenTree]) -> bool {
    let mut tokens = tokens;
    while let [hash, brackets, rest @ ..] = tokens
        && is_punct(hash, '#')
        && is_group(brackets, Delimiter::Bracket)
    {
        tokens = rest;
    }
    let [TokenTree::Ident(first), rest @ ..] = tokens else {
        return false;
    };
    let second = |words: &[&str]| matches!(rest, [second, ..] if words.iter().any(|word| is_word(second, word)));
    let named = matches!(rest, [TokenTree::Ident(_), ..]);
    match first.to_string().as_str() {
        "let" | "fn" | "use" | "struct" | "enum" | "trait" | "mod" | "pub" | "type" | "extern"
        | "macro_rules" => true,
        "impl" => matches!(rest, [.., last] if is_group(last, Delimiter::Brace)),
        "const" => named,
        "static" => named && !second(&["move"]),
        "unsafe" => second(&["fn", "impl", "trait", "extern"]),
        "async" => second(&["fn"]),
        _ => false,
    }
}

/// A block, or a keyword and what belongs to it up to the last block: these end themselves, as they do in Rust.
fn is_block_like(tokens: &[TokenTree]) -> bool {
    let tokens = match tokens {
        [quote, _, colon, rest @ ..] if is_punct(quote, '\'') && is_punct(colon, ':') => rest,
        tokens => tokens,
    };
    match tokens {
        [block] => is_group(block, Delimiter::Brace),
        [TokenTree::Ident(word), ..] => {
            let begins = matches!(
                word.to_string().as_str(),
                "if" | "match" | "while" | "for" | "loop" | "unsafe" | "const" | "async"
            );
            begins && end_of_blocks(tokens, 0) == Some(tokens.len())
        }
        _ => false,
    }
}

/// Whether nothing before a fragment binds it.
fn begins(before: &[TokenTree]) -> bool {
    match before {
        [] => true,
        [.., TokenTree::Ident(word)] => {
            matches!(word.to_string().as_str(), "return" | "break" | "let")
        }
        [before @ .., TokenTree::Punct(last)] => {
            let joint = before.last().is_some_and(is_joint);
            match last.as_char() {
                ',' | ';' | ':' => true,
                '=' => !joint,
                '>' => joint,
                _ => false,
            }
        }
        _ => false,
    }
}

/// Whether nothing after a fragment binds it.
fn ends(after: &[TokenTree]) -> bool {
    match after {
        [] => true,
        [TokenTree::Punct(first), rest @ ..] => match first.as_char() {
            ',' | ';' | ':' => true,
            '=' => {
                first.spacing() == Spacing::Alone
                    || matches!(rest, [next, ..] if is_punct(next, '>'))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether an operand goes on with a member, an index, arguments or `?`.
fn is_continued(after: &[TokenTree]) -> bool {
    match after {
        [dot, next, ..] if is_punct(dot, '.') => !is_punct(next, '.'),
        [TokenTree::Group(_), ..] => true,
        [next, ..] => is_punct(next, '?'),
        [] => false,
    }
}

/// A path that is valid in an expression, too.
fn with_turbofish(path: Vec<TokenTree>, generics: &[usize]) -> Vec<TokenTree> {
    let mut out = Vec::with_capacity(path.len() + 2 * generics.len());
    for (at, token) in path.into_iter().enumerate() {
        if generics.contains(&at) {
            for spacing in [Spacing::Joint, Spacing::Alone] {
                let mut colon = Punct::new(':', spacing);
                colon.set_span(token.span());
                out.push(colon.into());
            }
        }
        out.push(token);
    }
    out
}

/// Reads an operand with its members, indices and calls.
struct Reader<'a> {
    tokens: &'a [TokenTree],
    at: usize,
    closing: Vec<usize>,
    generics: Vec<usize>,
}

impl Reader<'_> {
    fn is(&self, wanted: char) -> bool {
        matches!(self.tokens.get(self.at), Some(token) if is_punct(token, wanted))
    }

    /// The form, if there is nothing else.
    fn operand(mut self) -> Option<Form> {
        let mut form = Form::Whole;
        match self.tokens.first()? {
            TokenTree::Literal(_) => self.at = 1,
            TokenTree::Group(group) if group.delimiter() != Delimiter::None => self.at = 1,
            _ => {
                self.path()?;
                if self.at == self.tokens.len() {
                    return Some(Form::Path(self.generics));
                }
                if self.is('!') {
                    self.at += 1;
                    self.group(&[Delimiter::Parenthesis, Delimiter::Bracket])?;
                } else if self.group(&[Delimiter::Brace]).is_some() {
                    form = Form::Structure;
                }
                if !self.generics.is_empty() {
                    return None;
                }
            }
        }
        while self.at < self.tokens.len() {
            let member = self.more()?;
            if let Form::Whole | Form::Member = form {
                form = if member { Form::Member } else { Form::Whole };
            }
        }
        Some(form)
    }

    fn group(&mut self, delimiters: &[Delimiter]) -> Option<()> {
        let token = self.tokens.get(self.at)?;
        let any = delimiters
            .iter()
            .any(|&delimiter| is_group(token, delimiter));
        any.then(|| self.at += 1)
    }

    /// Steps over one call, index, `?` or member; whether it was a field.
    fn more(&mut self) -> Option<bool> {
        if self.is('?') {
            self.at += 1;
            return Some(false);
        }
        if !self.is('.') {
            self.group(&[Delimiter::Parenthesis, Delimiter::Bracket])?;
            return Some(false);
        }
        let name = self.tokens.get(self.at + 1)?;
        if !matches!(name, TokenTree::Ident(_) | TokenTree::Literal(_)) {
            return None;
        }
        self.at += 2;
        if is_path_separator(&self.tokens[self.at..]) {
            self.at += 2;
            self.angles()?;
        }
        Some(true)
    }

    fn angles(&mut self) -> Option<()> {
        let end = *self.closing.get(self.at)?;
        (end > self.at).then(|| self.at = end + 1)
    }

    fn path(&mut self) -> Option<()> {
        if self.is('<') {
            self.angles()?;
            if !is_path_separator(&self.tokens[self.at..]) {
                return None;
            }
        }
        if is_path_separator(&self.tokens[self.at..]) {
            self.at += 2;
        }
        loop {
            let TokenTree::Ident(name) = self.tokens.get(self.at)? else {
                return None;
            };
            let name = name.to_string();
            let is_name = !is_keyword(&name)
                || matches!(name.as_str(), "Self" | "super" | "crate" | "true" | "false");
            if !is_name {
                return None;
            }
            self.at += 1;
            if self.is('<') {
                let start = self.at;
                if self.angles().is_some()
                    && (self.at == self.tokens.len() || is_path_separator(&self.tokens[self.at..]))
                {
                    self.generics.push(start);
                } else {
                    self.at = start;
                    return Some(());
                }
            }
            if !is_path_separator(&self.tokens[self.at..]) {
                return Some(());
            }
            self.at += 2;
            if self.is('<') {
                self.angles()?;
                if !is_path_separator(&self.tokens[self.at..]) {
                    return Some(());
                }
                self.at += 2;
            }
        }
    }
}
