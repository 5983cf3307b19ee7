//! Writes programs as MLIR functions.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;
use core::ops::Range;

use super::op::{Op, Program, sizes};
use crate::error::OperationError;
use crate::lists::gather::indices_text;
use crate::program::ProgramOperation;

/// Returns two attributes of a gather that selects positions on the axes `gathered` of an array with the shape `shape`: the
/// dimension numbers and the slice sizes. In the result, `new_axes` axes take their place.
fn gather_attributes(gathered: Range<usize>, new_axes: usize, shape: &[usize]) -> (String, String) {
    let dims: Vec<usize> = gathered.clone().collect();
    let others = shape.len() - gathered.len() + new_axes;
    let is_offset = |axis: &usize| !(gathered.start..gathered.start + new_axes).contains(axis);
    let offset_dims: Vec<usize> = (0..others).filter(is_offset).collect();
    let numbers = format!(
        "offset_dims = {offset_dims:?}, collapsed_slice_dims = {dims:?}, start_index_map = {dims:?}, \
         index_vector_dim = {new_axes}"
    );
    let sizes = shape.iter().enumerate();
    let sizes =
        sizes.map(|(axis, &size)| if gathered.contains(&axis) { 1 } else { size }.to_string());
    (numbers, sizes.collect::<Vec<_>>().join(", "))
}

impl Program {
    /// Returns the program as an MLIR function, for an input with the shape `shape` and elements of type `element`,
    /// such as `f32`.
    ///
    /// In Python, `jaxlib.mlir.ir.Module.parse` accepts the function.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Operations::resolve`](crate::lists::Operations::resolve).
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_systems::Operation;
    /// use slice_systems::stablehlo::Slice;
    ///
    /// let program = Slice::from_selection(&s![3:0:-1].resolve(&[4])?)?.op;
    /// assert_eq!(program.to_string(), "%0 = stablehlo.slice %x [1:4]\n%1 = stablehlo.reverse %0, dims = [0]");
    /// assert_eq!(
    ///     program.mlir(&[4], "f32")?,
    ///     "\
    /// func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {
    ///   %0 = stablehlo.slice %x [1:4] : (tensor<4xf32>) -> tensor<3xf32>
    ///   %1 = stablehlo.reverse %0, dims = [0] : tensor<3xf32>
    ///   return %1 : tensor<3xf32>
    /// }
    /// "
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mlir(&self, shape: &[usize], element: &str) -> Result<String, OperationError> {
        let tensor = |shape: &[usize], element: &str| match shape {
            [] => format!("tensor<{element}>"),
            _ => format!("tensor<{}x{element}>", sizes(shape)),
        };
        let (mut body, mut operand) = (String::new(), String::from("%x"));
        let mut input_shape = shape.to_vec();
        for (number, op) in self.ops.iter().enumerate() {
            let output_shape = op.resolve(&input_shape)?.output_shape().to_vec();
            let (input_type, output_type) = (
                tensor(&input_shape, element),
                tensor(&output_shape, element),
            );
            let line = match op {
                Op::Slice(_) => format!("{} : ({input_type}) -> {output_type}", op.call(&operand)),
                Op::Reverse { .. } => format!("{} : {input_type}", op.call(&operand)),
                Op::Reshape { .. } => {
                    format!("stablehlo.reshape {operand} : ({input_type}) -> {output_type}")
                }
                Op::Gather { dimension, indices } | Op::GatherNd { dimension, indices } => {
                    let elements = match indices.elements().is_empty() {
                        true => String::new(),
                        false => indices_text(indices),
                    };
                    let indices_type = tensor(indices.shape(), "i64");
                    // Writing to a `String` cannot fail.
                    let _ = writeln!(
                        body,
                        "  %i{number} = stablehlo.constant dense<{elements}> : {indices_type}"
                    );
                    let (axes, new_axes) = match (op, indices.shape()) {
                        (Op::GatherNd { .. }, [new_axes @ .., axes]) => (*axes, new_axes.len()),
                        (_, new_axes) => (1, new_axes.len()),
                    };
                    // The operation has been resolved, so its axes exist.
                    let first = usize::try_from(*dimension).unwrap_or_default();
                    let (numbers, sizes) =
                        gather_attributes(first..first + axes, new_axes, &input_shape);
                    format!(
                        "\"stablehlo.gather\"({operand}, %i{number}) <{{dimension_numbers = #stablehlo.gather<{numbers}>, \
                         slice_sizes = array<i64: {sizes}>}}> : ({input_type}, {indices_type}) -> {output_type}"
                    )
                }
                Op::DynamicSlice {
                    start_indices,
                    slice_sizes,
                } => {
                    let mut starts = String::new();
                    let mut types = String::new();
                    for (axis, start) in start_indices.iter().enumerate() {
                        let constant = format!("%s{number}_{axis}");
                        // Writing to a `String` cannot fail.
                        let _ = writeln!(
                            body,
                            "  {constant} = stablehlo.constant dense<{start}> : tensor<i64>"
                        );
                        starts += &format!(", {constant}");
                        types += ", tensor<i64>";
                    }
                    format!(
                        "stablehlo.dynamic_slice {operand}{starts}, sizes = {slice_sizes:?} : ({input_type}{types}) -> {output_type}"
                    )
                }
            };
            body += &format!("  %{number} = {line}\n");
            (operand, input_shape) = (format!("%{number}"), output_shape);
        }
        let (input_type, output_type) = (tensor(shape, element), tensor(&input_shape, element));
        Ok(format!(
            "func.func @main(%x: {input_type}) -> {output_type} {{\n{body}  return {operand} : {output_type}\n}}\n"
        ))
    }
}
