//! Plans of reads, which can be split, sent to other processes, and run there.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use slice_zarr::ReadPlan;

use crate::array::EngineArray;
use crate::error::from_plan;
use crate::run::{RunOptions, run};
use crate::selection::EngineSelection;

/// A plan of a read.
#[pyclass(frozen, module = "slice_zarr._engine", name = "Plan")]
pub struct EnginePlan {
    plan: ReadPlan,
}

#[pymethods]
impl EnginePlan {
    #[new]
    fn new(array: &EngineArray, selection: &EngineSelection) -> PyResult<Self> {
        let plan = ReadPlan::new(array.description.clone(), selection.selection.clone());
        Ok(EnginePlan {
            plan: plan.map_err(from_plan)?,
        })
    }

    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        let plan = serde_json::from_str(text);
        let plan = plan.map_err(|error| PyValueError::new_err(format!("invalid plan: {error}")))?;
        Ok(EnginePlan { plan })
    }

    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.plan).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn __str__(&self) -> String {
        self.plan.to_string()
    }

    #[getter]
    fn address(&self) -> &str {
        &self.plan.array().address
    }

    /// The shape of the whole result.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.plan.shape())
    }

    /// The number of elements that the plan reads.
    #[getter]
    fn elements(&self) -> usize {
        self.plan.elements()
    }

    /// The number of objects in the store that hold selected elements.
    #[getter]
    fn touched_chunks(&self) -> usize {
        self.plan.touched_chunks()
    }

    #[getter]
    fn all_chunks(&self) -> u128 {
        self.plan.all_chunks()
    }

    #[getter]
    fn inner_chunks(&self) -> usize {
        self.plan.inner_chunks()
    }

    #[getter]
    fn output_bytes(&self) -> u64 {
        self.plan.output_bytes()
    }

    /// The number of requests, the number of requested bytes, and an upper bound on the memory of a read.
    fn needs(&self, array: &EngineArray, options: &RunOptions) -> (usize, u64, u64) {
        let access = options.apply(array.access());
        let (requests, bytes) = self.plan.requests_and_bytes(&access);
        (requests, bytes, self.plan.peak_bytes(&access))
    }

    fn split(&self, n: usize, output_chunks: Option<Vec<usize>>) -> PyResult<Vec<EnginePlan>> {
        let plans = match output_chunks {
            None => self.plan.split(n),
            Some(chunks) => self.plan.split_for(n, &chunks).map_err(from_plan)?,
        };
        Ok(plans.map(|plan| EnginePlan { plan }).collect())
    }

    /// The parts of the plan: for each, the selection from the array, and the selection from the whole result.
    fn parts(&self) -> Vec<(EngineSelection, EngineSelection)> {
        let parts = self.plan.parts().map(|part| {
            let (selection, output) = (part.selection(), part.output());
            (
                EngineSelection { selection },
                EngineSelection { selection: output },
            )
        });
        parts.collect()
    }

    /// The selection of the plan.
    fn selection(&self) -> EngineSelection {
        let selection = self.plan.selection();
        EngineSelection { selection }
    }

    /// Checks that an array is the one that the plan describes.
    fn check(&self, array: &EngineArray) -> PyResult<()> {
        let described = self.plan.array();
        let (plan, array) = (described.clone(), array.description.clone());
        let address = array.address.clone();
        if (slice_zarr::ChunkedArray { address, ..plan }) == array {
            return Ok(());
        }
        Err(PyValueError::new_err(format!(
            "{} differs from the array that was planned: the shape is {:?} and the chunks are {:?}, but the plan has \
             {:?} and {:?}; plan again",
            array.address, array.shape, array.chunk_shape, described.shape, described.chunk_shape
        )))
    }

    /// Reads the elements of the plan, and writes them to their positions in `output`.
    fn write_to(
        &self,
        py: Python<'_>,
        array: &EngineArray,
        output: &EngineArray,
        options: &RunOptions,
    ) -> PyResult<()> {
        let error = array.error.as_deref().or(output.error.as_deref());
        let access = options.apply(array.access());
        run(py, options, &access, false, error, |access| {
            self.plan.run_to(&array.array, &output.array, access)
        })?;
        Ok(())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.plan == other.plan
    }
}
