//! Shared code of the copying benchmarks: workloads, timing, rules and command-line arguments.

pub mod arguments;
pub mod element;
pub mod floor;
pub mod offset_buffer;
pub mod processor;
pub mod record;
pub mod reference;
pub mod tables;
pub mod timing;
pub mod verdict;
pub mod workloads;
