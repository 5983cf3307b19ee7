//! Python slicing for Rust: `s![1:, ..., newaxis, :-3:-1]`, with exactly the semantics of NumPy.
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod axis;
mod constant;
pub mod dialect;
mod dyn_spec;
mod error;
mod gather;
#[cfg(all(any(doc, doctest), feature = "ndarray"))]
pub mod guide;
mod indices;
mod item;
pub mod kind;
mod layout;
mod message;
#[cfg(feature = "ndarray")]
mod ndarray;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod resolve;
mod selection;
mod spec;
mod text;
mod transfer;

pub use axis::AxisRange;
pub use constant::{Element, NestedArray, StaticPlan};
pub use dyn_spec::DynSliceSpec;
pub use error::SliceError;
pub use gather::{GatherPlan, InstructionSet};
pub use indices::Indices;
pub use item::{Item, Masks};
pub use layout::Layout;
#[cfg(feature = "ndarray")]
pub use ndarray::{SliceFor, StridedSliceExt, StridedSliceMove};
pub use selection::{OutputAxis, Selection};
pub use spec::SliceSpec;
pub use text::{ParseErrorKind, ParseSliceError};

/// Python slice syntax as a [`SliceSpec`], checked at compile time.
///
/// # Example
///
/// ```
/// use slice_core::s;
///
/// let selection = s![1:, ..., newaxis, :-3:-1].resolve(&[4, 5, 6])?;
/// assert_eq!(selection.output_shape(), [3, 5, 1, 2]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[macro_export]
macro_rules! s {
    ($($items:tt)*) => { $crate::__private::__s_in! { $crate; $($items)* } };
}

/// The README's snippets are compiled with the documentation.
#[cfg(all(doctest, feature = "ndarray"))]
#[doc = include_str!("../../README.md")]
struct Readme;
