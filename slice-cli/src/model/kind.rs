//! Kinds of operations: how they select, or how constants and shapes propagate through them.

/// Numbers that an operation needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The argument is left out.
    Absent,
    /// The input at this position, if there is one.
    Input(usize),
    /// Numbers in the operation itself.
    Given(Vec<i64>),
}

impl From<Option<Vec<i64>>> for Argument {
    fn from(given: Option<Vec<i64>>) -> Self {
        given.map_or(Argument::Absent, Argument::Given)
    }
}

/// The kind of an operation. It is applied to its first input, unless stated otherwise.
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
    Same,
    /// Returns its input in the shape given by the second input; constants are kept with at most one axis.
    Reshape,
    /// Returns its input in the shape stated for the output, with the elements in the same order.
    Reshaped,
    /// Repeats its input along new axes, to the shape stated for the output.
    Broadcast,
    /// Permutes the axes of its input, or reverses their order if there is no list.
    Transpose(Option<Vec<i64>>),
    /// Maps each element to another one; the shape does not change.
    Elementwise,
    /// Combines two numbers into one, element by element.
    Arithmetic(Arithmetic),
    /// Broadcasts its first input together with the shape in the second one.
    Expand,
    /// Multiplies matrices.
    MatrixProduct,
    /// Returns elements of the second input where the first one is not 0, and of the third one elsewhere.
    Choose,
    /// Any other operation.
    Other,
}

impl Kind {
    /// Creates the kind of a selecting operation.
    pub fn select(select: Select) -> Self {
        Kind::Select(Box::new(select))
    }

    /// Returns the selection, if the operation selects.
    pub fn selects(&self) -> Option<&Select> {
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
    Least,
    Most,
    /// The remainder of division rounded towards negative infinity.
    FloorRemainder,
    /// 1 if the first number is less than the second, or else 0.
    Less,
    /// 1 if the first number is not less than the second, or else 0.
    NotLess,
}

impl Arithmetic {
    /// Computes the result, if it fits into 64 bits.
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
            Arithmetic::Least => Some(one.min(other)),
            Arithmetic::Most => Some(one.max(other)),
            Arithmetic::FloorRemainder => {
                let rest = one.checked_rem(other)?;
                match rest != 0 && (rest < 0) != (other < 0) {
                    true => rest.checked_add(other),
                    false => Some(rest),
                }
            }
            Arithmetic::Less => Some(i64::from(one < other)),
            Arithmetic::NotLess => Some(i64::from(one >= other)),
        }
    }
}

/// The way in which an operation selects.
#[derive(Clone, Debug, PartialEq)]
pub enum Select {
    /// ONNX's Slice, and equivalent operations.
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
    Along {
        dim: i64,
        start: Argument,
        end: Argument,
        step: Argument,
    },
    /// StableHLO's slice: starts, limits and strides.
    Static([Vec<i64>; 3]),
    /// A window of these sizes. The inputs after the first are its starts, which are clamped to keep the window within
    /// the array.
    Window { sizes: Vec<i64> },
    /// A begin and a size for each axis; a size of -1 extends to the end.
    Sizes { begin: Argument, size: Argument },
    /// Elements at the positions of a list; a single number drops the axis.
    Gather { axis: Argument, indices: Argument },
    /// An axis divided into consecutive parts, of these lengths or of equal lengths.
    Split { axis: Argument, lengths: Argument },
    /// One output for each position of an axis, which is dropped.
    Each { axis: Argument },
    /// Reversed axes.
    Reverse { axes: Argument },
    /// An axis whose first positions are reversed; their number is given for each position of another axis.
    ReverseFirst { axis: i64, lengths: Argument },
    /// Drops axes of length 1: the axes of the list, or all of them without a list.
    Squeeze { axes: Argument },
    /// Inserts new axes at these positions of the result.
    Unsqueeze { axes: Argument },
}

/// The system whose encoding a slice uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Strided {
    /// TensorFlow's masks: begin, end, ellipsis, new axis and shrink.
    TensorFlow([i64; 5]),
    /// TensorFlow's masks, and `offset`.
    LiteRt { masks: [i64; 5], offset: bool },
    /// OpenVINO's lists of mask entries, one for each of TensorFlow's masks, in that order.
    OpenVino([Vec<i64>; 5]),
}
