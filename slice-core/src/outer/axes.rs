//! Functions with which other crates read the positions on each axis of a selection with lists, and build a selection
//! from such positions.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::error::SliceError;
use crate::outer::runs::{AxisRun, ListPositions, OuterAxis};
use crate::outer::selection::{OuterSelection, OuterStep};
use crate::outer::singles::Singles;
use crate::resolve::axis::AxisRange;
use crate::resolve::step::OutputAxis;

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
    /// A sequence of runs. Each run has a constant step.
    Runs(Cow<'a, [AxisRun]>),
}

impl AxisPositions<'_> {
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
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// If the positions are valid on an axis of `size` elements, returns them in the form stored in a selection.
    /// Otherwise, returns the first invalid range, single position or run as an error.
    fn into_outer_axis(self, size: usize) -> Result<OuterAxis, AxisRun> {
        match self {
            AxisPositions::Range(range) => match range.lies_within(size) {
                true => Ok(OuterAxis::Range(range)),
                false => Err(AxisRun {
                    start: range.start(),
                    step: range.step(),
                    len: range.len(),
                }),
            },
            AxisPositions::Singles(positions) => {
                match positions.iter().find(|&&position| position >= size) {
                    None => Ok(OuterAxis::of_positions(positions.into_owned())),
                    Some(&start) => Err(AxisRun {
                        start,
                        step: 1,
                        len: 1,
                    }),
                }
            }
            AxisPositions::Narrow(positions) => {
                let positions = positions.iter().map(|&position| position as usize);
                AxisPositions::Singles(positions.collect()).into_outer_axis(size)
            }
            AxisPositions::Runs(runs) => match runs.iter().find(|run| !run.lies_within(size)) {
                None => Ok(OuterAxis::of_runs(&runs)),
                Some(&run) => Err(run),
            },
        }
    }
}

impl OuterSelection {
    /// Returns the selected positions on an input axis. A dropped axis has one position.
    ///
    /// # Panics
    ///
    /// Panics if the input has no such axis.
    ///
    /// # Example
    ///
    /// See [`AxisPositions`].
    #[must_use]
    pub fn axis(&self, axis: usize) -> AxisPositions<'_> {
        match self.step(axis) {
            OuterStep::Keep(OuterAxis::Range(range)) => AxisPositions::Range(*range),
            OuterStep::Keep(OuterAxis::List(ListPositions::Singles(singles))) => match singles {
                Singles::Narrow(positions) => AxisPositions::Narrow(Cow::Borrowed(positions)),
                Singles::Wide(positions) => AxisPositions::Singles(Cow::Borrowed(positions)),
            },
            OuterStep::Keep(OuterAxis::List(ListPositions::Runs { runs, .. })) => {
                AxisPositions::Runs(Cow::Borrowed(runs))
            }
            OuterStep::Drop(position) => AxisPositions::Range(AxisRange::single(*position)),
            OuterStep::Insert { .. } => AxisPositions::Range(AxisRange::whole(0)),
        }
    }

    /// Returns the origin of each axis of the result. In a selection with lists, a new axis may have any length.
    ///
    /// ```
    /// use slice_core::{OutputAxis, s};
    ///
    /// let selection = s![0, newaxis, [2, 0]].resolve(&[4, 5])?;
    /// assert!(selection.output_axes().eq([OutputAxis::New { len: 1 }, OutputAxis::Input(1)]));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn output_axes(&self) -> impl Iterator<Item = OutputAxis> + Clone + '_ {
        let mut input = 0;
        self.steps().iter().filter_map(move |step| {
            let axis = input;
            input += usize::from(!matches!(step, OuterStep::Insert { .. }));
            match step {
                OuterStep::Keep(_) => Some(OutputAxis::Input(axis)),
                OuterStep::Drop(_) => None,
                OuterStep::Insert { len } => Some(OutputAxis::New { len: *len }),
            }
        })
    }

    /// Creates a selection from the positions on each input axis and the origin of each output axis. This function is
    /// the inverse of [`axis`](Self::axis) and [`output_axes`](Self::output_axes).
    ///
    /// # Errors
    ///
    /// * [`SliceError::RankMismatch`] unless `axes` has one value for each input axis.
    /// * [`SliceError::InvalidRange`] if a position is not on its axis, if a range with several positions has a step of
    ///   0, if a run is empty or has more than `isize::MAX` positions, or if an axis with a range or with runs is
    ///   longer than `isize::MAX`.
    /// * [`SliceError::InvalidOutputAxis`] unless the input axes in `output_axes` exist, are in ascending order, and
    ///   include every axis that does not have exactly one position.
    /// * [`SliceError::TooLarge`] if the input shape or the output shape is too large for any array.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::{AxisPositions, AxisRange, OuterSelection, OutputAxis, s};
    ///
    /// let axes = [AxisPositions::Range(AxisRange::single(1)), AxisPositions::Singles(vec![2, 0].into())];
    /// let selection = OuterSelection::from_axes(&[2, 3], axes, &[OutputAxis::Input(1)])?;
    /// assert_eq!(selection, s![1, [2, 0]].resolve(&[2, 3])?);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn from_axes<'a>(
        input_shape: &[usize],
        axes: impl IntoIterator<Item = AxisPositions<'a>>,
        output_axes: &[OutputAxis],
    ) -> Result<Self, SliceError> {
        let axes: Vec<AxisPositions<'a>> = axes.into_iter().collect();
        let (expected, actual) = (input_shape.len(), axes.len());
        if expected != actual {
            return Err(SliceError::RankMismatch { expected, actual });
        }
        let (mut steps, mut output) = (Vec::new(), output_axes.iter().copied().peekable());
        let is_new = |origin: &OutputAxis| matches!(origin, OutputAxis::New { .. });
        for (axis, (positions, &size)) in axes.into_iter().zip(input_shape).enumerate() {
            while let Some(OutputAxis::New { len }) = output.next_if(is_new) {
                steps.push(OuterStep::Insert { len });
            }
            let positions = positions.into_outer_axis(size);
            let positions =
                positions.map_err(|AxisRun { start, step, len }| SliceError::InvalidRange {
                    axis,
                    start,
                    step,
                    len,
                    size,
                })?;
            let is_kept = output.next_if_eq(&OutputAxis::Input(axis)).is_some();
            steps.push(match positions {
                positions if is_kept => OuterStep::Keep(positions),
                OuterAxis::Range(range) if range.len() == 1 => OuterStep::Drop(range.start()),
                _ => return Err(SliceError::InvalidOutputAxis { axis }),
            });
        }
        for origin in output {
            match origin {
                OutputAxis::New { len } => steps.push(OuterStep::Insert { len }),
                OutputAxis::Input(axis) => return Err(SliceError::InvalidOutputAxis { axis }),
            }
        }
        OuterSelection::build(input_shape, steps.into_iter().map(Ok))
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;
    use crate::outer::dyn_spec::DynOuterSpec;

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
            let spec: DynOuterSpec = text.parse().unwrap();
            let selection = spec.resolve(&[5, 4, 9]).unwrap();
            let output: Vec<OutputAxis> = selection.output_axes().collect();
            let axes = (0..3).map(|axis| selection.axis(axis));
            let rebuilt = OuterSelection::from_axes(&[5, 4, 9], axes, &output).unwrap();
            assert_eq!(rebuilt, selection, "{text}");
            for axis in 0..3 {
                assert_eq!(selection.axis(axis).len(), selection.positions(axis).len());
            }
        }
    }

    #[test]
    fn from_axes_merges_continuing_runs_and_rejects_invalid_runs() {
        let run = |start, step, len| AxisRun { start, step, len };
        let selection_of = |runs: &[AxisRun]| {
            let axes = [AxisPositions::Runs(runs.into())];
            OuterSelection::from_axes(&[10], axes, &[OutputAxis::Input(0)])
        };
        let whole = selection_of(&[run(0, 1, 4), run(4, 7, 1), run(5, 1, 5)]).unwrap();
        assert_eq!(whole.axis(0), AxisPositions::Range(AxisRange::whole(10)));
        let repeated = selection_of(&[run(0, 1, 4), run(3, 0, 2)]).unwrap();
        assert_eq!(repeated.positions(0), [0, 1, 2, 3, 3, 3]);
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
