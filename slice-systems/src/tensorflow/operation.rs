//! Displays, explains and translates TensorFlow's `StridedSlice`.

use alloc::format;
use alloc::string::String;
use core::fmt::{self, Display};

use slice_core::{DynSliceSpec, Item, Selection};

use super::defects;
use crate::explain::Explanation;
use crate::explain::systems::explain_operation;
use crate::lists::gather::{Gather, NegativeIndices, check_points_of, indices_text};
use crate::masked_slice::Keywords;
use crate::operation::{Operation, System};
use crate::slice_and_gather::{GatherAfterSlice, SliceOrGather};
use crate::tensorflow::{Program, StridedSlice, check_entry_count};
use crate::translate::defect::Translated;
use crate::translate::entries::entries_to_spec;
use crate::translate::error::TranslateError;
use crate::translate::spec::{EncodedItems, items, shortest, strided_items};

impl Display for StridedSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (begin, end, strides) = (&self.begin, &self.end, &self.strides);
        let masks = Keywords(self.masks());
        write!(
            f,
            "tf.strided_slice(x, {begin:?}, {end:?}, {strides:?}{masks})"
        )
    }
}

/// The maximum number of axes that the CPU kernel supports.
const MAX_KERNEL_RANK: usize = 8;

/// The maximum number of axes for which the CPU kernel's masks have enough bits, one for each axis after the ellipsis
/// has been expanded.
const MAX_MASK_RANK: usize = 32;

impl Operation for StridedSlice {
    const SYSTEM: System = System {
        id: "tensorflow",
        name: "TensorFlow",
        version: "2.21.0",
        defects: defects::ALL,
    };

    type WithoutLists = Self;
    type WithLists = Program;

    /// Returns the operation that TensorFlow runs for `x[...]`, where `x` is a tensor.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::Operation;
    /// use slice_systems::tensorflow::StridedSlice;
    /// use slice_core::s;
    ///
    /// let op = StridedSlice::from_spec(&s![1:, ..., newaxis].to_dyn())?.op;
    /// assert_eq!((op.begin, op.end, op.strides), (vec![1, 0, 0], vec![0, 0, 0], vec![1, 1, 1]));
    /// assert_eq!((op.end_mask, op.ellipsis_mask, op.new_axis_mask), (1, 2, 4));
    /// # Ok::<(), slice_systems::translate::TranslateError>(())
    /// ```
    fn from_spec(spec: &DynSliceSpec) -> Result<Translated<Self>, TranslateError> {
        let items = strided_items(spec, Self::SYSTEM.name)?;
        Ok(Translated::without_defects(encode(&items)?))
    }

    fn from_selection(selection: &Selection) -> Result<Translated<Self>, TranslateError> {
        let rank = selection.input_shape().len();
        let limits = [
            (MAX_KERNEL_RANK, defects::HIGH_RANK),
            (MAX_MASK_RANK, defects::TOO_FEW_MASK_BITS),
        ];
        let exceeded_limits = limits.into_iter().filter(|&(limit, _)| rank > limit);
        let defects = exceeded_limits.map(|(_, defect)| defect).collect();
        Ok(Translated {
            op: encode(&shortest(items(selection, |range| range)?))?,
            defects,
        })
    }

    fn to_spec(&self) -> Result<DynSliceSpec, TranslateError> {
        entries_to_spec(&self.checked()?, Self::SYSTEM.name)
    }

    fn from_spec_for_shape(
        spec: &DynSliceSpec,
        shape: &[usize],
    ) -> Result<Translated<Program>, TranslateError> {
        let program = Program::from_spec(spec, shape)?;
        let is_points = |op: &SliceOrGather<Self>| matches!(op, SliceOrGather::GatherNd(_));
        if program.op.ops.iter().any(is_points) {
            check_points_of(&spec.resolve(shape)?, Self::SYSTEM.name)?;
        }
        Ok(program)
    }

    fn explanation(&self, shape: &[usize]) -> Explanation {
        let outcome = self.resolve(shape);
        explain_operation("TensorFlow's StridedSlice", self.checked(), shape, outcome)
    }
}

impl GatherAfterSlice for StridedSlice {
    const GATHER: &'static str = "tf.gather";

    const GATHER_ND: &'static str = "tf.gather_nd";

    const NEGATIVE_INDICES: NegativeIndices = NegativeIndices::AreErrors;

    fn gather_arguments(gather: &Gather) -> String {
        format!("{}, axis={}", indices_text(&gather.indices), gather.axis)
    }
}

fn encode(items: &[Item]) -> Result<StridedSlice, TranslateError> {
    check_entry_count(items.len())?;
    let (vectors, masks) = EncodedItems::new(items)?.into_bit_masked()?;
    Ok(StridedSlice::from_parts(vectors, masks))
}
