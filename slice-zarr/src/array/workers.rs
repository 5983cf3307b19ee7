//! Runs the workers of a read or write. Each worker takes jobs from a shared queue until no jobs are left.

use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread::Builder;

use crate::array::codecs::scratch::Scratch;
use crate::array::error::Error;
use crate::array::options::{Progress, ReadOptions};

/// The queue of remaining jobs, shared by the workers. A *job* is a step that one worker performs, such as fetching or
/// decoding a chunk.
pub(crate) trait Work: Send {
    type Job: Send;
    type Done: Send;

    /// Returns the next job, or `None` if the queue is empty. Jobs that are still running may add more jobs.
    fn next(&mut self) -> Option<Self::Job>;

    /// Adds the outcome of a job to the queue, and returns the number of chunks that the job has completed.
    fn take(&mut self, done: Self::Done) -> usize;
}

struct State<W> {
    work: W,
    /// The number of workers that are running a job.
    busy: usize,
    /// The number of workers that are waiting for one of these jobs to finish.
    waiting: usize,
    /// The number of completed chunks.
    chunks: usize,
    error: Option<Error>,
}

/// Runs the jobs of `work` with at most `workers` workers. The jobs complete `of` chunks in total.
///
/// # Errors
///
/// Returns the first error of a job, [`Error::Cancelled`] if the caller cancels, or [`Error::TimedOut`] if the deadline
/// passes.
pub(crate) fn work<W: Work>(
    work: W,
    workers: usize,
    of: usize,
    options: &ReadOptions<'_>,
    job: impl Fn(W::Job, &mut Scratch) -> Result<W::Done, Error> + Sync,
) -> Result<(), Error> {
    let state = Mutex::new(State {
        work,
        busy: 0,
        waiting: 0,
        chunks: 0,
        error: None,
    });
    let changed = Condvar::new();
    let worker = || worker(&state, &changed, of, options, &job);
    std::thread::scope(|scope| {
        for _ in 1..workers {
            // If the system cannot start more threads, the current thread and the threads started so far run all jobs.
            if Builder::new().spawn_scoped(scope, worker).is_err() {
                break;
            }
        }
        worker();
    });
    let state = state
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    state.error.map_or(Ok(()), |error| Err(options.late(error)))
}

fn worker<W: Work>(
    state: &Mutex<State<W>>,
    changed: &Condvar,
    of: usize,
    options: &ReadOptions<'_>,
    job: impl Fn(W::Job, &mut Scratch) -> Result<W::Done, Error>,
) {
    let _panicking = StopOnPanic { state, changed };
    let mut scratch = Scratch::default();
    let mut at = lock(state);
    loop {
        if at.error.is_none() {
            at.error = options.check_cancel().err();
        }
        let next = match &at.error {
            Some(_) => None,
            None => at.work.next(),
        };
        let Some(next) = next else {
            if at.error.is_some() || at.busy == 0 {
                changed.notify_all();
                return;
            }
            at.waiting += 1;
            at = changed
                .wait(at)
                .unwrap_or_else(|poisoned| poisoned.into_inner());
            at.waiting -= 1;
            continue;
        };
        at.busy += 1;
        drop(at);
        let result = job(next, &mut scratch);
        at = lock(state);
        at.busy -= 1;
        match result.map(|done| at.work.take(done)) {
            Ok(0) => {}
            Ok(chunks) => {
                at.chunks += chunks;
                let chunks = at.chunks;
                options
                    .progress
                    .inspect(|told| told(Progress { chunks, of }));
            }
            Err(error) => {
                at.error.get_or_insert(error);
            }
        }
        if at.waiting > 0 {
            changed.notify_all();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// A guard that stops the other workers when a worker panics, so that they do not wait for it forever.
struct StopOnPanic<'w, W> {
    state: &'w Mutex<State<W>>,
    changed: &'w Condvar,
}

impl<W> Drop for StopOnPanic<'_, W> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(self.state).error.get_or_insert(Error::Cancelled);
            self.changed.notify_all();
        }
    }
}
