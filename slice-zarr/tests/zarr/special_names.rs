//! Reads and writes arrays in directories and in memory. The names of the arrays contain characters with a special
//! meaning in URLs.

use std::sync::Arc;

use ndarray::{ArrayD, arr1};
use slice_zarr::{FileStorage, ReadSlice, WriteSlice};
use zarrs::array::Array;
use zarrs::filesystem::FilesystemStore;
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{ReadableWritableStorageTraits, StoreKey, WritableStorageTraits};

use crate::names::{ELEMENTS, recorded_arrays};

fn read_and_negate(storage: Arc<dyn ReadableWritableStorageTraits>, path: &str) {
    let array: Array<_> = slice_zarr::open(storage, path).unwrap();
    let out: ArrayD<i16> = array.read_slice("...").unwrap();
    assert_eq!(out, arr1(&ELEMENTS).into_dyn(), "{path}");
    array
        .write_slice("...", &out.mapv(|element| -element))
        .unwrap();
    let out: ArrayD<i16> = array.read_slice("::-2").unwrap();
    assert_eq!(out, arr1(&[-50, -30, -10]).into_dyn(), "{path}");
}

#[test]
fn arrays_with_special_names_work_in_directories_and_in_memory() {
    for recorded in recorded_arrays()
        .iter()
        .filter(|recorded| recorded.has_supported_path())
    {
        let path = format!("/{}", recorded.path);
        for number in 0..4 {
            let directory = tempfile::tempdir().unwrap();
            let store = directory.path();
            recorded.write_to_directory(store);
            match number {
                0 => read_and_negate(Arc::new(FileStorage::new(store).unwrap()), &path),
                1 => read_and_negate(Arc::new(FilesystemStore::new(store).unwrap()), &path),
                2 => {
                    let store = FileStorage::new(store.join(&recorded.path)).unwrap();
                    read_and_negate(Arc::new(store), "/");
                }
                _ => {
                    let store = FilesystemStore::new(store.join(&recorded.path)).unwrap();
                    read_and_negate(Arc::new(store), "/");
                }
            }
            recorded.check_negated(directory.path());
        }
        let memory = Arc::new(MemoryStore::new());
        for (path, bytes) in recorded.files() {
            let key = StoreKey::new(path).unwrap();
            memory.set(&key, bytes.into()).unwrap();
        }
        read_and_negate(memory, &path);
    }
}
