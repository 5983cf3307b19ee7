//! The arrays used by the benchmarks. Missing arrays are created.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ndarray::{ArrayD, IxDyn};
use slice_core::s;
use slice_zarr::WriteSlice;
use zarrs::array::codec::{ShardingCodecBuilder, ZstdCodec};
use zarrs::array::{ArrayBuilder, data_type};
use zarrs::filesystem::FilesystemStore;

/// The size of the array, and how often each slice is read or written.
#[derive(Clone, Copy)]
pub struct Scale {
    pub name: &'static str,
    pub shape: [usize; 3],
    pub turns: usize,
}

impl Scale {
    pub fn new(name: &'static str, len: usize, turns: usize) -> Self {
        let shape = [len, 256, 256];
        Scale { name, shape, turns }
    }
}

/// Returns the directory of the array, after creating the array if it is missing.
pub fn directory(kind: &str, scale: Scale) -> PathBuf {
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let name = format!("{kind}-{}", scale.shape[0]);
    let directory = target.parent().unwrap().join("zarr-bench").join(name);
    if directory.join("zarr.json").exists() {
        sync_and_read(&directory);
        return directory;
    }
    fs::create_dir_all(&directory).unwrap();
    let shape = scale.shape.map(|len| len as u64).to_vec();
    // A table has the same number of elements, in rows of 256, and its shards have 64 inner chunks of 1 MiB each.
    let is_table = kind == "table";
    let shape = match is_table {
        true => vec![shape.iter().product::<u64>() / 256, 256],
        false => shape,
    };
    let chunks = match kind {
        "sharded" => vec![256, 128, 128],
        "table" => vec![1 << 16, 256],
        _ => vec![64; 3],
    };
    let mut builder = ArrayBuilder::new(shape, chunks, data_type::float32(), 0.0_f32);
    let zstd = Arc::new(ZstdCodec::new(1, false));
    match kind {
        "raw" => {}
        "zstd" => drop(builder.bytes_to_bytes_codecs(vec![zstd])),
        "sharded" | "table" => {
            let inner: &[u64] = if is_table { &[1024, 256] } else { &[32; 3] };
            let inner = inner
                .iter()
                .map(|&len| std::num::NonZeroU64::new(len).unwrap());
            let inner = inner.collect::<Vec<_>>();
            let mut sharding = ShardingCodecBuilder::new(inner, &data_type::float32());
            builder.array_to_bytes_codec(sharding.bytes_to_bytes_codecs(vec![zstd]).build_arc());
        }
        kind => panic!("unknown kind of array: {kind:?}"),
    }
    let array = builder
        .build(Arc::new(FilesystemStore::new(&directory).unwrap()), "/")
        .unwrap();
    // The elements are a time series of smooth images with noise. They can be compressed to about a third of their
    // size.
    let mut state = 1_u32;
    let [len, rows, columns] = scale.shape;
    for begin in (0..len).step_by(256) {
        let part = ArrayD::from_shape_fn(IxDyn(&[len.min(256), rows, columns]), |at| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let smooth = (begin + at[0]) / 8 + at[1] / 16 + at[2] / 16;
            (smooth as u32 * 16 + (state >> 28)) as f32
        });
        let rows = part.shape()[0];
        if is_table {
            let part = part
                .into_shape_with_order(IxDyn(&[rows * 256, 256]))
                .unwrap();
            let begin = begin * 256;
            array
                .write_slice(s![begin:begin + rows * 256], &part)
                .unwrap();
            continue;
        }
        array.write_slice(s![begin:begin + rows], &part).unwrap();
    }
    array.store_metadata().unwrap();
    sync_and_read(&directory);
    directory
}

/// Waits until the files below a directory are on disk, and reads them, so that all of them are in the page cache.
pub fn sync_and_read(directory: &Path) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sync_and_read(&path);
            continue;
        }
        let mut file = File::open(path).unwrap();
        file.sync_all().unwrap();
        io::copy(&mut file, &mut io::sink()).unwrap();
    }
}
