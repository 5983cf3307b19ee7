//! Checks that paths, after all links are followed, lead to regular files in a directory.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use zarrs::storage::StorageError;

/// A directory, and the other directories that its links may lead to.
#[derive(Debug)]
pub(crate) struct Confined {
    directory: PathBuf,
    allowed: Vec<PathBuf>,
}

impl Confined {
    pub(crate) fn new(directory: PathBuf) -> Self {
        Confined {
            directory,
            allowed: Vec::new(),
        }
    }

    pub(crate) fn allow(&mut self, directory: PathBuf) {
        self.allowed.push(directory);
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the metadata of the file at a key, or `None` if there is no file. The key must not have dot segments.
    ///
    /// If there is no file, one can be created there without leaving the directory.
    ///
    /// Checks every folder on the way at each call, since a folder may have been replaced by a link.
    pub(crate) fn check(&self, key: &str) -> Result<Option<Metadata>, StorageError> {
        let Some(mut metadata) = self.walk(key)? else {
            return Ok(None);
        };
        if metadata.is_symlink() {
            metadata = fs::metadata(self.directory.join(key)).map_err(failed)?;
        }
        if !metadata.is_file() {
            return Err(refused(key, "is not a regular file"));
        }
        Ok(Some(metadata))
    }

    /// Returns the file at a path, which may be a link. Returns an error if this link, or a link on the way to it,
    /// leads elsewhere.
    pub(crate) fn walk(&self, key: &str) -> Result<Option<Metadata>, StorageError> {
        // On Windows, these characters have a special meaning in paths.
        if cfg!(windows) && key.contains(['\\', ':']) {
            return Err(refused(key, "has a backslash or a colon"));
        }
        // The caller's directory itself is not checked.
        let mut path = self.directory.clone();
        let mut found = None;
        for segment in key.split('/') {
            path.push(segment);
            let metadata = match fs::symlink_metadata(&path) {
                Ok(metadata) => metadata,
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(failed(error)),
            };
            // A path that is not a link is inside its folder, which was checked.
            if metadata.is_symlink() {
                self.check_inside(key, &followed(key, &path)?)?;
            }
            found = Some(metadata);
        }
        Ok(found)
    }

    fn check_inside(&self, key: &str, real: &Path) -> Result<(), StorageError> {
        for directory in [&self.directory].into_iter().chain(&self.allowed) {
            // An allowed directory that does not exist contains nothing.
            if fs::canonicalize(directory).is_ok_and(|directory| real.starts_with(directory)) {
                return Ok(());
            }
        }
        let why = "leads out of the store by a symbolic link";
        Err(refused(key, why))
    }
}

/// Returns the real path after all links are followed.
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
