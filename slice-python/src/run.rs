//! Runs a read or a write without the interpreter lock, while the calling thread reports the progress and handles
//! signals such as Ctrl+C.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use slice_zarr::{AccessOptions, Error, Progress};

use crate::error::from_zarr;
use crate::store::PythonError;

/// The time between two checks for signals.
const INTERVAL: Duration = Duration::from_millis(50);

/// The options of a read or write that come from Python.
#[pyclass(frozen, module = "slice_zarr._engine", name = "Options")]
pub struct RunOptions {
    pub threads: usize,
    /// Whether the calling thread is the main thread, which handles signals.
    pub is_main: bool,
    /// The time in seconds until the read or write fails.
    pub timeout: Option<f64>,
    pub max_memory: Option<u64>,
    pub max_chunks: Option<usize>,
    pub max_requests: Option<usize>,
    pub max_bytes: Option<u64>,
    /// Is called with the number of finished chunks and the number of all chunks.
    pub progress: Option<Py<PyAny>>,
}

#[pymethods]
impl RunOptions {
    #[new]
    #[pyo3(signature = (threads, is_main, timeout=None, max_memory=None, max_chunks=None, max_requests=None, max_bytes=None, progress=None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "Python passes the options by name"
    )]
    fn new(
        threads: usize,
        is_main: bool,
        timeout: Option<f64>,
        max_memory: Option<u64>,
        max_chunks: Option<usize>,
        max_requests: Option<usize>,
        max_bytes: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> Self {
        RunOptions {
            threads,
            is_main,
            timeout,
            max_memory,
            max_chunks,
            max_requests,
            max_bytes,
            progress,
        }
    }
}

impl RunOptions {
    /// Returns `options`, the options for a kind of store, with these options.
    pub fn apply<'a>(&self, options: AccessOptions<'a>) -> AccessOptions<'a> {
        let mut options = options.workers(self.threads);
        if let Some(bytes) = self.max_memory {
            options = options.max_memory(bytes);
        }
        if let Some(chunks) = self.max_chunks {
            options = options.max_chunks(chunks);
        }
        if let Some(requests) = self.max_requests {
            options = options.max_requests(requests);
        }
        if let Some(bytes) = self.max_bytes {
            options = options.max_bytes(bytes);
        }
        let timeout = self.timeout.map(Duration::try_from_secs_f64);
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout.ok()?));
        match deadline {
            Some(deadline) => options.deadline(deadline),
            None => options,
        }
    }
}

/// Runs `work` with the options `access`. If `is_short`, runs it in this thread, where signals are handled only afterwards.
pub fn run<T: Send>(
    py: Python<'_>,
    options: &RunOptions,
    access: &AccessOptions<'_>,
    is_short: bool,
    python_error: Option<&PythonError>,
    work: impl FnOnce(&AccessOptions<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let result = match is_short && options.progress.is_none() {
        true => py.detach(|| caught(|| work(access))),
        false => run_and_watch(py, options, access, work)?,
    };
    result.map_err(|error| {
        let cause = python_error.and_then(PythonError::take);
        let error = match error {
            Some(error) => from_zarr(error),
            None => PyRuntimeError::new_err("internal error: the engine panicked"),
        };
        if cause.is_some() {
            error.set_cause(py, cause);
        }
        error
    })
}

/// Runs `work` in another thread.
fn run_and_watch<T: Send>(
    py: Python<'_>,
    options: &RunOptions,
    access: &AccessOptions<'_>,
    work: impl FnOnce(&AccessOptions<'_>) -> Result<T, Error> + Send,
) -> PyResult<Result<T, Option<Error>>> {
    let stop = AtomicBool::new(false);
    let (chunks, of) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let report = |progress: Progress| {
        of.store(progress.of, Ordering::Relaxed);
        chunks.fetch_max(progress.chunks, Ordering::Relaxed);
    };
    let access = access.cancel(&stop).progress(&report);
    let callback = options.progress.as_ref();
    let mut interruption = None;
    let result = py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = sync_channel(1);
            let runner = thread::Builder::new().spawn_scoped(scope, move || {
                let _ = sender.send(caught(|| work(&access)));
            });
            if let Err(error) = runner {
                return Err(Some(Error::Thread(error)));
            }
            loop {
                let finished = receiver.recv_timeout(INTERVAL);
                if interruption.is_none() {
                    let checked = Python::attach(|py| {
                        py.check_signals()?;
                        if let Some(callback) = callback {
                            let progress =
                                (chunks.load(Ordering::Relaxed), of.load(Ordering::Relaxed));
                            callback.call1(py, progress)?;
                        }
                        Ok(())
                    });
                    if let Err(error) = checked {
                        stop.store(true, Ordering::Relaxed);
                        interruption = Some(error);
                    }
                }
                match finished {
                    Ok(result) => return result,
                    Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {}
                    Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return Err(None),
                }
            }
        })
    });
    match interruption {
        Some(error) => Err(error),
        None => Ok(result),
    }
}

/// Runs `work`. If it panics, returns `None` as the error.
fn caught<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Option<Error>> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(Some),
        Err(_) => Err(None),
    }
}
