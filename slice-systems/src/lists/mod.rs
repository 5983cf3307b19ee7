//! Divides slices with lists for systems that have no operation for a whole such slice. Most systems have a gather, which
//! selects listed positions, so a slice with lists becomes a slice that is followed by a gather for each list.

pub(crate) mod gather;

pub use gather::{Gather, GatherNd};

use alloc::vec::Vec;

use slice_core::{
    AxisRange, DynSliceSpec, Item, ItemRole, NdList, OutputAxis, Selection, SliceError,
};

use crate::error::OperationError;
use crate::translate::error::TranslateError;
use crate::translate::spec::{
    WHOLE, item_of_lists, items, lists_by_axis, shortest, spec_of_selection,
};

/// Returns `true` if `selection` selects the whole input unchanged.
pub(crate) fn is_whole(selection: &Selection) -> bool {
    let Ok(axes) = selection.axes() else {
        return false;
    };
    let mut axes = axes.iter().zip(selection.input_shape());
    selection.output_shape() == selection.input_shape()
        && axes.all(|(&range, &size)| range == AxisRange::whole(size))
        && selection
            .output_axes()
            .iter()
            .all(|axis| matches!(axis, OutputAxis::Input(_)))
}

/// Returns `true` for points, and for a list or a mask that does not have exactly one axis.
pub(crate) fn joins_axes(item: &Item) -> bool {
    item.role().is_none() && (item.input_axes(), item.output_axes()) != (Some(1), Some(1))
}

/// Returns the role of an item. A list or a mask with one axis has the role of a range, which also keeps its axis.
pub(crate) fn role_on_axis(item: Item) -> ItemRole {
    item.role().unwrap_or(ItemRole::Range)
}

/// Positions listed together for one axis or several neighboring axes: a list on one axis, or points. No position is
/// negative.
#[derive(Clone, Debug)]
pub(crate) struct ListOnAxes {
    /// The first of the axes, numbered in the result of the slice and of the lists before this one.
    pub(crate) axis: usize,
    /// The list of positions for each of the axes. The lists can be broadcast.
    pub(crate) positions: Vec<NdList<i64>>,
}

impl ListOnAxes {
    /// Returns the number of the first axis as an `i64`, the integer type of operations.
    pub(crate) fn axis_i64(&self) -> i64 {
        i64::try_from(self.axis).unwrap_or(i64::MAX)
    }

    /// Returns the only list, or `None` if several axes have lists.
    pub(crate) fn single(&self) -> Option<&NdList<i64>> {
        match &self.positions[..] {
            [list] => Some(list),
            _ => None,
        }
    }

    /// Returns the list or the points as an item.
    pub(crate) fn item(&self) -> Item {
        item_of_lists(self.positions.clone())
    }
}

/// A slice, followed by lists of positions on some axes of its result.
///
/// Python equivalent, with zarr's `oindex` and a list for axis 1: `x[slice].oindex[:, positions]`.
pub(crate) struct Split {
    pub(crate) slice: Selection,
    /// The lists, in the order in which they are applied: from the first axis to the last.
    pub(crate) lists: Vec<ListOnAxes>,
}

impl Split {
    /// Divides a spec into a slice and lists, for arrays with the shape `shape`. A mask becomes lists of the positions at
    /// which it is true, and an empty list for one axis becomes an empty range.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`DynSliceSpec::resolve`], and [`TranslateError::EmptyNewAxis`] for a mask without axes
    /// that is false.
    pub(crate) fn of_spec(spec: &DynSliceSpec, shape: &[usize]) -> Result<Self, TranslateError> {
        // `resolve` is called only to check the spec.
        let _ = spec.resolve(shape)?;
        let consumed: usize = spec.items().filter_map(|item| item.input_axes()).sum();
        let (mut items, mut lists) = (Vec::new(), Vec::new());
        let (mut input, mut output) = (0, 0);
        for item in spec.items() {
            let axes = item.input_axes().unwrap_or(shape.len() - consumed);
            let sizes = &shape[input..input + axes];
            input += axes;
            if item.role().is_some() {
                output += item.output_axes().unwrap_or(axes);
                items.push(item);
                continue;
            }
            let selected = DynSliceSpec::from_items([item])?.resolve(sizes)?;
            let flat: Vec<usize> = selected.indices().collect();
            let positions = lists_by_axis(&flat, selected.output_shape(), sizes);
            match selected.output_shape() {
                [] => items.extend(positions.iter().map(|list| Item::Index(list.elements()[0]))),
                [0] if axes == 0 => return Err(TranslateError::EmptyNewAxis { axis: output }),
                [_] if axes == 0 => items.push(Item::NewAxis),
                [0] if axes == 1 => items.push(EMPTY_RANGE),
                _ => {
                    items.resize(items.len() + axes, WHOLE);
                    let axis = output;
                    lists.push(ListOnAxes { axis, positions });
                }
            }
            output += selected.output_shape().len();
        }
        let slice = DynSliceSpec::from_items(items)?.resolve(shape)?;
        Ok(Split { slice, lists })
    }
}

/// The item `0:0`, which selects nothing.
const EMPTY_RANGE: Item = Item::Range {
    begin: Some(0),
    end: Some(0),
    step: 1,
};

/// Returns the selection of the positions in `list` on its axes of an array with the shape `shape`.
pub(crate) fn select(list: &ListOnAxes, shape: &[usize]) -> Result<Selection, SliceError> {
    let mut items = Vec::new();
    if list.axis < DynSliceSpec::MAX_ITEMS {
        items.resize(list.axis, WHOLE);
        items.push(list.item());
    } else {
        items.extend([Item::Ellipsis, list.item()]);
        let axes_after = shape.len() - list.axis - list.positions.len();
        items.resize(items.len() + axes_after.min(DynSliceSpec::MAX_ITEMS), WHOLE);
    }
    DynSliceSpec::from_items(items)?.resolve(shape)
}

/// Returns the items of `slice`, with `list` in place of the items for the list's axes, or `None` if one of these items is
/// not `:`.
///
/// `map_range` is first applied to the range of each axis that is not dropped.
pub(crate) fn with_list(
    slice: &Selection,
    list: &ListOnAxes,
    map_range: impl Fn(AxisRange) -> AxisRange,
) -> Result<Option<Vec<Item>>, TranslateError> {
    let mut items = items(slice, map_range)?;
    Ok(put_list(&mut items, list).then(|| shortest(items)))
}

/// Replaces the items for the axes of `list` with the list, if each of them is `:` and they are neighbors. The items are
/// one for each axis and new axes.
pub(crate) fn put_list(items: &mut Vec<Item>, list: &ListOnAxes) -> bool {
    let kept = items.iter().enumerate();
    let mut kept = kept.filter(|(_, item)| !matches!(item, Item::Index(_)));
    let Some((first, _)) = kept.nth(list.axis) else {
        return false;
    };
    let places = first..first + list.positions.len();
    // A list can replace only `:`, because its positions are counted in the result of the slice.
    let is_whole = |items: &[Item]| items.iter().all(|item| *item == WHOLE);
    let replaces = items.get(places.clone()).is_some_and(is_whole);
    if replaces {
        items.splice(places, [list.item()]);
    }
    replaces
}

/// Operations that together perform one slice, possibly with lists: a [`Program`](crate::program::Program), or one
/// operation that supports lists.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::{Gather, Operations};
/// use slice_systems::onnx::{Op, Program};
///
/// let unsqueeze = Op::Unsqueeze { axes: vec![0] };
/// let gather = Op::Gather(Gather { indices: vec![2, 0, 0].into(), axis: 1 });
/// let program = Program::from(vec![unsqueeze.clone(), gather]);
/// assert_eq!(program.resolve(&[4])?, s![newaxis, [2, 0, 0]].resolve(&[4])?);
/// assert_eq!(Program::from(vec![unsqueeze]).to_spec_for_rank(1)?.to_string(), "None, :");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Operations {
    /// Applies the operations to an array with the shape `shape`.
    ///
    /// # Errors
    ///
    /// Returns the first error that occurs, in the order in which the system checks the operations.
    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError>;

    /// Returns the spec that selects the same elements as the operations for all shapes with `rank` axes that the
    /// operations accept.
    ///
    /// # Errors
    ///
    /// Returns a [`TranslateError`] if there is no such spec.
    fn to_spec_for_rank(&self, rank: usize) -> Result<DynSliceSpec, TranslateError>;

    /// Returns the spec, possibly with lists, that selects the same elements as the operations, for arrays with the shape
    /// `shape`.
    ///
    /// # Errors
    ///
    /// Returns [`TranslateError::EmptyNewAxis`] if a new axis ends up with length 0,
    /// [`TranslateError::RepeatedNewAxis`] if it ends up with a length above 1, and [`TranslateError::Operation`] if
    /// the operations do not fit the shape or if the spec would have more than 64 items.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::lists::{Gather, Operations};
    /// use slice_systems::onnx::{Op, Program};
    ///
    /// let program = Program::from(vec![Op::Gather(Gather { indices: vec![2, 0, 0].into(), axis: 1 })]);
    /// assert_eq!(program.to_spec_for_shape(&[4, 5])?.to_string(), ":, [2, 0, 0]");
    /// # Ok::<(), slice_systems::translate::TranslateError>(())
    /// ```
    fn to_spec_for_shape(&self, shape: &[usize]) -> Result<DynSliceSpec, TranslateError> {
        spec_of_selection(&self.resolve(shape)?)
    }
}
