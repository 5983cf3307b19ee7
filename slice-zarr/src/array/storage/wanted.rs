//! Hints to stores about the expected response to a request. zarrs' storage traits cannot express these hints.

use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use zarrs::storage::StorageError;

thread_local! {
    static CURRENT: RefCell<Option<Wanted>> = const { RefCell::new(None) };
}

/// Hints about the expected response to a request, for authors of stores.
///
/// zarrs' storage traits cannot express the maximum size of a response, the version of an object in previous responses,
/// or a deadline. A store that calls [`Wanted::current`] at the start of a request can follow these hints and stop
/// early. The stores of this crate do so. If a store ignores the hints, synchronous reads and writes still check the
/// size of each object before they request it, but a read does not detect a change of an object that is being read.
///
/// # Example
///
/// ```
/// use slice_zarr::Wanted;
/// use zarrs::storage::StorageError;
///
/// /// Returns the headers of a request, and its time limit.
/// fn headers() -> (Vec<(&'static str, String)>, Option<std::time::Instant>) {
///     let Some(wanted) = Wanted::current() else { return (Vec::new(), None) };
///     let same_version = wanted.version().map(|version| ("if-match", version.to_owned()));
///     (same_version.into_iter().collect(), wanted.deadline())
/// }
///
/// /// Checks a server's description of an object before the bytes of the object are received.
/// fn check(status: u16, length: u64, etag: Option<&str>) -> Result<(), StorageError> {
///     let Some(wanted) = Wanted::current() else { return Ok(()) };
///     if status == 412 {
///         return Err(wanted.changed()); // not the version in the header
///     }
///     println!("receiving {length} bytes, at most {}", wanted.most_bytes());
///     wanted.check_bytes(length)?;
///     match etag {
///         Some(etag) => wanted.check_version(etag),
///         None => wanted.check_size(length),
///     }
/// }
/// assert!(headers().0.is_empty() && check(200, 1 << 40, None).is_ok(), "no read is in progress");
/// ```
#[derive(Clone, Debug)]
pub struct Wanted {
    most_bytes: u64,
    deadline: Option<Instant>,
    object: Arc<Object>,
}

/// The known properties of the object that is being read.
#[derive(Debug, Default)]
pub(crate) struct Object {
    version: OnceLock<String>,
    file: OnceLock<FileVersion>,
    /// The allowed sizes, in bytes.
    pub(crate) sizes: OnceLock<RangeInclusive<u64>>,
    /// The size of the object in bytes, as reported in the first response.
    size: OnceLock<u64>,
    changed: AtomicBool,
}

/// The inode number, the modification time and the size of a file.
pub(crate) type FileVersion = (u64, u128, u64);

impl Object {
    /// Returns `true` if a later response reported a different version or size.
    pub(crate) fn has_changed(&self) -> bool {
        self.changed.load(Ordering::Relaxed)
    }
}

impl Wanted {
    pub(crate) fn new(most_bytes: u64, deadline: Option<Instant>, object: Arc<Object>) -> Self {
        Wanted {
            most_bytes,
            deadline,
            object,
        }
    }

    /// Returns the hints for the request that is being made or polled in this thread. Returns `None` if there is no
    /// such request, or if it does not come from this crate.
    #[must_use]
    pub fn current() -> Option<Self> {
        CURRENT.with_borrow(Option::clone)
    }

    /// Returns the maximum size of the response, in bytes. A longer response causes an error, and need not be received
    /// in full.
    #[must_use]
    pub fn most_bytes(&self) -> u64 {
        self.most_bytes
    }

    /// Returns the time after which the response is no longer needed, if the caller set a
    /// [deadline](crate::AccessOptions::deadline).
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Returns the version of the object in the first response, for example its `ETag`. Returns `None` if no version is
    /// known.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.object.version.get().map(String::as_str)
    }

    /// Stores the version of the first response, and compares later versions with it.
    ///
    /// # Errors
    ///
    /// Returns an error if the version differs from the first one. The read then fails with
    /// [`ChunkError::Changed`](crate::ChunkError::Changed).
    pub fn check_version(&self, version: &str) -> Result<(), StorageError> {
        if self.object.version.get_or_init(|| version.to_owned()) == version {
            return Ok(());
        }
        Err(self.changed())
    }

    /// Stores the size of the object in the first response, and compares later sizes with it.
    ///
    /// Use this method in stores that receive the size of an object but not its version.
    ///
    /// # Errors
    ///
    /// Returns an error if the size differs from the first one. The read then fails with
    /// [`ChunkError::Changed`](crate::ChunkError::Changed).
    pub fn check_size(&self, bytes: u64) -> Result<(), StorageError> {
        match *self.object.size.get_or_init(|| bytes) == bytes {
            true => Ok(()),
            false => Err(self.changed()),
        }
    }

    /// Checks the version of a file as [`check_version`](Self::check_version) does, without converting it to text.
    pub(crate) fn check_file(&self, version: FileVersion) -> Result<(), StorageError> {
        match *self.object.file.get_or_init(|| version) == version {
            true => Ok(()),
            false => Err(self.changed()),
        }
    }

    /// Records that the object has changed, and returns the error to report.
    #[must_use]
    pub fn changed(&self) -> StorageError {
        self.object.changed.store(true, Ordering::Relaxed);
        StorageError::Other("the object changed while it was read".into())
    }

    /// Checks that a response of `bytes` bytes is not too long.
    ///
    /// # Errors
    ///
    /// Returns an error if `bytes` is larger than [`most_bytes`](Self::most_bytes).
    pub fn check_bytes(&self, bytes: u64) -> Result<(), StorageError> {
        if bytes <= self.most_bytes {
            return Ok(());
        }
        Err(StorageError::Other(too_long(bytes, self.most_bytes)))
    }

    /// Checks that `bytes`, the size of the whole object, is an allowed size.
    pub(crate) fn check_allowed_size(&self, bytes: u64) -> Result<(), StorageError> {
        let Some(sizes) = self.object.sizes.get() else {
            return Ok(());
        };
        check_size(bytes, sizes).map_err(StorageError::Other)
    }

    /// Calls `request`. During the call, [`current`](Self::current) returns these hints.
    pub(crate) fn with_hints<T>(self, request: impl FnOnce() -> T) -> T {
        let _restored = RestoreOnDrop(CURRENT.replace(Some(self)));
        request()
    }
}

/// Checks the size of an object. A size of 0 causes an error, because it is also the size of pipes and devices, which
/// may be endless.
pub(crate) fn check_size(bytes: u64, sizes: &RangeInclusive<u64>) -> Result<(), String> {
    let (min_bytes, max_bytes) = (sizes.start(), sizes.end());
    match bytes {
        0 => Err("the object is truncated: it has no bytes".into()),
        _ if bytes > *max_bytes => Err(too_long(bytes, *max_bytes)),
        _ if bytes < *min_bytes => Err(format!(
            "the object is truncated: {bytes} bytes instead of {min_bytes}"
        )),
        _ => Ok(()),
    }
}

pub(crate) fn too_long(bytes: u64, max_bytes: u64) -> String {
    format!("the data is too long: {bytes} bytes instead of at most {max_bytes}")
}

/// A guard that restores the previous hints, even if the store panics.
struct RestoreOnDrop(Option<Wanted>);

impl Drop for RestoreOnDrop {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

#[cfg(feature = "async")]
pub(crate) mod future {
    use std::future::Future;
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use futures::future::BoxFuture;

    use crate::array::storage::wanted::Wanted;

    /// A request that is always polled with `wanted` as the current hints.
    pub(crate) struct WithHints<'f, T> {
        pub(crate) wanted: Option<Wanted>,
        pub(crate) request: BoxFuture<'f, T>,
    }

    impl<T> Future for WithHints<'_, T> {
        type Output = T;

        fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
            match self.wanted.clone() {
                Some(wanted) => wanted.with_hints(|| self.request.as_mut().poll(context)),
                None => self.request.as_mut().poll(context),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::Object;
    use crate::array::storage::wanted::Wanted;

    #[test]
    fn hints_are_set_only_during_a_request() {
        let object = Arc::<Object>::default();
        let wanted = Wanted::new(10, None, object.clone());
        assert!(Wanted::current().is_none());
        wanted.clone().with_hints(|| {
            let outer = Wanted::current().unwrap();
            assert!(outer.check_bytes(10).is_ok() && outer.check_bytes(11).is_err());
            Wanted::new(5, None, Arc::default())
                .with_hints(|| assert_eq!(Wanted::current().unwrap().most_bytes(), 5));
            assert_eq!(Wanted::current().unwrap().most_bytes(), 10);
            assert_eq!(outer.version(), None);
            assert!(outer.check_version("a").is_ok() && outer.check_version("a").is_ok());
        });
        assert!(Wanted::current().is_none());
        assert_eq!(wanted.version(), Some("a"));
        assert!(!object.has_changed());
        assert!(wanted.check_version("b").is_err() && object.has_changed());
        let panicked = std::panic::catch_unwind(|| wanted.with_hints(|| panic!("on purpose")));
        assert!(panicked.is_err() && Wanted::current().is_none());
    }
}
