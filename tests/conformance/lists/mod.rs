//! Lists and masks give what NumPy gives, each axis by itself, error messages included.

mod assign;
mod compose;
mod read;
mod text;
