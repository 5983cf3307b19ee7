//! The formats of models.

use super::Unit;

/// The format of a model. The example of [`Model::format`](crate::Model::format) returns one.
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
