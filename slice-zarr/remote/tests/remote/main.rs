//! Tests arrays in asynchronous storage: object stores in memory, object stores backed by files, a real S3 server, and
//! slow or failing stores.

#[path = "../../../tests/zarr/names.rs"]
mod array_names;
mod faults;
mod names;
mod numpy;
#[path = "../common/run.rs"]
mod run;
mod server;
#[path = "../../../tests/zarr/stores.rs"]
#[expect(
    dead_code,
    reason = "the tests of synchronous storage use the whole module"
)]
mod stores;
mod untrusted_stores;
mod write;
