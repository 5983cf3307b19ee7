//! Arrays: opening, reading and writing.

use std::sync::Arc;

use ndarray::{ArrayViewMut, Dimension};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyTuple};
use slice_core::{Selection, s};
use slice_zarr::{AccessOptions, ChunkedArray, Element, PlanSlice, ReadSlice, WriteSlice};
use zarrs::array::Array;

use crate::elements::{Elements, ElementsMut, for_units};
use crate::error::{from_open, from_zarr};
use crate::run::{RunOptions, run};
use crate::selection::{EngineSelection, basic};
use crate::store::{Directory, PythonError, PythonStore, Store};

/// The number of bytes that are decoded so quickly, usually in less than 0.1 s, that signals need not be checked meanwhile.
const SHORT_BYTES: usize = 64 << 20;

/// The largest gap, in bytes, between two ranges that are read together from a file. Reading 8 KiB of a file in the page
/// cache takes about as long as another system call, and the operating system reads a file that is not in the page cache ahead.
const FILE_GAP: u64 = 8 << 10;

/// An open Zarr array.
#[pyclass(frozen, module = "slice_zarr._engine", name = "Array")]
pub struct EngineArray {
    pub array: Array<Store>,
    pub description: ChunkedArray,
    /// The exceptions of the store, if it is an object of Python.
    pub error: Option<Arc<PythonError>>,
    far_away: bool,
}

impl EngineArray {
    fn new(
        store: Arc<Store>,
        error: Option<Arc<PythonError>>,
        far_away: bool,
        py: Python<'_>,
        path: &str,
        address: &str,
    ) -> PyResult<Self> {
        let opened = py.detach(|| slice_zarr::open(store, path));
        let array = opened.map_err(|failure| {
            let failure = from_open(failure, address);
            failure.set_cause(py, error.as_deref().and_then(PythonError::take));
            failure
        })?;
        let plan = array.plan_slice(s![...]).map_err(from_zarr)?;
        let description = plan.with_address(address).array().clone();
        Ok(EngineArray {
            array,
            description,
            error,
            far_away,
        })
    }

    /// Returns the options for the store of the array.
    pub fn access(&self) -> AccessOptions<'static> {
        match &self.error {
            None => AccessOptions::new().merge_gap(FILE_GAP),
            Some(_) if self.far_away => AccessOptions::far_away(),
            Some(_) => AccessOptions::new(),
        }
    }

    fn read_into<T: Element, D: Dimension>(
        &self,
        py: Python<'_>,
        selection: &Selection,
        out: ArrayViewMut<'_, T, D>,
        options: &RunOptions,
    ) -> PyResult<()> {
        let is_short = !options.is_main || self.is_short(selection);
        let access = options.apply(self.access());
        let error = self.error.as_deref();
        run(py, options, &access, is_short, error, |access| {
            self.array.read_slice_raw_into(selection, out, access)
        })?;
        Ok(())
    }

    /// Returns whether a read takes so little time that signals need not be handled meanwhile.
    pub fn is_short(&self, selection: &Selection) -> bool {
        let array = &self.description;
        let unit = array
            .inner_chunk_shape
            .as_ref()
            .unwrap_or(&array.chunk_shape);
        let mut bytes = array.item_size;
        for (axis, (&len, &size)) in unit.iter().zip(&array.shape).enumerate() {
            let units = match selection.range(axis) {
                Some(range) if range.is_empty() => 0,
                Some(range) => {
                    let (first, last) = (range.start(), range.position(range.len() - 1));
                    range.len().min((first / len).abs_diff(last / len) + 1)
                }
                None => size.div_ceil(len),
            };
            bytes = bytes.saturating_mul(units).saturating_mul(len);
        }
        self.error.is_none() && bytes <= SHORT_BYTES
    }
}

#[pymethods]
impl EngineArray {
    /// Opens the array in a directory.
    #[staticmethod]
    fn open_directory(
        py: Python<'_>,
        directory: &str,
        path: &str,
        address: &str,
    ) -> PyResult<Self> {
        let directory = Directory::open(directory)?;
        EngineArray::new(directory, None, false, py, path, address)
    }

    /// Opens the array in a store with the methods `get`, `set` and `delete`. `far_away` is whether requests take long.
    #[staticmethod]
    fn open_store(
        py: Python<'_>,
        store: Py<PyAny>,
        path: &str,
        address: &str,
        far_away: bool,
    ) -> PyResult<Self> {
        let store = PythonStore::new(store);
        let error = store.error.clone();
        EngineArray::new(Arc::new(store), Some(error), far_away, py, path, address)
    }

    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.description.shape)
    }

    /// The shape of the objects in the store: of shards if the array is sharded, and otherwise of chunks.
    #[getter]
    fn chunk_shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.description.chunk_shape)
    }

    #[getter]
    fn inner_chunk_shape<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let inner = self.description.inner_chunk_shape.as_ref();
        inner.map(|shape| PyTuple::new(py, shape)).transpose()
    }

    #[getter]
    fn data_type(&self) -> &str {
        &self.description.data_type
    }

    #[getter]
    fn item_size(&self) -> usize {
        self.description.item_size
    }

    #[getter]
    fn fill_value(&self) -> Vec<u8> {
        self.array.fill_value().as_ne_bytes().to_vec()
    }

    /// The metadata, as JSON.
    #[getter]
    fn metadata(&self) -> PyResult<String> {
        serde_json::to_string(self.array.metadata())
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Reads the elements that brackets select into a new array of data type `dtype`, or returns a scalar, as NumPy does.
    /// Returns `None` for brackets with lists or masks, and for elements that are not passed as one integer.
    fn get<'py>(
        &self,
        key: &Bound<'py, PyAny>,
        dtype: &Bound<'py, PyAny>,
        options: &RunOptions,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        static EMPTY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        static FROM_BUFFER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = key.py();
        let Some(selection) = basic(&self.description.shape, key)? else {
            return Ok(None);
        };
        let is_ellipsis = |item: &Bound<'_, PyAny>| item.is(py.Ellipsis());
        let has_ellipsis = match key.cast::<PyTuple>() {
            Ok(items) => items.iter().any(|item| is_ellipsis(&item)),
            Err(_) => is_ellipsis(key),
        };
        // As in NumPy, brackets without `...` that select one element return a scalar.
        if selection.output_shape().is_empty() && !has_ellipsis {
            let size = self.description.item_size;
            let mut element = vec![0_u8; size];
            let shape = if size == 1 { vec![] } else { vec![size] };
            let out = ArrayViewMut::from_shape(shape, &mut element[..]);
            let out = out.expect("the element should have the shape of its bytes");
            self.read_into(py, &selection, out, options)?;
            let from_buffer = FROM_BUFFER.import(py, "numpy", "frombuffer")?;
            let array = from_buffer.call1((PyBytes::new(py, &element), dtype))?;
            return array.get_item(0).map(Some);
        }
        let unit = match self.description.item_size {
            1 => numpy::dtype::<u8>(py),
            2 => numpy::dtype::<u16>(py),
            4 => numpy::dtype::<u32>(py),
            8 => numpy::dtype::<u64>(py),
            _ => return Ok(None),
        };
        let selection = EngineSelection { selection };
        let empty = EMPTY.import(py, "numpy", "empty")?;
        let out = empty.call1((selection.shape(py)?, dtype))?;
        if !selection.selection.is_empty() {
            let units = out.call_method1(intern!(py, "view"), (unit,))?;
            self.read(py, &selection, units.extract()?, options)?;
        }
        Ok(Some(out))
    }

    /// Reads the elements of a selection into `out`.
    fn read(
        &self,
        py: Python<'_>,
        selection: &EngineSelection,
        mut out: ElementsMut<'_>,
        options: &RunOptions,
    ) -> PyResult<()> {
        let selection = &selection.selection;
        for_units!(ElementsMut, &mut out, out => {
            self.read_into(py, selection, out.as_array_mut(), options)
        })
    }

    /// Writes elements to a selection.
    fn write(
        &self,
        py: Python<'_>,
        selection: &EngineSelection,
        values: Elements<'_>,
        options: &RunOptions,
    ) -> PyResult<()> {
        let selection = &selection.selection;
        let is_short = !options.is_main || self.is_short(selection);
        for_units!(Elements, &values, values => {
            let values = values.as_array();
            let access = options.apply(self.access());
            run(py, options, &access, is_short, self.error.as_deref(), |access| {
                self.array.write_slice_raw(selection, &values, access)
            })
        })
    }
}
