//! Writes an array, a model or a picture to its target. A file is replaced as a whole or not at all; any other target
//! is written in place.

use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

use crate::input::CommandError;

/// The maximum number of symbolic links followed, the same as in Linux.
const MAX_SYMBOLIC_LINKS: usize = 40;

/// The target of an output argument, after symbolic links have been followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// The standard output, given as `-` or `/dev/stdout`.
    Standard,
    /// A regular file, which may not exist yet.
    File(PathBuf),
    /// A device or a pipe, which cannot be replaced.
    InPlace(PathBuf),
}

impl Output {
    /// Finds the target named by `path`, without writing anything. Returns an error if the path is a directory, lies in
    /// a directory that does not exist, involves too many symbolic links, or cannot be examined.
    pub fn at(path: &Path) -> io::Result<Self> {
        if ["-", "/dev/stdout"].map(Path::new).contains(&path) {
            return Ok(Output::Standard);
        }
        let mut path = path.to_owned();
        for _ in 0..MAX_SYMBOLIC_LINKS {
            match fs::metadata(&path) {
                Ok(metadata) if metadata.is_dir() => return Err(ErrorKind::IsADirectory.into()),
                Ok(metadata) if metadata.is_file() => {
                    return Ok(Output::File(fs::canonicalize(&path)?));
                }
                Ok(_) => return Ok(Output::InPlace(path)),
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                Err(_) => {}
            }
            // The path may be a link to a file that does not exist yet.
            let Ok(target) = fs::read_link(&path) else {
                fs::metadata(parent_folder(&path))?;
                return Ok(Output::File(path));
            };
            path = parent_folder(&path).join(target);
        }
        Err(io::Error::other("too many symbolic links"))
    }

    /// Opens the target and passes it to `write`.
    ///
    /// On Unix, if the process receives SIGINT, SIGTERM or SIGHUP while it writes a file, it terminates promptly and
    /// leaves no partial file. A write that exceeds the limit on file sizes fails, and also leaves no partial file.
    pub fn write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        match self {
            Output::Standard => {
                if is_standard_output_lost() {
                    let message = "the standard output is closed or discarded";
                    return Err(io::Error::other(message));
                }
                let mut out = io::stdout().lock();
                write(&mut out)?;
                out.flush()
            }
            Output::InPlace(path) => write(&mut File::options().write(true).open(path)?),
            Output::File(path) => replace_file(path, write),
        }
    }
}

/// Writes `bytes` to the target named by `path`.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    let result = Output::at(path).and_then(|at| at.write(|out| out.write_all(bytes)));
    result
        .map_err(|error| CommandError::failure(format!("cannot write {}: {error}", path.display())))
}

/// Returns whether `out` is the standard output, in which case other text must not be printed there. `printing_options`
/// contains the options that print text, each with a boolean that is `true` if the option is given. `contents` names
/// the output in the message. Returns an error if `out` is the standard output, and one of the options is given.
pub fn is_standard_output(
    out: Option<&Path>,
    printing_options: &[(bool, &str)],
    contents: &str,
) -> Result<bool, CommandError> {
    let is_standard = out.is_some_and(|out| matches!(Output::at(out), Ok(Output::Standard)));
    let option = printing_options.iter().find(|(is_given, _)| *is_given);
    match option {
        Some((_, option)) if is_standard => Err(CommandError::usage(format!(
            "{option} prints to standard output: write the {contents} to a file instead"
        ))),
        _ => Ok(is_standard),
    }
}

/// The path of the unfinished file, which replaces its target once it is finished. `None` if no file is being written.
/// The file is created, renamed and removed only while the lock is held.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

fn lock_unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn parent_folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Returns `true` if the process seems to have been started without a standard output. In that case, Rust's standard
/// library has opened `/dev/null` for reading and writing, whereas a shell opens it only for writing if the output is
/// redirected with `>/dev/null`. Always returns `false` on operating systems other than Linux.
fn is_standard_output_lost() -> bool {
    #[cfg(target_os = "linux")]
    if let Ok(file) = fs::metadata("/proc/self/fd/1") {
        use std::os::unix::fs::MetadataExt;

        let info = fs::read_to_string("/proc/self/fdinfo/1").unwrap_or_default();
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
        let flags = flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok());
        let is_null = fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == file.rdev());
        return is_null && flags.is_some_and(|flags| flags & 3 == 2);
    }
    false
}

/// The maximum number of bytes per write. The number is limited because signals are noticed only between writes.
const MAX_WRITE_BYTES: usize = 4 << 20;

/// A file that is written in pieces. Writes fail after a termination signal has been received.
struct FileInPieces<'a>(&'a mut File);

impl Write for FileInPieces<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if IS_ENDING.load(Ordering::Relaxed) {
            return Err(io::Error::other(
                "the process has received a termination signal",
            ));
        }
        self.0.write(&bytes[..bytes.len().min(MAX_WRITE_BYTES)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn replace_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    #[cfg(unix)]
    remove_when_ending()?;
    let old_permissions = fs::metadata(path)
        .ok()
        .map(|metadata| metadata.permissions());
    let mut unfinished = lock_unfinished();
    let mut builder = tempfile::Builder::new();
    builder.prefix(".slice");
    // A new file gets the usual permissions, unlike the private files that tempfile creates by default. The replacement
    // of an existing file is private at first, and gets the permissions of that file before anything is written.
    let create_file = |path: &Path| {
        let mut options = File::options();
        #[cfg(unix)]
        if old_permissions.is_some() {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        options.write(true).create_new(true).open(path)
    };
    let mut file = builder.make_in(parent_folder(path), create_file)?;
    *unfinished = Some(file.path().to_owned());
    drop(unfinished);

    let permissions_set = match old_permissions {
        Some(permissions) => file
            .as_file()
            .set_permissions(without_special_bits(permissions)),
        None => Ok(()),
    };
    let result = permissions_set.and_then(|()| write(&mut FileInPieces(file.as_file_mut())));
    let result = result.and_then(|()| file.as_file().sync_all());
    while IS_ENDING.load(Ordering::Relaxed) {
        // The thread that handles the signal removes the file, and ends the process as the signal would.
        std::thread::park();
    }
    let mut unfinished = lock_unfinished();
    let result = result.and_then(|()| file.persist(path).map_err(|error| error.error));
    *unfinished = None;
    result.map(drop)
}

/// Removes the setuid, setgid and sticky bits, because the new file may have a different owner.
#[cfg_attr(
    not(unix),
    expect(unused_mut, reason = "permissions have a mode only on Unix")
)]
fn without_special_bits(mut permissions: Permissions) -> Permissions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;

        permissions.set_mode(permissions.mode() & 0o777);
    }
    permissions
}

/// Whether a termination signal has been received.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// Starts a thread that removes the unfinished file and terminates the process when a termination signal is received.
#[cfg(unix)]
fn remove_when_ending() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};

    // With a handler for SIGXFSZ, a write that exceeds the limit on file sizes fails instead of terminating the
    // process.
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    // Ignored signals stay ignored; for example, a process started by `nohup` ignores SIGHUP.
    let ending_signals = [SIGINT, SIGTERM, SIGHUP]
        .into_iter()
        .filter(|&signal| !is_ignored(signal));
    let mut signals = signal_hook::iterator::Signals::new(ending_signals)?;
    let wait = move || {
        for signal in signals.forever() {
            IS_ENDING.store(true, Ordering::Relaxed);
            // The lock is held until the process ends, so that no other file is created.
            let unfinished = lock_unfinished();
            if let Some(path) = &*unfinished {
                // The process ends even if the file cannot be removed.
                let _ = fs::remove_file(path);
            }
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    };
    std::thread::Builder::new().spawn(wait).map(drop)
}

/// Returns whether the process ignores a signal. Returns `false` on operating systems without `/proc`, where this is
/// unknown.
#[cfg(unix)]
#[must_use]
pub fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
    // The lowest bit represents signal 1.
    let bit = signal
        .checked_sub(1)
        .and_then(|bit| u32::try_from(bit).ok());
    let ignored = bit.and_then(|bit| ignored?.checked_shr(bit));
    ignored.is_some_and(|bits| bits & 1 == 1)
}
