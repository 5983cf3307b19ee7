//! What of a file system belongs to a directory: regular files that are in it when all links are followed.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use zarrs::storage::StorageError;

/// A directory, and the directories that links in it may lead to.
#[derive(Debug)]
pub(crate) struct Confined {
    directory: PathBuf,
    allowed: Vec<PathBuf>,
    /// The folder that was checked last: neighbours in the grid of chunks are mostly in one folder.
    folder: Mutex<Option<PathBuf>>,
}

impl Confined {
    pub(crate) fn new(directory: PathBuf) -> Self {
        Confined {
            directory,
            allowed: Vec::new(),
            folder: Mutex::default(),
        }
    }

    pub(crate) fn allow(&mut self, directory: PathBuf) {
        self.allowed.push(directory);
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// What is at a key, which has no segments of dots; `None` if nothing is.
    ///
    /// Where nothing is, a file can be made without leaving the directory.
    pub(crate) fn check(&self, key: &str) -> Result<Option<Metadata>, StorageError> {
        // The file system of Windows knows names that keys do not.
        if cfg!(windows) && key.contains(['\\', ':']) {
            return Err(refused(key, "has a backslash or a colon"));
        }
        let path = self.directory.join(key);
        let folder = path.parent().unwrap_or(&self.directory);
        if !self.is_checked(folder) {
            if !self.check_folder(key, folder)? {
                return Ok(None);
            }
            let mut checked = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
            *checked = Some(folder.to_owned());
        }
        let mut metadata = match fs::symlink_metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        if metadata.is_symlink() {
            self.check_inside(key, &followed(key, &path)?)?;
            metadata = fs::metadata(&path).map_err(failed)?;
        }
        if !metadata.is_file() {
            return Err(refused(key, "is not a regular file"));
        }
        Ok(Some(metadata))
    }

    fn is_checked(&self, folder: &Path) -> bool {
        let checked = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        checked.as_deref() == Some(folder)
    }

    /// Whether a folder exists; an error if it, or the first of the folders around it that exists, is elsewhere.
    fn check_folder(&self, key: &str, folder: &Path) -> Result<bool, StorageError> {
        for at in folder.ancestors() {
            match fs::symlink_metadata(at) {
                Ok(_) => {
                    // The directory itself is where the caller says.
                    if at != self.directory {
                        self.check_inside(key, &followed(key, at)?)?;
                    }
                    return Ok(at == folder);
                }
                Err(error) if error.kind() == ErrorKind::NotFound && at != self.directory => {}
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(false)
    }

    fn check_inside(&self, key: &str, real: &Path) -> Result<(), StorageError> {
        for directory in [&self.directory].into_iter().chain(&self.allowed) {
            // One that does not exist has nothing in it.
            if fs::canonicalize(directory).is_ok_and(|directory| real.starts_with(directory)) {
                return Ok(());
            }
        }
        let why = "leads out of the store by a symbolic link";
        Err(refused(key, why))
    }
}

/// Where a path is after all links were followed.
fn followed(key: &str, path: &Path) -> Result<PathBuf, StorageError> {
    fs::canonicalize(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => refused(key, "is a symbolic link that leads nowhere"),
        _ => failed(error),
    })
}

fn refused(key: &str, why: &str) -> StorageError {
    StorageError::Other(format!("{key:?} {why}"))
}

fn failed(error: io::Error) -> StorageError {
    error.into()
}
