//! Checks the reports of all errors, including errors from zarrs and from stores. A report consists of the messages of
//! an error and of its causes, and must not repeat any message.

use std::error::Error as _;
use std::fmt;
use std::sync::Arc;

use slice_core::{DynSliceSpec, SelectError, SliceError};
use slice_systems::OperationError;
use slice_zarr::{ChunkError, Error, PlanError};
use zarrs::array::CodecError;
use zarrs::storage::{StorageError, StoreKey};

/// A store error. Its message contains the message of its cause only if this cause has a cause itself. A chain of three
/// errors therefore contains one error whose message repeats the message of its cause, and one whose message does not.
#[derive(Debug)]
struct StoreError(Option<Box<StoreError>>);

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(cause) if cause.0.is_some() => write!(f, "no answer: {cause}"),
            Some(_) => f.write_str("not connected"),
            None => f.write_str("no route"),
        }
    }
}

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.as_deref().map(|cause| cause as _)
    }
}

fn store_error() -> StorageError {
    let [no_route, not_connected] = [None, Some(Box::new(StoreError(None)))].map(StoreError);
    assert_eq!(no_route.to_string(), "no route");
    let no_answer = StoreError(Some(Box::new(not_connected)));
    StorageError::IOError(Arc::new(std::io::Error::other(no_answer)))
}

/// Joins the messages of an error and its causes, and checks that no message is contained in the messages before it.
fn report(error: &Error) -> String {
    let mut report = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let message = cause.to_string();
        assert!(!report.contains(&message), "{report}, because {message}");
        report = format!("{report}, because {message}");
        source = cause.source();
    }
    report
}

/// Returns one error for each variant of an enum, and checks that no variant is missing.
macro_rules! every_variant {
    ($Error:ident: $($Variant:ident $fields:tt;)*) => {{
        let (_, file) = include_str!("../../src/array/error.rs")
            .split_once(concat!("pub enum ", stringify!($Error), " {\n"))
            .expect("the file should contain the enum");
        let lines = file.lines().take_while(|line| *line != "}");
        let variants = lines.filter_map(|line| line.strip_prefix("    "));
        let variants = variants.filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()));
        let variants = variants.filter_map(|line| line.split(|c: char| !c.is_alphanumeric()).next());
        assert_eq!(variants.collect::<Vec<_>>(), [$(stringify!($Variant)),*]);
        vec![$($Error::$Variant $fields),*]
    }};
}

fn chunk_errors() -> Vec<ChunkError> {
    every_variant! { ChunkError:
        Storage(store_error());
        Codec(CodecError::StorageError(store_error()));
        Broken("cut off".to_owned());
        Changed {};
        TimedOut {};
    }
}

fn array_errors() -> Vec<Error> {
    let axis = SliceError::InvalidOutputAxis { axis: 1 };
    let text = "1::0".parse::<DynSliceSpec>().unwrap_err();
    every_variant! { Error:
        Slice(axis.clone());
        Operation(OperationError::Slice(axis.clone()));
        Select(SelectError::ParseSlice(text));
        DataType { data_type: "string".to_owned() };
        Element { data_type: "int8".to_owned(), element: "f32" };
        Rank { array: 2, named: 3 };
        Plan(PlanError::Slice(axis));
        OtherArray { what: "shape", plan: "(2,)".to_owned(), array: "(3,)".to_owned() };
        SharedChunks { chunk_shape: vec![2] };
        Unsupported("that".to_owned());
        Metadata("two shapes".to_owned());
        Memory { what: "the output", bytes: 1 };
        Limit { what: "chunks", needed: 3, limit: 2 };
        Chunk { chunk: vec![0], key: "c/0".to_owned(), source: Box::new(ChunkError::Changed) };
        Thread(std::io::Error::other("none left"));
        Cancelled {};
        TimedOut {};
    }
}

#[test]
fn reports_do_not_repeat_messages() {
    array_errors().iter().for_each(|error| drop(report(error)));
    for source in chunk_errors() {
        let (chunk, key, source) = (vec![0], "c/0".to_owned(), Box::new(source));
        report(&Error::Chunk { chunk, key, source });
    }
    // The message of this zarrs error contains the message of its source.
    let key = StorageError::from(StoreKey::new("/").unwrap_err());
    assert!(key.to_string().contains(&key.source().unwrap().to_string()));
    let (chunk, path) = (vec![0], "c/0".to_owned());
    let source = Box::new(ChunkError::Storage(key));
    report(&Error::Chunk {
        chunk,
        key: path,
        source,
    });
}

#[test]
fn causes_are_reported_unless_a_message_contains_them() {
    let (chunk, key) = (vec![0], "c/0".to_owned());
    let source = Box::new(ChunkError::Storage(store_error()));
    assert_eq!(
        report(&Error::Chunk { chunk, key, source }),
        "chunk [0] (\"c/0\"): the store failed: no answer: not connected, because no route"
    );
}
