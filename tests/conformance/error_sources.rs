//! Checks that no error report repeats a message. A report contains an error's message, followed by the messages of its
//! sources. An error whose message contains the message of an inner error must therefore return the inner error's
//! source, and not the inner error itself, as its source.

use std::error::Error;

use slice_core::SliceError;
use slice_systems::reasons::{AtenError, KernelError, MilError, TransformError, VerifyError};
use slice_systems::translate::TranslateError;
use slice_systems::{OperationError, SystemError};
use slice_tests::error_report::{report, variants};
use slice_zarr::PlanError;

/// Returns one error for each variant of an enum, and checks that no variant is missing.
macro_rules! every_variant {
    ($Error:ident of $file:literal: $($Variant:ident $fields:tt;)*) => {{
        let names = variants(include_str!(concat!("../../", $file)), stringify!($Error));
        assert_eq!(names, [$(stringify!($Variant)),*], "the variants in {} differ from the list in this test", $file);
        [$($Error::$Variant $fields),*]
    }};
}

fn slice() -> SliceError {
    SliceError::InvalidOutputAxis { axis: 1 }
}

fn transform() -> SystemError {
    TransformError::Unbounded { dimension: 1 }.into()
}

fn operation() -> OperationError {
    OperationError::System(transform())
}

fn check<E: Error>(errors: impl IntoIterator<Item = E>) {
    for error in errors {
        report(&error).expect("the report should not repeat a message");
    }
}

#[test]
fn slice_errors_print_their_source_once() {
    check(
        every_variant! { SliceError of "slice-core/src/error/mod.rs":
            TooManyIndices { rank: 3, indexed: 3 };
            IndexOutOfBounds { item: 3, axis: 3, index: -2, size: 3 };
            ZeroStep { item: 3, axis: 3, begin: None, end: None };
            ListIndexOutOfBounds { item: 3, place: 3, axis: 3, index: -2, size: 3 };
            MaskLength { item: 3, axis: 3, len: 3, size: 3 };
            MultipleEllipses { first: 3, second: 3 };
            IndexStride { item: 3, axis: Some(1), stride: -2 };
            LengthMismatch { begin: 3, end: 3, strides: 3 };
            TooManyItems { items: 3, limit: 3 };
            MaskRange { bit: 1, items: 3 };
            TooLarge { axis: 3, size: 3 };
            BufferLength { expected: 3, actual: 3 };
            RankMismatch { expected: 3, actual: 3 };
            InvalidRange { axis: 3, start: 3, step: -3, len: 3, size: 3 };
            InvalidOutputAxis { axis: 3 };
            ShapeMismatch { expected: [2, 3].into(), actual: [2, 3].into() };
            Broadcast { value: [2, 3].into(), slice: [2, 3].into() };
            BroadcastToLists { value: [2, 3].into(), result: [2, 3].into() };
            BroadcastPoints { item: 3, shapes: [[2, 3].into(), [4].into()].into() };
            EmptyPoints { item: 3 };
            Overlap { first: 3, second: 3, position: [2, 3].into() };
            NotStrided {};
            JoinedAxes { axis: 3, axes: 2, rank: 1 };
            NotOneElement { elements: 3 };
            Allocation { elements: 3 };
            StrideOverflow { axis: 3, stride: -3 };
        },
    );
}

#[test]
fn transform_errors_print_their_source_once() {
    check(
        every_variant! { TransformError of "slice-systems/src/tensorstore/error.rs":
            TooManyDimensions { rank: 3 };
            Length { field: "word", rank: 3, len: 3 };
            RepeatedLabels { labels: vec!["x".to_owned()] };
            Interval { dimension: 3, min: -2, max: -2 };
            Unbounded { dimension: 3 };
            Dimension { axis: 3, dimension: 3, rank: 3 };
            Rank { expected: 3, actual: 3 };
            OutOfBounds { axis: 3, position: -1, size: 3 };
            Diagonal { dimension: 3, first: 3, second: 3 };
            Transposed { dimension: 3, axis: 3 };
            Repeated { dimension: 3, len: 3 };
            Implicit { dimension: 3 };
            IndexArray { axis: 3 };
        },
    );
}

#[test]
fn operation_errors_print_their_source_once() {
    check(
        every_variant! { OperationError of "slice-systems/src/error.rs":
            Slice(slice());
            MaskOverflow { mask: "word", value: -2 };
            NegativeMask { mask: "word", value: -2 };
            MaskElement { mask: "word", item: 3, value: -2 };
            ZeroInStrides { item: 3 };
            ZeroInSteps { item: 3 };
            MoreItemsThanAxes { items: 3, rank: 3 };
            ScalarInput {};
            VectorLength { vector: "word", expected: 3, actual: 3 };
            AxisOutOfRange { item: 3, axis: -2, rank: 3 };
            RepeatedAxis { first: 3, second: 3, axis: 3 };
            Opset { opset: 1, attribute: None };
            ListIndex { place: 3, axis: 3, index: -2, size: 3 };
            Brackets { system: "word", lists: 3 };
            System(transform());
            GradientShape { expected: [2, 3].into(), actual: [2, 3].into() };
        },
    );
}

#[test]
fn system_specific_errors_print_their_source_once() {
    check(
        every_variant! { KernelError of "slice-systems/src/litert/error.rs":
            Int32 { operand: "word", item: 3, value: -2 };
            LowestStride { item: 3, axis: 3 };
            EmptyEllipsis { item: 3 };
            NewAxisBeyond { bit: 3, entries: 3 };
            OffsetElsewhere { entries: 3, axes: 3 };
            OperandLength { operand: "word", rank: 3, entries: 3 };
            Begin { axis: 3, begin: -2, len: 3 };
            Size { axis: 3, size: -2 };
            BeginAndSize { axis: 3, begin: -2, size: -2, len: 3 };
            NotAdjacent {};
            NoAxes {};
            Rank { rank: 3, limit: 3 };
        },
    );
    check(
        every_variant! { AtenError of "slice-systems/src/torch/error.rs":
            Scalar { operator: "word" };
            Step { dim: -2, step: -2 };
            Source { expected: [2, 3].into(), actual: [2, 3].into() };
        },
    );
    check(
        every_variant! { VerifyError of "slice-systems/src/stablehlo/error.rs":
            Lengths { start_indices: 3, limit_indices: 3, strides: 3 };
            Rank { entries: 3, rank: 3 };
            Start { axis: 3, start: -2 };
            Limit { axis: 3, limit: -2, size: 3 };
            StartAfterLimit { axis: 3, start: -2, limit: -2 };
            Stride { axis: 3, stride: -2 };
            Sizes { slice_sizes: 3, start_indices: 3 };
            Size { axis: 3, size: -2, len: 3 };
            NegativeSize { axis: 3, size: -2 };
            Elements { expected: 3, actual: 3 };
            NotASlice {};
        },
    );
    check(
        every_variant! { MilError of "slice-systems/src/coreml/error.rs":
            Int32 { parameter: "word", item: 3, value: -2 };
            Scalar {};
            Length { parameter: "word", entries: 3, rank: 3 };
            CrossedBounds { axis: 3, begin: -2, end: -2, stride: -2 };
            Disagreement { axis: 3, inferred: -2, folded: 3 };
        },
    );
}

#[test]
fn translation_errors_print_their_source_once() {
    check(
        every_variant! { TranslateError of "slice-systems/src/translate/error.rs":
            Operation(operation());
            JoinedAxes(SliceError::JoinedAxes { axis: 3, axes: 2, rank: 1 });
            Transform(transform());
            NeedsShape { system: "word" };
            ReverseBegin { item: 3, begin: -2, end: None, step: -2, system: "word" };
            SpareEntry { item: 3, entries: 3, rank: 3 };
            EmptyEllipsis { item: 3, system: "word" };
            LengthFrom { item: 3, begin: -2, length: Some(-2) };
            SlicedTwice { axis: 3 };
            DependsOnLength { operation: "word", axis: 3 };
            NoSteps { item: 3, step: -2, opset: 1 };
            IntMaxEnd { item: 3 };
            EmptyNewAxis { axis: 3 };
            RepeatedNewAxis { axis: 3, len: 3 };
            List { operation: "word" };
            Missing { system: "word", part: "part", instead: "do without" };
            CrossingAxes { front: -2, back: -2 };
        },
    );
}

#[test]
fn plan_errors_print_their_source_once() {
    check(
        every_variant! { PlanError of "slice-zarr/src/read_plan/error.rs":
            Slice(slice());
            EmptyChunk { axis: 3 };
            ChunkTooLarge { axis: 3, len: 3 };
            TooManyCuts { cuts: 3 };
            InnerChunks { axis: 3, chunk: 3, inner: 3 };
            TooManyAxes { rank: 3 };
            TooManyParts { parts: 3 };
            PartRank { part: 3, expected: 3, actual: 3 };
            PartRange { part: 3, axis: 3, begin: 3, end: 3, size: 3 };
            PartInsideChunk { part: 3, axis: 3, position: 3 };
            Places { axis: 3 };
            Overlap { part: 3, other: 3 };
        },
    );
}

#[test]
fn repeated_messages_are_detected() {
    #[derive(Debug)]
    struct Outer(SliceError);
    impl std::fmt::Display for Outer {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "not read: {}", self.0)
        }
    }
    impl Error for Outer {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }
    assert!(report(&Outer(slice())).is_err());
}
