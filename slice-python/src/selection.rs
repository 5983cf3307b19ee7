//! Selections: brackets, resolved for the shape of an array.

use ndarray::ArrayD;
use numpy::{PyArray, PyReadonlyArrayDyn};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PyList, PySlice, PyTuple};
use slice_core::{AxisPositions, AxisRange, Joined, OutputAxis, ResolvedStep, Selection};

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
    pub fn basic(shape: Vec<usize>, key: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
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
            lists.push(joined(list.0, &list.1)?);
        }
        let (mut steps, mut lists) = (Vec::new(), lists.iter());
        let mut axis = 0;
        for value in &items {
            if let Ok(is_one) = value.cast::<PyBool>() {
                let len = usize::from(is_one.is_true());
                steps.push(ResolvedStep::Insert { len });
                continue;
            }
            let step = if let Ok(slice) = value.cast::<PySlice>() {
                ResolvedStep::Keep(range(slice, size(&shape, axis)?)?)
            } else if let Ok(index) = value.extract::<isize>() {
                ResolvedStep::Drop(position(index, axis, size(&shape, axis)?)?)
            } else {
                let list = lists.next();
                ResolvedStep::Joined(list.ok_or_else(|| PyTypeError::new_err("invalid item"))?)
            };
            axis += match step {
                ResolvedStep::Joined(list) => list.axes(),
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
                ResolvedStep::Joined(list) => {
                    let positions = list.positions().to_vec().into_iter();
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

fn joined(axes: usize, list: &Positions<'_>) -> PyResult<Joined> {
    let list = list.as_array();
    let positions: Vec<usize> = list.iter().map(|&position| position as usize).collect();
    let positions = AxisPositions::Singles(positions.into());
    Joined::from_positions(axes, list.shape(), positions).map_err(from_slice)
}

fn size(shape: &[usize], axis: usize) -> PyResult<usize> {
    let size = shape.get(axis).copied();
    size.ok_or_else(|| PyIndexError::new_err("too many indices for array"))
}
