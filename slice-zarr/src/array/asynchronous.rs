//! Reads and writes arrays in asynchronous storage.
//!
//! Workers decode chunks and copy elements in their own threads, as for synchronous storage. They send their requests
//! to the task that awaits the future of the read or write. The task runs all requests concurrently, and needs no
//! particular runtime.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Instant;

use futures::channel::{mpsc, oneshot};
use futures::future::{BoxFuture, Either, FutureExt, select};
use futures::stream::StreamExt;
use ndarray::{Array as NdArray, ArrayD, Dimension};
use slice_core::{Select, SelectFor, Selection};
use zarrs::array::Array;
use zarrs::storage::byte_range::ByteRangeIterator;
use zarrs::storage::{
    AsyncReadableStorageTraits, AsyncReadableWritableStorageTraits, Bytes, MaybeBytes,
    MaybeBytesIterator, OffsetBytesIterator, ReadableStorageTraits, StorageError, StoreKey,
    StorePrefix, WritableStorageTraits,
};

use crate::array::element::Element;
use crate::array::error::Error;
use crate::array::options::{AccessOptions, Progress};
use crate::array::plan::PlanSlice;
use crate::array::read::{RawArray, ReadSlice, read_slice_of};
use crate::array::stats::Stats;
use crate::array::storage::wanted::Wanted;
use crate::array::storage::wanted::future::WithHints;
use crate::array::stored::StoredArray;
use crate::array::write::WriteSlice;

/// Reads slices of an array in asynchronous storage.
///
/// Each of the [`workers`](AccessOptions::workers) is a thread, so chunks are decoded in parallel. The task that awaits
/// the future of the read sends the requests, at most one for each worker at a time. For a distant store, use more
/// workers than processors, as in [`AccessOptions::far_away`]. Dropping the future cancels the read.
///
/// Needs the `async` feature.
///
/// # Example
///
/// ```no_run
/// use ndarray::ArrayD;
/// use slice_core::s;
/// use slice_zarr::{AsyncReadSlice, AccessOptions};
/// use zarrs::array::Array;
/// use zarrs::storage::AsyncReadableStorageTraits;
///
/// async fn every_tenth<S>(array: &Array<S>) -> Result<ArrayD<f32>, slice_zarr::Error>
/// where
///     S: ?Sized + AsyncReadableStorageTraits + 'static,
/// {
///     let slice = s![::10, ..., ::-1];
///     let (out, stats) = array.read_slice_with(slice, &AccessOptions::far_away()).await?;
///     println!("{} requests", stats.requests);
///     Ok(out)
/// }
///
/// async fn frames<S>(array: &Array<S>) -> Result<(), slice_zarr::Error>
/// where
///     S: ?Sized + AsyncReadableStorageTraits + 'static,
/// {
///     let options = AccessOptions::far_away();
///     let first: ArrayD<f32> = array.read_slice(s![0]).await?;
///     let row: ndarray::Array1<f32> = array.read_slice_of::<ndarray::Ix2, _, _>(s![0]).await?;
///     let (row, _) = array.read_slice_into(s![1], row, &options).await?; // reuses the memory
///     let (raw, _) = array.read_slice_raw(s![2], &options).await?; // for any data type
///     println!("{first} {row} {:?}", raw.data_type());
///     Ok(())
/// }
/// ```
pub trait AsyncReadSlice: PlanSlice<Storage: AsyncReadableStorageTraits + 'static> {
    /// Reads the slice into a new array.
    ///
    /// Python equivalent: `z[spec]`.
    ///
    /// # Errors
    ///
    /// See [`Error`]. After an error, the elements read so far are discarded.
    fn read_slice<T: Element>(
        &self,
        spec: impl Select<Error: Into<Error>>,
    ) -> impl Future<Output = Result<ArrayD<T>, Error>> + Send {
        let selection = selection(self.array(), spec);
        drive(
            self.array(),
            selection,
            default_options(),
            |array, selection, options| Ok(array.read_slice_with(selection, options)?.0),
        )
    }

    /// Reads the slice with `options`, and also returns statistics.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`read_slice`](Self::read_slice).
    fn read_slice_with<T: Element>(
        &self,
        spec: impl Select<Error: Into<Error>>,
        options: &AccessOptions<'_>,
    ) -> impl Future<Output = Result<(ArrayD<T>, Stats), Error>> + Send {
        let selection = selection(self.array(), spec);
        drive(
            self.array(),
            selection,
            *options,
            ReadSlice::read_slice_with,
        )
    }

    /// Reads the slice into a new array with static rank. `D` is ndarray's dimension type for the stored array, such as
    /// `Ix3`. Together with the slice, `D` determines the rank of the result.
    ///
    /// # Errors
    /// Returns the same errors as [`ReadSlice::read_slice_of`].
    fn read_slice_of<D, T, I>(
        &self,
        spec: I,
    ) -> impl Future<Output = Result<NdArray<T, I::OutDim>, Error>> + Send
    where
        D: Dimension + 'static,
        T: Element,
        I: SelectFor<D> + Select<Error: Into<Error>> + Send + 'static,
    {
        let work = read_slice_of::<_, D, T, I>;
        drive(self.array(), Ok(spec), default_options(), work)
    }

    /// Reads the slice into an existing array, and returns the array.
    ///
    /// Python equivalent: `out[...] = z[spec]`, without broadcasting.
    ///
    /// # Errors
    /// Returns the same errors as [`ReadSlice::read_slice_into`]. After an error, `out` is dropped.
    fn read_slice_into<T: Element, D: Dimension + 'static>(
        &self,
        spec: impl Select<Error: Into<Error>>,
        mut out: NdArray<T, D>,
        options: &AccessOptions<'_>,
    ) -> impl Future<Output = Result<(NdArray<T, D>, Stats), Error>> + Send {
        let selection = selection(self.array(), spec);
        drive(
            self.array(),
            selection,
            *options,
            |array, selection, options| {
                let stats = array.read_slice_into(selection, out.view_mut(), options)?;
                Ok((out, stats))
            },
        )
    }

    /// Reads the slice as bytes, for any fixed-size data type.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`read_slice`](Self::read_slice).
    fn read_slice_raw(
        &self,
        spec: impl Select<Error: Into<Error>>,
        options: &AccessOptions<'_>,
    ) -> impl Future<Output = Result<(RawArray, Stats), Error>> + Send {
        let selection = selection(self.array(), spec);
        drive(self.array(), selection, *options, ReadSlice::read_slice_raw)
    }
}

impl<S: ?Sized + AsyncReadableStorageTraits + 'static> AsyncReadSlice for Array<S> {}

/// Writes to slices of an array in asynchronous storage.
///
/// Needs the `async` feature.
///
/// # Example
///
/// ```
/// use ndarray::{Array1, arr0};
/// use slice_core::s;
/// use slice_zarr::{AccessOptions, AsyncWriteSlice};
/// use zarrs::array::Array;
/// use zarrs::storage::AsyncReadableWritableStorageTraits;
///
/// async fn change<S>(array: &Array<S>) -> Result<(), slice_zarr::Error>
/// where
///     S: ?Sized + AsyncReadableWritableStorageTraits + 'static,
/// {
///     array.write_slice(s![::2], arr0(1.5_f32)).await?;
///     let options = AccessOptions::far_away();
///     array.write_slice_with(s![1, :3], Array1::<f32>::zeros(3), &options).await
/// }
/// ```
pub trait AsyncWriteSlice:
    PlanSlice<Storage: AsyncReadableWritableStorageTraits + 'static>
{
    /// Writes values to the slice. The values are broadcast as in NumPy.
    ///
    /// Python equivalent: `z[spec] = values`. [`WriteSlice::write_slice`] describes which chunks are read and written.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`WriteSlice::write_slice`]. If the future is dropped, some chunks may already have
    /// been written, each of them completely.
    fn write_slice<T: Element, D: Dimension + 'static>(
        &self,
        spec: impl Select<Error: Into<Error>>,
        values: NdArray<T, D>,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        let selection = selection(self.array(), spec);
        drive(
            self.array(),
            selection,
            default_options(),
            move |array, selection, options| array.write_slice_with(selection, &values, options),
        )
    }

    /// Writes values to the slice with `options`. A write uses only `workers`, `max_chunk`, `progress`, `cancel` and
    /// `deadline`. The other options apply only to reads.
    ///
    /// # Errors
    /// Returns the same errors as [`write_slice`](Self::write_slice).
    fn write_slice_with<T: Element, D: Dimension + 'static>(
        &self,
        spec: impl Select<Error: Into<Error>>,
        values: NdArray<T, D>,
        options: &AccessOptions<'_>,
    ) -> impl Future<Output = Result<(), Error>> + Send {
        let selection = selection(self.array(), spec);
        drive(
            self.array(),
            selection,
            *options,
            move |array, selection, options| array.write_slice_with(selection, &values, options),
        )
    }
}

impl<S: ?Sized + AsyncReadableWritableStorageTraits + 'static> AsyncWriteSlice for Array<S> {}

fn selection<S: ?Sized>(
    array: &Array<S>,
    spec: impl Select<Error: Into<Error>>,
) -> Result<Selection, Error> {
    spec.select(&StoredArray::of(array)?.shape)
        .map_err(Into::into)
}

/// A message from a worker to the task that awaits the future.
enum Message<S: ?Sized> {
    Request(Box<dyn FnOnce(Arc<S>) -> BoxFuture<'static, ()> + Send>),
    Progress(Progress),
}

/// A guard that stops the workers when it is dropped, that is, when the future completes or is dropped.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Returns the options for methods without an `options` parameter. Asynchronous storage is usually distant, so a batch
/// (the bytes that a worker requests from a shard at a time) may be up to 64 MiB long. A shard then needs only a few
/// requests.
fn default_options() -> AccessOptions<'static> {
    AccessOptions::new().batch(64 << 20)
}

/// Runs `work` in another thread, and returns its result. Meanwhile, the calling task sends the requests of `work` to
/// the store.
async fn drive<S, I, T, W>(
    array: &Array<S>,
    spec: Result<I, Error>,
    options: AccessOptions<'_>,
    work: W,
) -> Result<T, Error>
where
    S: ?Sized + Send + Sync + 'static,
    I: Send + 'static,
    T: Send + 'static,
    W: FnOnce(&Array<Bridge<S>>, I, &AccessOptions<'_>) -> Result<T, Error> + Send + 'static,
{
    let spec = spec?;
    let (sender, receiver) = mpsc::unbounded();
    let (result_sender, result) = oneshot::channel();
    let stop = StopOnDrop(Arc::default());
    let stopped = stop.0.clone();
    let bridged = array.with_storage(Arc::new(Bridge {
        sender: sender.clone(),
    }));
    let (settings, has_progress) = (options.for_async_workers(), options.progress.is_some());
    let run_work = move || {
        let progress = |progress| {
            let _ = sender.unbounded_send(Message::Progress(progress));
        };
        let mut options = settings.cancel(&stopped);
        if has_progress {
            options = options.progress(&progress);
        }
        let result = catch_unwind(AssertUnwindSafe(|| work(&bridged, spec, &options)));
        // No more requests follow. If the future has been dropped, the result cannot be sent, and is no longer needed.
        drop((bridged, sender));
        let _ = result_sender.send(result);
    };
    thread::Builder::new()
        .spawn(run_work)
        .map_err(Error::Thread)?;
    let check_cancel = || {
        if options.check_cancel().is_err() {
            stop.0.store(true, Ordering::Relaxed);
        }
    };
    let requests = receiver.for_each_concurrent(None, |message| {
        check_cancel();
        match message {
            Message::Request(request) => request(array.storage()),
            Message::Progress(progress) => {
                options.progress.inspect(|report| report(progress));
                std::future::ready(()).boxed()
            }
        }
        .inspect(|()| check_cancel())
    });
    let result = match select(pin!(requests), result).await {
        Either::Left(((), result)) => result.await,
        // After an error, the responses to outstanding requests are no longer needed.
        Either::Right((result @ (Ok(Ok(Err(_)) | Err(_)) | Err(_)), _)) => result,
        Either::Right((result, requests)) => {
            requests.await;
            result
        }
    };
    match result {
        Ok(Ok(result)) => result,
        Ok(Err(panic)) => resume_unwind(panic),
        Err(oneshot::Canceled) => Err(Error::Cancelled),
    }
}

/// A synchronous store that forwards the workers' requests to the task that awaits the future.
struct Bridge<S: ?Sized> {
    sender: mpsc::UnboundedSender<Message<S>>,
}

impl<S: ?Sized + Send + Sync + 'static> Bridge<S> {
    /// Sends the request to the task, waits for the response, and returns it.
    fn request<T, F>(
        &self,
        request: impl FnOnce(Arc<S>) -> F + Send + 'static,
    ) -> Result<T, StorageError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, StorageError>> + Send + 'static,
    {
        let dropped = || StorageError::Other("the future of the read or write was dropped".into());
        let (sender, receiver) = sync_channel(1);
        let wanted = Wanted::current();
        let deadline = wanted.as_ref().and_then(Wanted::deadline);
        let send = move |storage| {
            // If the store panics, for example on a malformed response, the request returns an error.
            let response = AssertUnwindSafe(async move { request(storage).await }).catch_unwind();
            let sent = response.map(move |response| {
                let panicked = |_| Err(StorageError::Other("the store panicked".into()));
                let _ = sender.send(response.unwrap_or_else(panicked));
            });
            let request = sent.boxed();
            WithHints { wanted, request }.boxed()
        };
        let sent = self.sender.unbounded_send(Message::Request(Box::new(send)));
        sent.map_err(|_| dropped())?;
        match deadline {
            None => receiver.recv().map_err(|_| dropped())?,
            Some(deadline) => {
                let remaining = deadline.saturating_duration_since(Instant::now());
                let late = |_| StorageError::Other("no response before the deadline".into());
                receiver.recv_timeout(remaining).map_err(late)?
            }
        }
    }
}

impl<S: ?Sized + AsyncReadableStorageTraits + 'static> ReadableStorageTraits for Bridge<S> {
    fn get(&self, key: &StoreKey) -> Result<MaybeBytes, StorageError> {
        let key = key.clone();
        self.request(|storage| async move { storage.get(&key).await })
    }

    fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        byte_ranges: ByteRangeIterator<'a>,
    ) -> Result<MaybeBytesIterator<'a>, StorageError> {
        let (key, ranges) = (key.clone(), byte_ranges.collect::<Vec<_>>());
        let responses = self.request(|storage| async move {
            let ranges = Box::new(ranges.into_iter());
            match storage.get_partial_many(&key, ranges).await? {
                Some(responses) => Ok(Some(responses.collect::<Vec<_>>().await)),
                None => Ok(None),
            }
        })?;
        Ok(responses.map(|responses| Box::new(responses.into_iter()) as _))
    }

    fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        let key = key.clone();
        self.request(|storage| async move { storage.size_key(&key).await })
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}

impl<S: ?Sized + AsyncReadableWritableStorageTraits + 'static> WritableStorageTraits for Bridge<S> {
    fn set(&self, key: &StoreKey, value: Bytes) -> Result<(), StorageError> {
        let key = key.clone();
        self.request(|storage| async move { storage.set(&key, value).await })
    }

    fn set_partial_many(
        &self,
        key: &StoreKey,
        offset_values: OffsetBytesIterator<'_>,
    ) -> Result<(), StorageError> {
        let (key, values) = (key.clone(), offset_values.collect::<Vec<_>>());
        self.request(|storage| async move {
            let values = Box::new(values.into_iter());
            storage.set_partial_many(&key, values).await
        })
    }

    fn erase(&self, key: &StoreKey) -> Result<(), StorageError> {
        let key = key.clone();
        self.request(|storage| async move { storage.erase(&key).await })
    }

    fn erase_prefix(&self, prefix: &StorePrefix) -> Result<(), StorageError> {
        let prefix = prefix.clone();
        self.request(|storage| async move { storage.erase_prefix(&prefix).await })
    }

    /// Returns `false`, because this crate writes chunks as a whole.
    fn supports_set_partial(&self) -> bool {
        false
    }
}
