//! Checks those rules of ARCHITECTURE.md that can be tested.

mod imports;
mod source;
mod surface;
mod systems;
