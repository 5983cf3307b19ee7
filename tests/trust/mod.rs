//! Checks that every input leads to a result or an error.

mod api;
mod copies;
mod found;
mod hostile;
mod kinds;
mod seeded;
