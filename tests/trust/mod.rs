//! Whatever comes in, an answer or an error goes out.

mod api;
mod copies;
mod found;
mod hostile;
mod kinds;
mod seeded;
