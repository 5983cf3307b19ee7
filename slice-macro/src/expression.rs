//! Uses syn to parse each bound that is not a single literal or name. Determines the form of such a bound, or the token
//! at which it stops being valid Rust.

use proc_macro2::{TokenStream, TokenTree};
use syn::buffer::Cursor;
use syn::parse::{ParseStream, Parser};
use syn::{BinOp, Expr, Lit, Stmt, UnOp};

use crate::tokens::{any_level, is_any_punct, is_one_of};

/// The maximum number of tokens in a bound that syn parses. Because syn and its syntax tree need stack space for every
/// token, longer bounds are left to the compiler, which reports their syntax errors.
const MAX_PARSED_TOKENS: usize = 200;
/// The maximum number of consecutive prefix operators. At some number between 5,000 and 20,000, rustc 1.95 overflows
/// its stack.
const MAX_PREFIX_OPERATORS: usize = 2_000;
/// The maximum depth of nested blocks. At some depth between 500 and 1,000, rustc 1.95 overflows its stack.
const MAX_NESTED_BLOCKS: usize = 250;

pub enum Parsed {
    Expression(Box<Expr>),
    /// The number of tokens that syn parsed before it stopped at an error.
    Stopped(usize),
    /// A bound that is too long to be parsed.
    TooLarge,
}

pub fn parse(tokens: &[TokenTree]) -> Parsed {
    let (mut left, mut too_large) = (0, false);
    let parser = |input: ParseStream| {
        too_large = is_large(input.cursor());
        if too_large {
            return Err(input.error("too many tokens"));
        }
        let expression = input.parse::<Expr>();
        let mut cursor = input.cursor();
        while let Some((_, next)) = cursor.token_tree() {
            left += 1;
            cursor = next;
        }
        expression
    };
    let stream: TokenStream = tokens.iter().cloned().collect();
    match parser.parse2(stream) {
        Ok(expression) => Parsed::Expression(Box::new(expression)),
        Err(_) if too_large => Parsed::TooLarge,
        // Inside an invisible group, more tokens can remain than `tokens` contains, so the subtraction saturates.
        Err(_) => Parsed::Stopped(tokens.len().saturating_sub(left)),
    }
}

fn is_large(cursor: Cursor) -> bool {
    let mut count = 0;
    let mut levels = vec![cursor];
    while let Some(cursor) = levels.pop() {
        let Some((_, next)) = cursor.token_tree() else {
            continue;
        };
        levels.push(next);
        if let Some((inside, _, _, _)) = cursor.any_group() {
            levels.push(inside);
        }
        count += 1;
        if count > MAX_PARSED_TOKENS {
            return true;
        }
    }
    false
}

/// Returns whether the tokens contain so many consecutive prefix operators, or such deeply nested blocks, that the
/// compiler's own stack may overflow.
pub fn is_too_deep(tokens: &[TokenTree]) -> bool {
    let mut signs = 0;
    any_level(tokens, |token, blocks| {
        signs = if is_any_punct(token, "-!*&") {
            signs + 1
        } else {
            0
        };
        signs > MAX_PREFIX_OPERATORS || blocks > MAX_NESTED_BLOCKS
    })
}

/// The kinds of binary operators, except `&&` and `||`.
#[derive(PartialEq)]
pub enum OperatorKind {
    Arithmetic,
    Shift,
    Comparison,
    Assignment,
}

/// Returns the kind of a binary operator, and the name of the method or type in slice-core that stands for the operator.
pub fn operator_kind(operator: &BinOp) -> Option<(OperatorKind, &'static str)> {
    use OperatorKind::{Arithmetic, Assignment, Comparison, Shift};
    Some(match operator {
        BinOp::Add(_) => (Arithmetic, "add"),
        BinOp::Sub(_) => (Arithmetic, "sub"),
        BinOp::Mul(_) => (Arithmetic, "mul"),
        BinOp::Div(_) => (Arithmetic, "div"),
        BinOp::Rem(_) => (Arithmetic, "rem"),
        BinOp::BitAnd(_) => (Arithmetic, "bitand"),
        BinOp::BitOr(_) => (Arithmetic, "bitor"),
        BinOp::BitXor(_) => (Arithmetic, "bitxor"),
        BinOp::Shl(_) => (Shift, "shl"),
        BinOp::Shr(_) => (Shift, "shr"),
        BinOp::Lt(_) => (Comparison, "Lt"),
        BinOp::Le(_) => (Comparison, "Le"),
        BinOp::Gt(_) => (Comparison, "Gt"),
        BinOp::Ge(_) => (Comparison, "Ge"),
        BinOp::Eq(_) => (Comparison, "Eq"),
        BinOp::Ne(_) => (Comparison, "Ne"),
        BinOp::AddAssign(_) => (Assignment, "AddAssign"),
        BinOp::SubAssign(_) => (Assignment, "SubAssign"),
        BinOp::MulAssign(_) => (Assignment, "MulAssign"),
        BinOp::DivAssign(_) => (Assignment, "DivAssign"),
        BinOp::RemAssign(_) => (Assignment, "RemAssign"),
        BinOp::BitAndAssign(_) => (Assignment, "BitAndAssign"),
        BinOp::BitOrAssign(_) => (Assignment, "BitOrAssign"),
        BinOp::BitXorAssign(_) => (Assignment, "BitXorAssign"),
        BinOp::ShlAssign(_) => (Assignment, "ShlAssign"),
        BinOp::ShrAssign(_) => (Assignment, "ShrAssign"),
        _ => return None,
    })
}

/// Returns whether an operator is arithmetic or bitwise. ndarray implements these operators for arrays.
pub fn is_arithmetic(operator: &BinOp) -> bool {
    use OperatorKind::{Arithmetic, Shift};
    matches!(operator_kind(operator), Some((Arithmetic | Shift, _)))
}

/// Returns whether an expression has no value, such as `return` or `todo!()`.
pub fn diverges(expression: &Expr) -> bool {
    match expression {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Macro(call) => call
            .mac
            .path
            .segments
            .last()
            .is_some_and(|name| is_one_of(&name.ident, "todo unimplemented unreachable panic")),
        Expr::Group(group) => diverges(&group.expr),
        Expr::Paren(paren) => diverges(&paren.expr),
        Expr::Block(block) => {
            matches!(block.block.stmts.last(), Some(Stmt::Expr(last, None)) if diverges(last))
        }
        _ => false,
    }
}

/// Returns whether `expression` appears to be a constant expression: one that consists of literals, paths, names in
/// capitals, arithmetic and casts.
///
/// A path of several segments never names a variable. A single name may be a variable, and any expansion that suits
/// constants causes an error for a variable. The naming convention therefore decides. A block is never treated as constant,
/// so that a caller can write `{ K }` to mark `K` as a variable.
pub fn is_constant(expression: &Expr) -> bool {
    match expression {
        Expr::Group(group) => is_constant(&group.expr),
        Expr::Paren(paren) => is_constant(&paren.expr),
        Expr::Lit(literal) => matches!(literal.lit, Lit::Int(_) | Lit::Byte(_)),
        Expr::Unary(unary) => {
            matches!(unary.op, UnOp::Neg(_) | UnOp::Not(_)) && is_constant(&unary.expr)
        }
        Expr::Binary(binary) => {
            is_arithmetic(&binary.op) && is_constant(&binary.left) && is_constant(&binary.right)
        }
        Expr::Cast(cast) => is_constant(&cast.expr),
        Expr::Path(path) => {
            path.qself.is_some()
                || match path.path.get_ident() {
                    Some(ident) => is_capital(&ident.to_string()),
                    None => true,
                }
        }
        _ => false,
    }
}

pub fn is_capital(name: &str) -> bool {
    name.contains(char::is_uppercase) && !name.contains(char::is_lowercase)
}
