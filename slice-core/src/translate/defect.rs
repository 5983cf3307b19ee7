//! What the systems are known to get wrong with an operation that is right.

use alloc::vec::Vec;
use core::fmt::{self, Display};

/// An operation, and what is known to go wrong when its system runs it.
///
/// With a shape, a defect is listed if it matters for that one; without, if there are shapes for which it matters. Only
/// limits on the number of axes are not listed without a shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Translated<Op> {
    /// The operation.
    pub op: Op,
    /// What its system gets wrong; empty for almost every operation.
    pub defects: Vec<Defect>,
}

/// Something that a system gets wrong although the operation is right, and that no other way to write it avoids.
///
/// Found in TensorFlow 2.21.0, OpenVINO 2026.4.1, MindSpore 2.10.0 (CPU) and ONNX Runtime 1.31.1.
///
/// # Example
///
/// ```
/// use slice_core::dialect::tensorflow::StridedSlice;
/// use slice_core::s;
/// use slice_core::translate::Defect;
///
/// let selection = s![::2, ..., ::2].resolve(&[2; 9])?;
/// let translated = StridedSlice::from_selection(&selection).unwrap();
/// assert_eq!(translated.defects, [Defect::TensorflowRank]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Defect {
    /// TensorFlow's CPU kernel copies up to 8 axes only.
    TensorflowRank,
    /// OpenVINO slices no scalar, but in the CPU plugin with constant vectors.
    OpenvinoScalar,
    /// OpenVINO's CPU plugin with variable vectors misplaces a new axis behind the ellipsis.
    OpenvinoNewAxisBehindEllipsis,
    /// OpenVINO's evaluation makes an axis of length 1 of a reversed axis of length 0.
    OpenvinoReverseOfNothing,
    /// OpenVINO's CPU plugin takes strides of 32 bits.
    OpenvinoWideStride,
    /// OpenVINO's CPU plugin with variable vectors takes bounds of 32 bits.
    OpenvinoWideBound,
    /// MindSpore's kernel takes up to 8 axes.
    MindsporeRank,
    /// MindSpore's kernel takes strides of 32 bits.
    MindsporeWideStride,
    /// MindSpore's view counts its elements with numbers that overflow.
    MindsporeViewOverflow,
    /// MindSpore's kernel divides by zero where just one axis is sliced, and one before it has length 0.
    MindsporeDivisionByZero,
    /// MindSpore's kernel slices just one axis where just one changes its length, and forgets reversed ones.
    MindsporeOneAxisOnly,
    /// MindSpore's kernel reads behind the axis if a reverse range begins behind its end.
    MindsporeBehindTheEnd,
    /// MindSpore's kernel takes the first element if a reverse range begins before it.
    MindsporeBeforeTheStart,
    /// MindSpore's kernel lets a new axis shift no entry behind it.
    MindsporeByPlace,
    /// ONNX Runtime takes an end of `i32::MAX` as "to the end" of axes that are longer.
    OnnxruntimeIntMax,
}

impl Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Defect::TensorflowRank => "TensorFlow's CPU kernel refuses to copy more than 8 axes",
            Defect::OpenvinoScalar => {
                "OpenVINO returns foreign memory for a scalar, unless the CPU plugin has constant begin, end and strides"
            }
            Defect::OpenvinoNewAxisBehindEllipsis => {
                "OpenVINO's CPU plugin with variable begin, end and strides misplaces a new axis behind the ellipsis"
            }
            Defect::OpenvinoReverseOfNothing => {
                "OpenVINO's evaluation (not its CPU plugin) makes an axis of length 1 of a reversed axis of length 0"
            }
            Defect::OpenvinoWideStride => {
                "OpenVINO's CPU plugin cuts strides to 32 bits, and has none for -2147483648"
            }
            Defect::OpenvinoWideBound => {
                "OpenVINO's CPU plugin with variable begin, end and strides cuts bounds to 32 bits"
            }
            Defect::MindsporeRank => "MindSpore's kernel refuses more than 8 axes",
            Defect::MindsporeWideStride => "MindSpore's kernel refuses or cuts strides beyond 32 bits",
            Defect::MindsporeViewOverflow => {
                "MindSpore's view adds the stride to the number of elements in 64 bits, which overflows"
            }
            Defect::MindsporeDivisionByZero => {
                "MindSpore's kernel divides by zero if one axis is sliced and an axis before it has length 0"
            }
            Defect::MindsporeOneAxisOnly => {
                "MindSpore's kernel leaves axes as they are, reversed ones too, if just one other axis changes its length"
            }
            Defect::MindsporeBehindTheEnd => {
                "MindSpore's kernel reads behind an axis if a reverse range begins at or behind its end"
            }
            Defect::MindsporeBeforeTheStart => {
                "MindSpore's kernel takes the first element if a reverse range begins before it"
            }
            Defect::MindsporeByPlace => {
                "MindSpore's kernel takes entry i for axis i, whatever new axes come before it"
            }
            Defect::OnnxruntimeIntMax => {
                "ONNX Runtime takes an end of 2147483647 for the end of the axis, however long that is"
            }
        })
    }
}
