//! Parses the time limit of a command, and computes the deadline.

use std::time::{Duration, Instant};

/// Parses a number of seconds, such as 60 or 0.5. Returns an error if the text is not a positive number, or the number
/// is too large for a [`Duration`].
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|error| format!("{error}"))?;
    if seconds <= 0.0 {
        return Err("must be greater than 0".into());
    }
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// Returns the deadline, or `None` if there is no time limit or the deadline is too far in the future for the clock.
#[must_use]
pub fn deadline(timeout: Option<Duration>) -> Option<Instant> {
    Instant::now().checked_add(timeout?)
}
