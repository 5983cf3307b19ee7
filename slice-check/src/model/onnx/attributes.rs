//! Reads the attributes of ONNX nodes.

use std::collections::HashMap;

use super::tensor::{ConstantAndShape, tensor};
use crate::model::ModelError;
use crate::model::kind::Argument;
use crate::model::number::{Constant, Dim, MAX_ELEMENTS, Number};
use crate::model::wire::{Message, Value as Field, WireError};

/// The relevant attributes of a node.
#[derive(Default)]
pub(super) struct Attributes<'a> {
    ints: HashMap<&'a str, Vec<i64>>,
    tensor: Option<Message<'a>>,
    pub(super) graphs: Vec<(&'a str, Message<'a>)>,
}

impl Attributes<'_> {
    pub(super) fn list(&self, name: &str) -> Option<Vec<i64>> {
        self.ints.get(name).cloned()
    }

    pub(super) fn int(&self, name: &str) -> Option<i64> {
        self.ints.get(name)?.first().copied()
    }

    pub(super) fn axis(&self, default: i64) -> Argument {
        Argument::Given([self.int("axis").unwrap_or(default)].into())
    }
}

/// Reads an attribute. Keeps its integers unless there are too many, its nested graph if it has one, and its tensor if
/// the attribute is named `value`.
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
    let (mut tensor, mut graph) = (None, None);
    for field in message.fields() {
        let field = field?;
        match field.number {
            1 => name = field.value.text(),
            3 | 8 => add(field.value)?,
            5 => tensor = Some(field.value.message()),
            6 => graph = Some(field.value.message()),
            _ => {}
        }
    }
    if tensor.is_some() && name == "value" {
        attributes.tensor = tensor;
    }
    if let Some(graph) = graph {
        attributes.graphs.push((name, graph));
    }
    if ints.len() <= MAX_ELEMENTS {
        attributes.ints.insert(name, ints);
    }
    Ok(())
}

/// Returns the value and the shape of a `Constant` node. Either may be unknown.
pub(super) fn constant_of(attributes: &Attributes<'_>) -> Result<ConstantAndShape, ModelError> {
    if let Some(message) = attributes.tensor {
        let tensor = tensor(message)?;
        return Ok(tensor.map_or((None, None), |(_, constant, dims)| (constant, dims)));
    }
    let numbers = |name: &str| {
        let list = attributes.list(name)?;
        Some(list.into_iter().map(Number::Known).collect::<Vec<_>>())
    };
    let constant = match (numbers("value_int"), numbers("value_ints")) {
        (Some(one), _) => one.into_iter().next().map(Constant::scalar),
        (None, Some(list)) => Constant::vector(list),
        (None, None) => None,
    };
    let shape = constant
        .as_ref()
        .map(|constant| vec![Dim::Known(constant.elements.len()); constant.rank].into());
    Ok((constant, shape))
}
