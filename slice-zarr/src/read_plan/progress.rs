//! Counts the plans of a split, to find missing and repeated plans.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::{PlanError, SplitId, SplitPlace};

/// A tally of plans of a split, for example of the plans that have been run. It lists missing and repeated plans, and
/// rejects plans of other splits.
///
/// Python equivalent: a `collections.Counter` of plan numbers.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::{ChunkedArray, ReadPlan, SplitProgress};
///
/// let array = ChunkedArray { shape: vec![1000], item_size: 4, chunk_shape: vec![100], ..ChunkedArray::default() };
/// let plan = ReadPlan::new(array, s![::2].resolve(&[1000])?)?;
/// let plans: Vec<ReadPlan> = plan.split(5).collect();
///
/// let mut progress = SplitProgress::new(plan.split(5).id());
/// for number in [0, 1, 4, 1] {
///     progress.add(plans[number].split_place())?;
/// }
/// assert!(!progress.is_complete());
/// assert_eq!(progress.missing(), [2..4]);
/// assert_eq!(progress.repeated().collect::<Vec<_>>(), [(1, 2)]);
/// assert_eq!(progress.to_string(), "3 of 5 plans; missing: 2-3; repeated: 1 (2 times)");
///
/// let other = plan.split(4).next().unwrap();
/// assert!(progress.add(other.split_place()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SplitProgress {
    id: SplitId,
    /// The number of times that each plan has been added.
    times: BTreeMap<usize, usize>,
}

impl SplitProgress {
    /// Creates an empty tally for the split `id`.
    #[must_use]
    pub fn new(id: SplitId) -> Self {
        SplitProgress {
            id,
            times: BTreeMap::new(),
        }
    }

    /// Returns the ID of the split.
    #[must_use]
    pub fn id(&self) -> SplitId {
        self.id
    }

    /// Adds the plan whose [`split_place`](super::ReadPlan::split_place) is `place`.
    ///
    /// # Errors
    ///
    /// Returns [`PlanError::OtherSplit`] if the plan belongs to a different split or to none.
    pub fn add(&mut self, place: Option<SplitPlace>) -> Result<(), PlanError> {
        let Some(own) = place.filter(|place| place.id() == self.id) else {
            let split = self.id;
            return Err(PlanError::OtherSplit { split, place });
        };
        *self.times.entry(own.number()).or_default() += 1;
        Ok(())
    }

    /// Returns the number of times that plan `number` has been added.
    #[must_use]
    pub fn times(&self, number: usize) -> usize {
        self.times.get(&number).copied().unwrap_or(0)
    }

    /// Returns `true` if each plan has been added at least once.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.times.len() == self.id.plans()
    }

    /// Returns the numbers of the missing plans, as ranges in ascending order.
    #[must_use]
    pub fn missing(&self) -> Vec<Range<usize>> {
        let mut missing = Vec::new();
        let mut next = 0;
        for &number in self.times.keys() {
            if next < number {
                missing.push(next..number);
            }
            next = number + 1;
        }
        if next < self.id.plans() {
            missing.push(next..self.id.plans());
        }
        missing
    }

    /// Returns the number of each plan that has been added more than once, and how many times it has been added.
    pub fn repeated(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let times = self.times.iter().map(|(&number, &times)| (number, times));
        times.filter(|&(_, times)| times > 1)
    }
}

impl fmt::Display for SplitProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} plans", self.times.len(), self.id.plans())?;
        for (at, Range { start, end }) in self.missing().into_iter().enumerate() {
            f.write_str(if at == 0 { "; missing: " } else { ", " })?;
            match end - start {
                1 => write!(f, "{start}")?,
                _ => write!(f, "{start}-{}", end - 1)?,
            }
        }
        for (at, (number, times)) in self.repeated().enumerate() {
            f.write_str(if at == 0 { "; repeated: " } else { ", " })?;
            write!(f, "{number} ({times} times)")?;
        }
        Ok(())
    }
}
