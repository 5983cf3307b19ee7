//! Assignment to any slice, of values that broadcast to it or do not.

use std::fmt::Debug;

use arbitrary::Arbitrary;
use slice_core::{DynSliceSpec, Item, SliceError, StridedSliceExt};

use super::array::Memory;
use super::input::Fitting;
use super::model;
use crate::kind;

/// A slice, the array it is taken from, and what is assigned to it.
#[derive(Debug, Arbitrary)]
pub struct Case {
    slice: Fitting<400>,
    memory: Memory,
    value: Value,
}

/// A value, by what distinguishes its shape from that of the slice.
#[derive(Debug, Arbitrary)]
struct Value {
    memory: Memory,
    /// Bit `i`: axis `i` has length 1.
    ones: u8,
    /// Leading axes that are left out, or added with length 1.
    leading: i8,
    /// Seldom an axis is too long.
    longer: u8,
}

impl Value {
    fn shape(&self, slice: &[usize]) -> Vec<usize> {
        let mut shape: Vec<usize> = slice.to_vec();
        for (axis, size) in shape.iter_mut().enumerate() {
            if self.ones >> (axis % 8) & 1 == 1 {
                *size = 1;
            }
        }
        match self.leading {
            -128..=-64 => drop(shape.drain(..shape.len().min(1 + self.ones as usize % 3))),
            64..=127 => shape
                .splice(..0, vec![1; 1 + self.ones as usize % 2])
                .for_each(drop),
            _ => {}
        }
        if self.longer > 240
            && let Some(size) = shape.get_mut(usize::from(self.longer % 4))
        {
            *size += 1;
        }
        shape
    }
}

/// Checks that the selected elements are written, and nothing else; returns whether there are any.
///
/// # Panics
///
/// If they are not.
pub fn check(case: &Case) -> bool {
    let items = &case.slice.items;
    let Ok(spec) = DynSliceSpec::from_items(items.iter().copied()) else {
        return false;
    };
    check_flat(case, &spec);

    let mut array = case.memory.array(&case.slice.shape);
    let mut view = array.view_mut();
    case.memory.turn(view.as_mut());
    let before: Vec<u32> = view.iter().copied().collect();

    let filled = view.try_strided_slice_fill(&spec, 7);
    let model = assigned(items, view.shape(), &before, |_| &[], &[7]);
    agrees(filled, view.iter().copied(), &before, &model);

    let value = |slice: &[usize]| case.value.shape(slice);
    let shape =
        model::select(items, view.shape()).map_or(vec![2], |selected| value(&selected.shape));
    let mut value = case.value.memory.array(&shape);
    value += 1_000;
    let mut value = value.view();
    case.value.memory.turn(value.as_mut());
    let before: Vec<u32> = view.iter().copied().collect();
    let elements: Vec<u32> = value.iter().copied().collect();
    let model = assigned(items, view.shape(), &before, |_| value.shape(), &elements);
    let done = view.try_strided_slice_assign(&spec, &value);
    agrees(done, view.iter().copied(), &before, &model);
    model.is_ok_and(|after| after != before)
}

/// Flat buffers, of elements that are plain and of elements that are not.
fn check_flat(case: &Case, spec: &DynSliceSpec) {
    let (items, shape) = (&case.slice.items, &case.slice.shape);
    let Ok(selection) = spec.resolve(shape) else {
        return;
    };
    let value_shape = case.value.shape(selection.output_shape());
    let before: Vec<u32> = (0..selection.input_len() as u32).collect();
    let value: Vec<u32> = (0..value_shape.iter().product::<usize>() as u32)
        .map(|i| i + 1_000)
        .collect();
    let model = assigned(items, shape, &before, |_| &value_shape, &value);

    let mut into = before.clone();
    let done = selection.assign(&value_shape, &value, &mut into);
    agrees(done, into.iter().copied(), &before, &model);

    let boxed =
        |elements: &[u32]| -> Box<[Box<u32>]> { elements.iter().copied().map(Box::new).collect() };
    let mut into = boxed(&before);
    let done = selection.assign(&value_shape, &boxed(&value), &mut into);
    agrees(done, into.iter().map(|element| **element), &before, &model);

    let mut into = boxed(&before);
    let done = selection.fill(Box::new(7), &mut into);
    let model = assigned(items, shape, &before, |_| &[], &[7]);
    agrees(done, into.iter().map(|element| **element), &before, &model);
}

/// The elements of an array after the assignment, or the name of what is wrong with it.
fn assigned<'a>(
    items: &[Item],
    shape: &[usize],
    before: &[u32],
    value_shape: impl Fn(&[usize]) -> &'a [usize],
    value: &[u32],
) -> Result<Vec<u32>, &'static str> {
    let selected = model::select(items, shape)?;
    let mut value_shape = value_shape(&selected.shape);
    while value_shape.len() > selected.shape.len() && value_shape[0] == 1 {
        value_shape = &value_shape[1..];
    }
    let missing = selected
        .shape
        .len()
        .checked_sub(value_shape.len())
        .ok_or("broadcast")?;
    let sizes = value_shape.iter().zip(&selected.shape[missing..]);
    if sizes
        .clone()
        .any(|(&size, &wanted)| size != wanted && size != 1)
    {
        return Err("broadcast");
    }
    let mut after = before.to_vec();
    for (place, &offset) in selected.offsets.iter().enumerate() {
        // The position in the slice, from the last axis on, as a place in the value.
        let (mut rest, mut from, mut stride) = (place, 0, 1);
        for (&size, &wanted) in sizes.clone().rev() {
            if size != 1 {
                from += rest % wanted * stride;
            }
            rest /= wanted;
            stride *= size;
        }
        after[offset] = value[from];
    }
    Ok(after)
}

fn agrees(
    done: Result<(), SliceError>,
    after: impl Iterator<Item = u32>,
    before: &[u32],
    model: &Result<Vec<u32>, &'static str>,
) {
    assert_eq!(
        done.as_ref().map_err(kind).err(),
        model.as_ref().err().copied()
    );
    let expected = model.as_deref().unwrap_or(before);
    assert!(after.eq(expected.iter().copied()));
}
