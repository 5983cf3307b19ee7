//! The number of requests, counted by the store.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ndarray::Axis;
use slice_zarr::{ReadOptions, ReadSlice, WriteSlice};
use zarrs::array::codec::{ShardingCodecBuilder, ZstdCodec};
use zarrs::array::{Array, ArrayBuilder, data_type};
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{MaybeBytes, StorageError};

use crate::random::Random;
use crate::stores::stores;
use crate::watched::{Watch, Watched};

/// Counts requests.
#[derive(Default)]
pub struct Count {
    pub requests: AtomicUsize,
    bytes: AtomicUsize,
    sizes: AtomicUsize,
}

impl Watch for Count {
    fn answer(&self, bytes: MaybeBytes) -> Result<MaybeBytes, StorageError> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let len = bytes.as_ref().map_or(0, |bytes| bytes.len());
        self.bytes.fetch_add(len, Ordering::Relaxed);
        Ok(bytes)
    }

    fn size(&self) {
        self.sizes.fetch_add(1, Ordering::Relaxed);
    }
}

/// Counts the requests to a store.
pub type Counting = Watched<MemoryStore, Count>;

pub fn counting(store: Arc<MemoryStore>) -> Arc<Counting> {
    let watch = Count::default();
    Arc::new(Watched { store, watch })
}

#[test]
fn what_is_counted_is_what_the_store_was_asked() {
    let mut sharded = 0;
    for store in stores() {
        let counting = counting(store.in_memory());
        let array = Array::open(counting.clone(), "/").unwrap();
        for (number, case) in store.cases.iter().enumerate() {
            let at = || format!("{}[{}]", store.name, case.slice);
            let Count {
                requests,
                bytes,
                sizes,
            } = &counting.watch;
            for counter in [requests, bytes, sizes] {
                counter.store(0, Ordering::Relaxed);
            }
            let gap = [0, 16, u64::MAX][number % 3];
            let options = ReadOptions::new().merge_gap(gap);
            let Ok((_, stats)) = array.read_slice_raw(case.slice.as_str(), &options) else {
                assert_eq!(
                    counting.watch.requests.load(Ordering::Relaxed),
                    0,
                    "{}",
                    at()
                );
                continue;
            };
            assert_eq!(
                stats.requests,
                counting.watch.requests.load(Ordering::Relaxed),
                "{}",
                at()
            );
            assert_eq!(
                stats.bytes as usize,
                counting.watch.bytes.load(Ordering::Relaxed),
                "{}",
                at()
            );
            assert_eq!(counting.watch.sizes.load(Ordering::Relaxed), 0, "{}", at());

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

/// A plane across all chunks, which takes every fourth inner chunk of each shard.
#[test]
fn two_requests_for_a_shard_when_ranges_merge() {
    // Inner chunks of 8 and of 32 KiB: 24 and 96 KiB are between two that are read.
    for (len, near) in [(32, 2 + 2), (128, 2 + 32)] {
        let mut builder = ArrayBuilder::new(
            vec![64, 32, 4 * len],
            vec![32, 32, 4 * len],
            data_type::uint32(),
            0_u32,
        );
        let inner = [8, 8, len].map(|len| NonZeroU64::new(len).unwrap());
        let mut sharding = ShardingCodecBuilder::new(inner.to_vec(), &data_type::uint32());
        sharding.bytes_to_bytes_codecs(vec![Arc::new(ZstdCodec::new(1, false))]);
        builder.array_to_bytes_codec(sharding.build_arc());
        let memory = Arc::new(MemoryStore::new());
        let array = builder.build(memory.clone(), "/").unwrap();
        let noise = Random(1).array(&[64, 32, 4 * len as usize], 32);
        array.write_slice("...", &noise).unwrap();

        let counting = counting(memory);
        let array = array.with_storage(counting.clone());
        let read = |options: ReadOptions<'_>| {
            let (out, stats) = array.read_slice_with::<u32>(":, :, 5", &options).unwrap();
            assert_eq!(out, noise.index_axis(Axis(2), 5));
            assert_eq!(
                stats.requests,
                counting.watch.requests.swap(0, Ordering::Relaxed)
            );
            assert_eq!(stats.chunks, 32);
            (stats.requests, stats.bytes)
        };
        // Two indices, and 16 inner chunks of each shard, which are noise and do not compress.
        let (requests, least) = read(ReadOptions::new().merge_gap(0));
        assert_eq!(requests, 2 + 32);
        let inner = u64::from(len as u32) * 8 * 8 * 4;
        assert!((32 * inner..33 * inner).contains(&least), "{least}");
        assert_eq!(read(ReadOptions::new()).0, near);
        let (requests, bytes) = read(ReadOptions::far_away());
        assert_eq!(requests, 4);
        assert!(bytes < 4 * least);
    }
}
