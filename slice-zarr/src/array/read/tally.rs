//! Counts the chunks, requests and bytes of a read, and the memory that it holds.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::array::stats::Stats;

/// The counts of a read.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) chunks: AtomicUsize,
    pub(crate) requests: AtomicUsize,
    pub(crate) bytes: AtomicU64,
    pub(crate) held: AtomicU64,
    pub(crate) peak: AtomicU64,
}

impl Tally {
    pub(crate) fn hold(&self, bytes: u64) {
        let held = self.held.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(held, Ordering::Relaxed);
    }

    pub(crate) fn stats(&self) -> Stats {
        Stats {
            chunks: self.chunks.load(Ordering::Relaxed),
            requests: self.requests.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            peak_bytes: self.peak.load(Ordering::Relaxed),
        }
    }

    pub(crate) fn release(&self, bytes: u64) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// Memory that is counted as held until this value is dropped.
pub(crate) struct Held {
    bytes: u64,
    tally: Arc<Tally>,
}

impl Held {
    pub(crate) fn new(bytes: u64, tally: &Arc<Tally>) -> Self {
        tally.hold(bytes);
        let tally = tally.clone();
        Held { bytes, tally }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.tally.release(self.bytes);
    }
}
