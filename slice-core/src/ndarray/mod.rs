//! Views, copies and assignment for ndarray arrays. If the item kinds are part of the type of a slice, the compiler
//! computes the rank of the result.

mod access;
pub(crate) mod actions;
mod assign;
mod bridge;
mod buffer;
pub(crate) mod by_value;
mod disjoint;
pub(crate) mod ext;
pub(crate) mod flat;
mod gather;
pub(crate) mod indexed;
mod list;
pub(crate) mod listed;
pub(crate) mod rank;
pub(crate) mod sealed;
pub(crate) mod values;
mod view_parts;

pub use access::WritableArray;
pub use by_value::StridedSliceMove;
pub use disjoint::SlicesFor;
pub use ext::StridedSliceExt;
pub use indexed::{AnArray, Axes, EnoughAxes, FitsIn};
pub use listed::AreAView;
pub use rank::{SelectFor, SliceFor, TypedRank, ViewFor};
pub use values::ValuesFor;
