//! Lists and masks give NumPy's results, each axis by itself, including error messages.

mod assign;
mod compose;
mod read;
mod text;
