//! Expresses slices with lists as NumPy's indexing expressions `x[...]`, and with zarr's `oindex` and `vindex`.
//!
//! NumPy applies a list to its own axis, as in `x[:, [0, 2]]`, if the expression has no other list and no other item
//! separates the list from an integer. NumPy pairs several lists element by element: `x[[0, 2], [1, 3]]` selects two
//! elements. It moves the axis of a single list to the front if other items separate the list from an integer. A slice
//! that NumPy would interpret differently, by pairing lists or by moving an axis, is written as a chain of indexing
//! expressions, such as `x[1:][[0, 2]]`, or with `np.ix_`.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Display};

use slice_core::{Brackets, DynSliceSpec, Item, Selection, SliceError};

use crate::error::OperationError;
use crate::lists::gather::indices_text;
use crate::lists::{ListOnAxes, Operations, Split, is_whole, joins_axes, put_list, with_list};
use crate::program::ProgramOperation;
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;
use crate::translate::spec::{WHOLE, items, shortest_spec, without_lists};

/// An operation of a [`Program`]: an indexing expression `x[...]`.
///
/// # Example
///
/// ```
/// use slice_core::{DynSliceSpec, s};
/// use slice_systems::Operation;
/// use slice_systems::lists::Operations;
/// use slice_systems::python::Op;
///
/// let program = DynSliceSpec::from_spec_for_shape(&s![[0, 2], [1, -1]].to_dyn(), &[4, 5])?.op;
/// assert_eq!(program.ops, [Op::Ix { indices: vec![vec![0, 2], vec![1, 4]] }]);
/// assert_eq!(program.to_string(), "x[np.ix_([0, 2], [1, 4])]");
/// assert_eq!(program.resolve(&[4, 5])?, s![[0, 2], [1, -1]].resolve(&[4, 5])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "programs have few operations")]
pub enum Op {
    /// `x[...]` with NumPy's own meaning, as in [`Brackets`]: several lists are points.
    Getitem(DynSliceSpec),
    /// `x[np.ix_(...)]`: lists of positions for the leading axes, each applied to its own axis.
    Ix {
        /// The list of indices for each leading axis. Negative indices count from the end.
        indices: Vec<Vec<i64>>,
    },
}

/// A chain of NumPy's indexing expressions, such as `x[1:][[0, 2]]`.
pub type Program = crate::program::Program<Op>;

/// Returns `true` if no other item separates the lists, masks and indices. NumPy then leaves the axes of a single list or
/// of points where they are.
fn has_one_run(items: &[Item]) -> bool {
    let is_advanced = |item: &Item| item.role().is_none() || matches!(item, Item::Index(_));
    let begins_run =
        |i: &usize| is_advanced(&items[*i]) && (*i == 0 || !is_advanced(&items[*i - 1]));
    (0..items.len()).filter(begins_run).count() == 1
}

/// Returns an item in NumPy's notation. The lists of points are items of their own.
fn item_text(item: &Item) -> String {
    match item {
        Item::List(list) => indices_text(list),
        Item::Points(lists) => {
            let lists: Vec<String> = lists.iter().map(indices_text).collect();
            lists.join(", ")
        }
        item => item.to_string(),
    }
}

impl ProgramOperation for Op {
    const SYSTEM: &'static str = "NumPy";

    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        Ok(match self {
            Op::Getitem(spec) => Brackets::new(spec.clone()).resolve(shape)?,
            Op::Ix { indices } => {
                let lists = indices.iter().map(|list| Item::List(list.clone().into()));
                DynSliceSpec::from_items(lists)?.resolve(shape)?
            }
        })
    }

    fn to_spec_for_rank(&self, _: usize) -> Result<DynSliceSpec, TranslateError> {
        let operation = "x[...]";
        match self {
            Op::Getitem(spec) => without_lists(spec, operation).cloned(),
            Op::Ix { .. } => Err(TranslateError::List { operation }),
        }
    }

    fn call(&self, operand: &str) -> String {
        match self {
            Op::Getitem(spec) if spec.is_empty() => format!("{operand}[()]"),
            Op::Getitem(spec) => {
                let items: Vec<String> = spec.items().map(|item| item_text(&item)).collect();
                format!("{operand}[{}]", items.join(", "))
            }
            Op::Ix { indices } => {
                let lists: Vec<String> = indices.iter().map(|list| format!("{list:?}")).collect();
                format!("{operand}[np.ix_({})]", lists.join(", "))
            }
        }
    }
}

/// Translates a spec to one indexing expression if it has exactly one list, mask or points, and NumPy leaves its axes where
/// they are. Otherwise, translates the other items to an indexing expression, followed by `np.ix_` or by one indexing
/// expression for each list.
pub(super) fn from_spec(
    spec: &DynSliceSpec,
    shape: &[usize],
) -> Result<Translated<Program>, TranslateError> {
    let Split { slice, lists } = Split::of_spec(spec, shape)?;
    let mut ops = Vec::new();
    let items_with_list = match &lists[..] {
        [list] => with_list(&slice, list, |range| range)?,
        _ => None,
    };
    if let Some(items) = items_with_list.filter(|items| has_one_run(items)) {
        ops.push(Op::Getitem(DynSliceSpec::from_items(items)?));
    } else {
        if !is_whole(&slice) {
            ops.push(Op::Getitem(shortest_spec(&slice)?));
        }
        let is_leading = |(i, list): (usize, &ListOnAxes)| {
            i == list.axis && list.single().is_some_and(|list| list.rank() == 1)
        };
        if lists.len() > 1 && lists.iter().enumerate().all(is_leading) {
            let lists = lists.iter().filter_map(ListOnAxes::single);
            let indices = lists.map(|list| list.elements().to_vec()).collect();
            ops.push(Op::Ix { indices });
        } else {
            for list in &lists {
                let mut items = Vec::new();
                items.resize(list.axis, WHOLE);
                items.push(list.item());
                ops.push(Op::Getitem(DynSliceSpec::from_items(items)?));
            }
        }
    }
    Ok(Translated::without_defects(Program { ops }))
}

/// An indexing expression of zarr-python: `oindex`, which applies each list to its own axis, or `vindex`, which selects
/// points on all axes.
///
/// Python equivalent: `z.oindex[selection]` in zarr 3, or `z.vindex[selection]` if the selection is one list with several
/// axes, or points. New axes and steps below 1 are errors.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::python::ZarrIndex;
///
/// let index = ZarrIndex::from_spec(&s![[0, 2], ..., [3, 1]].to_dyn(), &[3, 4, 5])?;
/// assert_eq!(index.to_string(), "z.oindex[[0, 2], :, [3, 1]]");
/// let index = ZarrIndex::from_spec(&s![zip([0, 2], [3, 1])].to_dyn(), &[3, 4])?;
/// assert_eq!(index.to_string(), "z.vindex[[0, 2], [3, 1]]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct ZarrIndex {
    /// The items of the slice.
    pub selection: DynSliceSpec,
}

impl ZarrIndex {
    /// Returns the items that select the same elements as `spec` for arrays with the shape `shape`. There is one item for
    /// each axis and no ellipsis, because zarr rejects lists before an ellipsis.
    ///
    /// # Errors
    ///
    /// Returns [`TranslateError::Missing`] for a new axis, a step below 1, and points or a list or a mask with several axes
    /// next to other items or other axes; [`TranslateError::EmptyNewAxis`] if a new axis has length 0; and
    /// [`TranslateError::Operation`] if the spec does not fit the shape or if there are more than 64 axes.
    pub fn from_spec(spec: &DynSliceSpec, shape: &[usize]) -> Result<Self, TranslateError> {
        let Split { slice, lists } = Split::of_spec(spec, shape)?;
        let mut items = items(&slice, |range| range)?;
        for list in &lists {
            if list.positions[0].elements().is_empty() {
                let part = "points without positions, and empty lists and masks with several axes";
                return Err(missing(part, "create the empty result directly"));
            }
            let is_alone = list.positions.len() == shape.len() && items.len() == shape.len();
            if joins_axes(&list.item()) && !is_alone || !put_list(&mut items, list) {
                let part = "points, and lists and masks with several axes, next to other items";
                return Err(missing(part, "apply these items first, or last"));
            }
        }
        let selection = DynSliceSpec::from_items(items)?;
        let index = ZarrIndex { selection };
        index.check()?;
        Ok(index)
    }

    /// Returns the item of a `vindex`, which is the only item of the slice.
    fn joined_item(&self) -> Option<Item> {
        let mut items = self.selection.items();
        items
            .next()
            .filter(|item| items.len() == 0 && joins_axes(item))
    }

    fn check(&self) -> Result<(), TranslateError> {
        for item in self.selection.items() {
            match item {
                Item::NewAxis => {
                    return Err(missing("new axes", "add the new axis to the result"));
                }
                Item::Range { step: ..1, .. } => {
                    return Err(missing("steps below 1", "reverse the result"));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn missing(part: &'static str, instead: &'static str) -> TranslateError {
    let system = "zarr";
    TranslateError::Missing {
        system,
        part,
        instead,
    }
}

impl Operations for ZarrIndex {
    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        let selection = self.selection.resolve(shape)?;
        match self.joined_item().and_then(|item| item.input_axes()) {
            None => selection.check_orthogonal()?,
            Some(actual) if actual != shape.len() => {
                let expected = shape.len();
                return Err(SliceError::RankMismatch { expected, actual }.into());
            }
            Some(_) => {}
        }
        Ok(selection)
    }

    fn to_spec_for_rank(&self, _: usize) -> Result<DynSliceSpec, TranslateError> {
        self.check()?;
        without_lists(&self.selection, "z.oindex").cloned()
    }

    fn to_spec_for_shape(&self, shape: &[usize]) -> Result<DynSliceSpec, TranslateError> {
        self.check()?;
        let _ = self.resolve(shape)?;
        Ok(self.selection.clone())
    }
}

impl Display for ZarrIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.joined_item() {
            Some(item) => write!(f, "z.vindex[{}]", item_text(&item)),
            None if self.selection.is_empty() => f.write_str("z.oindex[()]"),
            None => write!(f, "z.oindex[{}]", self.selection),
        }
    }
}
