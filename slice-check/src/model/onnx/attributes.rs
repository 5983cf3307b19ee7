//! Reads the attributes of ONNX nodes.

use super::tensor::{ConstantAndShape, tensor};
use crate::model::ModelError;
use crate::model::array::Constant;
use crate::model::element_type::ElementType;
use crate::model::kind::Argument;
use crate::model::number::{MAX_ELEMENTS, Number, known_shape};
use crate::model::steps::HashMap;
use crate::model::wire::{Message, Value as Field, WireError};

/// An attribute. Its integers or floating-point numbers are `None` if there are too many.
#[derive(Default)]
struct Attribute<'a> {
    ints: Option<Vec<i64>>,
    floats: Option<Vec<Number>>,
    text: &'a str,
    tensor: Option<Message<'a>>,
}

/// The attributes of a node.
#[derive(Default)]
pub(super) struct Attributes<'a> {
    named: HashMap<&'a str, Attribute<'a>>,
    names: Vec<&'a str>,
    pub(super) graphs: Vec<(&'a str, Message<'a>)>,
}

impl<'a> Attributes<'a> {
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.names.iter().copied()
    }

    pub(super) fn list(&self, name: &str) -> Option<Vec<i64>> {
        self.named.get(name)?.ints.clone()
    }

    pub(super) fn int(&self, name: &str) -> Option<i64> {
        self.named.get(name)?.ints.as_ref()?.first().copied()
    }

    pub(super) fn int_or(&self, name: &str, default: i64) -> i64 {
        self.int(name).unwrap_or(default)
    }

    pub(super) fn is_true(&self, name: &str) -> bool {
        self.int_or(name, 0) != 0
    }

    pub(super) fn text(&self, name: &str) -> &str {
        self.named.get(name).map_or("", |one| one.text)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.named.contains_key(name)
    }

    fn floats(&self, name: &str) -> Option<Vec<Number>> {
        self.named.get(name)?.floats.clone()
    }

    /// Returns the tensor named `value`.
    pub(super) fn tensor(&self) -> Result<ConstantAndShape, ModelError> {
        let message = self.named.get("value").and_then(|one| one.tensor);
        let tensor = message.map(tensor).transpose()?.flatten();
        Ok(tensor.map_or((None, None), |(_, constant, dims)| (constant, dims)))
    }

    pub(super) fn axis(&self, default: i64) -> Argument {
        Argument::Given([self.int("axis").unwrap_or(default)].into())
    }
}

/// Reads an attribute, and adds it to the attributes of its node.
pub(super) fn attribute<'a>(
    message: Message<'a>,
    attributes: &mut Attributes<'a>,
) -> Result<(), ModelError> {
    let mut name = "";
    let mut ints = Vec::new();
    let mut add = |value: Field<'_>| -> Result<(), WireError> {
        match value {
            Field::Bytes(packed) => {
                for value in packed.packed() {
                    if ints.len() > MAX_ELEMENTS {
                        break;
                    }
                    ints.push(value?);
                }
            }
            value if ints.len() <= MAX_ELEMENTS => ints.push(value.int()),
            _ => {}
        }
        Ok(())
    };
    let mut floats = Vec::new();
    let (mut text, mut tensor, mut graph) = ("", None, None);
    for field in message.fields() {
        let field = field?;
        match field.number {
            1 => name = field.value.text(),
            3 | 8 => add(field.value)?,
            2 | 7 if floats.len() <= MAX_ELEMENTS => {
                let bytes = match field.value {
                    Field::Fixed(bytes) => bytes,
                    value => value.message().bytes,
                };
                floats.extend(ElementType::F32.decode(bytes).into_iter().flatten());
            }
            4 => text = field.value.text(),
            5 => tensor = Some(field.value.message()),
            6 => graph = Some(field.value.message()),
            _ => {}
        }
    }
    attributes.names.push(name);
    attributes.graphs.extend(graph.map(|graph| (name, graph)));
    let attribute = Attribute {
        ints: (ints.len() <= MAX_ELEMENTS).then_some(ints),
        floats: (floats.len() <= MAX_ELEMENTS).then_some(floats),
        text,
        tensor,
    };
    attributes.named.insert(name, attribute);
    Ok(())
}

/// Returns the value and the shape of a `Constant` node. Either may be unknown.
pub(super) fn constant_of(attributes: &Attributes<'_>) -> Result<ConstantAndShape, ModelError> {
    if attributes.has("value") {
        return attributes.tensor();
    }
    let first = |numbers: Vec<Number>| numbers.into_iter().next();
    let ints = |name: &str| {
        let list = attributes.list(name)?;
        Some(list.into_iter().map(Number::Known).collect::<Vec<_>>())
    };
    let scalar = |element_type: ElementType, numbers: Option<Vec<Number>>| {
        Some(Constant::scalar(element_type, first(numbers?)?))
    };
    let (int, float) = (ElementType::I64, ElementType::F32);
    let constant = scalar(int, ints("value_int"))
        .or_else(|| Constant::vector(int, ints("value_ints")?))
        .or_else(|| scalar(float, attributes.floats("value_float")))
        .or_else(|| Constant::vector(float, attributes.floats("value_floats")?));
    let shape = constant
        .as_ref()
        .map(|constant| known_shape(&constant.shape));
    Ok((constant, shape))
}
