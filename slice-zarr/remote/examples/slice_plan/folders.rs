//! Checks and empties the folders to which `slice_plan split` writes. Only arrays and plans are removed.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Component, Path, PathBuf};

use slice_zarr::ReadPlan;
use zarrs::array::Array;
use zarrs::storage::{ReadableStorageTraits, StoreKey};

/// The names of an array's metadata files, in format 3 and in format 2.
const METADATA: [&str; 2] = ["zarr.json", ".zarray"];

/// The maximum size of a metadata file or a plan, in bytes.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// The folders of a split, and the old files in these folders, which the split removes.
pub struct Folders {
    output: PathBuf,
    old_plans: Vec<PathBuf>,
    /// The old contents of the output. The metadata comes last, so that an interrupted removal can be repeated.
    old_output: Vec<PathBuf>,
}

impl Folders {
    /// Checks the output and the folder of the plans, without changing them.
    pub fn check(
        (store, array): (&str, &Array<dyn ReadableStorageTraits>),
        output: &Path,
        plans: &Path,
        overwrite: bool,
    ) -> Result<Self, String> {
        let (at, into) = (absolute(output)?, absolute(plans)?);
        if into.starts_with(&at) {
            return Err(format!(
                "the plans' folder {plans:?} is in the output {output:?}"
            ));
        }
        if !store.contains("://") {
            let source = absolute(Path::new(store))?;
            for (what, path, it) in [("output", output, &at), ("plans' folder", plans, &into)] {
                if it.starts_with(&source) {
                    return Err(format!(
                        "the {what} {path:?} is the source {store:?}, or inside the source; name another folder"
                    ));
                }
            }
            if source.starts_with(&at) {
                return Err(format!(
                    "the source {store:?} is in the output {output:?}; name another folder"
                ));
            }
        }
        let old_output = old_output(output, &at, overwrite)?;
        for name in METADATA {
            // A URL or a second mount may refer to the folder of the source under a different path, so the metadata is
            // compared.
            let source = StoreKey::new(name)
                .ok()
                .and_then(|key| array.storage().get(&key).ok()?);
            if source.is_some_and(|source| read_file(&at.join(name)).is_ok_and(|old| old == source))
            {
                return Err(format!(
                    "the output {output:?} has the same metadata as the source {store:?}, so it may be the source; if \
                     the output is another array, remove it by hand"
                ));
            }
        }
        Ok(Folders {
            output: at,
            old_plans: old_plans(plans, overwrite)?,
            old_output,
        })
    }

    /// Removes the old output and the old plans, and creates the folder of the output.
    pub fn clear(&self) -> io::Result<()> {
        for path in self.old_output.iter().chain(&self.old_plans) {
            match fs::symlink_metadata(path)?.is_dir() {
                true => fs::remove_dir_all(path)?,
                false => fs::remove_file(path)?,
            }
        }
        fs::create_dir_all(&self.output)
    }
}

/// Returns the absolute path, without links and `..`. The last components of the path need not exist.
fn absolute(path: &Path) -> Result<PathBuf, String> {
    let failed = |error: io::Error| format!("cannot read {path:?}: {error}");
    let mut there = std::path::absolute(path).map_err(failed)?;
    let mut missing = Vec::new();
    loop {
        match fs::canonicalize(&there) {
            Ok(there) => {
                return Ok(missing
                    .iter()
                    .rev()
                    .fold(there, |path, name| path.join(name)));
            }
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(error)),
            Err(error) => match there.components().next_back() {
                // A `..` after a missing folder, and a link to a missing folder, are errors.
                Some(Component::Normal(name)) if fs::symlink_metadata(&there).is_err() => {
                    missing.push(name.to_owned());
                    there.pop();
                }
                _ => return Err(failed(error)),
            },
        }
    }
}

fn old_output(output: &Path, at: &Path, overwrite: bool) -> Result<Vec<PathBuf>, String> {
    let failed = |error: io::Error| format!("cannot read the output {output:?}: {error}");
    let entries = match fs::read_dir(at) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    };
    let mut old: Vec<PathBuf> = entries.map_err(failed)?;
    if old.is_empty() {
        return Ok(old);
    }
    if !overwrite {
        return Err(format!(
            "the output {output:?} exists; name another folder, or use --overwrite"
        ));
    }
    if !is_array(at) {
        return Err(format!(
            "the output {output:?} exists and is not an array, so --overwrite does \
             not remove the output; name another folder"
        ));
    }
    let other = |path: &&PathBuf| {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        !belongs_to_array(name, at.join(".zarray").exists())
    };
    if let Some(other) = old.iter().find(other) {
        return Err(format!(
            "the output {output:?} contains {other:?}, which does not belong to an array, so --overwrite \
             does not remove the output; name another folder"
        ));
    }
    let is_metadata = |path: &PathBuf| METADATA.iter().any(|name| path.ends_with(name));
    old.sort_by_key(is_metadata);
    Ok(old)
}

fn is_array(folder: &Path) -> bool {
    let metadata = |name: &str| -> Option<serde_json::Value> {
        serde_json::from_slice(&read_file(&folder.join(name)).ok()?).ok()
    };
    let is_array = |metadata: serde_json::Value| metadata["node_type"] == "array";
    // Metadata of format 2 does not state that it describes an array, so its fields are checked.
    let is_array_2 = |metadata: serde_json::Value| {
        let lists = ["shape", "chunks"].iter();
        metadata["zarr_format"] == 2 && { lists }.all(|&list| metadata[list].is_array())
    };
    metadata("zarr.json").is_some_and(is_array) || metadata(".zarray").is_some_and(is_array_2)
}

/// Returns `true` if a file or folder with the name `name` belongs to an array, because it is metadata, a chunk, a
/// folder of chunks, or the record of the plans that have run.
fn belongs_to_array(name: &str, format_2: bool) -> bool {
    let numbers = || name.split('.').all(|number| number.parse::<u64>().is_ok());
    ["c", ".zattrs", "slice_plan"].contains(&name)
        || METADATA.contains(&name)
        || format_2 && numbers()
}

/// Reads a metadata file or a plan. Returns an error for files that are not regular, because reading a pipe or a device
/// may never end, and for files larger than [`MAX_FILE_BYTES`].
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MAX_FILE_BYTES {
        true => Err(io::Error::other(format!(
            "it has more than {MAX_FILE_BYTES} bytes"
        ))),
        false => Ok(bytes),
    }
}

/// Returns the paths of the old plans in a folder. Returns an error if a file has the extension of a plan but is not a
/// plan.
fn old_plans(folder: &Path, overwrite: bool) -> Result<Vec<PathBuf>, String> {
    let mut old = Vec::new();
    let there = plans_in(folder);
    for path in
        there.map_err(|error| format!("cannot read the plans' folder {folder:?}: {error}"))?
    {
        if !overwrite {
            return Err(format!(
                "the plans' folder {folder:?} already contains {path:?}; name another folder, or use --overwrite"
            ));
        }
        match read_plan(&path) {
            Ok(_) => old.push(path),
            Err(error) => return Err(format!("{error}; --overwrite removes only plans")),
        }
    }
    Ok(old)
}

/// Returns the paths of the plans in a folder, sorted. Returns no paths if the folder does not exist.
pub fn plans_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let paths = entries.map(|entry| Ok(entry?.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<io::Result<_>>()?;
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "json")
    });
    paths.sort();
    Ok(paths)
}

/// Reads a plan.
pub fn read_plan(path: &Path) -> Result<ReadPlan, String> {
    let text = read_file(path).map_err(|error| format!("cannot read {path:?}: {error}"))?;
    serde_json::from_slice(&text).map_err(|error| format!("{path:?} is not a plan: {error}"))
}
