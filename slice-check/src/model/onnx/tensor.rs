//! Reads the shapes and the small constants of ONNX models.

use std::sync::Arc;

use crate::model::array::Constant;
use crate::model::element_type::ElementType;
use crate::model::number::{
    Dim, MAX_AXES, MAX_CONSTANT_AXES, MAX_ELEMENTS, known_shape, small_count,
};
use crate::model::wire::{Message, Value as Field, WireError};
use crate::model::{Format, ModelError};

/// A constant and its shape. Either may be unknown.
pub(super) type ConstantAndShape = (Option<Constant>, Option<Arc<[Dim]>>);

/// The type of the elements of a tensor, as in [`Value::element_type`](crate::model::Value::element_type), and the shape.
type TypeAndShape = (Option<Option<ElementType>>, Option<Arc<[Dim]>>);

/// Returns the type of the elements and the shape in a `TypeProto`. Returns `None` if the type is not a tensor, has no
/// shape, or has too many axes.
pub(super) fn type_of(kind: Message<'_>) -> Result<TypeAndShape, WireError> {
    let tensor = kind.last(1)?.message();
    let code = tensor.last(1)?.int();
    let elements = (code != 0).then(|| element_type(code));
    let Some(shape) = tensor.values(2).last().transpose()? else {
        return Ok((elements, None));
    };
    let mut dims = Vec::new();
    for length in shape.message().values(1) {
        let length = length?;
        if dims.len() == MAX_AXES {
            return Ok((elements, None));
        }
        let mut dim = Dim::Unknown;
        for field in length.message().fields() {
            let field = field?;
            match field.number {
                // An invalid length is treated as unknown.
                1 => dim = usize::try_from(field.value.int()).map_or(Dim::Unknown, Dim::Known),
                2 if !field.value.text().is_empty() => dim = Dim::named(field.value.text()),
                _ => {}
            }
        }
        dims.push(dim);
    }
    Ok((elements, Some(dims.into())))
}

pub(super) type Tensor<'a> = (&'a str, Option<Constant>, Option<Arc<[Dim]>>);

/// Reads the name and the shape of a tensor. Also reads its elements if they are few and stored in the file itself.
/// Returns `None` if the rank exceeds the limit.
pub(super) fn tensor(message: Message<'_>) -> Result<Option<Tensor<'_>>, ModelError> {
    let (mut name, mut kind, mut is_external) = ("", 0, false);
    let mut dims: Vec<i64> = Vec::new();
    let mut raw = None;
    // The elements are either packed into one field or stored in separate fields.
    let mut typed_fields = Vec::new();
    for field in message.fields() {
        let field = field?;
        match (field.number, field.value) {
            (1, Field::Bytes(list)) => {
                for dim in list.packed().take(MAX_AXES + 1) {
                    dims.push(dim?);
                }
            }
            (1, value) => dims.push(value.int()),
            (2, value) => kind = value.int(),
            (4 | 5 | 7 | 10 | 11, value) if typed_fields.len() <= MAX_ELEMENTS => {
                typed_fields.push((field.number, value));
            }
            (8, value) => name = value.name()?,
            (9, value) => raw = Some(value.message().bytes),
            (14, value) => is_external = value.int() == 1,
            _ => {}
        }
        if dims.len() > MAX_AXES {
            return Ok(None);
        }
    }
    let lengths: Option<Vec<usize>> = dims.iter().map(|&dim| usize::try_from(dim).ok()).collect();
    let lengths = lengths.ok_or_else(|| {
        ModelError::invalid(format!(
            "the tensor {name:?} has the invalid shape {dims:?}"
        ))
    })?;
    let shape = Some(known_shape(&lengths));
    let element_type =
        element_type(kind).filter(|_| !is_external && lengths.len() <= MAX_CONSTANT_AXES);
    let (Some(len), Some(element_type)) = (small_count(&lengths), element_type) else {
        return Ok(Some((name, None, shape)));
    };
    let elements = match raw {
        Some(raw) => element_type.decode(raw),
        None => {
            typed_fields.retain(|field| field.0 == typed_field(element_type));
            let fields = Vec::from_iter(typed_fields.into_iter().map(|(_, value)| value));
            element_type.decode_fields(&fields)?
        }
    };
    let constant =
        elements.and_then(|elements| Constant::new(element_type, lengths.clone(), elements));
    let constant = constant.ok_or_else(|| {
        ModelError::invalid(format!(
            "the tensor {name:?} of shape {lengths:?} does not have {len} elements"
        ))
    })?;
    Ok(Some((name, Some(constant), shape)))
}

/// Returns the type with a code in `TensorProto.DataType`. Returns `None` if elements of the type are not kept.
pub(super) fn element_type(code: i64) -> Option<ElementType> {
    ElementType::with_code(Format::Onnx, code)
}

/// Returns the number of the field that stores elements of a type. Types of less than 32 bits are stored as `int32`.
fn typed_field(element_type: ElementType) -> u32 {
    match element_type {
        ElementType::F32 => 4,
        ElementType::F64 => 10,
        ElementType::I64 | ElementType::Python => 7,
        ElementType::U32 | ElementType::U64 => 11,
        _ => 5,
    }
}
