//! `AxisPositions`: the positions on an axis of a selection, as read by other crates, and as passed to
//! [`Selection::from_axes`](crate::Selection::from_axes).

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::resolve::axis::AxisRange;
use crate::resolve::runs::{Cut, ListPositions, Positions, positions_of_runs};
use crate::resolve::singles::Singles;

/// The positions selected on one axis by a selection with lists, in the order of the result.
///
/// # Example
///
/// ```
/// use slice_core::{AxisPositions, AxisRange, s};
///
/// let selection = s![1::2, [5, 0, 7]].resolve(&[4, 8])?;
/// assert_eq!(selection.axis(0), AxisPositions::Range(AxisRange::new(1, 2, 2)));
/// assert_eq!(selection.axis(1), AxisPositions::Narrow(vec![5, 0, 7].into()));
///
/// let list: Vec<usize> = (0..20).chain([7; 9]).collect();
/// let runs = vec![AxisRange::new(0, 1, 20), AxisRange::new(7, 0, 9)];
/// assert_eq!(s![&list].resolve(&[30])?.axis(0), AxisPositions::Runs(runs.into()));
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AxisPositions<'a> {
    /// Positions with a constant step, from a range, an index or a list.
    Range(AxisRange),
    /// Positions listed one by one, used if the step from one position to the next changes often.
    Singles(Cow<'a, [usize]>),
    /// Positions listed one by one, as in [`Singles`](Self::Singles), on an axis with at most 2^31 elements.
    Narrow(Cow<'a, [u32]>),
    /// A sequence of runs: ranges, none of which is empty. The step of a run is 0 if it repeats a position.
    Runs(Cow<'a, [AxisRange]>),
}

impl From<AxisRange> for AxisPositions<'_> {
    #[inline]
    fn from(range: AxisRange) -> Self {
        AxisPositions::Range(range)
    }
}

impl<'a> AxisPositions<'a> {
    pub(crate) fn of_list(list: &'a ListPositions) -> Self {
        match list.cut() {
            Cut::Singles(Singles::Narrow(positions)) => {
                AxisPositions::Narrow(Cow::Borrowed(positions))
            }
            Cut::Singles(Singles::Wide(positions)) => {
                AxisPositions::Singles(Cow::Borrowed(positions))
            }
            Cut::Runs(runs) => AxisPositions::Runs(Cow::Borrowed(runs)),
        }
    }
}

impl AxisPositions<'_> {
    /// Returns the positions one by one.
    ///
    /// ```
    /// use slice_core::{AxisPositions, AxisRange};
    ///
    /// assert_eq!(AxisPositions::Range(AxisRange::new(7, -2, 3)).to_vec(), [7, 5, 3]);
    /// ```
    #[must_use]
    pub fn to_vec(&self) -> Vec<usize> {
        match self {
            AxisPositions::Range(range) => range.positions().collect(),
            AxisPositions::Singles(positions) => positions.to_vec(),
            AxisPositions::Narrow(positions) => positions.iter().map(|&k| k as usize).collect(),
            AxisPositions::Runs(runs) => positions_of_runs(runs, self.len()),
        }
    }

    /// Returns the number of positions.
    ///
    /// ```
    /// use slice_core::{AxisPositions, AxisRange};
    ///
    /// assert_eq!(AxisPositions::Range(AxisRange::new(1, 2, 3)).len(), 3);
    /// assert_eq!(AxisPositions::Singles(vec![5, 0].into()).len(), 2);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            AxisPositions::Range(range) => range.len(),
            AxisPositions::Singles(positions) => positions.len(),
            AxisPositions::Narrow(positions) => positions.len(),
            AxisPositions::Runs(runs) => runs
                .iter()
                .fold(0, |all: usize, run| all.saturating_add(run.len)),
        }
    }

    /// Returns `true` if no position is selected.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// assert!(s![[false, false]].resolve(&[2])?.axis(0).is_empty());
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// If the positions are valid on an axis of `size` elements, returns them in the form stored in a selection.
    /// Otherwise, returns the first invalid range, single position or run as an error.
    pub(crate) fn into_positions(self, size: usize) -> Result<Positions, AxisRange> {
        match self {
            AxisPositions::Range(range) => match range.lies_within(size) {
                true => Ok(Positions::Range(range)),
                false => Err(range),
            },
            AxisPositions::Singles(positions) => {
                match positions.iter().find(|&&position| position >= size) {
                    None => Ok(Positions::of_positions(positions.into_owned())),
                    Some(&position) => Err(AxisRange::single(position)),
                }
            }
            AxisPositions::Narrow(positions) => {
                let positions = positions.iter().map(|&position| position as usize);
                AxisPositions::Singles(positions.collect()).into_positions(size)
            }
            AxisPositions::Runs(runs) => match runs.iter().find(|run| !run.is_run_within(size)) {
                None => Ok(Positions::of_runs(&runs)),
                Some(&run) => Err(run),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;
    use crate::error::SliceError;
    use crate::resolve::selection::Selection;
    use crate::resolve::step::OutputAxis;
    use crate::spec::dyn_spec::DynSliceSpec;

    #[test]
    fn from_axes_inverts_axis_and_output_axes() {
        let texts = [
            "[0, 2], ::-1, 3",
            "newaxis, [3, 3, 3, 3, 3], newaxis, 1, [0, 1, 2, 3, 4, 5, 6, 2, 3, 4, 5, 6], newaxis",
            "0, [True, False, True, True], [-1]",
            "[], :, 1:3",
            "...",
        ];
        for text in texts {
            let spec: DynSliceSpec = text.parse().unwrap();
            let selection = spec.resolve(&[5, 4, 9]).unwrap();
            let output: Vec<OutputAxis> = selection.output_axes().to_vec();
            let axes = (0..3).map(|axis| selection.axis(axis));
            let rebuilt = Selection::from_axes(&[5, 4, 9], axes, &output).unwrap();
            assert_eq!(rebuilt, selection, "{text}");
            for axis in 0..3 {
                assert_eq!(
                    selection.axis(axis).len(),
                    selection.axis(axis).to_vec().len()
                );
            }
        }
    }

    #[test]
    fn from_axes_merges_continuing_runs_and_rejects_invalid_runs() {
        let run = AxisRange::new;
        let selection_of = |runs: &[AxisRange]| {
            let axes = [AxisPositions::Runs(runs.into())];
            Selection::from_axes(&[10], axes, &[OutputAxis::Input(0)])
        };
        let whole = selection_of(&[run(0, 1, 4), run(4, 7, 1), run(5, 1, 5)]).unwrap();
        assert_eq!(whole.axis(0), AxisPositions::Range(AxisRange::whole(10)));
        let repeated = selection_of(&[run(0, 1, 4), run(3, 0, 2)]).unwrap();
        assert_eq!(repeated.axis(0).to_vec(), [0, 1, 2, 3, 3, 3]);
        let max = isize::MAX as usize;
        for invalid in [
            run(0, 1, 0),
            run(0, 1, 11),
            run(10, 0, 1),
            run(9, 2, 2),
            run(0, -1, 2),
            run(0, 0, usize::MAX),
            run(usize::MAX, 1, 1),
        ] {
            let error = selection_of(&[run(3, 1, 2), invalid]).unwrap_err();
            let expected = SliceError::InvalidRange {
                axis: 0,
                start: invalid.start,
                step: invalid.step,
                len: invalid.len,
                size: 10,
            };
            assert_eq!(error, expected);
        }
        let error = selection_of(&[run(3, 0, max), run(4, 0, max)]).unwrap_err();
        let message: String = alloc::format!("{error}");
        assert!(matches!(error, SliceError::TooLarge { .. }), "{message}");
    }
}
