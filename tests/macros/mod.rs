//! What `s![]` writes, and when it evaluates its bounds.

mod encoding;
mod evaluation;
mod minus;
mod optional;
