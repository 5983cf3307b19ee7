//! Selections: brackets, resolved for the shape of an array.

use numpy::PyReadonlyArray1;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PyList, PySlice, PyTuple};
use slice_core::{AxisPositions, AxisRange, OutputAxis, Selection};

use crate::error::from_slice;

/// The elements selected from an array: on each axis, a range or a list of positions.
#[pyclass(frozen, module = "slice_zarr._engine", name = "Selection")]
pub struct EngineSelection {
    pub selection: Selection,
}

/// An item of the brackets.
enum Item<'py> {
    Index(isize),
    Range(Bound<'py, PySlice>),
    NewAxis,
    Ellipsis,
}

/// Returns the item, or `None` if it is a list, an array, or no valid index.
fn item<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Item<'py>>> {
    if let Ok(slice) = value.cast::<PySlice>() {
        return Ok(Some(Item::Range(slice.clone())));
    }
    if value.is_none() {
        return Ok(Some(Item::NewAxis));
    }
    if value.is_instance_of::<PyEllipsis>() {
        return Ok(Some(Item::Ellipsis));
    }
    if value.is_instance_of::<PyBool>() || value.is_instance_of::<PyList>() {
        return Ok(None);
    }
    match value.extract::<isize>() {
        Ok(index) => Ok(Some(Item::Index(index))),
        Err(error) if error.is_instance_of::<pyo3::exceptions::PyOverflowError>(value.py()) => {
            let message = format!("index {value} is out of bounds");
            Err(PyIndexError::new_err(message))
        }
        Err(_) => Ok(None),
    }
}

fn position(index: isize, axis: usize, size: usize) -> PyResult<usize> {
    let from_start = match index < 0 {
        true => index.checked_add_unsigned(size),
        false => Some(index),
    };
    match from_start.and_then(|index| usize::try_from(index).ok()) {
        Some(position) if position < size => Ok(position),
        _ => Err(PyIndexError::new_err(format!(
            "index {index} is out of bounds for axis {axis} with size {size}"
        ))),
    }
}

fn range(slice: &Bound<'_, PySlice>, size: usize) -> PyResult<AxisRange> {
    let size = isize::try_from(size).map_err(|_| PyValueError::new_err("an axis is too long"))?;
    let indices = slice.indices(size)?;
    // An empty range may start outside the axis.
    Ok(match indices.slicelength {
        0 => AxisRange::new(0, 1, 0),
        len => AxisRange::new(indices.start as usize, indices.step, len),
    })
}

#[pymethods]
impl EngineSelection {
    /// Resolves brackets that contain only integers, slices, `None` and `...`. Returns `None` for other brackets.
    #[staticmethod]
    fn basic(shape: Vec<usize>, key: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let mut items = Vec::new();
        match key.cast::<PyTuple>() {
            Ok(tuple) => {
                for value in tuple {
                    let Some(item) = item(&value)? else {
                        return Ok(None);
                    };
                    items.push(item);
                }
            }
            Err(_) => {
                let Some(item) = item(key)? else {
                    return Ok(None);
                };
                items.push(item);
            }
        }
        let is_axis = |item: &&Item<'_>| matches!(item, Item::Index(_) | Item::Range(_));
        let used = items.iter().filter(is_axis).count();
        let rank = shape.len();
        if used > rank {
            return Err(PyIndexError::new_err(format!(
                "too many indices for array: array is {rank}-dimensional, but {used} were indexed"
            )));
        }
        let ellipses = items.iter().filter(|item| matches!(item, Item::Ellipsis));
        if ellipses.count() > 1 {
            let message = "an index can only have a single ellipsis ('...')";
            return Err(PyIndexError::new_err(message));
        }
        let (mut axes, mut output) = (Vec::new(), Vec::new());
        let whole = |axes: &mut Vec<AxisRange>, output: &mut Vec<OutputAxis>, count: usize| {
            for _ in 0..count {
                output.push(OutputAxis::Input(axes.len()));
                axes.push(AxisRange::new(0, 1, shape[axes.len()]));
            }
        };
        for item in items {
            let axis = axes.len();
            match item {
                Item::Index(index) => {
                    axes.push(AxisRange::single(position(index, axis, shape[axis])?));
                }
                Item::Range(slice) => {
                    output.push(OutputAxis::Input(axis));
                    axes.push(range(&slice, shape[axis])?);
                }
                Item::NewAxis => output.push(OutputAxis::New { len: 1 }),
                Item::Ellipsis => whole(&mut axes, &mut output, rank - used),
            }
        }
        let rest = rank - axes.len();
        whole(&mut axes, &mut output, rest);
        let selection = Selection::from_axes(&shape, axes, &output).map_err(from_slice)?;
        Ok(Some(EngineSelection { selection }))
    }

    /// Resolves one item for each axis, and `None` for each new axis: an integer, a slice, or an array of positions,
    /// which must lie on the axis.
    #[staticmethod]
    fn outer(shape: Vec<usize>, items: Vec<Bound<'_, PyAny>>) -> PyResult<Self> {
        let (mut axes, mut output) = (Vec::<AxisPositions<'_>>::new(), Vec::new());
        for value in items {
            let axis = axes.len();
            if value.is_none() {
                output.push(OutputAxis::New { len: 1 });
                continue;
            }
            let Some(&size) = shape.get(axis) else {
                return Err(PyIndexError::new_err("too many indices for array"));
            };
            if let Ok(list) = value.extract::<PyReadonlyArray1<'_, i64>>() {
                let list = list.as_array();
                let positions: Vec<usize> = list.iter().map(|&k| k as usize).collect();
                output.push(OutputAxis::Input(axis));
                axes.push(AxisPositions::Singles(positions.into()));
            } else if let Ok(slice) = value.cast::<PySlice>() {
                output.push(OutputAxis::Input(axis));
                axes.push(range(slice, size)?.into());
            } else {
                let index = value.extract::<isize>()?;
                axes.push(AxisRange::single(position(index, axis, size)?).into());
            }
        }
        let selection = Selection::from_axes(&shape, axes, &output).map_err(from_slice)?;
        Ok(EngineSelection { selection })
    }

    /// Returns this selection followed by `then`, which selects from its result.
    fn compose(&self, then: &EngineSelection) -> PyResult<Self> {
        let selection = self.selection.compose(&then.selection);
        Ok(EngineSelection {
            selection: selection.map_err(from_slice)?,
        })
    }

    /// The shape of the result.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.selection.output_shape())
    }

    /// For each axis of the result, the axis of the array and the positions on it: a slice as (begin, step, length), or
    /// a list. A new axis has no array axis.
    fn axes<'py>(&self, py: Python<'py>) -> PyResult<Vec<(Option<usize>, Bound<'py, PyAny>)>> {
        let origins = self.selection.output_axes().iter();
        let axes = origins.map(|&origin| match origin {
            OutputAxis::New { len } => Ok((None, (0, 0, len).into_pyobject(py)?.into_any())),
            OutputAxis::Input(axis) => Ok((
                Some(axis),
                match self.selection.range(axis) {
                    Some(range) => (range.start(), range.step(), range.len())
                        .into_pyobject(py)?
                        .into_any(),
                    None => {
                        let positions = self.selection.positions(axis).into_iter();
                        let positions: Vec<i64> = positions.map(|k| k as i64).collect();
                        numpy::PyArray1::from_vec(py, positions).into_any()
                    }
                },
            )),
        });
        axes.collect()
    }
}
