//! The command `slice`, as an example, because cargo does not build the binaries of another package for the tests.

use std::process::ExitCode;

fn main() -> ExitCode {
    slice_cli::command::main()
}
