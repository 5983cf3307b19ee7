//! Where the array goes: a file is replaced as a whole or not at all, what is not a file is written in place.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

/// As many symbolic links are followed as Linux follows.
const LINKS: usize = 40;

/// What an argument names, with symbolic links followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// The standard output, `-`.
    Standard,
    /// A file that exists, or that does not yet.
    File(PathBuf),
    /// A device or a pipe.
    InPlace(PathBuf),
}

impl Output {
    /// Looks at what there is, and writes nothing.
    ///
    /// # Errors
    ///
    /// For a directory, and for a name in a directory that does not exist.
    pub fn at(path: &Path) -> io::Result<Self> {
        if ["-", "/dev/stdout"].map(Path::new).contains(&path) {
            return Ok(Output::Standard);
        }
        let mut path = path.to_owned();
        for _ in 0..LINKS {
            match fs::metadata(&path) {
                Ok(there) if there.is_dir() => return Err(ErrorKind::IsADirectory.into()),
                Ok(there) if there.is_file() => return Ok(Output::File(fs::canonicalize(&path)?)),
                Ok(_) => return Ok(Output::InPlace(path)),
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                Err(_) => {}
            }
            // A link to what does not exist yet.
            let Ok(target) = fs::read_link(&path) else {
                fs::metadata(folder(&path))?;
                return Ok(Output::File(path));
            };
            path = folder(&path).join(target);
        }
        Err(io::Error::other("too many symbolic links"))
    }

    /// Writes all that `write` writes.
    ///
    /// A process that SIGINT or SIGTERM ends leaves no part of a file.
    pub fn write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        match self {
            Output::Standard => {
                let mut out = io::stdout().lock();
                write(&mut out)?;
                out.flush()
            }
            Output::InPlace(path) => write(&mut File::options().write(true).open(path)?),
            Output::File(path) => replace(path, write),
        }
    }
}

/// The unfinished file, if there is one. Who holds the lock makes it, names it or removes it.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    #[cfg(unix)]
    remove_when_ended()?;
    let mut at = unfinished();
    let mut named = tempfile::Builder::new();
    named.prefix(".zarr_slice");
    // With the permissions of any new file, which tempfile's own are not.
    let new = |path: &Path| File::options().write(true).create_new(true).open(path);
    let mut file = named.make_in(folder(path), new)?;
    *at = Some(file.path().to_owned());
    drop(at);

    let mut written = write(file.as_file_mut());
    if let (Ok(()), Ok(old)) = (&written, fs::metadata(path)) {
        written = file.as_file().set_permissions(old.permissions());
    }
    let written = written.and_then(|()| file.as_file().sync_all());
    let mut at = unfinished();
    let written = written.and_then(|()| file.persist(path).map_err(|error| error.error));
    *at = None;
    written.map(drop)
}

/// Removes the unfinished file when a signal ends the process.
#[cfg(unix)]
fn remove_when_ended() -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};

    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    let wait = move || {
        for signal in signals.forever() {
            // Held until the end, so that no other file is made.
            let at = unfinished();
            if let Some(path) = &*at {
                // The process ends in either case.
                let _ = fs::remove_file(path);
            }
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    };
    std::thread::Builder::new().spawn(wait).map(drop)
}
