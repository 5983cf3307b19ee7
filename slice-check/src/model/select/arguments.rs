//! Finds the numbers in an operation's arguments.

use std::sync::Arc;

use slice_core::resolve::index;
use slice_core::{DynSliceSpec, Item};
use slice_systems::translate::TranslateError;

use super::AtRunTime;
use super::spec::spec_with_items;
use crate::model::kind::Argument;
use crate::model::number::{Dim, MAX_AXES, Number};
use crate::model::{Format, Graph, Node};
use crate::remark::{Remark, RemarkKind};

/// The numbers of an argument, as far as they are known.
pub(super) enum ArgumentNumbers {
    Absent,
    Numbers(Arc<[Number]>),
    AtRunTime,
}

impl ArgumentNumbers {
    /// Returns the numbers: `None` if some are known only at run time, and `Some(None)` if the argument is omitted.
    pub(super) fn known(&self) -> Option<Option<Vec<i64>>> {
        match self {
            ArgumentNumbers::Absent => Some(None),
            ArgumentNumbers::Numbers(numbers) => Some(Some(
                numbers.iter().map(Number::known).collect::<Option<_>>()?,
            )),
            ArgumentNumbers::AtRunTime => None,
        }
    }
}

/// The reason why a slice cannot be determined.
#[derive(Debug)]
pub enum Undetermined {
    /// The operation is invalid.
    Mistake(Remark),
    /// Some numbers are known only at run time, which is not a mistake.
    AtRunTime(AtRunTime),
    /// The operation selects elements in a way that is not examined.
    NotExamined(Remark),
}

impl Undetermined {
    /// Returns the reason for not examining an operation.
    pub(super) fn not_examined(why: impl Into<String>) -> Self {
        Undetermined::NotExamined(RemarkKind::NotExamined.remark(why))
    }

    /// Returns the reason to report when a selection depends on unknown numbers without names, such as the lengths of
    /// the input's axes.
    pub(super) fn unknown() -> Self {
        Undetermined::AtRunTime(AtRunTime {
            items: None,
            values: Vec::new(),
            steps: None,
        })
    }
}

impl From<Remark> for Undetermined {
    fn from(mistake: Remark) -> Self {
        Undetermined::Mistake(mistake)
    }
}

impl From<TranslateError> for Undetermined {
    fn from(error: TranslateError) -> Self {
        Remark::invalid(error).into()
    }
}

/// Finds the numbers of a node's arguments.
pub(super) struct Finder<'a> {
    pub(super) graph: &'a Graph,
    pub(super) node: &'a Node,
    /// The shape of the sliced array, if known.
    pub(super) shape: Option<&'a [Dim]>,
    /// The names of the values with unknown numbers.
    pub(super) values: Vec<Arc<str>>,
}

impl Finder<'_> {
    /// Returns the rank of the sliced array, if it is known.
    pub(super) fn rank(&self) -> Option<usize> {
        self.shape.map(<[Dim]>::len)
    }

    /// Returns the length of an axis of the sliced array, if it is known.
    pub(super) fn length(&self, axis: i64) -> Option<usize> {
        let shape = self.shape?;
        shape.get(index(axis, shape.len())?)?.known()
    }

    /// Returns the slice with `item` on each axis in `axes`, and with `:` on the others.
    pub(super) fn spec(&self, axes: &[i64], item: Item) -> Result<DynSliceSpec, TranslateError> {
        spec_with_items(axes, item, self.rank())
    }

    /// Returns the numbers of several arguments.
    pub(super) fn find_all<const N: usize>(
        &mut self,
        arguments: &[Argument; N],
    ) -> [ArgumentNumbers; N] {
        arguments.each_ref().map(|argument| self.find(argument))
    }

    fn find(&mut self, argument: &Argument) -> ArgumentNumbers {
        if let Argument::Given(given) = argument {
            return ArgumentNumbers::Numbers(
                given.iter().map(|&number| Number::Known(number)).collect(),
            );
        }
        let Some(value) = self.node.input_of(argument) else {
            return ArgumentNumbers::Absent;
        };
        let name = &self.graph.values[value].name;
        match self.graph.constant(Some(value)) {
            // An argument is a scalar or a list. In StableHLO, a list may be a column.
            Some(constant)
                if constant.shape.len() <= 1 || self.graph.format == Format::StableHlo =>
            {
                if constant.elements.iter().any(|one| one.known().is_none()) {
                    self.values.push(name.clone());
                }
                ArgumentNumbers::Numbers(constant.elements.clone())
            }
            _ => {
                self.values.push(name.clone());
                ArgumentNumbers::AtRunTime
            }
        }
    }

    /// Returns the numbers of an argument, or `None` if it is omitted. Returns [`Undetermined::AtRunTime`] if some of
    /// the numbers are known only at run time.
    pub(super) fn numbers(
        &mut self,
        argument: &Argument,
    ) -> Result<Option<Vec<i64>>, Undetermined> {
        let known = self.find(argument).known();
        known.ok_or_else(|| Undetermined::AtRunTime(self.at_run_time(None)))
    }

    /// Returns the number of elements of an argument that is a list, if it is known.
    pub(super) fn count(&self, argument: &Argument) -> Option<usize> {
        if let Argument::Given(given) = argument {
            return Some(given.len());
        }
        match self.graph.shape(self.node.input_of(argument))? {
            [length] => length.known(),
            _ => None,
        }
    }

    /// Checks that arguments with a number for each axis have at most [`MAX_AXES`] numbers. Many operations may share a
    /// longer list.
    pub(super) fn check_lens<const N: usize>(
        &self,
        arguments: [&Argument; N],
    ) -> Result<(), Undetermined> {
        let len = |argument: &Argument| match argument {
            Argument::Given(given) => Some(given.len()),
            argument => Some(
                self.graph
                    .constant(self.node.input_of(argument))?
                    .elements
                    .len(),
            ),
        };
        let counts = arguments.into_iter().filter_map(len);
        match counts.max() {
            Some(count) if count > MAX_AXES => Err(Undetermined::not_examined(format!(
                "it lists {count} numbers for axes, which are more than {MAX_AXES}"
            ))),
            _ => Ok(()),
        }
    }

    /// Returns the numbers of an argument. If the argument is omitted, returns an error that mentions `name`.
    pub(super) fn required(
        &mut self,
        name: &str,
        argument: &Argument,
    ) -> Result<Vec<i64>, Undetermined> {
        self.numbers(argument)?.ok_or_else(|| missing(name).into())
    }

    /// Returns the axis in an argument, or 0 if the argument is omitted. If the rank is known, checks that the axis
    /// exists.
    pub(super) fn axis(&mut self, argument: &Argument) -> Result<i64, Undetermined> {
        let axis = match self.numbers(argument)?.as_deref() {
            None => 0,
            Some([axis, ..]) => *axis,
            Some([]) => return Err(Remark::invalid("the list with the axis is empty").into()),
        };
        self.check_axes(&[axis])?;
        Ok(axis)
    }

    /// Returns the numbers of an argument that is a list of positions, or a reason for not examining the operation.
    pub(super) fn positions(
        &mut self,
        name: &str,
        argument: &Argument,
    ) -> Result<Vec<i64>, Undetermined> {
        self.required(name, argument).map_err(|error| match error {
            Undetermined::AtRunTime(slice) => {
                let values = slice.values.join(", ");
                Undetermined::not_examined(format!(
                    "the {name} are known only at run time: {values}"
                ))
            }
            error => error,
        })
    }

    /// If the rank is known, checks that all axes exist and that none is repeated.
    pub(super) fn check_axes(&self, axes: &[i64]) -> Result<(), Remark> {
        let Some(rank) = self.rank() else {
            return Ok(());
        };
        let mut is_listed = vec![false; rank];
        for &axis in axes {
            let at = index(axis, rank);
            let at = at.ok_or_else(|| {
                Remark::invalid(format!(
                    "axis {axis} does not exist: the input has {rank} axes"
                ))
            })?;
            if std::mem::replace(&mut is_listed[at], true) {
                return Err(Remark::invalid(format!("axis {at} is listed twice")));
            }
        }
        Ok(())
    }

    pub(super) fn at_run_time(&self, items: Option<String>) -> AtRunTime {
        let mut values = self.values.clone();
        values.dedup();
        AtRunTime {
            items,
            values,
            steps: None,
        }
    }
}

/// Returns the mistake of an operation that lacks an argument.
pub(super) fn missing(name: &str) -> Remark {
    Remark::invalid(format!(
        "the operation lacks the required argument `{name}`"
    ))
}
