//! The `slice` command and its subcommands.

mod check;
mod explain;
pub mod output;
mod pages;
pub mod printed;
mod slice_argument;
mod translate;
mod zarr;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub(crate) use printed::print;

const STATUS: &str = "\
Exit status:
  0    success
  1    a slice is invalid or unsupported; a model has mistakes, or differs from the other model;
       or a file cannot be read or written
  2    the command line is invalid, or a required feature is missing
  130  interrupted by Ctrl-C; no partially written file is left behind

Colors are used only on terminals. NO_COLOR=1 disables colors, and CLICOLOR_FORCE=1 forces them.";

/// Explain, translate and check slices of arrays, and read slices of Zarr arrays
#[derive(Parser, Debug)]
#[command(name = "slice", bin_name = "slice", version, after_help = STATUS, max_term_width = 120)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Check(check::Arguments),
    Explain(explain::Arguments),
    Translate(translate::Arguments),
    Zarr(zarr::Arguments),
    Completions(pages::Completions),
    Man(pages::Man),
}

/// Runs the command with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    let result = match &Arguments::parse().command {
        Command::Check(arguments) => check::run(arguments),
        Command::Explain(arguments) => explain::run(arguments),
        Command::Translate(arguments) => translate::run(arguments),
        Command::Zarr(arguments) => zarr::run(arguments),
        Command::Completions(arguments) => pages::completions(arguments),
        Command::Man(arguments) => pages::man(arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            printed::print_error(&error);
            error.status()
        }
    }
}
