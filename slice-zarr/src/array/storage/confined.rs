//! Checks that paths, after all links are followed, lead to regular files in a directory.

use std::any::Any;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use zarrs::array::Array;
use zarrs::filesystem::FilesystemStore;
use zarrs::storage::{StorageError, StoreKey};

/// A directory, and other directories into which its links may lead.
#[derive(Debug)]
pub(crate) struct ConfinedDirectory {
    pub(super) directory: PathBuf,
    pub(super) allowed: Vec<PathBuf>,
}

impl ConfinedDirectory {
    pub(crate) fn new(directory: PathBuf) -> Self {
        ConfinedDirectory {
            directory,
            allowed: Vec::new(),
        }
    }

    /// Returns the directory of an array that is stored in a [`FilesystemStore`], or `None` for any other storage.
    pub(crate) fn of<S: ?Sized + 'static>(array: &Array<S>) -> Option<Self> {
        let storage = array.storage();
        let files = (&storage as &dyn Any).downcast_ref::<Arc<FilesystemStore>>()?;
        Some(ConfinedDirectory::new(
            files.key_to_fspath(&StoreKey::root()),
        ))
    }

    /// Returns the metadata of the file at a key, or `None` if there is no file. The key must not contain the segments
    /// `.` or `..`.
    ///
    /// If this method returns `None`, a file can be created at the key without leaving the directory and the allowed
    /// directories.
    ///
    /// Each call checks every folder on the path, because a folder may have been replaced by a link since the last
    /// call.
    pub(crate) fn check(&self, key: &str) -> Result<Option<Metadata>, StorageError> {
        let Some(mut metadata) = self.walk(key)? else {
            return Ok(None);
        };
        if metadata.is_symlink() {
            metadata = fs::metadata(self.directory.join(key))?;
        }
        if !metadata.is_file() {
            return Err(path_error(key, "is not a regular file"));
        }
        Ok(Some(metadata))
    }

    /// Returns the metadata of the file, folder or link at a key, or `None` if there is none. A link at the key is not
    /// followed. Returns an error if this link, or a link on the path to the key, leads into neither the directory nor
    /// an allowed directory.
    pub(crate) fn walk(&self, key: &str) -> Result<Option<Metadata>, StorageError> {
        // On Windows, these characters have a special meaning in paths.
        if cfg!(windows) && key.contains(['\\', ':']) {
            return Err(path_error(key, "contains a backslash or a colon"));
        }
        // The directory itself is not checked, because the caller chose it.
        let mut path = self.directory.clone();
        let mut last_metadata = None;
        for segment in key.split('/') {
            path.push(segment);
            let metadata = match fs::symlink_metadata(&path) {
                Ok(metadata) => metadata,
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error.into()),
            };
            // A path that is not a link lies in its folder, which has already been checked.
            if metadata.is_symlink() {
                self.check_inside(key, &real_path(key, &path)?)?;
            }
            last_metadata = Some(metadata);
        }
        Ok(last_metadata)
    }

    fn check_inside(&self, key: &str, real: &Path) -> Result<(), StorageError> {
        for directory in [&self.directory].into_iter().chain(&self.allowed) {
            // An allowed directory that does not exist contains nothing.
            if fs::canonicalize(directory).is_ok_and(|directory| real.starts_with(directory)) {
                return Ok(());
            }
        }
        let why = "leads out of the store through a symbolic link";
        Err(path_error(key, why))
    }
}

/// Returns the real path, with all links followed.
fn real_path(key: &str, path: &Path) -> Result<PathBuf, StorageError> {
    fs::canonicalize(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => path_error(key, "leads through a symbolic link to a missing file"),
        _ => error.into(),
    })
}

fn path_error(key: &str, why: &str) -> StorageError {
    StorageError::Other(format!("{key:?} {why}"))
}
