//! The most memory that a read takes, counted by the allocator: the output, and for each worker one chunk encoded and decoded.

use std::num::NonZeroU64;
use std::sync::Arc;

use ndarray::{ArrayD, IxDyn};
use peak_alloc::PeakAlloc;
use slice_zarr::{PlanSlice, ReadOptions, ReadSlice, WriteSlice};
use zarrs::array::codec::{ShardingCodecBuilder, ZstdCodec};
use zarrs::array::{Array, ArrayBuilder, data_type};
use zarrs::filesystem::FilesystemStore;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const SHAPE: [u64; 3] = [48, 256, 256];
/// Threads, plans and indices.
const SLACK: usize = 200 << 10;

/// One test: the allocator counts what all threads do.
#[test]
fn a_read_holds_the_output_and_one_chunk_for_each_worker() {
    let directory = tempfile::tempdir().unwrap();
    let mut reads = 0;
    for sharded in [false, true] {
        let store = FilesystemStore::new(directory.path().join(sharded.to_string())).unwrap();
        let mut builder = ArrayBuilder::new(
            SHAPE.to_vec(),
            if sharded {
                vec![48, 128, 256]
            } else {
                vec![16, 64, 64]
            },
            data_type::uint32(),
            0_u32,
        );
        let zstd = Arc::new(ZstdCodec::new(1, false));
        if sharded {
            let inner = [16, 64, 64].map(|len| NonZeroU64::new(len).unwrap());
            let mut sharding = ShardingCodecBuilder::new(inner.to_vec(), &data_type::uint32());
            builder.array_to_bytes_codec(sharding.bytes_to_bytes_codecs(vec![zstd]).build_arc());
        } else {
            builder.bytes_to_bytes_codecs(vec![zstd]);
        }
        let array = builder.build(Arc::new(store), "/").unwrap();
        write(&array);
        let decoded = 4 * 16 * 64 * 64;
        for slice in ["...", "::2, ::-3", "5, :, ::7", "::-16, ::64, ::64"] {
            for workers in [1, 2, 5] {
                // Inner chunks are requested one by one.
                let options = ReadOptions::new().workers(workers).batch(1);
                let output = array.plan_slice(slice).unwrap().output_bytes() as usize;
                let before = ALLOCATOR.current_usage();
                ALLOCATOR.reset_peak_usage();
                let (out, stats) = array.read_slice_with::<u32>(slice, &options).unwrap();
                let held = ALLOCATOR.peak_usage() - before;
                // All chunks compress to about a third.
                let encoded = stats.bytes as usize / stats.chunks;
                assert!((decoded / 4..decoded / 2).contains(&encoded), "{encoded}");
                let bound = output + workers * (decoded + decoded / 2) + SLACK;
                assert!(held >= output, "the allocator has counted {held} bytes");
                assert!(
                    held <= bound && stats.peak_bytes as usize <= bound,
                    "[{slice}] with {workers} workers, sharded {sharded}: {held} bytes instead of at most {bound}; {stats:?}"
                );
                drop(out);
                reads += 1;
            }
        }
    }
    assert_eq!(reads, 24);
}

fn write(array: &Array<FilesystemStore>) {
    let shape: Vec<usize> = SHAPE.iter().map(|&len| len as usize).collect();
    let mut state = 1_u32;
    let noise = ArrayD::from_shape_simple_fn(IxDyn(&shape), || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 24
    });
    array.write_slice("...", &noise).unwrap();
}
