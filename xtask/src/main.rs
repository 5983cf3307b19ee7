//! Runs the checks of this repository: `cargo xtask` lists them, and `cargo xtask check NAME...` runs the named checks.
//! `cargo xtask page` builds the web page for trying out slices, and `cargo xtask release` prepares a release.

mod checks;
mod command;
mod release;
mod run;

use std::env;
use std::process::ExitCode;

use checks::{LANDING, MEASUREMENTS, PARALLEL, RELEASE};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        [] | ["list"] => {
            list();
            Ok(())
        }
        ["page"] => checks::build_page(&mut command::Shell::new()),
        ["release"] => release::release(),
        ["check", "landing"] => run::landing(),
        ["check", "release"] => run::release(),
        ["check", names @ ..] if !names.is_empty() => run::named_checks(names),
        _ => Err(
            "usage: `cargo xtask list`, `cargo xtask check NAME...`, `cargo xtask page` or `cargo xtask release`"
                .to_owned(),
        ),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn list() {
    println!("cargo xtask check NAME... runs the named checks in order. The names are:\n");
    for (heading, checks) in [
        ("before a change is merged (`landing` runs all)", LANDING),
        (
            "before a change is merged (`landing` runs them in parallel with the checks above)",
            PARALLEL,
        ),
        ("before a release (`release` runs all)", RELEASE),
        ("only if named", MEASUREMENTS),
    ] {
        println!("{heading}:");
        for check in checks {
            println!("    {:<16}{}", check.name, check.description);
        }
        println!();
    }
}
