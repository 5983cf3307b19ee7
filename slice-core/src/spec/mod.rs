//! Slices as written: items, kinds of items, specs, and the text of specs. Nothing here depends on a shape.

pub(crate) mod dyn_spec;
pub(crate) mod item;
pub(crate) mod kind;
pub(crate) mod slice_spec;
pub(crate) mod text;
