//! Checks reads that decode only the first rows of a zstd chunk. Some of the chunks contain a checksum, are damaged or
//! are truncated. Also checks gzip chunks with several members.

use std::num::NonZeroU64;
use std::sync::{Arc, LazyLock};

use ndarray::ArrayD;
use slice_core::StridedSliceExt;
use slice_zarr::{AccessOptions, ReadSlice, WriteSlice};
use zarrs::array::codec::{
    BytesCodec, Crc32cCodec, GzipCodec, ShardingCodecBuilder, TransposeCodec, TransposeOrder,
    ZstdCodec,
};
use zarrs::array::{
    Array, ArrayBuilder, BytesToBytesCodecTraits, CodecOptions, Endianness, data_type,
};
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{ReadableStorageTraits, StoreKey, WritableStorageTraits};

use crate::random::Random;

const SHAPE: [usize; 3] = [2, 600, 640];
const CHUNK: [u64; 3] = [1, 256, 640];
/// Slices that select the first rows of a chunk, the last row of a chunk, whole chunks, or nothing from some chunks.
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

static DATA: LazyLock<ArrayD<u32>> = LazyLock::new(|| Random(1).array(&SHAPE, 12));

struct TestArray {
    store: Arc<MemoryStore>,
    array: Array<MemoryStore>,
}

fn zstd(checksum: bool) -> Arc<ZstdCodec> {
    Arc::new(ZstdCodec::new(1, checksum))
}

fn with_zstd(checksum: bool) -> TestArray {
    test_array(|builder| {
        builder.bytes_to_bytes_codecs(vec![zstd(checksum)]);
    })
}

fn test_array(configure: impl FnOnce(&mut ArrayBuilder)) -> TestArray {
    let shape = SHAPE.map(|len| len as u64).to_vec();
    let mut builder = ArrayBuilder::new(shape, CHUNK.to_vec(), data_type::uint32(), 0_u32);
    configure(&mut builder);
    let store = Arc::new(MemoryStore::new());
    let array = builder.build(store.clone(), "/").unwrap();
    array.write_slice("...", &*DATA).unwrap();
    TestArray { store, array }
}

#[test]
fn slices_of_zstd_chunks_agree_with_ndarray() {
    let arrays = [
        with_zstd(false),
        with_zstd(true),
        test_array(|builder| {
            let big = Arc::new(BytesCodec::new(Some(Endianness::Big)));
            builder.array_to_bytes_codec(big);
            builder.bytes_to_bytes_codecs(vec![zstd(false)]);
        }),
        test_array(|builder| {
            let order = TransposeOrder::new(&[1, 2, 0]).unwrap();
            builder.array_to_array_codecs(vec![Arc::new(TransposeCodec::new(order))]);
            builder.bytes_to_bytes_codecs(vec![zstd(false)]);
        }),
        test_array(|builder| {
            let crc = Arc::new(Crc32cCodec::new());
            builder.bytes_to_bytes_codecs(vec![zstd(false), crc, zstd(false)]);
        }),
        test_array(|builder| {
            let inner = [1, 128, 640].map(|len| NonZeroU64::new(len).unwrap());
            let mut sharding = ShardingCodecBuilder::new(inner.to_vec(), &data_type::uint32());
            sharding.bytes_to_bytes_codecs(vec![zstd(false)]);
            builder.array_to_bytes_codec(sharding.build_arc());
        }),
    ];
    for slice in SLICES {
        let spec: slice_core::DynSliceSpec = slice.parse().unwrap();
        let expected = DATA.at(&spec).as_standard_layout().into_owned();
        for (number, test_array) in arrays.iter().enumerate() {
            for workers in [1, 3] {
                let options = AccessOptions::new().workers(workers);
                let (out, _) = test_array
                    .array
                    .read_slice_with::<u32>(slice, &options)
                    .unwrap();
                assert_eq!(out.shape(), expected.shape());
                // Comparing Rust slices is faster than comparing arrays.
                let same = out.as_slice().unwrap() == expected.as_slice().unwrap();
                assert!(same, "array {number}, [{slice}]: incorrect elements");
            }
        }
    }
}

/// Changes the first chunk temporarily, and returns the results of reading its first rows and its last row.
fn read_changed(
    test_array: &TestArray,
    change: impl FnOnce(&mut Vec<u8>),
) -> [Result<ArrayD<u32>, String>; 2] {
    let key = StoreKey::new("c/0/0/0").unwrap();
    let whole = test_array.store.get(&key).unwrap().unwrap();
    let mut bytes = whole.to_vec();
    change(&mut bytes);
    test_array.store.set(&key, bytes.into()).unwrap();
    let read = ["0, :5", "0, 255"].map(|slice| {
        let out = test_array.array.read_slice(slice);
        out.map_err(|error| error.to_string())
    });
    test_array.store.set(&key, whole).unwrap();
    read
}

#[test]
fn truncation_causes_an_error_but_damage_after_the_selected_rows_does_not() {
    let plain = with_zstd(false);
    let damage = |bytes: &mut Vec<u8>| {
        let end = bytes.len() - 12;
        bytes[end - 40..end].fill(0xFF);
    };
    let [first, last] = read_changed(&plain, damage);
    assert_eq!(first.unwrap(), DATA.at(slice_core::s![0, :5]));
    assert!(last != Ok(DATA.at(slice_core::s![0, 255]).to_owned()));

    for result in read_changed(&with_zstd(true), damage) {
        let error = result.unwrap_err();
        assert!(error.starts_with("chunk [0, 0, 0] (\"c/0/0/0\"): a codec failed: "));
    }
    for len in [0, 3, 5, 100, 200_000] {
        for result in read_changed(&plain, |bytes| bytes.truncate(len)) {
            let error = result.unwrap_err();
            assert!(error.starts_with("chunk [0, 0, 0]"), "{len}: {error}");
        }
    }
    // Any bytes after the frame, such as another frame, make the chunk too long.
    for extra in [&[0; 9][..], b"\x28\xB5\x2F\xFD\x20\x01\x09\x00\x00\x07"] {
        for result in read_changed(&plain, |bytes| bytes.extend(extra)) {
            result.unwrap_err();
        }
    }
}

/// Overwrites a chunk with a short frame that claims a decoded size of 2^60 bytes. Reads and writes must return an
/// error, and must not abort the process.
#[test]
fn sizes_claimed_by_frames_are_not_allocated() {
    let size = (1_u64 << 60).to_le_bytes();
    let claim = [&b"\x28\xB5\x2F\xFD\xE0"[..], &size, b"\x01\x00\x00"].concat();
    let test_array = with_zstd(false);
    for result in read_changed(&test_array, |bytes| bytes.clone_from(&claim)) {
        let error = result.unwrap_err();
        assert!(error.contains("a codec failed"), "{error}");
    }
    // A write to a part of the chunk also fails, because the chunk is decoded first.
    let key = StoreKey::new("c/0/0/0").unwrap();
    test_array.store.set(&key, claim.into()).unwrap();
    let one = ndarray::arr0(1_u32);
    let error = test_array.array.write_slice("0, 0, 0", &one).unwrap_err();
    assert!(error.to_string().contains("a codec failed"), "{error}");
}

/// Checks that gzip chunks may consist of several members, each of which may be followed by zeros. Other programs accept
/// such chunks too.
#[test]
fn gzip_chunks_may_have_several_members() {
    let store = Arc::new(MemoryStore::new());
    let gzip = Arc::new(GzipCodec::new(5).unwrap());
    let mut builder = ArrayBuilder::new(vec![8192], vec![8192], data_type::uint8(), 0_u8);
    builder.bytes_to_bytes_codecs(vec![gzip.clone()]);
    let array = builder.build(store.clone(), "/").unwrap();
    let elements: Vec<u8> = (0..8192_u32).map(|k| ((k * k) >> 3) as u8).collect();
    let member = |elements: &[u8]| {
        let bytes = elements.to_vec().into();
        let encoded = gzip.encode(bytes, &CodecOptions::default());
        encoded.unwrap().into_owned()
    };
    let (first, second) = elements.split_at(4096);
    let both = [member(first), member(second)].concat();
    let read = |chunk: Vec<u8>| {
        let key = StoreKey::new("c/0").unwrap();
        store.set(&key, chunk.into()).unwrap();
        array.read_slice::<u8>("...")
    };
    for end in [&b""[..], &[0; 100]] {
        let out = read([&both[..], end].concat()).unwrap();
        assert_eq!(out.as_slice(), Some(&elements[..]));
        let out = read([&member(first)[..], end, &member(second)].concat()).unwrap();
        assert_eq!(out.as_slice(), Some(&elements[..]));
    }
    // A single byte after the last member is an error too, unless it is zero. The module gzip of Python accepts the same.
    for byte in 0..=u8::MAX {
        let result = read([&both[..], &[byte]].concat());
        assert_eq!(result.is_ok(), byte == 0, "byte {byte}: {result:?}");
        assert!(read([&both[..], &[0, byte, 0]].concat()).is_ok() == (byte == 0));
    }
    // Only zeros may follow the last member. No member may be truncated, and the members must decode to exactly the
    // size of the chunk.
    for chunk in [
        [&both[..], b"more"].concat(),
        [&both[..], &member(&[1])].concat(),
        both[..both.len() - 1].to_vec(),
        member(first),
    ] {
        assert!(read(chunk).is_err());
    }
}
