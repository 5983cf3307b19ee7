//! Implements `slice zarr`: writes a slice of a Zarr array to a NumPy file.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::limit;
use crate::input::BadInput;

const EXAMPLES: &str = "\
Examples:
  slice zarr volume.zarr/0 '::4, ::-1, -1' out.npy
  slice zarr volume.zarr/0 '::4, ::-1, -1' --plan
  slice zarr volume.zarr '@rows.npy, ::2' out.npy --max-memory 1000000000
  slice zarr s3://bucket/volume.zarr '-1' - | python3 use.py
  slice zarr https://example.org/volume.zarr ':10' out.npy --timeout 60 --json

Exit status:
  0    all is well
  1    the slice is wrong or takes too much, or the array cannot be read, or OUT not written
  2    the command is wrong, or was built without the feature `zarr`
  130  Ctrl-C has ended it: OUT is as it was";

/// Writes a slice of a Zarr array to a file of NumPy
///
/// STORE is a directory, an http(s):// or an s3://BUCKET/PATH URL of one array. S3 takes its endpoint, region and keys from the
/// variables that Amazon's tools read: AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
/// AWS_SESSION_TOKEN; without keys, requests are not signed. In an http(s):// URL, letters such as a space, ? and é are
/// written as %20, %3F and %C3%A9; in an s3:// URL they are written as they are.
///
/// It needs the feature `zarr`, and for URLs `remote`: cargo install --path slice-cli --features remote
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// A directory, or an http(s):// or s3:// URL, of one array
    pub store: String,

    /// What is in the brackets of z[...] in Python, such as "1:, ..., ::-2" or "[3, 0, -1], :"; each list selects along its own
    /// axis, as z.oindex does, and may be in a file of numpy.save: "@rows.npy, :"
    #[arg(allow_hyphen_values = true)]
    pub slice: String,

    /// The file to write, or - for the standard output; a file is replaced as a whole, behind symbolic links too, and a device or
    /// a pipe is written in place
    #[arg(required_unless_present = "plan")]
    pub out: Option<PathBuf>,

    /// Print what the slice reads: chunks, requests, bytes and memory; without OUT, nothing else is read
    #[arg(long, visible_alias = "dry-run")]
    pub plan: bool,

    /// The most requests that may be made
    #[arg(long, value_name = "NUMBER")]
    pub max_requests: Option<usize>,

    /// The most bytes that may be requested
    #[arg(long, value_name = "BYTES")]
    pub max_bytes: Option<u64>,

    /// The most bytes of memory that the read may take
    #[arg(long, value_name = "BYTES")]
    pub max_memory: Option<u64>,

    /// How many seconds it may take to read all of it; unless said, a server that sends something is waited for
    #[arg(long, value_name = "SECONDS", value_parser = limit::seconds)]
    pub timeout: Option<Duration>,

    /// Write what the read took to this file, as JSON
    #[arg(long, value_name = "STATS.json")]
    pub stats: Option<PathBuf>,

    /// Print JSON: the plan, if it was asked for, and what the read took
    #[arg(long)]
    pub json: bool,
}

/// Runs `slice zarr`.
///
/// # Errors
///
/// If the command or the slice is wrong, the array cannot be read, a limit is exceeded, or the output cannot be
/// written.
#[cfg(feature = "zarr")]
pub fn run(arguments: &Arguments) -> Result<(), BadInput> {
    if arguments.out.as_deref().is_some_and(is_standard) {
        for (asked, option) in [(arguments.plan, "--plan"), (arguments.json, "--json")] {
            if asked {
                return Err(BadInput::usage(format!(
                    "{option} prints to the standard output: name a file for the array"
                )));
            }
        }
    }
    let done = std::panic::catch_unwind(|| crate::zarr::run::run(arguments));
    // A panic has already printed its message.
    let done = done.unwrap_or_else(|_| Err("zarrs panicked".into()));
    done.map_err(|error| BadInput::slice(error.to_string()))
}

#[cfg(feature = "zarr")]
fn is_standard(out: &std::path::Path) -> bool {
    matches!(
        super::output::Output::at(out),
        Ok(super::output::Output::Standard)
    )
}

/// Refuses to run without the feature `zarr`, and explains how to enable it.
///
/// # Errors
///
/// Always.
#[cfg(not(feature = "zarr"))]
pub fn run(_arguments: &Arguments) -> Result<(), BadInput> {
    Err(BadInput::usage(
        "this `slice` was built without Zarr: cargo install --path slice-cli --features remote"
            .into(),
    ))
}
