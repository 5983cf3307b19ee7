//! Runs the `slice` command. The command is an example here, because cargo does not build the binaries of another
//! package for the tests of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    slice_cli::command::main()
}
