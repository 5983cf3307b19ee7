//! Slices as Python text.

mod display;
