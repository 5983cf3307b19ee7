//! Lists the ONNX operators that compute elements. The operators that select elements are in the module above.

use std::sync::Arc;

use super::attributes::Attributes;
use super::tensor::element_type;
use crate::model::arithmetic::Arithmetic;
use crate::model::array::Constant;
use crate::model::element_type::ElementType;
use crate::model::kind::{Argument, Kind, Reduction};
use crate::model::number::Number;
use crate::model::operators::{computed, reduction};
use crate::model::{Format, ModelError};

/// Returns the kind of an operator of an operator set.
pub(super) fn kind(
    operator: &str,
    opset: u32,
    attributes: &Attributes<'_>,
) -> Result<Kind, ModelError> {
    let list = |name: &str| Argument::from(attributes.list(name));
    let flag = |name: &str| attributes.is_true(name);
    if let Some(kind) = computed(Format::Onnx, operator) {
        let is_other = match kind {
            // Before opset 7, an attribute states the axis with which the second operand is aligned.
            Kind::Arithmetic(_) => opset < 7 && attributes.int("axis").is_some(),
            // Before opset 6, the second input is the number of repetitions along one axis.
            Kind::Tile => opset < 6,
            _ => false,
        };
        return Ok(if is_other { Kind::Other } else { kind });
    }
    if let Some(reduction) = reduction(Format::Onnx, operator) {
        let first_with_input = if operator == "ReduceSum" { 13 } else { 18 };
        return Ok(Kind::Reduce {
            reduction,
            axes: if opset < first_with_input {
                list("axes")
            } else {
                Argument::Input(1)
            },
            keeps_axes: attributes.int_or("keepdims", 1) != 0,
            keeps_all_by_default: flag("noop_with_empty_axes"),
        });
    }
    Ok(match operator {
        "Shape" => Kind::Shape {
            start: attributes.int_or("start", 0),
            end: attributes.int("end"),
            element_type: ElementType::I64,
        },
        "Size" => Kind::Size(ElementType::I64),
        "Concat" => Kind::Concat {
            axis: attributes.axis(1),
        },
        "Cast" => Kind::Cast(element_type(attributes.int_or("to", 0))),
        // Before opset 5, the shape is an attribute.
        "Reshape" if opset >= 5 => Kind::Reshape {
            copies_lengths: !flag("allowzero"),
        },
        "Flatten" => Kind::Flatten {
            axis: attributes.int_or("axis", 1),
        },
        "Transpose" => Kind::Transpose(attributes.list("perm").map(Arc::from)),
        "Mod" if flag("fmod") => Kind::Arithmetic(Arithmetic::Remainder),
        "Mod" => Kind::Arithmetic(Arithmetic::FloorRemainder),
        "BitShift" if attributes.text("direction") == "LEFT" => {
            Kind::Arithmetic(Arithmetic::ShiftLeft)
        }
        "BitShift" => Kind::Arithmetic(Arithmetic::ShiftRight),
        "CumSum" => Kind::CumulativeSum {
            is_exclusive: flag("exclusive"),
            is_reversed: flag("reverse"),
        },
        "ConstantOfShape" => {
            let zero = || Constant::scalar(ElementType::F32, Number::Float(0.0));
            let element = match attributes.has("value") {
                true => attributes.tensor()?.0,
                false => Some(zero()),
            };
            let unknown = || Constant::scalar(ElementType::F32, Number::Unknown);
            let element = element.filter(|element| element.elements.len() == 1);
            Kind::Fill(Box::new(element.unwrap_or_else(unknown)))
        }
        // Before opset 11, the limits are attributes, and the elements are floating-point numbers.
        "Clip" if opset < 11 => Kind::Elementwise,
        "Clip" => Kind::Clip,
        "ArgMax" | "ArgMin" => Kind::Reduce {
            reduction: Reduction::Position {
                is_greatest: operator == "ArgMax",
                is_last: flag("select_last_index"),
            },
            axes: Argument::Given([attributes.int_or("axis", 0)].into()),
            keeps_axes: attributes.int_or("keepdims", 1) != 0,
            keeps_all_by_default: false,
        },
        "Scatter" | "ScatterElements" | "ScatterND" => Kind::Scatter {
            axis: (operator != "ScatterND").then(|| attributes.int_or("axis", 0)),
            operation: match attributes.text("reduction") {
                "add" => Some(Arithmetic::Add),
                "mul" => Some(Arithmetic::Multiply),
                "min" => Some(Arithmetic::Minimum),
                "max" => Some(Arithmetic::Maximum),
                _ => None,
            },
        },
        "OneHot" => Kind::OneHot {
            axis: attributes.int_or("axis", -1),
            counts_from_end: true,
        },
        // Before opset 10, the number of elements is an attribute. Without sorting, their order is not defined.
        "TopK" if opset >= 10 && attributes.int_or("sorted", 1) != 0 => Kind::Top {
            axis: attributes.int_or("axis", -1),
            is_greatest: attributes.int_or("largest", 1) != 0,
            position_type: ElementType::I64,
        },
        "Trilu" => Kind::Triangle {
            is_upper: attributes.int_or("upper", 1) != 0,
        },
        "MatMul" => Kind::MatrixProduct {
            is_transposed: [false; 2],
        },
        "Gemm" => Kind::MatrixProduct {
            is_transposed: ["transA", "transB"].map(flag),
        },
        _ => Kind::Other,
    })
}
