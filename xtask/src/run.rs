//! Runs checks in sequence, or in two parallel sequences.

use std::thread;
use std::time::Instant;

use crate::checks::{Check, LANDING, MEASUREMENTS, PARALLEL, RELEASE, prepare};
use crate::command::{Outcome, Shell, root};

/// Runs the checks named in `names`, in order.
pub fn named_checks(names: &[&str]) -> Outcome {
    let all_checks = || {
        LANDING
            .iter()
            .chain(PARALLEL)
            .chain(RELEASE)
            .chain(MEASUREMENTS)
    };
    let mut checks = Vec::new();
    for name in names {
        let check = all_checks().find(|check| check.name == *name);
        checks
            .push(check.ok_or_else(|| format!("unknown check {name:?}: run `cargo xtask list`"))?);
    }
    let mut shell = Shell::new();
    let outcome = checks
        .iter()
        .try_for_each(|check| run_and_report(check, &mut shell));
    shell.finish();
    outcome
}

/// Runs the checks that must pass before a change is merged. The checks in `PARALLEL` use their own target directory,
/// so they can run at the same time as the checks in `LANDING`, on cores left idle by a linker or a long test.
pub fn landing() -> Outcome {
    let target = root().join("target");
    let mut shell = Shell::new();
    let mut parallel_shell = Shell::captured();
    // Packages outside the workspace also use this directory, so that dependencies shared by several checks are built
    // only once.
    shell.set("CARGO_TARGET_DIR", target.display().to_string());
    parallel_shell.set(
        "CARGO_TARGET_DIR",
        target.join("beside").display().to_string(),
    );
    // All installations run first, because simultaneous calls of rustup interfere with each other.
    prepare(&mut shell);

    let (main_outcome, parallel_outcome) = thread::scope(|scope| {
        let parallel = scope.spawn(move || {
            let outcome = PARALLEL
                .iter()
                .try_for_each(|check| run_and_report(check, &mut parallel_shell));
            (outcome, parallel_shell)
        });
        let main_outcome = LANDING
            .iter()
            .try_for_each(|check| run_and_report(check, &mut shell));
        (main_outcome, parallel.join())
    });
    println!("\n== the checks that ran in parallel");
    let (parallel_outcome, parallel_shell) =
        parallel_outcome.map_err(|_| "a check that ran in parallel panicked".to_owned())?;
    parallel_shell.finish();
    shell.finish();
    main_outcome.and(parallel_outcome)
}

/// Runs the checks before a release, and continues after a failure.
pub fn release() -> Outcome {
    let mut shell = Shell::new();
    shell.set(
        "CARGO_TARGET_DIR",
        root().join("target").display().to_string(),
    );
    let mut failed_checks = Vec::new();
    for check in RELEASE {
        if let Err(error) = run_and_report(check, &mut shell) {
            println!("failed: {error}");
            failed_checks.push(check.name);
        }
    }
    shell.finish();
    match failed_checks.is_empty() {
        true => Ok(()),
        false => Err(format!("failed: {}", failed_checks.join(", "))),
    }
}

fn run_and_report(check: &Check, shell: &mut Shell) -> Outcome {
    let start = Instant::now();
    shell.print_line(&format!("\n== {}: {}", check.name, check.description));
    let outcome = shell.run_check(check.run);
    shell.print_line(&format!(
        "-- {}: {} s",
        check.name,
        start.elapsed().as_secs()
    ));
    outcome.map_err(|error| format!("{}: {error}", check.name))
}
