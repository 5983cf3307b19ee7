//! Prints output and handles write errors. If the output cannot be written, for instance because the disk is full, the
//! program prints an error and exits with code 1. If the reader has closed the pipe, as `head` does, the program exits
//! silently with code 0.

use std::error::Error;
use std::fmt::Arguments;
use std::io::{ErrorKind, Result, Write};
use std::process::{ExitCode, exit};

/// Prints a line, or part of one, to standard output.
pub fn print(text: Arguments<'_>) {
    exit_on_error(std::io::stdout().write_fmt(text));
}

/// Prints to standard error, ignoring failures.
pub fn print_error(text: Arguments<'_>) {
    let _ = std::io::stderr().write_fmt(text);
}

/// Exits the program if the output could not be written.
pub fn exit_on_error(result: Result<()>) {
    match result {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => exit(0),
        Err(error) => {
            print_error(format_args!("error: cannot write the output: {error}\n"));
            exit(1)
        }
    }
}

/// Wraps text at spaces into lines of at most `width` characters. A word longer than `width` has its own line.
#[must_use]
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_inclusive(' ') {
        let word_len = word.trim_end().chars().count();
        match lines.last_mut() {
            Some(line) if line.chars().count() + word_len <= width => line.push_str(word),
            _ => lines.push(word.to_owned()),
        }
    }
    for line in &mut lines {
        line.truncate(line.trim_end().len());
    }
    lines
}

/// Prints the error, if any, and returns the exit code.
#[must_use]
pub fn exit_code(outcome: std::result::Result<(), Box<dyn Error>>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(format_args!("error: {error}\n"));
            ExitCode::from(2)
        }
    }
}

/// Prints like the standard library's macro, but exits instead of panicking if standard output cannot be written.
#[macro_export]
macro_rules! print {
    ($($text:tt)*) => {
        $crate::output::print(format_args!($($text)*))
    };
}

/// Prints like the standard library's macro, but exits instead of panicking if standard output cannot be written.
#[macro_export]
macro_rules! println {
    () => {
        $crate::print!("\n")
    };
    ($($text:tt)*) => {
        $crate::output::print(format_args!("{}\n", format_args!($($text)*)))
    };
}

/// Prints like the standard library's macro, but does not panic if standard error cannot be written.
#[macro_export]
macro_rules! eprintln {
    ($($text:tt)*) => {
        $crate::output::print_error(format_args!("{}\n", format_args!($($text)*)))
    };
}
