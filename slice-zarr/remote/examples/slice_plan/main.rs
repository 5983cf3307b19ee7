//! A slice of a Zarr array as an array of its own, made by many machines: see its README.
//!
//! ```sh
//! slice_plan split s3://bucket/volume.zarr '::2, ::-1' out.zarr --plans 8 --into plans
//! slice_plan run plans/3.json out.zarr
//! ```
//!
//! STORE is what the example `zarr_slice` reads; OUTPUT is a directory.

#[path = "../zarr_slice/remote.rs"]
mod remote;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Parser, Subcommand};
use serde::Serialize;
use slice_core::OutputAxis;
use slice_zarr::{FileStorage, PlanSlice, ReadOptions, ReadPlan, RunPlan};
use zarrs::array::{Array, ArrayBuilder};

/// Splits a slice of a Zarr array into plans, and runs them.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Makes an empty output, and plans that fill it.
    Split {
        /// A directory, or an http(s):// or s3:// URL, of one array.
        store: String,
        /// What is in the brackets of z[...] in Python, such as "1:, ..., ::-2".
        #[arg(allow_hyphen_values = true)]
        slice: String,
        /// The directory of the array to make.
        output: PathBuf,
        /// The number of plans, fewer where there are too few places to cut.
        #[arg(long)]
        plans: usize,
        /// The directory for the plans.
        #[arg(long)]
        into: PathBuf,
        /// The shape of the chunks of the output, such as 100,100; unless said, what is taken of a chunk that is read.
        #[arg(long, value_delimiter = ',')]
        chunks: Option<Vec<usize>>,
    },
    /// Reads what a plan reads, and writes it to the output.
    Run {
        /// The plan, in JSON.
        plan: PathBuf,
        /// The directory of the output.
        output: PathBuf,
        /// Writes what the read took to this file, as JSON.
        #[arg(long)]
        stats: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let done = match &Arguments::parse().command {
        Command::Split {
            store,
            slice,
            output,
            plans,
            into,
            chunks,
        } => split(store, slice, output, *plans, into, chunks.clone()),
        Command::Run {
            plan,
            output,
            stats,
        } => run(plan, output, stats.as_deref()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn split(
    store: &str,
    slice: &str,
    output: &Path,
    plans: usize,
    into: &Path,
    chunks: Option<Vec<usize>>,
) -> Result<(), Box<dyn Error>> {
    let (array, _) = remote::open(store)?;
    let plan = array.plan_slice(slice)?.with_address(store);
    let chunks = chunks.unwrap_or_else(|| taken_of_a_chunk(&plan));
    let plans = plan.split_for(plans, &chunks)?;

    let lengths = |lengths: &[usize]| lengths.iter().map(|&len| len as u64).collect::<Vec<_>>();
    let (data_type, fill_value) = (array.data_type().clone(), array.fill_value().clone());
    ArrayBuilder::new(
        lengths(plan.shape()),
        lengths(&chunks),
        data_type,
        fill_value,
    )
    .build(Arc::new(FileStorage::new(output)?), "/")?
    .store_metadata()?;
    fs::create_dir_all(into)?;
    for (number, plan) in plans.enumerate() {
        let path = into.join(format!("{number}.json"));
        fs::write(&path, serde_json::to_string_pretty(&plan)? + "\n")?;
        let (chunks, bytes) = (plan.touched_chunks(), plan.max_bytes());
        println!("{}: {chunks} chunks, at most {bytes} bytes", path.display());
    }
    Ok(())
}

/// As many elements as a slice takes of a whole chunk: where these chunks end, those of the output do.
fn taken_of_a_chunk(plan: &ReadPlan) -> Vec<usize> {
    let selection = plan.selection();
    let axes = selection.output_axes().iter().zip(plan.shape());
    let taken = axes.map(|(&origin, &size)| match origin {
        OutputAxis::New { .. } => 1,
        OutputAxis::Input(axis) => {
            let (chunk, range) = (plan.array().chunk_shape[axis], selection.axes()[axis]);
            chunk.div_ceil(range.step().unsigned_abs()).min(size.max(1))
        }
    });
    taken.collect()
}

#[derive(Serialize)]
struct Stats {
    chunks: usize,
    requests: usize,
    bytes: u64,
}

fn run(plan: &Path, output: &Path, stats: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let text =
        fs::read_to_string(plan).map_err(|error| format!("cannot read {plan:?}: {error}"))?;
    let plan: ReadPlan = serde_json::from_str(&text)?;
    let (array, far) = remote::open(&plan.array().address)?;
    let output = Array::open(Arc::new(FileStorage::new(output)?), "/")?;
    let mut options = ReadOptions::new();
    if far {
        options = options.workers(8).merge_gap(1 << 20);
    }
    let took = plan.run_to(&array, &output, &options)?;
    if let Some(path) = stats {
        let stats = Stats {
            chunks: took.chunks,
            requests: took.requests,
            bytes: took.bytes,
        };
        fs::write(path, serde_json::to_string(&stats)? + "\n")?;
    }
    Ok(())
}
