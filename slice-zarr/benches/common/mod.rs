//! Code shared by the benchmarks `read`, `lists` and `write`.

mod arguments;
mod peer;
mod stored;
mod timing;
mod turns;

pub use arguments::Arguments;
pub use peer::Peer;
pub use stored::{Scale, directory};
pub use timing::{shortest, sum, timed};
pub use turns::Turns;
