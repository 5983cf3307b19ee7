//! Reports calls to Python and NumPy functions and methods. Each message is shown at the name of the function, method,
//! module or argument, and suggests a correction.

use proc_macro2::Ident;
use syn::{Error, Expr, ExprCall, ExprMethodCall, Lit};

use super::forms::{is_literal, plain};
use super::messages::with_help;
use super::rewrite::Rewrite;

/// The methods whose calls are checked even if they have no named arguments. To save time, calls to other methods are
/// checked only if they have named arguments.
const REPORTED_METHODS: [&str; 23] = [
    "all",
    "any",
    "argmax",
    "argmin",
    "astype",
    "clip",
    "copy",
    "cumsum",
    "item",
    "max",
    "mean",
    "min",
    "prod",
    "product",
    "ravel",
    "reshape",
    "round",
    "sort",
    "std",
    "sum",
    "tolist",
    "transpose",
    "var",
];

impl Rewrite {
    pub fn python_function(&self, call: &ExprCall) -> Option<Error> {
        let Expr::Path(path) = plain(&call.func) else {
            return None;
        };
        let arguments: Vec<&Expr> = call.args.iter().collect();
        path.path.get_ident()?;
        self.named_argument(&arguments)
    }

    /// Reports `f(x, axis=0)`. In Rust, `axis=0` would be an assignment with the value `()`.
    fn named_argument(&self, arguments: &[&Expr]) -> Option<Error> {
        arguments.iter().find_map(|argument| match argument {
            Expr::Assign(assign) => match &*assign.left {
                Expr::Path(path) => {
                    let name = path.path.get_ident()?;
                    let help = format!("write `{}`", self.text_of(&assign.right));
                    Some(with_help(name.span(), "Rust has no named arguments", &help))
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// Reports `np.exp(x)`, which Rust parses as a method call on a variable. A call is not reported if numbers or arrays
    /// have a method with the same name and number of arguments.
    fn numpy_function(&self, module: &Ident, name: &Ident, arguments: &[&Expr]) -> Option<Error> {
        let called = name.to_string();
        let is_rust_method = match arguments {
            [] => true,
            [argument] => {
                let names = ["all", "any", "log", "max", "min", "std", "var"];
                names.contains(&&*called) && !self.has_slice(argument)
            }
            _ => false,
        };
        if !(module == "np" || module == "numpy") || is_rust_method {
            return None;
        }
        let array = arguments.first().map(|array| self.operand_text(array));
        let is_named = |argument: &&&Expr| matches!(argument, Expr::Assign(_));
        let axis = arguments.iter().skip(1).find(|argument| match argument {
            Expr::Assign(assign) => self.text_of(&assign.left) == "axis",
            argument => {
                matches!(argument, Expr::Lit(_))
                    && arguments.len() == 2
                    && reduced_along("", &called, "").is_some()
            }
        });
        let axis = axis.map(|axis| match axis {
            Expr::Assign(assign) => self.text_of(&assign.right),
            axis => self.text_of(axis),
        });
        let number = arguments.get(1).map(|number| self.text_of(number));
        let math = module == "math";
        let write = match (called.as_str(), array, axis) {
            ("array" | "asarray", Some(list), _) => format!("ndarray::array!{list}"),
            ("zeros" | "ones", Some(shape), _) => format!("ndarray::Array::{called}({shape})"),
            ("arange", Some(end), _) => format!("ndarray::Array::range(0.0, {}, 1.0)", float(&end)),
            ("dot" | "matmul", Some(array), _) if arguments.len() == 2 => {
                format!("{array}.dot(&{})", self.text_of(arguments[1]))
            }
            ("linspace", Some(start), _) if arguments.len() == 3 => format!(
                "ndarray::Array::linspace({}, {}, {})",
                float(&start),
                float(&self.text_of(arguments[1])),
                self.text_of(arguments[2])
            ),
            ("concatenate" | "hstack" | "vstack" | "stack", Some(_), _) => {
                let stack = if called == "stack" {
                    "stack"
                } else {
                    "concatenate"
                };
                format!("ndarray::{stack}(Axis(0), &[x.view(), y.view()])")
            }
            ("maximum" | "minimum", Some(_), _)
                if arguments.len() == 2
                    && !arguments.iter().any(|side| is_literal(plain(side))) =>
            {
                let sign = if called == "maximum" { '>' } else { '<' };
                format!(
                    "ndarray::Zip::from(&{}).and(&{}).map_collect(|&a, &b| if a {sign} b {{ a }} else {{ b }})",
                    self.operand_text(arguments[0]),
                    self.operand_text(arguments[1])
                )
            }
            ("maximum" | "minimum", Some(array), _) => {
                let method = &called[..3];
                let number = number.unwrap_or_default();
                format!("{array}.mapv(|value| value.{method}({number}))")
            }
            ("clip", Some(array), _) if arguments.len() == 3 => format!(
                "{array}.mapv(|value| value.clamp({}, {}))",
                self.text_of(arguments[1]),
                self.text_of(arguments[2])
            ),
            ("power" | "pow", Some(array), _) if arguments.len() == 2 && !math => {
                format!(
                    "{array}.mapv(|value| value.powf({}))",
                    number.unwrap_or_default()
                )
            }
            (_, Some(array), Some(axis)) => {
                reduced_along(&array, &called, &axis).unwrap_or_default()
            }
            ("log", Some(array), _) => format!("{array}.ln()"),
            ("prod", Some(array), _) => format!("{array}.product()"),
            ("std" | "var", Some(array), _) => format!("{array}.{called}(0.0)"),
            (_, Some(array), None)
                if arguments.iter().filter(|one| !is_named(one)).count() == 1 =>
            {
                format!("{array}.{called}()")
            }
            _ => String::new(),
        };
        let help = match write.as_str() {
            "" => "call a method of the array, as in `x[1:].exp()`".to_owned(),
            write => format!("write `{write}`"),
        };
        Some(with_help(
            module.span(),
            &format!("there is no `{module}` in Rust"),
            &help,
        ))
    }

    pub fn numpy_method(&self, call: &ExprMethodCall) -> Option<Error> {
        let (receiver, method) = (plain(&call.receiver), call.method.to_string());
        let arguments: Vec<&Expr> = call.args.iter().collect();
        if let Expr::Path(path) = receiver
            && let Some(module) = path.path.get_ident()
            && let Some(error) = self.numpy_function(module, &call.method, &arguments)
        {
            return Some(error);
        }
        let is_named = |argument: &&Expr| matches!(argument, Expr::Assign(_));
        if !REPORTED_METHODS.contains(&&*method) && !arguments.iter().any(is_named) {
            return None;
        }
        let array = self.operand_text(&call.receiver);
        let named_argument = arguments.iter().find_map(|argument| match argument {
            Expr::Assign(assign) => match &*assign.left {
                Expr::Path(path) => Some((path.path.get_ident()?, &assign.right)),
                _ => None,
            },
            _ => None,
        });
        if let Some((name, value)) = named_argument {
            let value = self.text_of(value);
            let help = match (name == "axis").then(|| reduced_along(&array, &method, &value)) {
                Some(Some(write)) => format!("write `{write}`"),
                _ => format!("write only `{value}`, if the method has such a parameter"),
            };
            return Some(with_help(name.span(), "Rust has no named arguments", &help));
        }
        if self.is_comparison(receiver) && arguments.is_empty() {
            let write = match method.as_str() {
                "all" | "any" => format!("{array}.iter().{method}(|&value| value)"),
                "sum" => format!("{array}.iter().filter(|&&value| value).count()"),
                _ => return None,
            };
            let problem = format!("an array of `bool` has no method `{method}`");
            return Some(with_help(
                call.method.span(),
                &problem,
                &format!("write `{write}`"),
            ));
        }
        if let [Expr::Lit(literal)] = arguments.as_slice()
            && let Lit::Int(axis) = &literal.lit
            && matches!(method.as_str(), "sum" | "mean" | "prod" | "product")
            && self.has_slice(receiver)
        {
            let write = reduced_along(&array, &method, &axis.to_string())?;
            return Some(with_help(
                call.method.span(),
                &format!("ndarray's `{method}` takes no axis"),
                &format!("write `{write}`"),
            ));
        }
        if !self.has_view(receiver) {
            return None;
        }
        let text = |at: usize| self.text_of(arguments[at]);
        let write = match (method.as_str(), arguments.as_slice()) {
            ("max" | "min", []) => {
                let start = if method == "max" {
                    "NEG_INFINITY"
                } else {
                    "INFINITY"
                };
                format!(
                    "{array}.iter().copied().fold(f64::{start}, f64::{method})` for floats, or for integers `{array}.iter().{method}()"
                )
            }
            ("max" | "min", [_]) => format!("{array}.mapv(|value| value.{method}({}))", text(0)),
            ("argmax" | "argmin", []) => {
                let by = format!("{}_by", &method[3..]);
                format!(
                    "{array}.iter().enumerate().{by}(|a, b| a.1.total_cmp(b.1)).map(|(i, _)| i)"
                )
            }
            ("std" | "var", []) => format!("{array}.{method}(0.0)"),
            ("reshape", [..])
                if arguments
                    .iter()
                    .any(|length| is_literal(length) && self.text_of(length).starts_with('-')) =>
            {
                return Some(with_help(
                    call.method.span(),
                    "unlike NumPy's `reshape`, ndarray does not compute a length from the others",
                    &format!("write `{array}.to_shape((rows, columns)).unwrap()` with all lengths"),
                ));
            }
            ("reshape", [_, _, ..]) => {
                let lengths: Vec<String> = arguments
                    .iter()
                    .map(|length| self.text_of(length))
                    .collect();
                format!("{array}.to_shape(({})).unwrap()", lengths.join(", "))
            }
            ("ravel", []) => format!("{array}.flatten()"),
            ("round", [_]) => format!("{array}.mapv({})", rounding(&text(0))),
            ("cumsum", []) => format!(
                "{{ let mut sums = {array}.to_owned(); sums.accumulate_axis_inplace(Axis(0), |before, sum| *sum += before); sums }}"
            ),
            ("sort", []) => format!(
                "(&mut {array}).as_slice_mut().unwrap().sort_by(f64::total_cmp)` for floats, or for integers `(&mut {array}).as_slice_mut().unwrap().sort()"
            ),
            ("transpose", [_, _, ..]) => {
                let axes: Vec<String> = arguments.iter().map(|axis| self.text_of(axis)).collect();
                format!("{array}.permuted_axes([{}])", axes.join(", "))
            }
            ("clip", [_, _]) => format!(
                "{array}.mapv(|value| value.clamp({}, {}))",
                text(0),
                text(1)
            ),
            ("item", []) => format!("{array}[0]"),
            ("copy", []) => format!("{array}.to_owned()"),
            ("tolist", []) => format!("{array}.iter().cloned().collect::<Vec<_>>()"),
            ("transpose", []) => format!("{array}.reversed_axes()"),
            ("prod", []) => format!("{array}.product()"),
            ("astype", [ty]) => {
                let ty = rust_type(&self.text_of(ty));
                format!("{array}.mapv(|value| value as {ty})")
            }
            _ => return None,
        };
        let problem = format!("ndarray does not have NumPy's method `{method}`");
        Some(with_help(
            call.method.span(),
            &problem,
            &format!("write `{write}`"),
        ))
    }
}

/// Returns the Rust type that corresponds to a Python or NumPy type, or `ty` unchanged if no such type is known.
fn rust_type(ty: &str) -> String {
    let name = ty.trim_matches('"');
    let name = name.rsplit(['.', ':']).next().unwrap_or(name);
    let bits = |prefix: &str| {
        let bits = name.strip_prefix(prefix)?;
        matches!(bits, "8" | "16" | "32" | "64").then(|| bits.to_owned())
    };
    match name {
        "float" | "double" => "f64".to_owned(),
        "int" => "i64".to_owned(),
        _ => bits("float")
            .map(|bits| format!("f{bits}"))
            .or_else(|| bits("uint").map(|bits| format!("u{bits}")))
            .or_else(|| bits("int").map(|bits| format!("i{bits}")))
            .unwrap_or_else(|| ty.to_owned()),
    }
}

/// Returns the Rust code of a closure that rounds to `digits` decimal places.
fn rounding(digits: &str) -> String {
    format!("|value| (value * 1e{digits}).round() / 1e{digits}")
}

/// Converts an integer literal to a float literal, and returns any other code unchanged.
fn float(number: &str) -> String {
    match number.bytes().all(|digit| digit.is_ascii_digit()) {
        true => format!("{number}.0"),
        false => number.to_owned(),
    }
}

/// Returns the Rust code for a NumPy reduction along an axis, or `None` if `method` is not a known reduction.
fn reduced_along(array: &str, method: &str, axis: &str) -> Option<String> {
    Some(match method {
        "sum" | "mean" => format!("{array}.{method}_axis(Axis({axis}))"),
        "prod" | "product" => format!("{array}.product_axis(Axis({axis}))"),
        "std" | "var" => format!("{array}.{method}_axis(Axis({axis}), 0.0)"),
        "max" | "min" => format!(
            "{array}.map_axis(Axis({axis}), |lane| lane.iter().copied().reduce(f64::{method}))"
        ),
        _ => return None,
    })
}
