//! Reads the shapes and the small constants of ONNX models.

use std::sync::Arc;

use super::{INT32, INT64};
use crate::model::ModelError;
use crate::model::number::{Constant, Dim, MAX_AXES, MAX_ELEMENTS, Number};
use crate::model::wire::{Message, Value as Field, WireError};

/// A constant and its shape. Either may be unknown.
pub(super) type ConstantAndShape = (Option<Constant>, Option<Arc<[Dim]>>);

/// Returns the shape in a `TypeProto`. Returns `None` if the type is not a tensor, has no shape, or has too many axes.
pub(super) fn shape_of(kind: Message<'_>) -> Result<Option<Arc<[Dim]>>, WireError> {
    let mut shape = None;
    for tensor in kind.fields() {
        let tensor = tensor?;
        if tensor.number != 1 {
            continue;
        }
        for field in tensor.value.message().fields() {
            let field = field?;
            if field.number == 2 {
                shape = Some(field.value.message());
            }
        }
    }
    let Some(message) = shape else {
        return Ok(None);
    };
    let mut dims = Vec::new();
    for field in message.fields() {
        let field = field?;
        if field.number != 1 {
            continue;
        }
        if dims.len() == MAX_AXES {
            return Ok(None);
        }
        let mut dim = Dim::Unknown;
        for field in field.value.message().fields() {
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
    Ok(Some(dims.into()))
}

pub(super) type Tensor<'a> = (&'a str, Option<Constant>, Option<Arc<[Dim]>>);

/// Reads the name and the shape of a tensor. Also reads its elements if it is a scalar or a short vector of 32-bit or
/// 64-bit integers that is stored in the file itself. Returns `None` if the rank exceeds the limit.
pub(super) fn tensor(message: Message<'_>) -> Result<Option<Tensor<'_>>, ModelError> {
    let (mut name, mut kind, mut is_external) = ("", 0, false);
    let mut dims: Vec<i64> = Vec::new();
    let mut raw = None;
    // Integers are either packed into one field or stored in separate fields.
    let (mut packed, mut single) = (Vec::new(), Vec::new());
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
            (5 | 7, Field::Bytes(list)) => packed.push(list),
            (5 | 7, value) if single.len() <= MAX_ELEMENTS => single.push(value.int()),
            (8, value) => name = value.text(),
            (9, value) => raw = Some(value.message().bytes),
            (14, value) => is_external = value.int() == 1,
            _ => {}
        }
        if dims.len() > MAX_AXES {
            return Ok(None);
        }
    }
    let lengths: Option<Vec<usize>> = dims.iter().map(|&dim| usize::try_from(dim).ok()).collect();
    let lengths =
        lengths.ok_or_else(|| format!("the tensor {name:?} has the invalid shape {dims:?}"))?;
    let len = lengths
        .iter()
        .try_fold(1_usize, |len, &length| len.checked_mul(length));
    let shape = Some(lengths.iter().copied().map(Dim::Known).collect());
    let small_len = len.filter(|&len| len <= MAX_ELEMENTS && lengths.len() <= 1);
    let is_integer = [INT32, INT64].contains(&kind);
    let Some(len) = small_len.filter(|_| is_integer && !is_external) else {
        return Ok(Some((name, None, shape)));
    };
    let elements = match raw {
        Some(raw) if kind == INT64 => {
            let (numbers, rest) = raw.as_chunks::<8>();
            rest.is_empty().then(|| {
                numbers
                    .iter()
                    .map(|bytes| i64::from_le_bytes(*bytes))
                    .collect()
            })
        }
        Some(raw) => {
            let (numbers, rest) = raw.as_chunks::<4>();
            rest.is_empty().then(|| {
                numbers
                    .iter()
                    .map(|bytes| i32::from_le_bytes(*bytes).into())
                    .collect()
            })
        }
        None => {
            let mut elements = single;
            for list in packed {
                for element in list.packed().take(MAX_ELEMENTS + 1) {
                    elements.push(element?);
                }
            }
            Some(elements)
        }
    };
    let elements = elements.filter(|elements: &Vec<i64>| elements.len() == len);
    let elements = elements.ok_or_else(|| {
        format!("the tensor {name:?} of shape {lengths:?} does not have {len} elements")
    })?;
    let constant = Constant {
        elements: elements.into_iter().map(Number::Known).collect(),
        rank: lengths.len(),
    };
    Ok(Some((name, Some(constant), shape)))
}
