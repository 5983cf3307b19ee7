//! Uses many machines to copy a slice of a Zarr array to a new array. See the README.
//!
//! ```sh
//! slice_plan split s3://bucket/volume.zarr '::2, ::-1' out.zarr --plans 8 --into plans
//! slice_plan run plans/3.json out.zarr
//! slice_plan check out.zarr --plans plans
//! ```
//!
//! The first argument of `split` is a directory or a URL that `slice zarr` can read. The output is a directory.

mod folders;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Parser, Subcommand};
use serde::Serialize;
use slice_cli::command::limit;
use slice_cli::command::printed::{print_error, print_plain};
use slice_cli::zarr;
use slice_core::OutputAxis;
use slice_zarr::{
    FileStorage, PlanSlice, ReadOptions, ReadPlan, RunPlan, SplitOutput, SplitProgress,
};
use zarrs::array::{Array, ArrayBuilder};

use folders::{Folders, plans_in, read_plan};

/// The maximum size of an output chunk, in bytes. With the default `ReadOptions`, larger chunks cannot be read.
const MAX_CHUNK_BYTES: u64 = 4 << 30;

/// Splits a slice of a Zarr array into plans, and runs the plans.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Creates an empty output, and the plans that fill the output.
    Split(Split),
    /// Runs a plan: reads the plan's part of the slice, and writes this part to the output.
    Run {
        /// The JSON file of the plan.
        plan: PathBuf,
        /// The directory of the output array.
        output: PathBuf,
        /// Runs the plan even if it has already run.
        #[arg(long)]
        again: bool,
        /// Writes the numbers of chunks, requests and bytes of the read to this file, as JSON.
        #[arg(long)]
        stats: Option<PathBuf>,
        /// The time limit in seconds. By default, the read continues while the server sends data.
        #[arg(long, value_name = "SECONDS", value_parser = limit::seconds)]
        timeout: Option<Duration>,
    },
    /// Checks that every plan of the split has run, and lists plans that have not run or have run more than once.
    Check {
        /// The directory of the output array.
        output: PathBuf,
        /// Also checks that this directory contains every plan of the split exactly once, and no other plans.
        #[arg(long)]
        plans: Option<PathBuf>,
    },
}

#[derive(clap::Args)]
struct Split {
    /// The directory or the http(s):// or s3:// URL of an array.
    store: String,
    /// The slice, as written in the brackets of z[...] in Python, such as "1:, ..., ::-2".
    #[arg(allow_hyphen_values = true)]
    slice: String,
    /// The directory of the output array.
    output: PathBuf,
    /// The maximum number of plans. Fewer are created if the slice cannot be split at enough positions.
    #[arg(long)]
    plans: usize,
    /// The directory for the plans.
    #[arg(long)]
    into: PathBuf,
    /// The shape of the output chunks, such as 100,100. By default, the length on each axis is the number of positions
    /// that the slice selects from a chunk of the array.
    #[arg(long, value_delimiter = ',')]
    chunks: Option<Vec<usize>>,
    /// Removes an existing array at OUTPUT, and the plans of an earlier split.
    #[arg(long)]
    overwrite: bool,
    /// The time limit in seconds for reading the metadata.
    #[arg(long, value_name = "SECONDS", value_parser = limit::seconds)]
    timeout: Option<Duration>,
}

fn main() -> ExitCode {
    let outcome = match &Arguments::parse().command {
        Command::Split(arguments) => split(arguments),
        Command::Run {
            plan,
            output,
            again,
            stats,
            timeout,
        } => run(plan, output, *again, stats.as_deref(), *timeout),
        Command::Check { output, plans } => check(output, plans.as_deref()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&*error);
            ExitCode::FAILURE
        }
    }
}

fn split(arguments: &Split) -> Result<(), Box<dyn Error>> {
    let Split {
        store,
        slice,
        output,
        plans,
        into,
        timeout,
        ..
    } = arguments;
    let printable_store = zarr::without_password(store);
    if printable_store != *store {
        return Err(format!(
            "the plans, which others may read, would contain the password in the address {printable_store:?}; use an address without a password"
        )
        .into());
    }
    let (array, _) = zarr::open(store, limit::deadline(*timeout))?;
    let plan = array.plan_slice(slice)?.with_address(store);
    let chunks = arguments.chunks.clone();
    let chunks = chunks.unwrap_or_else(|| default_chunk_shape(&plan));
    let plans = plan.split_for(*plans, &chunks)?;
    let id = plans.id();
    check_chunk(&plan, &chunks)?;
    Folders::check((store, &array), output, into, arguments.overwrite)?.clear()?;

    fs::create_dir_all(into)?;
    for (number, plan) in plans.enumerate() {
        let path = into.join(format!("{number}.json"));
        fs::write(&path, serde_json::to_string_pretty(&plan)? + "\n")
            .map_err(|error| format!("cannot write {path:?}: {error}"))?;
        let (chunks, bytes) = (plan.touched_chunks(), plan.max_bytes());
        let path = path.display();
        print_plain(&format!("{path}: {chunks} chunks, at most {bytes} bytes\n"))?;
    }

    // The metadata is written last. Without it, no plan can be run, so the plans of an interrupted split have no
    // effect.
    let lengths = |lengths: &[usize]| lengths.iter().map(|&len| len as u64).collect::<Vec<_>>();
    let (data_type, fill_value) = (array.data_type().clone(), array.fill_value().clone());
    let mut output_array = ArrayBuilder::new(
        lengths(plan.shape()),
        lengths(&chunks),
        data_type,
        fill_value,
    )
    .build(Arc::new(FileStorage::new(output)?), "/")?;
    output_array.set_split(id);
    output_array.store_metadata()?;
    Ok(())
}

/// Checks that an output chunk has at most [`MAX_CHUNK_BYTES`] bytes. An output chunk is held in memory as a whole when
/// it is written.
fn check_chunk(plan: &ReadPlan, chunks: &[usize]) -> Result<(), String> {
    let array = plan.array();
    let lengths = chunks.iter().map(|&len| len as u128);
    let bytes = lengths.fold(array.item_size as u128, u128::saturating_mul);
    if bytes <= MAX_CHUNK_BYTES.into() {
        return Ok(());
    }
    Err(format!(
        "the output chunks are too large: a chunk of shape {chunks:?} and data type {} takes {bytes} bytes, but at most \
         {MAX_CHUNK_BYTES} are supported; use smaller --chunks",
        array.data_type
    ))
}

/// Returns the default shape of the output chunks. The length on each axis is the number of positions that the slice
/// selects from a whole chunk, so that chunks of the output end where chunks of the array end.
fn default_chunk_shape(plan: &ReadPlan) -> Vec<usize> {
    let selection = plan.selection();
    let axes = selection.output_axes().iter().zip(plan.shape());
    let lengths = axes.map(|(&origin, &size)| match origin {
        OutputAxis::New { .. } => 1,
        OutputAxis::Input(axis) => {
            let chunk = plan.array().chunk_shape[axis];
            // For a list, this number differs between chunks, so the length of a whole chunk is used.
            let range = selection.range(axis);
            let step = range.map_or(1, |range| range.step().unsigned_abs());
            chunk.div_ceil(step).min(size.max(1))
        }
    });
    lengths.collect()
}

#[derive(Serialize)]
struct Stats {
    chunks: usize,
    requests: usize,
    bytes: u64,
}

fn run(
    plan: &Path,
    output: &Path,
    again: bool,
    stats: Option<&Path>,
    timeout: Option<Duration>,
) -> Result<(), Box<dyn Error>> {
    let deadline = limit::deadline(timeout);
    let plan = read_plan(plan)?;
    let output_array = open(output)?;
    let run_record = progress(&output_array, output)?;
    run_record.clone().add(plan.split_place())?;
    if let Some(place) = plan
        .split_place()
        .filter(|place| run_record.times(place.number()) > 0 && !again)
    {
        return Err(format!("{place} has already run; use --again to run it again").into());
    }
    let (array, is_remote) = zarr::open(&plan.array().address, deadline)?;
    let mut options = ReadOptions::new();
    if is_remote {
        options = options.workers(8).merge_gap(1 << 20);
    }
    if let Some(deadline) = deadline {
        options = options.deadline(deadline);
    }
    let run_stats = plan.run_to(&array, &output_array, &options)?;
    if let Some(path) = stats {
        let stats = Stats {
            chunks: run_stats.chunks,
            requests: run_stats.requests,
            bytes: run_stats.bytes,
        };
        fs::write(path, serde_json::to_string(&stats)? + "\n")
            .map_err(|error| format!("cannot write {path:?}: {error}"))?;
    }
    Ok(())
}

fn check(output: &Path, plans: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let run_record = progress(&open(output)?, output)?;
    let mut problems = Vec::new();
    if let Some(folder) = plans {
        let mut folder_record = SplitProgress::new(run_record.id());
        for path in plans_in(folder)? {
            let place = read_plan(&path).map(|plan| plan.split_place());
            let added = place.and_then(|place| {
                folder_record
                    .add(place)
                    .map_err(|error| format!("{path:?}: {error}"))
            });
            problems.extend(added.err());
        }
        if !folder_record.is_complete() || folder_record.repeated().next().is_some() {
            problems.push(format!(
                "the plans' folder {folder:?} contains {folder_record}"
            ));
        }
    }
    match run_record.is_complete() {
        true => print_plain(&format!("complete: {run_record}\n"))?,
        false => problems.push(format!("not complete: {run_record}")),
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems.join("\n").into()),
    }
}

fn open(output: &Path) -> Result<Array<FileStorage>, Box<dyn Error>> {
    let array = slice_zarr::open(Arc::new(FileStorage::new(output)?), "/");
    Ok(array.map_err(|error| format!("cannot open the output {output:?}: {error}"))?)
}

/// Returns the record of the plans that have run. Returns an error if the output was not created by a split, because
/// such an output would accept any plan.
fn progress(array: &Array<FileStorage>, output: &Path) -> Result<SplitProgress, Box<dyn Error>> {
    let progress = array.split_progress()?;
    Ok(progress.ok_or_else(|| format!("{output:?} is not the output of a split"))?)
}
