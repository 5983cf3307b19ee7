//! Predicates and accessors for the forms of expressions and operators.

use proc_macro2::{Ident, Span};
use syn::{BinOp, Expr, Lit, Type, UnOp};

/// Returns the expression without parentheses and invisible groups around it.
pub fn plain(expression: &Expr) -> &Expr {
    match expression {
        Expr::Paren(paren) => plain(&paren.expr),
        Expr::Group(group) => plain(&group.expr),
        expression => expression,
    }
}

pub fn plain_mut(expression: &mut Expr) -> &mut Expr {
    match expression {
        Expr::Paren(paren) => plain_mut(&mut paren.expr),
        Expr::Group(group) => plain_mut(&mut group.expr),
        expression => expression,
    }
}

/// Returns whether the expression names an existing value.
pub fn is_place(expression: &Expr) -> bool {
    match plain(expression) {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => true,
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)),
        _ => false,
    }
}

/// Returns whether the value can be a view, which an operator does not take by value. An operand in braces is moved.
pub fn may_be_a_view(expression: &Expr) -> bool {
    matches!(
        plain(expression),
        Expr::Await(_)
            | Expr::Call(_)
            | Expr::If(_)
            | Expr::Macro(_)
            | Expr::Match(_)
            | Expr::MethodCall(_)
            | Expr::Try(_)
    )
}

/// Returns whether `holds` is true of any operand of arithmetic, or of an expression that is not arithmetic.
pub fn any_operand(expression: &Expr, holds: &impl Fn(&Expr) -> bool) -> bool {
    match plain(expression) {
        Expr::Binary(binary) if is_arithmetic(&binary.op) => {
            any_operand(&binary.left, holds) || any_operand(&binary.right, holds)
        }
        Expr::Unary(unary) if is_sign(&unary.op) => any_operand(&unary.expr, holds),
        operand => holds(operand),
    }
}

/// Returns whether ndarray implements an operator for arrays.
pub fn is_arithmetic(operator: &BinOp) -> bool {
    arithmetic_sign(operator).is_some()
}

/// Returns the signs of an operator that ndarray implements for arrays, and their spans.
pub fn arithmetic_sign(operator: &BinOp) -> Option<(&'static str, &[Span])> {
    Some(match operator {
        BinOp::Add(sign) => ("+", &sign.spans),
        BinOp::Sub(sign) => ("-", &sign.spans),
        BinOp::Mul(sign) => ("*", &sign.spans),
        BinOp::Div(sign) => ("/", &sign.spans),
        BinOp::Rem(sign) => ("%", &sign.spans),
        BinOp::BitAnd(sign) => ("&", &sign.spans),
        BinOp::BitOr(sign) => ("|", &sign.spans),
        BinOp::BitXor(sign) => ("^", &sign.spans),
        BinOp::Shl(sign) => ("<<", &sign.spans),
        BinOp::Shr(sign) => (">>", &sign.spans),
        _ => return None,
    })
}

/// Returns the name of the function for this operator.
pub fn arithmetic_function(operator: &BinOp) -> Option<&'static str> {
    Some(match operator {
        BinOp::Add(_) => "add",
        BinOp::Sub(_) => "sub",
        BinOp::Mul(_) => "mul",
        BinOp::Div(_) => "div",
        BinOp::Rem(_) => "rem",
        BinOp::BitAnd(_) => "bitand",
        BinOp::BitOr(_) => "bitor",
        BinOp::BitXor(_) => "bitxor",
        BinOp::Shl(_) => "shl",
        BinOp::Shr(_) => "shr",
        _ => return None,
    })
}

/// Returns the names of the functions for this comparison, and for the comparison with the sides exchanged.
pub fn comparison(operator: &BinOp) -> Option<[&'static str; 2]> {
    Some(match operator {
        BinOp::Lt(_) => ["lt", "gt"],
        BinOp::Le(_) => ["le", "ge"],
        BinOp::Gt(_) => ["gt", "lt"],
        BinOp::Ge(_) => ["ge", "le"],
        BinOp::Eq(_) => ["eq", "eq"],
        BinOp::Ne(_) => ["ne", "ne"],
        _ => return None,
    })
}

/// Returns the name of the method for an assignment operator such as `+=`.
pub fn assignment_method(operator: &BinOp) -> Option<&'static str> {
    Some(match operator {
        BinOp::AddAssign(_) => "add_assign",
        BinOp::SubAssign(_) => "sub_assign",
        BinOp::MulAssign(_) => "mul_assign",
        BinOp::DivAssign(_) => "div_assign",
        BinOp::RemAssign(_) => "rem_assign",
        BinOp::BitAndAssign(_) => "bitand_assign",
        BinOp::BitOrAssign(_) => "bitor_assign",
        BinOp::BitXorAssign(_) => "bitxor_assign",
        BinOp::ShlAssign(_) => "shl_assign",
        BinOp::ShrAssign(_) => "shr_assign",
        _ => return None,
    })
}

pub fn is_sign(operator: &UnOp) -> bool {
    sign(operator).is_some()
}

/// Returns the sign of `-` or `!`, and its span.
pub fn sign(operator: &UnOp) -> Option<(&'static str, &[Span])> {
    match operator {
        UnOp::Neg(sign) => Some(("-", &sign.spans)),
        UnOp::Not(sign) => Some(("!", &sign.spans)),
        _ => None,
    }
}

/// Returns whether the expression is a number, text or another literal, perhaps with a sign.
pub fn is_literal(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(literal) => !matches!(literal.lit, Lit::Verbatim(_)),
        Expr::Unary(unary) => is_sign(&unary.op) && matches!(plain(&unary.expr), Expr::Lit(_)),
        _ => false,
    }
}

/// Returns whether the expression can only be a number: a literal, arithmetic with numbers, or a cast to a primitive
/// type.
pub fn is_number(expression: &Expr) -> bool {
    match plain(expression) {
        Expr::Binary(binary) if is_arithmetic(&binary.op) => {
            is_number(&binary.left) && is_number(&binary.right)
        }
        Expr::Cast(cast) => is_primitive(&cast.ty),
        expression => is_literal(expression),
    }
}

/// Returns `true` if a number has a decimal point, or the type `f32` or `f64`.
pub fn is_float(number: &Expr) -> bool {
    match plain(number) {
        Expr::Binary(binary) => is_float(&binary.left) || is_float(&binary.right),
        Expr::Unary(unary) => is_float(&unary.expr),
        Expr::Cast(cast) => {
            matches!(&*cast.ty, Type::Path(ty) if ["f32", "f64"].iter().any(|name| ty.path.is_ident(name)))
        }
        Expr::Lit(literal) => match &literal.lit {
            Lit::Float(_) => true,
            Lit::Int(number) => matches!(number.suffix(), "f32" | "f64"),
            _ => false,
        },
        _ => false,
    }
}

fn is_primitive(ty: &Type) -> bool {
    const PRIMITIVE: [&str; 15] = [
        "bool", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32",
        "u64", "u128", "usize",
    ];
    match ty {
        Type::Path(path) => path
            .path
            .get_ident()
            .is_some_and(|name| PRIMITIVE.iter().any(|one| name == one)),
        _ => false,
    }
}

/// Returns whether the expression is `()`, or an empty list.
pub fn is_unit(expression: &Expr) -> bool {
    match expression {
        Expr::Tuple(tuple) => tuple.elems.is_empty(),
        Expr::Array(array) => array.elems.is_empty(),
        _ => false,
    }
}

/// Returns whether a method of ndarray writes to its array. A slice before such a method becomes a mutable view.
pub fn is_writing(method: &Ident) -> bool {
    const WRITING: [&str; 16] = [
        "assign",
        "axis_iter_mut",
        "column_mut",
        "columns_mut",
        "diag_mut",
        "fill",
        "indexed_iter_mut",
        "iter_mut",
        "lanes_mut",
        "map_inplace",
        "mapv_inplace",
        "outer_iter_mut",
        "row_mut",
        "rows_mut",
        "swap",
        "zip_mut_with",
    ];
    WRITING.iter().any(|name| method == name)
}

/// Returns whether a method of arrays, lists and numbers only reads its receiver.
pub fn is_reading(method: &Ident) -> bool {
    const READING: [&str; 48] = [
        "abs",
        "axis_iter",
        "ceil",
        "clone",
        "column",
        "columns",
        "contains",
        "cos",
        "dim",
        "dot",
        "exp",
        "first",
        "floor",
        "fold",
        "indexed_iter",
        "is_empty",
        "is_nan",
        "iter",
        "last",
        "len",
        "ln",
        "map",
        "map_axis",
        "mapv",
        "max",
        "mean",
        "mean_axis",
        "min",
        "ndim",
        "outer_iter",
        "powf",
        "powi",
        "product",
        "round",
        "row",
        "rows",
        "shape",
        "sin",
        "sqrt",
        "std",
        "strides",
        "sum",
        "sum_axis",
        "t",
        "tan",
        "to_owned",
        "to_vec",
        "var",
    ];
    READING.iter().any(|name| method == name)
}

/// Returns whether a method of the standard library changes its receiver.
pub fn is_changing(method: &Ident) -> bool {
    const CHANGING: [&str; 28] = [
        "append",
        "as_mut",
        "clear",
        "dedup",
        "drain",
        "entry",
        "extend",
        "extend_from_slice",
        "get_mut",
        "get_or_insert_with",
        "insert",
        "insert_str",
        "pop",
        "pop_back",
        "pop_front",
        "push",
        "push_back",
        "push_front",
        "push_str",
        "remove",
        "resize",
        "retain",
        "reverse",
        "sort",
        "sort_by",
        "sort_by_key",
        "sort_unstable",
        "truncate",
    ];
    let name = method.to_string();
    CHANGING.contains(&&*name) || name.ends_with("_assign")
}

/// Returns whether a method takes its receiver by value, judging by its name.
pub fn is_taking(method: &Ident) -> bool {
    let name = method.to_string();
    name.starts_with("into") || name.starts_with("unwrap") || name == "expect"
}

/// Returns whether the expression is a variable, or a field or an element of a variable. The order in which such a
/// place is evaluated makes no difference.
pub fn is_plain_place(expression: &Expr) -> bool {
    match plain(expression) {
        Expr::Path(_) => true,
        Expr::Field(field) => is_plain_place(&field.base),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)) && is_plain_place(&unary.expr),
        Expr::Index(index) => {
            let at = plain(&index.index);
            is_plain_place(&index.expr) && (is_literal(at) || matches!(at, Expr::Path(_)))
        }
        _ => false,
    }
}
