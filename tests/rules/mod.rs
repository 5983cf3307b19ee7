//! Rules of ARCHITECTURE.md, as far as a test can check them.

mod imports;
mod source;
mod surface;
mod systems;
mod unsafe_code;
