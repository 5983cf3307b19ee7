//! Reads a slice of a Zarr array, and writes it to a NumPy file.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use slice_zarr::{AccessOptions, PlanSlice, Progress, ReadPlan, ReadSlice};

use super::Arguments;
use crate::command::output::Output;
use crate::command::printed::{print_plain, print_warning};
use crate::zarr::{self, lists, npy};

/// The duration of a read after which the progress bar is shown.
const PROGRESS_BAR_DELAY: Duration = Duration::from_secs(1);

/// Runs `slice zarr`: reads the slice and writes it to the output. Returns an error if the slice is invalid, the array
/// cannot be read, the read exceeds a limit, or an output cannot be written.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let out = arguments.out.as_deref();
    let cannot_write = |error| format!("cannot write {:?}: {error}", out.unwrap_or("".as_ref()));
    let output = out.map(Output::at).transpose();
    let output = output.map_err(cannot_write)?;
    let slice = lists::parse(&arguments.slice)?;
    // There is no deadline if it is too far in the future for the clock.
    let timeout = arguments.timeout;
    let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    let (array, is_url) = zarr::open(&arguments.store, deadline)?;
    let dtype = npy::Dtype::of(&array)?;
    let options = options(arguments, is_url, deadline);
    let plan = match arguments.plan {
        true => Some(array.plan_slice(&slice)?),
        false => None,
    };
    if let (Some(plan), false) = (&plan, arguments.json) {
        let memory = plan.peak_bytes(&options);
        print_plain(&format!("{plan}\nmemory  {memory} bytes at most\n"))?;
    }
    let plan = plan.map(|plan| plan_json(&plan, &options));
    let Some(output) = output else {
        return print_json(arguments, &json!({ "plan": plan }));
    };
    let shape: Result<Vec<usize>, _> = array.shape().iter().map(|&len| len.try_into()).collect();
    let selection = slice.resolve(&shape?)?;
    npy::check_shape(selection.output_shape(), dtype.size)?;

    if let Some(warning) = dtype.warning() {
        print_warning(&warning);
    }
    let bar = DelayedProgressBar::new();
    let progress = |progress| bar.set(progress);
    let (result, read_stats) = array.read_slice_raw(&slice, &options.progress(&progress))?;
    bar.clear();

    let stats = json!({
        "shape": result.shape(),
        "dtype": dtype.name,
        "chunks": read_stats.chunks,
        "requests": read_stats.requests,
        "bytes": read_stats.bytes,
        "peak_bytes": read_stats.peak_bytes,
    });
    if let Some(path) = &arguments.stats {
        fs::write(path, format!("{stats}\n"))
            .map_err(|error| format!("cannot write {path:?}: {error}"))?;
    }
    let json = match plan {
        Some(plan) => json!({ "plan": plan, "read": stats }),
        None => json!({ "read": stats }),
    };
    print_json(arguments, &json)?;
    // The array is written last, so that an earlier error leaves no file.
    let write = |file: &mut dyn Write| npy::write(file, &dtype, result.shape(), result.bytes());
    output
        .write(write)
        .map_err(|error| cannot_write(error).into())
}

/// Creates the options of the read from the arguments.
fn options(
    arguments: &Arguments,
    is_url: bool,
    deadline: Option<Instant>,
) -> AccessOptions<'static> {
    let mut options = if is_url {
        AccessOptions::far_away()
    } else {
        AccessOptions::new()
    };
    if let Some(deadline) = deadline {
        options = options.deadline(deadline);
    }
    if let Some(chunks) = arguments.max_chunks {
        options = options.max_chunks(chunks);
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
    options
}

/// Returns the plan and its costs as JSON. The costs depend on the options.
fn plan_json(plan: &ReadPlan, options: &AccessOptions<'_>) -> serde_json::Value {
    let (requests, bytes) = plan.requests_and_bytes(options);
    json!({
        "shape": plan.shape(),
        "chunks": plan.touched_chunks(),
        "requests": requests,
        "bytes": bytes,
        "output_bytes": plan.output_bytes(),
        "peak_bytes": plan.peak_bytes(options),
        "read_plan": plan,
    })
}

fn print_json(arguments: &Arguments, json: &serde_json::Value) -> Result<(), Box<dyn Error>> {
    match arguments.json {
        true => Ok(print_plain(&format!("{json:#}\n"))?),
        false => Ok(()),
    }
}

/// A progress bar that counts chunks. It is shown only if the read takes longer than [`PROGRESS_BAR_DELAY`].
struct DelayedProgressBar {
    start: Instant,
    bar: Mutex<Option<ProgressBar>>,
}

impl DelayedProgressBar {
    fn new() -> Self {
        DelayedProgressBar {
            start: Instant::now(),
            bar: Mutex::new(None),
        }
    }

    fn set(&self, progress: Progress) {
        if self.start.elapsed() > PROGRESS_BAR_DELAY
            && let Ok(mut bar) = self.bar.lock()
        {
            let bar = bar.get_or_insert_with(|| {
                let style =
                    ProgressStyle::with_template("{bar:40} {pos} of {len} chunks, {eta} left");
                let bar = ProgressBar::new(progress.of as u64);
                bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
            });
            bar.set_position(progress.chunks as u64);
        }
    }

    fn clear(self) {
        if let Some(bar) = self.bar.into_inner().ok().flatten() {
            bar.finish_and_clear();
        }
    }
}
