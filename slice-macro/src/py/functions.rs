//! Reports calls to NumPy's functions and methods. Each message is shown at the name of the function, method, module or
//! argument. It suggests the code in [`ADVICE`], or names the section of the guide.

use std::iter;

use proc_macro2::Ident;
use syn::{Error, Expr, ExprCall, ExprMethodCall, Lit};

use super::forms::{comparison, is_literal, is_number, plain};
use super::messages::with_help;
use super::rewrite::Rewrite;

/// Rust code for NumPy's functions and methods: their names, the number of arguments (with the array) and whether there is an
/// `axis`, and the code. In the code, `{0}`, `{1}` and `{2}` are the arguments, `{f0}`, `{f1}` and `{f2}` the same with integer
/// literals as floats, `{rest}` all arguments but the first, `{views}` views of the arrays in the list, `{type}` a Rust type, and
/// `{name}` the name.
///
/// Some names end with a property of the arguments: `:number` if the second argument is a number, `:list` if the first is a list,
/// `:comparison` if it is a comparison, `:slice` if it is a slice, and `:lengths` if there are at least three arguments.
///
/// A test compiles and runs the code of each row, and compares the result with NumPy's.
#[rustfmt::skip]
const ADVICE: [(&str, usize, bool, &str); 84] = [
    ("abs cbrt ceil cos cosh exp exp2 floor log10 log2 sin sinh sqrt tan tanh trunc", 1, false, "{0}.{name}()"),
    ("absolute fabs", 1, false, "{0}.abs()"),
    ("log", 1, false, "{0}.ln()"),
    ("log1p", 1, false, "{0}.ln_1p()"),
    ("expm1", 1, false, "{0}.exp_m1()"),
    ("arcsin", 1, false, "{0}.asin()"),
    ("arccos", 1, false, "{0}.acos()"),
    ("arctan", 1, false, "{0}.atan()"),
    ("square", 1, false, "{0}.powi(2)"),
    ("reciprocal", 1, false, "{0}.recip()"),
    ("negative", 1, false, "-{0}"),
    ("sign", 1, false, "{0}.mapv(|value| if value == 0.0 { 0.0 } else { f64::signum(value) })"),
    ("rint round around", 1, false, "{0}.mapv(f64::round_ties_even)"),
    ("round around", 2, false, "{0}.mapv(|value| f64::round_ties_even(value * 1e{1}) / 1e{1})"),
    ("isnan", 1, false, "{0}.mapv(f64::is_nan)"),
    ("isinf", 1, false, "{0}.mapv(f64::is_infinite)"),
    ("isfinite", 1, false, "{0}.mapv(f64::is_finite)"),
    ("logical_not", 1, false, "!{0}"),
    ("logical_and", 2, false, "{0} & {1}"),
    ("logical_or", 2, false, "{0} | {1}"),
    ("add", 2, false, "{0} + {1}"),
    ("subtract", 2, false, "{0} - {1}"),
    ("multiply", 2, false, "{0} * {1}"),
    ("divide", 2, false, "{0} / {1}"),
    ("power", 2, false, "{0}.powf({f1})"),
    ("clip", 3, false, "{0}.clamp({f1}, {f2})"),
    ("sum", 1, false, "{0}.sum()"),
    ("sum", 1, true, "{0}.sum_axis(ndarray::Axis({axis}))"),
    ("mean", 1, false, "{0}.mean().unwrap()"),
    ("mean", 1, true, "{0}.mean_axis(ndarray::Axis({axis})).unwrap()"),
    ("prod product", 1, false, "{0}.product()"),
    ("prod product", 1, true, "{0}.product_axis(ndarray::Axis({axis}))"),
    ("std var", 1, false, "{0}.{name}(0.0)"),
    ("std var", 1, true, "{0}.{name}_axis(ndarray::Axis({axis}), 0.0)"),
    ("max", 1, false, "{0}.fold(f64::NEG_INFINITY, |a, &b| a.max(b))` for floats, or for integers `*{0}.iter().max().unwrap()"),
    ("min", 1, false, "{0}.fold(f64::INFINITY, |a, &b| a.min(b))` for floats, or for integers `*{0}.iter().min().unwrap()"),
    ("max", 1, true, "{0}.map_axis(ndarray::Axis({axis}), |lane| lane.fold(f64::NEG_INFINITY, |a, &b| a.max(b)))` for floats, or for integers `{0}.map_axis(ndarray::Axis({axis}), |lane| *lane.iter().max().unwrap())"),
    ("min", 1, true, "{0}.map_axis(ndarray::Axis({axis}), |lane| lane.fold(f64::INFINITY, |a, &b| a.min(b)))` for floats, or for integers `{0}.map_axis(ndarray::Axis({axis}), |lane| *lane.iter().min().unwrap())"),
    ("argmax", 1, false, "{0}.iter().enumerate().fold((0, f64::NEG_INFINITY), |best, (i, &v)| if v > best.1 { (i, v) } else { best }).0"),
    ("argmin", 1, false, "{0}.iter().enumerate().fold((0, f64::INFINITY), |best, (i, &v)| if v < best.1 { (i, v) } else { best }).0"),
    ("all any all:comparison any:comparison", 1, false, "{0}.iter().{name}(|&value| value)"),
    ("cumsum", 1, false, "{ let mut sums = {0}.flatten().into_owned(); sums.accumulate_axis_inplace(ndarray::Axis(0), |before, sum| *sum += before); sums }"),
    ("cumsum", 1, true, "{ let mut sums = {0}.to_owned(); sums.accumulate_axis_inplace(ndarray::Axis({axis}), |before, sum| *sum += before); sums }"),
    ("cumprod", 1, true, "{0}.cumprod(ndarray::Axis({axis}))"),
    ("diff", 1, false, "{0}[..., 1:] - {0}[..., :-1]"),
    ("dot matmul", 2, false, "{0}.dot(&{1})"),
    ("outer", 2, false, "{0}[:, None] * {1}[None, :]"),
    ("array_equal", 2, false, "({0} == {1}).iter().all(|&value| value)"),
    ("copy", 1, false, "{0}.to_owned()"),
    ("ravel", 1, false, "{0}.flatten().into_owned()"),
    ("transpose", 1, false, "{0}.t().to_owned()"),
    ("item", 1, false, "*{0}.first().unwrap()"),
    ("tolist", 1, false, "{0}.iter().cloned().collect::<Vec<_>>()"),
    ("astype", 2, false, "{0}.mapv(|value| value as {type})"),
    ("zeros ones", 1, false, "ndarray::Array::<f64, _>::{name}({0})"),
    ("zeros_like", 1, false, "ndarray::Array::<f64, _>::zeros({0}.raw_dim())"),
    ("ones_like", 1, false, "ndarray::Array::<f64, _>::ones({0}.raw_dim())"),
    ("full", 2, false, "ndarray::Array::from_elem({0}, {1})"),
    ("eye identity", 1, false, "ndarray::Array2::<f64>::eye({0})"),
    ("arange", 1, false, "ndarray::Array::from_iter(0..{0})"),
    ("arange", 2, false, "ndarray::Array::from_iter({0}..{1})"),
    ("arange", 3, false, "ndarray::Array::range({f0}, {f1}, {f2})"),
    ("linspace", 3, false, "ndarray::Array::linspace({f0}, {f1}, {2})"),
    ("concatenate", 1, false, "ndarray::concatenate(ndarray::Axis(0), &[{views}]).unwrap()"),
    ("hstack", 1, false, "ndarray::concatenate(ndarray::Axis(1.min({first}.ndim() - 1)), &[{views}]).unwrap()"),
    ("maximum:number", 2, false, "{0}.mapv(|value| if value < {f1} { {f1} } else { value })"),
    ("minimum:number", 2, false, "{0}.mapv(|value| if value > {f1} { {f1} } else { value })"),
    ("maximum", 2, false, "ndarray::Zip::from(&{0}).and(&{1}).map_collect(|&a, &b| if a > b || a.partial_cmp(&a).is_none() { a } else { b })"),
    ("minimum", 2, false, "ndarray::Zip::from(&{0}).and(&{1}).map_collect(|&a, &b| if a < b || a.partial_cmp(&a).is_none() { a } else { b })"),
    ("array:list asarray:list", 1, false, "ndarray::array!{0}"),
    ("sum:comparison count_nonzero:comparison", 1, false, "{0}.iter().filter(|&&value| value).count()"),
    ("mean:comparison", 1, false, "{0}.mapv(f64::from).mean().unwrap()"),
    ("mean:comparison", 1, true, "{0}.mapv(f64::from).mean_axis(ndarray::Axis({axis})).unwrap()"),
    ("std:comparison var:comparison", 1, false, "{0}.mapv(f64::from).{name}(0.0)"),
    ("sum:comparison", 1, true, "{0}.mapv(i64::from).sum_axis(ndarray::Axis({axis}))"),
    ("nonzero:comparison", 1, false, "slice_core::nonzero(&{0})"),
    ("nonzero", 1, false, "slice_core::nonzero(&({0} != 0.0))` for floats, or for integers `slice_core::nonzero(&({0} != 0))"),
    ("take", 2, false, "{0}.flatten()[{1}]"),
    ("take", 2, true, "{0}.select(ndarray::Axis({axis}), &{1})"),
    ("reshape", 2, false, "{0}.to_shape({rest}).unwrap().into_owned()"),
    ("reshape:lengths", 3, false, "{0}.to_shape(({rest})).unwrap().into_owned()"),
    ("transpose:lengths", 3, false, "{0}.to_owned().permuted_axes([{rest}])"),
    ("sort:slice", 1, false, "(&mut {0}).as_slice_mut().unwrap().sort_by(f64::total_cmp)` for floats, or for integers `(&mut {0}).as_slice_mut().unwrap().sort()"),
    ("stack", 1, false, "ndarray::stack(ndarray::Axis(0), &[{views}]).unwrap()"),
];

/// The sections of the guide that have code for functions without code in [`ADVICE`].
#[rustfmt::skip]
const SECTIONS: [(&str, &str); 3] = [
    ("Functions", "diag pad trace"),
    ("Functions that ndarray lacks", "allclose argsort bincount column_stack count_nonzero histogram isin keepdims median repeat roll searchsorted sort tile unique vstack where"),
    ("Lists and masks", "compress ix_ take"),
];

/// Returns the help for a function or method without code in [`ADVICE`].
pub fn guide(name: &str) -> String {
    let has_name = |(_, names): &&(&str, &str)| names.split(' ').any(|one| one == name);
    let section = SECTIONS.iter().find(has_name);
    let section = section.map(|(section, _)| format!("the section \"{section}\" of "));
    let section = section.unwrap_or_default();
    format!("see {section}the guide `slice_core::guide::numpy_to_rust`")
}

/// The methods whose calls are checked even if they have no named arguments. To save time, calls to other methods are
/// checked only if they have named arguments.
const REPORTED_METHODS: &str = " all any argmax argmin argsort astype clip copy cumsum index_add index_select item masked_fill max mean \
     min nonzero prod product ravel repeat reshape roll round scatter scatter_add sort squeeze std sum take to_shape tolist transpose unique var ";

/// The functions and methods for which a second argument that is an integer literal is the axis.
const WITH_AXIS: &str = " sum mean prod product std var max min cumsum cumprod argmax argmin any all argsort count_nonzero nonzero ";

impl Rewrite {
    /// Reports named arguments, and Python's `print`, for which the compiler would suggest `print!(x)`. A function of the user's
    /// with this name is called by `(print)(x)`.
    pub fn python_function(&self, call: &ExprCall) -> Option<Error> {
        let Expr::Path(path) = plain(&call.func) else {
            return None;
        };
        let name = path.path.get_ident()?;
        if name == "print" && matches!(*call.func, Expr::Path(_)) {
            let values = call
                .args
                .iter()
                .filter(|value| named_argument(value).is_none());
            let values: Vec<String> = values.map(|value| self.text_of(value)).collect();
            let places = vec!["{}"; values.len()].join(" ");
            let arguments: Vec<String> =
                iter::once(format!("\"{places}\"")).chain(values).collect();
            let help = format!("write `println!({})`", arguments.join(", "));
            return Some(with_help(
                name.span(),
                "`print` is not a function in Rust",
                &help,
            ));
        }
        let named = call.args.iter().find_map(named_argument);
        named.map(|(name, value)| {
            let help = format!("write `{}`", self.text_of(value));
            with_help(name.span(), "Rust has no named arguments", &help)
        })
    }

    /// Reports `np.exp(x)`, which Rust parses as a method call on a variable, and methods that only NumPy's arrays have.
    pub fn numpy_method(&self, call: &ExprMethodCall) -> Option<Error> {
        let (receiver, method) = (plain(&call.receiver), call.method.to_string());
        let arguments: Vec<&Expr> = call.args.iter().collect();
        if let Expr::Path(path) = receiver
            && let Some(module) = path.path.get_ident()
            && (module == "np" || module == "numpy")
            && !self.is_rust_call(&method, &arguments)
        {
            let problem = format!("there is no `{module}` in Rust");
            // The function `sort` returns a sorted copy, but the method sorts in place.
            let help = match method == "sort" {
                true => guide(&method),
                false => self.help(&method, &arguments),
            };
            return Some(with_help(module.span(), &problem, &help));
        }
        let named = call.args.iter().find_map(named_argument);
        if named.is_none() && !REPORTED_METHODS.contains(&format!(" {method} ")) {
            return None;
        }
        let is_mask = is_comparison(receiver);
        let is_axis = |argument: &Expr| matches!(argument, Expr::Lit(literal) if matches!(literal.lit, Lit::Int(_)));
        let problem = match (arguments.as_slice(), &*method) {
            _ if named.is_some() => "Rust has no named arguments".to_owned(),
            _ if !is_mask && !self.has_view(receiver) => return None,
            ([], "sum" | "mean" | "std" | "var") if is_mask => {
                format!("an array of `bool` has no method `{method}`")
            }
            ([argument], "sum" | "mean" | "prod" | "product") if is_axis(argument) => {
                format!("ndarray's `{method}` takes no axis")
            }
            ([argument], "std" | "var") if !is_axis(argument) => return None,
            ([], "std" | "var") => {
                format!("ndarray's `{method}` takes the degrees of freedom that are subtracted")
            }
            (lengths, "reshape" | "to_shape")
                if lengths.iter().any(|length| self.has_negative(length)) =>
            {
                let array = self.operand_text(&call.receiver);
                return Some(with_help(
                    call.method.span(),
                    "unlike NumPy's `reshape`, ndarray does not compute a length from the others",
                    &format!(
                        "write `{array}.to_shape((rows, columns)).unwrap().into_owned()` with all lengths"
                    ),
                ));
            }
            ([], "sum" | "mean" | "product") | (_, "to_shape") => return None,
            _ => format!("ndarray does not have NumPy's or PyTorch's method `{method}`"),
        };
        let at = named.map_or(&call.method, |(name, _)| name);
        let with_receiver: Vec<&Expr> = iter::once(&*call.receiver).chain(&call.args).collect();
        Some(with_help(
            at.span(),
            &problem,
            &self.help(&method, &with_receiver),
        ))
    }

    fn has_negative(&self, lengths: &Expr) -> bool {
        let text = self.text_of(lengths);
        text.split([',', '('])
            .any(|length| length.trim_start().starts_with('-'))
    }

    /// Returns whether numbers or arrays have a method with the same name and number of arguments, so that `np` may be a
    /// variable.
    fn is_rust_call(&self, name: &str, arguments: &[&Expr]) -> bool {
        match arguments {
            [] => true,
            [argument] => {
                " all any log max min std var ".contains(&format!(" {name} "))
                    && !self.has_view(argument)
            }
            _ => false,
        }
    }

    /// Returns the help for a function with these arguments. For a method, the first argument is the array.
    fn help(&self, name: &str, arguments: &[&Expr]) -> String {
        let keeps_axes = |one: &&&Expr| self.text_of(*one).starts_with("keepdims");
        let kept = arguments.iter().find(keeps_axes).map(|_| "keepdims");
        let code = self.code(name, arguments);
        let code = code.map(|code| format!("write `{code}`"));
        code.unwrap_or_else(|| guide(kept.unwrap_or(name)))
    }

    fn code(&self, name: &str, arguments: &[&Expr]) -> Option<String> {
        let has_axis = WITH_AXIS.contains(&format!(" {name} "));
        let mut axis = None;
        let mut positional = Vec::new();
        for (at, argument) in arguments.iter().enumerate() {
            let is_axis = at == 1
                && has_axis
                && self
                    .text_of(argument)
                    .trim_start_matches('-')
                    .parse::<u8>()
                    .is_ok();
            match named_argument(argument) {
                Some((name, value)) if name == "axis" => axis = Some(self.text_of(value)),
                Some((name, _)) if name == "dtype" => return None,
                Some((_, value)) => positional.push(value),
                None if is_axis => axis = Some(self.text_of(argument)),
                None => positional.push(argument),
            }
        }
        let first = self.operand_text(positional.first()?);
        let operand = |one: &&Expr| self.operand_text(one);
        let rest = positional.iter().skip(1).map(|one| self.text_of(one));
        let rest: Vec<String> = rest.collect();
        let variant = match name {
            "maximum" | "minimum"
                if positional.get(1).is_some_and(|one| is_literal(plain(one))) =>
            {
                ":number"
            }
            "array" | "asarray" if first.starts_with('[') => ":list",
            _ if has_axis && is_comparison(plain(positional[0])) => ":comparison",
            "reshape" | "transpose" if rest.len() > 1 => ":lengths",
            "sort" if self.has_view(positional[0]) => ":slice",
            _ => "",
        };
        let wanted = format!("{name}{variant}");
        let (_, _, _, code) = ADVICE.iter().find(|(names, count, along_axis, _)| {
            names.split(' ').any(|one| one == wanted)
                && (*count == positional.len() || variant == ":lengths")
                && *along_axis == axis.is_some()
        })?;
        let arrays: Vec<&Expr> = match plain(positional[0]) {
            Expr::Array(list) => list.elems.iter().collect(),
            Expr::Tuple(list) => list.elems.iter().collect(),
            // A literal has no methods, because its type is not known yet.
            first if code.contains("{views}") || is_number(first) && code.starts_with("{0}.") => {
                return None;
            }
            _ => Vec::new(),
        };
        let arrays: Vec<String> = arrays.iter().map(operand).collect();
        let views = arrays.iter().map(|array| format!("{array}.view()"));
        let views: Vec<String> = views.collect();
        let axis = axis.map(|axis| match axis.strip_prefix('-') {
            Some(back) => format!("{first}.ndim() - {back}"),
            None => axis,
        });
        let ty = positional.get(1).map(|ty| rust_type(&self.text_of(ty)));
        let values = [
            ("{name}", name.to_owned()),
            ("{type}", ty.unwrap_or_default()),
            ("{axis}", axis.unwrap_or_default()),
            ("{views}", views.join(", ")),
            ("{rest}", rest.join(", ")),
            ("{first}", arrays.first().cloned().unwrap_or_default()),
        ];
        let mut out = (*code).to_owned();
        for (placeholder, value) in values {
            out = out.replace(placeholder, &value);
        }
        for (at, argument) in positional.iter().enumerate() {
            out = out.replace(&format!("{{f{at}}}"), &float(&self.text_of(argument)));
            out = out.replace(&format!("{{{at}}}"), &operand(argument));
        }
        Some(out)
    }
}

/// Returns the name and the value of a named argument, such as `axis=0`. In Rust, it would be an assignment.
fn named_argument(argument: &Expr) -> Option<(&Ident, &Expr)> {
    match argument {
        Expr::Assign(assign) => match &*assign.left {
            Expr::Path(path) => Some((path.path.get_ident()?, &assign.right)),
            _ => None,
        },
        _ => None,
    }
}

fn is_comparison(expression: &Expr) -> bool {
    matches!(expression, Expr::Binary(binary) if comparison(&binary.op).is_some())
}

/// Returns the Rust type that corresponds to a Python or NumPy type, or `ty` unchanged if no such type is known.
fn rust_type(ty: &str) -> String {
    let name = ty.trim_matches('"');
    let name = name.rsplit(['.', ':']).next().unwrap_or(name);
    let letters = [("float", 'f'), ("double", 'f'), ("uint", 'u'), ("int", 'i')];
    let bits = |(prefix, letter)| Some((letter, name.strip_prefix(prefix)?));
    match letters.into_iter().find_map(bits) {
        Some((letter, "")) => format!("{letter}64"),
        Some((letter, bits @ ("8" | "16" | "32" | "64"))) => format!("{letter}{bits}"),
        _ => ty.to_owned(),
    }
}

/// Converts an integer literal to a float literal, and returns any other code unchanged.
pub fn float(number: &str) -> String {
    let digits = number.trim_start_matches(['-', ' ']);
    match digits.bytes().all(|digit| digit.is_ascii_digit()) {
        true => format!("{number}.0"),
        false => number.to_owned(),
    }
}
