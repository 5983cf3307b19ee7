//! Zero-copy views of ndarray arrays, with the rank of the result known to the compiler.

mod assign;
mod bridge;
mod buffer;
mod disjoint;
mod ext;
mod gather;
mod indexed;
mod rank;
mod sealed;

pub use disjoint::SlicesFor;
pub use ext::{StridedSliceExt, StridedSliceMove};
pub use rank::SliceFor;
