//! What the commands among the examples and the page to try slices share.

pub mod answer;
pub mod input;
pub mod operation;
