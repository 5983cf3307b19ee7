//! Writes parts of shards. Checks that only the written inner chunks change, and that zarrs reads the correct elements.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ndarray::{ArrayD, IxDyn, arr0};
use slice_core::{DynSliceSpec, StridedSliceExt, s};
use slice_zarr::{AccessOptions, Error, Progress, ReadSlice, WriteSlice};
use zarrs::array::codec::{
    BytesCodec, GzipCodec, ShardingCodecBuilder, ShardingIndexLocation, TransposeCodec,
    TransposeOrder, ZstdCodec,
};
use zarrs::array::{Array, ArrayBuilder, ArraySubset, Endianness, data_type};
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{Bytes, ReadableStorageTraits, StoreKey, WritableStorageTraits};

use crate::random::Random;

type Memory = Array<MemoryStore>;

const SHAPE: [usize; 2] = [21, 26];
const SHARDS: [usize; 2] = [8, 12];
const INNER: [usize; 2] = [2, 3];
const FILL: u16 = 7;
/// The number of inner chunks in a shard.
const INNER_CHUNKS_PER_SHARD: usize = 16;

fn lengths(lengths: [usize; 2]) -> Vec<NonZeroU64> {
    let lengths = lengths.map(|len| NonZeroU64::new(len as u64).unwrap());
    lengths.to_vec()
}

/// Builds a sharded array. `kind` determines the codecs.
fn sharded(kind: &str) -> Memory {
    let u64s = |lengths: [usize; 2]| lengths.map(|len| len as u64).to_vec();
    let mut builder = ArrayBuilder::new(u64s(SHAPE), u64s(SHARDS), data_type::uint16(), FILL);
    let mut sharding = ShardingCodecBuilder::new(lengths(INNER), &data_type::uint16());
    let zstd = |checksum| Arc::new(ZstdCodec::new(3, checksum));
    let gzip = Arc::new(GzipCodec::new(1).unwrap());
    match kind {
        "raw" => {}
        "big" => {
            sharding.array_to_bytes_codec(Arc::new(BytesCodec::new(Some(Endianness::Big))));
        }
        "zstd" => drop(sharding.bytes_to_bytes_codecs(vec![zstd(false)])),
        "checked" => drop(sharding.bytes_to_bytes_codecs(vec![zstd(true), gzip])),
        "first" => {
            sharding.index_location(ShardingIndexLocation::Start);
            sharding.bytes_to_bytes_codecs(vec![zstd(false)]);
        }
        "transposed" => {
            let order = TransposeOrder::new(&[1, 0]).unwrap();
            sharding.array_to_array_codecs(vec![Arc::new(TransposeCodec::new(order))]);
            sharding.bytes_to_bytes_codecs(vec![gzip]);
        }
        "nested" => {
            let inner = ShardingCodecBuilder::new(lengths([1, 3]), &data_type::uint16());
            sharding.array_to_bytes_codec(inner.build_arc());
        }
        // The inner chunks cannot be found in the stored bytes, because the shard is encoded as a whole.
        "outer" => drop(builder.bytes_to_bytes_codecs(vec![gzip])),
        kind => panic!("unknown kind of array: {kind}"),
    }
    builder.array_to_bytes_codec(sharding.build_arc());
    builder.build(Arc::new(MemoryStore::new()), "/").unwrap()
}

const KINDS: [&str; 8] = [
    "raw",
    "big",
    "zstd",
    "checked",
    "first",
    "transposed",
    "nested",
    "outer",
];

/// Returns all elements of the array, as read by zarrs.
fn read_with_zarrs(array: &Memory) -> ArrayD<u16> {
    let whole_array = ArraySubset::new_with_shape(array.shape().to_vec());
    array.retrieve_array_subset(&whole_array).unwrap()
}

#[test]
fn written_parts_of_shards_agree_with_ndarray_and_zarrs() {
    let slices = [
        "3:5, 4",
        "...",
        ":, 3",
        "::-2, 1::5",
        "[20, 3, 3, 0, 20], 2:20",
        "[8, 9, 10, 11, 12, 13, 14, 15], :",
        "newaxis, [1, 0, 9], [25, 0, 25]",
        "7:, [True, False, True, True, False, True, True, True, True, True, True, True, True, \
         False, True, True, False, True, True, False, True, True, True, True, True, True]",
        "8:16, 12:24",
        "20, 25",
        ":0",
    ];
    for kind in KINDS {
        let array = sharded(kind);
        let mut expected = ArrayD::from_elem(IxDyn(&SHAPE), FILL);
        for (number, slice) in slices.iter().enumerate() {
            let spec: DynSliceSpec = slice.parse().unwrap();
            let shape = spec.resolve(&SHAPE).unwrap().output_shape().to_vec();
            let values = Random(number as u64).array(&shape, 9).mapv(|x| x as u16);
            expected.set(&spec, &values);
            let options = AccessOptions::new().workers(1 + number % 3);
            array.write_slice_with(*slice, &values, &options).unwrap();
            assert_eq!(read_with_zarrs(&array), expected, "{kind}: {slice}");
            let read = array.read_slice::<u16>(s![...]).unwrap();
            assert_eq!(read, expected, "{kind}: {slice}");
        }
    }
}

/// Returns the bytes of the first shard, and the byte range of each inner chunk according to the index at the end of
/// the shard. The range of a missing inner chunk is `None`.
fn first_shard(array: &Memory) -> (Bytes, Vec<Option<std::ops::Range<usize>>>) {
    let key = StoreKey::new("c/0/0").unwrap();
    let shard = array.storage().get(&key).unwrap().unwrap();
    let index = &shard[shard.len() - 4 - 16 * INNER_CHUNKS_PER_SHARD..shard.len() - 4];
    let (numbers, _) = index.as_chunks::<8>();
    let numbers: Vec<u64> = numbers.iter().map(|&n| u64::from_le_bytes(n)).collect();
    let ranges = numbers.as_chunks::<2>().0.iter().map(|&[begin, len]| {
        (begin != u64::MAX).then_some(begin as usize..(begin.wrapping_add(len)) as usize)
    });
    let ranges = ranges.collect();
    (shard, ranges)
}

/// Corrupts all stored inner chunks of a shard except the first. Writes to the first inner chunk must neither decode
/// nor change the other inner chunks.
#[test]
fn untouched_inner_chunks_are_copied() {
    let array = sharded("zstd");
    let data = Random(1).array(&SHAPE, 16).mapv(|x| x as u16);
    array.write_slice(s![...], &data).unwrap();
    let (shard, ranges) = first_shard(&array);
    let mut broken = shard.to_vec();
    for range in ranges.iter().flatten().skip(1) {
        broken[range.clone()].reverse();
    }
    let key = StoreKey::new("c/0/0").unwrap();
    array.storage().set(&key, broken.clone().into()).unwrap();

    // Writes to parts of the first inner chunk, with indices and with a list.
    array.write_slice(s![0, 1], &arr0(5_u16)).unwrap();
    array.write_slice(s![[1, 1], 0], &arr0(6_u16)).unwrap();
    let (after, new) = first_shard(&array);
    for (number, (old, new)) in ranges.iter().zip(&new).enumerate().skip(1) {
        let (old, new) = (old.clone().unwrap(), new.clone().unwrap());
        assert_eq!(broken[old], after[new], "inner chunk {number}");
    }
    let mut expected = data.at(s![:2, :3]).to_owned();
    expected.set(s![0, 1], 5);
    expected.set(s![1, 0], 6);
    assert_eq!(array.read_slice::<u16>(s![:2, :3]).unwrap(), expected);

    // Writing to a part of a corrupt inner chunk returns an error, and nothing is written.
    let error = array.write_slice(s![0, 1:5], &arr0(5_u16)).unwrap_err();
    assert!(
        matches!(&error, Error::Chunk { chunk, .. } if chunk[..] == [0, 0]),
        "{error}"
    );
    assert_eq!(first_shard(&array).0, after);
    // Overwriting a corrupt inner chunk as a whole succeeds, because the inner chunk is not decoded.
    array.write_slice(s![:2, 3:6], &arr0(8_u16)).unwrap();
    let read = array.read_slice::<u16>(s![:2, 3:6]).unwrap();
    assert!(read.iter().all(|&x| x == 8));
}

#[test]
fn corrupt_shards_are_not_overwritten() {
    let array = sharded("zstd");
    let data = Random(2).array(&SHAPE, 16).mapv(|x| x as u16);
    array.write_slice(s![...], &data).unwrap();
    let key = StoreKey::new("c/0/0").unwrap();
    let (shard, _) = first_shard(&array);
    let index = shard.len() - 4 - 16 * INNER_CHUNKS_PER_SHARD;
    let with_changed_byte = |at: usize, byte: u8| {
        let mut shard = shard.to_vec();
        shard[at] ^= byte;
        Bytes::from(shard)
    };
    for (broken, why) in [
        (shard.slice(..0), "is truncated"),
        (shard.slice(..20), "is truncated"),
        (shard.slice(..shard.len() - 1), "checksum"),
        (shard.slice(1..), "a codec failed"),
        (with_changed_byte(index, 1), "checksum"),
        (with_changed_byte(shard.len() - 1, 1), "checksum"),
    ] {
        array.storage().set(&key, broken.clone()).unwrap();
        for slice in ["0, 0", "[5, 0, 5], [0, 7]"] {
            let error = array.write_slice(slice, &arr0(1_u16)).unwrap_err();
            let error = error.to_string();
            assert!(error.contains("c/0/0"), "{error}");
            assert!(error.contains(why), "{why}: {error}");
            let after = array.storage().get(&key).unwrap().unwrap();
            assert!(after == broken, "{error}");
        }
    }
}

#[test]
fn inner_chunks_and_shards_of_fill_values_are_not_stored() {
    let array = sharded("zstd");
    let key = StoreKey::new("c/0/0").unwrap();
    array.write_slice(s![:4, :3], &arr0(9_u16)).unwrap();
    let stored_count = |array: &Memory| first_shard(array).1.iter().flatten().count();
    assert_eq!(stored_count(&array), 2);
    array.write_slice(s![:2, :3], &arr0(FILL)).unwrap();
    assert_eq!(stored_count(&array), 1);
    array.write_slice(s![2:4, 1:3], &arr0(FILL)).unwrap();
    assert_eq!(stored_count(&array), 1);
    array.write_slice(s![[3, 2], 0], &arr0(FILL)).unwrap();
    assert_eq!(array.storage().get(&key).unwrap(), None);
    assert!(read_with_zarrs(&array).iter().all(|&x| x == FILL));
    array.write_slice(s![...], &arr0(FILL)).unwrap();
    assert_eq!(array.storage().get(&key).unwrap(), None);
}

/// Writes one shard with several workers, which share the encoding of its inner chunks. Checks that progress counts
/// shards.
#[test]
fn workers_share_a_shard() {
    let array = sharded("checked");
    let data = Random(3).array(&SHAPE, 16).mapv(|x| x as u16);
    let shard_count = AtomicUsize::new(0);
    let progress = |progress: Progress| {
        assert_eq!(progress.of, 1);
        shard_count.fetch_add(progress.chunks, Ordering::Relaxed);
    };
    for workers in [1, 2, 7, 100] {
        let options = AccessOptions::new().workers(workers).progress(&progress);
        let part = data.at(s![1:8, :11]);
        array
            .write_slice_with(s![1:8, :11], &part, &options)
            .unwrap();
        assert_eq!(array.read_slice::<u16>(s![1:8, :11]).unwrap(), part);
        let rows = [6, 2, 2, 0];
        let part = data.gather(s![&rows, 5:9]);
        array
            .write_slice_with(s![&rows, 5:9], &part, &options)
            .unwrap();
        assert_eq!(array.read_slice::<u16>(s![&rows, 5:9]).unwrap(), part);
    }
    assert_eq!(shard_count.into_inner(), 8);
}
