//! Reads the records in `stores.jsonl.gz`, `lists.jsonl.gz` and `joined.jsonl.gz`: stores, each with one array, and
//! NumPy's results for slices of these arrays.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::{fmt, fs};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::read::GzDecoder;
use serde::{Deserialize, Deserializer};
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{Bytes, StoreKey, WritableStorageTraits};

#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Store(Store),
    Case(Case),
    Header(Header),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    stores: usize,
    cases: usize,
    #[serde(rename = "script")]
    _script: String,
    #[serde(rename = "seed")]
    _seed: u64,
    #[serde(rename = "versions")]
    _versions: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Store {
    #[serde(rename = "store")]
    pub name: String,
    #[serde(rename = "by")]
    _by: String,
    files: BTreeMap<String, Base64>,
    #[serde(skip)]
    pub cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    of: String,
    pub slice: String,
    pub shape: Option<Vec<usize>>,
    bytes: Option<Base64>,
    /// The number of chunks (for a sharded array, of inner chunks) with selected elements. The number is not recorded
    /// if the store lacks chunks.
    pub chunks: Option<usize>,
    /// The number of distinct elements selected by a slice with lists.
    pub distinct: Option<usize>,
    /// All elements of the array after the selected elements have been written back in reverse order. These elements
    /// are recorded only for some slices.
    written: Option<Base64>,
    pub error: Option<String>,
}

impl Case {
    /// Returns the selected elements as little-endian bytes.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_ref().map_or(&[], |bytes| &bytes.0)
    }
}

impl Case {
    /// Returns all elements of the array, as little-endian bytes, after the selected elements have been written back in
    /// reverse order. Returns `None` if these bytes were not recorded.
    #[allow(dead_code, reason = "some tests only read arrays")]
    pub fn bytes_after_write(&self) -> Option<&[u8]> {
        self.written.as_ref().map(|bytes| &bytes.0[..])
    }
}

impl Store {
    pub fn files(&self) -> impl Iterator<Item = (&str, Bytes)> {
        let files = self.files.iter();
        files.map(|(key, bytes)| (key.as_str(), bytes.0.clone()))
    }

    pub fn in_memory(&self) -> Arc<MemoryStore> {
        let store = MemoryStore::new();
        for (key, bytes) in self.files() {
            store.set(&StoreKey::new(key).unwrap(), bytes).unwrap();
        }
        Arc::new(store)
    }

    pub fn write_to_directory(&self, directory: &Path) {
        for (key, bytes) in self.files() {
            let path = directory.join(key);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.of, self.slice)
    }
}

/// Bytes that are serialized as base64.
struct Base64(Bytes);

impl<'de> Deserialize<'de> for Base64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = BASE64_STANDARD.decode(text);
        Ok(Base64(bytes.map_err(serde::de::Error::custom)?.into()))
    }
}

/// Returns the stores that zarrs can read, each with its slices.
pub fn stores() -> impl Iterator<Item = &'static Store> {
    let stores = || all_stores().iter().filter(|store| !is_unsupported(store));
    assert!(stores().count() >= 40);
    stores()
}

/// Returns `true` if zarrs does not support the data type of the store's array.
pub fn is_unsupported(store: &Store) -> bool {
    ["v2_datetime", "v2_bytes"].contains(&store.name.as_str())
}

/// The recorded stores, and recorded slices of their arrays.
const LINES: &[u8] = include_bytes!("stores.jsonl.gz");

/// Recorded slices that contain lists or masks, for the arrays in [`LINES`].
const LISTS: &[u8] = include_bytes!("lists.jsonl.gz");

/// Recorded slices that contain masks or points on several axes, or lists with several axes, for the arrays in [`LINES`].
const JOINED: &[u8] = include_bytes!("joined.jsonl.gz");

/// Returns all stores, including those that zarrs cannot read.
pub fn all_stores() -> &'static [Store] {
    static STORES: LazyLock<Vec<Store>> = LazyLock::new(read);
    &STORES
}

fn read() -> Vec<Store> {
    let lines = BufReader::new(GzDecoder::new(LINES)).lines();
    let mut stores: Vec<Store> = Vec::new();
    let (mut cases, mut expected) = (0, None);
    for line in lines {
        match serde_json::from_str(&line.unwrap()).unwrap() {
            Line::Header(header) => expected = Some((header.stores, header.cases)),
            Line::Store(store) => stores.push(store),
            Line::Case(case) => {
                let store = stores.last_mut().filter(|store| store.name == case.of);
                store.unwrap().cases.push(case);
                cases += 1;
            }
        }
    }
    assert_eq!(expected, Some((stores.len(), cases)));
    assert!(read_lists(&mut stores, LISTS) > 900);
    assert!(read_lists(&mut stores, JOINED) > 700);
    stores
}

#[derive(Deserialize)]
#[serde(untagged)]
enum ListsLine {
    Case(Case),
    Header { cases: usize },
}

/// Appends the recorded slices with lists to the other slices of their stores, and returns their number.
fn read_lists(stores: &mut [Store], recorded: &[u8]) -> usize {
    let lines = BufReader::new(GzDecoder::new(recorded)).lines();
    let (mut cases, mut expected) = (0, None);
    for line in lines {
        match serde_json::from_str(&line.unwrap()).unwrap() {
            ListsLine::Header { cases } => expected = Some(cases),
            ListsLine::Case(case) => {
                let store = stores.iter_mut().find(|store| store.name == case.of);
                store.unwrap().cases.push(case);
                cases += 1;
            }
        }
    }
    assert_eq!(expected, Some(cases));
    cases
}
