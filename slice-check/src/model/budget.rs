//! Limits the memory used for a model, and the length of its report, in proportion to the size of its file.

use std::io::{self, Write};

use super::{ModelError, ModelErrorKind};

/// The memory that every model may use, and the length that every report may have, in bytes.
const FIXED_BYTES: usize = 32 << 20;
/// The memory that a model may use in addition for each byte of its file, in bytes.
const BYTES_PER_FILE_BYTE: usize = 14;
/// The length that a report may have in addition for each byte of the model's file, in bytes. A report is not kept in
/// memory.
const OUTPUT_BYTES_PER_FILE_BYTE: usize = 40;

/// The memory that may still be used for a model and its report. Everything that is kept is counted, including what
/// [`Vec`] allocates in advance.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    file_bytes: usize,
    used_bytes: usize,
}

impl Budget {
    /// Returns the budget of a model in a file of `file_bytes` bytes.
    pub fn new(file_bytes: usize) -> Self {
        Budget {
            file_bytes,
            used_bytes: 0,
        }
    }

    /// Extends the budget to a model whose file is accompanied by another file of `file_bytes` bytes.
    pub fn add_file(&mut self, file_bytes: usize) {
        self.file_bytes = self.file_bytes.saturating_add(file_bytes);
    }

    /// Returns the size of the model's file.
    pub fn file_bytes(&self) -> usize {
        self.file_bytes
    }

    fn limit(&self) -> usize {
        let for_file = self.file_bytes.saturating_mul(BYTES_PER_FILE_BYTE);
        for_file.saturating_add(FIXED_BYTES)
    }

    /// Counts `bytes` more bytes as used. Returns an error if more bytes are used than the size of the file allows.
    pub fn take(&mut self, bytes: usize) -> Result<(), ModelError> {
        self.used_bytes = self.used_bytes.saturating_add(bytes);
        let limit = self.limit();
        match self.used_bytes <= limit {
            true => Ok(()),
            false => Err(ModelErrorKind::TooLarge.error(format!(
                "the model needs more than {limit} bytes of memory, which is the limit for a file of {} bytes",
                self.file_bytes
            ))),
        }
    }

    /// Counts `bytes` more bytes as used, unless more than half of the budget would be used. Returns whether they are.
    pub fn try_take(&mut self, bytes: usize) -> bool {
        let fits = self.used_bytes.saturating_add(bytes) <= self.limit() / 2;
        self.used_bytes += if fits { bytes } else { 0 };
        fits
    }

    /// Counts `count` more elements of type `T` as used. Returns an error if more bytes are used than the size of the
    /// file allows.
    pub fn take_elements<T>(&mut self, count: usize) -> Result<(), ModelError> {
        self.take(count.saturating_mul(size_of::<T>()))
    }

    /// Counts `bytes` bytes as no longer used.
    pub fn release(&mut self, bytes: usize) {
        self.used_bytes = self.used_bytes.saturating_sub(bytes);
    }

    /// Returns a writer that writes to `out`, and fails if the output is longer than the size of the file allows. A small
    /// file may cause a long output, because a report repeats names and lists of the model.
    pub fn limit_output<W: Write>(&self, out: W) -> Output<W> {
        let for_file = self.file_bytes.saturating_mul(OUTPUT_BYTES_PER_FILE_BYTE);
        let limit = for_file.saturating_add(FIXED_BYTES);
        let (written, file_bytes) = (0, self.file_bytes);
        Output {
            out,
            limit,
            written,
            file_bytes,
        }
    }
}

/// A writer for an output of limited length.
#[derive(Debug)]
pub struct Output<W> {
    out: W,
    limit: usize,
    written: usize,
    file_bytes: usize,
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.limit - self.written {
            return Err(io::Error::other(format!(
                "the output is longer than {} bytes, which is the limit for a model in a file of {} bytes",
                self.limit, self.file_bytes
            )));
        }
        let written = self.out.write(bytes)?;
        self.written += written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
