//! Arrays: opening, reading and writing.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use slice_core::Selection;
use slice_zarr::{ChunkedArray, PlanSlice, ReadSlice, WriteSlice};
use zarrs::array::Array;

use crate::elements::{Elements, ElementsMut, for_units};
use crate::error::{from_open, from_zarr};
use crate::run::{RunOptions, run};
use crate::selection::EngineSelection;
use crate::store::{Directory, PythonError, PythonStore, Store};

/// The number of bytes that are decoded so quickly that signals need not be checked meanwhile.
const SHORT_BYTES: usize = 16 << 20;

/// An open Zarr array.
#[pyclass(frozen, module = "slice_zarr._engine", name = "Array")]
pub struct EngineArray {
    pub array: Array<Store>,
    pub description: ChunkedArray,
    /// The exceptions of the store, if it is an object of Python.
    pub error: Option<Arc<PythonError>>,
}

impl EngineArray {
    fn new(
        store: Arc<Store>,
        error: Option<Arc<PythonError>>,
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
        let plan = array.plan_slice("...").map_err(from_zarr)?;
        let description = plan.with_address(address).array().clone();
        Ok(EngineArray {
            array,
            description,
            error,
        })
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
                Some(range) => {
                    let span = range.len().saturating_mul(range.step().unsigned_abs());
                    range.len().min(span / len + 2)
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
        EngineArray::new(Directory::open(directory)?, None, py, path, address)
    }

    /// Opens the array in a store with the methods `get`, `set` and `delete`.
    #[staticmethod]
    fn open_store(store: Py<PyAny>, py: Python<'_>, path: &str, address: &str) -> PyResult<Self> {
        let store = PythonStore::new(store);
        let error = store.error.clone();
        EngineArray::new(Arc::new(store), Some(error), py, path, address)
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

    /// Reads the elements of a selection into `out`. Returns the chunks, requests and bytes of the read.
    fn read(
        &self,
        py: Python<'_>,
        selection: &EngineSelection,
        mut out: ElementsMut<'_>,
        options: RunOptions<'_>,
    ) -> PyResult<(usize, usize, u64, u64)> {
        let selection = &selection.selection;
        let is_short = !options.is_main || self.is_short(selection);
        for_units!(ElementsMut, &mut out, out => {
            let out = out.as_array_mut();
            let stats = run(py, &options, is_short, self.error.as_deref(), |access| {
                self.array.read_slice_raw_into(selection, out, access)
            })?;
            Ok((stats.chunks, stats.requests, stats.bytes, stats.peak_bytes))
        })
    }

    /// Writes elements to a selection.
    fn write(
        &self,
        py: Python<'_>,
        selection: &EngineSelection,
        values: Elements<'_>,
        options: RunOptions<'_>,
    ) -> PyResult<()> {
        let selection = &selection.selection;
        let is_short = !options.is_main || self.is_short(selection);
        for_units!(Elements, &values, values => {
            let values = values.as_array();
            run(py, &options, is_short, self.error.as_deref(), |access| {
                self.array.write_slice_raw(selection, &values, access)
            })
        })
    }
}
