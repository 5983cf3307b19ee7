//! From the bytes of a chunk to its elements.

pub(crate) mod decode;
pub(crate) mod shard;
