//! Reads and writes arrays whose metadata and chunks are untrusted. The fuzz target `untrusted_arrays` runs [`check`],
//! and a test runs it on a bounded number of inputs.

use std::sync::Arc;

use slice_zarr::{AccessOptions, Element, PlanSlice, ReadSlice, WriteSlice};
use zarrs::array::Array;
use zarrs::storage::byte_range::{ByteRangeIterator, extract_byte_ranges};
use zarrs::storage::{
    Bytes, MaybeBytes, MaybeBytesIterator, OffsetBytesIterator, ReadableStorageTraits,
    StorageError, StoreKey, StorePrefix, WritableStorageTraits,
};

const SLICES: [&str; 9] = [
    "...",
    "::-1, ...",
    ":3",
    "::-1000000",
    "..., 0",
    "1:, ..., ::2",
    "[0, 0]",
    "[2, 0, 1, 2], ...",
    "..., [-1, 0, 0, -1]",
];

/// Untrusted metadata, and one object that is returned for every chunk.
struct UntrustedArray<'a> {
    metadata_key: &'static str,
    metadata: &'a [u8],
    chunk: &'a [u8],
}

/// Parses an input, which contains the number of a slice and an array. The first byte contains the metadata key in its
/// lowest bit, and the number of the slice in the other bits. The next two bytes are the length of the metadata. The
/// metadata follows, and then the object that is returned for every chunk.
fn parse(input: &[u8]) -> Option<(u8, UntrustedArray<'_>)> {
    let (&[slice_number, low, high], rest) = input.split_first_chunk::<3>()?;
    let (metadata, chunk) = rest.split_at_checked(u16::from_le_bytes([low, high]) as usize)?;
    let metadata_key = if slice_number & 1 == 0 {
        "zarr.json"
    } else {
        ".zarray"
    };
    let untrusted = UntrustedArray {
        metadata_key,
        metadata,
        chunk,
    };
    Some((slice_number >> 1, untrusted))
}

/// Returns an input for [`check`] that contains an array and a slice number.
#[allow(dead_code, reason = "the fuzz target reads its seeds from files")]
pub fn seed(metadata_key: &str, metadata: &[u8], chunk: &[u8], slice_number: u8) -> Vec<u8> {
    let slice_number = slice_number << 1 | u8::from(metadata_key != "zarr.json");
    let len = (metadata.len() as u16).to_le_bytes();
    [&[slice_number], &len[..], metadata, chunk].concat()
}

struct Store {
    metadata_key: &'static str,
    metadata: Bytes,
    chunk: Bytes,
}

impl ReadableStorageTraits for Store {
    fn get(&self, key: &StoreKey) -> Result<MaybeBytes, StorageError> {
        Ok(match key.as_str() {
            key if key == self.metadata_key => Some(self.metadata.clone()),
            "zarr.json" | ".zarray" | ".zattrs" => None,
            _ => Some(self.chunk.clone()),
        })
    }

    fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        byte_ranges: ByteRangeIterator<'a>,
    ) -> Result<MaybeBytesIterator<'a>, StorageError> {
        let Some(bytes) = self.get(key)? else {
            return Ok(None);
        };
        let ranges: Vec<_> = byte_ranges.collect();
        let responses = extract_byte_ranges(&bytes, Box::new(ranges.into_iter()))
            .map_err(|error| StorageError::Other(error.to_string()))?;
        Ok(Some(Box::new(
            responses.into_iter().map(|bytes| Ok(Bytes::from(bytes))),
        )))
    }

    fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        Ok(self.get(key)?.map(|bytes| bytes.len() as u64))
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}

/// All writes are discarded.
impl WritableStorageTraits for Store {
    fn set(&self, _: &StoreKey, _: Bytes) -> Result<(), StorageError> {
        Ok(())
    }

    fn set_partial_many(
        &self,
        _: &StoreKey,
        _: OffsetBytesIterator<'_>,
    ) -> Result<(), StorageError> {
        Ok(())
    }

    fn erase(&self, _: &StoreKey) -> Result<(), StorageError> {
        Ok(())
    }

    fn erase_prefix(&self, _: &StorePrefix) -> Result<(), StorageError> {
        Ok(())
    }

    fn supports_set_partial(&self) -> bool {
        false
    }
}

/// Fills the slice with an element. Returns `true` if the write succeeded, which requires that the array has this
/// element type. Also tests decoding, because chunks that are partly overwritten are decoded first.
fn write<T: Element>(
    array: &Array<Store>,
    slice: &str,
    element: T,
    options: &AccessOptions<'_>,
) -> bool {
    let result = array.write_slice_with(slice, &ndarray::arr0(element), options);
    result.is_ok()
}

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The array cannot be opened.
    Rejected,
    /// The slice cannot be read, or is too large.
    Failed,
    /// The slice was read.
    Read,
}

/// Opens the array in an input, and reads and writes a slice of the array.
pub fn check(input: &[u8]) -> Outcome {
    let Some((slice_number, untrusted)) = parse(input) else {
        return Outcome::Rejected;
    };
    let store = Store {
        metadata_key: untrusted.metadata_key,
        metadata: Bytes::copy_from_slice(untrusted.metadata),
        chunk: Bytes::copy_from_slice(untrusted.chunk),
    };
    let Ok(array) = slice_zarr::open(Arc::new(store), "/") else {
        return Outcome::Rejected;
    };
    let slice = SLICES[slice_number as usize % SLICES.len()];
    let options = AccessOptions::new()
        .workers(1)
        .merge_gap(if slice_number > 63 { 0 } else { 1 << 14 })
        .max_chunk(1 << 22);
    let Ok(plan) = array.plan_slice(slice) else {
        return Outcome::Failed;
    };
    assert!(!plan.to_string().is_empty());
    // No chunk is missing, so a read would decode every touched chunk.
    if plan.output_bytes() > 1 << 20 || plan.inner_chunks() > 1000 {
        return Outcome::Failed;
    }
    let read = array.read_slice_raw(slice, &options);
    let _ = write(&array, slice, 1_u8, &options)
        || write(&array, slice, 1_i16, &options)
        || write(&array, slice, 1_i32, &options)
        || write(&array, slice, 1_u64, &options)
        || write(&array, slice, 1_f32, &options)
        || write(&array, slice, 1_f64, &options);
    match read {
        Ok((out, stats)) => {
            assert_eq!(out.bytes().len() as u64, plan.output_bytes());
            assert!(stats.chunks <= plan.inner_chunks());
            Outcome::Read
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            Outcome::Failed
        }
    }
}
