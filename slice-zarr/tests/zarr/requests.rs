//! Checks the number of requests made by a read, as counted by the store.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ndarray::Axis;
use slice_core::{StridedSliceExt, s};
use slice_zarr::{AccessOptions, Error, FileStorage, PlanSlice, ReadSlice, WriteSlice};
use zarrs::array::codec::{ShardingCodecBuilder, ZstdCodec};
use zarrs::array::{ArrayBuilder, data_type};
use zarrs::storage::byte_range::ByteRange;
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{MaybeBytes, ReadableStorageTraits, StorageError, StoreKey};

use crate::random::Random;
use crate::watched_store::{WatchedStore, Watcher};

/// A [`Watcher`] that counts requests.
#[derive(Default)]
pub struct RequestCounter {
    pub requests: AtomicUsize,
    bytes: AtomicUsize,
    sizes: AtomicUsize,
}

impl Watcher for RequestCounter {
    fn on_response(&self, bytes: MaybeBytes) -> Result<MaybeBytes, StorageError> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let len = bytes.as_ref().map_or(0, |bytes| bytes.len());
        self.bytes.fetch_add(len, Ordering::Relaxed);
        Ok(bytes)
    }

    fn on_size_request(&self) {
        self.sizes.fetch_add(1, Ordering::Relaxed);
    }
}

impl RequestCounter {
    /// Returns and resets three counts: the requests for bytes, the bytes in the responses, and the requests for the
    /// size of an object.
    pub fn take(&self) -> (usize, usize, usize) {
        let take = |counter: &AtomicUsize| counter.swap(0, Ordering::Relaxed);
        (take(&self.requests), take(&self.bytes), take(&self.sizes))
    }
}

/// An in-memory store that counts its requests.
pub type CountingStore = WatchedStore<MemoryStore, RequestCounter>;

pub fn counting_store(store: Arc<MemoryStore>) -> Arc<CountingStore> {
    let watcher = RequestCounter::default();
    Arc::new(WatchedStore { store, watcher })
}

/// Reads a plane that touches every fourth inner chunk of each shard.
#[test]
fn a_shard_needs_two_requests_if_ranges_are_merged() {
    // The inner chunks are 8 or 32 KiB long, so the gaps between the selected inner chunks are 24 or 96 KiB long. By
    // default, gaps of up to 32 KiB are read to save requests.
    for (len, default_requests) in [(32, 2 + 2), (128, 2 + 32)] {
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

        let counting_store = counting_store(memory);
        let array = array.with_storage(counting_store.clone());
        let read = |options: AccessOptions<'_>| {
            let (out, stats) = array.read_slice_with::<u32>(":, :, 5", &options).unwrap();
            assert_eq!(out, noise.index_axis(Axis(2), 5));
            assert_eq!(
                stats.requests,
                counting_store.watcher.requests.swap(0, Ordering::Relaxed)
            );
            assert_eq!(stats.chunks, 32);
            (stats.requests, stats.bytes)
        };
        // The read requests the indices of two shards, and 16 inner chunks of each shard. The elements are noise, which
        // cannot be compressed.
        let (requests, min_bytes) = read(AccessOptions::new().merge_gap(0));
        assert_eq!(requests, 2 + 32);
        let inner = u64::from(len as u32) * 8 * 8 * 4;
        assert!((32 * inner..33 * inner).contains(&min_bytes), "{min_bytes}");
        assert_eq!(read(AccessOptions::new()).0, default_requests);
        let (requests, bytes) = read(AccessOptions::far_away());
        assert_eq!(requests, 4);
        assert!(bytes < 4 * min_bytes);
    }
}

/// A shard larger than a batch is requested in several batches, so that the bytes of each batch are decoded while they
/// are in the processor's cache. With the options for distant stores, the shard is requested in one batch, because each
/// request to such a store takes longer.
#[test]
fn large_shards_are_requested_in_batches() {
    let mut builder =
        ArrayBuilder::new(vec![512, 1024], vec![512, 1024], data_type::uint32(), 0_u32);
    let inner = [64, 256].map(|len| NonZeroU64::new(len).unwrap());
    let mut sharding = ShardingCodecBuilder::new(inner.to_vec(), &data_type::uint32());
    sharding.bytes_to_bytes_codecs(vec![Arc::new(ZstdCodec::new(1, false))]);
    builder.array_to_bytes_codec(sharding.build_arc());
    let memory = Arc::new(MemoryStore::new());
    let array = builder.build(memory.clone(), "/").unwrap();
    // The array contains 2 MiB of noise, which cannot be compressed, in 64 KiB inner chunks.
    let noise = Random(1).array(&[512, 1024], 32);
    array.write_slice("...", &noise).unwrap();

    let counting_store = counting_store(memory);
    let array = array.with_storage(counting_store.clone());
    let rows: Vec<usize> = (0..512).rev().step_by(3).collect();
    // A stored inner chunk is a few bytes larger than 64 KiB, so only 7 of the 32 inner chunks fit in a batch of 512
    // KiB.
    for (options, requests) in [
        (AccessOptions::new(), 1 + 32_usize.div_ceil(7)),
        (
            AccessOptions::new().batch(1 << 20),
            1 + 32_usize.div_ceil(15),
        ),
        (AccessOptions::new().batch(64 << 20), 2),
        (AccessOptions::far_away(), 2),
    ] {
        for workers in [1, 3] {
            let options = options.workers(workers);
            let (out, stats) = array.read_slice_with::<u32>(s![&rows], &options).unwrap();
            assert_eq!(out, noise.gather(s![&rows]));
            assert_eq!((stats.chunks, stats.requests), (32, requests));
            assert_eq!(counting_store.watcher.take().0, requests);
            let planned = array.plan_slice(s![&rows]).unwrap().peak_bytes(&options);
            assert!(
                stats.peak_bytes <= planned,
                "the read held {} bytes; the plan's peak is {planned} bytes",
                stats.peak_bytes
            );
        }
    }
}

/// Reads rows at random positions. Each limit is one less than the number of chunks, requests or bytes that the plan
/// needs, so the read must return an error before it makes any request to the store.
#[test]
fn lists_that_exceed_a_limit_are_rejected_before_anything_is_read() {
    let rows: Vec<usize> = {
        let mut random = Random(4);
        (0..200).map(|_| random.below(4096)).collect()
    };
    for kind in ["raw", "zstd", "sharded"] {
        let chunks = if kind == "sharded" { 1024 } else { 16 };
        let mut builder =
            ArrayBuilder::new(vec![4096, 8], vec![chunks, 8], data_type::uint32(), 0_u32);
        let zstd = Arc::new(ZstdCodec::new(1, false));
        match kind {
            "raw" => {}
            "zstd" => drop(builder.bytes_to_bytes_codecs(vec![zstd])),
            _ => {
                let inner = [16, 8].map(|len| NonZeroU64::new(len).unwrap());
                let mut sharding = ShardingCodecBuilder::new(inner.to_vec(), &data_type::uint32());
                sharding.bytes_to_bytes_codecs(vec![zstd]);
                builder.array_to_bytes_codec(sharding.build_arc());
            }
        }
        let memory = Arc::new(MemoryStore::new());
        let array = builder.build(memory.clone(), "/").unwrap();
        let data = Random(1).array(&[4096, 8], 32);
        array.write_slice("...", &data).unwrap();
        let counting_store = counting_store(memory);
        let array = array.with_storage(counting_store.clone());

        let plan = array.plan_slice(s![&rows]).unwrap();
        let options = AccessOptions::new().merge_gap(0);
        let (requests, bytes) = plan.requests_and_bytes(&options);
        let memory = plan.peak_bytes(&options);
        let mut out = ndarray::ArrayD::from_elem(plan.shape(), 9_u32);
        for (limited_options, what) in [
            (options.max_chunks(plan.inner_chunks() - 1), "chunks"),
            (options.max_requests(requests - 1), "requests"),
            (options.max_bytes(bytes - 1), "bytes"),
            (options.max_memory(memory - 1), "bytes of memory"),
        ] {
            for error in [
                array.read_slice_raw(s![&rows], &limited_options).map(drop),
                array
                    .read_slice_with::<u32>(s![&rows], &limited_options)
                    .map(drop),
                array
                    .read_slice_into(s![&rows], out.view_mut(), &limited_options)
                    .map(drop),
                plan.run_into(&array, out.view_mut(), &limited_options)
                    .map(drop),
            ] {
                let error = error.unwrap_err();
                let is_limit = matches!(&error, Error::Limit { what: name, .. } if *name == what);
                assert!(is_limit, "{kind}: {what}: {error}");
            }
            assert_eq!(counting_store.watcher.take(), (0, 0, 0), "{kind}: {what}");
        }
        assert!(out.iter().all(|&x| x == 9));
        let read = array.read_slice::<u32>(s![&rows]).unwrap();
        assert_eq!(read, data.gather(s![&rows]));
    }
}

/// The operating system is asked to load the ranges of a request ahead if they are not in the page cache, which must not
/// change the response.
#[test]
fn files_are_read_in_ranges_of_any_order_and_length() {
    let directory = tempfile::tempdir().unwrap();
    let bytes: Vec<u8> = (0..400_000_u32).map(|k| (k % 251) as u8).collect();
    std::fs::write(directory.path().join("key"), &bytes).unwrap();
    #[cfg(target_os = "linux")]
    {
        let file = std::fs::File::open(directory.path().join("key")).unwrap();
        file.sync_all().unwrap();
        rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed).unwrap();
    }
    let store = FileStorage::new(directory.path()).unwrap();
    let key = StoreKey::new("key").unwrap();
    let ranges = [
        (300_000, Some(5)),
        (7, Some(0)),
        (3, Some(200_000)),
        (4, Some(1)),
        (399_990, None),
    ];
    let wanted = ranges.map(|(start, len)| ByteRange::FromStart(start, len));
    let wanted = wanted.into_iter().chain([ByteRange::Suffix(2)]);
    let responses = store.get_partial_many(&key, Box::new(wanted)).unwrap();
    let responses: Vec<_> = responses.unwrap().map(Result::unwrap).collect();
    for ((start, len), response) in ranges.iter().zip(&responses) {
        let start = *start as usize;
        let end = len.map_or(bytes.len(), |len| start + len as usize);
        assert_eq!(response, &bytes[start..end]);
    }
    assert_eq!(responses[5], &bytes[399_998..]);
    // A range that extends beyond the end of the file is an error.
    let beyond = [(0, 1), (399_999, 2)].map(|(start, len)| ByteRange::FromStart(start, Some(len)));
    let response = store.get_partial_many(&key, Box::new(beyond.into_iter()));
    assert!(response.is_err());
}
