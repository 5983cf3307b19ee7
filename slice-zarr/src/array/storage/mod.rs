//! Checks the keys of objects, and gives stores hints that zarrs' storage traits cannot express, such as size limits.
//! Also contains two stores that use the hints.

pub(crate) mod confined;
pub(crate) mod file_storage;
pub(crate) mod keys;
pub(crate) mod merge;
#[cfg(feature = "object_store")]
pub(crate) mod object_storage;
mod ranges;
pub(crate) mod wanted;
