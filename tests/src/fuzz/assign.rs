//! Checks assignments to random slices. The assigned values may or may not broadcast to the shape of the slice.

use std::fmt::Debug;

use arbitrary::Arbitrary;
use slice_core::{DynSliceSpec, Item, SliceError, StridedSliceExt};

use super::array::Memory;
use super::input::SliceOfSmallArray;
use super::model;
use crate::kind;

/// A slice, its array, and the assigned value. `element_type` selects one of several types of elements.
#[derive(Debug, Arbitrary)]
pub struct Case {
    element_type: u8,
    slice: SliceOfSmallArray<1500>,
    memory: Memory,
    value: Value,
}

/// An assigned value, described by how its shape differs from the shape of the slice.
#[derive(Debug, Arbitrary)]
struct Value {
    memory: Memory,
    /// If bit `axis % 8` is set, the axis has length 1.
    ones: u8,
    /// If this is at most -64, leading axes are removed. If this is at least 64, leading axes of length 1 are added.
    /// `ones` determines how many axes are removed or added.
    leading_axes: i8,
    /// If this is more than 240, one of the first four axes is lengthened by 1.
    longer_axis: u8,
}

impl Value {
    fn shape(&self, slice_shape: &[usize]) -> Vec<usize> {
        let mut shape: Vec<usize> = slice_shape.to_vec();
        for (axis, size) in shape.iter_mut().enumerate() {
            if self.ones >> (axis % 8) & 1 == 1 {
                *size = 1;
            }
        }
        match self.leading_axes {
            -128..=-64 => drop(shape.drain(..shape.len().min(1 + self.ones as usize % 3))),
            64..=127 => shape
                .splice(..0, vec![1; 1 + self.ones as usize % 2])
                .for_each(drop),
            _ => {}
        }
        if self.longer_axis > 240
            && let Some(size) = shape.get_mut(usize::from(self.longer_axis % 4))
        {
            *size += 1;
        }
        shape
    }
}

/// Checks that an assignment changes the selected elements and no others. Returns `true` if an element changed.
///
/// # Panics
///
/// Panics if a check fails.
pub fn check(case: &Case) -> bool {
    let Ok(spec) = DynSliceSpec::from_items(case.slice.items.iter().cloned()) else {
        return false;
    };
    match case.element_type % 7 {
        0 => check_type(case, &spec, |i| i as u8),
        1 => check_type(case, &spec, |i| i as u16),
        2 => check_type(case, &spec, |i| i),
        3 => check_type(case, &spec, |i| u64::from(i) << 20),
        4 => check_type(case, &spec, |i| u128::from(i) << 60),
        // A `Box` must be cloned, not copied as bytes.
        5 => check_type(case, &spec, Box::new),
        _ => check_type(case, &spec, |i| [i as u8, 1, 2]),
    }
}

/// Checks assignments with one element type. The elements of the array are created from the numbers 0, 1, 2, ..., and
/// the elements of the value from 1000, 1001, 1002, ...
fn check_type<T: Clone + PartialEq + Debug>(
    case: &Case,
    spec: &DynSliceSpec,
    element: impl Fn(u32) -> T,
) -> bool {
    let SliceOfSmallArray { items, shape } = &case.slice;
    let value_element = |i| element(i + 1_000);
    if let Ok(selection) = spec.resolve(shape) {
        let before: Vec<T> = case
            .memory
            .array(shape, &element)
            .into_raw_vec_and_offset()
            .0;
        let value_shape = case.value.shape(selection.output_shape());
        let value = case
            .value
            .memory
            .array(&value_shape, value_element)
            .into_raw_vec_and_offset()
            .0;
        let model = expected_elements(items, shape, &before, &value_shape, &value);
        let mut after = before.clone();
        let result = selection.assign(&value_shape, &value, &mut after);
        check_agreement(result, after.iter(), &before, &model);

        let mut after = before.clone();
        let result = selection.fill(element(7), &mut after);
        let model = expected_elements(items, shape, &before, &[], &[element(7)]);
        check_agreement(result, after.iter(), &before, &model);
    }

    let mut array = case.memory.array(shape, &element);
    let mut view = array.view_mut();
    case.memory.change_layout(view.as_mut());
    let selected = model::select(items, view.shape());
    let value_shape = selected.map_or(vec![2], |selected| case.value.shape(&selected.shape));
    let value = case.value.memory.array(&value_shape, value_element);
    let mut value = value.view();
    case.value.memory.change_layout(value.as_mut());
    let (before, elements) = (elements(view.iter()), elements(value.iter()));
    let model = expected_elements(items, view.shape(), &before, value.shape(), &elements);
    let result = view.try_set(spec, &value);
    check_agreement(result, view.iter(), &before, &model);
    let is_written = model.is_ok_and(|after| after != before);

    let (before, seven) = (self::elements(view.iter()), element(7));
    let result = view.try_fill_at(spec, seven.clone());
    let model = expected_elements(items, view.shape(), &before, &[], &[seven]);
    check_agreement(result, view.iter(), &before, &model);
    is_written
}

fn elements<'a, T: Clone + 'a>(elements: impl Iterator<Item = &'a T>) -> Vec<T> {
    elements.cloned().collect()
}

/// Returns the elements of an array after an assignment, or the name of the error, according to the model.
fn expected_elements<T: Clone>(
    items: &[Item],
    shape: &[usize],
    before: &[T],
    mut value_shape: &[usize],
    value: &[T],
) -> Result<Vec<T>, &'static str> {
    let selected = model::select(items, shape)?;
    while value_shape.len() > selected.shape.len() && value_shape[0] == 1 {
        value_shape = &value_shape[1..];
    }
    let missing_axes = selected
        .shape
        .len()
        .checked_sub(value_shape.len())
        .ok_or("broadcast")?;
    let sizes = value_shape.iter().zip(&selected.shape[missing_axes..]);
    if sizes
        .clone()
        .any(|(&size, &target_size)| size != target_size && size != 1)
    {
        return Err("broadcast");
    }
    let mut after = before.to_vec();
    for (position, &offset) in selected.offsets.iter().enumerate() {
        // Converts the offset of an element in the slice to the offset of the assigned element in the value, axis by
        // axis from the last to the first.
        let (mut remaining, mut value_offset, mut stride) = (position, 0, 1);
        for (&size, &target_size) in sizes.clone().rev() {
            if size != 1 {
                value_offset += remaining % target_size * stride;
            }
            remaining /= target_size;
            stride *= size;
        }
        after[offset] = value[value_offset].clone();
    }
    Ok(after)
}

fn check_agreement<'a, T: PartialEq + Debug + 'a>(
    result: Result<(), SliceError>,
    after: impl Iterator<Item = &'a T>,
    before: &[T],
    model: &Result<Vec<T>, &'static str>,
) {
    assert_eq!(
        result.as_ref().map_err(kind).err(),
        model.as_ref().err().copied()
    );
    assert!(after.eq(model.as_deref().unwrap_or(before)));
}
