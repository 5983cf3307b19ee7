//! Reads and writes arrays in object stores. The names of the arrays contain characters with a special meaning in URLs.
//! Also reads the arrays with the command `slice zarr`.

use std::path::PathBuf;
use std::sync::Arc;

use ndarray::arr1;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use slice_zarr::{AsyncReadSlice, AsyncWriteSlice, ObjectStorage};

use crate::array_names::{ELEMENTS, Named, named};
use crate::run::example;
use crate::server::{BUCKET, Server};

async fn read_and_negate(store: impl ObjectStore, named: &Named) {
    let storage = Arc::new(ObjectStorage::new(store));
    let array = slice_zarr::open_async(storage, &format!("/{}", named.path)).await;
    let array = array.unwrap();
    let out = array.read_slice::<i16>("...").await.unwrap();
    assert_eq!(out, arr1(&ELEMENTS).into_dyn(), "{}", named.path);
    let negated = out.mapv(|element| -element);
    array.write_slice("...", negated).await.unwrap();
    let out = array.read_slice::<i16>("::-2").await.unwrap();
    assert_eq!(out, arr1(&[-50, -30, -10]).into_dyn(), "{}", named.path);
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
    for named in named().iter().filter(|named| named.is_valid_file_name()) {
        let memory = InMemory::new();
        for (path, bytes) in named.files() {
            let path = Path::parse(path).unwrap();
            memory.put(&path, bytes.into()).await.unwrap();
        }
        read_and_negate(memory, named).await;

        named.write_to_directory(&files);
        let store = LocalFileSystem::new_with_prefix(&files).unwrap();
        read_and_negate(store, named).await;
        named.check_negated(&files);

        let bucket = directory.path().join(BUCKET);
        named.write_to_directory(&bucket);
        let url = format!("s3://{BUCKET}/{}", named.path);
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
            named.path
        );
        read_and_negate(server.client(), named).await;
        named.check_negated(&bucket);
    }
}
