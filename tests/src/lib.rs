//! Code shared by the cross-crate tests: it reads golden vectors (the recorded results of TensorFlow, ONNX and other
//! systems), generates random inputs, and contains the bodies of the fuzz targets.

pub mod error_report;
pub mod explain;
pub mod fuzz;
pub mod generate;
pub mod lists;
pub mod operation;
pub mod panics;
pub mod random_operations;
pub mod table;
pub mod tensors;
pub mod text;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::read::GzDecoder;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use slice_core::{DynSliceSpec, Item, SliceError};
use slice_systems::reasons::{AtenError, KernelError, MilError, Reason, VerifyError};
use slice_systems::{OperationError, SystemError};

/// The first line of a vector file, which is a file of golden vectors.
#[derive(Debug, Deserialize)]
pub struct Header {
    /// The number of cases in the file.
    pub cases: usize,
    /// The versions of the system and its libraries, by name.
    pub versions: BTreeMap<String, String>,
    /// The reason for each rule that excludes cases, by the name of the rule.
    #[serde(default)]
    pub exclusions: BTreeMap<String, String>,
}

/// The array returned by a system for an input with the elements 0, 1, 2, ...
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Output {
    /// The shape of the array.
    pub shape: Vec<usize>,
    /// The elements in C order.
    pub elements: Vec<i64>,
}

/// An error reported by a system.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Failure {
    /// The kind of error.
    pub kind: String,
    /// The first line of the system's own message.
    pub message: String,
}

/// The result of one case: an array or an error.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum RecordedResult {
    /// The system returned an array.
    Out(Output),
    /// The system reported an error.
    Error(Failure),
}

/// Reads `tests/vectors/<name>.jsonl.gz`.
///
/// # Panics
///
/// Panics if the file cannot be read, or does not have the format of a vector file.
pub fn read<T: DeserializeOwned>(name: &str) -> (Header, Vec<T>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("vectors")
        .join(format!("{name}.jsonl.gz"));
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut lines = BufReader::new(GzDecoder::new(file))
        .lines()
        .map(|line| line.expect("the line should be UTF-8"));
    let first = lines.next().expect("the file should begin with a header");
    let header: Header = serde_json::from_str(&first).expect("the first line should be a header");
    let cases: Vec<T> = lines
        .map(|line| {
            serde_json::from_str(&line).unwrap_or_else(|error| panic!("{name}: {error}: {line}"))
        })
        .collect();
    assert_eq!(
        header.cases,
        cases.len(),
        "the header of {name} states the wrong number of cases"
    );
    (header, cases)
}

/// An item of a slice in the notation of the vector files: `["i",1]`, `["r",begin,end,step]`, `["n"]`, `["e"]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum RawItem {
    /// A range.
    Range(String, Option<i64>, Option<i64>, Option<i64>),
    /// An index.
    Index(String, i64),
    /// A new axis or an ellipsis.
    Word((String,)),
}

impl From<&RawItem> for Item {
    fn from(raw: &RawItem) -> Self {
        match *raw {
            RawItem::Range(_, begin, end, step) => Item::Range {
                begin,
                end,
                step: step.unwrap_or(1),
            },
            RawItem::Index(_, index) => Item::Index(index),
            RawItem::Word((ref word,)) if word == "n" => Item::NewAxis,
            RawItem::Word(_) => Item::Ellipsis,
        }
    }
}

/// Creates a spec from `items`.
///
/// # Errors
/// Returns the same errors as [`DynSliceSpec::from_items`].
pub fn spec(items: &[RawItem]) -> Result<DynSliceSpec, SliceError> {
    DynSliceSpec::from_items(items.iter().map(Item::from))
}

/// Returns the name that the vector files use for the kind of `error`.
pub fn kind<E: Clone + Into<OperationError>>(error: &E) -> &'static str {
    let error = match error.clone().into() {
        OperationError::Slice(error) => error,
        error => return operation_kind(&error),
    };
    match error {
        SliceError::TooManyIndices { .. } => "too_many_indices",
        SliceError::IndexOutOfBounds { .. } => "index_oob",
        SliceError::ZeroStep { .. } => "zero_stride",
        SliceError::MultipleEllipses { .. } => "multiple_ellipsis",
        SliceError::IndexStride { .. } => "shrink_stride",
        // TensorFlow reports these two errors with the same message.
        SliceError::LengthMismatch { .. } | SliceError::TooManyItems { .. } => "length_mismatch",
        SliceError::MaskRange { .. } => "mask_range",
        SliceError::ListIndexOutOfBounds { .. } => "index_oob",
        SliceError::MaskLength { .. } => "mask_length",
        SliceError::Broadcast { .. } | SliceError::BroadcastToLists { .. } => "broadcast",
        SliceError::BroadcastPoints { .. } => "broadcast_points",
        _ => "other",
    }
}

fn operation_kind(error: &OperationError) -> &'static str {
    match error {
        OperationError::MaskOverflow { .. } | OperationError::NegativeMask { .. } => "mask_range",
        OperationError::MaskElement { .. } => "mask_value",
        OperationError::ZeroInStrides { .. } => "zero_stride",
        OperationError::MoreItemsThanAxes { .. } => "too_many_indices",
        OperationError::ScalarInput => "scalar_input",
        OperationError::VectorLength { vector: "ends", .. } => "len_ends",
        OperationError::VectorLength { vector: "axes", .. } => "len_axes",
        OperationError::VectorLength { .. } => "len_steps",
        OperationError::AxisOutOfRange { .. } => "axis_range",
        OperationError::ListIndex { .. } => "index_oob",
        OperationError::RepeatedAxis { .. } => "dup_axes",
        OperationError::GradientShape { .. } => "dy_shape",
        OperationError::System(SystemError(reason)) => reason_kind(reason),
        OperationError::Opset { .. } => "unknown_attribute",
        _ => "other",
    }
}

fn reason_kind(reason: &Reason) -> &'static str {
    match reason {
        Reason::LiteRt(error) => litert_kind(error),
        Reason::Torch(AtenError::Scalar { .. }) => "scalar_input",
        Reason::Torch(AtenError::Step { .. }) => "step_sign",
        Reason::Torch(AtenError::Source { .. }) => "src_shape",
        Reason::StableHlo(error) => stablehlo_kind(error),
        Reason::CoreMl(MilError::CrossedBounds { .. }) => "crossed_bounds",
        Reason::CoreMl(MilError::Length { .. }) => "rank_mismatch",
        _ => "other",
    }
}

fn stablehlo_kind(error: &VerifyError) -> &'static str {
    match error {
        VerifyError::Lengths { .. } | VerifyError::Sizes { .. } => "length_mismatch",
        VerifyError::Rank { .. } => "rank_mismatch",
        VerifyError::Start { .. } => "start_range",
        VerifyError::Limit { .. } => "limit_range",
        VerifyError::StartAfterLimit { .. } => "start_after_limit",
        VerifyError::Stride { .. } => "step_sign",
        VerifyError::Size { .. } | VerifyError::NegativeSize { .. } => "size_range",
        VerifyError::Elements { .. } => "element_count",
        _ => "other",
    }
}

fn litert_kind(error: &KernelError) -> &'static str {
    match error {
        KernelError::LowestStride { .. } => "lowest_stride",
        KernelError::OperandLength { .. } => "length_mismatch",
        KernelError::Begin { .. } => "begin_range",
        KernelError::Size { .. } => "size_range",
        KernelError::BeginAndSize { .. } => "begin_and_size",
        KernelError::NotAdjacent => "not_adjacent",
        _ => "other",
    }
}
