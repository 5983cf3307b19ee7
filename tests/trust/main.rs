//! Whatever comes in, an answer or an error goes out.

mod found;
mod kinds;
mod seeded;
