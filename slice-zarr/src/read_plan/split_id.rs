//! Identifies splits, so that plans of different splits are never combined.

use alloc::string::ToString;
use core::fmt;
use core::str::FromStr;

use slice_core::{AxisPositions, OutputAxis};

use super::{PlanError, ReadPlan};

/// The identity of a split. It is equal for equal splits of equal plans on any machine, and different for all others.
///
/// Its text is 32 hexadecimal digits, a hyphen and the number of plans. It detects mixed-up splits, but is no
/// protection against forged identities.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::{ChunkedArray, ReadPlan, SplitId};
///
/// let array = ChunkedArray { shape: vec![1000], item_size: 4, chunk_shape: vec![100], ..ChunkedArray::default() };
/// let plan = ReadPlan::new(array, s![::2].resolve(&[1000])?)?;
/// let id = plan.split(4).id();
/// assert_eq!(id.plans(), 4);
/// assert_eq!(id, plan.split(4).id());
/// assert_ne!(id, plan.split(5).id());
/// assert_ne!(id, plan.split_for(4, &[100])?.id());
/// assert_eq!(id.to_string().parse::<SplitId>()?, id);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SplitId {
    digest: u128,
    plans: usize,
}

impl SplitId {
    /// Computes the identity of the split of a plan into `plans` plans, cut where output chunks of this shape end.
    pub(super) fn new(plan: &ReadPlan, plans: usize, output_chunks: Option<&[usize]>) -> Self {
        let mut digest = Digest::default();
        digest.plan(plan);
        digest.number(plans);
        digest.optional(output_chunks);
        SplitId {
            digest: digest.0,
            plans,
        }
    }

    /// Returns the number of plans of the split.
    #[must_use]
    pub fn plans(&self) -> usize {
        self.plans
    }
}

impl fmt::Display for SplitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}-{}", self.digest, self.plans)
    }
}

impl fmt::Debug for SplitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SplitId({self})")
    }
}

impl FromStr for SplitId {
    type Err = PlanError;

    fn from_str(text: &str) -> Result<Self, PlanError> {
        let parts = text.split_once('-');
        let (digest, plans) = parts.ok_or(PlanError::SplitId)?;
        let id = SplitId {
            digest: u128::from_str_radix(digest, 16).map_err(|_| PlanError::SplitId)?,
            plans: plans.parse().map_err(|_| PlanError::SplitId)?,
        };
        // Only the canonical text is accepted: no signs or capitals, and all digits.
        match id.plans > 0 && id.to_string() == text {
            true => Ok(id),
            false => Err(PlanError::SplitId),
        }
    }
}

/// The place of a plan in its split, created by [`ReadPlan::split`] and [`ReadPlan::split_for`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SplitPlace {
    id: SplitId,
    number: usize,
}

impl SplitPlace {
    /// Creates the place of the plan with this number in a split.
    ///
    /// # Errors
    ///
    /// [`PlanError::SplitNumber`] unless `number` is less than the number of plans.
    pub fn new(id: SplitId, number: usize) -> Result<Self, PlanError> {
        let plans = id.plans;
        match number < plans {
            true => Ok(SplitPlace { id, number }),
            false => Err(PlanError::SplitNumber { number, plans }),
        }
    }

    /// Returns the identity of the split.
    #[must_use]
    pub fn id(&self) -> SplitId {
        self.id
    }

    /// Returns the number of the plan, counting from 0.
    #[must_use]
    pub fn number(&self) -> usize {
        self.number
    }
}

impl fmt::Display for SplitPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, plans, id) = (self.number, self.id.plans, self.id);
        write!(f, "plan {number} of {plans} of the split {id}")
    }
}

/// An FNV-1a digest of 128 bits, because the digests of [`core::hash`] may differ between machines and versions.
struct Digest(u128);

impl Default for Digest {
    fn default() -> Self {
        Digest(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Digest {
    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul((1 << 88) + 0x13b);
        }
    }

    fn number(&mut self, number: usize) {
        self.bytes(&(number as u64).to_le_bytes());
    }

    /// Digests a list with its length, so that different sequences of lists have different digests.
    fn numbers(&mut self, numbers: &[usize]) {
        self.number(numbers.len());
        numbers.iter().for_each(|&number| self.number(number));
    }

    fn optional(&mut self, numbers: Option<&[usize]>) {
        self.number(usize::from(numbers.is_some()));
        self.numbers(numbers.unwrap_or_default());
    }

    fn run(&mut self, start: usize, step: isize, len: usize) {
        self.number(start);
        self.bytes(&(step as i64).to_le_bytes());
        self.number(len);
    }

    fn text(&mut self, text: &str) {
        self.number(text.len());
        self.bytes(text.as_bytes());
    }

    fn positions(&mut self, positions: &AxisPositions<'_>) {
        match positions {
            AxisPositions::Range(range) => {
                self.run(range.start(), range.step(), range.len());
            }
            // No range starts at this value.
            AxisPositions::Singles(positions) => {
                self.number(usize::MAX);
                self.numbers(positions);
            }
            AxisPositions::Narrow(positions) => {
                self.number(usize::MAX);
                self.number(positions.len());
                let positions = positions.iter();
                positions.for_each(|&position| self.number(position as usize));
            }
            AxisPositions::Runs(runs) => {
                self.number(usize::MAX - 1);
                self.number(runs.len());
                for run in &**runs {
                    self.run(run.start, run.step, run.len);
                }
            }
        }
    }

    /// Digests the whole content of a plan.
    fn plan(&mut self, plan: &ReadPlan) {
        let array = &plan.array;
        self.text(&array.address);
        self.numbers(&array.shape);
        self.text(&array.data_type);
        self.number(array.item_size);
        self.numbers(&array.chunk_shape);
        self.optional(array.inner_chunk_shape.as_deref());
        self.bytes(&array.index_bytes.to_le_bytes());
        self.number(usize::from(array.uncompressed));
        for axis in 0..array.shape.len() {
            self.positions(&plan.selection.axis(axis));
        }
        self.number(plan.derived.origins().len());
        for &origin in plan.derived.origins() {
            match origin {
                OutputAxis::Input(axis) => self.numbers(&[0, axis]),
                OutputAxis::New { len } => self.numbers(&[1, len]),
            }
        }
        self.number(plan.parts.len());
        for block in &plan.parts {
            self.numbers(&block.begin);
            self.numbers(&block.end);
        }
        // A plan with all positions of its lists adds nothing here.
        for axis in 0..plan.shape().len() {
            if !plan.is_whole_axis(axis) {
                self.numbers(&[axis, plan.shape()[axis]]);
                self.positions(&plan.output.axis(axis));
            }
        }
        // Splits of plans that are equal, but belong to different splits, have different identities.
        if let Some(place) = plan.split {
            self.bytes(&place.id.digest.to_le_bytes());
            self.numbers(&[place.id.plans, place.number]);
        }
    }
}
