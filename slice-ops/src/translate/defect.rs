//! What the systems are known to compute wrongly although the operation is correct.

use alloc::vec::Vec;
use core::fmt::{self, Display};

/// An operation, and what is known to go wrong when its system runs it.
///
/// With a shape, a defect is listed if it matters for that one; without, if there are shapes for which it matters,
/// including shapes for which the slice is an error. Only limits on the number of axes are not listed without a shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Translated<Op> {
    /// The operation.
    pub op: Op,
    /// What its system computes wrongly.
    pub defects: Vec<Defect>,
}

/// Something that a system computes wrongly although the operation is correct, and that no other form of it avoids.
///
/// # Example
///
/// ```
/// use slice_ops::tensorflow::StridedSlice;
/// use slice_core::s;
///
/// let selection = s![::2, ..., ::2].resolve(&[2; 9])?;
/// let translated = StridedSlice::from_selection(&selection).unwrap();
/// let defect = translated.defects[0];
/// assert_eq!((defect.system, defect.version), ("TensorFlow", "2.21.0"));
/// assert_eq!(defect.text, "the CPU kernel refuses to copy more than 8 axes");
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Defect {
    /// The system.
    pub system: &'static str,
    /// The version that was found to go wrong.
    pub version: &'static str,
    /// What goes wrong.
    pub text: &'static str,
}

impl Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Defect {
            system,
            version,
            text,
        } = self;
        write!(f, "{system} {version}: {text}")
    }
}

const fn tensorflow(text: &'static str) -> Defect {
    Defect {
        system: "TensorFlow",
        version: "2.21.0",
        text,
    }
}

const fn openvino(text: &'static str) -> Defect {
    Defect {
        system: "OpenVINO",
        version: "2026.4.1",
        text,
    }
}

const fn mindspore(text: &'static str) -> Defect {
    Defect {
        system: "MindSpore",
        version: "2.10.0",
        text,
    }
}

const fn onnxruntime(text: &'static str) -> Defect {
    Defect {
        system: "ONNX Runtime",
        version: "1.31.1",
        text,
    }
}

pub(crate) const TENSORFLOW_RANK: Defect =
    tensorflow("the CPU kernel refuses to copy more than 8 axes");
pub(crate) const TENSORFLOW_MASK_WIDTH: Defect =
    tensorflow("beyond 32 axes the masks have too few bits, and other elements are selected");

pub(crate) const OPENVINO_SCALAR: Defect = openvino(
    "a slice of a scalar returns memory from outside the tensor, unless the CPU plugin has constant begin, end and strides",
);
pub(crate) const OPENVINO_INDEX: Defect = openvino(
    "the CPU plugin with variable begin, end and strides does not check indices: one out of range selects the first or \
     the last element, and on an axis that is empty or does not exist, memory from outside the tensor",
);
pub(crate) const OPENVINO_NEW_AXIS_AFTER_ELLIPSIS: Defect = openvino(
    "the CPU plugin with variable begin, end and strides misplaces a new axis after the ellipsis",
);
pub(crate) const OPENVINO_REVERSE_OF_NOTHING: Defect = openvino(
    "the evaluation (not the CPU plugin) returns length 1 for a reversed axis of length 0",
);
pub(crate) const OPENVINO_WIDE_STRIDE: Defect =
    openvino("the CPU plugin truncates strides to 32 bits, and does not handle -2147483648");
pub(crate) const OPENVINO_WIDE_BOUND: Defect =
    openvino("the CPU plugin with variable begin, end and strides truncates bounds to 32 bits");

pub(crate) const MINDSPORE_RANK: Defect = mindspore("the kernel refuses more than 8 axes");
pub(crate) const MINDSPORE_WIDE_STRIDE: Defect =
    mindspore("the kernel refuses or truncates strides beyond 32 bits");
pub(crate) const MINDSPORE_VIEW_OVERFLOW: Defect =
    mindspore("the view adds the stride to the number of elements in 64 bits, which overflows");
pub(crate) const MINDSPORE_DIVISION_BY_ZERO: Defect = mindspore(
    "the kernel divides by zero if one axis is sliced and an axis before it has length 0",
);
pub(crate) const MINDSPORE_ONE_AXIS_ONLY: Defect = mindspore(
    "the kernel leaves axes as they are, reversed ones too, if just one other axis changes its length",
);
pub(crate) const MINDSPORE_BEYOND_THE_END: Defect =
    mindspore("the kernel reads beyond an axis if a reverse range begins at or beyond its end");
pub(crate) const MINDSPORE_BEFORE_THE_START: Defect =
    mindspore("the kernel takes the first element if a reverse range begins before it");
pub(crate) const MINDSPORE_BY_POSITION: Defect =
    mindspore("the kernel takes entry i for axis i, whatever new axes or ellipsis come before it");

pub(crate) const ONNXRUNTIME_INT_MAX: Defect =
    onnxruntime("an end of 2147483647 is taken for the end of the axis, however long that is");
