//! Displays, explains and translates OpenVINO's `StridedSlice`.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display};

use slice_core::{DynSliceSpec, Item, Selection};

use super::defects;
use crate::explain::Explanation;
use crate::explain::systems::explain_operation;
use crate::lists::gather::{Gather, indices_text};
use crate::openvino::{Program, StridedSlice};
use crate::operation::{Operation, System};
use crate::slice_and_gather::{GatherAfterSlice, SliceOrGather};
use crate::translate::defect::{Defect, Translated};
use crate::translate::entries::entries_to_spec;
use crate::translate::error::TranslateError;
use crate::translate::reverse::{check_reverse_begin, forward_range};
use crate::translate::spec::{EncodedItems, items, strided_items};

impl Display for StridedSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "opset1.strided_slice(x, {:?}, {:?}",
            self.begin, self.end
        )?;
        if let Some(strides) = &self.strides {
            write!(f, ", {strides:?}")?;
        }
        // The first two masks have no default, so they are always written.
        write!(
            f,
            ", begin_mask={:?}, end_mask={:?}",
            self.begin_mask, self.end_mask
        )?;
        for (name, mask) in [
            ("new_axis_mask", &self.new_axis_mask),
            ("shrink_axis_mask", &self.shrink_axis_mask),
            ("ellipsis_mask", &self.ellipsis_mask),
        ] {
            if mask.iter().any(|&element| element != 0) {
                write!(f, ", {name}={mask:?}")?;
            }
        }
        f.write_str(")")
    }
}

impl Operation for StridedSlice {
    const SYSTEM: System = System {
        id: "openvino",
        name: "OpenVINO",
        version: "2026.4.1",
        defects: defects::ALL,
    };

    type WithoutLists = Self;
    type WithLists = Program;

    /// Returns an operation whose masks are all as long as `begin`.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::Operation;
    /// use slice_systems::openvino::StridedSlice;
    /// use slice_core::s;
    ///
    /// let op = StridedSlice::from_spec(&s![..., ::-1].to_dyn())?.op;
    /// assert_eq!((op.begin_mask, op.ellipsis_mask), (vec![0, 1], vec![1, 0]));
    ///
    /// let refused = StridedSlice::from_spec(&s![-3::-1].to_dyn()).unwrap_err();
    /// assert!(refused.to_string().starts_with("`-3::-1` (item 1) has different meanings on axes shorter than 3"));
    /// # Ok::<(), slice_systems::translate::TranslateError>(())
    /// ```
    fn from_spec(spec: &DynSliceSpec) -> Result<Translated<Self>, TranslateError> {
        let items = strided_items(spec, Self::SYSTEM.name)?;
        let mut items: Vec<Item> = items.into_iter().map(forward_range).collect();
        for (i, item) in items.iter().enumerate() {
            check_reverse_begin(i, item, Self::SYSTEM.name)?;
        }
        if items.contains(&Item::NewAxis) && !items.contains(&Item::Ellipsis) {
            // The ellipsis is written because, if it is implied, the CPU plugin drops an axis for each new axis.
            items.push(Item::Ellipsis);
        }
        let vectors = EncodedItems::new(&items)?;
        let mut defects = defects(&items, &vectors);
        let consumes = |item: &Item| matches!(item, Item::Index(_) | Item::Range { .. });
        if !items.iter().any(consumes) {
            defects.push(defects::SCALAR_INPUT);
        }
        if items.iter().any(|item| matches!(item, Item::Index(_))) {
            defects.push(defects::UNCHECKED_INDEX);
        }
        if items
            .iter()
            .any(|item| matches!(item, Item::Range { step, .. } if *step < 0))
        {
            defects.push(defects::REVERSE_OF_NOTHING);
        }
        Ok(encode(vectors, defects))
    }

    fn from_selection(selection: &Selection) -> Result<Translated<Self>, TranslateError> {
        let items = items(selection, |range| range)?;
        let vectors = EncodedItems::new(&items)?;
        let mut defects = defects(&items, &vectors);
        if selection.input_shape().is_empty() {
            defects.push(defects::SCALAR_INPUT);
        }
        Ok(encode(vectors, defects))
    }

    fn to_spec(&self) -> Result<DynSliceSpec, TranslateError> {
        entries_to_spec(&self.checked()?, Self::SYSTEM.name)
    }

    fn from_spec_for_shape(
        spec: &DynSliceSpec,
        shape: &[usize],
    ) -> Result<Translated<Program>, TranslateError> {
        let mut program = Program::from_spec(spec, shape)?;
        let is_gather = |op: &SliceOrGather<Self>| !matches!(op, SliceOrGather::StridedSlice(_));
        if program.op.ops.iter().any(is_gather) && spec.resolve(shape)?.is_empty() {
            program.defects.push(defects::GATHER_OF_NOTHING);
        }
        Ok(program)
    }

    fn explanation(&self, shape: &[usize]) -> Explanation {
        let outcome = self.resolve(shape);
        explain_operation("OpenVINO's StridedSlice", self.checked(), shape, outcome)
    }
}

impl GatherAfterSlice for StridedSlice {
    const GATHER: &'static str = "opset8.gather";

    const GATHER_ND: &'static str = "opset8.gather_nd";

    fn gather_arguments(gather: &Gather) -> String {
        format!("{}, {}", indices_text(&gather.indices), gather.axis)
    }
}

/// Returns the defects that affect `items` for all shapes. Bounds and strides are affected if they do not fit in an
/// `i32` or are `i32::MIN`, whose absolute value does not fit.
fn defects(items: &[Item], vectors: &EncodedItems) -> Vec<Defect> {
    let is_wide = |number: i64| !(-i64::from(i32::MAX)..=i64::from(i32::MAX)).contains(&number);
    let mut defects = Vec::new();
    let ellipsis = items.iter().position(|item| *item == Item::Ellipsis);
    if ellipsis.is_some_and(|i| items[i..].contains(&Item::NewAxis)) {
        defects.push(defects::NEW_AXIS_AFTER_ELLIPSIS);
    }
    if vectors.strides.iter().any(|&stride| is_wide(stride)) {
        defects.push(defects::WIDE_STRIDE);
    }
    if vectors
        .begin
        .iter()
        .chain(&vectors.end)
        .any(|&bound| is_wide(bound))
    {
        defects.push(defects::WIDE_BOUND);
    }
    defects
}

fn encode(vectors: EncodedItems, defects: Vec<Defect>) -> Translated<StridedSlice> {
    let [
        begin_mask,
        end_mask,
        ellipsis_mask,
        new_axis_mask,
        shrink_axis_mask,
    ] = vectors.masks_as_lists();
    let op = StridedSlice {
        begin_mask,
        end_mask,
        new_axis_mask,
        shrink_axis_mask,
        ellipsis_mask,
        begin: vectors.begin,
        end: vectors.end,
        strides: Some(vectors.strides),
    };
    Translated { op, defects }
}
