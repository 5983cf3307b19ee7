//! Defines the kinds of operations. A kind determines which elements an operation selects, or how constants and shapes
//! propagate through the operation.

use std::sync::Arc;

use super::ValueId;
use super::arithmetic::{Arithmetic, Unary};
use super::array::Constant;
use super::element_type::ElementType;

/// An argument of an operation: an integer or a list of integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The argument is omitted.
    Absent,
    /// The argument is the node's input with this index. It is omitted if the node has no such input.
    Input(usize),
    /// The numbers are stored in the operation itself.
    Given(Arc<[i64]>),
}

impl Argument {
    fn list_bytes(&self) -> usize {
        match self {
            Argument::Given(numbers) => size_of_val(&numbers[..]),
            _ => 0,
        }
    }
}

impl<List: Into<Arc<[i64]>>> From<Option<List>> for Argument {
    fn from(given: Option<List>) -> Self {
        given.map_or(Argument::Absent, |list| Argument::Given(list.into()))
    }
}

/// The reason for not examining a gather with batch axes.
pub const WITH_BATCH_AXES: &str =
    "it selects different positions at each position of its batch axes";

/// The kind of an operation. Unless stated otherwise, the operation is applied to its first input.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Selects elements.
    Select(Box<Select>),
    /// Returns the lengths of the axes `start..end` of its input, or of the axes `start..` if `end` is `None`. Negative
    /// bounds are counted from the end.
    Shape {
        start: i64,
        end: Option<i64>,
        element_type: ElementType,
    },
    /// Returns the number of elements of its input.
    Size(ElementType),
    /// Returns the number of axes of its input.
    Rank(ElementType),
    /// Concatenates its inputs along an axis. If the axis is an input, this input is not concatenated.
    Concat { axis: Argument },
    /// Stacks its inputs along a new axis.
    Pack { axis: i64 },
    /// Returns its input unchanged.
    Identity,
    /// Converts the elements of its input to a type, or to a type whose elements are not kept.
    Cast(Option<ElementType>),
    /// Converts the elements of its first input to the type of the second.
    CastLike,
    /// Returns its input in the shape given by the second input. A length of -1 is computed from the number of elements,
    /// and a length of 0 is copied from the input if `copies_lengths` is true.
    Reshape { copies_lengths: bool },
    /// Returns its input in the shape declared for the output, with the elements in the same order.
    Reshaped,
    /// Returns its input with two axes: the product of the lengths before an axis, and the product of the others.
    Flatten { axis: i64 },
    /// Broadcasts its input to the shape declared for the output.
    Broadcast,
    /// Permutes the axes of its input, or reverses their order if no order is given.
    Transpose(Option<Arc<[i64]>>),
    /// Changes the elements, but not the shape. Other outputs than the first have unknown shapes.
    Elementwise,
    /// Computes each element from the elements of all inputs, with broadcasting.
    Broadcasting,
    /// Computes each element from one element of its input.
    Unary(Unary),
    /// Combines its inputs element by element, with broadcasting.
    Arithmetic(Arithmetic),
    /// Reduces axes: the listed axes or, without a list, all axes, or none if `keeps_all_by_default` is true.
    Reduce {
        reduction: Reduction,
        axes: Argument,
        keeps_axes: bool,
        keeps_all_by_default: bool,
    },
    /// Limits the elements of its first input to the range from the second to the third input. Either may be omitted.
    Clip,
    /// Returns the numbers from the first input up to the second, in steps of the third.
    Range,
    /// Returns an array of the shape given by its input, with equal elements.
    Fill(Box<Constant>),
    /// Repeats its first input along each axis as often as the second input states.
    Tile,
    /// Adds up the elements along the axis given by the second input.
    CumulativeSum {
        is_exclusive: bool,
        is_reversed: bool,
    },
    /// Returns the indices of the elements that are not 0.
    NonZero,
    /// Returns its first input after replacing the elements at the positions in the second input by the elements of the
    /// third, or after combining them. The positions are positions along an axis, one for each new element. Without an
    /// axis, each list on the last axis of the second input contains a position on each of the first axes.
    Scatter {
        axis: Option<i64>,
        operation: Option<Arithmetic>,
    },
    /// Inserts an axis of the length given by the second input. The element at the position in the first input is the
    /// second element of the third input, and the others are the first one. If there are four inputs, these elements are
    /// the third and the fourth input. Negative positions are counted from the end if `counts_from_end` is true.
    OneHot { axis: i64, counts_from_end: bool },
    /// Returns the greatest or least elements along an axis, as many as the second input states, and their positions.
    Top {
        axis: i64,
        is_greatest: bool,
        position_type: ElementType,
    },
    /// Sets the elements above the diagonal of the last two axes to 0, or the elements below it if `is_upper` is true.
    /// The second input, if there is one, moves the diagonal.
    Triangle { is_upper: bool },
    /// Broadcasts its first input and the shape given by the second input against each other: an axis that has length 1
    /// in one of them is extended to the length that it has in the other.
    Expand,
    /// Multiplies the matrices in the last two axes of its first two inputs, some of which are transposed first, and
    /// broadcasts the other axes.
    MatrixProduct { is_transposed: [bool; 2] },
    /// Returns each element of the second input if the same element of the first input is not 0, and otherwise of the
    /// third.
    Choose,
    /// Returns the outputs of one of several nested graphs.
    Branches {
        /// For each nested graph, its outputs.
        outputs: Box<[Vec<ValueId>]>,
        /// Whether ONNX Runtime believes that a length that is known in one nested graph is the length in all of them.
        are_merged: bool,
    },
    /// Any other operation.
    Other,
}

impl Kind {
    /// Creates the kind of an operation that selects elements.
    pub fn select(select: Select) -> Self {
        Kind::Select(Box::new(select))
    }

    /// Creates the kind of a strided slice of TensorFlow, LiteRT or OpenVINO, whose bounds are its inputs.
    pub fn strided(system: Strided) -> Self {
        let bounds = [1, 2, 3].map(Argument::Input);
        Kind::select(Select::Strided { system, bounds })
    }

    /// Creates the kind of a gather of the positions in the second input.
    pub fn gather(axis: Argument, batch_axes: i64) -> Self {
        let indices = Argument::Input(1);
        Kind::select(Select::Gather {
            axis,
            indices,
            batch_axes,
        })
    }

    /// Creates the kind of a division into parts of the given lengths, or of equal lengths.
    pub fn split(axis: Argument, lengths: Argument, allows_rest: bool) -> Self {
        Kind::select(Select::Split {
            axis,
            lengths,
            allows_rest,
            rounded_count: None,
        })
    }

    /// Creates the kind of an operation that selects elements but is not examined. `why` states the reason.
    pub fn not_examined(why: &'static str) -> Self {
        Kind::select(Select::NotExamined(why))
    }

    /// Returns the size of the memory to which this kind refers, in bytes.
    pub fn heap_bytes(&self) -> usize {
        match self {
            Kind::Select(select) => size_of::<Select>() + select.list_bytes(),
            Kind::Transpose(order) => order.as_deref().map_or(0, size_of_val),
            Kind::Fill(element) => size_of_val(&**element) + size_of_val(&element.elements[..]),
            Kind::Reduce { axes, .. } | Kind::Concat { axis: axes } => axes.list_bytes(),
            Kind::Branches { outputs, .. } => {
                let bytes = outputs
                    .iter()
                    .map(|outputs| size_of_val(outputs) + size_of_val(&outputs[..]));
                bytes.sum()
            }
            _ => 0,
        }
    }

    /// Returns the operation that selects elements, or `None` for any other kind.
    pub fn as_select(&self) -> Option<&Select> {
        match self {
            Kind::Select(select) => Some(select),
            _ => None,
        }
    }
}

/// The elements to which a reduction reduces the elements of its axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// The elements, combined by an operation.
    Combine(Arithmetic),
    SumOfAbsolutes,
    SumOfSquares,
    Mean,
    /// The position of the least or greatest element: the first, or the last if there are several.
    Position {
        is_greatest: bool,
        is_last: bool,
    },
    /// An element that is not kept.
    Other,
}

/// An operation that selects elements, with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub enum Select {
    /// ONNX's `Slice`, or an equivalent operation.
    Slice {
        opset: u32,
        /// The starts, ends, axes and steps.
        bounds: [Argument; 4],
    },
    /// A strided slice of TensorFlow, LiteRT or OpenVINO.
    Strided {
        system: Strided,
        /// The `begin`, the end and the strides.
        bounds: [Argument; 3],
    },
    /// PyTorch's `slice`, which selects along one axis.
    OneAxis {
        dim: i64,
        /// The start, the end and the step.
        bounds: [Argument; 3],
    },
    /// StableHLO's slice: starts, limits and strides.
    Static([Arc<[i64]>; 3]),
    /// A window with the given sizes. The inputs after the first contain its start on each axis, which is clamped to
    /// keep the window within the array.
    Window { sizes: Arc<[i64]> },
    /// A range on each axis, given by a `begin` and a size. A size of -1 extends the range to the end of the axis.
    Sizes { begin: Argument, size: Argument },
    /// Selects the positions in `indices` along one axis. A scalar index drops the axis. The first `batch_axes` axes of
    /// the input and of the indices are the same.
    Gather {
        axis: Argument,
        indices: Argument,
        batch_axes: i64,
    },
    /// Selects a position for each list on the last axis of `indices`, which contains a position on each of the first
    /// axes after the batch axes.
    GatherNd { indices: Argument, batch_axes: i64 },
    /// Selects the position along one axis that `indices` contains for each element of the output.
    GatherElements { axis: Argument, indices: Argument },
    /// Selects the positions along one axis at which `condition` is true. If `axis` is absent, the input is flattened.
    Compress { axis: Argument, condition: Argument },
    /// One output for each of the consecutive parts into which an axis is divided. The parts have the given lengths. A
    /// length of -1 stands for the rest of the axis if `allows_rest` is true.
    ///
    /// If `lengths` is absent, the parts have equal lengths. With a `rounded_count`, which is at most the length of the
    /// axis, the length of a part is rounded up, and the last part is shorter.
    Split {
        axis: Argument,
        lengths: Argument,
        allows_rest: bool,
        rounded_count: Option<i64>,
    },
    /// One output for each position of an axis. The axis is dropped.
    Unpack { axis: Argument },
    /// Reverses the given axes.
    Reverse { axes: Argument },
    /// Reverses the first `lengths[i]` positions of `axis` at each position `i` of a second axis, the batch axis.
    ReverseFirst {
        axis: i64,
        batch_axis: i64,
        lengths: Argument,
    },
    /// Drops axes of length 1: the listed axes, or all such axes if `axes` is absent.
    Squeeze { axes: Argument },
    /// Inserts new axes. `axes` contains the numbers of the new axes in the result.
    Unsqueeze { axes: Argument },
    /// Selects elements in a way that is not examined. The text states the reason.
    NotExamined(&'static str),
    /// Is invalid. The text states the mistake.
    Invalid(String),
}

impl Select {
    /// Returns whether the operation only drops or inserts axes of length 1.
    pub fn changes_only_axes(&self) -> bool {
        matches!(self, Select::Squeeze { .. } | Select::Unsqueeze { .. })
    }

    fn list_bytes(&self) -> usize {
        let lists = |lists: &[Arc<[i64]>]| lists.iter().map(|list| size_of_val(&list[..])).sum();
        let given = |arguments: &[&Argument]| arguments.iter().map(|one| one.list_bytes()).sum();
        match self {
            Select::Slice { bounds, .. } => given(&bounds.each_ref()),
            Select::Strided {
                system: Strided::OpenVino(masks),
                ..
            } => lists(masks),
            Select::Strided { .. } | Select::NotExamined(_) => 0,
            Select::OneAxis { bounds, .. } => given(&bounds.each_ref()),
            Select::Static(bounds) => lists(bounds),
            Select::Window { sizes } => size_of_val(&sizes[..]),
            Select::Sizes {
                begin: one,
                size: other,
            }
            | Select::Gather {
                axis: one,
                indices: other,
                ..
            }
            | Select::GatherElements {
                axis: one,
                indices: other,
            }
            | Select::Compress {
                axis: one,
                condition: other,
            }
            | Select::Split {
                axis: one,
                lengths: other,
                ..
            } => given(&[one, other]),
            Select::GatherNd { indices: one, .. }
            | Select::ReverseFirst { lengths: one, .. }
            | Select::Unpack { axis: one }
            | Select::Reverse { axes: one }
            | Select::Squeeze { axes: one }
            | Select::Unsqueeze { axes: one } => given(&[one]),
            Select::Invalid(message) => message.len(),
        }
    }
}

/// The names of the masks of a strided slice.
pub const MASKS: [&str; 5] = [
    "begin_mask",
    "end_mask",
    "ellipsis_mask",
    "new_axis_mask",
    "shrink_axis_mask",
];

/// The system that defines a strided slice, with the masks of the slice, in the order of [`MASKS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Strided {
    /// TensorFlow, with its masks.
    TensorFlow([i64; 5]),
    /// LiteRT, with TensorFlow's masks. If `offset` is `true`, each end is a distance from the `begin`.
    LiteRt { masks: [i64; 5], offset: bool },
    /// OpenVINO, with its masks. Each mask is a list of zeros and ones.
    OpenVino([Arc<[i64]>; 5]),
}
