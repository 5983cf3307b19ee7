//! Defines [`Gather`] and [`GatherNd`], and resolves gathers: operations that select listed positions.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::slice;

use slice_core::resolve::element_count;
use slice_core::{Item, NdList, Selection, SliceError};

use super::{ListOnAxes, select};
use crate::axes::axis_at;
use crate::error::OperationError;
use crate::translate::error::TranslateError;

/// The gather of TensorFlow (`GatherV2`), OpenVINO (`Gather-8`), MindSpore, ONNX, LiteRT and Core ML, without
/// `batch_dims`. It selects positions on an axis in any order. The axes of the indices take the place of the axis.
///
/// Python equivalent: `np.take(x, indices, axis)`. In TensorFlow and LiteRT, negative indices are errors.
///
/// An index outside the axis is an error in this crate. OpenVINO returns zeros or memory from outside the array for such
/// an index, type inference of Core ML accepts it, and most systems do not check the indices if the result is empty.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::{Gather, Operations};
/// use slice_systems::litert::{Op, Program};
///
/// let program = Program::from(vec![Op::Gather(Gather { indices: vec![2, 0, 0].into(), axis: -1 })]);
/// assert_eq!(program.to_string(), "GATHER(x, [2, 0, 0], axis=-1)");
/// assert_eq!(program.resolve(&[2, 3])?, s![:, [2, 0, 0]].resolve(&[2, 3])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Gather {
    /// The indices, with any number of axes. Negative indices count from the end, except in TensorFlow and LiteRT.
    pub indices: NdList<i64>,
    /// The axis. A negative number counts from the end.
    pub axis: i64,
}

/// The gather of TensorFlow (`gather_nd`), OpenVINO (`GatherND-8`), MindSpore, ONNX and LiteRT that selects points, without
/// `batch_dims`.
///
/// Python equivalent: `x[tuple(np.moveaxis(indices, -1, 0))]`. In TensorFlow and LiteRT, negative indices are errors.
///
/// # Example
///
/// ```
/// use slice_core::{NdList, s};
/// use slice_systems::lists::{GatherNd, Operations};
/// use slice_systems::litert::{Op, Program};
///
/// let indices = NdList::new([2, 2], [0, 2, 1, 0])?;
/// let program = Program::from(vec![Op::GatherNd(GatherNd { indices })]);
/// assert_eq!(program.to_string(), "GATHER_ND(x, [[0, 2], [1, 0]])");
/// assert_eq!(program.resolve(&[2, 3])?, s![zip([0, 1], [2, 0])].resolve(&[2, 3])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct GatherNd {
    /// The points. Each element of the last axis is the position on one of the first axes of the array. Negative positions
    /// count from the end, except in TensorFlow and LiteRT.
    pub indices: NdList<i64>,
}

/// The meaning of negative indices in a gather.
#[derive(Clone, Copy)]
pub enum NegativeIndices {
    /// They count from the end of the axis.
    CountFromEnd,
    /// They are errors.
    AreErrors,
}

impl Gather {
    /// Applies the gather to an array with the shape `shape`.
    pub(crate) fn resolve(
        &self,
        shape: &[usize],
        negative: NegativeIndices,
    ) -> Result<Selection, OperationError> {
        let axis = axis_at(0, self.axis, shape.len())?;
        select_lists(shape, axis, slice::from_ref(&self.indices), negative)
    }
}

impl GatherNd {
    /// Applies the gather to an array with the shape `shape`.
    pub(crate) fn resolve(
        &self,
        shape: &[usize],
        negative: NegativeIndices,
    ) -> Result<Selection, OperationError> {
        let lists = lists_of_points(&self.indices, shape.len())?;
        select_lists(shape, 0, &lists, negative)
    }
}

/// Returns points whose last axis contains an element of each list. The lists have equal shapes.
pub(crate) fn points_of_lists(lists: &[NdList<i64>]) -> NdList<i64> {
    let shape = [lists[0].shape(), &[lists.len()]].concat();
    let count = lists[0].elements().len();
    let points = (0..count).flat_map(|i| lists.iter().map(move |list| list.elements()[i]));
    NdList::new(shape, points.collect::<Vec<_>>())
        .expect("the lists of points should have equal shapes")
}

/// Returns the list of positions for each axis, from points whose last axis contains a position on each of them.
///
/// # Errors
///
/// Returns [`SliceError::RankMismatch`] unless there are positions for 1 to `rank` axes.
pub(crate) fn lists_of_points(
    points: &NdList<i64>,
    rank: usize,
) -> Result<Vec<NdList<i64>>, SliceError> {
    let (shape, axes) = match points.shape() {
        [shape @ .., axes] => (shape, *axes),
        [] => (&[][..], 0),
    };
    if !(1..=rank).contains(&axes) {
        let (expected, actual) = (rank, axes);
        return Err(SliceError::RankMismatch { expected, actual });
    }
    let elements = points.elements().iter();
    let lists = (0..axes).map(|axis| {
        let list = elements.clone().skip(axis).step_by(axes);
        NdList::new(shape, list.copied().collect::<Vec<_>>())
    });
    lists.collect()
}

/// Returns the gather that selects the positions in `list`, as an operation of a system with both gathers.
///
/// # Errors
///
/// Returns [`TranslateError::Missing`] for points on axes after the first, which [`GatherNd`] does not support.
pub(crate) fn gather_of_list<Op>(
    list: &ListOnAxes,
    system: &'static str,
    gather: impl FnOnce(Gather) -> Op,
    gather_nd: impl FnOnce(GatherNd) -> Op,
) -> Result<Op, TranslateError> {
    match (list.single(), list.axis) {
        (Some(indices), _) => {
            let (indices, axis) = (indices.clone(), list.axis_i64());
            Ok(gather(Gather { indices, axis }))
        }
        (None, 0) => {
            let indices = points_of_lists(&list.positions);
            Ok(gather_nd(GatherNd { indices }))
        }
        (None, _) => Err(TranslateError::Missing {
            system,
            part: "points or masks on axes that are not the first",
            instead: "move these axes to the front, apply the slice, and move the axes of the result back",
        }),
    }
}

/// Returns an error if `selection` selects nothing. TensorFlow and LiteRT refuse points of an array without elements.
pub(crate) fn check_points_of(
    selection: &Selection,
    system: &'static str,
) -> Result<(), TranslateError> {
    match selection.is_empty() {
        false => Ok(()),
        true => Err(TranslateError::Missing {
            system,
            part: "points or masks on several axes of an array without elements",
            instead: "create the empty result directly",
        }),
    }
}

/// Returns the indices of a gather in Python's notation.
pub(crate) fn indices_text(indices: &NdList<i64>) -> String {
    match (indices.elements(), indices.shape()) {
        ([], [_]) => "[]".to_string(),
        // Nested brackets without numbers would be an array of floats.
        ([], shape) => {
            let lens: String = shape.iter().map(|len| format!("{len}, ")).collect();
            format!("np.zeros(({lens}), int)")
        }
        _ => Item::List(indices.clone()).to_string(),
    }
}

/// Returns the selection of the positions in `lists`, one list for each axis from `axis` on, of an array with the shape
/// `shape`.
///
/// # Errors
///
/// Returns an error for the first index that is outside its axis. Otherwise, returns the same errors as
/// [`DynSliceSpec::resolve`](slice_core::DynSliceSpec::resolve).
pub(crate) fn select_lists(
    shape: &[usize],
    axis: usize,
    lists: &[NdList<i64>],
    negative: NegativeIndices,
) -> Result<Selection, OperationError> {
    // The functions below rely on valid lengths.
    element_count(shape)?;
    let mut positions = Vec::new();
    for (axis, list) in (axis..).zip(lists) {
        let size = shape[axis];
        let in_axis = list.elements().iter().enumerate().map(|(place, &index)| {
            let position = match negative {
                NegativeIndices::CountFromEnd => slice_core::resolve::index(index, size),
                NegativeIndices::AreErrors => {
                    usize::try_from(index).ok().filter(|&index| index < size)
                }
            };
            // Positions fit in an `i64`, because no axis is longer than `isize::MAX`.
            let position = position.map(|position| position as i64);
            position.ok_or_else(|| match negative {
                NegativeIndices::CountFromEnd => {
                    OperationError::Slice(SliceError::ListIndexOutOfBounds {
                        item: 0,
                        place,
                        axis,
                        index: index.into(),
                        size,
                    })
                }
                NegativeIndices::AreErrors => OperationError::ListIndex {
                    place,
                    axis,
                    index,
                    size,
                },
            })
        });
        let in_axis = in_axis.collect::<Result<Vec<i64>, _>>()?;
        positions.push(NdList::new(list.shape(), in_axis)?);
    }
    Ok(select(&ListOnAxes { axis, positions }, shape)?)
}
