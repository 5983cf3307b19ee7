//! Which objects a store may be asked for, what it is told beside its traits, and stores that know both.

pub(crate) mod checked;
mod confined;
pub(crate) mod file_storage;
pub(crate) mod keys;
#[cfg(feature = "object_store")]
pub(crate) mod object_storage;
pub(crate) mod wanted;
