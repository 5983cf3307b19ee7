//! Checks that slices with lists and masks, each of which applies to its own axis, have NumPy's results and error
//! messages.

mod assign;
mod compose;
mod read;
mod text;
