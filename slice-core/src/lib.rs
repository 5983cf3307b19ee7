//! Python slicing for Rust: `s![1:, ..., newaxis, :-3:-1]`, with exactly the semantics of NumPy.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod axis;
mod broadcast;
mod compact_shape;
mod constant;
pub mod dialect;
mod dyn_spec;
mod error;
pub mod explain;
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
mod overlap;
mod resolve;
mod selection;
mod spec;
mod strided_copy;
mod text;
mod transfer;
pub mod translate;

pub use axis::AxisRange;
pub use compact_shape::CompactShape;
pub use constant::{Element, NestedArray, StaticPlan};
pub use dyn_spec::DynSliceSpec;
pub use error::SliceError;
pub use explain::Explanation;
pub use gather::{GatherPlan, InstructionSet};
pub use indices::Indices;
pub use item::{Item, Masks};
pub use layout::Layout;
#[cfg(feature = "ndarray")]
pub use ndarray::{SliceFor, SlicesFor, StridedSliceExt, StridedSliceMove};
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

/// Gives names to slices: `const NAME = s![...];` without the type.
///
/// Python equivalent: `NAME = np.s_[...]`.
///
/// The type of a slice lists the kinds of its items, so that the rank of a result is known to the compiler; this macro
/// writes it for you. It goes wherever constants go, `impl` blocks included, and takes attributes, visibility and
/// `static` as Rust does. For a type that does not depend on the items there is [`SliceSpec::erase`].
///
/// # Example
///
/// ```
/// use slice_core::{named, s};
///
/// named! {
///     /// Upside down.
///     pub const FLIP = s![::-1, ...];
///     const BORDER = s![1:-1, 1:-1];
/// }
///
/// const SHAPE: [usize; 2] = BORDER.output_shape([480, 640]);
/// assert_eq!(SHAPE, [478, 638]);
/// assert_eq!(FLIP.output_shape([480, 640, 3]), [480, 640, 3]);
/// ```
#[macro_export]
macro_rules! named {
    ($($declarations:tt)*) => { $crate::__private::__named_in! { $crate; $($declarations)* } };
}

/// The README's snippets are compiled with the documentation.
#[cfg(all(doctest, feature = "ndarray"))]
#[doc = include_str!("../../README.md")]
struct Readme;
