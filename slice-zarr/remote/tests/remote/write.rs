//! Checks that slices written to a real S3 server and to an in-memory store can be read back.

use std::sync::Arc;

use ndarray::{ArrayD, Ix2, arr1};
use object_store::memory::InMemory;
use object_store::prefix::PrefixStore;
use slice_core::{DynSliceSpec, SliceError, StridedSliceExt, s};
use slice_zarr::{AccessOptions, AsyncReadSlice, AsyncWriteSlice, Error, ObjectStorage};
use zarrs::array::{Array, ArrayBuilder, data_type};
use zarrs::storage::AsyncReadableWritableStorageTraits;

use crate::server::{BUCKET, Server};

type WritableArray = Array<dyn AsyncReadableWritableStorageTraits>;

async fn create(storage: Arc<dyn AsyncReadableWritableStorageTraits>) -> WritableArray {
    let builder = ArrayBuilder::new(vec![11, 13], vec![4, 5], data_type::int16(), 7_i16);
    let array = builder.build(storage, "/").unwrap();
    array.async_store_metadata().await.unwrap();
    array
}

async fn check(array: &WritableArray) {
    let mut expected = ArrayD::from_elem(vec![11, 13], 7_i16);
    let slices = [
        "::-1, ::2",
        "",
        "3:, newaxis, ::-2",
        "-1",
        ":0",
        // These slices contain a mask, and lists that are out of order. At a repeated position, the last value remains.
        "[9, 0, -1, 9, 4], 1::3",
        "::-1, [12, 3, 3, 0, 12]",
        "[6, 2, 6], [False, True, True, False, False, False, True, True, True, False, False, False, True]",
    ];
    for (number, slice) in slices.iter().enumerate() {
        let spec: DynSliceSpec = slice.parse().unwrap();
        let mut next = number as i16 * 1000;
        let selection = spec.resolve(expected.shape()).unwrap();
        let values = ArrayD::from_shape_simple_fn(selection.output_shape().to_vec(), || {
            next += 1;
            next
        });
        expected.set(&spec, &values);
        let options = AccessOptions::new().workers(1 + number);
        array
            .write_slice_with(*slice, values, &options)
            .await
            .unwrap();
        let all_elements = array.read_slice::<i16>("...").await.unwrap();
        assert_eq!(all_elements, expected, "after writing {slice:?}");
        let out = array.read_slice::<i16>(*slice).await.unwrap();
        assert_eq!(out, expected.gather(&spec), "{slice:?}");
    }
    let row = array.read_slice_of::<Ix2, i16, _>(s![-1]).await.unwrap();
    assert_eq!(row.into_dyn(), expected.at(s![-1]));
    let out = ndarray::Array2::<i16>::zeros((11, 2));
    let options = AccessOptions::new();
    let (out, stats) = array
        .read_slice_into(s![:, 3:5], out, &options)
        .await
        .unwrap();
    assert_eq!(out.into_dyn(), expected.at(s![:, 3:5]));
    assert_eq!(stats.chunks, 3);

    let error = array
        .write_slice(s![0, :5], arr1(&[1_i16, 2]))
        .await
        .unwrap_err();
    assert!(
        matches!(error, Error::Slice(SliceError::Broadcast { .. })),
        "{error}"
    );
    assert_eq!(array.read_slice::<i16>(s![]).await.unwrap(), expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn written_slices_are_read_back() {
    check(&create(Arc::new(ObjectStorage::new(InMemory::new()))).await).await;

    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path()).await;
    let bucket = PrefixStore::new(server.client(), "some/array");
    let array = create(Arc::new(ObjectStorage::new(bucket))).await;
    check(&array).await;
    let files = directory.path().join(BUCKET).join("some/array");
    assert!(files.join("zarr.json").is_file() && files.join("c/2/2").is_file());
}

/// Checks that writes work without a Tokio runtime.
#[test]
fn writes_run_on_any_executor() {
    futures::executor::block_on(async {
        check(&create(Arc::new(ObjectStorage::new(InMemory::new()))).await).await;
    });
}
