//! Objects that a store may be asked for, hints beside the stores' traits, and stores that use both.

pub(crate) mod checked;
mod confined;
pub(crate) mod file_storage;
pub(crate) mod keys;
#[cfg(feature = "object_store")]
pub(crate) mod object_storage;
pub(crate) mod wanted;
