//! Checks that the public types implement common traits, such as `Send`, `Clone`, `Debug`, `Eq` and `Hash`.

use std::cell::Cell;
use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::panic::{RefUnwindSafe, UnwindSafe};

use slice_core::kind::{Erased, Index, List, Range};
use slice_core::{
    AxisPositions, AxisRange, CopyPlan, DynSliceSpec, Indices, Item, ItemMasks, ItemRole, ListSpec,
    MarkedLine, Masks, NdList, Nonzero, OutputAxis, ParseErrorKind, ParseSliceError, Selection,
    SliceError, SliceSpec, StaticPlan, StridedLayout,
};
use slice_systems::explain::{Entry, ExplainedBound, Explanation, Note};
use slice_systems::onnx::OnnxPlan;
use slice_systems::translate::{Defect, TranslateError, Translated};
use slice_systems::{
    AnyOperation, OperationError, System, SystemError, coreml, litert, mindspore, onnx, openvino,
    stablehlo, tensorflow, tensorstore, torch,
};
use slice_zarr::{
    ByteRuns, ChunkPart, ChunkParts, ChunkPlan, ChunkedArray, PlanError, PlanPart, PlanSplit,
    ReadPlan,
};

/// The traits that every public type must implement.
trait Common: Send + Sync + Unpin + UnwindSafe + RefUnwindSafe + Clone + Debug + 'static {}

impl<T: Send + Sync + Unpin + UnwindSafe + RefUnwindSafe + Clone + Debug + 'static> Common for T {}

fn common<T: Common>() {}
fn value<T: Common + Eq + Hash>() {}
fn text<T: Common + Eq + Hash + Display>() {}
fn error<T: Common + Eq + Hash + Error>() {}
fn copied<T: Copy>() {}
fn default<T: Default>() {}

macro_rules! are {
    ($property:ident: $($type:ty)*) => { $( $property::<$type>(); )* };
}

type TypedSpec = SliceSpec<1, (Range, ())>;
type ErasedSpec = SliceSpec<1, Erased>;
type TypedListSpec = ListSpec<'static, 1, (List, ())>;
/// A plan that copies from a type that is not `Sync` to a type that is neither `Send` nor `Sync`. The plan itself must
/// be `Send` and `Sync`.
type NonSyncPlan = StaticPlan<Cell<u8>, *const u8>;

#[test]
fn public_types_implement_the_common_traits() {
    are!(text: TypedListSpec);
    are!(value: NdList<i64> Nonzero<2>);
    are!(value: Selection AxisPositions);
    are!(common: Indices<'static>);
    are!(copied: TypedListSpec);
    are!(text: TypedSpec ErasedSpec DynSliceSpec Item Explanation Note);
    are!(text: tensorflow::StridedSlice openvino::StridedSlice mindspore::StridedSlice onnx::Slice);
    are!(text: ReadPlan);
    are!(text: OnnxPlan Defect ParseErrorKind tensorstore::IndexTransform tensorstore::OutputIndexMap);
    are!(error: SliceError ParseSliceError OperationError SystemError PlanError TranslateError);
    are!(text: litert::StridedSlice torch::Slice torch::Program);
    are!(text: stablehlo::Slice stablehlo::Program coreml::SliceByIndex coreml::Program);
    are!(value: torch::Op stablehlo::Op coreml::Op onnx::Op litert::Op Translated<torch::Program>);
    are!(default: litert::StridedSlice torch::Slice stablehlo::Slice coreml::SliceByIndex);
    are!(value: Masks Selection ChunkPlan AxisRange OutputAxis StridedLayout Entry ExplainedBound ItemRole);
    are!(text: AnyOperation MarkedLine);
    are!(value: Translated<OnnxPlan> System ChunkedArray ItemMasks);
    are!(common: Indices CopyPlan NonSyncPlan ByteRuns ChunkPart<'static> ChunkParts<'static>);
    are!(common: PlanPart<'static> PlanSplit<'static>);
    are!(copied: TypedSpec ErasedSpec NonSyncPlan Masks AxisRange OutputAxis ExplainedBound ItemRole);
    are!(copied: Defect ParseErrorKind Index);
    are!(default: DynSliceSpec Masks ExplainedBound tensorflow::StridedSlice openvino::StridedSlice);
    are!(default: mindspore::StridedSlice onnx::Slice tensorstore::IndexTransform ChunkedArray);
}
