//! Defines the arguments of `slice zarr`, which writes a slice of a Zarr array to a NumPy file.

#[cfg(feature = "zarr")]
mod run;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::input::CommandError;

const EXAMPLES: &str = "\
Examples:
  slice zarr volume.zarr/0 '::4, ::-1, -1' out.npy
  slice zarr volume.zarr/0 '::4, ::-1, -1' --plan
  slice zarr volume.zarr '@rows.npy, ::2' out.npy --max-memory 1000000000
  slice zarr s3://bucket/volume.zarr '-1' - | python3 use.py
  slice zarr https://example.org/volume.zarr ':10' out.npy --timeout 60 --json

Exit status:
  0    success
  1    the slice is invalid or exceeds a limit, the array cannot be read, or OUT cannot be written
  2    the command line is invalid, or the feature `zarr` is missing
  130  interrupted by Ctrl-C; OUT is unchanged";

/// Write a slice of a Zarr array to a NumPy file
///
/// STORE is the directory or the URL (http://, https:// or s3://BUCKET/PATH) of one array. For S3, the endpoint, region
/// and keys are taken from the environment variables AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID,
/// AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN; without keys, requests are not signed. In an http(s):// URL, special
/// characters such as a space, ? and é must be written as %20, %3F and %C3%A9; in an s3:// URL they are written
/// literally.
///
/// Requires the feature `zarr`, and the feature `remote` for URLs: cargo install --path slice-cli --features remote
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The directory, http(s):// URL or s3:// URL of an array
    pub store: String,

    /// A slice in Python's notation, such as "1:, ..., ::-2" or "[3, 0, -1], :". Each list selects along its own axis,
    /// as in zarr-python's z.oindex[...], and zip(...) pairs lists. A list or a mask, with any number of axes, can be read
    /// from a file written by numpy.save: "@rows.npy, :" or "zip(@rows.npy, @columns.npy)". A path that contains a comma or
    /// an unmatched bracket must be in quotes: "@'a,b.npy', :"
    #[arg(allow_hyphen_values = true)]
    pub slice: String,

    /// The file to write, or - for standard output. Symbolic links are followed; a regular file is replaced as a whole,
    /// and a device or a pipe is written in place
    #[arg(required_unless_present = "plan")]
    pub out: Option<PathBuf>,

    /// Print the numbers of chunks, requests and bytes, and the amount of memory, that the slice needs; without OUT, no
    /// chunks are read
    #[arg(long, visible_alias = "dry-run")]
    pub plan: bool,

    /// The maximum number of chunks to read; in a sharded array, inner chunks are counted
    #[arg(long, value_name = "NUMBER")]
    pub max_chunks: Option<usize>,

    /// The maximum number of requests to send
    #[arg(long, value_name = "NUMBER")]
    pub max_requests: Option<usize>,

    /// The maximum number of bytes to request
    #[arg(long, value_name = "BYTES")]
    pub max_bytes: Option<u64>,

    /// The maximum number of bytes of memory used by the read
    #[arg(long, value_name = "BYTES")]
    pub max_memory: Option<u64>,

    /// The maximum duration of the whole read; by default, the read continues as long as the server sends data
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// Write statistics of the read to this file, as JSON
    #[arg(long, value_name = "STATS.json")]
    pub stats: Option<PathBuf>,

    /// Print statistics of the read, and the plan if requested, as JSON
    #[arg(long)]
    pub json: bool,
}

/// Parses a number of seconds, such as 60 or 0.5. Returns an error if the text is not a positive number, or the number
/// is too large for a [`Duration`].
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|error| format!("{error}"))?;
    if seconds <= 0.0 {
        return Err("must be greater than 0".into());
    }
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// Runs `slice zarr`. Returns an error if the command line or the slice is invalid, the array cannot be read, a limit
/// is exceeded, or the output cannot be written.
#[cfg(feature = "zarr")]
pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    let printing_options = [(arguments.plan, "--plan"), (arguments.json, "--json")];
    super::output::is_standard_output(arguments.out.as_deref(), &printing_options, "array")?;
    let result = std::panic::catch_unwind(|| run::run(arguments));
    // The message of the panic has already been printed.
    let result = result.unwrap_or_else(|_| Err("the library zarrs panicked".into()));
    result.map_err(|error| CommandError::failure(error.to_string()))
}

/// Returns an error that explains how to enable the feature `zarr`.
#[cfg(not(feature = "zarr"))]
pub fn run(_arguments: &Arguments) -> Result<(), CommandError> {
    Err(CommandError::usage(
        "this command was built without the feature `zarr`: run cargo install --path slice-cli --features remote"
            .into(),
    ))
}
