//! Checks that translations between Python slices and the operations of TensorFlow, ONNX and other systems either
//! select the same elements or fail.

use std::collections::BTreeMap;

use fastrand::Rng;
use slice_core::{DynSliceSpec, Item, Selection, SliceError, s};
use slice_systems::onnx::OnnxPlan;
use slice_systems::translate::TranslateError;
use slice_systems::{
    OperationError, coreml, litert, mindspore, onnx, openvino, stablehlo, tensorflow, torch,
};
use slice_tests::generate;

mod errors;
mod lists;
mod to_python;
// The tests in `ranges` use axis lengths that need 64 bits.
#[cfg(target_pointer_width = "64")]
mod ranges;
mod selections;
mod specs;

/// Counts events by name.
#[derive(Default)]
struct Count(BTreeMap<String, usize>);

impl Count {
    fn add(&mut self, event: impl Into<String>) {
        *self.0.entry(event.into()).or_default() += 1;
    }

    /// Counts a failed translation by the kind of its error.
    fn add_error(&mut self, system: &str, error: &TranslateError) {
        let kind = match error {
            TranslateError::EmptyEllipsis { .. } => "EmptyEllipsis",
            TranslateError::EmptyNewAxis { .. } => "EmptyNewAxis",
            TranslateError::NoSteps { .. } => "NoSteps",
            TranslateError::ReverseBegin { .. } => "ReverseBegin",
            TranslateError::SpareEntry { .. } => "SpareEntry",
            _ => "of another kind",
        };
        self.add(format!("{system}, error {kind}"));
    }

    /// Prints all counts, and checks that each count named in `minimums` reaches the given minimum.
    fn report(&self, minimums: &[(&str, usize)]) {
        for (event, count) in &self.0 {
            println!("{event}: {count}");
        }
        for &(event, minimum) in minimums {
            let count = self.0.get(event).copied().unwrap_or_default();
            assert!(count >= minimum, "too few cases of `{event}`: {count}");
        }
    }
}
