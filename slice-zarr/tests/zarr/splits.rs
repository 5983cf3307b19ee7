//! Splits untrusted plans, and checks the resulting plans and the IDs of the splits. The fuzz target `splits` runs
//! [`check`], and a test runs it on a bounded number of inputs.

use slice_zarr::{ReadPlan, SplitPlace, SplitProgress};

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
        // The input may contain a `SplitPlace`, which can also be serialized without its plan.
        if let Ok(place) = serde_json::from_slice::<SplitPlace>(text) {
            check_place(place);
        }
        return false;
    };
    if let Some(place) = whole.split_place() {
        check_place(place);
    }
    assert!(!whole.to_string().is_empty());
    let count = usize::from(count) % MAX_PLANS;
    let chunks = vec![usize::from(chunk); whole.shape().len()];
    let splits = [
        Some(whole.split(count)),
        whole.split_for(count, &chunks).ok(),
    ];
    for split in splits.into_iter().flatten() {
        let id = split.id();
        assert!(id.plans() <= count.max(1) && id.plans() >= 1);
        let mut progress = SplitProgress::new(id);
        let (mut bytes, mut touched) = (0_u64, 0_usize);
        for (number, plan) in split.enumerate() {
            let place = plan.split_place().unwrap();
            assert_eq!((place.id(), place.number()), (id, number));
            assert!(!progress.is_complete() && progress.times(number) == 0);
            progress.add(Some(place)).unwrap();
            bytes += plan.output_bytes();
            touched += plan.touched_chunks();
            let text = serde_json::to_string(&plan).unwrap();
            assert_eq!(serde_json::from_str::<ReadPlan>(&text).unwrap(), plan);
        }
        assert!(progress.is_complete(), "{progress}");
        assert_eq!(
            (bytes, touched),
            (whole.output_bytes(), whole.touched_chunks())
        );
        assert!(progress.missing().is_empty() && progress.repeated().next().is_none());
        assert!(progress.add(None).is_err());
    }
    true
}

/// Checks that a deserialized `SplitPlace` is valid and can be recorded.
fn check_place(place: SplitPlace) {
    let id = place.id();
    assert!(place.number() < id.plans());
    assert_eq!(SplitPlace::new(id, place.number()).ok(), Some(place));
    assert!(SplitPlace::new(id, id.plans()).is_err());
    let mut progress = SplitProgress::new(id);
    progress.add(Some(place)).unwrap();
    assert_eq!(progress.is_complete(), id.plans() == 1);
    assert!(!progress.to_string().is_empty());
    let text = serde_json::to_string(&place).unwrap();
    assert_eq!(serde_json::from_str::<SplitPlace>(&text).unwrap(), place);
}
