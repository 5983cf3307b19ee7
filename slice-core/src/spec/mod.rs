//! Slices as written, before they are applied to a shape: items, item kinds, specs, and specs as text.

pub(crate) mod borrowed_item;
pub(crate) mod dyn_spec;
pub(crate) mod item;
pub(crate) mod kind;
pub(crate) mod list;
pub(crate) mod list_spec;
pub(crate) mod nd_list;
#[cfg(feature = "serde")]
mod nd_list_serde;
pub(crate) mod nonzero;
pub(crate) mod slice_spec;
pub(crate) mod text;
