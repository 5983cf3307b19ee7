//! Checks the expansion of `s![]` and the evaluation of its bounds.

mod encoding;
mod evaluation;
mod minus;
mod optional;
