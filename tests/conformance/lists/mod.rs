//! Checks that lists and masks, applied to each axis separately, have NumPy's results and error messages.

mod assign;
mod compose;
mod read;
mod text;
