//! A NumPy slice of a Zarr array as a `.npy` file.
//!
//! ```sh
//! cargo run --release --manifest-path slice-zarr/remote/Cargo.toml --example zarr_slice -- \
//!     volume.zarr/0 '::4, ::-1, -1' out.npy --stats stats.json
//! ```
//!
//! In SLICE, `@rows.npy` is the list of positions or the mask in a file that `numpy.save` wrote: `'@rows.npy, ::2'`.
//!
//! OUT is a file that is replaced as a whole, behind symbolic links too; a device or a pipe is written in place.
//!
//! STORE is a directory, an `http(s)://` or an `s3://BUCKET/PATH` URL of one array. S3 takes its endpoint, region and
//! keys from the variables that Amazon's tools read: `AWS_ENDPOINT_URL`, `AWS_REGION`, `AWS_ACCESS_KEY_ID`,
//! `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`; without keys, requests are not signed. In an `http(s)://` URL, letters such
//! as a space, `?` and `é` are written as `%20`, `%3F` and `%C3%A9`; in an `s3://` URL they are written as they are.

mod limit;
mod lists;
mod npy;
mod output;
mod printed;
mod remote;

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use output::Output;
use printed::{print, print_error};
use serde::Serialize;
use slice_zarr::{PlanSlice, Progress, ReadOptions, ReadSlice, RunPlan, Select};

/// Writes a NumPy slice of a Zarr array to a .npy file.
#[derive(Parser)]
struct Arguments {
    /// A directory, or an http(s):// or s3:// URL, of one array.
    store: String,
    /// What is in the brackets of z[...] in Python, such as "1:, ..., ::-2" or "[3, 0, -1], :"; each list selects along its own
    /// axis, as z.oindex does, and may be in a file: "@rows.npy, :".
    #[arg(allow_hyphen_values = true)]
    slice: String,
    /// The file to write, or - for the standard output.
    #[arg(required_unless_present = "plan")]
    out: Option<PathBuf>,
    /// Writes the statistics of the read to this file, as JSON.
    #[arg(long)]
    stats: Option<PathBuf>,
    /// Prints what the slice reads; without OUT, reads nothing else.
    #[arg(long)]
    plan: bool,
    /// The most requests that may be made.
    #[arg(long, value_name = "NUMBER")]
    max_requests: Option<usize>,
    /// The most bytes that may be requested.
    #[arg(long, value_name = "BYTES")]
    max_bytes: Option<u64>,
    /// The most bytes of memory that the read may take.
    #[arg(long, value_name = "BYTES")]
    max_memory: Option<u64>,
    /// How many seconds it may take to read all of it; unless said, a server that sends something is waited for.
    #[arg(long, value_name = "SECONDS", value_parser = limit::seconds)]
    timeout: Option<Duration>,
}

#[derive(Serialize)]
struct Stats<'a> {
    shape: &'a [usize],
    dtype: &'a str,
    chunks: usize,
    requests: usize,
    bytes: u64,
    peak_bytes: u64,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match std::panic::catch_unwind(|| run(&arguments)) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            print_error(&*error);
            ExitCode::FAILURE
        }
        // The message was printed where it happened.
        Err(_) => ExitCode::FAILURE,
    }
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let out = arguments.out.as_deref();
    let cannot_write = |error| format!("cannot write {:?}: {error}", out.unwrap_or("".as_ref()));
    let output = out.map(Output::at).transpose();
    let output = output.map_err(cannot_write)?;
    if arguments.plan && output == Some(Output::Standard) {
        return Err("--plan prints to the standard output: name a file for the array".into());
    }
    let slice = lists::parse(&arguments.slice)?;
    let deadline = limit::deadline(arguments.timeout);
    let (array, far) = remote::open(&arguments.store, deadline)?;
    let dtype = npy::Dtype::of(&array)?;
    let mut options = if far {
        ReadOptions::far_away()
    } else {
        ReadOptions::new()
    };
    if let Some(deadline) = deadline {
        options = options.deadline(deadline);
    }
    if let Some(requests) = arguments.max_requests {
        options = options.max_requests(requests);
    }
    if let Some(bytes) = arguments.max_bytes {
        options = options.max_bytes(bytes);
    }
    if let Some(bytes) = arguments.max_memory {
        options = options.max_memory(bytes);
    }
    if arguments.plan {
        let plan = array.plan_slice(&slice)?;
        let memory = plan.peak_bytes(&options);
        print(&format!("{plan}\nmemory  {memory} bytes at most\n"))?;
    }
    let Some(output) = output else {
        return Ok(());
    };
    let shape: Result<Vec<usize>, _> = array.shape().iter().map(|&len| len.try_into()).collect();
    let selection = slice.select(&shape?)?;
    npy::check_shape(selection.output_shape(), dtype.size())?;

    let start = Instant::now();
    let bar: Mutex<Option<ProgressBar>> = Mutex::new(None);
    let progress = |progress: Progress| {
        if start.elapsed() > Duration::from_secs(1)
            && let Ok(mut bar) = bar.lock()
        {
            let bar = bar.get_or_insert_with(|| {
                let style =
                    ProgressStyle::with_template("{bar:40} {pos} of {len} chunks, {eta} left");
                let bar = ProgressBar::new(progress.of as u64);
                bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
            });
            bar.set_position(progress.chunks as u64);
        }
    };
    let options = options.progress(&progress);
    let (result, took) = array.read_slice_raw(&slice, &options)?;
    if let Some(bar) = bar.into_inner().ok().flatten() {
        bar.finish_and_clear();
    }

    let stats = Stats {
        shape: result.shape(),
        dtype: dtype.name(),
        chunks: took.chunks,
        requests: took.requests,
        bytes: took.bytes,
        peak_bytes: took.peak_bytes,
    };
    // Last, so that after an error there is no output file.
    if let Some(path) = &arguments.stats {
        fs::write(path, serde_json::to_string(&stats)? + "\n")
            .map_err(|error| format!("cannot write {path:?}: {error}"))?;
    }
    let write = |to: &mut dyn Write| npy::write(to, &dtype, result.shape(), result.bytes());
    output
        .write(write)
        .map_err(|error| cannot_write(error).into())
}
