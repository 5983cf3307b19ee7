//! Determines the syntactic form of a fragment, which consists of the tokens of one argument of a `macro_rules!` macro.

use proc_macro2::{Delimiter, TokenTree};

use crate::notation::is_keyword;
use crate::split::{closing_angles, end_of_blocks};
use crate::tokens::{is_any_word, is_group, is_joint, is_path_separator, is_punct};

/// The form of a fragment, which determines whether the fragment needs parentheses to stay together.
pub enum Form {
    /// A path, with the index of each `<` that is not preceded by `::`.
    Path(Vec<usize>),
    /// Tokens that stay together next to any other tokens.
    Whole,
    /// A negative literal.
    NegativeLiteral,
    /// A field access. Parentheses after it would turn it into a method call.
    Member,
    /// A struct literal. Its braces would end the condition of an `if` or a `while`.
    StructLiteral,
    /// A jump without a value, such as `return`.
    Jump,
    /// `name = value`, as in an attribute.
    Assignment,
    /// Any other expression.
    Operation,
}

impl Form {
    pub fn of(tokens: &[TokenTree]) -> Self {
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
            [minus, TokenTree::Literal(_)] if is_punct(minus, '-') => return Self::NegativeLiteral,
            _ => {}
        }
        if is_item(tokens) || is_block_like(tokens) {
            return Self::Whole;
        }
        let reader = FormReader {
            tokens,
            at: 0,
            closing: closing_angles(tokens),
            generics: Vec::new(),
        };
        if let Some(form) = reader.operand() {
            return form;
        }
        let is_assignment = tokens
            .windows(2)
            .any(|pair| is_punct(&pair[1], '=') && !is_joint(&pair[1]) && !is_joint(&pair[0]));
        if is_assignment {
            Self::Assignment
        } else {
            Self::Operation
        }
    }
}

/// Returns whether the tokens are a Rust item or a `let` statement, possibly with attributes and a visibility.
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
    let is_second = |words| matches!(rest, [second, ..] if is_any_word(second, words));
    let has_name = matches!(rest, [TokenTree::Ident(_), ..]);
    match first.to_string().as_str() {
        "let" | "fn" | "use" | "struct" | "enum" | "trait" | "mod" | "pub" | "type" | "extern"
        | "macro_rules" => true,
        "impl" => matches!(rest, [.., last] if is_group(last, Delimiter::Brace)),
        "const" => has_name,
        "static" => has_name && !is_second("move"),
        "unsafe" => is_second("fn impl trait extern"),
        "async" => is_second("fn"),
        _ => false,
    }
}

/// Returns whether the tokens are a block, or one expression that begins with a keyword and ends with a block. Such
/// expressions stay together without parentheses.
fn is_block_like(tokens: &[TokenTree]) -> bool {
    let tokens = match tokens {
        [quote, _, colon, rest @ ..] if is_punct(quote, '\'') && is_punct(colon, ':') => rest,
        tokens => tokens,
    };
    match tokens {
        [block] => is_group(block, Delimiter::Brace),
        [TokenTree::Ident(word), ..] => {
            let begins_block = matches!(
                word.to_string().as_str(),
                "if" | "match" | "while" | "for" | "loop" | "unsafe" | "const" | "async"
            );
            begins_block && end_of_blocks(tokens, 0) == Some(tokens.len())
        }
        _ => false,
    }
}

/// Parses one operand with its members, indices and calls.
struct FormReader<'a> {
    tokens: &'a [TokenTree],
    at: usize,
    closing: Vec<usize>,
    generics: Vec<usize>,
}

impl FormReader<'_> {
    fn next_is(&self, wanted: char) -> bool {
        matches!(self.tokens.get(self.at), Some(token) if is_punct(token, wanted))
    }

    /// Returns the form of the operand if it takes up all tokens.
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
                if self.next_is('!') {
                    self.at += 1;
                    self.group(&[Delimiter::Parenthesis, Delimiter::Bracket])?;
                } else if self.group(&[Delimiter::Brace]).is_some() {
                    form = Form::StructLiteral;
                }
                if !self.generics.is_empty() {
                    return None;
                }
            }
        }
        while self.at < self.tokens.len() {
            let member = self.skip_suffix()?;
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

    /// Steps over the arguments of a call, an index, `?`, or the name of a field or a method. Returns `true` for a
    /// name, `false` for the others, and `None` if the next token begins none of these.
    fn skip_suffix(&mut self) -> Option<bool> {
        if self.next_is('?') {
            self.at += 1;
            return Some(false);
        }
        if !self.next_is('.') {
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
        if self.next_is('<') {
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
            if self.next_is('<') {
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
            if self.next_is('<') {
                self.angles()?;
                if !is_path_separator(&self.tokens[self.at..]) {
                    return Some(());
                }
                self.at += 2;
            }
        }
    }
}
