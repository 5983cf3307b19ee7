//! The formats of models.

use super::Unit;

/// The format of a model.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// ONNX.
    Onnx,
    /// A graph or a saved model of TensorFlow.
    TensorFlow,
    /// LiteRT, formerly called TensorFlow Lite.
    LiteRt,
    /// OpenVINO.
    OpenVino,
    /// StableHLO, as text.
    StableHlo,
    /// An archive written by PyTorch's `torch.export.save`.
    Torch,
}

impl Format {
    /// Returns the unit of the locations of nodes.
    pub(crate) fn unit(self) -> Unit {
        match self {
            Format::Onnx | Format::TensorFlow | Format::LiteRt => Unit::Byte,
            Format::OpenVino | Format::StableHlo => Unit::Line,
            Format::Torch => Unit::Node,
        }
    }
}
