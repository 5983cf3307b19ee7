//! Lists and masks: the other half of NumPy's brackets.
//!
//! A list on an axis is not strided, and never becomes so. It lives in a selection of its own, beside
//! [`Selection`](crate::Selection), whose axes are runs: what is strided pays nothing for it.
//!
//! ```text
//! s![&rows, ..., [0, 2]]   "[3, 1], ..., [0, 2]"        what was written: spec.rs, dyn_spec.rs, text.rs
//!           │ resolve(shape)                             resolve.rs
//!           ▼
//! each axis a range, or a list that is wrapped, checked and cut into runs     list.rs, mask.rs, runs.rs, singles.rs
//!           │
//!           ▼
//! OuterSelection: shape, indices, composition            selection.rs, indices.rs
//! ```
//!
//! The copies are in `copy/outer`, and what constants need in `constant.rs`.

pub(crate) mod axes;
pub(crate) mod constant;
pub(crate) mod dyn_spec;
pub(crate) mod indices;
pub(crate) mod list;
mod mask;
pub(crate) mod part;
pub(crate) mod resolve;
pub(crate) mod runs;
pub(crate) mod selection;
#[cfg(feature = "serde")]
mod serde;
pub(crate) mod singles;
pub(crate) mod spec;
mod text;
