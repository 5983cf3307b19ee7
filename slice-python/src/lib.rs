//! The compiled part of the Python package `slice-zarr`. The module `slice_zarr._engine` is private: the files in
//! `python/slice_zarr` define the public names.

mod array;
mod elements;
mod error;
mod gather;
mod plan;
mod run;
mod selection;
mod store;

/// The module `slice_zarr._engine`.
#[pyo3::pymodule]
mod _engine {
    #[pymodule_export]
    use crate::array::EngineArray;
    #[pymodule_export]
    use crate::gather::gather;
    #[pymodule_export]
    use crate::plan::EnginePlan;
    #[pymodule_export]
    use crate::run::RunOptions;
    #[pymodule_export]
    use crate::selection::EngineSelection;
}
