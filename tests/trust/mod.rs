//! Tests that every input gives a result or an error.

mod api;
mod copies;
mod found;
mod hostile;
mod kinds;
mod seeded;
