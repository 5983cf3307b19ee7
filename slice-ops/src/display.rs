//! The operations as calls in their system's own words, on an input `x`; masks without a bit are left out.

use core::fmt::{self, Display};

use super::{mindspore, onnx, openvino, tensorflow, tensorstore};

/// A Python tuple.
struct Tuple<'a>(&'a [i64]);

impl Display for Tuple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (i, number) in self.0.iter().enumerate() {
            write!(f, "{}{number}", if i > 0 { ", " } else { "" })?;
        }
        f.write_str(if self.0.len() == 1 { ",)" } else { ")" })
    }
}

/// The five bit masks that are not 0, as keyword arguments.
struct Keywords([i64; 5]);

impl Display for Keywords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            "begin_mask",
            "end_mask",
            "ellipsis_mask",
            "new_axis_mask",
            "shrink_axis_mask",
        ];
        for (name, mask) in names.iter().zip(self.0) {
            if mask != 0 {
                write!(f, ", {name}={mask}")?;
            }
        }
        Ok(())
    }
}

impl Display for tensorflow::StridedSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (begin, end, strides) = (&self.begin, &self.end, &self.strides);
        let masks = Keywords(self.masks());
        write!(
            f,
            "tf.strided_slice(x, {begin:?}, {end:?}, {strides:?}{masks})"
        )
    }
}

impl Display for mindspore::StridedSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [begin, end, strides] = [&self.begin, &self.end, &self.strides].map(|v| Tuple(v));
        let masks = Keywords(self.masks());
        write!(f, "ops.strided_slice(x, {begin}, {end}, {strides}{masks})")
    }
}

impl Display for openvino::StridedSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "opset1.strided_slice(x, {:?}, {:?}",
            self.begin, self.end
        )?;
        if let Some(strides) = &self.strides {
            write!(f, ", {strides:?}")?;
        }
        // The first two have no default.
        write!(
            f,
            ", begin_mask={:?}, end_mask={:?}",
            self.begin_mask, self.end_mask
        )?;
        for (name, mask) in [
            ("new_axis_mask", &self.new_axis_mask),
            ("shrink_axis_mask", &self.shrink_axis_mask),
            ("ellipsis_mask", &self.ellipsis_mask),
        ] {
            if mask.iter().any(|&element| element != 0) {
                write!(f, ", {name}={mask:?}")?;
            }
        }
        f.write_str(")")
    }
}

impl Display for onnx::Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Slice-{}(x, starts={:?}, ends={:?}",
            self.opset, self.starts, self.ends
        )?;
        for (name, vector) in [("axes", &self.axes), ("steps", &self.steps)] {
            if let Some(vector) = vector {
                write!(f, ", {name}={vector:?}")?;
            }
        }
        f.write_str(")")
    }
}

impl Display for tensorstore::OutputIndexMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ts.OutputIndexMap(offset={}", self.offset)?;
        if let Some(dimension) = self.dimension() {
            write!(f, ", stride={}, input_dimension={dimension}", self.stride)?;
        }
        f.write_str(")")
    }
}

/// Without the names of the dimensions, and without which bounds are implicit.
impl Display for tensorstore::IndexTransform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (min, max) = (&self.input_inclusive_min, &self.input_exclusive_max);
        write!(
            f,
            "x[ts.IndexTransform(input_inclusive_min={min:?}, input_exclusive_max={max:?}, output=["
        )?;
        for (axis, map) in self.output.iter().enumerate() {
            write!(f, "{}{map}", if axis > 0 { ", " } else { "" })?;
        }
        f.write_str("])]")
    }
}
