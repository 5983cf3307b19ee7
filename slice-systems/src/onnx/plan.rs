//! Translates Python slices to ONNX's `Slice`, `Squeeze` and `Unsqueeze`.
//!
//! `Slice` does not support indices, new axes or omitted bounds. An index becomes a range of one element, whose axis
//! `Squeeze` then drops. `Unsqueeze` adds new axes. INT_MAX and INT_MIN stand for omitted bounds.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Display};

use slice_core::resolve::item_axes;
use slice_core::{DynSliceSpec, Item, Selection, SliceError};

use super::defects;
use super::program::{Op, Program};
use crate::error::OperationError;
use crate::lists::gather::gather_of_list;
use crate::lists::{Operations, Split, role_on_axis};
use crate::onnx::{INT32_MAX, MIN_OPSET_WITH_INPUTS, Slice};
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;
use crate::translate::reverse::{check_reverse_begin, forward_range};
use crate::translate::spec::{ONNX, WHOLE, items, strided_items};

/// A slice that is expressed by a `Slice`, a `Squeeze` and an `Unsqueeze` operator, which are applied in this order. If
/// an operator is not needed, its field is `None` or empty.
///
/// Since opset 13, the axes of `Squeeze` and `Unsqueeze` are inputs of the operators. In earlier opsets, they are
/// attributes.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::onnx::OnnxPlan;
///
/// let plan = OnnxPlan::from_spec(&s![-1, ..., newaxis, ::-2].to_dyn(), 3, 13)?.op;
/// let slice = plan.slice.as_ref().expect("the plan should contain a `Slice`");
/// assert_eq!((&slice.starts[..], &slice.ends[..]), (&[-1, i64::MAX][..], &[i64::MAX, i64::MIN][..]));
/// assert_eq!((&slice.axes, &slice.steps), (&Some(vec![0, 2]), &Some(vec![1, -2])));
/// assert_eq!((&plan.squeeze[..], &plan.unsqueeze[..]), (&[0][..], &[1][..]));
/// assert_eq!(plan.resolve(&[4, 5, 6])?, s![-1, ..., newaxis, ::-2].resolve(&[4, 5, 6])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct OnnxPlan {
    /// The `Slice` operator.
    pub slice: Option<Slice>,
    /// The axes that `Squeeze` drops, numbered as in the input of `Squeeze`.
    pub squeeze: Vec<i64>,
    /// The axes that `Unsqueeze` adds, numbered as in the output of `Unsqueeze`.
    pub unsqueeze: Vec<i64>,
}

impl OnnxPlan {
    /// Returns operators that select the same elements as `spec`, for arrays with `rank` axes, both according to ONNX's
    /// specification and in ONNX Runtime.
    ///
    /// # Errors
    ///
    /// * [`TranslateError::ReverseBegin`] if a reverse range with a `begin` of `-k` has a different meaning in ONNX: on
    ///   an axis with fewer than `k` elements, Python selects nothing, but ONNX starts at the first element.
    /// * [`TranslateError::IntMaxEnd`] if a reverse range has the end `i32::MAX`, which ONNX Runtime treats as omitted.
    /// * [`TranslateError::NoSteps`] if a step other than 1 is needed in an opset without `steps`.
    /// * [`TranslateError::Operation`] if a range has a step of 0, if there are more indices and ranges than axes, or
    ///   if the opset is 0.
    pub fn from_spec(
        spec: &DynSliceSpec,
        rank: usize,
        opset: u32,
    ) -> Result<Translated<Self>, TranslateError> {
        let items = strided_items(spec, ONNX)?;
        let items: Vec<Item> = items.into_iter().map(forward_range).collect();
        for (i, item) in items.iter().enumerate() {
            check_reverse_begin(i, item, ONNX)?;
            if matches!(item, Item::Range { end: Some(INT32_MAX), step, .. } if *step < 0) {
                return Err(TranslateError::IntMaxEnd { item: i });
            }
        }
        encode(&items, rank, opset)
    }

    /// Returns operators that select the same elements as `selection`, for arrays of its input shape.
    ///
    /// # Errors
    ///
    /// * [`TranslateError::EmptyNewAxis`] if a new axis has length 0.
    /// * [`TranslateError::NoSteps`] if a step other than 1 is needed in an opset without `steps`.
    /// * [`TranslateError::Operation`] if the opset is 0.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_systems::onnx::OnnxPlan;
    ///
    /// let selection = s![-1, ::-2].resolve(&[4, 5])?;
    /// let plan = OnnxPlan::from_selection(&selection, 13)?.op;
    /// assert_eq!(plan.resolve(&[4, 5])?, selection);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_selection(
        selection: &Selection,
        opset: u32,
    ) -> Result<Translated<Self>, TranslateError> {
        let mut items = items(selection, |range| range)?;
        let consuming = items.iter_mut().filter(|item| **item != Item::NewAxis);
        for (item, &size) in consuming.zip(selection.input_shape()) {
            avoid_int_max(item, size as i64);
        }
        encode(&items, selection.input_shape().len(), opset)
    }

    /// Applies the operators to an array with the shape `shape`.
    ///
    /// # Errors
    ///
    /// * The same errors as [`Slice::resolve`].
    /// * [`SliceError::ShapeMismatch`](slice_core::SliceError::ShapeMismatch) if `Squeeze` would drop an axis whose
    ///   length is not 1.
    /// * [`OperationError::AxisOutOfRange`] if an axis of `Squeeze` or `Unsqueeze` does not exist, and
    ///   [`OperationError::RepeatedAxis`] if such an axis is repeated.
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        Program::from(self).resolve(shape)
    }

    /// Returns the spec that selects the same elements as the operators for all shapes with `rank` axes that the
    /// operators accept.
    ///
    /// # Errors
    ///
    /// * The same errors as [`Slice::to_spec_for_rank`].
    /// * [`TranslateError::SlicedTwice`] if `Slice` slices an axis that `Squeeze` then drops, and the position of the
    ///   selected element depends on the shape.
    /// * [`TranslateError::Operation`] if an axis of `Squeeze` or `Unsqueeze` does not exist or is repeated, or if
    ///   `rank` is above 64.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_systems::onnx::OnnxPlan;
    ///
    /// let plan = OnnxPlan::from_spec(&s![-1, ..., newaxis, ::-2].to_dyn(), 3, 13)?.op;
    /// assert_eq!(plan.to_spec_for_rank(3)?.to_string(), "-1, :, None, ::-2");
    /// # Ok::<(), slice_systems::translate::TranslateError>(())
    /// ```
    pub fn to_spec_for_rank(&self, rank: usize) -> Result<DynSliceSpec, TranslateError> {
        Program::from(self).to_spec_for_rank(rank)
    }
}

/// Converts a plan to a program. Operators that are not needed are omitted.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Operations;
/// use slice_systems::onnx::{OnnxPlan, Program};
///
/// let plan = OnnxPlan::from_spec(&s![-1, newaxis, ::-2].to_dyn(), 2, 13)?.op;
/// let program = Program::from(&plan);
/// assert_eq!(program.ops.len(), 3);
/// assert_eq!(program.to_spec_for_rank(2)?.to_string(), "-1, None, ::-2");
/// # Ok::<(), slice_systems::translate::TranslateError>(())
/// ```
impl From<&OnnxPlan> for Program {
    fn from(plan: &OnnxPlan) -> Self {
        let mut ops = Vec::from_iter(plan.slice.clone().map(Op::Slice));
        if !plan.squeeze.is_empty() {
            let axes = plan.squeeze.clone();
            ops.push(Op::Squeeze { axes });
        }
        if !plan.unsqueeze.is_empty() {
            let axes = plan.unsqueeze.clone();
            ops.push(Op::Unsqueeze { axes });
        }
        Program { ops }
    }
}

impl Program {
    /// Returns the program for a slice with lists: the operators of the slice's plan, followed by a `Gather` for each
    /// list.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`OnnxPlan::from_selection`].
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_systems::onnx::Program;
    ///
    /// let program = Program::from_spec(&s![1:, [3, 0, 0]].to_dyn(), &[3, 4], 11)?.op;
    /// assert_eq!(
    ///     program.to_string(),
    ///     "Slice-11(x, starts=[1], ends=[9223372036854775807], axes=[0]) -> Gather(indices=[3, 0, 0], axis=1)",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_spec(
        spec: &DynSliceSpec,
        shape: &[usize],
        opset: u32,
    ) -> Result<Translated<Self>, TranslateError> {
        let Split { slice, lists } = Split::of_spec(spec, shape)?;
        let Translated { op, defects } = OnnxPlan::from_selection(&slice, opset)?;
        let op = Program::from(&op);
        Translated { op, defects }.with_lists(&lists, |list| {
            gather_of_list(list, ONNX, Op::Gather, Op::GatherNd)
        })
    }
}

/// Displays the operators in order, each applied to the result of the previous one.
impl Display for OnnxPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Program::from(self).fmt(f)
    }
}

/// If ONNX Runtime would treat the end of `item` as omitted, rewrites the bound so that it counts from the end of the
/// axis, which has `size` elements.
fn avoid_int_max(item: &mut Item, size: i64) {
    match item {
        Item::Range { end: Some(end), .. } if *end == INT32_MAX => *end -= size,
        Item::Index(index) if *index == INT32_MAX - 1 => *index -= size,
        _ => {}
    }
}

/// Returns the start, end and step for an item, or `None` if the item consumes no axis or selects a whole axis.
fn start_end_step(item: &Item, opset: u32) -> Option<(i64, i64, i64)> {
    match *item {
        WHOLE => None,
        Item::Index(-1) => Some((-1, i64::MAX, 1)),
        // ONNX Runtime would treat the end `index + 1`, which is INT_MAX, as omitted. The end `index + 2` with a step of
        // 2 selects the same element.
        Item::Index(index) if index == INT32_MAX - 1 && opset >= MIN_OPSET_WITH_INPUTS => {
            Some((index, index + 2, 2))
        }
        Item::Index(index) => Some((index, index.saturating_add(1), 1)),
        Item::Range { begin, end, step } if step > 0 => {
            Some((begin.unwrap_or(0), end.unwrap_or(i64::MAX), step))
        }
        Item::Range { begin, end, step } => {
            // ONNX Runtime would treat an end of `i64::MAX` as omitted. `i64::MAX - 1` is an ordinary number, and also
            // lies beyond every element.
            let end = end.map_or(i64::MIN, |end| end.min(i64::MAX - 1));
            Some((begin.unwrap_or(i64::MAX), end, step))
        }
        _ => None,
    }
}

fn encode(items: &[Item], rank: usize, opset: u32) -> Result<Translated<OnnxPlan>, TranslateError> {
    let roles = items.iter().cloned().map(role_on_axis);
    let number = |axis: usize| i64::try_from(axis).unwrap_or(i64::MAX);
    let mut plan = OnnxPlan::default();
    let (mut starts, mut ends, mut axes, mut steps) = (vec![], vec![], vec![], vec![]);
    let mut stepped = None;
    let mut output = 0_usize;
    for (item, (item_index, _, covered)) in items.iter().zip(item_axes(roles, rank)?) {
        let axis = number(covered.start);
        if let Some((start, end, step)) = start_end_step(item, opset) {
            starts.push(start);
            ends.push(end);
            axes.push(axis);
            steps.push(step);
            stepped = stepped.or((step != 1).then_some((item_index, step)));
        }
        match item {
            Item::Ellipsis => output = output.saturating_add(covered.len()),
            Item::NewAxis => {
                plan.unsqueeze.push(number(output));
                output = output.saturating_add(1);
            }
            Item::Index(_) => plan.squeeze.push(axis),
            Item::Range { .. } => output = output.saturating_add(1),
            _ => return Err(SliceError::NotStrided.into()),
        }
    }
    if opset == 0 {
        let attribute = None;
        return Err(OperationError::Opset { opset, attribute }.into());
    }
    if let Some((item, step)) = stepped
        && opset < MIN_OPSET_WITH_INPUTS
    {
        return Err(TranslateError::NoSteps { item, step, opset });
    }
    let int_max = ends.contains(&INT32_MAX);
    plan.slice = (!starts.is_empty()).then_some(Slice {
        opset,
        starts,
        ends,
        axes: Some(axes),
        steps: stepped.map(|_| steps),
    });
    Ok(Translated {
        op: plan,
        defects: int_max.then_some(defects::INT_MAX).into_iter().collect(),
    })
}
