//! Runs commands, and collects their output.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The result of a check. The error names the command that failed.
pub type Outcome = Result<(), String>;

/// Returns the root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map(Path::to_owned)
        .unwrap_or_default()
}

/// Returns the value of the line `key = "..."` in the root manifest.
pub fn manifest_value(key: &str) -> Result<String, String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml"))
        .map_err(|error| format!("Cargo.toml: {error}"))?;
    let start = format!("{key} = \"");
    let value = manifest.lines().find_map(|line| line.strip_prefix(&start));
    let value = value.and_then(|rest| rest.split('"').next());
    value
        .map(str::to_owned)
        .ok_or_else(|| format!("Cargo.toml has no line `{start}...\"`"))
}

/// Runs the commands that make up a check, and holds their environment variables.
pub struct Shell {
    variables: Vec<(String, String)>,
    /// The output of the commands so far, or `None` if they print to the terminal.
    captured: Option<Vec<u8>>,
    /// The requirements that are not installed. The parts of checks that need them are skipped.
    skipped: Vec<String>,
}

impl Shell {
    /// Creates a shell whose commands print to the terminal.
    pub fn new() -> Self {
        Self {
            variables: Vec::new(),
            captured: None,
            skipped: Vec::new(),
        }
    }

    /// Creates a shell that captures the output, for checks that run in parallel with other checks.
    pub fn captured() -> Self {
        Self {
            captured: Some(Vec::new()),
            ..Self::new()
        }
    }

    /// Runs a check, and then drops the environment variables set by the check.
    pub fn run_check(&mut self, check: fn(&mut Shell) -> Outcome) -> Outcome {
        let variable_count = self.variables.len();
        let outcome = check(self);
        self.variables.truncate(variable_count);
        outcome
    }

    /// Sets an environment variable for the later commands of the current check.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.variables.push((name.to_owned(), value.into()));
    }

    /// Sets the environment variables that configure Cargo for tests on another target: the linker, and the program that
    /// runs the tests.
    pub fn set_target(&mut self, target: &str, linker: &str, runner: &str) {
        let target = target.to_uppercase().replace('-', "_");
        self.set(&format!("CARGO_TARGET_{target}_LINKER"), linker);
        self.set(&format!("CARGO_TARGET_{target}_RUNNER"), runner);
    }

    /// Prints a line between the outputs of commands.
    pub fn print_line(&mut self, line: &str) {
        match &mut self.captured {
            Some(output) => output.extend_from_slice(format!("{line}\n").as_bytes()),
            None => {
                println!("{line}");
                let _ = std::io::stdout().flush();
            }
        }
    }

    /// Records that a part of a check is skipped because `requirement` is not installed.
    pub fn skip_part(&mut self, requirement: &str) {
        self.skipped.push(requirement.to_owned());
    }

    /// Prints the captured output, and the requirements that are not installed.
    pub fn finish(self) {
        let _ = std::io::stdout().write_all(&self.captured.unwrap_or_default());
        for requirement in self.skipped {
            println!(
                "a part of the checks was skipped, because this is not installed: {requirement}"
            );
        }
    }

    fn command(&self, line: &str, arguments: &[&OsStr]) -> Command {
        // Parallel checks run at low priority, so that they use only cores that the other checks leave idle.
        let nice = if cfg!(unix) && self.captured.is_some() {
            "nice -n 19 "
        } else {
            ""
        };
        let mut words = nice.split_whitespace().chain(line.split_whitespace());
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).args(arguments).current_dir(root());
        for (name, value) in &self.variables {
            command.env(name, value);
        }
        command
    }

    /// Runs a command line, which is split at spaces.
    pub fn run(&mut self, line: &str) -> Outcome {
        self.run_with(line, &[])
    }

    /// Runs a command with additional arguments, which may contain spaces.
    pub fn run_with(&mut self, line: &str, arguments: &[&str]) -> Outcome {
        let arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
        let command = self.command(line, &arguments);
        self.run_command(line, command)
    }

    /// Runs a command, which errors call `line`.
    pub fn run_command(&mut self, line: &str, mut command: Command) -> Outcome {
        let run_error = |error: std::io::Error| format!("cannot run `{line}`: {error}");
        let status = match &mut self.captured {
            None => command.status().map_err(run_error)?,
            Some(output) => {
                // Both streams share one pipe, which keeps their output in order.
                let (mut reader, writer) = std::io::pipe().map_err(run_error)?;
                command.stdout(writer.try_clone().map_err(run_error)?);
                command.stderr(writer).stdin(Stdio::null());
                let mut child = command.spawn().map_err(run_error)?;
                // The reader reaches the end of the pipe only after `command`, which holds writers, is dropped.
                drop(command);
                std::io::copy(&mut reader, output).map_err(run_error)?;
                child.wait().map_err(run_error)?
            }
        };
        match status.success() {
            true => Ok(()),
            false => Err(format!("`{line}` failed ({status})")),
        }
    }

    /// Runs a command, and returns an error if the command fails or prints anything, such as a warning. Denying
    /// warnings with RUSTFLAGS instead would rebuild all dependencies.
    pub fn run_silent(&mut self, line: &str) -> Outcome {
        let output = self.command(line, &[]).output();
        let output = output.map_err(|error| format!("cannot run `{line}`: {error}"))?;
        let printed = [output.stdout, output.stderr].concat();
        if output.status.success() && printed.is_empty() {
            return Ok(());
        }
        self.print_line(&String::from_utf8_lossy(&printed));
        Err(format!("`{line}` failed or produced output"))
    }

    /// Returns the output of a command without trailing white space, or `None` if the command fails or prints invalid
    /// UTF-8.
    pub fn read(&self, line: &str) -> Option<String> {
        let output = self.command(line, &[]).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim_end().to_owned())
    }

    /// Returns what a command prints to its error output.
    pub fn read_error_output(&self, line: &str, arguments: &[&str]) -> Result<String, String> {
        let arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
        let output = self.command(line, &arguments).output();
        let output = output.map_err(|error| format!("cannot run `{line}`: {error}"))?;
        Ok(String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// Runs a command without showing its output, and returns `true` if the command succeeds.
    pub fn succeeds(&self, line: &str) -> bool {
        self.read(line).is_some()
    }

    /// Runs a command that installs a requirement of a check, or that fails unless the requirement is installed.
    /// Returns `true` if the command succeeds. Otherwise, records that a part of the check is skipped.
    pub fn installs(&mut self, requirement: &str, line: &str) -> bool {
        let is_installed = self.succeeds(line);
        if !is_installed {
            self.skip_part(requirement);
        }
        is_installed
    }
}
