//! Tests untrusted chunk key encodings, which could lead to keys outside the folder of the array. The fuzz target
//! `keys` runs [`check`], and a test runs it on a bounded number of inputs.

use std::sync::{Arc, Mutex};

use slice_zarr::{ReadSlice, WriteSlice};
use zarrs::storage::byte_range::ByteRangeIterator;
use zarrs::storage::{
    Bytes, MaybeBytes, MaybeBytesIterator, OffsetBytesIterator, ReadableStorageTraits,
    StorageError, StoreKey, StorePrefix, WritableStorageTraits,
};

/// A store that returns the metadata of an array, and records the keys of all other requests.
struct Recorder {
    metadata: Bytes,
    requested_keys: Mutex<Vec<String>>,
}

impl Recorder {
    fn record(&self, key: &StoreKey) {
        self.requested_keys
            .lock()
            .unwrap()
            .push(key.as_str().into());
    }
}

fn is_metadata(key: &StoreKey) -> bool {
    key.as_str() == format!("{ARRAY_PATH}/zarr.json")
}

impl ReadableStorageTraits for Recorder {
    fn get(&self, key: &StoreKey) -> Result<MaybeBytes, StorageError> {
        if is_metadata(key) {
            return Ok(Some(self.metadata.clone()));
        }
        self.record(key);
        Ok(None)
    }

    fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        _: ByteRangeIterator<'a>,
    ) -> Result<MaybeBytesIterator<'a>, StorageError> {
        self.record(key);
        Ok(None)
    }

    fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        if is_metadata(key) {
            return Ok(Some(self.metadata.len() as u64));
        }
        self.record(key);
        Ok(None)
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}

impl WritableStorageTraits for Recorder {
    fn set(&self, key: &StoreKey, _: Bytes) -> Result<(), StorageError> {
        self.record(key);
        Ok(())
    }

    fn set_partial_many(
        &self,
        key: &StoreKey,
        _: OffsetBytesIterator<'_>,
    ) -> Result<(), StorageError> {
        self.record(key);
        Ok(())
    }

    fn erase(&self, key: &StoreKey) -> Result<(), StorageError> {
        self.record(key);
        Ok(())
    }

    fn erase_prefix(&self, prefix: &StorePrefix) -> Result<(), StorageError> {
        panic!("all objects with the prefix {prefix} would be erased");
    }

    fn supports_set_partial(&self) -> bool {
        false
    }
}

/// The path of the array in its store.
const ARRAY_PATH: &str = "a/b";
/// The chunk key encodings of zarrs: the name of each encoding, and its fields, whose values come from the input.
const ENCODINGS: [(&str, &[&str]); 3] = [
    ("default", &["separator"]),
    ("v2", &["separator"]),
    ("zarrs.default_suffix", &["separator", "suffix"]),
];

/// Reads and writes an array whose chunk keys are determined by the input. Returns `true` if any key was requested from
/// the store.
///
/// The first byte of the input determines the encoding, and each line of the rest is the value of a field. Panics if a
/// requested key is not in the folder of the array.
pub fn check(input: &[u8]) -> bool {
    let Some((&number, fields)) = input.split_first() else {
        return false;
    };
    let (name, names) = ENCODINGS[usize::from(number) % ENCODINGS.len()];
    let fields = String::from_utf8_lossy(fields);
    let mut lines = fields.split('\n');
    let mut configuration = serde_json::Map::new();
    for name in names {
        let text = lines.next().unwrap_or("/");
        let value = serde_json::Value::from(text);
        // Most separators in the input are replaced by `/` or `.`, because zarrs rejects all others.
        let value = match *name {
            "separator" if text.len().is_multiple_of(2) => "/".into(),
            "separator" if text.len() < 9 => ".".into(),
            _ => value,
        };
        configuration.insert((*name).into(), value);
    }
    let metadata = serde_json::json!({
        "zarr_format": 3, "node_type": "array", "shape": [4, 3], "data_type": "uint8", "fill_value": 7,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 3]}},
        "chunk_key_encoding": {"name": name, "configuration": configuration},
        "codecs": [{"name": "bytes"}],
    });
    let store = Arc::new(Recorder {
        metadata: metadata.to_string().into(),
        requested_keys: Mutex::default(),
    });
    let Ok(array) = slice_zarr::open(store.clone(), &format!("/{ARRAY_PATH}")) else {
        return false;
    };
    let outcomes = [
        array.read_slice::<u8>("...").map(drop),
        array.read_slice::<u8>("3, 1").map(drop),
        array.write_slice("...", &ndarray::arr0(1_u8)),
        array.write_slice("1, ::2", &ndarray::arr0(1_u8)),
        array.write_slice(":2", &ndarray::arr0(7_u8)),
    ];
    let requested_keys = store.requested_keys.lock().unwrap();
    // If no key was requested, every read and write must have failed.
    assert!(outcomes.iter().all(Result::is_err) || !requested_keys.is_empty());
    for key in requested_keys.iter() {
        assert!(is_below(key), "{key:?}");
    }
    !requested_keys.is_empty()
}

/// Returns `true` if the key is in the folder of the array on every file system, even if `\` or `:` has a special
/// meaning there.
fn is_below(key: &str) -> bool {
    let Some(relative) = key.strip_prefix(ARRAY_PATH) else {
        return false;
    };
    let mut names = relative.split(['/', '\\']);
    let is_name = |name: &str| {
        !name.trim_end_matches([' ', '.']).is_empty() && !name.contains(['\0', '\r', '\n', ':'])
    };
    names.next() == Some("") && relative.len() > 1 && !relative.contains('\\') && names.all(is_name)
}
