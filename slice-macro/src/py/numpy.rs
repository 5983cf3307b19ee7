//! Reports Python and NumPy expressions that Rust's parser accepts, but that have no meaning or a different meaning in
//! Rust. Each expression is reported with one message, which suggests a correction.

use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{BinOp, Error, Expr, ExprBinary, ExprField, Member, UnOp};

use super::expand;
use super::forms::{is_arithmetic, is_float, is_number, is_prefix_operator, plain};
use super::functions::float;
use super::messages::{masks, with_help};
use super::rewrite::Rewrite;
use crate::text::text;

impl Rewrite {
    /// Returns the error for a Python or NumPy expression.
    pub fn numpy_mistake(&self, expression: &Expr) -> Option<Error> {
        match expression {
            Expr::Binary(binary) => self.python_operator(binary),
            Expr::Call(call) => self.python_function(call),
            Expr::MethodCall(call) => self.numpy_method(call),
            Expr::Field(field) => self.numpy_field(field),
            Expr::Yield(yielded) => Some(with_help(
                yielded.yield_token.span,
                "there is no `yield` in Rust",
                "write an iterator, such as `x[1:].iter()` or `x[1:].outer_iter()`",
            )),
            _ => None,
        }
    }

    /// Returns the error for a condition that is a comparison of elements, because a condition must be a single `bool`.
    pub fn compared_elements(&self, condition: &Expr) -> Error {
        let text = self.operand_text(condition);
        with_help(
            expand::span(condition),
            "the truth value of an array with more than one element is ambiguous",
            &format!("write `{text}.iter().all(|&value| value)`, or `any` instead of `all`"),
        )
    }

    fn python_operator(&self, binary: &ExprBinary) -> Option<Error> {
        let (left, right) = (&*binary.left, &*binary.right);
        if let (BinOp::Mul(star), Expr::Unary(unary)) = (&binary.op, right)
            && let UnOp::Deref(_) = unary.op
            && let Some(help) = self.power_help(left, plain(&unary.expr))
        {
            let problem = "`**` is not an operator in Rust";
            return Some(with_help(star.span, problem, &help));
        }
        if matches!(binary.op, BinOp::And(_) | BinOp::Or(_))
            && (self.is_comparison(left) || self.is_comparison(right))
        {
            let problem =
                "needs two `bool`s, but a comparison of a slice returns an array of `bool`";
            return Some(masks(
                &binary.op,
                problem,
                "with each comparison in parentheses",
            ));
        }
        let is_float = |side: &Expr| is_number(side) && is_float(side);
        if matches!(binary.op, BinOp::BitXor(_)) && (is_float(left) || is_float(right)) {
            let help = self.power_help(left, right);
            let power = || {
                format!(
                    "write `{}.powf({})`",
                    self.operand_text(left),
                    self.text_of(right)
                )
            };
            return Some(with_help(
                binary.op.span(),
                "`^` is the bitwise exclusive or, not a power",
                &help.unwrap_or_else(power),
            ));
        }
        None
    }

    /// Returns the help for `left ** power`, or `None` if the power is neither a literal nor an array.
    fn power_help(&self, left: &Expr, power: &Expr) -> Option<String> {
        let (before, base) = self.before_power(left);
        let base_text = self.operand_text(base);
        let text = self.text_of(power);
        if !matches!(power, Expr::Lit(_)) {
            let array = self.operand_text(power);
            return (self.has_view(power) && !self.has_view(base)).then(|| {
                let base = float(&base_text);
                format!("write `{before}{array}.mapv(|value| f64::powf({base}, value))`")
            });
        }
        let code = |call: &str| format!("{before}{base_text}.{call}");
        Some(match text.contains('.') {
            false if self.has_view(base) => format!(
                "write `{}`, or `{}` for integers",
                code(&format!("powi({text})")),
                code(&format!("mapv(|value: i64| value.pow({text}))"))
            ),
            true => format!("write `{}`", code(&format!("powf({text})"))),
            false => format!(
                "write `{}`, or `{}` for a float",
                code(&format!("pow({text})")),
                code(&format!("powi({text})"))
            ),
        })
    }

    /// Splits the left side of `**` into the operators before the base, as text, and the base. `**` binds closer than `-` and
    /// `*`, which Rust's parser does not know.
    fn before_power<'e>(&self, left: &'e Expr) -> (String, &'e Expr) {
        match left {
            Expr::Binary(binary) if is_arithmetic(&binary.op) => {
                let sign = binary.op.to_token_stream();
                let (before, base) = self.before_power(&binary.right);
                let text = self.text_of(&binary.left);
                (format!("{text} {sign} {before}"), base)
            }
            Expr::Unary(unary) if is_prefix_operator(&unary.op) => {
                let (before, base) = self.before_power(&unary.expr);
                (format!("{}{before}", unary.op.to_token_stream()), base)
            }
            base => (String::new(), base),
        }
    }

    fn numpy_field(&self, field: &ExprField) -> Option<Error> {
        let Member::Named(name) = &field.member else {
            return None;
        };
        let base = plain(&field.base);
        if let Expr::Path(path) = base
            && let Some(module) = path.path.get_ident()
            && (module == "np" || module == "numpy")
        {
            let constant = match name.to_string().as_str() {
                "pi" => "std::f64::consts::PI",
                "e" => "std::f64::consts::E",
                "inf" => "f64::INFINITY",
                "nan" => "f64::NAN",
                _ => return None,
            };
            return Some(with_help(
                module.span(),
                &format!("there is no `{module}` in Rust"),
                &format!("write `{constant}`"),
            ));
        }
        let is_slice = self.is_slice(base);
        let method = match name.to_string().as_str() {
            // No field of a Rust type is written in capitals.
            "T" if !is_slice => "t",
            _ if !is_slice => return None,
            "T" => "reversed_axes",
            "size" => "len",
            "shape" => "shape",
            "ndim" => "ndim",
            _ => return None,
        };
        Some(with_help(
            name.span(),
            &format!("ndarray's arrays have no field `{name}`"),
            &format!("write `{}.{method}()`", self.text_of(&field.base)),
        ))
    }

    /// Returns the source text of an expression.
    pub fn text_of(&self, expression: &impl ToTokens) -> String {
        let tokens = self.slices.put_back(expression.to_token_stream());
        text(&tokens.into_iter().collect::<Vec<TokenTree>>())
    }

    /// Returns the source text of an expression, in parentheses if a method call needs them.
    pub fn operand_text(&self, expression: &Expr) -> String {
        let text = self.text_of(expression);
        match expression {
            Expr::Binary(_)
            | Expr::Cast(_)
            | Expr::Range(_)
            | Expr::Reference(_)
            | Expr::Unary(_) => {
                format!("({text})")
            }
            _ => text,
        }
    }
}
