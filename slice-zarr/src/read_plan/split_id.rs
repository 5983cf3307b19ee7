//! Identifies splits, so that plans of different splits are not mixed up.

use alloc::string::ToString;
use core::fmt;
use core::str::FromStr;

use slice_core::{AxisPositions, OutputAxis};

use super::{PlanError, ReadPlan};

/// The ID of a split. Splitting the same plan in the same way produces the same ID on every machine, and all other
/// splits have different IDs. Plans that differ only in the field [`chunk_memory`](crate::ChunkedArray::chunk_memory)
/// of the array are treated as the same plan.
///
/// As a string, an ID consists of 32 lowercase hexadecimal digits, a hyphen and the number of plans. An ID reveals
/// accidental mix-ups of splits, but does not protect against forgery.
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
    /// Computes the ID of the split of `plan` into `plans` plans. If `output_chunks` is given, it is the shape of the
    /// output chunks at whose ends the plan is cut.
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
        // Only the canonical string is accepted, which has all digits, and no signs or capitals.
        match id.plans > 0 && id.to_string() == text {
            true => Ok(id),
            false => Err(PlanError::SplitId),
        }
    }
}

/// The place of a plan in its split: the ID of the split, and the number of the plan. [`ReadPlan::split_place`] returns
/// this place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SplitPlace {
    id: SplitId,
    number: usize,
}

impl SplitPlace {
    /// Creates the place of plan `number` in the split `id`.
    ///
    /// # Errors
    ///
    /// Returns [`PlanError::SplitNumber`] unless `number` is less than the number of plans.
    pub fn new(id: SplitId, number: usize) -> Result<Self, PlanError> {
        let plans = id.plans;
        match number < plans {
            true => Ok(SplitPlace { id, number }),
            false => Err(PlanError::SplitNumber { number, plans }),
        }
    }

    /// Returns the ID of the split.
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

/// A 128-bit FNV-1a digest. The hashes of [`core::hash`] are not used, because they may differ between machines and
/// between versions of Rust.
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

    /// Digests the length of a list before its numbers, so that the boundaries between lists affect the digest.
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

    fn string(&mut self, string: &str) {
        self.number(string.len());
        self.bytes(string.as_bytes());
    }

    fn positions(&mut self, positions: &AxisPositions<'_>) {
        match positions {
            AxisPositions::Range(range) => {
                self.run(range.start(), range.step(), range.len());
            }
            // No range starts at `usize::MAX` or `usize::MAX - 1`, which mark single positions and runs.
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

    /// Digests a plan, except `chunk_memory`, which does not affect what the plan reads.
    fn plan(&mut self, plan: &ReadPlan) {
        let array = &plan.array;
        self.string(&array.address);
        self.numbers(&array.shape);
        self.string(&array.data_type);
        self.number(array.item_size);
        self.numbers(&array.chunk_shape);
        self.optional(array.inner_chunk_shape.as_deref());
        self.bytes(&array.index_bytes.to_le_bytes());
        self.number(usize::from(array.uncompressed));
        for axis in 0..array.shape.len() {
            self.positions(&plan.selection.axis(axis));
        }
        self.number(plan.selection_axes.origins().len());
        for &origin in plan.selection_axes.origins() {
            match origin {
                OutputAxis::Input(axis) => self.numbers(&[0, axis]),
                OutputAxis::New { len } => self.numbers(&[1, len]),
            }
        }
        self.number(plan.parts.len());
        for bounds in &plan.parts {
            self.numbers(&bounds.begin);
            self.numbers(&bounds.end);
        }
        // Axes that the selected positions fill completely are skipped, so that only plans with places digest places.
        for axis in 0..plan.shape().len() {
            if !plan.is_whole_axis(axis) {
                self.numbers(&[axis, plan.shape()[axis]]);
                self.positions(&plan.output.axis(axis));
            }
        }
        // If two equal plans come from different splits, splitting them again produces different IDs.
        if let Some(place) = plan.split {
            self.bytes(&place.id.digest.to_le_bytes());
            self.numbers(&[place.id.plans, place.number]);
        }
    }
}
