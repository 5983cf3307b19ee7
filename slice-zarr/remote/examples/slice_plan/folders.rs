//! Which folders a split may fill: nothing old is left in them, and nothing is removed that was not made by a split.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use slice_zarr::ReadPlan;
use zarrs::array::Array;
use zarrs::storage::{ReadableStorageTraits, StoreKey};

/// The metadata of an array in its folder, in format 3 and 2.
const METADATA: [&str; 2] = ["zarr.json", ".zarray"];

/// The folders of a split, in which it may remove what is old.
pub struct Folders {
    output: PathBuf,
    old_plans: Vec<PathBuf>,
    /// What is in the output, its metadata last: a removal that was interrupted can be repeated.
    old_output: Vec<PathBuf>,
}

impl Folders {
    /// Checks both folders, and changes nothing.
    pub fn check(
        (store, array): (&str, &Array<dyn ReadableStorageTraits>),
        output: &Path,
        plans: &Path,
        overwrite: bool,
    ) -> Result<Self, String> {
        let (at, into) = (resolved(output)?, resolved(plans)?);
        if into.starts_with(&at) {
            return Err(format!(
                "the plans' folder {plans:?} is in the output {output:?}"
            ));
        }
        if !store.contains("://") {
            let source = resolved(Path::new(store))?;
            for (what, path, it) in [("output", output, &at), ("plans' folder", plans, &into)] {
                if it.starts_with(&source) {
                    return Err(format!(
                        "the {what} {path:?} is the source {store:?}, or in it; name another folder"
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
            // An address of the same folder is not seen by its name, and nor is a folder that is mounted twice.
            let source = StoreKey::new(name)
                .ok()
                .and_then(|key| array.storage().get(&key).ok()?);
            if source.is_some_and(|source| fs::read(at.join(name)).is_ok_and(|old| old == source)) {
                return Err(format!(
                    "the output {output:?} has the metadata of the source {store:?}: it may be the source; remove it \
                     yourself if it is not"
                ));
            }
        }
        Ok(Folders {
            output: at,
            old_plans: old_plans(plans, overwrite)?,
            old_output,
        })
    }

    /// Removes what is old, and makes the folder of the output.
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

/// A path without links and `..`, of which not all folders need to exist.
fn resolved(path: &Path) -> Result<PathBuf, String> {
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
                // Neither `..` of a folder that does not exist, nor a link to one.
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
            "the output {output:?} exists and is not an array, so that --overwrite does not remove it; name another folder"
        ));
    }
    let is_metadata = |path: &PathBuf| METADATA.iter().any(|name| path.ends_with(name));
    old.sort_by_key(is_metadata);
    Ok(old)
}

fn is_array(folder: &Path) -> bool {
    let is_array = |metadata: Vec<u8>| {
        let metadata: Option<serde_json::Value> = serde_json::from_slice(&metadata).ok();
        metadata.is_some_and(|metadata| metadata["node_type"] == "array")
    };
    fs::read(folder.join("zarr.json")).is_ok_and(is_array) || folder.join(".zarray").is_file()
}

/// The plans that are in their folder already; nothing else there may look like one.
fn old_plans(folder: &Path, overwrite: bool) -> Result<Vec<PathBuf>, String> {
    let mut old = Vec::new();
    let there = plans_in(folder);
    for path in
        there.map_err(|error| format!("cannot read the plans' folder {folder:?}: {error}"))?
    {
        if !overwrite {
            return Err(format!(
                "the plans' folder {folder:?} has {path:?} already; name another folder, or use --overwrite"
            ));
        }
        match read_plan(&path) {
            Ok(_) => old.push(path),
            Err(error) => return Err(format!("{error}; --overwrite removes only plans")),
        }
    }
    Ok(old)
}

/// The files of plans in a folder, in the order of their names; none if it does not exist.
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
    let text =
        fs::read_to_string(path).map_err(|error| format!("cannot read {path:?}: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("{path:?} is not a plan: {error}"))
}
