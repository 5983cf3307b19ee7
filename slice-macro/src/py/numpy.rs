//! Reports Python and NumPy expressions that Rust's parser accepts, but that have no meaning or a different meaning in
//! Rust. Each expression is reported with one message, which suggests a correction.

use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{BinOp, Error, Expr, ExprBinary, ExprField, Lit, Member, UnOp};

use super::expand;
use super::forms::{assignment_operator, is_arithmetic, is_prefix_operator, plain};
use super::messages::with_help;
use super::rewrite::Rewrite;
use crate::text::text;

impl Rewrite {
    /// Replaces a Python or NumPy expression with an error. Returns `true` if the expression was replaced.
    pub fn reject_numpy(&mut self, expression: &mut Expr) -> bool {
        let error = match expression {
            Expr::Binary(binary) => self.python_operator(binary),
            Expr::Call(call) => self.python_function(call),
            Expr::MethodCall(call) => self.numpy_method(call),
            Expr::Field(field) => self.numpy_field(field),
            Expr::If(branches) => return self.reject_condition(&mut branches.cond),
            Expr::While(while_loop) => return self.reject_condition(&mut while_loop.cond),
            Expr::Assign(assign) => self.mask_of_conditions(&assign.left),
            Expr::Yield(yielded) => Some(with_help(
                yielded.yield_token.span,
                "there is no `yield` in Rust",
                "write an iterator, such as `x[1:].iter()` or `x[1:].outer_iter()`",
            )),
            _ => None,
        };
        let Some(error) = error else {
            return false;
        };
        *expression = expand::error_expression(&error);
        true
    }

    /// Replaces a condition with an error if it is a comparison of elements, because a condition must be a single
    /// `bool`. Always returns `false`, so that the rest of the statement is visited.
    fn reject_condition(&mut self, condition: &mut Expr) -> bool {
        if self.is_comparison(condition) {
            let text = self.operand_text(condition);
            *condition = expand::error_expression(&with_help(
                expand::span(condition),
                "the truth value of an array with more than one element is ambiguous",
                &format!("write `{text}.iter().all(|&value| value)`, or `any` instead of `all`"),
            ));
        }
        false
    }

    fn python_operator(&self, binary: &ExprBinary) -> Option<Error> {
        let (left, right) = (&*binary.left, &*binary.right);
        if assignment_operator(&binary.op).is_some() {
            return self.mask_of_conditions(left);
        }
        if let Some(error) = self.tuple_beside_a_slice(binary) {
            return Some(error);
        }
        if let (BinOp::Mul(star), Expr::Unary(unary)) = (&binary.op, right)
            && let UnOp::Deref(_) = unary.op
            && let Expr::Lit(_) = plain(&unary.expr)
        {
            let power = self.text_of(&unary.expr);
            let (before, base) = self.before_power(left);
            let base_text = self.operand_text(base);
            let code = |call: &str| format!("{before}{base_text}.{call}");
            let help = match power.contains('.') {
                false if self.has_view(base) => format!(
                    "write `{}`, or `{}` for integers",
                    code(&format!("powi({power})")),
                    code(&format!("mapv(|value| value.pow({power}))"))
                ),
                true => format!("write `{}`", code(&format!("powf({power})"))),
                false => format!(
                    "write `{}`, or `{}` for a float",
                    code(&format!("pow({power})")),
                    code(&format!("powi({power})"))
                ),
            };
            return Some(with_help(
                star.span,
                "`**` is not an operator in Rust",
                &help,
            ));
        }
        if let (BinOp::Mul(star), Expr::Unary(unary)) = (&binary.op, right)
            && let UnOp::Deref(_) = unary.op
            && self.has_view(&unary.expr)
        {
            let (before, base) = self.before_power(left);
            let help = format!(
                "write `{before}{}.mapv(|value| {}_f64.powf(value))`",
                self.operand_text(plain(&unary.expr)),
                self.operand_text(base)
            );
            return Some(with_help(
                star.span,
                "`**` is not an operator in Rust",
                &help,
            ));
        }
        if matches!(binary.op, BinOp::And(_) | BinOp::Or(_))
            && (self.is_comparison(left) || self.is_comparison(right))
        {
            let (sign, array_operator) = match binary.op {
                BinOp::And(_) => ("&&", "&"),
                _ => ("||", "|"),
            };
            return Some(with_help(
                binary.op.span(),
                &format!(
                    "`{sign}` needs two `bool`s, but a comparison of a slice returns an array of `bool`"
                ),
                &format!("write `{array_operator}`, with each comparison in parentheses"),
            ));
        }
        let is_float = |side: &Expr| matches!(plain(side), Expr::Lit(literal) if matches!(literal.lit, Lit::Float(_)));
        if matches!(binary.op, BinOp::BitXor(_)) && (is_float(left) || is_float(right)) {
            return Some(with_help(
                binary.op.span(),
                "`^` is the bitwise exclusive or, not a power",
                &format!(
                    "write `{}.powf({})`",
                    self.operand_text(left),
                    self.text_of(right)
                ),
            ));
        }
        if !is_arithmetic(&binary.op) {
            return None;
        }
        let index = [left, right]
            .into_iter()
            .find_map(|side| match plain(side) {
                Expr::Index(index) => match plain(&index.index) {
                    Expr::Range(range) => Some((&index.expr, range)),
                    _ => None,
                },
                _ => None,
            });
        let (array, range) = index?;
        let end = |end: &Option<Box<Expr>>| {
            end.as_ref()
                .map(|end| self.text_of(end))
                .unwrap_or_default()
        };
        let plus_one = match range.limits {
            syn::RangeLimits::Closed(_) => " + 1",
            syn::RangeLimits::HalfOpen(_) => "",
        };
        Some(with_help(
            range.span(),
            "a Rust range does not slice an array",
            &format!(
                "write `{}[{}:{}{plus_one}]`",
                self.text_of(array),
                end(&range.start),
                end(&range.end)
            ),
        ))
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

    /// Reports `&&` and `||` in the mask of an assignment target.
    fn mask_of_conditions(&self, target: &Expr) -> Option<Error> {
        let Expr::Index(index) = target else {
            return None;
        };
        let Expr::Binary(mask) = plain(&index.index) else {
            return None;
        };
        let (sign, array_operator) = match mask.op {
            BinOp::And(_) => ("&&", "&"),
            BinOp::Or(_) => ("||", "|"),
            _ => return None,
        };
        // A condition that does not read the array may be a single `bool`, so it is not reported.
        let (array, condition) = (self.text_of(&index.expr), self.text_of(mask));
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
        let reads = condition
            .split(|letter| !is_part(letter))
            .any(|word| word == array);
        reads.then(|| {
            let [left, right] = [&mask.left, &mask.right].map(|side| self.text_of(plain(side)));
            with_help(
                mask.op.span(),
                &format!("`{sign}` needs two `bool`s, but a comparison of an array returns an array of `bool`"),
                &format!("write `{array}[({left}) {array_operator} ({right})]`"),
            )
        })
    }

    /// Reports a tuple that an arithmetic operator combines with a slice.
    fn tuple_beside_a_slice(&self, binary: &ExprBinary) -> Option<Error> {
        if !is_arithmetic(&binary.op) {
            return None;
        }
        let sides = [(&binary.left, &binary.right), (&binary.right, &binary.left)];
        let (tuple, _) = sides.into_iter().find(|(side, other)| {
            matches!(plain(side), Expr::Tuple(tuple) if !tuple.elems.is_empty())
                && self.has_view(other)
        })?;
        let text = self.text_of(plain(tuple));
        let elements = text
            .trim_start_matches('(')
            .trim_end_matches(')')
            .trim_end_matches(',');
        Some(with_help(
            expand::span(tuple),
            "a tuple is not an array",
            &format!("write `[{elements}]`"),
        ))
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
        if !self.is_slice(base) || !self.has_view(base) {
            return None;
        }
        let method = match name.to_string().as_str() {
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
