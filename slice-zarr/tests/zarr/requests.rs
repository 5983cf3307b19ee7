//! The number of requests, counted by the store.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use slice_zarr::{ReadOptions, ReadSlice};
use zarrs::array::Array;
use zarrs::storage::byte_range::ByteRangeIterator;
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{
    MaybeBytes, MaybeBytesIterator, ReadableStorageTraits, StorageError, StoreKey,
};

use crate::stores::stores;

/// Counts its requests.
pub struct Counting {
    store: Arc<MemoryStore>,
    pub requests: AtomicUsize,
    bytes: AtomicUsize,
    sizes: AtomicUsize,
}

impl Counting {
    pub fn new(store: Arc<MemoryStore>) -> Self {
        Counting {
            store,
            requests: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
            sizes: AtomicUsize::new(0),
        }
    }
}

impl ReadableStorageTraits for Counting {
    fn get(&self, key: &StoreKey) -> Result<MaybeBytes, StorageError> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let bytes = self.store.get(key)?;
        let len = bytes.as_ref().map_or(0, |bytes| bytes.len());
        self.bytes.fetch_add(len, Ordering::Relaxed);
        Ok(bytes)
    }

    fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        byte_ranges: ByteRangeIterator<'a>,
    ) -> Result<MaybeBytesIterator<'a>, StorageError> {
        let ranges: Vec<_> = byte_ranges.collect();
        self.requests.fetch_add(ranges.len(), Ordering::Relaxed);
        let answers = self
            .store
            .get_partial_many(key, Box::new(ranges.into_iter()))?;
        Ok(answers.map(|answers| {
            let counted = answers.inspect(|bytes| {
                let len = bytes.as_ref().map_or(0, |bytes| bytes.len());
                self.bytes.fetch_add(len, Ordering::Relaxed);
            });
            Box::new(counted) as _
        }))
    }

    fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        self.sizes.fetch_add(1, Ordering::Relaxed);
        self.store.size_key(key)
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}

#[test]
fn what_is_counted_is_what_the_store_was_asked() {
    let mut sharded = 0;
    for store in stores() {
        let counting = Arc::new(Counting::new(store.in_memory()));
        let array = Array::open(counting.clone(), "/").unwrap();
        for (number, case) in store.cases.iter().enumerate() {
            let at = || format!("{}[{}]", store.name, case.slice);
            for counter in [&counting.requests, &counting.bytes, &counting.sizes] {
                counter.store(0, Ordering::Relaxed);
            }
            let gap = [0, 16, u64::MAX][number % 3];
            let options = ReadOptions::new().merge_gap(gap);
            let Ok((_, stats)) = array.read_slice_raw(case.slice.as_str(), &options) else {
                assert_eq!(counting.requests.load(Ordering::Relaxed), 0, "{}", at());
                continue;
            };
            assert_eq!(
                stats.requests,
                counting.requests.load(Ordering::Relaxed),
                "{}",
                at()
            );
            assert_eq!(
                stats.bytes as usize,
                counting.bytes.load(Ordering::Relaxed),
                "{}",
                at()
            );
            assert_eq!(counting.sizes.load(Ordering::Relaxed), 0, "{}", at());

            let plan = slice_zarr::PlanSlice::plan_slice(&array, case.slice.as_str()).unwrap();
            let each = if store.name.contains("sharded") { 2 } else { 1 };
            if gap == u64::MAX {
                assert!(stats.requests <= each * plan.touched_chunks(), "{}", at());
                sharded += each - 1;
            }
            if case.chunks.is_some() && each == 1 && !store.name.contains("raw") {
                assert!(stats.requests >= plan.touched_chunks(), "{}", at());
            }
        }
    }
    assert!(sharded > 50);
}
