//! Copies slices of NumPy arrays.

use pyo3::prelude::*;
use slice_core::{AxisRange, ResolvedStep, Selection};

use crate::elements::{Elements, ElementsMut};
use crate::error::from_slice;
use crate::selection::EngineSelection;

/// Copies a selection of `data` to `out`. Both are contiguous, and have the same integer type.
#[pyfunction]
pub fn gather(
    py: Python<'_>,
    data: Elements<'_>,
    selection: &EngineSelection,
    mut out: ElementsMut<'_>,
) -> PyResult<()> {
    macro_rules! same_types {
        ($($size:ident),*) => {
            match (&data, &mut out) {
                $((Elements::$size(data), ElementsMut::$size(out)) => {
                    let shape = data.as_array().shape().to_vec();
                    let selection = &selection.selection;
                    let with_units = with_last_axis(selection, &shape)?;
                    let selection = with_units.as_ref().unwrap_or(selection);
                    let (data, out) = (data.as_slice()?, out.as_slice_mut()?);
                    py.detach(|| selection.gather_into(data, out)).map_err(from_slice)
                })*
                _ => Err(pyo3::exceptions::PyTypeError::new_err("the arrays have different data types")),
            }
        };
    }
    same_types!(One, Two, Four, Eight)
}

/// Returns the selection with an additional last axis if `shape` has one.
fn with_last_axis(selection: &Selection, shape: &[usize]) -> PyResult<Option<Selection>> {
    let [rest @ .., last] = shape else {
        return Ok(None);
    };
    if rest.len() != selection.input_shape().len() {
        return Ok(None);
    }
    let whole = ResolvedStep::Keep(AxisRange::new(0, 1, *last));
    let selection = Selection::from_steps(shape, selection.resolved_steps().chain([whole]));
    Ok(Some(selection.map_err(from_slice)?))
}
