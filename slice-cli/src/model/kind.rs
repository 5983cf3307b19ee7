//! Kinds of operations: how one selects, or how constants and shapes go through it.

/// Numbers that an operation needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Left out.
    Absent,
    /// The input at this place, if there is one.
    Input(usize),
    /// Written in the model beside the operation.
    Given(Vec<i64>),
}

impl From<Option<Vec<i64>>> for Argument {
    fn from(given: Option<Vec<i64>>) -> Self {
        given.map_or(Argument::Absent, Argument::Given)
    }
}

/// An operation of a model. What it is applied to is its first input, unless it is said otherwise.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// It selects.
    Select(Box<Select>),
    /// The shape of its input, from one axis to another.
    Shape { start: i64, end: Option<i64> },
    /// The number of elements of its input.
    Size,
    /// Its inputs, one after the other along an axis.
    Concat { axis: i64 },
    /// Its inputs as the elements of a new axis.
    Pack { axis: i64 },
    /// Its input, elements and all.
    Same,
    /// Its input in another shape; that of its constants is one axis.
    Reshape,
    /// Its input in the shape that its output is said to have, element after element.
    Reshaped,
    /// Its input along new axes, in the shape that its output is said to have.
    Broadcast,
    /// Its input with the axes in this order, without one backwards.
    Transpose(Option<Vec<i64>>),
    /// Something of each element; the shape stays.
    Elementwise,
    /// Two numbers for each element.
    Arithmetic(Arithmetic),
    /// Its first input in the shape that the second one says, which is that of both broadcast.
    Expand,
    /// A product of matrices.
    MatrixProduct,
    /// Its second input where the first is not 0, elsewhere the third.
    Choose,
    /// Anything else.
    Other,
}

impl Kind {
    /// It selects so.
    pub fn select(select: Select) -> Self {
        Kind::Select(Box::new(select))
    }

    /// How it selects, if it does.
    pub fn selects(&self) -> Option<&Select> {
        match self {
            Kind::Select(select) => Some(select),
            _ => None,
        }
    }
}

/// An operation on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    /// Towards zero.
    Divide,
    /// Towards negative infinity.
    FloorDivide,
    Least,
    Most,
    /// The remainder of division towards negative infinity.
    FloorRemainder,
    /// 1 if the first is less, or else 0.
    Less,
    /// 1 if the first is not less, or else 0.
    NotLess,
}

impl Arithmetic {
    /// The result, if there is one of 64 bits.
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

/// An operation that selects.
#[derive(Clone, Debug, PartialEq)]
pub enum Select {
    /// ONNX's Slice, and those that mean the same.
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
    /// As many elements of each axis as are said, from starts that are moved so far back that all of them are there; the starts
    /// are the inputs after the first.
    Window { sizes: Vec<i64> },
    /// A begin and a size for each axis; a size of -1 is all that is left.
    Sizes { begin: Argument, size: Argument },
    /// Elements at the positions of a list; one number drops the axis.
    Gather { axis: Argument, indices: Argument },
    /// All of an axis, in parts: of these lengths, or of equal ones.
    Split { axis: Argument, lengths: Argument },
    /// Each position of an axis, which is dropped, as an output.
    Each { axis: Argument },
    /// Axes backwards.
    Reverse { axes: Argument },
    /// One axis backwards as far as the lengths say, of which there is one for each position of another axis.
    ReverseFirst { axis: i64, lengths: Argument },
    /// Axes of length 1 are dropped; without a list, all of them.
    Squeeze { axes: Argument },
    /// New axes, at these places of the result.
    Unsqueeze { axes: Argument },
}

/// Whose encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Strided {
    /// Masks: begin, end, ellipsis, new axis and shrink.
    TensorFlow([i64; 5]),
    /// TensorFlow's masks, and `offset`.
    LiteRt { masks: [i64; 5], offset: bool },
    /// A list for each mask, in the same order.
    OpenVino([Vec<i64>; 5]),
}
