//! The stores in which arrays are kept: a directory, or an object of Python.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use slice_zarr::FileStorage;
use zarrs::storage::byte_range::{ByteRange, ByteRangeIterator};
use zarrs::storage::{
    Bytes, MaybeBytes, MaybeBytesIterator, OffsetBytesIterator, ReadableStorageTraits,
    ReadableWritableStorageTraits, StorageError, StoreKey, StorePrefix, WritableStorageTraits,
};

/// The storage of an array.
pub type Store = dyn ReadableWritableStorageTraits;

/// A directory in which each object is replaced as a whole: a writer that is killed leaves the old object.
pub struct Directory {
    files: FileStorage,
    path: PathBuf,
}

/// The number of files written so far, for the names of temporary files.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

impl Directory {
    pub fn open(path: &str) -> PyResult<Arc<Store>> {
        let files = FileStorage::new(path);
        let files =
            files.map_err(|error| pyo3::exceptions::PyOSError::new_err(error.to_string()))?;
        let path = path.into();
        Ok(Arc::new(Directory { files, path }))
    }
}

impl ReadableStorageTraits for Directory {
    fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        ranges: ByteRangeIterator<'a>,
    ) -> Result<MaybeBytesIterator<'a>, StorageError> {
        self.files.get_partial_many(key, ranges)
    }

    fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        self.files.size_key(key)
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}

impl WritableStorageTraits for Directory {
    fn set(&self, key: &StoreKey, value: Bytes) -> Result<(), StorageError> {
        // Opening the object checks that the key does not lead out of the directory.
        self.files
            .get_partial_many(key, Box::new(std::iter::empty()))?;
        let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
        let temporary = format!("{}.{}-{number}.tmp", key.as_str(), process::id());
        let temporary = StoreKey::new(temporary)?;
        let path = self.path.join(temporary.as_str());
        // The file must be new, so that no link in its place is followed.
        let write = || File::create_new(&path)?.write_all(&value);
        let written = match write() {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                fs::create_dir_all(path.parent().unwrap_or(&self.path))?;
                write()
            }
            written => written,
        };
        let renamed = match written {
            Ok(()) => fs::rename(&path, self.path.join(key.as_str())),
            error => error,
        };
        if renamed.is_err() {
            let _ = fs::remove_file(&path);
        }
        Ok(renamed?)
    }

    fn set_partial_many(
        &self,
        key: &StoreKey,
        values: OffsetBytesIterator<'_>,
    ) -> Result<(), StorageError> {
        self.files.set_partial_many(key, values)
    }

    fn erase(&self, key: &StoreKey) -> Result<(), StorageError> {
        self.files.erase(key)
    }

    fn erase_prefix(&self, prefix: &StorePrefix) -> Result<(), StorageError> {
        self.files.erase_prefix(prefix)
    }

    fn supports_set_partial(&self) -> bool {
        false
    }
}

/// The first exception that a store of Python raised during a read or write.
#[derive(Default)]
pub struct PythonError(Mutex<Option<PyErr>>);

impl PythonError {
    /// Returns the exception, and forgets it.
    pub fn take(&self) -> Option<PyErr> {
        self.0.lock().ok()?.take()
    }

    fn record(&self, error: PyErr, key: &StoreKey) -> StorageError {
        let message = Python::attach(|py| error.value(py).to_string());
        if let Ok(mut first) = self.0.lock() {
            first.get_or_insert(error);
        }
        StorageError::Other(format!("{}: {message}", key.as_str()))
    }
}

/// A store of Python, with the methods `get`, `set` and `delete`.
pub struct PythonStore {
    object: Py<PyAny>,
    pub error: Arc<PythonError>,
}

impl PythonStore {
    pub fn new(object: Py<PyAny>) -> Self {
        let error = Arc::default();
        PythonStore { object, error }
    }

    fn request(&self, key: &StoreKey, range: ByteRange) -> Result<MaybeBytes, StorageError> {
        let (start, end) = match range {
            ByteRange::FromStart(0, None) => (None, None),
            ByteRange::FromStart(start, None) => (Some(signed(start)), None),
            ByteRange::FromStart(start, Some(len)) => {
                (Some(signed(start)), Some(signed(start.saturating_add(len))))
            }
            ByteRange::Suffix(len) => (Some(-signed(len)), None),
        };
        let response = Python::attach(|py| {
            let response = self
                .object
                .bind(py)
                .call_method1("get", (key.as_str(), start, end))?;
            if response.is_none() {
                return Ok(None);
            }
            let bytes = match response.cast::<PyBytes>() {
                Ok(bytes) => bytes.as_bytes().to_vec(),
                Err(_) => py.get_type::<PyBytes>().call1((response,))?.extract()?,
            };
            Ok(Some(Bytes::from(bytes)))
        });
        response.map_err(|error: PyErr| self.error.record(error, key))
    }
}

fn signed(offset: u64) -> i64 {
    i64::try_from(offset).unwrap_or(i64::MAX)
}

impl ReadableStorageTraits for PythonStore {
    fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        ranges: ByteRangeIterator<'a>,
    ) -> Result<MaybeBytesIterator<'a>, StorageError> {
        let mut responses = Vec::new();
        for range in ranges {
            match self.request(key, range)? {
                Some(bytes) => responses.push(Ok(bytes)),
                None => return Ok(None),
            }
        }
        Ok(Some(Box::new(responses.into_iter())))
    }

    fn size_key(&self, _key: &StoreKey) -> Result<Option<u64>, StorageError> {
        Ok(None)
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}

impl WritableStorageTraits for PythonStore {
    fn set(&self, key: &StoreKey, value: Bytes) -> Result<(), StorageError> {
        let set = Python::attach(|py| {
            let value = PyBytes::new(py, &value);
            self.object.call_method1(py, "set", (key.as_str(), value))
        });
        set.map(drop).map_err(|error| self.error.record(error, key))
    }

    fn set_partial_many(
        &self,
        _key: &StoreKey,
        _values: OffsetBytesIterator<'_>,
    ) -> Result<(), StorageError> {
        let what = "writing part of an object is not supported";
        Err(StorageError::Unsupported(what.into()))
    }

    fn erase(&self, key: &StoreKey) -> Result<(), StorageError> {
        let erased = Python::attach(|py| self.object.call_method1(py, "delete", (key.as_str(),)));
        erased
            .map(drop)
            .map_err(|error| self.error.record(error, key))
    }

    fn erase_prefix(&self, _prefix: &StorePrefix) -> Result<(), StorageError> {
        let what = "erasing a folder is not supported";
        Err(StorageError::Unsupported(what.into()))
    }

    fn supports_set_partial(&self) -> bool {
        false
    }
}
