//! Slices with lists and masks.
//!
//! The positions of a list need not have a common step. Slices with lists therefore have their own selection type,
//! whose axes hold ranges or runs of positions (see `runs.rs`). Slices without lists use
//! [`Selection`](crate::Selection), so the support for lists does not make them slower.
//!
//! ```text
//! s![&rows, ..., [0, 2]]   "[3, 1], ..., [0, 2]"        the slice as written: spec.rs, dyn_spec.rs, text.rs
//!           │ resolve(shape)                             resolve.rs
//!           ▼
//! each axis a range, or a list that is wrapped, checked and cut into runs     list.rs, runs.rs, singles.rs, and bits/
//!           │
//!           ▼
//! OuterSelection: shape, indices, composition            selection.rs, indices.rs
//! ```
//!
//! The functions that copy are in `copy/outer`, and the functions for constants are in `constant.rs`.

pub(crate) mod axes;
pub(crate) mod constant;
pub(crate) mod dyn_spec;
pub(crate) mod indices;
pub(crate) mod list;
pub(crate) mod part;
pub(crate) mod resolve;
pub(crate) mod runs;
pub(crate) mod selection;
#[cfg(feature = "serde")]
mod serde;
pub(crate) mod singles;
pub(crate) mod spec;
mod text;
