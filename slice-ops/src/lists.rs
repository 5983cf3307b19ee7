//! Slices with lists: a slice, then positions on some axes of its result.
//!
//! Systems have no operation that combines lists and ranges; they have a gather along one axis. A [`Split`] is the
//! intermediate form: a slice with lists is written from a split, and read back as a split.

use alloc::vec::Vec;

use slice_core::resolve::item_axes;
use slice_core::{
    AxisRange, DynOuterSpec, DynSliceSpec, Item, ItemRole, OuterItem, OuterSelection, OutputAxis,
    ResolvedStep, Selection, SliceError,
};

use crate::error::OperationError;
use crate::translate::error::TranslateError;
use crate::translate::spec::{WHOLE, item, items, shortest};

/// Positions on an axis, in any order and with repetitions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AxisList {
    /// The axis of the slice's result.
    pub axis: usize,
    /// The positions, which lie within that axis.
    pub positions: Vec<usize>,
}

impl AxisList {
    /// Returns the axis as the integer type of operations.
    pub(crate) fn number(&self) -> i64 {
        i64::try_from(self.axis).unwrap_or(i64::MAX)
    }

    /// Returns the positions as the integer type of operations.
    pub(crate) fn indices(&self) -> Vec<i64> {
        // Positions fit an i64 because no axis is longer.
        self.positions
            .iter()
            .map(|&position| position as i64)
            .collect()
    }
}

/// Returns `true` if the selection selects the whole input unchanged.
pub(crate) fn is_whole(selection: &Selection) -> bool {
    let mut axes = selection.axes().iter().zip(selection.input_shape());
    selection.output_shape() == selection.input_shape()
        && axes.all(|(&range, &size)| range == AxisRange::whole(size))
        && selection
            .output_axes()
            .iter()
            .all(|axis| matches!(axis, OutputAxis::Input(_)))
}

/// A slice, then positions on some of its result's axes.
///
/// Python equivalent: `x[slice].oindex[:, positions]`.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_ops::lists::Split;
///
/// let split = Split::of_spec(&s![1, ::-1, [3, 0, 0]].to_dyn(), &[2, 3, 4])?;
/// assert_eq!(split.slice(), &s![1, ::-1, :].resolve(&[2, 3, 4])?);
/// assert_eq!((split.lists()[0].axis, &split.lists()[0].positions[..]), (1, &[3, 0, 0][..]));
/// assert_eq!(split.resolve()?, s![1, ::-1, [3, 0, 0]].resolve(&[2, 3, 4])?);
/// # Ok::<(), slice_ops::OperationError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Split {
    slice: Selection,
    // INVARIANT: `resolve` succeeds.
    lists: Vec<AxisList>,
}

impl From<Selection> for Split {
    fn from(slice: Selection) -> Self {
        let lists = Vec::new();
        Split { slice, lists }
    }
}

impl Split {
    /// Combines a slice with lists that are applied to its result.
    ///
    /// # Errors
    ///
    /// [`SliceError::ListIndexOutOfBounds`] for a position outside its axis, [`SliceError::TooManyIndices`] for an axis
    /// that does not exist, [`SliceError::TooManyItems`] for axes beyond the 64th from either end, and
    /// [`SliceError::TooLarge`].
    pub fn new(slice: Selection, lists: Vec<AxisList>) -> Result<Self, SliceError> {
        let split = Split { slice, lists };
        let _ = split.resolve()?;
        Ok(split)
    }

    /// Returns the slice and the lists of a spec, for arrays of this shape. A mask becomes the list of its positions,
    /// and an empty list becomes an empty range.
    ///
    /// # Errors
    ///
    /// The errors of [`DynOuterSpec::resolve`].
    pub fn of_spec(spec: &DynOuterSpec, shape: &[usize]) -> Result<Self, SliceError> {
        let selection = spec.resolve(shape)?;
        let role = |item: &OuterItem| match item {
            OuterItem::Item(item) => item.role(),
            OuterItem::Positions(_) | OuterItem::Mask(_) => ItemRole::Range,
        };
        let axes = item_axes(
            spec.items().iter().map(role).collect::<Vec<_>>(),
            shape.len(),
        )?;
        let (mut items, mut lists, mut output) = (Vec::new(), Vec::new(), 0);
        for (item, (_, role, taken)) in spec.items().iter().zip(axes) {
            items.push(match item {
                &OuterItem::Item(item) => item,
                OuterItem::Positions(_) | OuterItem::Mask(_) => {
                    let positions = selection.positions(taken.start);
                    match positions.is_empty() {
                        true => NOTHING,
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
                ItemRole::Ellipsis => taken.len(),
            };
        }
        let slice = DynSliceSpec::from_items(items)?.resolve(shape)?;
        Ok(Split { slice, lists })
    }

    /// Returns the slice.
    pub fn slice(&self) -> &Selection {
        &self.slice
    }

    /// Returns the lists. Each belongs to a different axis of the slice's result, unless they were applied one after
    /// another.
    #[must_use]
    pub fn lists(&self) -> &[AxisList] {
        &self.lists
    }

    /// Returns the selection of the slice and the lists together.
    ///
    /// # Errors
    ///
    /// [`SliceError::TooManyItems`] for axes beyond the 64th from either end.
    pub fn resolve(&self) -> Result<OuterSelection, SliceError> {
        let mut selection = OuterSelection::from(&self.slice);
        for list in &self.lists {
            let spec = at_axis(list, selection.output_shape().len())?;
            let then = spec.resolve(selection.output_shape())?;
            selection = selection.compose(then)?;
        }
        Ok(selection)
    }
}

/// Inserts a list into the items of the slice, if the slice leaves the list's axis whole.
///
/// `turn` first changes the positions of each axis that is not dropped.
pub(crate) fn with_list(
    slice: &Selection,
    list: &AxisList,
    turn: impl Fn(AxisRange) -> AxisRange,
) -> Result<Option<Vec<OuterItem>>, TranslateError> {
    let mut items = items(slice, turn)?;
    let mut kept = items
        .iter_mut()
        .filter(|item| !matches!(item, Item::Index(_)));
    match kept.nth(list.axis) {
        // Only a whole axis can be replaced by a list.
        Some(item) if *item == WHOLE => *item = LIST,
        _ => return Ok(None),
    }
    let written = shortest(items).into_iter().map(|item| match item {
        LIST => OuterItem::Positions(list.indices()),
        item => OuterItem::from(item),
    });
    Ok(Some(written.collect()))
}

/// A placeholder for a list, recognized by its step of 0, which no range has.
const LIST: Item = Item::Range {
    begin: None,
    end: None,
    step: 0,
};

/// A translated slice with lists, which can be read back.
pub trait Outer {
    /// Applies the operations to an array of this shape.
    ///
    /// # Errors
    ///
    /// The system's errors, in its order.
    fn resolve_outer(&self, shape: &[usize]) -> Result<OuterSelection, OperationError>;

    /// Returns the spec with lists that selects the same elements, for arrays of this shape.
    ///
    /// # Errors
    ///
    /// [`TranslateError`] if there is none.
    fn to_outer_spec(&self, shape: &[usize]) -> Result<DynOuterSpec, TranslateError>;
}

/// An empty range.
const NOTHING: Item = Item::Range {
    begin: Some(0),
    end: Some(0),
    step: 1,
};

/// Returns the spec that applies a list to its axis of arrays of this rank.
fn at_axis(list: &AxisList, rank: usize) -> Result<DynOuterSpec, SliceError> {
    let whole = || OuterItem::from(WHOLE);
    let positions = OuterItem::Positions(list.indices());
    let mut items = Vec::new();
    if list.axis < DynOuterSpec::MAX_ITEMS || list.axis >= rank {
        items.resize_with(list.axis.min(DynOuterSpec::MAX_ITEMS), whole);
        items.push(positions);
    } else {
        items.extend([OuterItem::from(Item::Ellipsis), positions]);
        let behind = (rank - list.axis - 1).min(DynOuterSpec::MAX_ITEMS);
        items.resize_with(items.len() + behind, whole);
    }
    DynOuterSpec::from_items(items)
}

/// The positions on an input axis.
enum Kept {
    Range(AxisRange),
    List(Vec<usize>),
    Dropped(usize),
}

impl Kept {
    fn position(&self, k: usize) -> usize {
        match self {
            Kept::Range(range) => range.position(k),
            Kept::List(positions) => positions[k],
            Kept::Dropped(position) => *position,
        }
    }
}

/// The axes of an array of a known shape, after some operations.
pub(crate) struct Axes {
    shape: Vec<usize>,
    inputs: Vec<Kept>,
    /// The axes of the result, each an input axis or a new one.
    outputs: Vec<Option<usize>>,
}

impl Axes {
    /// Returns the axes of an array of this shape before any operation.
    pub(crate) fn new(shape: &[usize]) -> Self {
        Axes {
            shape: shape.to_vec(),
            inputs: shape
                .iter()
                .map(|&size| Kept::Range(AxisRange::whole(size)))
                .collect(),
            outputs: (0..shape.len()).map(Some).collect(),
        }
    }

    /// Applies one more operation, which fits the shape of the previous result.
    pub(crate) fn then(mut self, split: &Split) -> Result<Self, TranslateError> {
        let mut outputs = Vec::new();
        let mut before = self.outputs.iter().copied();
        for step in split.slice.resolved_steps() {
            let place = outputs.len();
            match step {
                ResolvedStep::Insert { len } => outputs.push(new_axis(place, len)?),
                ResolvedStep::Keep(range) => match before.next().flatten() {
                    Some(axis) => {
                        self.inputs[axis] = match &self.inputs[axis] {
                            &Kept::Range(first) => Kept::Range(AxisRange::new(
                                first.position(range.start()),
                                first.step().wrapping_mul(range.step()),
                                range.len(),
                            )),
                            kept => {
                                Kept::List(range.positions().map(|k| kept.position(k)).collect())
                            }
                        };
                        outputs.push(Some(axis));
                    }
                    None => outputs.push(new_axis(place, range.len())?),
                },
                ResolvedStep::Drop(position) => {
                    if let Some(axis) = before.next().flatten() {
                        self.inputs[axis] = Kept::Dropped(self.inputs[axis].position(position));
                    }
                }
            }
        }
        self.outputs = outputs;
        for AxisList { axis, positions } in &split.lists {
            if positions.len() != 1 {
                self.swap_new_axis(*axis);
            }
            match self.outputs[*axis] {
                Some(input) => {
                    let kept = &self.inputs[input];
                    let positions = positions.iter().map(|&k| kept.position(k)).collect();
                    self.inputs[input] = Kept::List(positions);
                }
                None => {
                    new_axis(*axis, positions.len())?;
                }
            }
        }
        Ok(self)
    }

    /// Exchanges a new axis of the result with the nearest input axis before or after it, if that axis has one
    /// position: either of the two may be the new axis.
    fn swap_new_axis(&mut self, axis: usize) {
        if self.outputs[axis].is_some() {
            return;
        }
        let before = (0..axis).rev().find(|&other| self.outputs[other].is_some());
        let behind = (axis..self.outputs.len()).find(|&other| self.outputs[other].is_some());
        let is_single = |other: &usize| {
            self.outputs[*other].is_some_and(|input| match &self.inputs[input] {
                Kept::Range(range) => range.len() == 1,
                Kept::List(positions) => positions.len() == 1,
                Kept::Dropped(_) => false,
            })
        };
        if let Some(other) = before.into_iter().chain(behind).find(is_single) {
            self.outputs.swap(axis, other);
        }
    }

    /// Returns the slice with lists that selects the same elements as all operations.
    pub(crate) fn spec(self) -> Result<DynOuterSpec, TranslateError> {
        let sizes = self.shape.iter();
        let mut inputs = self.inputs.into_iter().zip(sizes).peekable();
        let written = |(kept, &size): (Kept, &usize)| match kept {
            Kept::Range(range) => OuterItem::from(item(range, size)),
            Kept::List(positions) => {
                let positions = positions.into_iter().map(|position| position as i64);
                OuterItem::Positions(positions.collect())
            }
            Kept::Dropped(position) => OuterItem::from(Item::Index(position as i64)),
        };
        let mut items = Vec::new();
        for output in self.outputs {
            // Dropped axes come before new ones, because new axes come as late as possible.
            let dropped = |(kept, _): &(Kept, &usize)| matches!(kept, Kept::Dropped(_));
            while let Some(input) = inputs.next_if(dropped) {
                items.push(written(input));
            }
            items.extend(match output {
                Some(_) => inputs.next().map(written),
                None => Some(OuterItem::from(Item::NewAxis)),
            });
        }
        items.extend(inputs.map(written));
        Ok(DynOuterSpec::from_items(items)?)
    }
}

/// Returns a new axis of this length at a place of the result; only a length of 1 is possible.
fn new_axis(axis: usize, len: usize) -> Result<Option<usize>, TranslateError> {
    match len {
        0 => Err(TranslateError::EmptyNewAxis { axis }),
        1 => Ok(None),
        len => Err(TranslateError::RepeatedNewAxis { axis, len }),
    }
}

/// Returns positions of an axis of arrays of this shape, each found by `position` from an index and the length of the
/// axis.
///
/// # Errors
///
/// The error that `refused` returns for the first index without a position, from the index and its place in the list.
pub(crate) fn taken(
    shape: &[usize],
    axis: usize,
    indices: &[i64],
    position: impl Fn(i64, usize) -> Option<usize>,
    refused: impl Fn(usize, i64) -> OperationError,
) -> Result<Split, OperationError> {
    let slice = DynSliceSpec::default().resolve(shape)?;
    let found = indices
        .iter()
        .enumerate()
        .map(|(place, &index)| position(index, shape[axis]).ok_or_else(|| refused(place, index)));
    let positions = found.collect::<Result<_, _>>()?;
    let lists = Vec::from([AxisList { axis, positions }]);
    Ok(Split::new(slice, lists)?)
}

/// Returns positions on an axis, selected by indices that count from the front only.
pub(crate) fn taken_from_front(
    shape: &[usize],
    axis: usize,
    indices: &[i64],
) -> Result<Split, OperationError> {
    let size = shape[axis];
    let in_axis = |index, size| usize::try_from(index).ok().filter(|&index| index < size);
    taken(shape, axis, indices, in_axis, |place, index| {
        OperationError::ListIndex {
            place,
            axis,
            index,
            size,
        }
    })
}

/// Returns positions on an axis, selected by indices of which negative ones count from the end.
pub(crate) fn taken_from_either_end(
    shape: &[usize],
    axis: usize,
    indices: &[i64],
) -> Result<Split, OperationError> {
    let size = shape[axis];
    taken(
        shape,
        axis,
        indices,
        slice_core::resolve::index,
        |place, index| {
            let item = 0;
            SliceError::ListIndexOutOfBounds {
                item,
                place,
                axis,
                index: index.into(),
                size,
            }
            .into()
        },
    )
}

/// Returns the axis with this number; a negative number counts from the end.
pub(crate) fn axis_from_either_end(axis: i64, rank: usize) -> Result<usize, OperationError> {
    let item = 0;
    slice_core::resolve::index(axis, rank).ok_or(OperationError::AxisOutOfRange {
        item,
        axis,
        rank,
    })
}

/// Returns the selection, if the lists are equal to ranges.
pub(crate) fn strided(split: &Split, operation: &'static str) -> Result<Selection, OperationError> {
    let selection = split.resolve()?.to_selection();
    selection.ok_or(OperationError::List { operation })
}
