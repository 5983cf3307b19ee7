//! Reads the recorded arrays from `names.json`. The `names.py` script wrote them with zarr-python, in folders whose
//! names contain characters with a special meaning in URLs.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;

#[derive(Deserialize)]
struct NamesFile {
    arrays: Vec<RecordedArray>,
}

#[derive(Deserialize)]
pub struct RecordedArray {
    /// The path of the array in its store.
    pub path: String,
    /// The contents of each file in base64, keyed by path.
    files: BTreeMap<String, String>,
}

/// The elements of each recorded array.
pub const ELEMENTS: [i16; 5] = [10, 20, 30, 40, 50];

/// Returns the recorded arrays.
pub fn recorded_arrays() -> &'static [RecordedArray] {
    static RECORDED_ARRAYS: LazyLock<Vec<RecordedArray>> = LazyLock::new(|| {
        let file: NamesFile = serde_json::from_str(include_str!("names.json")).unwrap();
        assert!(file.arrays.len() >= 20);
        file.arrays
    });
    &RECORDED_ARRAYS
}

impl RecordedArray {
    /// Returns the path in the store and the contents of each file.
    pub fn files(&self) -> impl Iterator<Item = (&str, Vec<u8>)> {
        let files = self.files.iter();
        files.map(|(path, bytes)| (path.as_str(), BASE64_STANDARD.decode(bytes).unwrap()))
    }

    /// Returns `true` if the file systems of this platform support the path of the array.
    pub fn has_supported_path(&self) -> bool {
        !cfg!(windows)
            || !self
                .path
                .contains(['"', '*', '?', '|', '<', '>', ':', '\\'])
    }

    pub fn write_to_directory(&self, directory: &Path) {
        for (path, bytes) in self.files() {
            let path = directory.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
    }

    /// Checks the files in a directory after the elements of the array have been negated. The chunks must be at the
    /// same paths, and all other files must be unchanged.
    pub fn check_negated(&self, directory: &Path) {
        let mut chunks = Vec::new();
        for (path, old) in self.files() {
            let new = std::fs::read(directory.join(path)).unwrap();
            match path.ends_with("zarr.json") {
                true => assert_eq!(new, old, "{path}"),
                false => chunks.extend(new),
            }
        }
        let elements = chunks.chunks_exact(2);
        let elements = elements.map(|two| i16::from_le_bytes([two[0], two[1]]));
        let negated = ELEMENTS.map(|element| -element);
        assert!(elements.take(5).eq(negated), "{}: {chunks:?}", self.path);
    }
}
