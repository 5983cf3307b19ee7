//! The command `slice`, for the tests of storage that is far away: a package builds the programs of no other.

use std::process::ExitCode;

fn main() -> ExitCode {
    slice_cli::command::main()
}
