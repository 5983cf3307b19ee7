//! The shape of an item: operands and operators must take turns. This is all the expression grammar the macro needs to
//! see a forgotten comma, a bound that stops half-way, or another language's notation; the compiler reads the rest.

use std::ops::Range;

use crate::tokens::{Delimiter, TokenTree};

use crate::syntax::{is_punct, is_word};

/// Something in an item that cannot be part of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An operand directly behind another one.
    MissingComma,
    /// An operator without an operand on its right, or at all.
    MissingOperand,
    /// `+` in front of an operand.
    LeadingPlus,
    /// A float that begins with its point.
    BareFraction,
    /// A comparison or a logical operator.
    Comparison,
    /// `=`, `+=` and the like.
    Assignment,
    /// `..` or `..=`.
    RustRange,
    /// `;`.
    Semicolon,
    /// `**`.
    Power,
    /// A keyword that begins a statement or leaves the expression.
    Statement,
    /// A token no expression has there.
    Unexpected,
}

/// A fault and the tokens it is about.
pub type Place = (Fault, Range<usize>);

/// All faults of an item, in order; `:`, `,` and `;` separate.
pub fn faults(tokens: &[TokenTree]) -> Vec<Place> {
    let mut walk = Walk {
        tokens,
        at: 0,
        waiting: None,
        faults: Vec::new(),
    };
    let mut operand_next = true;
    while walk.at < tokens.len() {
        if walk.is_separator(0) {
            walk.end_of_bound();
            operand_next = true;
        } else if operand_next {
            operand_next = walk.operand();
        } else {
            operand_next = walk.operator();
        }
    }
    walk.report_waiting();
    walk.faults
}

/// How many dots stand at the beginning of `tokens`.
pub fn dots(tokens: &[TokenTree]) -> usize {
    tokens
        .iter()
        .take_while(|token| is_punct(token, '.'))
        .count()
}

struct Walk<'a> {
    tokens: &'a [TokenTree],
    at: usize,
    /// The operator whose right operand has not come yet.
    waiting: Option<Range<usize>>,
    faults: Vec<Place>,
}

impl Walk<'_> {
    fn is(&self, ahead: usize, wanted: char) -> bool {
        self.tokens
            .get(self.at + ahead)
            .is_some_and(|token| is_punct(token, wanted))
    }

    fn is_separator(&self, ahead: usize) -> bool {
        [':', ',', ';']
            .into_iter()
            .any(|separator| self.is(ahead, separator))
    }

    fn fault(&mut self, fault: Fault, length: usize) {
        self.faults.push((fault, self.at..self.at + length));
    }

    fn end_of_bound(&mut self) {
        self.report_waiting();
        if self.is(0, ';') {
            self.fault(Fault::Semicolon, 1);
        }
        self.at += 1;
    }

    fn report_waiting(&mut self) {
        if let Some(operator) = self.waiting.take() {
            self.faults.push((Fault::MissingOperand, operator));
        }
    }

    /// Leaves the rest of this bound to the compiler.
    fn skip_bound(&mut self) -> bool {
        self.waiting = None;
        while self.at < self.tokens.len() && !self.is_separator(0) {
            self.at += 1;
        }
        false
    }

    /// Steps over one operand or prefix operator; returns whether an operand must follow.
    fn operand(&mut self) -> bool {
        let skipped = match &self.tokens[self.at] {
            TokenTree::Literal(_) | TokenTree::Group(_) => 1,
            TokenTree::Ident(ident) => match ident.to_string().as_str() {
                "mut" => {
                    self.at += 1;
                    return true;
                }
                "if" | "match" | "loop" | "while" | "for" | "unsafe" | "async" | "move"
                | "const" | "static" => {
                    return self.skip_bound();
                }
                "let" | "fn" | "return" | "break" | "continue" | "yield" | "use" | "mod"
                | "struct" | "enum" | "trait" | "impl" | "type" | "pub" | "extern" | "else"
                | "where" | "in" | "as" | "ref" | "dyn" | "_" => {
                    self.fault(Fault::Statement, 1);
                    return self.skip_bound();
                }
                _ if self.is(1, '!')
                    && matches!(self.tokens.get(self.at + 2), Some(TokenTree::Group(_))) =>
                {
                    3
                }
                _ => 1,
            },
            TokenTree::Punct(punct) => match punct.as_char() {
                '-' | '!' | '*' | '&' => return self.wait(1),
                '|' | '#' => return self.skip_bound(),
                '.' => match dots(&self.tokens[self.at..]) {
                    1 => {
                        self.fault(Fault::BareFraction, 1);
                        return self.skip_bound();
                    }
                    2 => return self.range(),
                    all => all,
                },
                '+' => {
                    self.fault(Fault::LeadingPlus, 1);
                    return self.skip_bound();
                }
                '/' | '%' | '^' | '<' | '>' | '=' | '?' => {
                    self.fault(Fault::MissingOperand, 1);
                    return self.skip_bound();
                }
                _ => {
                    self.fault(Fault::Unexpected, 1);
                    return self.skip_bound();
                }
            },
        };
        self.waiting = None;
        self.at += skipped;
        false
    }

    /// Steps over what may follow an operand; returns whether an operand must follow.
    fn operator(&mut self) -> bool {
        match &self.tokens[self.at] {
            word if is_word(word, "as") => self.cast(),
            TokenTree::Group(group) if self.continues(group.delimiter()) => {
                self.at += 1;
                false
            }
            TokenTree::Ident(_) | TokenTree::Literal(_) | TokenTree::Group(_) => {
                self.missing_comma()
            }
            TokenTree::Punct(punct) => self.punct(punct.as_char()),
        }
    }

    /// Whether a group behind an operand is a call, a subscript or a struct's fields.
    fn continues(&self, delimiter: Delimiter) -> bool {
        let before = &self.tokens[self.at - 1];
        match delimiter {
            Delimiter::Parenthesis | Delimiter::Bracket => !is_punct(before, '.'),
            Delimiter::Brace => matches!(before, TokenTree::Ident(_)),
            Delimiter::None => false,
        }
    }

    fn missing_comma(&mut self) -> bool {
        self.fault(Fault::MissingComma, 1);
        true
    }

    fn wait(&mut self, length: usize) -> bool {
        self.waiting = Some(self.at..self.at + length);
        self.at += length;
        true
    }

    fn range(&mut self) -> bool {
        let length = if self.is(2, '=') { 3 } else { 2 };
        self.fault(Fault::RustRange, length);
        self.at += length;
        self.waiting = None;
        true
    }

    fn cast(&mut self) -> bool {
        self.wait(1);
        if matches!(self.tokens.get(self.at), Some(TokenTree::Ident(_))) {
            self.waiting = None;
            self.at += 1;
            return false;
        }
        if self.at == self.tokens.len() || self.is_separator(0) {
            true
        } else {
            self.skip_bound()
        }
    }

    fn punct(&mut self, first: char) -> bool {
        match first {
            '.' => match dots(&self.tokens[self.at..]) {
                1 => self.member(),
                2 => self.range(),
                _ => self.missing_comma(),
            },
            '?' => {
                self.at += 1;
                false
            }
            '=' if self.is(1, '>') => self.unexpected(2),
            '-' if self.is(1, '>') => self.unexpected(2),
            '=' | '!' if self.is(1, '=') => self.faulty(Fault::Comparison, 2),
            '=' => self.faulty(Fault::Assignment, 1),
            '<' | '>' | '&' | '|' if self.is(1, first) => match first {
                '&' | '|' => self.faulty(Fault::Comparison, 2),
                _ if self.is(2, '=') => self.faulty(Fault::Assignment, 3),
                _ => self.wait(2),
            },
            '<' | '>' => self.faulty(Fault::Comparison, if self.is(1, '=') { 2 } else { 1 }),
            '*' if self.is(1, '*') => self.faulty(Fault::Power, 2),
            '+' | '-' | '*' | '/' | '%' | '^' | '&' | '|' if self.is(1, '=') => {
                self.faulty(Fault::Assignment, 2)
            }
            '+' | '-' | '*' | '/' | '%' | '^' | '&' | '|' => self.wait(1),
            _ => self.unexpected(1),
        }
    }

    fn member(&mut self) -> bool {
        self.wait(1);
        if matches!(
            self.tokens.get(self.at),
            Some(TokenTree::Ident(_) | TokenTree::Literal(_))
        ) {
            self.waiting = None;
            self.at += 1;
            return false;
        }
        true
    }

    fn faulty(&mut self, fault: Fault, length: usize) -> bool {
        self.fault(fault, length);
        self.wait(length)
    }

    fn unexpected(&mut self, length: usize) -> bool {
        self.fault(Fault::Unexpected, length);
        self.skip_bound()
    }
}
