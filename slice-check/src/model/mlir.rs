//! Reads MLIR text as printed by JAX, line by line: functions, and operations with operands, attributes and types.

use super::array::Constant;
use super::element_type::ElementType;
use super::number::{Dim, MAX_AXES, MAX_ELEMENTS, small_count};
use super::{Budget, ModelError, steps};

/// An operation, in MLIR's pretty or generic form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Op<'a> {
    pub line: usize,
    /// The length of the text and of the names of the results in bytes.
    pub len: usize,
    /// The name as written, usually with the dialect.
    pub name: &'a str,
    /// The names of the results, such as `0`, or `0#0` and `0#1` if the operation has several results.
    pub results: Vec<String>,
    /// The names of the operands.
    pub operands: Vec<&'a str>,
    /// The text between the name and the types.
    pub body: &'a str,
    /// The types of the operands.
    pub operand_types: Vec<&'a str>,
    pub result_types: Vec<&'a str>,
}

/// A function.
#[derive(Clone, Debug, Default)]
pub struct Function<'a> {
    pub name: &'a str,
    pub is_public: bool,
    /// The names and types of the arguments.
    pub arguments: Vec<(&'a str, &'a str)>,
    pub ops: Vec<Op<'a>>,
    /// The names of the returned values.
    pub returns: Vec<&'a str>,
}

const IS_NAME_CHARACTER: fn(char) -> bool =
    |character| character.is_ascii_alphanumeric() || "_$.-#".contains(character);

/// Splits `text` into the name at its beginning, which may be empty, and the rest.
fn split_name(text: &str) -> (&str, &str) {
    let end = text.find(|character| !IS_NAME_CHARACTER(character));
    text.split_at(end.unwrap_or(text.len()))
}

/// Splits `text` at the first position outside brackets and strings where `test` returns `true` for the rest of `text`.
fn split_at(text: &str, mut test: impl FnMut(&str) -> bool) -> Option<(&str, &str)> {
    let (mut depth, mut is_quoted, mut previous) = (0_usize, false, ' ');
    for (at, character) in text.char_indices() {
        let rest = &text[at..];
        if is_quoted {
            is_quoted = character != '"' || previous == '\\';
            previous = if previous == '\\' { ' ' } else { character };
            continue;
        }
        if depth == 0 && test(rest) {
            return Some(text.split_at(at));
        }
        match character {
            '"' => is_quoted = true,
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if previous == '-' => {}
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        previous = character;
    }
    None
}

/// Splits `text` at the commas outside brackets and strings.
pub fn split_at_commas(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some((part, more)) = split_at(rest, |rest| rest.starts_with(',')) {
        all.push(part.trim());
        rest = &more[1..];
    }
    all.push(rest.trim());
    // Empty parts are dropped, so that a list of parts takes at most a few times as much memory as the text.
    all.retain(|part| !part.is_empty());
    all
}

/// Returns the names of all values in `text`, without `%`.
fn value_names(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some((_, name_and_rest)) = rest.split_once('%') {
        let (name, more) = split_name(name_and_rest);
        if !name.is_empty() {
            all.push(name);
        }
        rest = more;
    }
    all
}

/// Splits an operation into its body and its types, at the last ` : ` outside brackets.
fn split_types(text: &str) -> (&str, &str) {
    let (mut body, mut types) = (text, "");
    let mut rest = text;
    let mut offset = 0;
    while let Some((before, after)) = split_at(rest, |rest| rest.starts_with(" : ")) {
        offset += before.len() + 3;
        body = &text[..offset - 3];
        types = &after[3..];
        rest = types;
    }
    (body, types)
}

/// If `text` starts with the bracket `opener`, returns the text inside the brackets, and the text after them.
fn bracketed(text: &str, opener: char) -> Option<(&str, &str)> {
    let inside = text.trim_start().strip_prefix(opener)?;
    let end = |rest: &str| rest.starts_with([')', ']', '}']);
    let (inside, rest) = split_at(inside, end)?;
    Some((inside, rest.get(1..).unwrap_or_default()))
}

/// Returns the types in a list with or without parentheses.
fn types(text: &str) -> Vec<&str> {
    match bracketed(text, '(') {
        Some((inside, _)) => split_at_commas(inside),
        None => split_at_commas(text),
    }
}

/// Parses a line as an operation with its results. Also returns `None` if the results exceed the budget.
fn op<'a>(text: &'a str, line: usize, budget: &mut Budget) -> Option<Op<'a>> {
    let (results, rest) = match text.starts_with('%') {
        true => text.split_once(" = ")?,
        false => ("", text),
    };
    let rest = rest.trim_start();
    let (name, rest) = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"')?,
        None => split_name(rest),
    };
    let (body, signature) = split_types(rest);
    let arrow = split_at(signature, |rest| rest.starts_with("->"));
    let (operand_types, result_types) = match arrow {
        Some((operands, results)) => (types(operands), types(&results[2..])),
        None => (
            types(signature),
            types(signature)
                .into_iter()
                .next_back()
                .into_iter()
                .collect(),
        ),
    };
    let mut names = Vec::new();
    for result in split_at_commas(results) {
        let result = result.strip_prefix('%')?;
        match result.split_once(':') {
            None => names.push(result.to_owned()),
            Some((result, count)) => {
                let count: usize = count.parse().ok()?;
                // Every result has a type, so the number of types limits the number of results.
                let count = count.min(result_types.len().max(1));
                budget.take(count.saturating_mul(result.len())).ok()?;
                names.extend((0..count).map(|at| format!("{result}#{at}")));
            }
        }
    }
    Some(Op {
        line,
        len: text.len() + names.iter().map(String::len).sum::<usize>(),
        name,
        results: names,
        operands: value_names(body),
        body,
        operand_types,
        result_types,
    })
}

/// Parses the names and types of a function's arguments.
fn arguments(text: &str) -> Vec<(&str, &str)> {
    let argument = |part| {
        let (name, kind) = str::split_once(part, ':')?;
        Some((name.trim().strip_prefix('%')?, kind.trim()))
    };
    split_at_commas(text)
        .into_iter()
        .filter_map(argument)
        .collect()
}

/// Returns the functions of a module. Operations outside functions are ignored. Returns an error if the module exceeds
/// its budget.
pub fn functions<'a>(text: &'a str, budget: &mut Budget) -> Result<Vec<Function<'a>>, ModelError> {
    let mut all: Vec<Function<'_>> = Vec::new();
    let mut waits_for_arguments = false;
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        // The location in the source program is not needed.
        let text = match text.rfind(" loc(") {
            Some(at) if text.ends_with(')') => text[..at].trim_end(),
            _ => text,
        };
        if let Some(rest) = text.strip_prefix("func.func ") {
            let (name, signature) = split_name(rest.split_once('@').map_or("", |(_, name)| name));
            let inside = bracketed(signature, '(').map_or("", |(inside, _)| inside);
            all.push(Function {
                name,
                is_public: !rest.trim_start().starts_with("private"),
                arguments: arguments(inside),
                ..Function::default()
            });
            waits_for_arguments = false;
            let arguments = all.last().map_or(0, |function| function.arguments.len());
            budget.take_elements::<[(&str, &str); 2]>(arguments)?;
            budget.take_elements::<Function<'_>>(2)?;
        } else if text.starts_with("\"func.func\"") {
            let name = text
                .split_once("sym_name = \"")
                .map_or("", |(_, name)| name);
            all.push(Function {
                name: name.split('"').next().unwrap_or_default(),
                is_public: !text.contains("sym_visibility = \"private\""),
                ..Function::default()
            });
            budget.take_elements::<Function<'_>>(2)?;
            waits_for_arguments = true;
        } else if let Some(function) = all.last_mut() {
            if text.starts_with("^bb") {
                let inside = text.find('(').and_then(|at| bracketed(&text[at..], '('));
                if std::mem::take(&mut waits_for_arguments) {
                    function.arguments =
                        inside.map_or_else(Vec::new, |(inside, _)| arguments(inside));
                    budget.take_elements::<[(&str, &str); 2]>(function.arguments.len())?;
                }
            } else if let Some(op) = op(text, line, budget) {
                let names = op.operands.len() + op.operand_types.len() + op.result_types.len();
                budget.take_elements::<[&str; 2]>(names)?;
                budget.take_elements::<[String; 2]>(op.results.len())?;
                budget.take_elements::<Op<'_>>(2)?;
                match op.name {
                    "return" | "func.return" => function.returns = op.operands,
                    name if name.contains('.') || name == "call" => function.ops.push(op),
                    _ => {}
                }
            }
        }
        // Fails if the budget was exceeded by an operation that was therefore not parsed.
        budget.take(0)?;
    }
    Ok(all)
}

/// Returns the lengths and the element type of a tensor type.
pub fn tensor(text: &str) -> Option<(Vec<Dim>, &str)> {
    let inside = text.trim().strip_prefix("tensor<")?;
    let (inside, _) = split_at(inside, |rest| rest.starts_with(['>', ',']))?;
    steps::count(inside.len());
    let (mut dims, mut rest) = (Vec::new(), inside);
    while let Some((length, more)) = rest.split_once('x') {
        match length {
            "?" => dims.push(Dim::Unknown),
            length => match length.parse() {
                Ok(length) => dims.push(Dim::Known(length)),
                Err(_) => break,
            },
        }
        if dims.len() > MAX_AXES {
            return None;
        }
        rest = more;
    }
    Some((dims, rest))
}

/// Returns the integers assigned to a key: in brackets, in an array, in a dense constant, or as a single integer.
pub fn ints(body: &str, key: &str) -> Option<Vec<i64>> {
    let mut rest = body;
    loop {
        let at = rest.find(key)?;
        let is_whole_key = !rest[..at].ends_with(IS_NAME_CHARACTER);
        rest = &rest[at + key.len()..];
        if let Some(value) = rest.trim_start().strip_prefix('=').filter(|_| is_whole_key) {
            return numbers(value.trim_start());
        }
    }
}

fn list(text: &str) -> Option<Vec<i64>> {
    let numbers = text
        .split(',')
        .map(str::trim)
        .filter(|number| !number.is_empty());
    let numbers = numbers
        .take(MAX_ELEMENTS + 1)
        .map(|number| number.parse().ok());
    numbers
        .collect::<Option<Vec<i64>>>()
        .filter(|all| all.len() <= MAX_ELEMENTS)
}

fn numbers(text: &str) -> Option<Vec<i64>> {
    if let Some(rest) = text.strip_prefix('[') {
        return list(rest.split(']').next()?);
    }
    if let Some(rest) = text.strip_prefix("array<i64") {
        let inside = rest.split('>').next()?;
        return list(inside.strip_prefix(':').unwrap_or(inside));
    }
    if text.starts_with("dense<") {
        let kind = text.split_once(" : ").map_or("", |(_, kind)| kind);
        return dense(text, kind)?.known();
    }
    let end = text.find(|character: char| character != '-' && !character.is_ascii_digit());
    list(&text[..end.unwrap_or(text.len())])
}

/// Returns a dense constant of type `kind`. Returns `None` if there are too many elements, if they are not integers, or
/// if the constant cannot be parsed.
pub fn dense(text: &str, kind: &str) -> Option<Constant> {
    let (dims, element) = tensor(kind)?;
    let lengths: Vec<usize> = dims.iter().map(Dim::known).collect::<Option<_>>()?;
    let len = small_count(&lengths)?;
    let element_type =
        ElementType::named(element).filter(|element_type| !element_type.is_float())?;
    let inside = text.trim().split_once("dense<")?.1;
    let inside = inside.split('>').next()?.trim();
    let mut elements = match inside.strip_prefix("\"0x") {
        Some(digits) if element_type != ElementType::Bool => {
            let digits = digits.strip_suffix('"')?.as_bytes();
            let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
            let bytes = digits.chunks(2).take(8 * MAX_ELEMENTS);
            element_type.decode(&bytes.map(byte).collect::<Option<Vec<u8>>>()?)?
        }
        Some(_) => return None,
        None => {
            let plain = inside.replace(['[', ']'], "");
            let integers = list(&plain.replace("true", "1").replace("false", "0"))?;
            let integers = integers.into_iter().map(i128::from);
            integers
                .map(|integer| element_type.integer(integer))
                .collect()
        }
    };
    if let [one] = &elements[..] {
        elements = vec![one.clone(); len];
    }
    Constant::new(element_type, lengths, elements)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_parsed_in_pretty_and_generic_form() {
        let one = "%0:2 = stablehlo.slice %arg0 [0:1, 1:4, 0:8:2] : (tensor<1x4x8xf32>) -> (tensor<1x3x4xf32>, tensor<i32>)";
        let parsed_op =
            op(one, 3, &mut Budget::default()).expect("the line should be an operation");
        assert_eq!(
            (parsed_op.name, &parsed_op.operands[..]),
            ("stablehlo.slice", &["arg0"][..])
        );
        assert_eq!(parsed_op.results, ["0#0", "0#1"]);
        assert_eq!(parsed_op.operand_types, ["tensor<1x4x8xf32>"]);
        assert_eq!(parsed_op.result_types, ["tensor<1x3x4xf32>", "tensor<i32>"]);
        let other = "%4 = \"stablehlo.compare\"(%a, %b) <{d = #stablehlo<comparison_direction LT>, s = \"a : b\"}> : \
                     (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>";
        let parsed_op =
            op(other, 3, &mut Budget::default()).expect("the line should be an operation");
        assert_eq!(
            (parsed_op.name, parsed_op.operands.len()),
            ("stablehlo.compare", 2)
        );
        assert_eq!(parsed_op.result_types, ["tensor<3xi1>"]);
    }

    #[test]
    fn integer_attributes_are_parsed_in_every_notation() {
        let body = "<{limit_indices = array<i64: 1, -4>, none = array<i64>, old = dense<[3, 4]> : tensor<2xi64>, many = dense<7> : \
                    tensor<3xi64>, dims = [2], one = 5 : i64}>";
        let keys = [
            "limit_indices",
            "none",
            "old",
            "many",
            "dims",
            "one",
            "indices",
            "two",
        ];
        let values = keys.map(|key| ints(body, key));
        assert_eq!(
            values[..4],
            [vec![1, -4], vec![], vec![3, 4], vec![7; 3]].map(Some)
        );
        assert_eq!(values[4..], [Some(vec![2]), Some(vec![5]), None, None]);
        assert_eq!(
            dense(" dense<[[1], [-2]]> : x", "tensor<2x1xi32>").and_then(|one| one.known()),
            Some(vec![1, -2])
        );
        assert_eq!(
            dense("dense<\"0x01000000FFFFFFFF\">", "tensor<2xi32>").and_then(|one| one.known()),
            Some(vec![1, -1])
        );
        assert_eq!(dense("dense<1.0>", "tensor<2xf32>"), None);
        assert_eq!(
            dense("dense<1>", "tensor<99999999999x99999999999xi32>"),
            None
        );
        assert_eq!(
            tensor("tensor<?x3xf32, #x>"),
            Some((vec![Dim::Unknown, Dim::Known(3)], "f32"))
        );
    }
}
