//! Defines [`Split`], which consists of a slice and of lists of positions on some axes of its result.
//!
//! Most systems have no operation that combines lists and ranges, but they have a gather, which applies one list to one
//! axis. A [`Split`] is the intermediate form between a slice with lists and such operations, for translations in both
//! directions.

pub(crate) mod compose;
pub(crate) mod gather;

use alloc::vec::Vec;

use slice_core::resolve::item_axes;
use slice_core::{AxisRange, DynSliceSpec, Item, ItemRole, OutputAxis, Selection, SliceError};

use crate::error::OperationError;
use crate::translate::error::TranslateError;
use crate::translate::spec::{WHOLE, items, shortest};

/// A list of positions on one axis, in any order and possibly repeated.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::{AxisList, Split};
///
/// let list = AxisList { axis: 0, positions: vec![2, 0] };
/// let split = Split::new(s![1].resolve(&[4, 5])?, vec![list])?;
/// assert_eq!(split.resolve()?, s![1, [2, 0]].resolve(&[4, 5])?);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AxisList {
    /// The axis, numbered in the result of the slice.
    pub axis: usize,
    /// The positions, each less than the length of the axis.
    pub positions: Vec<usize>,
}

impl AxisList {
    /// Returns the axis as an `i64`, the integer type of operations.
    pub(crate) fn axis_i64(&self) -> i64 {
        i64::try_from(self.axis).unwrap_or(i64::MAX)
    }

    /// Returns the positions as `i64`, the integer type of operations.
    pub(crate) fn indices(&self) -> Vec<i64> {
        // Positions fit in an `i64`, because no axis is longer than `isize::MAX`.
        self.positions
            .iter()
            .map(|&position| position as i64)
            .collect()
    }
}

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

/// A slice, followed by lists of positions on some axes of its result.
///
/// Python equivalent, with zarr's `oindex` and a list for axis 1: `x[slice].oindex[:, positions]`.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Split;
///
/// let split = Split::of_spec(&s![1, ::-1, [3, 0, 0]].to_dyn(), &[2, 3, 4])?;
/// assert_eq!(split.slice(), &s![1, ::-1, :].resolve(&[2, 3, 4])?);
/// assert_eq!((split.lists()[0].axis, &split.lists()[0].positions[..]), (1, &[3, 0, 0][..]));
/// assert_eq!(split.resolve()?, s![1, ::-1, [3, 0, 0]].resolve(&[2, 3, 4])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Split {
    slice: Selection,
    // INVARIANT: `resolve` must succeed.
    lists: Vec<AxisList>,
}

impl From<Selection> for Split {
    fn from(slice: Selection) -> Self {
        let lists = Vec::new();
        Split { slice, lists }
    }
}

/// Resolves a spec for arrays with the shape `shape`.
///
/// # Errors
///
/// Returns the same errors as [`DynSliceSpec::resolve`], and [`SliceError::JoinedAxes`] for points, and for a list or a mask
/// that does not have exactly one axis.
pub(crate) fn resolve_orthogonal(
    spec: &DynSliceSpec,
    shape: &[usize],
) -> Result<Selection, SliceError> {
    let selection = spec.resolve(shape)?;
    selection.check_orthogonal()?;
    // Masks and points without axes are resolved to new axes and to indices.
    match spec.items().any(|item| joins_axes(&item)) {
        true => {
            let (axis, axes, rank) = (0, 0, 1);
            Err(SliceError::JoinedAxes { axis, axes, rank })
        }
        false => Ok(selection),
    }
}

/// Returns `true` for points, and for a list or a mask that does not have exactly one axis.
pub(crate) fn joins_axes(item: &Item) -> bool {
    item.role().is_none() && (item.input_axes(), item.output_axes()) != (Some(1), Some(1))
}

impl Split {
    /// Creates a split from a slice and the lists that are applied to its result.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::ListIndexOutOfBounds`] if a position is outside its axis, [`SliceError::TooManyIndices`]
    /// if an axis does not exist, [`SliceError::TooManyItems`] if an axis is neither among the first 64 nor among the
    /// last 63, and [`SliceError::TooLarge`] if the result has too many elements.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_systems::lists::{AxisList, Split};
    ///
    /// let list = AxisList { axis: 0, positions: vec![2, 9] };
    /// let error = Split::new(s![1].resolve(&[4, 5])?, vec![list]).unwrap_err();
    /// assert!(error.to_string().contains("index 9 is out of bounds"));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn new(slice: Selection, lists: Vec<AxisList>) -> Result<Self, SliceError> {
        let split = Split { slice, lists };
        let _ = split.resolve()?;
        Ok(split)
    }

    /// Divides a spec with lists into a slice and lists, for arrays with the shape `shape`. A mask becomes a list of
    /// the positions that it selects, and an empty list becomes an empty range.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`DynSliceSpec::resolve`], and [`SliceError::JoinedAxes`] for points, and for a list or a
    /// mask with several axes.
    pub fn of_spec(spec: &DynSliceSpec, shape: &[usize]) -> Result<Self, SliceError> {
        let selection = resolve_orthogonal(spec, shape)?;
        let axes = item_axes(spec.items().map(role_on_axis), shape.len())?;
        let (mut items, mut lists, mut output) = (Vec::new(), Vec::new(), 0);
        for (item, (_, role, axes)) in spec.items().zip(axes) {
            items.push(match item.role() {
                Some(_) => item,
                None => {
                    let positions = selection.positions(axes.start);
                    match positions.is_empty() {
                        true => EMPTY_RANGE,
                        false => {
                            let axis = output;
                            lists.push(AxisList { axis, positions });
                            WHOLE
                        }
                    }
                }
            });
            output += match role {
                ItemRole::Index => 0,
                ItemRole::Range | ItemRole::NewAxis => 1,
                ItemRole::Ellipsis => axes.len(),
            };
        }
        let slice = DynSliceSpec::from_items(items)?.resolve(shape)?;
        Ok(Split { slice, lists })
    }

    /// Returns the slice.
    pub fn slice(&self) -> &Selection {
        &self.slice
    }

    /// Returns the lists, in the order in which they are applied. They belong to different axes of the slice's result,
    /// unless several lists for one axis were passed to [`new`](Self::new).
    #[must_use]
    pub fn lists(&self) -> &[AxisList] {
        &self.lists
    }

    /// Returns the selection made by the slice and the lists together.
    ///
    /// # Errors
    ///
    /// Does not fail for an existing split, because the lists were checked when the split was created.
    pub fn resolve(&self) -> Result<Selection, SliceError> {
        let mut selection = self.slice.clone();
        for list in &self.lists {
            let spec = spec_of_list(list, selection.output_shape().len())?;
            let next = spec.resolve(selection.output_shape())?;
            selection = selection.compose(&next)?;
        }
        Ok(selection)
    }
}

/// Returns the role of an item. A list or a mask with one axis has the role of a range, which also keeps its axis.
pub(crate) fn role_on_axis(item: Item) -> ItemRole {
    item.role().unwrap_or(ItemRole::Range)
}

/// Returns the items of `slice`, with `list` in place of the item for the list's axis, or `None` if that item is not
/// `:`.
///
/// `map_range` is first applied to the range of each axis that is not dropped.
pub(crate) fn with_list(
    slice: &Selection,
    list: &AxisList,
    map_range: impl Fn(AxisRange) -> AxisRange,
) -> Result<Option<Vec<Item>>, TranslateError> {
    let mut items = items(slice, map_range)?;
    match nth_kept(&mut items, list.axis) {
        // A list can replace only `:`, because its positions are counted in the result of the slice.
        Some(item) if *item == WHOLE => *item = Item::from(list.indices()),
        _ => return Ok(None),
    }
    Ok(Some(shortest(items)))
}

/// Returns the item for axis `axis` of the result, if the items are one for each axis and new axes.
pub(crate) fn nth_kept(items: &mut [Item], axis: usize) -> Option<&mut Item> {
    let kept = |item: &&mut Item| !matches!(item, Item::Index(_));
    items.iter_mut().filter(kept).nth(axis)
}

/// Operations that together perform one slice, possibly with lists: a [`Program`](crate::program::Program), or one
/// operation that supports lists.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Operations;
/// use slice_systems::onnx::{Gather, Op, Program, Unsqueeze};
///
/// let unsqueeze = Op::Unsqueeze(Unsqueeze { axes: vec![0] });
/// let gather = Op::Gather(Gather { indices: vec![2, 0, 0], axis: 1 });
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

    /// Returns the spec with lists that selects the same elements as the operations, for arrays with the shape `shape`.
    ///
    /// # Errors
    ///
    /// Returns a [`TranslateError`] if there is no such spec.
    fn to_spec_for_shape(&self, shape: &[usize]) -> Result<DynSliceSpec, TranslateError>;
}

/// The item `0:0`, which selects nothing.
const EMPTY_RANGE: Item = Item::Range {
    begin: Some(0),
    end: Some(0),
    step: 1,
};

/// Returns the spec that applies a list to its axis of an array with `rank` axes.
fn spec_of_list(list: &AxisList, rank: usize) -> Result<DynSliceSpec, SliceError> {
    let positions = Item::from(list.indices());
    let mut items = Vec::new();
    if list.axis < DynSliceSpec::MAX_ITEMS || list.axis >= rank {
        items.resize(list.axis.min(DynSliceSpec::MAX_ITEMS), WHOLE);
        items.push(positions);
    } else {
        items.extend([Item::Ellipsis, positions]);
        let axes_after = (rank - list.axis - 1).min(DynSliceSpec::MAX_ITEMS);
        items.resize(items.len() + axes_after, WHOLE);
    }
    DynSliceSpec::from_items(items)
}
