//! The command `slice` and its subcommands.

mod check;
mod explain;
pub mod output;
mod pages;
mod translate;
mod what;

use std::io::{ErrorKind, Write};
use std::process::{ExitCode, exit};

use anstyle::{AnsiColor, Style};
use clap::{Parser, Subcommand};

const ERROR: Style = AnsiColor::Red.on_default().bold();

const STATUS: &str = "\
Exit status:
  0  all is well
  1  a slice is wrong or does not fit, a file cannot be read, or the output cannot be written
  2  the command is wrong

Colours are for terminals: NO_COLOR=1 turns them off, CLICOLOR_FORCE=1 on.";

/// Says what a slice selects, and writes it for other systems
#[derive(Parser, Debug)]
#[command(name = "slice", version, after_help = STATUS, max_term_width = 120)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Check(check::Arguments),
    Explain(explain::Arguments),
    Translate(translate::Arguments),
    Completions(pages::Completions),
    Man(pages::Man),
}

/// Does what the arguments of the process say.
#[must_use]
pub fn main() -> ExitCode {
    let done = match &Arguments::parse().command {
        Command::Check(arguments) => check::run(arguments),
        Command::Explain(arguments) => explain::run(arguments),
        Command::Translate(arguments) => translate::run(arguments),
        Command::Completions(arguments) => pages::completions(arguments),
        Command::Man(arguments) => pages::man(arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&format!("{ERROR}error:{ERROR:#} {error}\n"));
            error.status()
        }
    }
}

/// Prints a text, with its colours if it is for a terminal.
///
/// The program ends if that fails: without a message if the reader has stopped, as `head` does.
pub(crate) fn print(text: &str) {
    let mut out = anstream::stdout();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => exit(0),
        Err(error) => {
            print_error(&format!("error: cannot write the output: {error}\n"));
            exit(1)
        }
    }
}

/// Prints a text on the standard error. If that fails, the failure is ignored.
fn print_error(text: &str) {
    let _ = anstream::stderr().write_all(text.as_bytes());
}
