//! Runs the README's commands `cargo run --example mask_equivalences` and `cargo test --workspace` as on a fresh machine:
//! no crate has been downloaded, and the toolchain has no other targets, no source of the standard library, no rustup and
//! no nightly. The commands run in a copy of the repository, in a folder whose name contains a space and a non-ASCII
//! letter. The copy includes uncommitted changes. If root starts the check, the commands run as a user who can write only
//! to that folder and to a temporary folder.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::command::{Outcome, Shell, root};

/// The settings in which the commands run.
#[derive(Default)]
pub struct Settings {
    /// Environment variables. An `@` at the beginning of a value stands for the folder that contains the copy.
    pub variables: &'static [(&'static str, &'static str)],
    /// Options of both commands.
    pub options: &'static [&'static str],
    /// More options of the tests.
    pub test_options: &'static [&'static str],
}

/// Runs the commands, and then tests the compiler's messages again with the source of the standard library, which changes
/// some of them.
pub fn fresh(shell: &mut Shell) -> Outcome {
    let machine = Machine::create(shell)?;
    machine.run_commands(shell, &Settings::default())?;
    let source = machine.sysroot.join("lib/rustlib/src");
    if source.exists() {
        machine.copy(shell, &source, "lib/rustlib")?;
        machine.run(
            shell,
            &Settings::default(),
            &["test", "--workspace", "--test", "messages"],
        )?;
    } else {
        shell.skip_part("rust-src, for the tests with the source of the standard library");
    }
    machine.check_folders()
}

/// Runs the commands once.
pub fn run(shell: &mut Shell, settings: &Settings) -> Outcome {
    let machine = Machine::create(shell)?;
    machine.run_commands(shell, settings)?;
    machine.check_folders()
}

/// The folders of a fresh machine, which are removed at the end.
struct Machine {
    work: PathBuf,
    /// The folder that contains the copy of the repository.
    around: PathBuf,
    copy: PathBuf,
    sysroot: PathBuf,
    is_root: bool,
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.work);
    }
}

/// Returns a function that adds a path to an error.
fn at(path: &Path) -> impl Fn(std::io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

impl Machine {
    fn create(shell: &mut Shell) -> Result<Self, String> {
        let read = |shell: &Shell, line: &str| {
            let output = shell.read(line);
            output.ok_or_else(|| format!("`{line}` failed"))
        };
        let work = env::temp_dir().join(format!("slice-fresh-{}", std::process::id()));
        let around = work.join("a földer");
        let machine = Machine {
            copy: around.join("slice"),
            around,
            sysroot: read(shell, "rustc --print sysroot")?.into(),
            is_root: read(shell, "id -u")? == "0",
            work,
        };
        // Creates the target folder now, because creating it later would change the modification time of its parent,
        // which is checked at the end.
        let folders = [
            machine.copy.join("target"),
            machine.work.join("cargo"),
            machine.work.join("tmp"),
            machine.work.join("toolchain/lib/rustlib"),
        ];
        for folder in &folders {
            fs::create_dir_all(folder).map_err(at(folder))?;
        }

        let version = read(shell, "rustc -vV")?;
        let host = version.lines().find_map(|line| line.strip_prefix("host: "));
        let host = machine
            .sysroot
            .join("lib/rustlib")
            .join(host.unwrap_or_default());
        machine.copy(shell, &machine.sysroot.join("bin"), "")?;
        machine.copy(shell, &host, "lib/rustlib")?;
        let libraries = machine.sysroot.join("lib");
        for entry in fs::read_dir(&libraries).map_err(at(&libraries))? {
            let path = entry.map_err(at(&libraries))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with("lib") {
                machine.copy(shell, &path, "lib")?;
            }
        }
        let libexec = machine.sysroot.join("libexec");
        if libexec.exists() {
            machine.copy(shell, &libexec, "")?;
        }

        let files = read(
            shell,
            "git ls-files -z --cached --others --exclude-standard",
        )?;
        let copy = machine.copy.display().to_string();
        // The index also contains files that were deleted. Symbolic links are copied as links.
        let exists = |file: &&str| root().join(file).symlink_metadata().is_ok();
        let files = files.split('\0').filter(|file| !file.is_empty());
        let arguments: Vec<&str> = ["-t", &copy]
            .into_iter()
            .chain(files.filter(exists))
            .collect();
        shell.run_with("cp -a --parents", &arguments)?;
        if machine.is_root {
            let work = machine.work.display().to_string();
            let folders =
                [&machine.around, &folders[1], &folders[2]].map(|path| path.display().to_string());
            shell.run_with(
                "chown -R 65534:65534",
                &[&folders[0], &folders[1], &folders[2]],
            )?;
            shell.run_with("chmod 755", &[&work])?;
        }
        // Files that are newer than this one were written by the commands.
        let since = machine.work.join("since");
        fs::write(&since, "").map_err(at(&since))?;
        Ok(machine)
    }

    /// Copies a part of the toolchain to `folder` of the new toolchain. The compiler finds its libraries relative to its
    /// own path. The copies may therefore be hard links, but symbolic links to folders would lead back to the original
    /// toolchain.
    fn copy(&self, shell: &mut Shell, path: &Path, folder: &str) -> Outcome {
        let target = self.work.join("toolchain").join(folder);
        let paths = [path, &target].map(|path| path.display().to_string());
        let paths = [&*paths[0], &*paths[1]];
        // Hard links are impossible between file systems.
        let linked = Command::new("cp").arg("-al").args(paths).output();
        match linked.is_ok_and(|output| output.status.success()) {
            true => Ok(()),
            false => shell.run_with("cp -a", &paths),
        }
    }

    fn run_commands(&self, shell: &mut Shell, settings: &Settings) -> Outcome {
        let run = [
            &["run"],
            settings.options,
            &["--example", "mask_equivalences"],
        ];
        self.run(shell, settings, &run.concat())?;
        let test = [
            &["test"],
            settings.options,
            &["--workspace"],
            settings.test_options,
        ];
        self.run(shell, settings, &test.concat())
    }

    /// Runs Cargo in the copy of the repository, and prints how long it took.
    fn run(&self, shell: &mut Shell, settings: &Settings, arguments: &[&str]) -> Outcome {
        let start = Instant::now();
        let line = format!("cargo {}", arguments.join(" "));
        shell.print_line(&format!("$ {line}"));
        let mut command = match self.is_root {
            false => Command::new("env"),
            true => Command::new("setpriv"),
        };
        if self.is_root {
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "env"]);
        }
        command.arg("cargo").args(arguments).current_dir(&self.copy);
        // Removes the variables that could affect the build. Keeps others, such as those for network proxies.
        for (name, _) in env::vars_os() {
            let prefixes = ["CARGO", "RUST", "LC_"];
            let is_removed = name.to_str().is_some_and(|name| {
                prefixes.iter().any(|prefix| name.starts_with(prefix))
                    || ["LANG", "CI"].contains(&name)
            });
            if is_removed {
                command.env_remove(name);
            }
        }
        let toolchain = self.work.join("toolchain/bin");
        command
            .env("CARGO_HOME", self.work.join("cargo"))
            .env("HOME", "/nonexistent")
            .env("TMPDIR", self.work.join("tmp"))
            .env(
                "PATH",
                format!("{}:/usr/local/bin:/usr/bin:/bin", toolchain.display()),
            );
        for (name, value) in settings.variables {
            let around = self.around.display().to_string();
            command.env(
                name,
                value.replacen('@', &around, usize::from(value.starts_with('@'))),
            );
        }
        shell.run_command(&line, command)?;
        shell.print_line(&format!("-- {line}: {} s", start.elapsed().as_secs()));
        Ok(())
    }

    /// Checks that the commands wrote only to the target folder, and left no file in the temporary folder.
    fn check_folders(&self) -> Outcome {
        let written = Command::new("find")
            .arg(&self.copy)
            .args([OsStr::new("-path"), self.copy.join("target").as_os_str()])
            .args(["-prune", "-o", "-newer"])
            .args([self.work.join("since").as_os_str(), OsStr::new("-print")])
            .output();
        let written = written.map_err(|error| format!("cannot run `find`: {error}"))?;
        if !written.stdout.is_empty() || !written.status.success() {
            let written = String::from_utf8_lossy(&written.stdout).into_owned();
            return Err(format!(
                "the commands wrote to the source folders:\n{written}"
            ));
        }
        let temporary = self.work.join("tmp");
        let mut left = fs::read_dir(&temporary).map_err(at(&temporary))?;
        match left.next() {
            None => Ok(()),
            Some(_) => Err("the commands left files in the temporary folder".to_owned()),
        }
    }
}
