//! Checks that the library copies the elements selected by the [`model`], for elements of many sizes and with every
//! instruction set that the processor supports.

use std::fmt::Debug;

use arbitrary::Arbitrary;
use slice_core::{CopyPlan, DynSliceSpec, InstructionSet, instruction_set};

use super::input::SliceOfSmallArray;
use super::model::{self, Selected};
use crate::kind;

/// A slice of an array. `element_type` selects one of several types of elements.
#[derive(Debug, Arbitrary)]
pub struct Case {
    element_type: u8,
    /// Determines the number of elements before and after the buffer of a scatter.
    margin: u8,
    slice: SliceOfSmallArray<6000>,
}

/// Checks that a gather and a scatter copy the elements selected by the model. Returns `true` if any element is
/// selected.
///
/// # Panics
///
/// Panics if a check fails.
pub fn check(case: &Case) -> bool {
    let SliceOfSmallArray { items, shape } = &case.slice;
    let expected = model::select(items, shape);
    let resolved =
        DynSliceSpec::from_items(items.iter().cloned()).and_then(|spec| spec.resolve(shape));
    let (expected, selection) = match (expected, resolved) {
        (Ok(expected), Ok(selection)) => (expected, selection),
        (expected, resolved) => {
            assert_eq!(
                resolved.as_ref().map_err(kind).err(),
                expected.as_ref().err().copied()
            );
            return false;
        }
    };
    assert_eq!(selection.output_shape(), expected.shape);
    let plan = selection.plan().unwrap();
    assert_eq!(
        (plan.input_len(), plan.len()),
        (selection.input_len(), selection.len())
    );
    let sets = InstructionSet::ALL;
    let margin = usize::from(case.margin % 70);
    for set in sets
        .into_iter()
        .filter(|&set| instruction_set().includes(set))
    {
        let plan = plan.clone().at_most(set);
        match case.element_type % 12 {
            0 => check_agreement(&plan, &expected, margin, |i| i as u8 ^ (i >> 8) as u8),
            1 => check_agreement(&plan, &expected, margin, |i| i as u16),
            2 => check_agreement(&plan, &expected, margin, |i| {
                [i as u8, (i >> 8) as u8, 0xa5]
            }),
            3 => check_agreement(&plan, &expected, margin, |i| i as u32 ^ 0x5a5a_0000),
            4 => check_agreement(&plan, &expected, margin, |i| [i as u16, !i as u16, 0xa5a5]),
            5 => check_agreement(&plan, &expected, margin, |i| i as u64 | (!i as u64) << 32),
            6 => check_agreement(&plan, &expected, margin, |i| [i as u32, 1, !i as u32]),
            7 => check_agreement(&plan, &expected, margin, |i| i as u128 | (!i as u128) << 64),
            8 => check_agreement(&plan, &expected, margin, |i| [i as u64, 1, !i as u64]),
            9 => check_agreement(&plan, &expected, margin, |i| [i as u8; 37]),
            // This element has padding between its fields, and a reference that must stay valid.
            10 => check_agreement(&plan, &expected, margin, |i| {
                (i as u8, &BYTES[i % BYTES.len()])
            }),
            _ => check_agreement(&plan, &expected, margin, |_| ()),
        }
    }
    !plan.is_empty()
}

/// The bytes to which the references in the elements point.
static BYTES: [u8; 256] = [7; 256];

/// Checks gathers and scatters with one plan. The buffers have exactly the required length, so that a sanitizer detects
/// every out-of-bounds access.
fn check_agreement<T: Copy + PartialEq + Debug>(
    plan: &CopyPlan,
    expected: &Selected,
    margin: usize,
    element: impl Fn(usize) -> T,
) {
    let data: Box<[T]> = (0..plan.input_len()).map(&element).collect();
    let gathered: Box<[T]> = expected
        .offsets
        .iter()
        .map(|&offset| data[offset])
        .collect();
    let blank = element(usize::MAX);

    assert_eq!(plan.gather(&data).as_deref(), Ok(&*gathered));
    let mut out = vec![blank; plan.len()].into_boxed_slice();
    assert_eq!(plan.gather_into(&data, &mut out), Ok(()));
    assert_eq!(out, gathered);

    // A scatter does not change the elements that are not selected.
    let mut expected_data = vec![blank; data.len()].into_boxed_slice();
    let mut actual_data = expected_data.clone();
    for (&offset, &value) in expected.offsets.iter().zip(&gathered) {
        expected_data[offset] = value;
    }
    assert_eq!(plan.scatter(&gathered, &mut actual_data), Ok(()));
    assert_eq!(actual_data, expected_data);

    // The result does not depend on the address of the buffer, and no element outside the buffer is changed.
    let end = margin + data.len();
    let mut padded_buffer = vec![blank; end + margin];
    assert_eq!(
        plan.scatter(&gathered, &mut padded_buffer[margin..end]),
        Ok(())
    );
    let outside = padded_buffer[..margin].iter().chain(&padded_buffer[end..]);
    assert!(outside.into_iter().all(|&element| element == blank));
    assert_eq!(padded_buffer[margin..end], *expected_data);
    padded_buffer[margin..end].copy_from_slice(&data);
    assert_eq!(
        plan.gather(&padded_buffer[margin..end]).as_deref(),
        Ok(&*gathered)
    );
}
