//! Parses arithmetic and assignments that consist of names, numbers and slices (the most common input of `py!`). syn
//! parses all other input. In unoptimized builds, syn takes five times as long as this parser.

use proc_macro2::{Delimiter, Ident, Punct, Spacing, TokenTree};
use syn::{
    BinOp, Expr, ExprAssign, ExprBinary, ExprField, ExprLit, ExprParen, ExprPath, ExprUnary, Lit,
    Member, Token, UnOp, token,
};

use super::brackets::is_mark;
use crate::notation::is_keyword;

/// Returns the expression that syn would return, or `None` if the tokens contain any syntax other than arithmetic and
/// assignments.
pub fn read(tokens: &[TokenTree]) -> Option<Expr> {
    let mut parser = ArithmeticParser { tokens, at: 0 };
    let left = parser.binary(0)?;
    if parser.at == tokens.len() {
        return Some(left);
    }
    let operator = parser.assignment()?;
    let right = Box::new(parser.binary(0)?);
    let (attrs, left) = (Vec::new(), Box::new(left));
    (parser.at == tokens.len()).then(|| match operator {
        Assignment::Plain(eq_token) => Expr::Assign(ExprAssign {
            attrs,
            left,
            eq_token,
            right,
        }),
        Assignment::With(op) => Expr::Binary(ExprBinary {
            attrs,
            left,
            op,
            right,
        }),
    })
}

enum Assignment {
    Plain(Token![=]),
    With(BinOp),
}

struct ArithmeticParser<'a> {
    tokens: &'a [TokenTree],
    at: usize,
}

impl<'a> ArithmeticParser<'a> {
    fn punct(&self, ahead: usize) -> Option<&'a Punct> {
        match self.tokens.get(self.at + ahead)? {
            TokenTree::Punct(punct) => Some(punct),
            _ => None,
        }
    }

    fn assignment(&mut self) -> Option<Assignment> {
        let sign = self.punct(0)?;
        if sign.as_char() == '=' {
            self.at += 1;
            let is_alone = sign.spacing() == Spacing::Alone;
            return is_alone.then(|| Assignment::Plain(Token![=](sign.span())));
        }
        let equals = self.punct(1)?;
        if sign.spacing() != Spacing::Joint
            || equals.as_char() != '='
            || equals.spacing() != Spacing::Alone
        {
            return None;
        }
        self.at += 2;
        let spans = [sign.span(), equals.span()];
        Some(Assignment::With(match sign.as_char() {
            '+' => BinOp::AddAssign(Token![+=](spans)),
            '-' => BinOp::SubAssign(Token![-=](spans)),
            '*' => BinOp::MulAssign(Token![*=](spans)),
            '/' => BinOp::DivAssign(Token![/=](spans)),
            '%' => BinOp::RemAssign(Token![%=](spans)),
            '&' => BinOp::BitAndAssign(Token![&=](spans)),
            '|' => BinOp::BitOrAssign(Token![|=](spans)),
            '^' => BinOp::BitXorAssign(Token![^=](spans)),
            _ => return None,
        }))
    }

    /// Parses an operand and the operators after it whose precedence is at least `min_precedence`, with their operands.
    fn binary(&mut self, min_precedence: u8) -> Option<Expr> {
        let mut left = self.unary()?;
        while let Some(sign) = self.punct(0)
            && let Some((precedence, op)) = operator(sign)
            && precedence >= min_precedence
        {
            self.at += 1;
            let right = Box::new(self.binary(precedence + 1)?);
            let (attrs, before) = (Vec::new(), Box::new(left));
            left = Expr::Binary(ExprBinary {
                attrs,
                left: before,
                op,
                right,
            });
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Expr> {
        let Some(sign) = self.punct(0) else {
            return self.operand();
        };
        let op = match sign.as_char() {
            '-' => UnOp::Neg(Token![-](sign.span())),
            '!' => UnOp::Not(Token![!](sign.span())),
            _ => return None,
        };
        self.at += 1;
        let (attrs, expr) = (Vec::new(), Box::new(self.unary()?));
        Some(Expr::Unary(ExprUnary { attrs, op, expr }))
    }

    /// Parses a name, a literal or an expression in parentheses, and the marks after it. A mark is a placeholder name
    /// for a slice.
    fn operand(&mut self) -> Option<Expr> {
        let attrs = Vec::new();
        let mut operand = match self.tokens.get(self.at)? {
            TokenTree::Ident(name) if !is_keyword(&name.to_string()) => {
                let (qself, path) = (None, name.clone().into());
                Expr::Path(ExprPath { attrs, qself, path })
            }
            TokenTree::Literal(literal) => {
                let lit = Lit::new(literal.clone());
                Expr::Lit(ExprLit { attrs, lit })
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                let mut parser = ArithmeticParser {
                    tokens: &inside,
                    at: 0,
                };
                let expr = Box::new(parser.binary(0)?);
                let paren_token = token::Paren(group.delim_span());
                if parser.at < inside.len() {
                    return None;
                }
                Expr::Paren(ExprParen {
                    attrs,
                    paren_token,
                    expr,
                })
            }
            _ => return None,
        };
        self.at += 1;
        while let [TokenTree::Punct(dot), TokenTree::Ident(name), ..] = &self.tokens[self.at..]
            && dot.as_char() == '.'
            && is_mark(name)
        {
            operand = slice(operand, dot, name);
            self.at += 2;
        }
        Some(operand)
    }
}

fn slice(operand: Expr, dot: &Punct, mark: &Ident) -> Expr {
    Expr::Field(ExprField {
        attrs: Vec::new(),
        base: Box::new(operand),
        dot_token: Token![.](dot.span()),
        member: Member::Named(mark.clone()),
    })
}

/// Returns the precedence of a one-character operator, and the operator itself.
fn operator(sign: &Punct) -> Option<(u8, BinOp)> {
    if sign.spacing() == Spacing::Joint {
        return None;
    }
    let span = sign.span();
    Some(match sign.as_char() {
        '|' => (0, BinOp::BitOr(Token![|](span))),
        '^' => (1, BinOp::BitXor(Token![^](span))),
        '&' => (2, BinOp::BitAnd(Token![&](span))),
        '+' => (3, BinOp::Add(Token![+](span))),
        '-' => (3, BinOp::Sub(Token![-](span))),
        '*' => (4, BinOp::Mul(Token![*](span))),
        '/' => (4, BinOp::Div(Token![/](span))),
        '%' => (4, BinOp::Rem(Token![%](span))),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;

    /// Returns the source text of an expression, with angle brackets around every operation.
    fn grouped_text(expression: &Expr) -> String {
        match expression {
            Expr::Binary(binary) => {
                let sign = binary.op.to_token_stream();
                format!(
                    "<{} {sign} {}>",
                    grouped_text(&binary.left),
                    grouped_text(&binary.right)
                )
            }
            Expr::Assign(assign) => {
                format!(
                    "<{} = {}>",
                    grouped_text(&assign.left),
                    grouped_text(&assign.right)
                )
            }
            Expr::Unary(unary) => {
                format!(
                    "<{} {}>",
                    unary.op.to_token_stream(),
                    grouped_text(&unary.expr)
                )
            }
            Expr::Paren(paren) => format!("({})", grouped_text(&paren.expr)),
            Expr::Field(field) => {
                format!(
                    "<{} . {}>",
                    grouped_text(&field.base),
                    field.member.to_token_stream()
                )
            }
            other => other.to_token_stream().to_string(),
        }
    }

    #[test]
    fn arithmetic_is_parsed_as_syn_parses_it() {
        let operands = [
            "a",
            "2",
            "1.5",
            "-b",
            "!c",
            "x.__py_slice_0",
            "- x.__py_slice_1.__py_slice_2",
            "(a + b)",
            "(a * -b).__py_slice_0",
        ];
        let operators = ["+", "-", "*", "/", "%", "&", "|", "^"];
        let mut sources = Vec::new();
        for (at, first) in operands.iter().enumerate() {
            for one in operators {
                for two in operators {
                    let (second, third) = (operands[(at + 1) % 9], operands[(at + 4) % 9]);
                    let sum = format!("{first} {one} {second} {two} {third}");
                    sources.push(format!("x.__py_slice_3 = {sum}"));
                    sources.push(format!("x.__py_slice_3 {one}= {sum}"));
                    sources.push(sum);
                }
            }
        }
        for source in sources {
            let tokens: Vec<TokenTree> = source
                .parse::<proc_macro2::TokenStream>()
                .unwrap()
                .into_iter()
                .collect();
            let read = read(&tokens).unwrap_or_else(|| panic!("{source} is not parsed"));
            assert_eq!(
                grouped_text(&read),
                grouped_text(&syn::parse_str(&source).unwrap())
            );
        }
    }

    #[test]
    fn all_other_syntax_is_left_to_syn() {
        for source in [
            "",
            "a b",
            "a +",
            "+ a",
            "a == b",
            "a && b",
            "a << b",
            "a .. b",
            "a . b",
            "a()",
            "a[0]",
            "a as u8",
            "*a",
            "&a",
            "a = b = c",
            "(a, b)",
            "()",
            "a?",
            "if a {}",
            "return",
            "a; b",
            "true",
            "a <= b",
            "a ** b",
            "a::b",
            "a!()",
            "|a| a",
            "(a = b) + c",
            "#[a] b",
        ] {
            let tokens: Vec<TokenTree> = source
                .parse::<proc_macro2::TokenStream>()
                .unwrap()
                .into_iter()
                .collect();
            assert!(read(&tokens).is_none(), "{source} is not left to syn");
        }
    }
}
