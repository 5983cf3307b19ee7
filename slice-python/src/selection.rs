//! Selections: brackets, resolved for the shape of an array.

use ndarray::ArrayD;
use numpy::{PyArray, PyReadonlyArrayDyn};
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PyList, PySlice, PyString, PyTuple};
use slice_core::resolve::{index_at, range_at};
use slice_core::{AxisPositions, DynSliceSpec, Item, ListedAxes, ResolvedStep, Selection};

use crate::error::from_slice;

/// The elements selected from an array: on each axis, a range or a list of positions.
#[pyclass(frozen, module = "slice_zarr._engine", name = "Selection")]
pub struct EngineSelection {
    pub selection: Selection,
}

/// Returns the item, or `None` if it is a list, an array, or no valid index.
fn item(value: &Bound<'_, PyAny>) -> PyResult<Option<Item>> {
    if let Ok(slice) = value.cast::<PySlice>() {
        return Ok(Some(Item::Range {
            begin: bound(slice, intern!(slice.py(), "start"))?,
            end: bound(slice, intern!(slice.py(), "stop"))?,
            step: bound(slice, intern!(slice.py(), "step"))?.unwrap_or(1),
        }));
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
    match value.extract() {
        Ok(index) => Ok(Some(Item::Index(index))),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            let message = format!("index {value} is out of bounds");
            Err(PyIndexError::new_err(message))
        }
        Err(_) => Ok(None),
    }
}

/// Returns a part of a slice, or `None` if it is omitted. Every axis ends before the integers that do not fit in 64 bits.
fn bound(slice: &Bound<'_, PySlice>, name: &Bound<'_, PyString>) -> PyResult<Option<i64>> {
    let value = slice.getattr(name)?;
    match value.extract() {
        Err::<_, PyErr>(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            Ok(Some(if value.lt(0)? { i64::MIN } else { i64::MAX }))
        }
        bound => bound,
    }
}

/// Resolves brackets that contain only integers, slices, `None` and `...`. Returns `None` for other brackets.
pub fn basic(shape: &[usize], key: &Bound<'_, PyAny>) -> PyResult<Option<Selection>> {
    let items: Option<Vec<Item>> = match key.cast::<PyTuple>() {
        Ok(items) => {
            let items = items.iter().map(|value| item(&value));
            items.collect::<PyResult<_>>()?
        }
        Err(_) => item(key)?.map(|item| vec![item]),
    };
    let selection = items.map(|items| DynSliceSpec::from_items(items)?.resolve(shape));
    selection.transpose().map_err(from_slice)
}

#[pymethods]
impl EngineSelection {
    /// Resolves brackets that contain only integers, slices, `None` and `...`. Returns `None` for other brackets.
    #[staticmethod]
    fn basic(shape: Vec<usize>, key: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let selection = basic(&shape, key)?;
        Ok(selection.map(|selection| EngineSelection { selection }))
    }

    /// Resolves one item for each axis: an integer, a slice, or an array of positions, which must lie on the axis. A pair of a
    /// number of axes and an array takes the place of several items: its positions are counted in C order over these axes. A
    /// new axis is `True` or, if its length is 0, `False`.
    #[staticmethod]
    fn listed(shape: Vec<usize>, items: Vec<Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut lists = Vec::new();
        for value in &items {
            let list = match value.extract::<Positions<'_>>() {
                Ok(list) => (1, list),
                Err(_) => match value.extract::<(usize, Positions<'_>)>() {
                    Ok(list) => list,
                    Err(_) => continue,
                },
            };
            lists.push(listed_axes(list.0, &list.1)?);
        }
        let (mut steps, mut lists) = (Vec::new(), lists.iter());
        let mut axis = 0;
        for value in &items {
            if let Ok(is_one) = value.cast::<PyBool>() {
                let len = usize::from(is_one.is_true());
                steps.push(ResolvedStep::Insert { len });
                continue;
            }
            let step = match item(value)? {
                Some(Item::Range { begin, end, step }) => {
                    let size = size(&shape, axis)?;
                    range_at(steps.len(), axis, begin, end, step, size).map(ResolvedStep::Keep)
                }
                Some(Item::Index(index)) => {
                    index_at(steps.len(), axis, index, size(&shape, axis)?).map(ResolvedStep::Drop)
                }
                _ => {
                    let list = lists.next();
                    Ok(ResolvedStep::List(
                        list.ok_or_else(|| PyTypeError::new_err("invalid item"))?,
                    ))
                }
            };
            let step = step.map_err(from_slice)?;
            axis += match step {
                ResolvedStep::List(list) => list.axes(),
                _ => 1,
            };
            steps.push(step);
        }
        let selection = Selection::from_steps(&shape, steps).map_err(from_slice)?;
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
    pub fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.selection.output_shape())
    }

    /// For each step that contributes to the result: the first input axis, the number of input axes, and the positions, as a
    /// slice (begin, step, length) or as a list. A new axis has no input axis.
    fn steps<'py>(&self, py: Python<'py>) -> PyResult<Vec<(usize, usize, Bound<'py, PyAny>)>> {
        let (mut axis, mut steps) = (0, Vec::new());
        let tuple =
            |tuple: (usize, isize, usize)| Ok::<_, PyErr>(tuple.into_pyobject(py)?.into_any());
        for step in self.selection.resolved_steps() {
            let (axes, positions) = match step {
                ResolvedStep::Drop(_) => {
                    axis += 1;
                    continue;
                }
                ResolvedStep::Insert { len } => (0, tuple((0, 0, len))?),
                ResolvedStep::Keep(range) => {
                    (1, tuple((range.start(), range.step(), range.len()))?)
                }
                ResolvedStep::List(list) => {
                    let positions = list.positions().iter();
                    let positions = positions.map(|position| position as i64).collect();
                    let positions = ArrayD::from_shape_vec(list.shape(), positions)
                        .expect("a list should have one position for each element of its shape");
                    (
                        list.axes(),
                        PyArray::from_owned_array(py, positions).into_any(),
                    )
                }
            };
            steps.push((axis, axes, positions));
            axis += axes;
        }
        Ok(steps)
    }
}

/// Positions of elements, in an array with any number of axes.
type Positions<'py> = PyReadonlyArrayDyn<'py, i64>;

fn listed_axes(axes: usize, list: &Positions<'_>) -> PyResult<ListedAxes> {
    let list = list.as_array();
    let positions = list.iter().map(|&position| position as usize);
    let positions = AxisPositions::from_positions(positions);
    ListedAxes::from_positions(axes, list.shape(), positions).map_err(from_slice)
}

fn size(shape: &[usize], axis: usize) -> PyResult<usize> {
    let size = shape.get(axis).copied();
    size.ok_or_else(|| PyIndexError::new_err("too many indices for array"))
}
