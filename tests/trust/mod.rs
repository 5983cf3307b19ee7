//! Checks that every input, however extreme, leads to a result or an error.

mod api;
mod copies;
mod extreme_lists;
mod extreme_sizes;
mod fixed_names;
mod kinds;
mod regressions;
mod seeded;
