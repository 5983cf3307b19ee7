//! Computes constants from constants and shapes.

use slice_core::resolve::index;

use super::arithmetic::{Arithmetic, Unary};
use super::array::{self, Constant};
use super::element_type::ElementType;
use super::flow::{Flow, flow};
use super::infer::{axes_between, infer, parts, reduced_axes};
use super::kind::{Argument, Kind, Reduction, Select};
use super::number::{Dim, MAX_ELEMENTS, Number, element_count, known, known_shape, small_count};
use super::positions;
use super::{Format, Graph, Node, select};

/// Computes an output of a node from constants and shapes. Returns `None` if the output is not a small constant.
pub fn evaluate(graph: &Graph, node: &Node, output_index: usize) -> Option<Constant> {
    let operands = Operands { graph, node };
    match &node.kind {
        Kind::Select(select) => operands.selected(select, output_index),
        Kind::Top {
            axis,
            is_greatest,
            position_type,
        } => {
            let (array, count) = (operands.constant(0)?, operands.number(1)?);
            let axis = index(*axis, array.shape.len())?;
            let places = (axis, usize::try_from(count).ok()?);
            let top = positions::top(array, places, *is_greatest, *position_type)?;
            top.into_iter().nth(output_index)
        }
        _ if output_index > 0 => None,
        Kind::Identity
        | Kind::Concat { .. }
        | Kind::Pack { .. }
        | Kind::Reshape { .. }
        | Kind::Reshaped
        | Kind::Flatten { .. }
        | Kind::Expand
        | Kind::Transpose(_) => operands.moved(),
        _ => operands.placed().or_else(|| operands.computed()),
    }
}

/// The inputs of a node.
#[derive(Clone, Copy)]
struct Operands<'a> {
    graph: &'a Graph,
    node: &'a Node,
}

impl<'a> Operands<'a> {
    fn shape(self, at: usize) -> Option<&'a [Dim]> {
        self.graph.shape(self.node.input(at))
    }

    fn constant(self, at: usize) -> Option<&'a Constant> {
        self.graph.constant(self.node.input(at))
    }

    fn constants(self) -> Option<Vec<&'a Constant>> {
        let inputs = self.node.inputs.iter();
        inputs.map(|&input| self.graph.constant(input)).collect()
    }

    /// Returns an input that is a single number.
    fn number(self, at: usize) -> Option<i64> {
        single(self.constant(at)?.known()?)
    }

    /// Returns the shape of the first output, if all lengths are known and the output is small.
    fn output_lengths(self) -> Option<Vec<usize>> {
        let output = self.node.output(0);
        let inferred = infer(self.graph, self.node, 0);
        let lengths = known(inferred.as_deref().or(self.graph.shape(output))?)?;
        small_count(&lengths)?;
        Some(lengths)
    }

    /// Returns elements of the inputs, which are moved or repeated.
    fn moved(self) -> Option<Constant> {
        self.constant(0)?;
        let parts = match &self.node.kind {
            Kind::Concat { axis } => parts(self.node, axis).collect::<Vec<_>>(),
            Kind::Pack { .. } => self.node.inputs.clone(),
            _ => vec![self.node.input(0)],
        };
        let parts = parts.into_iter();
        let mut types = parts.filter_map(|part| Some(self.graph.constant(part)?.element_type));
        let element_type = types.next()?;
        let is_one_type = types.all(|one| one == element_type);
        let first =
            |numbers: &[&Number]| numbers.first().map_or(Number::Unknown, |&one| one.clone());
        is_one_type.then(|| self.elements(element_type, first))?
    }

    /// Returns the elements that an operation selects from a constant.
    fn selected(self, select: &Select, output_index: usize) -> Option<Constant> {
        let array = self.constant(0)?;
        let listed = |argument: &Argument| self.graph.constant(self.node.input_of(argument));
        let axis = |axis: &Argument| {
            let axis = self.graph.numbers(self.node, axis)?;
            index(single(axis.unwrap_or_else(|| vec![0]))?, array.shape.len())
        };
        let are_exact = |digits: u32| array.elements.iter().all(|one| is_below(one, digits));
        match select {
            // OpenVINO moves the elements as 32-bit floating-point numbers.
            Select::ReverseFirst { .. }
                if self.graph.format == Format::OpenVino && !are_exact(f32::MANTISSA_DIGITS) =>
            {
                None
            }
            Select::GatherNd {
                indices,
                batch_axes,
            } => {
                let batch_axes = usize::try_from(*batch_axes).ok()?;
                positions::gather_nd(array, listed(indices)?, batch_axes)
            }
            Select::GatherElements { axis: at, indices } => {
                positions::gather_elements(array, listed(indices)?, axis(at)?)
            }
            select => {
                let dims: Vec<Dim> = known_shape(&array.shape);
                let (graph, node) = (self.graph, self.node);
                let operation = select::selected(graph, node, select, output_index, Some(&dims));
                let selection = operation.ok()?.resolve(&array.shape).ok()?;
                let shape = selection.output_shape();
                small_count(shape)?;
                let elements = selection
                    .indices()
                    .map(|at| array.elements.get(at).cloned());
                let elements = elements.collect::<Option<Vec<Number>>>()?;
                Constant::new(array.element_type, shape, elements)
            }
        }
    }

    /// Computes each element from the elements of the inputs that are moved or broadcast to its position. The elements
    /// have the type `element_type`.
    fn elements(
        self,
        element_type: ElementType,
        compute: impl Fn(&[&'a Number]) -> Number,
    ) -> Option<Constant> {
        let lengths = self.output_lengths()?;
        let flow = flow(self.graph, self.node, 0, &lengths)?;
        if let Flow::Pointwise(operands) = &flow {
            let is_broadcast = |(_, axes): &(_, Vec<_>)| axes.len() == lengths.len();
            operands.iter().all(is_broadcast).then_some(())?;
        }
        let element = |position: usize| {
            let mut sources = Vec::new();
            flow.add_sources(position, &lengths, &mut sources);
            let numbers = sources
                .into_iter()
                .map(|(value, at)| self.graph.constant(Some(value))?.elements.get(at));
            Some(compute(&numbers.collect::<Option<Vec<_>>>()?))
        };
        let elements = (0..element_count(&lengths)?).map(element);
        Constant::new(
            element_type,
            lengths.clone(),
            elements.collect::<Option<Vec<_>>>()?,
        )
    }

    /// Computes elements from elements or from shapes.
    fn computed(self) -> Option<Constant> {
        match &self.node.kind {
            Kind::Shape {
                start,
                end,
                element_type,
            } => {
                let shape = self.shape(0)?;
                let axes = axes_between(shape.len(), *start, *end)?;
                let lengths = shape.get(axes)?.iter();
                let elements = lengths.map(|length| element_type.convert(&Number::from(length)));
                Constant::vector(*element_type, elements.collect())
            }
            Kind::Size(element_type) => {
                let shape = known(self.shape(0)?)?;
                let count = i128::try_from(element_count(&shape)?).ok()?;
                Some(Constant::scalar(*element_type, element_type.integer(count)))
            }
            Kind::Rank(element_type) => {
                let rank = i128::try_from(self.shape(0)?.len()).ok()?;
                Some(Constant::scalar(*element_type, element_type.integer(rank)))
            }
            Kind::Cast(element_type) => Some(cast(self.constant(0)?, (*element_type)?)),
            Kind::CastLike => Some(cast(self.constant(0)?, self.constant(1)?.element_type)),
            Kind::Choose => {
                let (one, other) = (self.constant(1)?, self.constant(2)?);
                let choose = |numbers: &[&Number]| match numbers {
                    [Number::Known(0), _, other] => (*other).clone(),
                    [Number::Known(_), one, _] => (*one).clone(),
                    [_, one, other] if one == other => (*one).clone(),
                    _ => Number::Unknown,
                };
                let fits = one.element_type == other.element_type;
                fits.then(|| self.elements(one.element_type, choose))?
            }
            Kind::Unary(unary) => {
                let element_type = self.constant(0)?.element_type;
                // OpenVINO's negation and absolute value of -128 are 127.
                let is_limited =
                    matches!(unary, Unary::Negate | Unary::Absolute) && element_type.size() == 1;
                if self.graph.format == Format::OpenVino && is_limited {
                    return None;
                }
                self.elements(element_type, |numbers| {
                    unary.apply(element_type, numbers[0])
                })
            }
            Kind::Arithmetic(operation) => {
                let operands = self.constants()?;
                let element_type = operands.first()?.element_type;
                let is_of_type = |one: &&Constant| one.element_type == element_type;
                let fits = *operation == Arithmetic::Power || operands.iter().all(is_of_type);
                let is_openvino = self.graph.format == Format::OpenVino;
                if !fits || is_openvino && !openvino_is_exact(*operation, &operands) {
                    return None;
                }
                self.elements(operation.result_type(element_type), |numbers| {
                    let apply = |one, other: &&Number| operation.apply(element_type, &one, other);
                    match numbers {
                        [first, others @ ..] => others.iter().fold((*first).clone(), apply),
                        [] => Number::Unknown,
                    }
                })
            }
            Kind::Clip => {
                let element_type = self.constant(0)?.element_type;
                let inputs = self.node.inputs.iter().flatten();
                let mut arrays = inputs.map(|&input| self.graph.constant(Some(input)));
                let fits =
                    arrays.all(|one| one.is_some_and(|one| one.element_type == element_type));
                fits.then_some(())?;
                let limits = [(1, Arithmetic::Maximum), (2, Arithmetic::Minimum)];
                let limits = limits.into_iter();
                let given = limits.filter(|(at, _)| self.node.input(*at).is_some());
                self.elements(element_type, |numbers| {
                    let limits = given.clone().zip(&numbers[1..]);
                    limits.fold(numbers[0].clone(), |one, ((_, operation), limit)| {
                        operation.apply(element_type, &one, limit)
                    })
                })
            }
            Kind::Reduce {
                reduction,
                axes,
                keeps_all_by_default,
                ..
            } => {
                let operand = self.constant(0)?;
                let axes = self.graph.numbers(self.node, axes)?;
                let is_reduced =
                    reduced_axes(axes.as_deref(), operand.shape.len(), *keeps_all_by_default)?;
                let reduced = reduce(*reduction, operand, &is_reduced)?;
                array::reshaped(&reduced, self.output_lengths()?)
            }
            Kind::Range => range([self.constant(0)?, self.constant(1)?, self.constant(2)?]),
            Kind::CumulativeSum {
                is_exclusive,
                is_reversed,
            } => {
                let operand = self.constant(0)?;
                let axis = self.number(1)?;
                let axis = index(axis, operand.shape.len())?;
                let is_exact = !operand.element_type.is_float();
                is_exact
                    .then(|| array::cumulative_sums(operand, axis, *is_exclusive, *is_reversed))?
            }
            _ => None,
        }
    }

    /// Repeats or replaces elements, or computes elements from their positions.
    fn placed(self) -> Option<Constant> {
        match &self.node.kind {
            Kind::Scatter { axis, operation } => {
                let [array, places, updates] =
                    [self.constant(0)?, self.constant(1)?, self.constant(2)?];
                let axis = match axis {
                    Some(axis) => Some(index(*axis, array.shape.len())?),
                    None => None,
                };
                positions::scatter(array, places, updates, (axis, *operation))
            }
            Kind::OneHot {
                axis,
                counts_from_end,
            } => {
                let (places, length) = (self.constant(0)?, self.number(1)?);
                let elements = match (&self.constant(2)?.elements[..], self.node.inputs.len()) {
                    ([off, on], 3) => [off, on],
                    ([on], 4) => [self.constant(3)?.elements.first()?, on],
                    _ => return None,
                };
                let axis = index(*axis, places.shape.len() + 1)?;
                let axis = (axis, usize::try_from(length).ok()?);
                let element_type = self.constant(2)?.element_type;
                positions::one_hot(places, axis, elements, (element_type, *counts_from_end))
            }
            Kind::Triangle { is_upper } => {
                let array = self.constant(0)?;
                let moved = match self.node.input(1) {
                    Some(_) => self.number(1)?,
                    None => 0,
                };
                let zero = array.element_type.integer(0);
                let element = |(index, element): (Vec<usize>, &Number)| {
                    let [.., row, column] = index[..] else {
                        return None;
                    };
                    let at = i64::try_from(column).ok()? - i64::try_from(row).ok()?;
                    let is_kept = if *is_upper { at >= moved } else { at <= moved };
                    Some(if is_kept {
                        element.clone()
                    } else {
                        zero.clone()
                    })
                };
                let elements = array::indices(&array.shape).zip(&array.elements[..]);
                let elements: Vec<Number> = elements.map(element).collect::<Option<_>>()?;
                Constant::new(array.element_type, array.shape.clone(), elements)
            }
            Kind::Broadcast => {
                let (operand, lengths) = (self.constant(0)?, self.output_lengths()?);
                // An array with several long axes may also be transposed.
                let is_vector = lengths.iter().filter(|&&length| length != 1).count() <= 1;
                match operand.elements.len() {
                    1 => array::filled(operand, lengths),
                    _ => is_vector.then(|| array::reshaped(operand, lengths))?,
                }
            }
            Kind::Fill(element) => array::filled(element, self.output_lengths()?),
            Kind::Tile => {
                let (operand, lengths) = (self.constant(0)?, self.output_lengths()?);
                let fits = lengths.len() == operand.shape.len();
                let source = |index: &[usize]| {
                    let index = index.iter().zip(&operand.shape[..]);
                    index.map(|(at, &length)| at % length.max(1)).collect()
                };
                fits.then(|| array::gathered(operand, lengths, source))?
            }
            Kind::NonZero => {
                let operand = self.constant(0)?;
                // A scalar is treated as a vector.
                let is_scalar = operand.shape.is_empty();
                let vector = is_scalar
                    .then(|| array::reshaped(operand, vec![1]))
                    .flatten();
                array::nonzero(vector.as_ref().unwrap_or(operand))
            }
            _ => None,
        }
    }
}

fn single(numbers: Vec<i64>) -> Option<i64> {
    let [number]: [i64; 1] = numbers.try_into().ok()?;
    Some(number)
}

fn cast(operand: &Constant, element_type: ElementType) -> Constant {
    let elements = operand.elements.iter();
    Constant {
        element_type,
        shape: operand.shape.clone(),
        elements: elements
            .map(|element| element_type.convert(element))
            .collect(),
    }
}

/// Returns whether a number is a known integer with fewer than `digits` binary digits.
fn is_below(number: &Number, digits: u32) -> bool {
    let number = number.known();
    number.is_some_and(|number| number.unsigned_abs() < 1 << digits)
}

/// Returns whether OpenVINO computes the exact result of an operation. It multiplies and divides 8-bit integers as 32-bit
/// floating-point numbers, which it then rounds and limits to the range of the type, and computes remainders as
/// floating-point numbers.
fn openvino_is_exact(operation: Arithmetic, operands: &[&Constant]) -> bool {
    let mut numbers = operands.iter().flat_map(|operand| &operand.elements[..]);
    match operation {
        Arithmetic::Multiply | Arithmetic::Divide | Arithmetic::FloorDivide => operands
            .iter()
            .all(|operand| operand.element_type.size() > 1),
        Arithmetic::Remainder | Arithmetic::FloorRemainder => {
            numbers.all(|number| is_below(number, f64::MANTISSA_DIGITS))
        }
        _ => true,
    }
}

/// Reduces axes. Sums and products are unknown if they overflow or are not exact as floating-point numbers, because some
/// systems compute them with such numbers.
fn reduce(reduction: Reduction, operand: &Constant, is_reduced: &[bool]) -> Option<Constant> {
    if reduction == Reduction::Other {
        return None;
    }
    // The order in which floating-point numbers are added is not defined.
    let is_exact = !operand.element_type.is_float()
        || matches!(
            reduction,
            Reduction::Combine(Arithmetic::Minimum | Arithmetic::Maximum)
        );
    is_exact.then_some(())?;
    let element_type = match reduction {
        Reduction::Position { .. } => ElementType::I64,
        _ => operand.element_type,
    };
    let exact = |number: Number| match number {
        Number::Known(number) if number.unsigned_abs() > 1 << f64::MANTISSA_DIGITS => {
            Number::Unknown
        }
        number => number,
    };
    let sum_of = |numbers: &[&Number], term: fn(&Number) -> Number| {
        let add = |sum: Number, number: &&Number| {
            exact(Arithmetic::Add.apply(ElementType::Python, &sum, &exact(term(number))))
        };
        numbers.iter().fold(Number::Known(0), add)
    };
    let in_range = |number: Number| match number {
        Number::Known(known) if element_type.integer(known.into()) != number => Number::Unknown,
        number => number,
    };
    let combine = |numbers: &[&Number]| match reduction {
        Reduction::Combine(Arithmetic::Add) => sum_of(numbers, Number::clone),
        Reduction::Combine(Arithmetic::Multiply) => {
            let multiply = |product: Number, number: &&Number| {
                exact(Arithmetic::Multiply.apply(ElementType::Python, &product, number))
            };
            numbers.iter().fold(Number::Known(1), multiply)
        }
        Reduction::Combine(operation) => {
            let combine = |one: Number, other: &&Number| operation.apply(element_type, &one, other);
            let (first, others) = match (operation, numbers) {
                (Arithmetic::And, numbers) => (Number::Known(1), numbers),
                (Arithmetic::Or, numbers) => (Number::Known(0), numbers),
                (_, [first, others @ ..]) => ((*first).clone(), others),
                (_, []) => return Number::Unknown,
            };
            others.iter().fold(first, combine)
        }
        Reduction::SumOfAbsolutes => sum_of(numbers, |number| {
            Unary::Absolute.apply(ElementType::Python, number)
        }),
        Reduction::SumOfSquares => sum_of(numbers, |number| {
            Arithmetic::Multiply.apply(ElementType::Python, number, number)
        }),
        Reduction::Mean => {
            let count = i64::try_from(numbers.len()).ok().into();
            let sum = in_range(sum_of(numbers, Number::clone));
            Arithmetic::Divide.apply(element_type, &sum, &count)
        }
        Reduction::Position {
            is_greatest,
            is_last,
        } => {
            let known = numbers.iter().map(|number| number.known());
            let Some(known) = known.collect::<Option<Vec<i64>>>() else {
                return Number::Unknown;
            };
            let best = match is_greatest {
                true => known.iter().max(),
                false => known.iter().min(),
            };
            let is_best = |number: &i64| Some(number) == best;
            let at = match is_last {
                true => known.iter().rposition(is_best),
                false => known.iter().position(is_best),
            };
            at.and_then(|at| i64::try_from(at).ok()).into()
        }
        Reduction::Other => Number::Unknown,
    };
    array::reduced(operand, is_reduced, element_type, |numbers| {
        in_range(combine(numbers))
    })
}

/// Returns the numbers from a start up to a limit.
fn range(operands: [&Constant; 3]) -> Option<Constant> {
    let [start, limit, step] =
        operands.map(
            |operand| match (&operand.elements[..], operand.shape.len()) {
                ([Number::Known(number)], ..=1) => Some(i128::from(*number)),
                _ => None,
            },
        );
    let (start, limit, step) = (start?, limit?, step.filter(|&step| step != 0)?);
    let element_type = operands[0].element_type;
    let is_one_type = operands
        .iter()
        .all(|operand| operand.element_type == element_type);
    let distance = if step > 0 {
        limit - start
    } else {
        start - limit
    };
    // The number of elements is the quotient, rounded up.
    let count = -(-distance).div_euclid(step.abs());
    let count = usize::try_from(count.max(0))
        .ok()
        .filter(|&count| count <= MAX_ELEMENTS)?;
    let numbers = (0..)
        .take(count)
        .map(|at: i128| element_type.integer(start + at * step));
    is_one_type.then(|| Constant::vector(element_type, numbers.collect()))?
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs::File;
    use std::io::{BufRead, BufReader, Seek, Write};

    use flate2::read::GzDecoder;
    use serde_json::Value as Json;

    use super::*;
    use crate::model::openvino::Weights;
    use crate::model::{Value, read};

    /// Returns the values of a recorded model that are its outputs, in order.
    fn outputs(digits: &str) -> Vec<Value> {
        let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits");
        let bytes: Vec<u8> = (0..digits.len()).step_by(2).map(byte).collect();
        // A model of OpenVINO is followed by a zero byte and the bytes of its constants.
        let end = bytes.iter().position(|&byte| byte == 0);
        let (bytes, weights) = match bytes.starts_with(b"<?xml") {
            true => bytes.split_at(end.expect("a zero byte")),
            false => (&bytes[..], &b""[..]),
        };
        let mut file = tempfile::tempfile().expect("a temporary file");
        let written = file.write_all(weights.get(1..).unwrap_or_default());
        written
            .and_then(|()| file.rewind())
            .expect("the temporary file should be writable");
        let graph = read::graph(bytes, Weights::File(file)).expect("the model should be valid");
        let node = graph
            .nodes
            .iter()
            .rfind(|node| !node.inputs.is_empty())
            .expect("a node");
        let outputs = node.outputs.iter().flatten();
        outputs
            .map(|&output| graph.values[output].clone())
            .collect()
    }

    /// Returns why a value differs from the recorded output, if it does.
    fn difference(value: &Value, recorded: &Json) -> Option<String> {
        let lengths = recorded[1].as_array().expect("a list");
        let shape: Vec<Dim> = lengths
            .iter()
            .map(|length| Dim::Known(length.as_u64().expect("a length") as usize))
            .collect();
        if let Some(inferred) = &value.shape
            && !super::super::number::may_be_equal(inferred, &shape)
        {
            return Some(format!("the shape {inferred:?}"));
        }
        let constant = value.constant.as_ref()?;
        let elements = recorded[2].as_array().expect("a list").iter();
        let agrees = |(one, expected): (&Number, &Json)| match one {
            Number::Unknown => true,
            Number::Float(one) => Some(*one) == expected.as_u64().map(f64::from_bits),
            Number::Known(one) if expected.is_boolean() => {
                Some(*one) == expected.as_bool().map(i64::from)
            }
            one => one.known().is_some() && one.known() == expected.as_i64(),
        };
        let is_same = constant.elements.len() == elements.len()
            && constant.elements.iter().zip(elements).all(agrees)
            && recorded[0] == constant.element_type.to_string()
            && constant.shape.iter().copied().map(Dim::Known).eq(shape);
        (!is_same).then(|| format!("{constant:?}"))
    }

    /// Checks that each known constant has the type, the shape and the elements that the system computed. `unknown` lists
    /// the operators of which less than two thirds of the results are known.
    fn check(system: &str, total: usize, unknown: &[&str]) {
        let path = format!("tests/arithmetic/{system}.jsonl.gz");
        let file = File::open(path).expect("the file should exist");
        let lines = BufReader::new(GzDecoder::new(file)).lines().skip(1);
        let mut wrong = Vec::new();
        let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for line in lines {
            let case: Json = serde_json::from_str(&line.expect("a line")).expect("valid JSON");
            let operator = case["operator"].as_str().expect("a name").to_owned();
            let outputs = outputs(case["model"].as_str().expect("bytes"));
            let recorded = case["outputs"].as_array().expect("a list");
            // TensorFlow's graphs do not declare the number of outputs.
            assert!((1..=recorded.len()).contains(&outputs.len()), "{operator}");
            let (known, total) = counts.entry(operator.clone()).or_default();
            for (value, recorded) in outputs.iter().zip(recorded) {
                *total += 1;
                let is_known = |constant: &Constant| {
                    let is_known = |number: &Number| *number != Number::Unknown;
                    constant.elements.iter().all(is_known)
                };
                *known += usize::from(value.constant.as_ref().is_some_and(is_known));
                if let Some(difference) = difference(value, recorded) {
                    wrong.push(format!("{operator}: {difference} instead of {recorded}"));
                }
            }
        }
        let count = wrong.len();
        assert!(wrong.is_empty(), "{count} wrong:\n{}", wrong.join("\n"));
        assert_eq!(
            counts.values().map(|(_, total)| total).sum::<usize>(),
            total
        );
        let rarely_known = counts
            .iter()
            .filter(|(_, (known, total))| 3 * known < 2 * total);
        let rarely_known: Vec<_> = rarely_known.map(|(operator, _)| &operator[..]).collect();
        assert_eq!(rarely_known, unknown, "{counts:?}");
    }

    #[test]
    fn constants_are_those_of_onnx_runtime() {
        check("onnx", 3744, &[]);
    }

    #[test]
    fn constants_are_those_of_tensorflow() {
        let unknown = [
            "ArgMax",
            "ArgMin",
            "EuclideanNorm",
            "FloorDiv of floats",
            "FloorMod of floats",
            "OneHot",
            "PadV2",
            "Pow of floats",
            "ReverseSequence",
            "Round",
            "ScatterNd",
            "Select",
            "Sqrt",
            "TopKV2",
            "Transpose",
            "Where",
        ];
        check("tensorflow", 4833, &unknown);
    }

    #[test]
    fn constants_are_those_of_litert() {
        let unknown = [
            "ADD_N",
            "ARG_MAX",
            "ARG_MIN",
            "FLOOR_DIV of floats",
            "FLOOR_MOD of floats",
            "ONE_HOT",
            "PADV2",
            "POW of floats",
            "REVERSE_SEQUENCE",
            "SCATTER_ND",
            "SELECT",
            "SQRT",
            "SQUARE",
            "TOPK_V2",
            "UNIQUE",
            "WHERE",
            "ZEROS_LIKE",
        ];
        check("litert", 4650, &unknown);
    }

    #[test]
    fn constants_are_those_of_openvino() {
        let unknown = [
            "Divide",
            "Divide of floats",
            "FloorMod of floats",
            "Mod of floats",
            "NonZero",
            "OneHot",
            "Pad",
            "Power of floats",
            "ReduceL2",
            "ReverseSequence",
            "Round",
            "ScatterElementsUpdate",
            "Sqrt",
            "TopK",
        ];
        check("openvino", 4522, &unknown);
    }
}
