//! Checks that slices in which each list or mask applies to its own axis give the same results and error messages as
//! NumPy.

mod assign;
mod brackets;
mod compose;
mod read;
mod text;
