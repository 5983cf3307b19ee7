//! How long a command may read.

use std::time::{Duration, Instant};

/// Reads a number of seconds, such as 60 or 0.5.
///
/// # Errors
///
/// For what is no number, or not more than 0.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|error| format!("{error}"))?;
    if seconds <= 0.0 {
        return Err("it is not more than 0".into());
    }
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// Returns when the time is over; never, if that is further away than the clock can say.
#[must_use]
pub fn deadline(timeout: Option<Duration>) -> Option<Instant> {
    Instant::now().checked_add(timeout?)
}
