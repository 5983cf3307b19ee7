//! Finds the slices of ONNX, LiteRT, TensorFlow, OpenVINO, PyTorch and StableHLO models, checks them, compares the
//! slices of two models, and rewrites the slices of ONNX models.
//!
//! ```
//! use slice_check::Model;
//!
//! let model = Model::read("tests/models/sentinels.onnx".as_ref())?;
//! let report = model.check(&[])?;
//! for slice in &report.slices {
//!     println!("{}: {:?} {:?}", slice.name, slice.slice, slice.mistakes);
//! }
//! assert_eq!(report.count_with_mistakes(), 1);
//! # Ok::<(), slice_check::ModelError>(())
//! ```

use std::collections::HashSet;
use std::path::Path;

pub mod compare;
mod converters;
mod escaped;
pub mod findings;
pub mod fix;
mod model;
pub mod print;
mod remark;
pub mod report;
pub mod support;

use model::openvino::Weights;
use model::{Graph, read};
use slice_systems::System;

pub use converters::ConverterBug;
pub use model::{Dim, Format, ModelError, ModelErrorKind, Scope, Unit};
pub use remark::{Remark, RemarkKind};

/// A model, reduced to its slices and their context.
///
/// # Examples
///
/// ```
/// use slice_check::Model;
///
/// let model = Model::read("tests/models/sentinels.onnx".as_ref())?;
/// let report = model.check(&[])?;
/// assert_eq!(report.slices[0].slice.as_deref(), Some("x[:, :, ::2]"));
/// # Ok::<(), slice_check::ModelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    bytes: Vec<u8>,
    graph: Graph,
}

impl Model {
    /// Reads the model in the file at `path`, or the TensorFlow saved model in the directory at `path`.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read, or if the model is invalid, in an unsupported format or too large.
    ///
    /// # Examples
    ///
    /// ```
    /// use slice_check::{Format, Model};
    ///
    /// let model = Model::read("tests/models/sentinels.onnx".as_ref())?;
    /// assert_eq!(model.format(), Format::Onnx);
    /// assert!(Model::read("no_such_model.onnx".as_ref()).is_err());
    /// # Ok::<(), slice_check::ModelError>(())
    /// ```
    pub fn read(path: &Path) -> Result<Model, ModelError> {
        let (bytes, graph) = read::model(path)?;
        Ok(Model { bytes, graph })
    }

    /// Reads the model in `bytes`. The constants of an OpenVINO model are unknown, because they are in a second file.
    ///
    /// # Errors
    ///
    /// Returns an error if the model is invalid, in an unsupported format or too large.
    ///
    /// # Examples
    ///
    /// ```
    /// use slice_check::Model;
    ///
    /// let text = "func.func @main(%x: tensor<8xf32>) -> tensor<4xf32> {
    ///   %0 = stablehlo.slice %x [0:8:2] : (tensor<8xf32>) -> tensor<4xf32>
    ///   return %0 : tensor<4xf32>
    /// }";
    /// let report = Model::from_bytes(text.into())?.check(&[])?;
    /// assert_eq!(report.slices[0].slice.as_deref(), Some("x[0:8:2]"));
    /// # Ok::<(), slice_check::ModelError>(())
    /// ```
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Model, ModelError> {
        let graph = read::graph(&bytes, Weights::NotSearched)?;
        Ok(Model { bytes, graph })
    }

    /// Returns the format of the model.
    ///
    /// # Examples
    ///
    /// ```
    /// use slice_check::{Format, Model};
    ///
    /// let model = Model::read("tests/models/sentinels.onnx".as_ref())?;
    /// assert_eq!(model.format(), Format::Onnx);
    /// # Ok::<(), slice_check::ModelError>(())
    /// ```
    #[must_use]
    pub fn format(&self) -> Format {
        self.graph.format
    }

    /// Checks the slices of the model, and whether each of `systems` supports them. An empty `systems` stands for all
    /// systems.
    ///
    /// # Errors
    ///
    /// Returns an error if the report would be too large.
    ///
    /// # Examples
    ///
    /// ```
    /// use slice_check::{Model, support::find_system};
    ///
    /// let model = Model::read("tests/models/sentinels.onnx".as_ref())?;
    /// let report = model.check(&[find_system("litert")?])?;
    /// let backwards = &report.slices[3];
    /// assert_eq!(backwards.name.as_ref(), "backwards");
    /// assert_eq!(backwards.mistakes[0].kind(), slice_check::RemarkKind::Runtime);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self, systems: &[System]) -> Result<report::Report, ModelError> {
        report::report(&self.graph, Some(systems))
    }

    /// Rewrites the slices of an ONNX model: resolves their bounds, removes slices that select everything, and merges
    /// nested slices. `report` is the result of [`check`](Self::check). Returns the bytes of the new model and the
    /// changes.
    ///
    /// # Errors
    ///
    /// Returns an error if the model is not an ONNX model or is malformed, if shapes in the new model contradict each other
    /// or are declared but cannot be checked, or if the slices of the new model would select different elements.
    ///
    /// # Examples
    ///
    /// ```
    /// use slice_check::Model;
    ///
    /// let model = Model::read("tests/models/sentinels.onnx".as_ref())?;
    /// let (bytes, changes) = model.fix(&model.check(&[])?)?;
    /// assert_eq!(changes.len(), 3);
    /// let fixed = Model::from_bytes(bytes)?.check(&[])?;
    /// assert_eq!(fixed.slices.len(), 3); // two slices fewer
    /// # Ok::<(), slice_check::ModelError>(())
    /// ```
    pub fn fix(&self, report: &report::Report) -> Result<(Vec<u8>, Vec<fix::Change>), ModelError> {
        if self.graph.format != Format::Onnx {
            return Err(ModelErrorKind::Unsupported.error("only ONNX models can be rewritten"));
        }
        let bytes = Vec::new();
        let graph = read::checked_onnx(&self.bytes)?;
        let before = Model { bytes, graph };
        let mut slices = before.check(&[])?;
        let reported = report
            .slices
            .iter()
            .filter(|slice| !slice.mistakes.is_empty());
        let wrong: HashSet<usize> = reported.map(|slice| slice.at).collect();
        for slice in slices
            .slices
            .iter_mut()
            .filter(|slice| wrong.contains(&slice.at))
        {
            slice.mistakes.push(
                RemarkKind::DeclaredShape
                    .remark("the slice is wrong if the declared shapes are right"),
            );
        }
        let (bytes, changes) = fix::rewrite(&self.bytes, &before.graph, &slices)?;
        let chains_before = compare::chains(&before, &slices)?;
        // Each model and its report may use much memory.
        drop((before, slices));
        fix::check_shapes(&read::graph(&bytes, Weights::NotSearched)?, report)?;
        let graph = read::checked_onnx(&bytes)?;
        let after = Model { bytes, graph };
        let chains_after = compare::chains(&after, &after.check(&[])?)?;
        match compare::same_in_any_order(&chains_before, &chains_after) {
            true => Ok((after.bytes, changes)),
            false => Err(ModelErrorKind::Unsupported.error(fix::SELECTS_DIFFERENTLY)),
        }
    }
}

/// Returns the number of steps that this thread has taken so far in this crate without allocating memory. Counts them only
/// in builds with debug assertions. Tests call this function.
#[doc(hidden)]
pub fn steps() -> u64 {
    model::steps::counted()
}

/// Returns the report on the model in `bytes`, as text. Also rewrites an ONNX model, and checks that the slices of the
/// rewritten model select the same elements. Tests and fuzz targets call this function.
///
/// # Errors
///
/// Returns an error if the bytes are not a valid model.
///
/// # Panics
///
/// Panics if a comparison of the model with itself finds a difference. Also panics if a model without mistakes is
/// invalid after rewriting, or if its slices then select different elements.
#[doc(hidden)]
pub fn report_text(bytes: &[u8]) -> Result<String, String> {
    let model = Model::from_bytes(bytes.to_vec()).map_err(|error| error.to_string())?;
    let report = model.check(&[]).map_err(|error| error.to_string())?;
    let comparison = compare::compare(&model, &model).map_err(|error| error.to_string())?;
    assert_eq!(comparison.difference, None, "the model differs from itself");
    // If a slice of the model has a mistake, the slices of the rewritten model may select different elements, because `fix`
    // corrects the mistake.
    let is_sound = report.count_with_mistakes() == 0;
    if let (true, Err(error)) = (is_sound, model.fix(&report)) {
        assert_ne!(error.to_string(), fix::SELECTS_DIFFERENTLY);
    }
    let mut text = Vec::new();
    print::write_text(&mut text, "model", &report, true).map_err(|error| error.to_string())?;
    Ok(String::from_utf8(text).expect("a report should be UTF-8"))
}
