//! The rules of ARCHITECTURE.md that a test can hold.

mod imports;
mod source;
mod surface;
mod systems;
mod unsafe_code;
