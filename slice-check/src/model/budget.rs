//! Limits the memory used for a model to a multiple of the size of its file.

use super::ModelError;

/// The memory that every model may use, in bytes.
const FIXED_BYTES: usize = 24 << 20;
/// The memory that a model may use in addition for each byte of its file, in bytes.
const BYTES_PER_FILE_BYTE: usize = 14;

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

    fn limit(&self) -> usize {
        let for_file = self.file_bytes.saturating_mul(BYTES_PER_FILE_BYTE);
        for_file.saturating_add(FIXED_BYTES)
    }

    /// Counts `bytes` more bytes as used.
    ///
    /// # Errors
    ///
    /// Returns an error if more bytes are used than the size of the file allows.
    pub fn take(&mut self, bytes: usize) -> Result<(), ModelError> {
        self.used_bytes = self.used_bytes.saturating_add(bytes);
        let limit = self.limit();
        match self.used_bytes <= limit {
            true => Ok(()),
            false => Err(format!(
                "the model needs more than {limit} bytes of memory, which is the limit for a file of {} bytes",
                self.file_bytes
            )
            .into()),
        }
    }

    /// Counts `bytes` more bytes as used, unless more than half of the budget would be used. Returns whether they are.
    pub fn try_take(&mut self, bytes: usize) -> bool {
        let fits = self.used_bytes.saturating_add(bytes) <= self.limit() / 2;
        self.used_bytes += if fits { bytes } else { 0 };
        fits
    }

    /// Counts `count` more elements of type `T` as used.
    ///
    /// # Errors
    ///
    /// Returns an error if more bytes are used than the size of the file allows.
    pub fn take_elements<T>(&mut self, count: usize) -> Result<(), ModelError> {
        self.take(count.saturating_mul(size_of::<T>()))
    }

    /// Counts `bytes` bytes as no longer used.
    pub fn release(&mut self, bytes: usize) {
        self.used_bytes = self.used_bytes.saturating_sub(bytes);
    }
}
