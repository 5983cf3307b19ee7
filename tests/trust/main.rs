//! Whatever comes in, an answer or an error goes out.

mod kinds;
mod seeded;
