//! Runs a read plan, or one of the plans into which it was split, on any machine that can open the array.

use std::sync::Arc;

use ndarray::{ArrayViewMut, Dimension};
use slice_core::StridedSliceExt;
use slice_core::resolve::check_shape;
use zarrs::array::Array;
use zarrs::storage::{ReadableStorageTraits, ReadableWritableStorageTraits};

use crate::array::element::Element;
use crate::array::error::Error;
use crate::array::options::AccessOptions;
use crate::array::plan::PlannedSlice;
use crate::array::read::limits::check_limits;
use crate::array::read::queue::read;
use crate::array::read::{check_element, zeros};
use crate::array::stats::Stats;
use crate::array::stored::StoredArray;
use crate::array::units::in_units;
use crate::array::write::write;
use crate::read_plan::ReadPlan;
use crate::read_plan::array::ChunkedArray;

/// The approximate number of output bytes that are held in memory at a time.
const HELD_OUTPUT_BYTES: u64 = 256 << 20;

impl ReadPlan {
    /// Reads the elements of the plan into their positions in `out`, which has the shape of the whole result.
    ///
    /// Python equivalent: `for part in plan: out[part.output()] = z[part.selection()]`.
    ///
    /// A plan may come from an untrusted source. Its description of the array is therefore compared with the array
    /// before anything is read.
    ///
    /// # Errors
    ///
    /// - [`Error::OtherArray`] if `array` does not match its description in the plan.
    /// - [`ShapeMismatch`] if `out` does not have the shape of the whole result.
    /// - [`Error::Element`] if `T` does not match the data type of the array.
    /// - [`Error::Limit`] if the plan itself exceeds a limit of the options.
    ///
    /// In these cases, nothing is read. After any other [`Error`], some elements of `out` may have been overwritten.
    ///
    /// [`ShapeMismatch`]: slice_core::SliceError::ShapeMismatch
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::ArrayD;
    /// use slice_core::s;
    /// use slice_zarr::{AccessOptions, PlanSlice, ReadPlan, ReadSlice};
    /// # use std::sync::Arc;
    /// # use zarrs::array::{ArrayBuilder, data_type};
    /// # let store = Arc::new(zarrs::storage::store::MemoryStore::new());
    /// # let array = ArrayBuilder::new(vec![64, 64], vec![8, 8], data_type::float32(), 1.5_f32).build(store, "/")?;
    ///
    /// // On one machine:
    /// let plan = array.plan_slice(s![::-2])?.with_address("s3://bucket/volume.zarr");
    /// let texts: Vec<String> = plan.split(3).map(|plan| serde_json::to_string(&plan)).collect::<Result<_, _>>()?;
    ///
    /// // On other machines, each of which would open the array at this address:
    /// let mut out = ArrayD::<f32>::zeros(plan.shape());
    /// for text in &texts {
    ///     let plan: ReadPlan = serde_json::from_str(text)?;
    ///     assert_eq!(plan.array().address, "s3://bucket/volume.zarr");
    ///     plan.run_into(&array, out.view_mut(), &AccessOptions::new())?;
    /// }
    /// assert_eq!(out, array.read_slice::<f32>(s![::-2])?);
    /// println!("at most {} bytes of memory", plan.peak_bytes(&AccessOptions::new()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_into<S, T, D>(
        &self,
        array: &Array<S>,
        out: ArrayViewMut<'_, T, D>,
        options: &AccessOptions<'_>,
    ) -> Result<Stats, Error>
    where
        S: ?Sized + ReadableStorageTraits + 'static,
        T: Element,
        D: Dimension,
    {
        let stored = StoredArray::of(array)?;
        check_array(self.array(), &stored)?;
        check_limits(self, options)?;
        check_element::<T>(array.data_type())?;
        check_shape(self.shape(), out.shape())?;
        let mut out = out.into_dyn();
        let mut stats = Stats::default();
        for part in self.parts() {
            let planned = PlannedSlice::of_selection(stored.clone(), part.selection(), options)?;
            let output = part.output();
            let (view, region) = match output.is_strided() {
                true => (out.try_at_mut(&output)?, None),
                // The elements may be scattered over the result.
                false => (out.view_mut(), Some(&output)),
            };
            stats.add(&read(array, &planned, view, region, options)?);
        }
        Ok(stats)
    }

    /// Reads the elements of the plan, and writes them to their positions in `output`, which has the shape of the whole
    /// result.
    ///
    /// Every chunk of the output is written once, as a whole, without being read. An interrupted run can therefore be
    /// repeated, and the plans returned by [`split_for`](ReadPlan::split_for) can run at the same time. A run holds
    /// about 256 MiB of the output at a time. It divides the output only at positions where a chunk of `array` and a
    /// chunk of `output` both end. If there are more than 256 MiB of output between two such positions, the run holds
    /// more. If there are no such positions, it holds its whole output.
    ///
    /// # Errors
    ///
    /// - [`Error::OtherArray`] if `array` does not match its description in the plan, or if the shape or the data type
    ///   of `output` differs from that of the whole result.
    /// - [`Error::SharedChunks`] if the plan fills only part of a chunk of `output`.
    /// - [`Error::Limit`] if the plan itself exceeds a limit of the options.
    ///
    /// In these cases, nothing is read. After any other [`Error`], some chunks may have been written.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_zarr::{AccessOptions, PlanSlice, ReadSlice};
    /// # use std::sync::Arc;
    /// # use zarrs::array::{ArrayBuilder, data_type};
    /// # use zarrs::storage::store::MemoryStore;
    /// # let store = || Arc::new(MemoryStore::new());
    /// # let array = ArrayBuilder::new(vec![64, 64], vec![8, 8], data_type::int32(), 7_i32).build(store(), "/")?;
    /// # let output = ArrayBuilder::new(vec![32, 64], vec![4, 64], data_type::int32(), 0_i32).build(store(), "/")?;
    ///
    /// let plan = array.plan_slice(s![::2])?;
    /// for plan in plan.split_for(3, &[4, 64])? {
    ///     plan.run_to(&array, &output, &AccessOptions::new())?;
    /// }
    /// assert_eq!(output.read_slice::<i32>(s![...])?, array.read_slice::<i32>(s![::2])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_to<S, W>(
        &self,
        array: &Array<S>,
        output: &Array<W>,
        options: &AccessOptions<'_>,
    ) -> Result<Stats, Error>
    where
        S: ?Sized + ReadableStorageTraits + 'static,
        W: ?Sized + ReadableWritableStorageTraits + 'static,
    {
        let stored_input = StoredArray::of(array)?;
        check_array(self.array(), &stored_input)?;
        check_limits(self, options)?;
        let stored_output = StoredArray::of(output)?;
        let expected = ChunkedArray {
            shape: self.shape().to_vec(),
            ..self.array().clone()
        };
        check_result(&expected, &stored_output)?;
        if !self.fills_whole(&stored_output.chunk_shape)? {
            let chunk_shape = stored_output.chunk_shape.clone();
            return Err(Error::SharedChunks { chunk_shape });
        }
        let mut stats = Stats::default();
        let plans = self.output_bytes().div_ceil(HELD_OUTPUT_BYTES).try_into();
        let plans = plans.unwrap_or(usize::MAX);
        for plan in self.split_for(plans, &stored_output.chunk_shape)? {
            for part in plan.parts() {
                options.check_cancel()?;
                let plan = |stored: &Arc<StoredArray>, selection| {
                    PlannedSlice::of_selection(stored.clone(), selection, options)
                };
                let from = plan(&stored_input, part.selection())?;
                in_units!(stored_output.item_size, |U, units| {
                    let mut values = zeros::<U>(from.shape(), units)?;
                    stats.add(&read(array, &from, values.view_mut(), None, options)?);
                    let to = plan(&stored_output, part.output())?;
                    write(output, &to, &values.view(), options)?;
                });
            }
        }
        Ok(stats)
    }
}

impl Stats {
    /// Adds the statistics of a later read.
    fn add(&mut self, other: &Stats) {
        self.chunks += other.chunks;
        self.requests += other.requests;
        self.bytes += other.bytes;
        self.peak_bytes = self.peak_bytes.max(other.peak_bytes);
    }
}

/// Checks that an array matches the description `plan`. The address is not compared.
fn check_array(plan: &ChunkedArray, stored: &StoredArray) -> Result<(), Error> {
    check_result(plan, stored)?;
    let array = stored.description();
    check_same("chunk shape", &plan.chunk_shape, &array.chunk_shape)?;
    check_same(
        "inner chunk shape",
        &plan.inner_chunk_shape,
        &array.inner_chunk_shape,
    )?;
    check_same("shard index size", &plan.index_bytes, &array.index_bytes)?;
    // A hand-written plan may omit this field, which is then 0.
    if plan.chunk_memory != 0 {
        check_same("memory per chunk", &plan.chunk_memory, &array.chunk_memory)?;
    }
    check_same(
        "`uncompressed` flag",
        &plan.uncompressed,
        &array.uncompressed,
    )
}

/// Checks that an array has the shape, the data type and the element size stated in the description `plan`.
fn check_result(plan: &ChunkedArray, stored: &StoredArray) -> Result<(), Error> {
    let array = stored.description();
    check_same("shape", &plan.shape, &array.shape)?;
    check_same("data type", &plan.data_type, &array.data_type)?;
    check_same("item size", &plan.item_size, &array.item_size)
}

fn check_same<T: PartialEq + std::fmt::Debug>(
    what: &'static str,
    plan: &T,
    array: &T,
) -> Result<(), Error> {
    if plan == array {
        return Ok(());
    }
    Err(Error::OtherArray {
        what,
        plan: format!("{plan:?}"),
        array: format!("{array:?}"),
    })
}
