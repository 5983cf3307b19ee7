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

/// The folders of a split, and the old files in these folders that the split removes.
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
        let (output_path, plans_path) = (absolute(output)?, absolute(plans)?);
        if plans_path.starts_with(&output_path) {
            return Err(format!(
                "the plans' folder {plans:?} is in the output {output:?}"
            ));
        }
        if !store.contains("://") {
            let source = absolute(Path::new(store))?;
            for (name, path, absolute_path) in [
                ("output", output, &output_path),
                ("plans' folder", plans, &plans_path),
            ] {
                if absolute_path.starts_with(&source) {
                    return Err(format!(
                        "the {name} {path:?} is the source {store:?}, or inside the source; name another folder"
                    ));
                }
            }
            if source.starts_with(&output_path) {
                return Err(format!(
                    "the source {store:?} is in the output {output:?}; name another folder"
                ));
            }
        }
        let old_output = old_output(output, &output_path, overwrite)?;
        for name in METADATA {
            // A URL or a second mount may refer to the folder of the source under a different path, so the metadata is
            // compared.
            let source = StoreKey::new(name)
                .ok()
                .and_then(|key| array.storage().get(&key).ok()?);
            if source.is_some_and(|source| {
                read_file(&output_path.join(name)).is_ok_and(|old| old == source)
            }) {
                return Err(format!(
                    "the output {output:?} has the same metadata as the source {store:?}, so the output may be the source; \
                     if the output is a different array, remove the output by hand"
                ));
            }
        }
        Ok(Folders {
            output: output_path,
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

/// Returns the absolute path, without links or `..`. The last components of the path need not exist.
fn absolute(path: &Path) -> Result<PathBuf, String> {
    let read_error = |error: io::Error| format!("cannot read {path:?}: {error}");
    let mut existing_path = std::path::absolute(path).map_err(read_error)?;
    let mut missing = Vec::new();
    loop {
        match fs::canonicalize(&existing_path) {
            Ok(real_path) => {
                return Ok(missing
                    .iter()
                    .rev()
                    .fold(real_path, |path, name| path.join(name)));
            }
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(read_error(error)),
            Err(error) => match existing_path.components().next_back() {
                // A `..` after a missing folder, and a link to a missing folder, are errors.
                Some(Component::Normal(name)) if fs::symlink_metadata(&existing_path).is_err() => {
                    missing.push(name.to_owned());
                    existing_path.pop();
                }
                _ => return Err(read_error(error)),
            },
        }
    }
}

fn old_output(output: &Path, output_path: &Path, overwrite: bool) -> Result<Vec<PathBuf>, String> {
    let read_error = |error: io::Error| format!("cannot read the output {output:?}: {error}");
    let entries = match fs::read_dir(output_path) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    };
    let mut old: Vec<PathBuf> = entries.map_err(read_error)?;
    if old.is_empty() {
        return Ok(old);
    }
    if !overwrite {
        return Err(format!(
            "the output {output:?} exists; name another folder, or use --overwrite"
        ));
    }
    if !is_array(output_path) {
        return Err(format!(
            "the output {output:?} exists and is not an array, so --overwrite does \
             not remove the output; name another folder"
        ));
    }
    let is_foreign = |path: &&PathBuf| {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        !belongs_to_array(name, output_path.join(".zarray").exists())
    };
    if let Some(foreign_path) = old.iter().find(is_foreign) {
        return Err(format!(
            "the output {output:?} contains {foreign_path:?}, which does not belong to an array, so --overwrite \
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
    let paths = plans_in(folder);
    for path in
        paths.map_err(|error| format!("cannot read the plans' folder {folder:?}: {error}"))?
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
