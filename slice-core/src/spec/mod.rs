//! Slices as written, before they are applied to a shape: items, kinds of items, specs, and the text of specs.

pub(crate) mod dyn_spec;
pub(crate) mod item;
pub(crate) mod kind;
pub(crate) mod slice_spec;
pub(crate) mod text;
