//! Predicates and accessors for expressions, operators and methods.

use proc_macro2::Ident;
use syn::{BinOp, Expr, Lit, Type, UnOp};

pub use crate::expression::is_arithmetic;
use crate::expression::{OperatorKind, operator_kind};
use crate::tokens::is_one_of;

/// Returns the expression without the parentheses and invisible groups around it.
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

/// Returns whether the expression is a place expression: a path, a field access, an index expression or a dereference.
pub fn is_place(expression: &Expr) -> bool {
    match plain(expression) {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => true,
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)),
        _ => false,
    }
}

/// Returns whether the value of an expression may be a view. A view that is an operand must be borrowed, because
/// ndarray's operators do not take views by value. Blocks are not included, because `{ x }` moves `x`.
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

/// Returns whether `holds` is true of any operand in arithmetic, or of `expression` itself if it is not arithmetic.
pub fn any_operand(expression: &Expr, holds: &impl Fn(&Expr) -> bool) -> bool {
    match plain(expression) {
        Expr::Binary(binary) if is_arithmetic(&binary.op) => {
            any_operand(&binary.left, holds) || any_operand(&binary.right, holds)
        }
        Expr::Unary(unary) if is_prefix_operator(&unary.op) => any_operand(&unary.expr, holds),
        operand => holds(operand),
    }
}

/// Returns whether the expression is a list of values, which is an array if it is an operand.
pub fn is_list(expression: &Expr) -> bool {
    matches!(plain(expression), Expr::Array(_) | Expr::Repeat(_))
}

/// Returns whether arithmetic keeps Rust's meaning, because an operand is text or written with `&`.
pub fn is_rust(expression: &Expr) -> bool {
    any_operand(expression, &|operand| match operand {
        Expr::Reference(_) => true,
        Expr::Lit(literal) => matches!(literal.lit, Lit::Str(_)),
        _ => false,
    })
}

/// Returns the name of an operator of the kind `wanted`, or `None` for an operator of another kind.
fn name(operator: &BinOp, wanted: OperatorKind) -> Option<&'static str> {
    operator_kind(operator).and_then(|(kind, name)| (kind == wanted).then_some(name))
}

/// Returns the name of the method that replaces an arithmetic operator, or `None` for a shift, which has no such method.
pub fn arithmetic_function(operator: &BinOp) -> Option<&'static str> {
    name(operator, OperatorKind::Arithmetic)
}

/// Returns the name of the type in slice-core that stands for a comparison operator.
pub fn comparison(operator: &BinOp) -> Option<&'static str> {
    name(operator, OperatorKind::Comparison)
}

/// Returns the name of the type in slice-core that stands for an assignment operator such as `+=`.
pub fn assignment_operator(operator: &BinOp) -> Option<&'static str> {
    name(operator, OperatorKind::Assignment)
}

/// Returns whether an operator is `-` or `!`.
pub fn is_prefix_operator(operator: &UnOp) -> bool {
    matches!(operator, UnOp::Neg(_) | UnOp::Not(_))
}

/// Returns whether an expression is an arithmetic operation.
pub fn is_operation(expression: &Expr) -> bool {
    match expression {
        Expr::Binary(binary) => is_arithmetic(&binary.op),
        Expr::Unary(unary) => is_prefix_operator(&unary.op),
        _ => false,
    }
}

/// Returns whether the expression is a literal, possibly after a `-` or a `!`.
pub fn is_literal(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(literal) => !matches!(literal.lit, Lit::Verbatim(_)),
        Expr::Unary(unary) => {
            is_prefix_operator(&unary.op) && matches!(plain(&unary.expr), Expr::Lit(_))
        }
        _ => false,
    }
}

/// Returns whether the expression cannot be an array because it is a literal, a cast to a primitive type, or arithmetic
/// on such expressions.
pub fn is_number(expression: &Expr) -> bool {
    match plain(expression) {
        Expr::Binary(binary) if is_arithmetic(&binary.op) => {
            is_number(&binary.left) && is_number(&binary.right)
        }
        Expr::Cast(cast) => is_type(
            &cast.ty,
            "bool f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize",
        ),
        expression => is_literal(expression),
    }
}

/// Returns whether a number is a float literal, a cast to `f32` or `f64`, or arithmetic with such a number.
pub fn is_float(number: &Expr) -> bool {
    match plain(number) {
        Expr::Binary(binary) => is_float(&binary.left) || is_float(&binary.right),
        Expr::Unary(unary) => is_float(&unary.expr),
        Expr::Cast(cast) => is_type(&cast.ty, "f32 f64"),
        Expr::Lit(literal) => match &literal.lit {
            Lit::Float(_) => true,
            Lit::Int(number) => matches!(number.suffix(), "f32" | "f64"),
            _ => false,
        },
        _ => false,
    }
}

/// Returns whether a type is one of `names`, which are separated by spaces.
fn is_type(ty: &Type, names: &str) -> bool {
    matches!(ty, Type::Path(ty) if ty.path.get_ident().is_some_and(|name| is_one_of(name, names)))
}

/// Returns whether the expression is an empty tuple `()` or an empty array `[]`.
pub fn is_unit(expression: &Expr) -> bool {
    match expression {
        Expr::Tuple(tuple) => tuple.elems.is_empty(),
        Expr::Array(array) => array.elems.is_empty(),
        _ => false,
    }
}

/// Returns whether a method of ndarray modifies its receiver or borrows it mutably. A slice that is the receiver of
/// such a method becomes a mutable view.
pub fn is_modifying(method: &Ident) -> bool {
    const MODIFYING_METHODS: &str = "\
        accumulate_axis_inplace as_slice_mut assign axis_iter_mut column_mut columns_mut diag_mut fill \
        indexed_iter_mut iter_mut lanes_mut map_inplace mapv_inplace outer_iter_mut row_mut rows_mut \
        scaled_add slice_mut swap zip_mut_with \
        ";
    is_one_of(method, MODIFYING_METHODS)
}

/// Returns whether a method of arrays, vectors or numbers only reads its receiver. NumPy's methods are included, so that the
/// compiler reports that a row does not have them.
pub fn only_reads(method: &Ident) -> bool {
    const READING_METHODS: &str = "\
        abs acos acosh all_close argmax argmin argsort as_ptr as_slice as_str asin asinh astype atan \
        atan2 atanh axis_chunks_iter axis_iter broadcast cbrt ceil chars clamp clone cloned column \
        columns contains contains_key copysign cos cosh cumprod cumsum diag diff dim div_euclid dot \
        eq exact_chunks exp exp2 exp_m1 first flatten floor fold fract ge get gt hypot index_axis \
        indexed_iter is_empty is_finite is_infinite is_nan is_none is_some is_square \
        is_standard_layout iter lanes last le len len_of ln ln_1p log log10 log2 lt map map_axis mapv \
        max mean mean_axis min mul_add ncols ndim ne nonzero nrows outer_iter partial_cmp pow pow2 \
        powf powi prod product product_axis quantile_axis ravel raw_dim recip rem_euclid round row \
        rows select shape signum sin sinh slice sqrt starts_with std std_axis strides sum sum_axis t \
        tan tanh to_bits to_owned to_shape to_string to_vec tolist total_cmp transpose trunc \
        unsigned_abs var var_axis view windows \
        ";
    is_one_of(method, READING_METHODS)
}

/// Returns whether a method of the standard library modifies its receiver or borrows it mutably.
pub fn is_modifying_std(method: &Ident) -> bool {
    const MODIFYING_STD_METHODS: &str = "\
        append as_mut clear dedup drain entry extend extend_from_slice get_mut get_or_insert_with \
        insert insert_str pop pop_back pop_front push push_back push_front push_str remove resize \
        retain reverse sort sort_by sort_by_key sort_unstable truncate \
        ";
    is_one_of(method, MODIFYING_STD_METHODS) || method.to_string().ends_with("_assign")
}

/// Returns whether a method of ndarray returns a view, which ndarray's operators take only by reference.
pub fn returns_view(method: &Ident) -> bool {
    is_one_of(
        method,
        "broadcast column diag index_axis reversed_axes row slice t view",
    )
}

/// Returns whether a method takes its receiver by value, judging by its name.
pub fn takes_by_value(method: &Ident) -> bool {
    const OF_VIEWS: &str =
        "index_axis_move insert_axis permuted_axes remove_axis reversed_axes split_at";
    let name = method.to_string();
    name.starts_with("into")
        || name.starts_with("unwrap")
        || name == "expect"
        || is_one_of(method, OF_VIEWS)
}

/// Returns whether the expression is a *plain place*: a variable, or a field, an element or the dereferenced value of
/// another plain place. The index of such an element must be a literal or a name. It makes no difference when a plain
/// place is evaluated.
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
