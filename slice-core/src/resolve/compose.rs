//! Composition of selections: one selection with the effect of two.

use alloc::vec::Vec;

use crate::error::SliceError;
use crate::resolve::axis::AxisRange;
use crate::resolve::runs::Positions;
use crate::resolve::selection::{OwnedStep, Selection};
use crate::resolve::shape::check_shape;
use crate::resolve::step::{OutputAxis, ResolvedStep};

impl Selection {
    /// Returns one selection with the same effect as this selection followed by `then`.
    ///
    /// Python equivalent: `x[a][b]` as one index.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::ShapeMismatch`] unless `then` was resolved for the output shape of this selection, and
    /// [`SliceError::TooLarge`] if the shape of the result is too large for any array.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let rows = s![1:4].resolve(&[6, 2])?;
    /// let both = rows.compose(&s![::-1, 0].resolve(rows.output_shape())?)?;
    /// assert_eq!(both, s![3:0:-1, 0].resolve(&[6, 2])?);
    ///
    /// let lists = s![[2, 0, 0]].resolve(rows.output_shape())?;
    /// assert_eq!(rows.compose(&lists)?, s![[3, 1, 1]].resolve(&[6, 2])?);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn compose(&self, then: &Selection) -> Result<Selection, SliceError> {
        check_shape(self.output_shape(), then.input_shape())?;
        if !self.is_strided() || !then.is_strided() {
            return self.compose_lists(then);
        }
        let mut axes = self.axes.clone();
        for (axis, &origin) in self.output.iter().enumerate() {
            if let OutputAxis::Input(input) = origin {
                let (first, second) = (axes[input], then.axes[axis]);
                // If `second` has two positions or more, the product of the steps is a distance on the axis and cannot
                // overflow. Otherwise `canonical` ignores the product.
                axes[input] = AxisRange::canonical(
                    first.position(second.start),
                    first.step.wrapping_mul(second.step),
                    second.len,
                );
            }
        }
        let output = then.output.iter().map(|&origin| match origin {
            OutputAxis::New { .. } => origin,
            OutputAxis::Input(axis) => match self.output[axis] {
                OutputAxis::New { .. } => OutputAxis::New {
                    len: then.axes[axis].len,
                },
                origin @ OutputAxis::Input(_) => origin,
            },
        });
        Ok(Selection {
            input_shape: self.input_shape.clone(),
            axes,
            output: output.collect(),
            output_shape: then.output_shape.clone(),
            input_len: self.input_len,
            len: then.len,
            joined: Vec::new(),
        })
    }

    /// Version of [`compose`](Self::compose) for selections with lists.
    fn compose_lists(&self, then: &Selection) -> Result<Selection, SliceError> {
        let mut following = then.resolved_steps();
        let mut steps = Vec::new();
        for first in self.resolved_steps() {
            if let ResolvedStep::Drop(position) = first {
                steps.push(OwnedStep::Drop(position));
                continue;
            }
            for second in following.by_ref() {
                match inserted(second) {
                    Some(len) => steps.push(OwnedStep::Insert { len }),
                    None => {
                        steps.extend(compose_steps(first, second));
                        break;
                    }
                }
            }
        }
        steps.extend(
            following
                .filter_map(inserted)
                .map(|len| OwnedStep::Insert { len }),
        );
        Selection::build_listed(self.input_shape(), steps.into_iter().map(Ok))
    }
}

/// Returns the length of the new axis that the step inserts, or `None` if the step applies to an input axis.
fn inserted(step: ResolvedStep<'_>) -> Option<usize> {
    match step {
        ResolvedStep::Insert { len } => Some(len),
        ResolvedStep::Joined(joined) if joined.axes() == 0 => Some(joined.len()),
        _ => None,
    }
}

/// Returns the positions of a step on its input axis, or the position of a step that drops its axis.
fn kept(step: ResolvedStep<'_>) -> Result<Positions, usize> {
    match step {
        ResolvedStep::Keep(range) => Ok(Positions::Range(range)),
        ResolvedStep::Joined(joined) => Ok(Positions::List(joined.list().clone())),
        ResolvedStep::Drop(position) => Err(position),
        ResolvedStep::Insert { len } => Ok(Positions::Range(AxisRange::canonical(0, 1, len))),
    }
}

/// Composes two steps on an axis. Returns `None` if the first step inserts the axis and the second step drops it.
fn compose_steps(first: ResolvedStep<'_>, second: ResolvedStep<'_>) -> Option<OwnedStep> {
    match (inserted(first), kept(second)) {
        (Some(_), Ok(second)) => Some(OwnedStep::Insert { len: second.len() }),
        (Some(_), Err(_)) => None,
        (None, Ok(second)) => kept(first)
            .ok()
            .map(|first| OwnedStep::Keep(first.then(&second))),
        (None, Err(k)) => kept(first)
            .ok()
            .map(|first| OwnedStep::Drop(first.position(k))),
    }
}

impl Positions {
    /// Composes positions: `second` selects from the positions of `self`.
    fn then(&self, second: &Positions) -> Positions {
        match (self, second) {
            (&Positions::Range(first), &Positions::Range(second)) => {
                Positions::Range(AxisRange::canonical(
                    first.position(second.start()),
                    first.step().wrapping_mul(second.step()),
                    second.len(),
                ))
            }
            (Positions::Range(first), Positions::List(second)) => {
                let positions = second.to_positions().into_iter();
                Positions::of_positions(positions.map(|k| first.position(k)).collect())
            }
            (Positions::List(first), second) => {
                let first = first.to_positions();
                let mut positions = second.to_positions();
                positions.iter_mut().for_each(|k| *k = first[*k]);
                Positions::of_positions(positions)
            }
        }
    }
}
