//! Checks that slices with lists and masks, each of which applies to its own axis, give the same results and error
//! messages as NumPy.

mod assign;
mod compose;
mod read;
mod text;
