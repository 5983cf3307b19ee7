//! Chunks in zstd that are decoded as far as needed: as zarrs decodes them, unless they are truncated or have a checksum.

use std::num::NonZeroU64;
use std::sync::Arc;

use ndarray::ArrayD;
use slice_core::StridedSliceExt;
use slice_zarr::{ReadOptions, ReadSlice, WriteSlice};
use zarrs::array::codec::{
    BytesCodec, Crc32cCodec, ShardingCodecBuilder, TransposeCodec, TransposeOrder, ZstdCodec,
};
use zarrs::array::{Array, ArrayBuilder, Endianness, data_type};
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{ReadableStorageTraits, StoreKey, WritableStorageTraits};

use crate::random::Random;

const SHAPE: [usize; 3] = [2, 600, 640];
const CHUNK: [u64; 3] = [1, 256, 640];
/// Some that need the first rows of a chunk, one row at its end, all of it, nothing of some chunks.
const SLICES: [&str; 12] = [
    "0, 0",
    "1, 3:7, ::-2",
    "::-1, ::256",
    ":, 126:130",
    ":, 127",
    ":, 255",
    ":, 511:513, 5",
    "...",
    ":, ::-300",
    "1, 40:0:-13, 600:",
    ":, -1",
    "::-1, 258, newaxis, 639",
];

fn data() -> ArrayD<u32> {
    Random(1).array(&SHAPE, 12)
}

struct Made {
    store: Arc<MemoryStore>,
    array: Array<MemoryStore>,
}

fn zstd(checksum: bool) -> Arc<ZstdCodec> {
    Arc::new(ZstdCodec::new(1, checksum))
}

fn with_zstd(checksum: bool) -> Made {
    make(|builder| {
        builder.bytes_to_bytes_codecs(vec![zstd(checksum)]);
    })
}

fn make(set: impl FnOnce(&mut ArrayBuilder)) -> Made {
    let shape = SHAPE.map(|len| len as u64).to_vec();
    let mut builder = ArrayBuilder::new(shape, CHUNK.to_vec(), data_type::uint32(), 0_u32);
    set(&mut builder);
    let store = Arc::new(MemoryStore::new());
    let array = builder.build(store.clone(), "/").unwrap();
    array.write_slice("...", &data()).unwrap();
    Made { store, array }
}

#[test]
fn as_far_as_needed() {
    let made = [
        with_zstd(false),
        with_zstd(true),
        make(|builder| {
            let big = Arc::new(BytesCodec::new(Some(Endianness::Big)));
            builder.array_to_bytes_codec(big);
            builder.bytes_to_bytes_codecs(vec![zstd(false)]);
        }),
        make(|builder| {
            let order = TransposeOrder::new(&[1, 2, 0]).unwrap();
            builder.array_to_array_codecs(vec![Arc::new(TransposeCodec::new(order))]);
            builder.bytes_to_bytes_codecs(vec![zstd(false)]);
        }),
        make(|builder| {
            let crc = Arc::new(Crc32cCodec::new());
            builder.bytes_to_bytes_codecs(vec![zstd(false), crc, zstd(false)]);
        }),
        make(|builder| {
            let inner = [1, 128, 640].map(|len| NonZeroU64::new(len).unwrap());
            let mut sharding = ShardingCodecBuilder::new(inner.to_vec(), &data_type::uint32());
            sharding.bytes_to_bytes_codecs(vec![zstd(false)]);
            builder.array_to_bytes_codec(sharding.build_arc());
        }),
    ];
    let data = data();
    for (number, made) in made.iter().enumerate() {
        for slice in SLICES {
            for workers in [1, 3] {
                let options = ReadOptions::new().workers(workers);
                let (out, _) = made.array.read_slice_with::<u32>(slice, &options).unwrap();
                let spec: slice_core::DynSliceSpec = slice.parse().unwrap();
                assert_eq!(out, data.at(&spec), "array {number}, [{slice}]");
            }
        }
    }
}

/// The first chunk, changed; then what reading its first rows and its last row returns.
fn changed(made: &Made, change: impl FnOnce(&mut Vec<u8>)) -> [Result<ArrayD<u32>, String>; 2] {
    let key = StoreKey::new("c/0/0/0").unwrap();
    let mut bytes = Vec::from(made.store.get(&key).unwrap().unwrap());
    change(&mut bytes);
    made.store.set(&key, bytes.into()).unwrap();
    ["0, :5", "0, 255"].map(|slice| {
        let out = made.array.read_slice(slice);
        out.map_err(|error| error.to_string())
    })
}

#[test]
fn what_is_not_decoded_is_not_seen_but_a_truncated_chunk_is() {
    let data = data();
    let damage = |bytes: &mut Vec<u8>| {
        let end = bytes.len() - 12;
        bytes[end - 40..end].fill(0xFF);
    };
    let [first, last] = changed(&with_zstd(false), damage);
    assert_eq!(first.unwrap(), data.at(slice_core::s![0, :5]));
    assert!(last != Ok(data.at(slice_core::s![0, 255]).to_owned()));

    for result in changed(&with_zstd(true), damage) {
        let error = result.unwrap_err();
        assert!(error.starts_with("chunk [0, 0, 0] (\"c/0/0/0\"): cannot be decoded: "));
    }
    for len in [0, 3, 5, 100, 200_000] {
        for result in changed(&with_zstd(false), |bytes| bytes.truncate(len)) {
            let error = result.unwrap_err();
            assert!(error.starts_with("chunk [0, 0, 0]"), "{len}: {error}");
        }
    }
    // Another frame after it, or anything else, is more than the chunk has.
    for more in [&[0; 9][..], b"\x28\xB5\x2F\xFD\x20\x01\x09\x00\x00\x07"] {
        for result in changed(&with_zstd(false), |bytes| bytes.extend(more)) {
            result.unwrap_err();
        }
    }
}

/// A frame of a few bytes that claims to have 2^60 decoded: an error, not the end of the process.
#[test]
fn memory_that_a_chunk_claims() {
    let claim = |bytes: &mut Vec<u8>| {
        let size = (1_u64 << 60).to_le_bytes();
        *bytes = [&b"\x28\xB5\x2F\xFD\xE0"[..], &size, b"\x01\x00\x00"].concat();
    };
    for result in changed(&with_zstd(false), claim) {
        let error = result.unwrap_err();
        assert!(error.contains("cannot be decoded"), "{error}");
    }
    // A chunk is read before a part of it is written.
    let written = with_zstd(false);
    let _ = changed(&written, claim);
    let one = ndarray::arr0(1_u32);
    let error = written.array.write_slice("0, 0, 0", &one).unwrap_err();
    assert!(error.to_string().contains("cannot be decoded"), "{error}");
}
