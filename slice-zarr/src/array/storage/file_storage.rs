//! Stores arrays in a directory that may come from an untrusted source.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use zarrs::filesystem::{FilesystemStore, FilesystemStoreCreateError};
use zarrs::storage::byte_range::{ByteRange, ByteRangeIterator, InvalidByteRangeError};
use zarrs::storage::{
    AtomicRenameStorageTraits, Bytes, ListableStorageTraits, MaybeBytesIterator,
    OffsetBytesIterator, ReadableStorageTraits, StorageError, StoreKey, StoreKeys,
    StoreKeysPrefixes, StorePrefix, WritableStorageTraits,
};

use crate::array::storage::confined::ConfinedDirectory;
use crate::array::storage::keys::{check_segments, key_error};
use crate::array::storage::ranges::read_ranges;
use crate::array::storage::wanted::{FileVersion, Wanted};

/// The maximum number of attempts to open a file. An attempt fails if the file is replaced after it has been checked.
const MAX_OPEN_ATTEMPTS: usize = 8;

/// A store that reads and writes only inside a directory.
///
/// zarrs' [`FilesystemStore`] follows every symbolic link, and waits forever for a pipe without a writer. This store
/// reads and writes only regular files. It follows relative and absolute links that lead into the directory or into an
/// [allowed](Self::allow) directory, and returns an error for all other links. The directory itself may be a link.
///
/// On Linux, if the first of several ranges is not in the page cache, the store asks the operating system to load all ranges
/// ahead, so reading many short ranges of a file does not wait for the disk at each range.
///
/// A file is overwritten in place, so the old bytes are lost if the disk is full. To replace files as a whole, wrap the
/// store in zarrs' [`AtomicWriteStorageAdapter`](zarrs::storage::storage_adapter::atomic_write::AtomicWriteStorageAdapter).
///
/// On Linux, a file with no link on the path to it is opened with one call, which follows no links. Otherwise, the file and
/// each folder on the path to it are checked each time the file is opened. An attacker can then still escape from the
/// directory by replacing the file or a folder in the few microseconds during which the path is checked and the file is
/// opened. Hard links cannot be distinguished from other files, so they are followed.
///
/// # Example
///
/// ```
/// use std::sync::Arc;
///
/// use slice_core::s;
/// use slice_zarr::{FileStorage, ReadSlice, WriteSlice};
/// use zarrs::array::{Array, ArrayBuilder, data_type};
///
/// # let directory = tempfile::tempdir()?;
/// # let directory = directory.path();
/// let store = Arc::new(FileStorage::new(directory.join("a.zarr"))?);
/// let array = ArrayBuilder::new(vec![4, 6], vec![2, 2], data_type::uint8(), 7_u8).build(store.clone(), "/")?;
/// array.store_metadata()?;
/// array.write_slice(s![::2, 1], &ndarray::arr1(&[1_u8, 2]))?;
///
/// let array = Array::open(store, "/")?;
/// let out: ndarray::ArrayD<u8> = array.read_slice(s![2, ::-1])?;
/// assert_eq!(out, ndarray::arr1(&[7, 7, 7, 7, 2, 7]).into_dyn());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FileStorage {
    files: FilesystemStore,
    confined: ConfinedDirectory,
}

impl FileStorage {
    /// Creates a store in a directory. If the directory does not exist, the first write creates it.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`FilesystemStore::new`], for example if the path is not valid UTF-8.
    pub fn new(directory: impl Into<PathBuf>) -> Result<Self, FilesystemStoreCreateError> {
        let directory = directory.into();
        Ok(FileStorage {
            files: FilesystemStore::new(&directory)?,
            confined: ConfinedDirectory::new(directory),
        })
    }

    /// Allows links that lead into `directory`.
    ///
    /// ```
    /// use slice_zarr::FileStorage;
    ///
    /// # let (data, shared) = (tempfile::tempdir()?, tempfile::tempdir()?);
    /// # let (data, shared) = (data.path(), shared.path());
    /// let store = FileStorage::new(data)?.allow(shared);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn allow(mut self, directory: impl Into<PathBuf>) -> Self {
        self.confined.allowed.push(directory.into());
        self
    }

    /// Returns the metadata of the file at a key, or `None` if there is no file. Returns an error if the key leads out
    /// of the directory and the allowed directories, or to something other than a regular file.
    fn check(&self, key: &StoreKey) -> Result<Option<Metadata>, StorageError> {
        let key = key.as_str();
        check_key(key)?;
        self.confined.check(key)
    }

    /// Returns the path and the metadata of the file, folder or link at a prefix. Returns `None` if the prefix is
    /// empty, or if nothing exists at the path.
    fn folder(&self, prefix: &StorePrefix) -> Result<Option<(PathBuf, Metadata)>, StorageError> {
        let Some(folder) = prefix.as_str().strip_suffix('/') else {
            return Ok(None);
        };
        check_key(folder)?;
        let folder_metadata = self.confined.walk(folder)?;
        Ok(folder_metadata.map(|metadata| (self.confined.directory.join(folder), metadata)))
    }

    /// Opens the file at a key. Returns `None` if there is no file.
    fn open(&self, key: &StoreKey) -> Result<Option<(File, Metadata)>, StorageError> {
        check_key(key.as_str())?;
        let path = self.confined.directory.join(key.as_str());
        let opened = match open_without_links(&path) {
            Ok(opened) => Some(opened),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            // There may be a link on the path, or something other than a regular file at its end.
            Err(_) => self.open_checked(key, &path)?,
        };
        if let (Some((_, metadata)), Some(wanted)) = (&opened, Wanted::current()) {
            wanted.check_file(version(metadata))?;
            wanted.check_allowed_size(metadata.len())?;
        }
        Ok(opened)
    }

    /// Opens the file at a key after each folder on the path to it has been checked.
    fn open_checked(
        &self,
        key: &StoreKey,
        path: &Path,
    ) -> Result<Option<(File, Metadata)>, StorageError> {
        for _ in 0..MAX_OPEN_ATTEMPTS {
            let Some(checked_metadata) = self.check(key)? else {
                return Ok(None);
            };
            let file = match File::open(path) {
                Ok(file) => file,
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error.into()),
            };
            let metadata = file.metadata()?;
            // The file may have been replaced since the check, for example by a new version.
            if device_and_inode(&metadata) == device_and_inode(&checked_metadata) {
                return Ok(Some((file, metadata)));
            }
        }
        let key = key.as_str();
        let message = format!("{key:?} was replaced during each attempt to open it");
        Err(StorageError::Other(message))
    }
}

/// Opens a regular file with one call to the operating system, which fails if there is a link on the path.
#[cfg(target_os = "linux")]
fn open_without_links(path: &Path) -> io::Result<(File, Metadata)> {
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};

    // Without `NONBLOCK`, opening a pipe waits for a writer.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS)?;
    let file = File::from(file);
    let metadata = file.metadata()?;
    match metadata.is_file() {
        true => Ok((file, metadata)),
        false => Err(ErrorKind::InvalidInput.into()),
    }
}

/// Fails on other operating systems, which have no such call.
#[cfg(not(target_os = "linux"))]
fn open_without_links(_path: &Path) -> io::Result<(File, Metadata)> {
    Err(ErrorKind::Unsupported.into())
}

fn check_key(key: &str) -> Result<(), StorageError> {
    check_segments(key).map_err(|why| key_error(key, why))
}

/// Returns the device number and the inode number of a file on Unix, and zeros on other systems.
fn device_and_inode(metadata: &Metadata) -> (u64, u64) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;

        (metadata.dev(), metadata.ino())
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        (0, 0)
    }
}

fn version(metadata: &Metadata) -> FileVersion {
    let time = metadata.modified().ok();
    let time = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let (_, file) = device_and_inode(metadata);
    (file, time.map_or(0, |time| time.as_nanos()), metadata.len())
}

/// Removes a link. On Windows, a link to a folder must be removed like a folder.
fn remove_link(link: &Path) -> io::Result<()> {
    let result = fs::remove_file(link);
    match cfg!(windows) && result.is_err() {
        true => fs::remove_dir(link),
        false => result,
    }
}

/// Returns the bytes of a range of a file with `size` bytes.
fn bounds(range: ByteRange, size: u64) -> Result<Range<u64>, InvalidByteRangeError> {
    let (start, len) = match range {
        ByteRange::FromStart(start, Some(len)) => (start, Some(len)),
        ByteRange::FromStart(start, None) => (start, size.checked_sub(start)),
        ByteRange::Suffix(len) => (size.saturating_sub(len), Some(len)),
    };
    let end = len.and_then(|len| start.checked_add(len));
    match end.filter(|&end| end <= size) {
        Some(end) => Ok(start..end),
        None => Err(InvalidByteRangeError::new(range, size)),
    }
}

impl ReadableStorageTraits for FileStorage {
    fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        byte_ranges: ByteRangeIterator<'a>,
    ) -> Result<MaybeBytesIterator<'a>, StorageError> {
        let Some((file, metadata)) = self.open(key)? else {
            return Ok(None);
        };
        let (wanted, size) = (Wanted::current(), metadata.len());
        let mut ranges = Vec::new();
        for range in byte_ranges {
            if let (Some(wanted), ByteRange::FromStart(0, None)) = (&wanted, range) {
                wanted.check_bytes(size)?;
            }
            ranges.push(bounds(range, size)?);
        }
        let responses = read_ranges(&file, &ranges)?;
        if let Some(wanted) = &wanted {
            wanted.check_file(version(&file.metadata()?))?;
        }
        Ok(Some(Box::new(responses.into_iter().map(Ok))))
    }

    fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        if Wanted::current().is_some() {
            // During a read or write by this crate, the size is checked when the file is opened.
            return Ok(None);
        }
        Ok(self.open(key)?.map(|(_, metadata)| metadata.len()))
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}

impl WritableStorageTraits for FileStorage {
    fn set(&self, key: &StoreKey, value: Bytes) -> Result<(), StorageError> {
        self.check(key)?;
        self.files.set(key, value)
    }

    fn set_partial_many(
        &self,
        key: &StoreKey,
        offset_values: OffsetBytesIterator<'_>,
    ) -> Result<(), StorageError> {
        self.check(key)?;
        self.files.set_partial_many(key, offset_values)
    }

    fn erase(&self, key: &StoreKey) -> Result<(), StorageError> {
        self.check(key)?;
        self.files.erase(key)
    }

    /// Erases everything below a prefix. If the prefix is a link, or if there are links below it, the links are erased
    /// and not followed.
    fn erase_prefix(&self, prefix: &StorePrefix) -> Result<(), StorageError> {
        match self.folder(prefix)? {
            Some((link, metadata)) if metadata.is_symlink() => Ok(remove_link(&link)?),
            Some((path, metadata)) if !metadata.is_dir() => {
                let why = format!("{path:?} is not a directory");
                Err(StorageError::Other(why))
            }
            _ => self.files.erase_prefix(prefix),
        }
    }

    fn supports_set_partial(&self) -> bool {
        true
    }
}

impl AtomicRenameStorageTraits for FileStorage {
    fn rename(&self, source: &StoreKey, destination: &StoreKey) -> Result<(), StorageError> {
        self.check(source)?;
        self.check(destination)?;
        self.files.rename(source, destination)
    }
}

/// Lists only the keys of regular files. Pipes are omitted, and so are links that lead out of the directory and the
/// allowed directories.
impl ListableStorageTraits for FileStorage {
    fn list(&self) -> Result<StoreKeys, StorageError> {
        self.list_prefix(&StorePrefix::root())
    }

    fn list_prefix(&self, prefix: &StorePrefix) -> Result<StoreKeys, StorageError> {
        self.folder(prefix)?;
        let mut keys = self.files.list_prefix(prefix)?;
        keys.retain(|key| matches!(self.check(key), Ok(Some(_))));
        Ok(keys)
    }

    fn list_dir(&self, prefix: &StorePrefix) -> Result<StoreKeysPrefixes, StorageError> {
        let (mut keys, mut prefixes) = (Vec::new(), Vec::new());
        for key in self.list_prefix(prefix)? {
            let below = key.as_str().strip_prefix(prefix.as_str());
            match below.and_then(|below| below.split_once('/')) {
                None => keys.push(key),
                Some((folder, _)) => {
                    prefixes.push(StorePrefix::new(format!("{}{folder}/", prefix.as_str()))?);
                }
            }
        }
        prefixes.dedup();
        Ok(StoreKeysPrefixes::new(keys, prefixes))
    }

    fn size_prefix(&self, prefix: &StorePrefix) -> Result<u64, StorageError> {
        let mut size = 0_u64;
        for key in self.list_prefix(prefix)? {
            size = size.saturating_add(self.size_key(&key)?.unwrap_or(0));
        }
        Ok(size)
    }
}
