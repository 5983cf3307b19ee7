//! The `slice` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    slice_cli::command::main()
}
