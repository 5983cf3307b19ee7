//! Checks the rules of ARCHITECTURE.md that a test can check.

mod imports;
mod source;
mod surface;
mod systems;
mod unsafe_code;
