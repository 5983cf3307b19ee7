//! Zero-copy views of ndarray arrays, with the rank of the result known to the compiler.

mod bridge;
mod ext;
mod indexed;
mod rank;

pub use ext::{StridedSliceExt, StridedSliceMove};
pub use rank::SliceFor;
