//! Records in an output array which split fills the array, and which plans of the split have run. A *split* consists of
//! the plans into which a read plan is divided.
//!
//! The ID of the split is stored in the attributes of the array. Each run of a plan writes its own object next to the
//! chunks. If two machines run the same plan at the same time, two runs are therefore counted, and no lock is needed.

use std::hash::{BuildHasher, Hasher, RandomState};

use zarrs::array::Array;
use zarrs::storage::{ListableStorageTraits, StoreKey, StorePrefix, WritableStorageTraits};

use crate::array::error::Error;
use crate::array::storage::checked::CheckedStorage;
use crate::read_plan::ReadPlan;
use crate::read_plan::error::PlanError;
use crate::read_plan::progress::SplitProgress;
use crate::read_plan::split_id::{SplitId, SplitPlace};

/// The name of the attribute that holds the ID of the split, and of the folder that holds the objects written by the
/// runs.
const SPLIT_NAME: &str = "slice_plan";

/// An output array that is filled by the plans of one split.
///
/// [`run_to`](crate::RunPlan::run_to) returns an error for any other plan, and records each completed plan.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::{PlanSlice, ReadOptions, RunPlan, SplitOutput};
/// # use std::sync::Arc;
/// # use zarrs::array::{ArrayBuilder, data_type};
/// # use zarrs::storage::store::MemoryStore;
/// # let store = || Arc::new(MemoryStore::new());
/// # let array = ArrayBuilder::new(vec![64, 64], vec![8, 8], data_type::int32(), 7_i32).build(store(), "/")?;
/// # let mut output = ArrayBuilder::new(vec![32, 64], vec![4, 64], data_type::int32(), 0_i32).build(store(), "/")?;
///
/// let plan = array.plan_slice(s![::2])?;
/// let plans = plan.split_for(4, &[4, 64])?;
/// output.set_split(plans.id());
/// output.store_metadata()?;
///
/// // The third plan is lost.
/// for plan in plans.enumerate().filter(|&(number, _)| number != 2).map(|(_, plan)| plan) {
///     plan.run_to(&array, &output, &ReadOptions::new())?;
/// }
/// let progress = output.split_progress()?.expect("the output should belong to a split plan");
/// assert_eq!(progress.to_string(), "3 of 4 plans; missing: 2");
///
/// let other = plan.split_for(2, &[4, 64])?.next().expect("the split should have a part");
/// assert!(other.run_to(&array, &output, &ReadOptions::new()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait SplitOutput {
    /// Sets the attribute that identifies the split. Call `store_metadata` afterwards to write the attribute to the
    /// store.
    fn set_split(&mut self, id: SplitId);

    /// Returns the ID of the split whose plans fill this array, or `None` if the array is not the output of a split.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Metadata`] if the attribute is not a valid split ID.
    fn split_id(&self) -> Result<Option<SplitId>, Error>;

    /// Returns the completed plans of the split, and the number of runs of each plan. Returns `None` if the array is
    /// not the output of a split.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`split_id`](Self::split_id), and [`Error::Progress`] if the store fails.
    fn split_progress(&self) -> Result<Option<SplitProgress>, Error>;
}

impl<S: ?Sized + ListableStorageTraits + 'static> SplitOutput for Array<S> {
    fn set_split(&mut self, id: SplitId) {
        self.attributes_mut()
            .insert(SPLIT_NAME.into(), id.to_string().into());
    }

    fn split_id(&self) -> Result<Option<SplitId>, Error> {
        split_of(self)
    }

    fn split_progress(&self) -> Result<Option<SplitProgress>, Error> {
        let Some(id) = split_of(self)? else {
            return Ok(None);
        };
        let folder = runs_folder(self, id);
        let failed = |source| Error::Progress {
            key: folder.clone(),
            source,
        };
        let prefix = StorePrefix::new(folder.as_str()).map_err(|error| failed(error.into()))?;
        let keys = self.storage().list_prefix(&prefix).map_err(failed)?;
        let mut progress = SplitProgress::new(id);
        for key in &keys {
            let number = key.as_str().strip_prefix(&folder);
            let number = number.and_then(|rest| rest.split('/').next()?.parse().ok());
            // A key without a valid plan number was not written by a run, so it is ignored.
            if let Some(Ok(place)) = number.map(|number| SplitPlace::new(id, number)) {
                progress.add(Some(place))?;
            }
        }
        Ok(Some(progress))
    }
}

/// Implements [`SplitOutput::split_id`].
fn split_of<S: ?Sized>(array: &Array<S>) -> Result<Option<SplitId>, Error> {
    let Some(id) = array.attributes().get(SPLIT_NAME) else {
        return Ok(None);
    };
    let wrong = |error: PlanError| Error::Metadata(format!("attribute {SPLIT_NAME:?}: {error}"));
    let id = id.as_str().ok_or(PlanError::SplitId).map_err(wrong)?;
    Ok(Some(id.parse().map_err(wrong)?))
}

/// If `output` is the output of a split, checks that `plan` belongs to this split.
pub(crate) fn check_split<S: ?Sized>(plan: &ReadPlan, output: &Array<S>) -> Result<(), Error> {
    match split_of(output)? {
        Some(split) => Ok(SplitProgress::new(split).add(plan.split_place())?),
        None => Ok(()),
    }
}

/// Records in `output` that `plan` has run, if both belong to a split.
pub(crate) fn record_run<S: ?Sized + WritableStorageTraits + 'static>(
    plan: &ReadPlan,
    output: &Array<S>,
) -> Result<(), Error> {
    let (Some(id), Some(place)) = (split_of(output)?, plan.split_place()) else {
        return Ok(());
    };
    // The random number distinguishes runs of the same plan.
    let run = RandomState::new().build_hasher().finish();
    let key = format!("{}{}/{run:016x}", runs_folder(output, id), place.number());
    let stored = StoreKey::new(key.as_str()).map_err(Into::into);
    let stored =
        stored.and_then(|key| CheckedStorage::new(output).set(&key, place.to_string().into()));
    stored.map_err(|source| Error::Progress { key, source })
}

fn runs_folder<S: ?Sized>(array: &Array<S>, id: SplitId) -> String {
    let path = array.path().as_str().trim_start_matches('/');
    let separator = if path.is_empty() { "" } else { "/" };
    format!("{path}{separator}{SPLIT_NAME}/{id}/")
}
