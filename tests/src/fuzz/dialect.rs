//! Checks slice operations of TensorFlow, ONNX and other systems, with random fields and random input shapes.

use arbitrary::{Arbitrary, Result, Unstructured};
use slice_systems::reasons::{Reason, TransformError};
use slice_systems::translate::TranslateError;
use slice_systems::{
    AnyOperation, Explain, Operation, SystemError, coreml, litert, onnx, openvino, stablehlo,
    tensorflow, tensorstore, torch,
};

use super::input::{BoundOrStep, Shape, small_count, step};
use super::selection;
use super::translate::check_to_spec;
use crate::explain;
use crate::operation::as_mindspore;

/// An operation, the shape of its input, a TensorStore transform for the same shape, and the length of a buffer that
/// usually matches neither the selection of the operation nor that of the transform.
#[derive(Debug)]
pub struct Case {
    op: AnyOperation,
    shape: Shape,
    buffer: u8,
    transform: tensorstore::IndexTransform,
}

/// Checks the selection, the explanation, the spec and the JSON of the operation and of the transform. Returns `true`
/// if the operation is valid for the shape.
///
/// # Panics
///
/// Panics if a check fails.
pub fn check(case: &Case) -> bool {
    let shape = &case.shape.0;
    let mut results = vec![(case.op.resolve(shape), case.op.explain(shape))];
    if let AnyOperation::Onnx(op) = &case.op {
        results.push((op.resolve_onnxruntime(shape), op.explain_onnxruntime(shape)));
    }
    for (result, explanation) in &results {
        assert_eq!(explain::check(explanation, result), Ok(()));
        match result {
            Ok(selection) => selection::check(selection, shape, case.buffer.into()),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    let spec = match &case.op {
        AnyOperation::Onnx(op) => op.to_spec_for_rank(shape.len()),
        op => op.to_spec(),
    };
    check_to_spec(spec, &results[0].0, shape);
    // Parsing the JSON of an operation returns an equal operation.
    let json = serde_json::to_string(&case.op).expect("the operation should be serializable");
    let parsed = serde_json::from_str(&json).ok();
    assert_eq!(parsed.as_ref(), Some(&case.op), "{json}");
    check_transform(&case.transform, shape, case.buffer.into());
    results[0].0.is_ok()
}

/// Checks the selection of a transform, and that parsing its JSON returns a transform with the same selection.
fn check_transform(transform: &tensorstore::IndexTransform, shape: &[usize], buffer: usize) {
    let resolved = transform.resolve(shape);
    match (&resolved, transform.to_spec()) {
        (Ok(selection), Ok(spec)) => assert_eq!(spec.resolve(shape).as_ref(), Ok(selection)),
        // If the input is empty, a transform may select positions above `i64::MAX`, which a spec cannot express.
        (
            Ok(selection),
            Err(TranslateError::Transform(SystemError(Reason::TensorStore(
                TransformError::OutOfBounds { position, .. },
            )))),
        ) => {
            assert!(selection.input_len() == 0 && position > i64::MAX.into());
        }
        (Ok(_), Err(error)) => assert!(
            matches!(
                error,
                TranslateError::Transform(SystemError(Reason::TensorStore(
                    TransformError::Implicit { .. } | TransformError::Repeated { len: 0, .. }
                )))
            ),
            "unexpected error: {error}"
        ),
        (Err(error), _) => assert!(!error.to_string().is_empty()),
    }
    if let Ok(selection) = &resolved {
        selection::check(selection, shape, buffer);
        let explanation = transform.explain(shape);
        let explained_shape = explanation
            .output_shape
            .expect("the slice should fit the shape");
        assert_eq!(explained_shape, selection.output_shape());
        let json = serde_json::to_string(transform).expect("the transform should be serializable");
        let parsed: tensorstore::IndexTransform =
            serde_json::from_str(&json).expect("the JSON should be a transform");
        assert_eq!(parsed.resolve(shape), resolved, "{json}");
    }
}

/// Returns a transform whose output index maps mostly use the input dimensions in order.
fn transform(u: &mut Unstructured<'_>) -> Result<tensorstore::IndexTransform> {
    let mut transform = tensorstore::IndexTransform::default();
    for _ in 0..small_count(u, 34)? {
        let low = BoundOrStep::arbitrary(u)?.0;
        let len = i64::from(u8::arbitrary(u)? % 8);
        transform.input_inclusive_min.push(low);
        transform.input_exclusive_max.push(low.saturating_add(len));
        let implicit = u8::arbitrary(u)?;
        transform.implicit_lower_bounds.push(implicit & 3 == 3);
        transform.implicit_upper_bounds.push(implicit & 12 == 12);
    }
    for axis in 0..small_count(u, 34)? {
        let tag = u8::arbitrary(u)?;
        transform.output.push(tensorstore::OutputIndexMap {
            offset: BoundOrStep::arbitrary(u)?.0,
            stride: step(u)?,
            input_dimension: match tag {
                0..=63 => None,
                64..=223 => Some(axis),
                _ => Some(usize::from(tag % 8)),
            },
            index_array: None,
        });
    }
    Ok(transform)
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let system = u8::arbitrary(u)?;
        let buffer = u8::arbitrary(u)?;
        let shape = Shape::arbitrary(u)?;
        let Vectors {
            begin,
            end,
            strides,
        } = Vectors::arbitrary(u)?;
        let op = match system % 4 {
            kind if system & 48 == 48 => operation_of_kind(
                u,
                kind,
                Vectors {
                    begin,
                    end,
                    strides,
                },
            )?,
            system @ (0 | 1) => {
                let [
                    begin_mask,
                    end_mask,
                    ellipsis_mask,
                    new_axis_mask,
                    shrink_axis_mask,
                ] = masks(u)?;
                let op = tensorflow::StridedSlice {
                    begin,
                    end,
                    strides,
                    begin_mask,
                    end_mask,
                    ellipsis_mask,
                    new_axis_mask,
                    shrink_axis_mask,
                };
                match system {
                    0 => AnyOperation::TensorFlow(op),
                    _ => AnyOperation::MindSpore(as_mindspore(op)),
                }
            }
            2 => {
                let entries = begin.len();
                AnyOperation::OpenVino(openvino::StridedSlice {
                    begin,
                    end,
                    strides: (system & 64 == 0).then_some(strides),
                    begin_mask: mask_list(u, entries)?,
                    end_mask: mask_list(u, entries)?,
                    new_axis_mask: mask_list(u, entries)?,
                    shrink_axis_mask: mask_list(u, entries)?,
                    ellipsis_mask: mask_list(u, entries)?,
                })
            }
            _ => AnyOperation::Onnx(onnx::Slice {
                opset: u32::from(u8::arbitrary(u)? % 20),
                axes: (system & 64 == 0)
                    .then(|| axes(u, begin.len()))
                    .transpose()?,
                starts: begin,
                ends: end,
                steps: (system & 128 == 0).then_some(strides),
            }),
        };
        let transform = transform(u)?;
        Ok(Case {
            op,
            shape,
            buffer,
            transform,
        })
    }
}

/// Returns an operation of LiteRT, PyTorch, StableHLO or Core ML. The numbers in operations of LiteRT and Core ML
/// usually fit in 32 bits.
fn operation_of_kind(u: &mut Unstructured<'_>, kind: u8, vectors: Vectors) -> Result<AnyOperation> {
    let Vectors {
        mut begin,
        mut end,
        mut strides,
    } = vectors;
    if matches!(kind, 0 | 3) && u8::arbitrary(u)? < 250 {
        for number in begin.iter_mut().chain(&mut end).chain(&mut strides) {
            *number = (*number).clamp(i32::MIN.into(), i32::MAX.into());
        }
    }
    Ok(match kind {
        0 => {
            let [
                begin_mask,
                end_mask,
                ellipsis_mask,
                new_axis_mask,
                shrink_axis_mask,
            ] = masks(u)?;
            AnyOperation::LiteRt(litert::StridedSlice {
                begin,
                end,
                strides,
                begin_mask,
                end_mask,
                ellipsis_mask,
                new_axis_mask,
                shrink_axis_mask,
                offset: u8::arbitrary(u)? < 60,
            })
        }
        1 => AnyOperation::Torch(torch::Slice {
            dim: axes(u, 1)?[0],
            start: begin.first().copied(),
            end: end.first().copied(),
            step: strides.first().copied().unwrap_or(1),
        }),
        2 => AnyOperation::StableHlo(stablehlo::Slice {
            start_indices: begin,
            limit_indices: end,
            strides,
        }),
        _ => {
            let entries = begin.len();
            let mut mask = || {
                let mask_list = mask_list(u, entries)?;
                Ok(mask_list.iter().map(|&bit| bit != 0).collect())
            };
            AnyOperation::CoreMl(coreml::SliceByIndex {
                begin_mask: mask()?,
                end_mask: mask()?,
                squeeze_mask: mask()?,
                begin,
                end,
                stride: strides,
            })
        }
    })
}

/// The `begin`, `end` and stride vectors of an operation, which rarely have different lengths.
struct Vectors {
    begin: Vec<i64>,
    end: Vec<i64>,
    strides: Vec<i64>,
}

impl<'a> Arbitrary<'a> for Vectors {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let entries = small_count(u, 70)?;
        let number = |u: &mut Unstructured<'a>| Ok(BoundOrStep::arbitrary(u)?.0);
        let mut vectors = Vectors {
            begin: (0..entries).map(|_| number(u)).collect::<Result<_>>()?,
            end: (0..entries).map(|_| number(u)).collect::<Result<_>>()?,
            strides: (0..entries).map(|_| step(u)).collect::<Result<_>>()?,
        };
        match u8::arbitrary(u)? {
            253 => drop(vectors.begin.pop()),
            254 => drop(vectors.end.pop()),
            255 => vectors.strides.push(1),
            _ => {}
        }
        Ok(vectors)
    }
}

/// Returns five bit masks, usually with few bits set, and rarely with all bits set.
fn masks(u: &mut Unstructured<'_>) -> Result<[i64; 5]> {
    let mut masks = [0; 5];
    for mask in &mut masks {
        let tag = u8::arbitrary(u)?;
        *mask = match tag {
            0..=127 => i64::from(tag & u8::arbitrary(u)?),
            128..=191 => i64::from(tag & 63 & tag.rotate_left(3)),
            192..=239 => 0,
            240..=247 => i64::from(i32::arbitrary(u)?),
            248 => -1,
            _ => i64::arbitrary(u)?,
        };
    }
    Ok(masks)
}

/// Returns a mask as a list of zeros and ones. The length of the list sometimes differs from `entries`, and in rare
/// cases the first element is an arbitrary number.
fn mask_list(u: &mut Unstructured<'_>, entries: usize) -> Result<Vec<i64>> {
    let bits = u16::arbitrary(u)? & u16::arbitrary(u)?;
    let len = match bits >> 12 {
        0..=9 => entries,
        10..=13 => 0,
        _ => small_count(u, 70)?,
    };
    let mut mask_list: Vec<i64> = (0..len).map(|i| i64::from(bits >> (i % 16) & 1)).collect();
    if bits == 0x0fff
        && let Some(bit) = mask_list.first_mut()
    {
        *bit = i64::arbitrary(u)?;
    }
    Ok(mask_list)
}

/// Returns `entries` axis numbers, usually between -7 and 7. A negative number counts from the end. Axes may be
/// repeated.
fn axes(u: &mut Unstructured<'_>, entries: usize) -> Result<Vec<i64>> {
    let axis = |u: &mut Unstructured<'_>| {
        let tag = i8::arbitrary(u)?;
        Ok(if tag > -120 {
            i64::from(tag) % 8
        } else {
            BoundOrStep::arbitrary(u)?.0
        })
    };
    (0..entries).map(|_| axis(u)).collect()
}
