//! Splits untrusted plans, and checks the resulting plans. The fuzz target `splits` runs [`check`], and a test runs it on
//! a bounded number of inputs.

use slice_zarr::ReadPlan;

/// The requested number of plans is less than this number, because [`check`] enumerates the plans of a split.
const MAX_PLANS: usize = 200;

/// Splits the plan in an input, and panics unless the resulting plans add up to the whole plan. Returns `true` if the
/// input contains a plan.
///
/// The input consists of one byte for the number of plans, one byte for the length of the output's chunks on each axis,
/// and the plan in JSON.
pub fn check(input: &[u8]) -> bool {
    let Some((&[count, chunk], text)) = input.split_first_chunk::<2>() else {
        return false;
    };
    let Ok(whole) = serde_json::from_slice::<ReadPlan>(text) else {
        return false;
    };
    assert!(!whole.to_string().is_empty());
    let count = usize::from(count) % MAX_PLANS;
    let chunks = vec![usize::from(chunk); whole.shape().len()];
    let splits = [
        Some(whole.split(count)),
        whole.split_for(count, &chunks).ok(),
    ];
    for split in splits.into_iter().flatten() {
        assert!((1..=count.max(1)).contains(&split.len()));
        let (mut bytes, mut touched) = (0_u64, 0_usize);
        for plan in split {
            bytes += plan.output_bytes();
            touched += plan.touched_chunks();
            let text = serde_json::to_string(&plan).unwrap();
            assert_eq!(serde_json::from_str::<ReadPlan>(&text).unwrap(), plan);
        }
        assert_eq!(
            (bytes, touched),
            (whole.output_bytes(), whole.touched_chunks())
        );
    }
    true
}
