//! What the benchmarks of reading and writing share.

mod peer;
mod stored;
mod timing;

pub use peer::Peer;
pub use stored::{Scale, directory};
pub use timing::{median, timed};
