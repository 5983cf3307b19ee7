//! The axes of a planned selection, and the chunks that it touches on each of them.

use alloc::sync::Arc;

use slice_core::Selection;

use super::axis::TouchedChunks;
use super::grouped::Check;
use super::joined::JoinedAxes;
#[cfg(feature = "zarrs")]
use super::list_bytes;
use crate::Dims;
use crate::read_plan::error::PlanError;

/// The axes of a planned selection, of which each is an axis of the array or stands for several axes that are listed
/// together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Axes {
    // INVARIANT: `selection` is orthogonal; its input shape is the shape of the array or, with joined axes, of the array
    // with joined axes. `chunk_shape`, `unit_shape` and `touched` have one entry for each of its input axes. A unit has at
    // least one and at most `isize::MAX` elements.
    /// The joined axes of the array, or `None` if the planned selection joins no axes.
    pub(crate) joined: Option<Arc<JoinedAxes>>,
    pub(crate) selection: Selection,
    pub(crate) chunk_shape: Dims,
    pub(crate) unit_shape: Dims,
    pub(crate) touched: Dims<TouchedChunks>,
}

impl Axes {
    /// Finds the chunks of shape `chunk_shape`, which consist of units of shape `unit_shape`, that a selection touches on
    /// each axis. Also returns `selection` itself if it joins axes. Calls `check` repeatedly while lists are grouped, and
    /// returns its first error.
    pub(crate) fn new<E: From<PlanError>>(
        selection: Selection,
        chunk_shape: &[usize],
        unit_shape: &[usize],
        check: Check<'_, E>,
    ) -> Result<(Self, Option<Selection>), E> {
        match JoinedAxes::new(&selection, chunk_shape, unit_shape, check)? {
            None => {
                let shapes = [chunk_shape, unit_shape].map(Dims::from_slice);
                Ok((Self::of_orthogonal(None, selection, shapes, check)?, None))
            }
            Some((joined, orthogonal)) => {
                let shapes = [chunk_shape, unit_shape].map(|shape| joined.merged(shape));
                let joined = Some(Arc::new(joined));
                let axes = Self::of_orthogonal(joined, orthogonal, shapes, check)?;
                Ok((axes, Some(selection)))
            }
        }
    }

    /// Implements [`new`](Self::new) for an orthogonal selection, from an array with `joined` axes if there are any.
    pub(crate) fn of_orthogonal<E: From<PlanError>>(
        joined: Option<Arc<JoinedAxes>>,
        selection: Selection,
        [chunk_shape, unit_shape]: [Dims; 2],
        check: Check<'_, E>,
    ) -> Result<Self, E> {
        let touched = (0..chunk_shape.len()).map(|axis| {
            let (chunk_len, unit_len) = (chunk_shape[axis], unit_shape[axis]);
            TouchedChunks::new(&selection, axis, chunk_len, unit_len, check)
        });
        let touched = touched.collect::<Result<_, E>>()?;
        Ok(Axes {
            joined,
            selection,
            chunk_shape,
            unit_shape,
            touched,
        })
    }

    /// Returns the memory, in bytes, held by the lists of the orthogonal selection and by the groups of their positions.
    #[cfg(feature = "zarrs")]
    pub(crate) fn held_bytes(&self) -> u64 {
        let groups = self.touched.iter().map(|axis| axis.held_bytes() as u64);
        list_bytes(&self.selection) + groups.sum::<u64>()
    }
}
