//! Reads and writes arrays in object stores. The names of the arrays contain characters with a special meaning in URLs.
//! Also reads the arrays with the `slice zarr` command.

use std::path::PathBuf;
use std::sync::Arc;

use ndarray::arr1;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use slice_zarr::{AsyncReadSlice, AsyncWriteSlice, ObjectStorage};

use crate::array_names::{ELEMENTS, RecordedArray, recorded_arrays};
use crate::run::example;
use crate::server::{BUCKET, Server};

async fn read_and_negate(store: impl ObjectStore, recorded: &RecordedArray) {
    let storage = Arc::new(ObjectStorage::new(store));
    let array = slice_zarr::open_async(storage, &format!("/{}", recorded.path)).await;
    let array = array.unwrap();
    let out = array.read_slice::<i16>("...").await.unwrap();
    assert_eq!(out, arr1(&ELEMENTS).into_dyn(), "{}", recorded.path);
    let negated = out.mapv(|element| -element);
    array.write_slice("...", negated).await.unwrap();
    let out = array.read_slice::<i16>("::-2").await.unwrap();
    assert_eq!(out, arr1(&[-50, -30, -10]).into_dyn(), "{}", recorded.path);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn arrays_with_special_names_work_in_object_stores() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path()).await;
    let temporary = tempfile::tempdir().unwrap();
    // If `SLICE_ZARR_WRITTEN` names a folder, the arrays are kept there for `names.py check`.
    let output_folder = std::env::var_os("SLICE_ZARR_WRITTEN").map(PathBuf::from);
    let files = output_folder.unwrap_or(temporary.path().into());
    std::fs::create_dir_all(&files).unwrap();
    for recorded in recorded_arrays()
        .iter()
        .filter(|recorded| recorded.has_supported_path())
    {
        let memory = InMemory::new();
        for (path, bytes) in recorded.files() {
            let path = Path::parse(path).unwrap();
            memory.put(&path, bytes.into()).await.unwrap();
        }
        read_and_negate(memory, recorded).await;

        recorded.write_to_directory(&files);
        let store = LocalFileSystem::new_with_prefix(&files).unwrap();
        read_and_negate(store, recorded).await;
        recorded.check_negated(&files);

        let bucket = directory.path().join(BUCKET);
        recorded.write_to_directory(&bucket);
        let url = format!("s3://{BUCKET}/{}", recorded.path);
        let endpoint = server.endpoint.clone();
        let output = tokio::task::spawn_blocking(move || {
            let mut command = example("slice");
            command
                .args(["zarr", &url, "1:4", "-"])
                .env("AWS_ENDPOINT_URL", endpoint);
            command
                .env("AWS_ACCESS_KEY_ID", "key")
                .env("AWS_SECRET_ACCESS_KEY", "secret");
            command.output().unwrap()
        });
        let output = output.await.unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        let expected: Vec<u8> = ELEMENTS[1..4]
            .iter()
            .flat_map(|element| element.to_le_bytes())
            .collect();
        assert!(
            output.stdout.ends_with(&expected),
            "{}: {stderr}",
            recorded.path
        );
        read_and_negate(server.client(), recorded).await;
        recorded.check_negated(&bucket);
    }
}
