//! Expresses slices with lists as NumPy's indexing expressions `x[...]`, and with zarr's `oindex`.
//!
//! NumPy applies a list to its own axis, as in `x[:, [0, 2]]`, if the expression has no other list and no other item
//! separates the list from an integer. NumPy pairs several lists element by element: `x[[0, 2], [1, 3]]` selects two
//! elements. It moves the axis of a single list to the front if other items separate the list from an integer. A slice
//! that NumPy would interpret differently, by pairing lists or by moving an axis, is written as a chain of indexing
//! expressions, such as `x[1:][[0, 2]]`, or with `np.ix_`.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display};

use slice_core::{DynSliceSpec, Item, Selection};

use crate::error::OperationError;
use crate::lists::{Operations, Split, is_whole, nth_kept, with_list};
use crate::operation::Operation;
use crate::step::Step;
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;
use crate::translate::spec::{WHOLE, items, without_lists};

/// NumPy's `np.ix_`: lists of positions for the leading axes, each applied to its own axis.
///
/// Python equivalent: `x[np.ix_([0, 2], [1, 3])]`.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Operations;
/// use slice_systems::python::{Ix, Op, Program};
///
/// let program = Program::from(vec![Op::Ix(Ix { indices: vec![vec![0, 2], vec![1, -1]] })]);
/// assert_eq!(program.to_string(), "x[np.ix_([0, 2], [1, -1])]");
/// assert_eq!(program.resolve(&[4, 5])?, s![[0, 2], [1, -1]].resolve(&[4, 5])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Ix {
    /// The list of indices for each leading axis. Negative indices count from the end.
    pub indices: Vec<Vec<i64>>,
}

/// An operation of a [`Program`]: an indexing expression `x[...]`.
///
/// # Example
///
/// ```
/// use slice_core::{DynSliceSpec, s};
/// use slice_systems::Operation;
/// use slice_systems::python::Op;
///
/// let program = DynSliceSpec::from_spec_for_shape(&s![[0, 2], [1, 3]].to_dyn(), &[4, 5])?.op;
/// assert!(matches!(program.ops[..], [Op::Ix(_)]));
/// # Ok::<(), slice_systems::translate::TranslateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "programs have few operations")]
pub enum Op {
    /// `x[...]` with at most one list, which no other item separates from an integer.
    Getitem(DynSliceSpec),
    /// `x[np.ix_(...)]`.
    Ix(Ix),
}

/// A chain of NumPy's indexing expressions, such as `x[1:][[0, 2]]`.
///
/// # Example
///
/// ```
/// use slice_core::{DynSliceSpec, s};
/// use slice_systems::Operation;
/// use slice_systems::python::Program;
///
/// let program: Program = DynSliceSpec::from_spec_for_shape(&s![1:, [1, 3]].to_dyn(), &[4, 5])?.op;
/// assert_eq!(program.to_string(), "x[1:, [1, 3]]");
/// # Ok::<(), slice_systems::translate::TranslateError>(())
/// ```
pub type Program = crate::program::Program<Op>;

/// The name of NumPy in errors.
const SYSTEM: &str = "NumPy";

impl Op {
    /// Returns the operation as a slice with lists.
    fn spec(&self) -> Result<DynSliceSpec, OperationError> {
        match self {
            Op::Getitem(spec) => match check_lists(&spec.items().collect::<Vec<_>>()) {
                Ok(()) => Ok(spec.clone()),
                Err(lists) => {
                    let system = SYSTEM;
                    Err(OperationError::Brackets { system, lists })
                }
            },
            Op::Ix(Ix { indices }) => {
                let lists = indices.iter().cloned().map(Item::from);
                Ok(DynSliceSpec::from_items(lists)?)
            }
        }
    }
}

/// Checks that NumPy applies each list in `items` to its own axis. Otherwise, returns the number of lists as the error.
fn check_lists(items: &[Item]) -> Result<(), usize> {
    let is_list = |item: &Item| item.role().is_none();
    let lists = items.iter().filter(|item| is_list(item)).count();
    let is_advanced = |item: &Item| is_list(item) || matches!(item, Item::Index(_));
    let begins_run =
        |i: &usize| is_advanced(&items[*i]) && (*i == 0 || !is_advanced(&items[*i - 1]));
    let runs = (0..items.len()).filter(begins_run).count();
    match lists {
        0 => Ok(()),
        1 if runs == 1 => Ok(()),
        lists => Err(lists),
    }
}

impl Step for Op {
    const SYSTEM: &'static str = SYSTEM;

    fn split(&self, shape: &[usize]) -> Result<Split, OperationError> {
        Ok(Split::of_spec(&self.spec()?, shape)?)
    }

    fn to_spec_for_rank(&self, _: usize) -> Result<DynSliceSpec, TranslateError> {
        let spec = self.spec()?;
        without_lists(&spec, "x[...]").cloned()
    }

    fn call(&self, operand: &str) -> String {
        match self {
            Op::Getitem(spec) if spec.is_empty() => format!("{operand}[()]"),
            Op::Getitem(spec) => format!("{operand}[{spec}]"),
            Op::Ix(Ix { indices }) => {
                let lists: Vec<String> = indices.iter().map(|list| format!("{list:?}")).collect();
                format!("{operand}[np.ix_({})]", lists.join(", "))
            }
        }
    }
}

/// Translates `split` to one indexing expression if it has exactly one list and NumPy applies this list to its own
/// axis. Otherwise, translates the slice in `split` to an indexing expression, followed by `np.ix_` or by one indexing
/// expression for each list.
pub(super) fn from_split(split: &Split) -> Result<Translated<Program>, TranslateError> {
    let mut ops = Vec::new();
    let single_list_items = match split.lists() {
        [list] => with_list(split.slice(), list, |range| range)?,
        _ => None,
    };
    if let Some(items) = single_list_items
        && check_lists(&items).is_ok()
    {
        ops.push(Op::Getitem(DynSliceSpec::from_items(items)?));
    } else {
        if !is_whole(split.slice()) {
            let slice = <DynSliceSpec as Operation>::from_selection(split.slice())?.op;
            ops.push(Op::Getitem(slice));
        }
        let lists = split.lists();
        if lists.len() > 1 && lists.iter().enumerate().all(|(i, list)| i == list.axis) {
            let indices = lists.iter().map(|list| list.indices()).collect();
            ops.push(Op::Ix(Ix { indices }));
        } else {
            for list in lists {
                let mut items = Vec::new();
                items.resize(list.axis, WHOLE);
                items.push(Item::from(list.indices()));
                ops.push(Op::Getitem(DynSliceSpec::from_items(items)?));
            }
        }
    }
    let (op, defects) = (Program { ops }, Vec::new());
    Ok(Translated { op, defects })
}

/// An indexing expression with zarr's `oindex`: a slice with lists, each applied to its own axis.
///
/// Python equivalent: `z.oindex[selection]` in zarr 3. New axes and steps below 1 are errors.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Split;
/// use slice_systems::python::Oindex;
///
/// let split = Split::of_spec(&s![[0, 2], ..., [3, 1]].to_dyn(), &[3, 4, 5])?;
/// let oindex = Oindex::from_split(&split)?;
/// assert_eq!(oindex.to_string(), "z.oindex[[0, 2], :, [3, 1]]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Oindex {
    /// The items of the slice.
    pub selection: DynSliceSpec,
}

impl Oindex {
    /// Returns the items that select the same elements as `split`. There is one item for each axis and no ellipsis,
    /// because zarr rejects lists before an ellipsis.
    ///
    /// # Errors
    ///
    /// Returns [`TranslateError::Missing`] if `split` has a new axis, a step below 1 or a list for an axis that is also
    /// sliced, [`TranslateError::EmptyNewAxis`] if a new axis has length 0, and [`TranslateError::Operation`] if there
    /// are more than 64 axes.
    pub fn from_split(split: &Split) -> Result<Self, TranslateError> {
        let mut items = items(split.slice(), |range| range)?;
        for list in split.lists() {
            match nth_kept(&mut items, list.axis) {
                Some(item) if *item == WHOLE => *item = Item::from(list.indices()),
                _ => {
                    return Err(missing(
                        "lists for axes that are also sliced",
                        "apply the slice first, and then apply the list to the result",
                    ));
                }
            }
        }
        let selection = DynSliceSpec::from_items(items)?;
        let oindex = Oindex { selection };
        oindex.check()?;
        Ok(oindex)
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
    let system = "zarr's oindex";
    TranslateError::Missing {
        system,
        part,
        instead,
    }
}

impl Operations for Oindex {
    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        Ok(self.selection.resolve(shape)?)
    }

    fn to_spec_for_rank(&self, _: usize) -> Result<DynSliceSpec, TranslateError> {
        self.check()?;
        without_lists(&self.selection, "z.oindex").cloned()
    }

    fn to_spec_for_shape(&self, shape: &[usize]) -> Result<DynSliceSpec, TranslateError> {
        self.check()?;
        let _ = self.selection.resolve(shape)?;
        Ok(self.selection.clone())
    }
}

impl Display for Oindex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.selection.is_empty() {
            true => f.write_str("z.oindex[()]"),
            false => write!(f, "z.oindex[{}]", self.selection),
        }
    }
}
