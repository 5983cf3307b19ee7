//! Checks of keys, hints to stores that the storage traits cannot express, and stores that use both.

pub(crate) mod checked;
mod confined;
pub(crate) mod file_storage;
pub(crate) mod keys;
#[cfg(feature = "object_store")]
pub(crate) mod object_storage;
pub(crate) mod wanted;
