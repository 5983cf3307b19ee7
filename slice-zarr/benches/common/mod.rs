//! Shared code of the reading and writing benchmarks.

mod peer;
mod stored;
mod timing;

pub use peer::Peer;
pub use stored::{Scale, directory};
pub use timing::{median, timed};
