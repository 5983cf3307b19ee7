//! Runs the workers of a read or write. Each worker takes jobs from a shared queue until no jobs are left.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

use crate::array::codecs::scratch::Scratch;
use crate::array::error::Error;
use crate::array::options::{AccessOptions, Progress};

/// The queue of remaining jobs, shared by the workers. A *job* is a step that one worker performs, such as fetching or
/// decoding a chunk.
pub(crate) trait JobQueue: Send {
    type Job: Send;
    type Outcome: Send;

    /// Returns the next job, or `None` if the queue is empty. Jobs that are still running may add more jobs later.
    fn next(&mut self) -> Option<Self::Job>;

    /// Adds the outcome of a job to the queue, and returns the number of chunks that the job has completed.
    fn add_outcome(&mut self, outcome: Self::Outcome) -> usize;
}

struct State<Q> {
    queue: Q,
    /// The number of workers that are running a job.
    busy: usize,
    /// The number of workers that are waiting for a running job to finish.
    waiting: usize,
    /// The number of completed chunks.
    chunks: usize,
    error: Option<Error>,
}

/// Runs the jobs of `queue` with at most `workers` workers. The jobs complete `chunk_count` chunks in total.
///
/// # Errors
///
/// Returns the first error of a job, [`Error::Cancelled`] if the caller cancels, or [`Error::TimedOut`] if the deadline
/// passes.
pub(crate) fn run_jobs<Q: JobQueue>(
    queue: Q,
    workers: usize,
    chunk_count: usize,
    options: &AccessOptions<'_>,
    job: impl Fn(Q::Job, &mut Scratch) -> Result<Q::Outcome, Error> + Sync,
) -> Result<(), Error> {
    let state = Mutex::new(State {
        queue,
        busy: 0,
        waiting: 0,
        chunks: 0,
        error: None,
    });
    let changed = Condvar::new();
    let worker = || run_worker(&state, &changed, chunk_count, options, &job);
    std::thread::scope(|scope| {
        for _ in 1..workers {
            // If the operating system cannot start more threads, the current thread and the threads started so far run
            // all jobs.
            if Builder::new().spawn_scoped(scope, worker).is_err() {
                break;
            }
        }
        worker();
    });
    let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    state
        .error
        .map_or(Ok(()), |error| Err(options.timed_out_if_late(error)))
}

fn run_worker<Q: JobQueue>(
    state: &Mutex<State<Q>>,
    changed: &Condvar,
    chunk_count: usize,
    options: &AccessOptions<'_>,
    job: impl Fn(Q::Job, &mut Scratch) -> Result<Q::Outcome, Error>,
) {
    let _guard = StopOnPanic { state, changed };
    let mut scratch = Scratch::with_deadline(options.deadline);
    let mut locked = lock(state);
    loop {
        if locked.error.is_none() {
            locked.error = options.check_cancel().err();
        }
        let next = match &locked.error {
            Some(_) => None,
            None => locked.queue.next(),
        };
        let Some(next) = next else {
            if locked.error.is_some() || locked.busy == 0 {
                // Waking no worker takes a system call, too.
                if locked.waiting > 0 {
                    changed.notify_all();
                }
                return;
            }
            locked.waiting += 1;
            locked = changed.wait(locked).unwrap_or_else(PoisonError::into_inner);
            locked.waiting -= 1;
            continue;
        };
        locked.busy += 1;
        drop(locked);
        let result = job(next, &mut scratch);
        locked = lock(state);
        locked.busy -= 1;
        match result.map(|outcome| locked.queue.add_outcome(outcome)) {
            Ok(0) => {}
            Ok(chunks) => {
                locked.chunks += chunks;
                let chunks = locked.chunks;
                options.progress.inspect(|report| {
                    report(Progress {
                        chunks,
                        of: chunk_count,
                    })
                });
            }
            Err(error) => {
                locked.error.get_or_insert(error);
            }
        }
        if locked.waiting > 0 {
            changed.notify_all();
        }
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A guard that stops the other workers when a worker panics, so that they do not wait for it forever.
struct StopOnPanic<'w, Q> {
    state: &'w Mutex<State<Q>>,
    changed: &'w Condvar,
}

impl<Q> Drop for StopOnPanic<'_, Q> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(self.state).error.get_or_insert(Error::Cancelled);
            self.changed.notify_all();
        }
    }
}
