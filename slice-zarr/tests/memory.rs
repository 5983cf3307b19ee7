//! Checks the peak memory of reads and writes, as measured by the allocator. In addition to the output, a read may hold
//! one chunk per worker, both encoded and decoded. Reads and writes must not allocate memory for sizes that untrusted
//! chunks or metadata only claim.

use std::env;
use std::io::{Seek, SeekFrom, Write};
use std::num::NonZeroU64;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;

use peak_alloc::PeakAlloc;
use slice_core::s;
use slice_zarr::{AccessOptions, FileStorage, PlanSlice, Progress, ReadSlice, WriteSlice};
use zarrs::array::codec::{
    BloscCodec, Crc32cCodec, GzipCodec, ShardingCodecBuilder, TransposeCodec, TransposeOrder,
    ZlibCodec, ZstdCodec,
};
use zarrs::array::{
    ArrayBuilder, ArrayToBytesCodecTraits, BytesToBytesCodecTraits, CodecOptions, data_type,
};
use zarrs::filesystem::FilesystemStore;
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{ReadableWritableStorageTraits, StoreKey, WritableStorageTraits};

#[path = "zarr/random.rs"]
mod random;
use random::Random;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const SHAPE: [usize; 3] = [48, 128, 256];
/// The allowance for threads, plans and shard indices, in bytes.
const SLACK_BYTES: usize = 200 << 10;

/// Runs the current test in a process of its own, because the allocator counts the memory of all threads. Returns `true`
/// after the test has passed there. Returns `false` in that process, which then runs the test.
///
/// # Panics
///
/// Panics if the test fails.
fn passes_in_its_own_process() -> bool {
    const IS_ALONE: &str = "SLICE_ZARR_TEST_IS_ALONE";
    let thread = thread::current();
    let name = thread
        .name()
        .expect("a test thread should have the test's name");
    // With `--test-threads=1`, the main thread runs one test after the other.
    if env::var_os(IS_ALONE).is_some() || name == "main" {
        return false;
    }
    let program = env::current_exe().expect("the path of the tests should be known");
    let mut command = Command::new(program);
    let command = command
        .args(["--exact", name, "--nocapture"])
        .env(IS_ALONE, "1");
    let output = command.output().expect("the tests should start");
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{}",
        output.status
    );
    true
}

#[test]
fn a_read_holds_at_most_the_output_and_one_chunk_per_worker() {
    if passes_in_its_own_process() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let data = Random(1).array(&SHAPE, 8);
    let mut reads = 0;
    let decoded = 4 * 16 * 64 * 64;
    for kind in ["raw", "zstd", "sharded"] {
        let sharded = kind == "sharded";
        let store = FilesystemStore::new(directory.path().join(kind)).unwrap();
        let mut builder = ArrayBuilder::new(
            SHAPE.map(|len| len as u64).to_vec(),
            if sharded {
                vec![48, 128, 128]
            } else {
                vec![16, 64, 64]
            },
            data_type::uint32(),
            0_u32,
        );
        let zstd: Codec = Arc::new(ZstdCodec::new(1, false));
        match kind {
            "raw" => {}
            "zstd" => {
                builder.bytes_to_bytes_codecs(vec![zstd]);
            }
            _ => {
                let inner = [16, 64, 64].map(|len| NonZeroU64::new(len).unwrap());
                let mut sharding = ShardingCodecBuilder::new(inner.to_vec(), &data_type::uint32());
                sharding.bytes_to_bytes_codecs(vec![zstd]);
                builder.array_to_bytes_codec(sharding.build_arc());
            }
        }
        let array = builder.build(Arc::new(store), "/").unwrap();
        array.write_slice("...", &data).unwrap();
        for slice in ["...", "::2, ::-3", "5, :, ::7", "::-16, ::64, ::64"] {
            for workers in [1, 2, 5] {
                let context = || format!("{kind}[{slice}] with {workers} workers");
                // With these options, inner chunks are requested one by one, and uncompressed chunks as a whole.
                let options = AccessOptions::new().workers(workers).batch(1);
                let options = options.merge_gap(if sharded { 0 } else { u64::MAX });
                let plan = array.plan_slice(slice).unwrap();
                let output = plan.output_bytes() as usize;
                let before = ALLOCATOR.current_usage();
                ALLOCATOR.reset_peak_usage();
                let (out, stats) = array.read_slice_with::<u32>(slice, &options).unwrap();
                let held = ALLOCATOR.peak_usage() - before;
                let encoded = stats.bytes as usize / stats.chunks;
                let chunk = if kind == "raw" {
                    assert!(encoded <= decoded, "{encoded} bytes per chunk");
                    decoded
                } else {
                    // Each chunk is compressed to about a third of its size.
                    assert!(
                        (decoded / 4..decoded / 2).contains(&encoded),
                        "{encoded} bytes per chunk"
                    );
                    decoded + decoded / 2
                };
                let bound = output + workers * chunk;
                let planned = plan.peak_bytes(&options) as usize;
                assert!(
                    bound <= planned,
                    "{}: the plan's peak is only {planned} bytes",
                    context()
                );
                assert!(held >= output, "the allocator counted only {held} bytes");
                assert!(
                    held <= bound + SLACK_BYTES && stats.peak_bytes as usize <= bound,
                    "{}: the read held {held} bytes instead of at most {bound}; {stats:?}",
                    context()
                );
                drop(out);
                reads += 1;
            }
        }
    }
    assert_eq!(reads, 36);
}

/// Checks that the buffer in which the elements of a chunk are collected is passed to the store.
#[test]
fn uncompressed_chunks_are_written_without_a_copy() {
    const LEN: usize = 8 << 20;
    if passes_in_its_own_process() {
        return;
    }
    let builder = ArrayBuilder::new(vec![LEN as u64], vec![LEN as u64], data_type::uint8(), 0_u8);
    let array = builder.build(Arc::new(MemoryStore::new()), "/").unwrap();
    let values = ndarray::Array1::from_elem(LEN, 3_u8);
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    array.write_slice("::-1", &values).unwrap();
    let held = ALLOCATOR.peak_usage() - before;
    // The elements are held once in the collected chunk, and once in the store.
    assert!(held <= 2 * LEN + SLACK_BYTES, "the write held {held} bytes");
}

/// Checks that a list takes at most 24 bytes per position and 8 bytes per chunk, in addition to the output and one
/// chunk per worker.
#[test]
fn lists_take_at_most_24_bytes_per_position() {
    const LEN: usize = 2_000_000;
    const CHUNK: usize = 4096;
    if passes_in_its_own_process() {
        return;
    }
    let zstd: Codec = Arc::new(ZstdCodec::new(1, false));
    let mut builder = ArrayBuilder::new(
        vec![LEN as u64],
        vec![CHUNK as u64],
        data_type::uint32(),
        0_u32,
    );
    builder.bytes_to_bytes_codecs(vec![zstd]);
    let array = builder.build(Arc::new(MemoryStore::new()), "/").unwrap();
    let data = Random(9).array(&[LEN], 8);
    array.write_slice("...", &data).unwrap();
    let mut random = Random(10);
    let unordered: Vec<usize> = (0..500_000).map(|_| random.below(LEN)).collect();
    let mut sorted = unordered.clone();
    sorted.sort_unstable();
    let runs: Vec<usize> = (0..20_000)
        .flat_map(|_| {
            let begin = random.below(LEN - 25);
            begin..begin + 25
        })
        .collect();
    for (name, list, bytes_per_position) in [
        ("unordered", &unordered, 24),
        ("sorted", &sorted, 16),
        // 25 consecutive positions are held as two runs of 24 bytes each: one in the list, and one in a chunk.
        ("runs", &runs, 4),
    ] {
        let selection = s![&list].resolve(&[LEN]).unwrap();
        for workers in [1, 3] {
            let options = AccessOptions::new().workers(workers);
            let plan = array.plan_slice(&selection).unwrap();
            let planned = plan.peak_bytes(&options) as usize;
            drop(plan);
            let before = ALLOCATOR.current_usage();
            ALLOCATOR.reset_peak_usage();
            let (out, stats) = array.read_slice_with::<u32>(&selection, &options).unwrap();
            let held = ALLOCATOR.peak_usage() - before;
            let lists = bytes_per_position * list.len() + 8 * LEN.div_ceil(CHUNK);
            let bound = 4 * list.len() + lists + workers * 2 * 4 * CHUNK;
            let context =
                || format!("{name} with {workers} workers: the read held {held} bytes, {stats:?}");
            assert!(
                held <= bound + SLACK_BYTES,
                "{}; the bound is {bound} bytes",
                context()
            );
            assert!(
                held <= planned + SLACK_BYTES,
                "{}; the plan's peak is {planned} bytes",
                context()
            );
            assert_eq!(stats.chunks, LEN.div_ceil(CHUNK), "{}", context());
            assert_eq!(out[[17]], data[[list[17]]]);
            drop(out);
        }
    }
}

/// The plans write to scattered positions of the output.
#[test]
fn plans_of_a_split_fill_the_output_without_a_second_copy() {
    const ROWS: usize = 20_000;
    if passes_in_its_own_process() {
        return;
    }
    let mut builder = ArrayBuilder::new(
        vec![ROWS as u64, 100],
        vec![500, 100],
        data_type::uint32(),
        0_u32,
    );
    builder.bytes_to_bytes_codecs(vec![Arc::new(ZstdCodec::new(1, false))]);
    let array = builder.build(Arc::new(MemoryStore::new()), "/").unwrap();
    let data = Random(9).array(&[ROWS, 100], 8);
    array.write_slice("...", &data).unwrap();
    let mut random = Random(10);
    let rows: Vec<usize> = (0..12_000).map(|_| random.below(ROWS)).collect();
    let plan = array.plan_slice(s![&rows]).unwrap();
    let mut out = ndarray::ArrayD::<u32>::zeros(plan.shape());
    for workers in [1, 2] {
        let options = AccessOptions::new().workers(workers);
        out.fill(0);
        for part in plan.split(3) {
            let planned = part.peak_bytes(&options) - part.output_bytes();
            let before = ALLOCATOR.current_usage();
            ALLOCATOR.reset_peak_usage();
            let stats = part.run_into(&array, out.view_mut(), &options).unwrap();
            let held = ALLOCATOR.peak_usage() - before;
            let bound = 24 * part.elements() / 100 + workers * 2 * 4 * 500 * 100;
            let context = || format!("{workers} workers: the run held {held} bytes, {stats:?}");
            assert!(
                held <= bound + SLACK_BYTES,
                "{}; the bound is {bound} bytes",
                context()
            );
            assert!(
                held as u64 <= planned + SLACK_BYTES as u64,
                "{}; the plan's peak is {planned} bytes",
                context()
            );
            assert!(
                stats.peak_bytes <= part.peak_bytes(&options),
                "{}",
                context()
            );
            assert!(part.output_bytes() as usize > bound + SLACK_BYTES);
        }
        let row_pairs = rows.iter().zip(out.outer_iter());
        assert!(
            row_pairs
                .into_iter()
                .all(|(&row, output_row)| output_row == data.index_axis(ndarray::Axis(0), row))
        );
    }
}

type Codec = Arc<dyn BytesToBytesCodecTraits>;

/// A zstd frame that contains no data, but claims a decoded size of 2^60 bytes.
const CLAIM: &[u8] = b"\x28\xB5\x2F\xFD\xE0\0\0\0\0\0\0\0\x10\x01\0\0";

fn encoded(codec: &Codec, bytes: Vec<u8>) -> Vec<u8> {
    let encoded = codec.encode(bytes.into(), &CodecOptions::default());
    encoded.unwrap().into_owned()
}

/// Returns a shard with two inner chunks: `inner`, and a missing one.
fn shard(inner: Vec<u8>) -> Vec<u8> {
    let index = [0, inner.len() as u64, u64::MAX, u64::MAX];
    let index = index.iter().flat_map(|entry| entry.to_le_bytes()).collect();
    let crc: Codec = Arc::new(Crc32cCodec::new());
    [inner, encoded(&crc, index)].concat()
}

fn sharding(inner: [u64; 2], codecs: &[Codec]) -> ShardingCodecBuilder {
    let inner = inner.map(|len| NonZeroU64::new(len).unwrap());
    let mut sharding = ShardingCodecBuilder::new(inner.to_vec(), &data_type::uint32());
    sharding.bytes_to_bytes_codecs(codecs.to_vec());
    sharding
}

/// A chunk that decodes to too many bytes, or claims to do so, must cause an error when it is read or partly
/// overwritten. Only a small amount of memory may be allocated.
#[test]
fn sizes_claimed_by_chunks_are_not_allocated() {
    if passes_in_its_own_process() {
        return;
    }
    // A shard has 512 x 256 elements, or 512 KiB. An inner chunk has half of these elements. In nested shards, an
    // innermost chunk has a quarter.
    let (outer, inner, innermost) = ([512, 256], [512, 128], [256, 128]);
    let blosc = r#"{"cname": "lz4", "clevel": 5, "shuffle": "noshuffle", "blocksize": 0}"#;
    let blosc = BloscCodec::new_with_configuration(&serde_json::from_str(blosc).unwrap());
    let (zstd, crc): (Codec, Codec) = (
        Arc::new(ZstdCodec::new(1, false)),
        Arc::new(Crc32cCodec::new()),
    );
    let codecs: [(&str, Codec); 4] = [
        ("zstd", zstd.clone()),
        ("gzip", Arc::new(GzipCodec::new(5).unwrap())),
        ("zlib", Arc::new(ZlibCodec::new(5_u32.try_into().unwrap()))),
        ("blosc", Arc::new(blosc.unwrap())),
    ];
    let zeros = vec![0; 8 << 20];
    let mut bombs: Vec<(&str, Codec, Vec<u8>)> = codecs
        .into_iter()
        .map(|(name, codec)| (name, codec.clone(), encoded(&codec, zeros.clone())))
        .collect();
    bombs.push(("claimed size", zstd.clone(), CLAIM.to_vec()));
    drop(zeros);

    let mut checked = 0;
    for (name, codec, bomb) in bombs {
        let codecs = [codec];
        let in_shard = || sharding(inner, &codecs).build_arc();
        let nested = || {
            let innermost: Arc<dyn ArrayToBytesCodecTraits> =
                sharding(innermost, &codecs).build_arc();
            sharding(inner, &[])
                .array_to_bytes_codec(innermost)
                .build_arc()
        };
        let transpose = || Arc::new(TransposeCodec::new(TransposeOrder::new(&[0, 1]).unwrap()));
        type Set<'s> = &'s dyn Fn(&mut ArrayBuilder);
        let layouts: [(&str, Set<'_>, Vec<u8>); 5] = [
            (
                "chunk",
                &|builder| {
                    builder.bytes_to_bytes_codecs(codecs.to_vec());
                },
                bomb.clone(),
            ),
            (
                "shard",
                &|builder| {
                    builder.array_to_bytes_codec(in_shard());
                },
                shard(bomb.clone()),
            ),
            (
                "nested shard",
                &|builder| {
                    builder.array_to_bytes_codec(nested());
                },
                shard(shard(bomb.clone())),
            ),
            (
                "transposed shard",
                &|builder| {
                    builder.array_to_array_codecs(vec![transpose()]);
                    builder.array_to_bytes_codec(in_shard());
                },
                shard(bomb.clone()),
            ),
            (
                "shard encoded by two codecs",
                &|builder| {
                    builder.array_to_bytes_codec(in_shard());
                    builder.bytes_to_bytes_codecs(vec![zstd.clone(), crc.clone()]);
                },
                encoded(&crc, encoded(&zstd, shard(bomb.clone()))),
            ),
        ];
        for (layout, set, bytes) in layouts {
            let store = Arc::new(MemoryStore::new());
            let mut builder =
                ArrayBuilder::new(outer.to_vec(), outer.to_vec(), data_type::uint32(), 0_u32);
            set(&mut builder);
            let array = builder.build(store.clone(), "/").unwrap();
            store
                .set(&StoreKey::new("c/0/0").unwrap(), bytes.into())
                .unwrap();
            let before = ALLOCATOR.current_usage();
            ALLOCATOR.reset_peak_usage();
            let read_error = array.read_slice::<u32>("0, 0").unwrap_err();
            let write_error = array
                .write_slice("0, 0", &ndarray::arr0(1_u32))
                .unwrap_err();
            let held = ALLOCATOR.peak_usage() - before;
            for error in [read_error, write_error] {
                let error = error.to_string();
                assert!(
                    error.contains("(\"c/0/0\"): a codec failed"),
                    "{name} in {layout}: {error}"
                );
            }
            assert!(
                held < 4 << 20,
                "{name} in {layout}: {held} bytes were allocated"
            );
            checked += 1;
        }
    }
    assert_eq!(checked, 25);
}

/// Checks metadata that claims a huge shard with small inner chunks. Reading an element must succeed, and writing the
/// element must return an error.
#[test]
fn sizes_claimed_by_metadata_are_not_allocated() {
    if passes_in_its_own_process() {
        return;
    }
    let shape = vec![1 << 40];
    let store = Arc::new(MemoryStore::new());
    let mut builder = ArrayBuilder::new(shape.clone(), shape, data_type::uint32(), 7_u32);
    let inner = vec![NonZeroU64::new(1 << 20).unwrap()];
    builder
        .array_to_bytes_codec(ShardingCodecBuilder::new(inner, &data_type::uint32()).build_arc());
    let array = builder.build(store, "/").unwrap();
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let element = array.read_slice::<u32>("-1").unwrap();
    assert_eq!(element, ndarray::arr0(7).into_dyn());
    let error = array.write_slice("-1", &ndarray::arr0(1_u32)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unable to allocate 4398046511104 bytes for a chunk: not enough memory, or more than the limit for chunks; select \
         less, or raise the limit"
    );
    assert!(ALLOCATOR.peak_usage() - before < 4 << 20);
}

/// Checks incompressible data, tiny chunks, and nested shards of transposed elements.
#[test]
fn reads_stay_within_the_peak_of_their_plan() {
    if passes_in_its_own_process() {
        return;
    }
    let codec = |name: &str| -> Codec {
        match name {
            "zstd" => Arc::new(ZstdCodec::new(1, true)),
            "gzip" => Arc::new(GzipCodec::new(1).unwrap()),
            _ => Arc::new(Crc32cCodec::new()),
        }
    };
    let sharding = |inner: usize, nested: Option<usize>, codecs: &[Codec], is_transposed: bool| {
        let shape = |len: usize| vec![NonZeroU64::new(len as u64).unwrap(); 2];
        let transpose = || Arc::new(TransposeCodec::new(TransposeOrder::new(&[1, 0]).unwrap()));
        let mut sharding = ShardingCodecBuilder::new(shape(inner), &data_type::uint8());
        match nested {
            None => sharding.bytes_to_bytes_codecs(codecs.to_vec()),
            Some(len) => {
                let mut innermost = ShardingCodecBuilder::new(shape(len), &data_type::uint8());
                innermost.bytes_to_bytes_codecs(codecs.to_vec());
                let innermost: Arc<dyn ArrayToBytesCodecTraits> = innermost.build_arc();
                sharding.array_to_bytes_codec(innermost)
            }
        };
        if is_transposed {
            sharding.array_to_array_codecs(vec![transpose()]);
        }
        sharding.build_arc()
    };
    let mut reads = 0;
    for len in [2_usize, 8, 64, 256] {
        for codecs in [
            &[][..],
            &["zstd"],
            &["gzip", "crc"],
            &["crc", "zstd", "gzip"],
        ] {
            let codecs: Vec<Codec> = codecs.iter().map(|name| codec(name)).collect();
            for layout in 0..7 {
                let directory = tempfile::tempdir().unwrap();
                let store = FilesystemStore::new(directory.path()).unwrap();
                let size = len as u64 * 2;
                let mut builder =
                    ArrayBuilder::new(vec![size; 2], vec![size; 2], data_type::uint8(), 0_u8);
                match layout {
                    0 => {
                        builder.bytes_to_bytes_codecs(codecs.clone());
                    }
                    _ => {
                        let innermost = [1, len.div_ceil(64), len / 2][layout % 3];
                        let nested = (layout > 1).then_some(innermost);
                        builder.array_to_bytes_codec(sharding(len, nested, &codecs, layout > 3));
                        if layout == 6 {
                            builder.bytes_to_bytes_codecs(vec![codec("zstd")]);
                        }
                    }
                }
                // These layouts have many thousands of inner chunks, so the test would take too long with them.
                if len == 256 && [3, 6].contains(&layout) {
                    continue;
                }
                let array = builder.build(Arc::new(store), "/").unwrap();
                let numbers = Random(1).array(&[len * 2, len * 2], 32);
                array
                    .write_slice("...", &numbers.mapv(|n| n as u8 | 1))
                    .unwrap();
                for (slice, workers) in [("...", 1), ("::-1, 1:", 4), ("1, 1", 2)] {
                    let options = AccessOptions::new().workers(workers);
                    let planned = array.plan_slice(slice).unwrap().peak_bytes(&options);
                    let before = ALLOCATOR.current_usage();
                    ALLOCATOR.reset_peak_usage();
                    let (out, stats) = array.read_slice_with::<u8>(slice, &options).unwrap();
                    let held = ALLOCATOR.peak_usage() - before;
                    let context = || {
                        format!(
                            "length {len}, {} codecs, layout {layout}, {slice:?}",
                            codecs.len()
                        )
                    };
                    assert!(
                        stats.peak_bytes <= planned,
                        "{}: {stats:?}; the plan's peak is {planned} bytes",
                        context()
                    );
                    // Each worker also holds the contexts of zstd and deflate, which plans do not count.
                    let slack = SLACK_BYTES + workers * (400 << 10);
                    assert!(
                        held as u64 <= planned + slack as u64,
                        "{}: the read held {held} bytes; the plan's peak is {planned} bytes",
                        context()
                    );
                    drop(out);
                    reads += 1;
                }
            }
        }
    }
    assert!(reads > 300, "there were only {reads} reads");
}

/// Compares the heap that reads take with the promise of their plans, for every combination of codecs, stores, slices,
/// merge gaps and workers. Memory that plans do not count, such as the queue of the workers, takes less than 2 % of the
/// promise.
#[test]
fn reads_take_at_most_the_promised_memory() {
    const SHAPE: [u64; 2] = [1024, 512];
    if passes_in_its_own_process() {
        return;
    }
    let blosc = r#"{"cname": "lz4", "clevel": 5, "shuffle": "noshuffle", "blocksize": 0}"#;
    let blosc = BloscCodec::new_with_configuration(&serde_json::from_str(blosc).unwrap());
    let codecs: [(&str, Vec<Codec>); 7] = [
        ("raw", vec![]),
        ("crc32c", vec![Arc::new(Crc32cCodec::new())]),
        ("zstd", vec![Arc::new(ZstdCodec::new(1, false))]),
        ("gzip", vec![Arc::new(GzipCodec::new(1).unwrap())]),
        (
            "zlib",
            vec![Arc::new(ZlibCodec::new(1_u32.try_into().unwrap()))],
        ),
        ("blosc", vec![Arc::new(blosc.unwrap())]),
        (
            "zstd, crc32c",
            vec![
                Arc::new(ZstdCodec::new(1, true)),
                Arc::new(Crc32cCodec::new()),
            ],
        ),
    ];
    let mut random = Random(56);
    let values = Random(1)
        .array(&SHAPE.map(|len| len as usize), 32)
        .mapv(|n| u64::from(n) << 20);
    let mut list =
        |len: usize, size: usize| -> Vec<usize> { (0..len).map(|_| random.below(size)).collect() };
    let (rows, columns) = (list(800, 1024), list(400, 512));
    let many_rows = list(40_000, 1024);
    let shape = [1024, 512];
    let selections = [
        ("...", s![...].resolve(&shape).unwrap()),
        ("::2, ::2", s![::2, ::2].resolve(&shape).unwrap()),
        (
            "rows, columns",
            s![&rows, &columns].resolve(&shape).unwrap(),
        ),
        (
            "repeated rows, 7:9",
            s![&many_rows, 7:9].resolve(&shape).unwrap(),
        ),
    ];
    let (mut configurations, mut worst) = (0, (0.0, String::new()));
    for (name, codecs) in codecs {
        for layout in [
            "chunks",
            "transposed",
            "shards",
            "shards without a checksum",
            "tiny inner chunks",
        ] {
            // Transposing and tiny chunks take long in a test build.
            if !["raw", "zstd"].contains(&name) && !["chunks", "shards"].contains(&layout) {
                continue;
            }
            let directory = tempfile::tempdir().unwrap();
            let store = Arc::new(FileStorage::new(directory.path()).unwrap());
            let chunk = if layout == "chunks" || layout == "transposed" {
                [256, 256]
            } else {
                [1024, 512]
            };
            let mut builder =
                ArrayBuilder::new(SHAPE.to_vec(), chunk.to_vec(), data_type::uint64(), 0_u64);
            let inner = if layout == "tiny inner chunks" {
                [16, 4]
            } else {
                [128, 128]
            };
            let inner = inner.map(|len| NonZeroU64::new(len).unwrap());
            let mut sharding = ShardingCodecBuilder::new(inner.to_vec(), &data_type::uint64());
            sharding.bytes_to_bytes_codecs(codecs.clone());
            match layout {
                "chunks" => drop(builder.bytes_to_bytes_codecs(codecs.clone())),
                "transposed" => {
                    let order = TransposeOrder::new(&[1, 0]).unwrap();
                    builder.array_to_array_codecs(vec![Arc::new(TransposeCodec::new(order))]);
                    builder.bytes_to_bytes_codecs(codecs.clone());
                }
                "shards without a checksum" => {
                    sharding.index_bytes_to_bytes_codecs(vec![]);
                    builder.array_to_bytes_codec(sharding.build_arc());
                }
                _ => drop(builder.array_to_bytes_codec(sharding.build_arc())),
            }
            let array = builder.build(store, "/").unwrap();
            array.write_slice("...", &values).unwrap();
            for (slice, selection) in &selections {
                // Compressed chunks are read as a whole, whatever the merge gap.
                let gaps = if name == "raw" {
                    &[0, 32 << 10][..]
                } else {
                    &[0]
                };
                for &gap in gaps {
                    for workers in [1, 3] {
                        let options = AccessOptions::new().workers(workers).merge_gap(gap);
                        let promised = array.plan_slice(selection).unwrap().peak_bytes(&options);
                        let before = ALLOCATOR.current_usage();
                        ALLOCATOR.reset_peak_usage();
                        let (out, stats) =
                            array.read_slice_with::<u64>(selection, &options).unwrap();
                        let held = (ALLOCATOR.peak_usage() - before) as u64;
                        drop(out);
                        let ratio = held as f64 / promised as f64;
                        let context = format!(
                            "{name}, {layout}, [{slice}], gap {gap}, {workers} workers: held {held}, promised {promised}, {stats:?}"
                        );
                        if ratio > worst.0 {
                            worst = (ratio, context);
                        }
                        configurations += 1;
                    }
                }
            }
        }
    }
    assert!(
        worst.0 <= 1.02 && configurations > 150,
        "{configurations} configurations; the largest ratio is {worst:?}"
    );
}

/// A large chunk is read with one range for every other element, and the index of a shard has a checksum.
#[test]
fn many_ranges_and_large_indices_take_at_most_the_promised_memory() {
    if passes_in_its_own_process() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let store = Arc::new(FileStorage::new(directory.path().join("raw")).unwrap());
    let builder = ArrayBuilder::new(vec![500_000], vec![500_000], data_type::uint8(), 0_u8);
    let raw = builder.build(store, "/").unwrap();
    raw.write_slice("...", &ndarray::Array1::from_elem(500_000, 7_u8))
        .unwrap();

    let store = Arc::new(FileStorage::new(directory.path().join("shard")).unwrap());
    let shape = vec![250_000];
    let mut builder = ArrayBuilder::new(shape.clone(), shape, data_type::uint8(), 0_u8);
    let inner = vec![NonZeroU64::new(1).unwrap()];
    let mut sharding = ShardingCodecBuilder::new(inner, &data_type::uint8());
    builder.array_to_bytes_codec(sharding.build_arc());
    let with_checksum = builder.build(store, "/").unwrap();
    sharding.index_bytes_to_bytes_codecs(vec![]);
    builder.array_to_bytes_codec(sharding.build_arc());
    let store = Arc::new(FileStorage::new(directory.path().join("plain")).unwrap());
    let without_checksum = builder.build(store, "/").unwrap();
    for shard in [&with_checksum, &without_checksum] {
        shard
            .write_slice("::1000", &ndarray::Array1::from_elem(250, 7_u8))
            .unwrap();
    }
    for (array, slice, sum) in [
        (&raw, "::2", 7 * 250_000),
        (&raw, "::-3", 7 * 166_667),
        (&with_checksum, "::2", 7 * 250),
        (&without_checksum, "5::1000", 0),
    ] {
        for gap in [0, 1, 2] {
            let options = AccessOptions::new().workers(1).merge_gap(gap);
            let promised = array.plan_slice(slice).unwrap().peak_bytes(&options);
            let before = ALLOCATOR.current_usage();
            ALLOCATOR.reset_peak_usage();
            let (out, stats) = array.read_slice_with::<u8>(slice, &options).unwrap();
            let held = (ALLOCATOR.peak_usage() - before) as u64;
            assert_eq!(out.iter().map(|&value| u64::from(value)).sum::<u64>(), sum);
            let ratio = held as f64 / promised as f64;
            println!(
                "{ratio:.3} {slice:?}, gap {gap}: held {held}, promised {promised}; {stats:?}"
            );
            assert!(
                ratio <= 1.02 && stats.peak_bytes <= promised,
                "{slice:?}, gap {gap}: held {held}, promised {promised}; {stats:?}"
            );
        }
    }
}

/// Checks shards of transposed elements. Such a shard is decoded as a whole, including the indices of all nested
/// shards.
#[test]
fn reads_of_transposed_shards_stay_within_the_peak_of_their_plan() {
    if passes_in_its_own_process() {
        return;
    }
    let codecs: [&[Codec]; 4] = [
        &[],
        &[Arc::new(GzipCodec::new(1).unwrap())],
        &[Arc::new(ZstdCodec::new(1, false))],
        &[Arc::new(Crc32cCodec::new())],
    ];
    for (inner, innermost) in [
        ([2, 2], [1, 1]),
        ([2, 2], [1, 2]),
        ([8, 8], [1, 1]),
        ([8, 4], [2, 2]),
    ] {
        for codecs in codecs {
            let nested: Arc<dyn ArrayToBytesCodecTraits> = sharding(innermost, codecs).build_arc();
            let nested = sharding(inner, &[])
                .array_to_bytes_codec(nested)
                .build_arc();
            let transpose = TransposeCodec::new(TransposeOrder::new(&[1, 0]).unwrap());
            let mut builder = ArrayBuilder::new(vec![8, 8], vec![8, 8], data_type::uint32(), 0_u32);
            builder.array_to_array_codecs(vec![Arc::new(transpose)]);
            builder.array_to_bytes_codec(nested);
            let array = builder.build(Arc::new(MemoryStore::new()), "/").unwrap();
            let numbers = Random(1).array(&[8, 8], 32);
            array.write_slice("...", &numbers).unwrap();
            for slice in ["...", "0", "1, 1", "::-2"] {
                let options = AccessOptions::new().workers(1);
                let planned = array.plan_slice(slice).unwrap().peak_bytes(&options);
                let (_, stats) = array.read_slice_raw(slice, &options).unwrap();
                let context = || format!("{inner:?} {innermost:?} {} {slice:?}", codecs.len());
                assert!(
                    stats.peak_bytes <= planned,
                    "{}: {stats:?}; the plan's peak is {planned} bytes",
                    context()
                );
            }
        }
    }
}

/// Checks that a 1 GiB object for a 32-byte chunk causes an error, and is not read.
#[test]
fn an_object_that_is_too_long_is_not_read() {
    if passes_in_its_own_process() {
        return;
    }
    let zstd: Codec = Arc::new(ZstdCodec::new(1, false));
    let transpose = || Arc::new(TransposeCodec::new(TransposeOrder::new(&[1, 0]).unwrap()));
    type Set<'s> = &'s dyn Fn(&mut ArrayBuilder);
    let layouts: [(&str, Set<'_>); 4] = [
        ("raw", &|_| {}),
        ("zstd", &|builder| {
            builder.bytes_to_bytes_codecs(vec![zstd.clone()]);
        }),
        ("transposed", &|builder| {
            builder.array_to_array_codecs(vec![transpose()]);
        }),
        ("transposed shard", &|builder| {
            builder.array_to_array_codecs(vec![transpose()]);
            builder.array_to_bytes_codec(sharding([2, 2], &[]).build_arc());
        }),
    ];
    for (name, set) in layouts {
        let directory = tempfile::tempdir().unwrap();
        let mut builder = ArrayBuilder::new(vec![4, 2], vec![4, 2], data_type::uint32(), 0_u32);
        set(&mut builder);
        let files = Arc::new(FilesystemStore::new(directory.path()).unwrap());
        let any: Arc<dyn ReadableWritableStorageTraits> = files.clone();
        let confined = Arc::new(FileStorage::new(directory.path()).unwrap());
        let array = builder.build(files, "/").unwrap();
        std::fs::create_dir_all(directory.path().join("c/0")).unwrap();
        let file = std::fs::File::create(directory.path().join("c/0/0")).unwrap();
        file.set_len(1 << 30).unwrap();
        let before = ALLOCATOR.current_usage();
        ALLOCATOR.reset_peak_usage();
        let (any, confined) = (array.with_storage(any), array.with_storage(confined));
        let value = ndarray::arr0(1_u32);
        let errors = [
            array.read_slice::<u32>("...").unwrap_err(),
            array.write_slice("1, 1", &value).unwrap_err(),
            any.read_slice::<u32>("...").unwrap_err(),
            any.write_slice("1, 1", &value).unwrap_err(),
            confined.read_slice::<u32>("...").unwrap_err(),
            confined.write_slice("1, 1", &value).unwrap_err(),
        ];
        for error in errors {
            let error = error.to_string();
            assert!(
                error.contains("is too long: 1073741824 bytes"),
                "{name}: {error}"
            );
        }
        let held = ALLOCATOR.peak_usage() - before;
        assert!(held < SLACK_BYTES, "{name}: {held} bytes were allocated");
    }
}

/// Reads shards with 131,072 inner chunks of one element each.
#[test]
fn many_inner_chunks_are_not_held_at_once() {
    if passes_in_its_own_process() {
        return;
    }
    for (shape, missing) in [
        (vec![1 << 15], false),
        (vec![1 << 15], true),
        (vec![4, 4, 4, 8, 8, 8], false),
    ] {
        let rank = shape.len();
        let store = Arc::new(MemoryStore::new());
        let mut builder = ArrayBuilder::new(shape.clone(), shape, data_type::uint8(), 0_u8);
        let inner = vec![NonZeroU64::new(1).unwrap(); rank];
        let mut sharding = ShardingCodecBuilder::new(inner, &data_type::uint8());
        sharding.index_bytes_to_bytes_codecs(vec![]);
        builder.array_to_bytes_codec(sharding.build_arc());
        let array = builder.build(store.clone(), "/").unwrap();
        let count = array.shape().iter().product::<u64>();
        // If `missing` is true, every other inner chunk is missing.
        let is_stored = |k: &u64| !missing || k.is_multiple_of(2);
        let mut shard: Vec<u8> = (0..count).map(|k| k as u8).collect();
        shard.extend((0..count).flat_map(|k| {
            let entry = if is_stored(&k) { [k, 1] } else { [u64::MAX; 2] };
            entry.into_iter().flat_map(u64::to_le_bytes)
        }));
        let key = array.chunk_key(&vec![0; rank]);
        store.set(&key, shard.into()).unwrap();
        for workers in [1, 3] {
            let chunks = Mutex::new(Vec::new());
            let progress = |at: Progress| chunks.lock().unwrap().push((at.chunks, at.of));
            let options = AccessOptions::new().workers(workers).progress(&progress);
            let planned = array.plan_slice("...").unwrap().peak_bytes(&options);
            let before = ALLOCATOR.current_usage();
            ALLOCATOR.reset_peak_usage();
            let (out, stats) = array.read_slice_with::<u8>("...", &options).unwrap();
            let held = (ALLOCATOR.peak_usage() - before) as u64;
            for (k, value) in (0..).zip(&out) {
                assert_eq!(*value, if is_stored(&k) { k as u8 } else { 0 });
            }
            assert_eq!(*chunks.lock().unwrap(), [(1, 1)]);
            let context = format!(
                "{rank} axes, {workers} workers: held {held} bytes, {stats:?}, the plan's peak is {planned} bytes"
            );
            assert!(held <= planned + SLACK_BYTES as u64, "{context}");
            assert!(held <= stats.peak_bytes + SLACK_BYTES as u64, "{context}");
            assert!(stats.peak_bytes <= planned, "{context}");
            assert!(planned < (32 << 20) * workers as u64, "{context}");
        }
    }
}

/// The gaps between the inner chunks are read to save requests. They must count towards the maximum size of a batch.
#[test]
fn gaps_count_towards_the_size_of_a_batch() {
    if passes_in_its_own_process() {
        return;
    }
    const GAP: u64 = 1 << 20;
    let directory = tempfile::tempdir().unwrap();
    let store = FilesystemStore::new(directory.path()).unwrap();
    let mut builder = ArrayBuilder::new(vec![256, 1], vec![256, 1], data_type::uint32(), 0_u32);
    builder.array_to_bytes_codec(sharding([1, 1], &[Arc::new(Crc32cCodec::new())]).build_arc());
    let array = builder.build(Arc::new(store), "/").unwrap();
    // Between each inner chunk and the next, there is a gap of 1 MiB.
    let crc: Codec = Arc::new(Crc32cCodec::new());
    let inner = encoded(&crc, 7_u32.to_le_bytes().to_vec());
    let index = (0..256)
        .flat_map(|k| [k * (GAP + 8), 8])
        .flat_map(u64::to_le_bytes)
        .collect();
    std::fs::create_dir_all(directory.path().join("c/0")).unwrap();
    let path = directory.path().join("c/0/0");
    std::fs::File::create(&path)
        .unwrap()
        .set_len(256 * (GAP + 8))
        .unwrap();
    let mut file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    for k in 0..256 {
        file.seek(SeekFrom::Start(k * (GAP + 8))).unwrap();
        file.write_all(&inner).unwrap();
    }
    file.seek(SeekFrom::End(0)).unwrap();
    file.write_all(&encoded(&crc, index)).unwrap();

    let options = AccessOptions::new()
        .workers(1)
        .merge_gap(GAP)
        .batch(8 << 20);
    let planned = array.plan_slice("...").unwrap().peak_bytes(&options);
    let (out, stats) = array.read_slice_with::<u32>("...", &options).unwrap();
    assert!(out.iter().all(|&value| value == 7));
    assert!(
        stats.peak_bytes <= planned && planned < 9 << 20,
        "{stats:?}; the plan's peak is {planned} bytes"
    );
}
