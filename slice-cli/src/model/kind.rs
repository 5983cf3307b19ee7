//! Kinds of operations: how they select, or how constants and shapes propagate through them.

/// An argument of an operation that consists of integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The argument is omitted.
    Absent,
    /// The input of the node at this index, if there is one.
    Input(usize),
    /// Numbers that are stored in the operation itself.
    Given(Vec<i64>),
}

impl From<Option<Vec<i64>>> for Argument {
    fn from(given: Option<Vec<i64>>) -> Self {
        given.map_or(Argument::Absent, Argument::Given)
    }
}

/// The kind of an operation. Unless stated otherwise, the operation is applied to its first input.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Selects elements.
    Select(Box<Select>),
    /// Returns the lengths of the input's axes from `start` to `end`.
    Shape { start: i64, end: Option<i64> },
    /// Returns the number of elements of its input.
    Size,
    /// Concatenates its inputs along an axis.
    Concat { axis: i64 },
    /// Stacks its inputs along a new axis.
    Pack { axis: i64 },
    /// Returns its input unchanged.
    Identity,
    /// Returns its input in the shape given by the second input. A constant is propagated only if the result has at
    /// most one axis.
    Reshape,
    /// Returns its input in the shape declared for the output, with the elements in the same order.
    Reshaped,
    /// Broadcasts its input to the shape declared for the output.
    Broadcast,
    /// Permutes the axes of its input, or reverses their order if no order is given.
    Transpose(Option<Vec<i64>>),
    /// Changes the elements, but not the shape.
    Elementwise,
    /// Combines two numbers into one, element by element.
    Arithmetic(Arithmetic),
    /// Broadcasts its first input with the shape given by the second input.
    Expand,
    /// Multiplies matrices.
    MatrixProduct,
    /// Returns the elements of the second input where the first input is not 0, and those of the third input elsewhere.
    Choose,
    /// Any other operation.
    Other,
}

impl Kind {
    /// Creates the kind of a selecting operation.
    pub fn select(select: Select) -> Self {
        Kind::Select(Box::new(select))
    }

    /// Returns how the operation selects, if it is a selecting operation.
    pub fn as_select(&self) -> Option<&Select> {
        match self {
            Kind::Select(select) => Some(select),
            _ => None,
        }
    }
}

/// An arithmetic operation on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    /// Division, rounded towards zero.
    Divide,
    /// Division, rounded towards negative infinity.
    FloorDivide,
    Minimum,
    Maximum,
    /// The remainder of a division that is rounded towards negative infinity.
    FloorRemainder,
    /// 1 if the first number is less than the second, and otherwise 0.
    Less,
    /// 1 if the first number is not less than the second, and otherwise 0.
    GreaterOrEqual,
}

impl Arithmetic {
    /// Computes the result, or returns `None` if there is none or it does not fit into 64 bits.
    pub fn apply(self, one: i64, other: i64) -> Option<i64> {
        match self {
            Arithmetic::Add => one.checked_add(other),
            Arithmetic::Subtract => one.checked_sub(other),
            Arithmetic::Multiply => one.checked_mul(other),
            Arithmetic::Divide => one.checked_div(other),
            Arithmetic::FloorDivide => {
                let quotient = one.checked_div(other)?;
                let is_less = one.checked_rem(other)? != 0 && (one < 0) != (other < 0);
                quotient.checked_sub(i64::from(is_less))
            }
            Arithmetic::Minimum => Some(one.min(other)),
            Arithmetic::Maximum => Some(one.max(other)),
            Arithmetic::FloorRemainder => {
                let rest = one.checked_rem(other)?;
                match rest != 0 && (rest < 0) != (other < 0) {
                    true => rest.checked_add(other),
                    false => Some(rest),
                }
            }
            Arithmetic::Less => Some(i64::from(one < other)),
            Arithmetic::GreaterOrEqual => Some(i64::from(one >= other)),
        }
    }
}

/// How an operation selects.
#[derive(Clone, Debug, PartialEq)]
pub enum Select {
    /// ONNX's `Slice`, and equivalent operations.
    Slice {
        opset: u32,
        starts: Argument,
        ends: Argument,
        axes: Argument,
        steps: Argument,
    },
    /// A slice in TensorFlow's encoding.
    Strided {
        system: Strided,
        begin: Argument,
        end: Argument,
        strides: Argument,
    },
    /// PyTorch's slice of one axis.
    OneAxis {
        dim: i64,
        start: Argument,
        end: Argument,
        step: Argument,
    },
    /// StableHLO's slice: starts, limits and strides.
    Static([Vec<i64>; 3]),
    /// A window of these sizes. Its starts are the inputs after the first one, and are clamped to keep the window
    /// within the array.
    Window { sizes: Vec<i64> },
    /// A begin and a size for each axis; a size of -1 extends to the end.
    Sizes { begin: Argument, size: Argument },
    /// The positions of a list on an axis; a scalar index drops the axis.
    Gather { axis: Argument, indices: Argument },
    /// One output for each of the consecutive parts of an axis, which have these lengths or equal lengths.
    Split { axis: Argument, lengths: Argument },
    /// One output for each position of an axis, which is dropped.
    Unpack { axis: Argument },
    /// Reversed axes.
    Reverse { axes: Argument },
    /// An axis on which the first positions are reversed. For each position of another axis, `lengths` contains the
    /// number of these positions.
    ReverseFirst { axis: i64, lengths: Argument },
    /// Drops axes of length 1: the listed axes, or all of them if there is no list.
    Squeeze { axes: Argument },
    /// Inserts new axes at these positions of the result.
    Unsqueeze { axes: Argument },
}

/// The system that defines the encoding of a slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Strided {
    /// TensorFlow's masks: begin, end, ellipsis, new axis and shrink.
    TensorFlow([i64; 5]),
    /// TensorFlow's masks, and `offset`.
    LiteRt { masks: [i64; 5], offset: bool },
    /// OpenVINO's masks, which are lists, in the order of TensorFlow's masks.
    OpenVino([Vec<i64>; 5]),
}
