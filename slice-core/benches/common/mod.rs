//! What the benchmarks of copies share: rows, clocks, rules and the arguments on the command line.

pub mod arguments;
pub mod element;
pub mod floor;
pub mod placed;
pub mod processor;
pub mod record;
pub mod reference;
pub mod tables;
pub mod timing;
pub mod verdict;
pub mod workloads;
