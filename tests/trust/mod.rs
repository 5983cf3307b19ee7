//! Checks that every input, however extreme, leads to a result or an error.

mod api;
mod copies;
mod found;
mod hostile;
mod kinds;
mod seeded;
