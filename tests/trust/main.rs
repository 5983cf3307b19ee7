//! Whatever comes in, an answer or an error goes out.

mod found;
mod hostile;
mod kinds;
mod seeded;
