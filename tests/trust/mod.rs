//! Every input gives an answer or an error.

mod api;
mod copies;
mod found;
mod hostile;
mod kinds;
mod seeded;
