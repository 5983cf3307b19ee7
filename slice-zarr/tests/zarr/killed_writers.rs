//! Kills a process while it writes, and checks that each chunk or shard contains either its old or its new elements.

use std::num::NonZeroU64;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use ndarray::{ArrayD, IxDyn};
use slice_core::{StridedSliceExt, s};
use slice_zarr::{AccessOptions, PlanSlice, ReadSlice, WriteSlice};
use zarrs::array::codec::{ShardingCodecBuilder, ZstdCodec};
use zarrs::array::{Array, ArrayBuilder, data_type};
use zarrs::filesystem::FilesystemStore;
use zarrs::storage::storage_adapter::atomic_write::AtomicWriteStorageAdapter;

type StoredArray = Array<AtomicWriteStorageAdapter<FilesystemStore>>;

const SHAPE: [usize; 2] = [96, 160];
const CHUNKS: [usize; 2] = [32, 32];
/// The name of the directory of the sharded array.
const SHARDED: &str = "sharded";

/// Creates an array with compressed chunks, or with shards if the name of the directory is [`SHARDED`].
fn create(directory: &Path) -> StoredArray {
    let is_sharded = directory.ends_with(SHARDED);
    let files = Arc::new(FilesystemStore::new(directory).unwrap());
    let store = Arc::new(AtomicWriteStorageAdapter::new(files));
    let mut builder = ArrayBuilder::new(
        SHAPE.map(|len| len as u64).to_vec(),
        CHUNKS.map(|len| len as u64).to_vec(),
        data_type::uint32(),
        0_u32,
    );
    let zstd = Arc::new(ZstdCodec::new(1, true));
    if is_sharded {
        let inner = vec![NonZeroU64::new(8).unwrap(); 2];
        let mut sharding = ShardingCodecBuilder::new(inner, &data_type::uint32());
        let codec = sharding.bytes_to_bytes_codecs(vec![zstd]).build_arc();
        builder.array_to_bytes_codec(codec);
    } else {
        builder.bytes_to_bytes_codecs(vec![zstd]);
    }
    builder.build(store, "/").unwrap()
}

/// Returns the elements that the `n`-th write stores. The elements of all writes are distinct.
fn values(n: u32) -> ArrayD<u32> {
    ArrayD::from_shape_fn(IxDyn(&SHAPE), |at| {
        n << 16 | (at[0] * SHAPE[1] + at[1]) as u32
    })
}

/// Removes the temporary files of unfinished writes.
fn remove_temporary_files(directory: &Path) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            remove_temporary_files(&path);
        } else if path.extension().is_some_and(|extension| extension == "tmp") {
            std::fs::remove_file(path).unwrap();
        }
    }
}

/// If this process was started by `every_chunk_contains_its_old_or_its_new_elements`, writes until it is killed.
/// Otherwise does nothing.
#[test]
fn writer_process() {
    let Some(directory) = std::env::var_os("SLICE_ZARR_WRITER_DIRECTORY") else {
        return;
    };
    let array = create(directory.as_ref());
    let options = AccessOptions::new().workers(3);
    for n in 2.. {
        let values = values(n);
        array.write_slice_with(s![], &values, &options).unwrap();
        // Writes the same elements again to parts of chunks, so that these chunks must be read first.
        let part = values.at(s![::-1, 1:]);
        array
            .write_slice_with(s![::-1, 1:], &part, &options)
            .unwrap();
        // Writes the same elements again with a list of rows from all chunks, out of order and with a repeated row.
        let rows: Vec<usize> = (0..SHAPE[0]).rev().step_by(5).chain([7, 40, 7]).collect();
        let part = values.gather(s![&rows, 3:]);
        array
            .write_slice_with(s![&rows, 3:], &part, &options)
            .unwrap();
    }
}

#[test]
fn every_chunk_contains_its_old_or_its_new_elements() {
    let (base_values, first) = (values(0), values(1));
    let mut mixed = 0;
    for round in 0..16 {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join(["chunks", SHARDED][round as usize % 2]);
        let array = create(&directory);
        array.store_metadata().unwrap();
        array.write_slice(s![], &first).unwrap();
        let mut writer = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "killed_writers::writer_process"])
            .env("SLICE_ZARR_WRITER_DIRECTORY", &directory)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // Waits until the process has begun to write, and then for a delay that increases with each round. Errors are
        // ignored, because a read fails if the shard is replaced between the reads of its index and its inner chunk.
        let has_begun = || {
            let first = array.read_slice::<u32>(s![0, 0]);
            first.is_ok_and(|first| first[[]] >> 16 > 1)
        };
        while !has_begun() {
            assert!(
                writer.try_wait().unwrap().is_none(),
                "the writer exited before it was killed"
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(700 * round));
        writer.kill().unwrap();
        writer.wait().unwrap();

        let mut write_numbers = Vec::new();
        let plan = array.plan_slice(s![]).unwrap();
        let chunks = plan.parts().next().unwrap().chunks();
        for part in chunks.parts() {
            let chunk: ArrayD<u32> = array.read_slice(part.output()).unwrap();
            let n = chunk.first().unwrap() >> 16;
            assert_eq!(
                chunk,
                base_values
                    .gather(part.output())
                    .mapv(|value| n << 16 | value)
            );
            write_numbers.push(n);
        }
        mixed += usize::from(write_numbers.iter().any(|&n| n != write_numbers[0]));

        // The temporary files of the killed process must be removed before their chunks can be written again.
        remove_temporary_files(&directory);
        array.write_slice(s![], &first).unwrap();
        assert_eq!(array.read_slice::<u32>(s![]).unwrap(), first);
    }
    // At least one process must have been killed between the writes of two chunks.
    assert!(mixed > 0);
}

/// If this process was started by `chunks_keep_their_elements_if_the_disk_is_full`, which limits the size of its files,
/// tries to write. Otherwise does nothing.
#[test]
fn writer_process_with_a_full_disk() {
    let Some(directory) = std::env::var_os("SLICE_ZARR_FULL_DIRECTORY") else {
        return;
    };
    let array = create(directory.as_ref());
    let error = array.write_slice(s![], &values(2)).unwrap_err().to_string();
    assert!(error.contains("the store failed"), "{error}");
    println!("the write failed");
}

#[cfg(target_os = "linux")]
#[test]
fn chunks_keep_their_elements_if_the_disk_is_full() {
    for name in ["chunks", SHARDED] {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join(name);
        let array = create(&directory);
        array.store_metadata().unwrap();
        array.write_slice(s![], &values(1)).unwrap();
        let output = Command::new("sh")
            .args(["-c", "trap '' XFSZ && ulimit -f 1 && exec \"$0\" \"$@\""])
            .arg(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "killed_writers::writer_process_with_a_full_disk",
                "--nocapture",
            ])
            .env("SLICE_ZARR_FULL_DIRECTORY", &directory)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && text.contains("the write failed"),
            "{output:?}"
        );
        assert_eq!(array.read_slice::<u32>(s![]).unwrap(), values(1));
        remove_temporary_files(&directory);
        array.write_slice(s![], &values(2)).unwrap();
        assert_eq!(array.read_slice::<u32>(s![]).unwrap(), values(2));
    }
}

/// Checks that a chunk is not written while the temporary file of a different process exists.
#[test]
fn temporary_files_of_other_processes_are_not_overwritten() {
    let directory = tempfile::tempdir().unwrap();
    let array = create(directory.path());
    array.store_metadata().unwrap();
    array.write_slice(s![], &values(1)).unwrap();
    let temporary_file = directory.path().join("c/1/2.tmp");
    std::fs::write(&temporary_file, b"the first bytes").unwrap();

    assert_eq!(array.read_slice::<u32>(s![]).unwrap(), values(1));
    let options = AccessOptions::new().workers(1);
    let error = array.write_slice_with(s![], &values(2), &options);
    let error = error.unwrap_err().to_string();
    let expected =
        "chunk [1, 2] (\"c/1/2\"): the store failed: temporary key c/1/2.tmp already exists";
    assert_eq!(error, expected);
    let chunk: ArrayD<u32> = array.read_slice(s![32:64, 64:96]).unwrap();
    assert_eq!(chunk, values(1).at(s![32:64, 64:96]));

    remove_temporary_files(directory.path());
    array.write_slice(s![], &values(2)).unwrap();
    assert_eq!(array.read_slice::<u32>(s![]).unwrap(), values(2));
}
