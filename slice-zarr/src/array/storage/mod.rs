//! Checks of keys, hints to stores, and stores that use both. zarrs' storage traits cannot express the hints.

pub(crate) mod checked;
mod confined;
pub(crate) mod file_storage;
pub(crate) mod keys;
#[cfg(feature = "object_store")]
pub(crate) mod object_storage;
pub(crate) mod wanted;
