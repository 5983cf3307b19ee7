//! Python slicing for Rust: `s![1:, ..., newaxis, :-3:-1]`, with exactly the semantics of NumPy.
//!
#![cfg_attr(
    feature = "ndarray",
    doc = "
Slices of ndarray's arrays and views, with the rank of the result in the type:

```
use ndarray::{Array3, ArrayView4};
use slice_core::{StridedSliceExt, s};

let mut a = Array3::from_shape_fn((4, 5, 6), |(i, j, k)| 100 * i + 10 * j + k);
let v: ArrayView4<_> = a.at(s![1:, ..., newaxis, :-3:-1]); // a view: nothing is copied
assert_eq!(v.shape(), [3, 5, 1, 2]);
a.set(s![0, ::2], 0); // a[0, ::2] = 0
assert_eq!(a[[0, 2, 5]], 0);
```

Slices of a buffer, given its shape:
"
)]
//! ```
//! use slice_core::s;
//!
//! let selection = s![1:, ..., newaxis, :-3:-1].resolve(&[4, 5, 6])?;
//! assert_eq!(selection.output_shape(), [3, 5, 1, 2]);
//!
//! let data: Vec<u32> = (0..120).collect();
//! assert_eq!(selection.gather(&data)?[..4], [35, 34, 41, 40]);
//! # Ok::<(), slice_core::SliceError>(())
//! ```
//!
//! | | |
//! |---|---|
//! | write a slice | [`s!`](crate::s!), [`named!`](crate::named!): the value is a [`SliceSpec`] |
#![cfg_attr(
    feature = "ndarray",
    doc = "| slice an ndarray array, write to a slice of it | [`StridedSliceExt`]; by value [`StridedSliceMove`] |
| functions that take any slice (with or without lists), several slices, any values, any array | [`SliceFor`], [`SelectFor`], [`SlicesFor`], [`ValuesFor`], \
  [`WritableArray`] |"
)]
#![cfg_attr(
    feature = "py",
    doc = "| arithmetic and assignments with Python's brackets | [`py!`](crate::py!); [`python`] has the traits that its messages name |"
)]
//! | generic code: bounds, and the kinds of items in the type of a slice | [`bound`], [`kind`] |
//! | a slice that is known only at run time, or parsed from text | [`DynSliceSpec`], [`ParseSliceError`], [`ParseErrorKind`] |
//! | lists and masks: written, parsed, applied to a shape | [`s!`](crate::s!#lists-and-masks), [`OuterSpec`], [`DynOuterSpec`], [`OuterItem`], [`OuterSelection`], [`OuterIndices`], [`AxisPositions`], [`AxisRun`] |
//! | the items of a slice | [`Item`], [`ItemRole`], [`Masks`], [`ItemMasks`] |
//! | apply a slice to a shape: elements, axis by axis | [`Selection`], [`Indices`], [`AxisRange`], [`OutputAxis`], [`ResolvedStep`] |
//! | slice a flat buffer once or repeatedly, and use huge pages | [`Selection`], [`GatherPlan`], [`huge_pages`] |
//! | slice in constants, and arrays of arrays | [`SliceSpec`], [`StaticPlan`], [`NestedArray`], [`NestedElement`] |
//! | make a view for another tensor library | [`StridedLayout`] |
//! | resolve slices in another notation, print shapes | [`resolve`], [`DisplayShape`] |
//! | errors | [`SliceError`] |
#![cfg_attr(
    feature = "serde",
    doc = "| deserialize structs as strictly as specs | [`fields`], [`deserialize_fields!`](crate::deserialize_fields!) |"
)]
#![cfg_attr(
    feature = "py",
    doc = "| guides: [from NumPy](guide::numpy_to_rust), [from ndarray](guide::from_ndarray), and others | [`guide`] |"
)]
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `std` | yes | detection of the processor's instructions at run time; without it, slice-core needs only `alloc`, and copies use the instructions that the program is compiled for |
//! | `ndarray` | yes | slices of ndarray arrays and views, and of Rust slices |
//! | `py` | yes | the macro `py!`; includes `ndarray` |
//! | `serde` | no | serialization and deserialization of specs |
//! | `rayon` | no | large copies run on several threads; includes `std` |
//!
#![cfg_attr(
    feature = "py",
    doc = "[`guide::compile_time`] lists the cost of the features in build time and program size."
)]
//!
//! # Untrusted input
//!
//! Slices, shapes and buffers may come from anywhere. No function that returns a `Result` panics on them, and no memory
//! outside a buffer is accessed. Every size is checked before memory is allocated.
#![cfg_attr(
    feature = "py",
    doc = "[`guide::untrusted_input`] lists the exact guarantees, and the checks that remain for the caller."
)]
//!
//! # Versions
//!
//! Version numbers follow [semantic versioning](https://semver.org). Only a new major version (before 1.0: a new minor
//! version) changes:
//!
//! * the meaning of a slice, written in Rust or as text, and the grammar of both;
//! * errors: the variant, its fields, and which of several mistakes is reported;
//! * the text that `Display` writes for a slice, which can be parsed back, and the fields that serde writes;
//! * the traits of public types, auto traits included, and the minimum version of Rust.
//!
//! Any version may change:
//!
//! * the wording of errors, notes, explanations, panics and compiler messages;
//! * the output of `Debug`;
//! * speed, and the processor instructions that are used;
//! * items that the documentation hides, and the features `__bench` and `__tuning`.
//!
//! Any version may also add to a `#[non_exhaustive]` type.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod bits;
pub mod bound;
mod constant;
mod copy;
mod error;
#[cfg(feature = "serde")]
pub mod fields;
#[cfg(all(any(doc, doctest), feature = "py"))]
pub mod guide;
#[cfg(feature = "ndarray")]
mod ndarray;
mod outer;
mod processor;
#[cfg(feature = "py")]
pub mod python;
#[cfg(test)]
mod random;
pub mod resolve;
mod spec;

pub use constant::{NestedArray, NestedElement, StaticPlan};
pub use copy::GatherPlan;
pub use copy::new_memory::huge_pages;
#[cfg(feature = "__tuning")]
#[doc(hidden)]
pub use copy::tuning;
pub use error::SliceError;
pub use error::display::DisplayShape;
#[cfg(feature = "ndarray")]
pub use ndarray::{
    SelectFor, SliceFor, SlicesFor, StridedSliceExt, StridedSliceMove, ValuesFor, WritableArray,
};
pub use outer::axes::AxisPositions;
pub use outer::dyn_spec::{DynOuterSpec, OuterItem};
pub use outer::indices::OuterIndices;
pub use outer::runs::Run as AxisRun;
pub use outer::selection::OuterSelection;
pub use outer::spec::OuterSpec;
#[cfg(feature = "__bench")]
#[doc(hidden)]
pub use processor::{instruction_set, isa::InstructionSet};
pub use resolve::axis::AxisRange;
pub use resolve::indices::Indices;
pub use resolve::layout::StridedLayout;
pub use resolve::selection::Selection;
pub use resolve::step::{OutputAxis, ResolvedStep};
pub use spec::dyn_spec::DynSliceSpec;
pub use spec::item::{Item, ItemMasks, ItemRole, Masks};
pub use spec::slice_spec::SliceSpec;
pub use spec::text::{ParseErrorKind, ParseSliceError};

/// The procedural macros that expand [`s!`], [`named!`] and [`py!`], under the names that the compiler prints.
#[doc(hidden)]
pub mod expansion {
    #[cfg(feature = "py")]
    pub use slice_macro::py_in as py;
    pub use slice_macro::{named_in as named, s_in as s};
}

/// The kinds of items, as types.
///
/// `s![1:, ..., newaxis, 0]` has the type `SliceSpec<4, (Range, (Ellipsis, (NewAxis, (Index, ()))))>`. From the list of
/// kinds, the compiler computes the rank of the result. [`named!`] writes this type, and [`SliceSpec::erase`] removes
/// the list.
pub mod kind {
    pub use crate::spec::kind::{AnyKinds, Ellipsis, Index, List, NewAxis, Range};

    /// Types that count the axes that a slice indexes, and traits that compare this count with the rank of an array.
    /// They appear in compiler messages about code that is generic over the dimension of an array or over the kinds of
    /// items.
    #[cfg(feature = "ndarray")]
    pub use crate::ndarray::{
        AreAView, Array, Axes, ElementsOf, FitsIn, RankAndIndices, TypedRank,
    };
}

/// Python slice syntax as a [`SliceSpec`], checked at compile time.
///
/// Python equivalent: the contents of the brackets in `x[...]`, item for item.
///
/// | item | selects | the axis is |
/// |---|---|---|
/// | `i` | one element, counted from the end if negative | dropped |
/// | `begin:end:step` | a range; any part can be left out, and the last `:` with it: `:`, `1:`, `:-1`, `::2`, `:-3:-1` | kept |
/// | `...` | all axes that no other item names; at most one ellipsis per slice | kept |
/// | `newaxis`, `None` | nothing | new, of length 1 |
/// | `[0, 2, -1]`, `&rows` | the positions in a list, or where a mask is true: see [below](#lists-and-masks) | kept |
///
/// A slice has 0 (`s![]`) to 64 items, separated by commas. A comma may follow the last item.
///
/// # Bounds
///
/// A bound is any expression of any primitive integer type except `u128`. It is evaluated once, in the order of the
/// source. Its type does not change its value: `usize::MAX` is beyond the end of every axis, and never `-1`. A minus
/// before a whole bound negates its value, for unsigned types too. A bound of a range can be an `Option` of an integer,
/// where `None` leaves the bound out, as in Python's `x[None:stop]`. For generic code, the traits are in [`bound`].
///
/// ```
/// use slice_core::s;
///
/// let (n, step, stop) = (1_usize, 2_i8, Some(7));
/// let spec = s![n::step, n:-n, None:stop, n + 1];
/// assert_eq!(spec.begin(), &[1, 1, 0, 2]);
/// assert_eq!(spec.end(), &[0, -1, 7, 3]);
/// assert_eq!(spec.strides(), &[2, 1, 1, 1]);
/// assert_eq!(spec.begin_mask(), 4);
/// ```
///
/// Every `:` outside brackets is a separator, as in Python, except in a path. A path begins with a keyword such as
/// `Self` or `crate`, a primitive type, a name in CamelCase, a single capital letter, or `<`. It ends before a
/// lower-case name that follows a constant:
///
/// ```
/// # use slice_core::s;
/// # struct Crop;
/// # impl Crop { const N: usize = 3; }
/// # mod config { pub const N: usize = 4; }
/// # let (n, step) = (1, 2);
/// let spec = s![usize::MAX, Crop::N:, Crop::N::step, [1, 2].iter().sum::<i32>()];
/// assert_eq!(spec.begin(), &[i64::MAX, 3, 3, 3]);
/// assert_eq!(spec.strides(), &[1, 1, 2, 1]);
/// // A lower-case name is a variable, and a `::` before it leaves the end out, as in `n::step`. A constant in a module
/// // needs parentheses, unless the range would otherwise have too many parts.
/// let spec = s![(config::N), config::N:, n:config::N];
/// assert_eq!(spec.begin(), &[4, 4, 1]);
/// # let _ = s![n::step];
/// ```
///
/// `Self::N::STEP` is read as one path, which is a type error if `N` is a constant. Write `(Self::N)::STEP`.
///
/// `newaxis` and `None` are part of the syntax. Names that are easily mistaken for the syntax (`NewAxis`, `new_axis`,
/// `none`, `Ellipsis`) are refused. Write a variable with such a name in parentheses: `s![(newaxis)]`.
///
/// # Lists and masks
///
/// An item may be a list: `[0, 2, -1]`, with any integer expressions, or a reference `&rows` to positions of any
/// integer type in a Rust slice, an array, a `Vec`, or an ndarray array or view of one axis. A list of `bool` is a
/// mask, with one element for each position of its axis. Negative positions count from the end. Positions may be in any
/// order and may repeat, and a list may be empty.
///
/// Each list selects on its own axis, and each axis of the result stays at the place of its item. NumPy selects this
/// way with `np.ix_`, and zarr and xarray call it orthogonal indexing. NumPy's own brackets pair several lists instead:
///
/// ```text
///            0   3                       s![[0, 2], [0, 3]]       NumPy's x[[0, 2], [0, 3]]
///          ┌───┬───┬───┬───┐
///     0    │ a │   │   │ b │                  a b                        a
///          ├───┼───┼───┼───┤                  c d                          d
///          │   │   │   │   │
///          ├───┼───┼───┼───┤             every row with           the first row with the first
///     2    │ c │   │   │ d │             every column             column, and so on
///          └───┴───┴───┴───┘
/// ```
///
/// A slice with a list is an [`OuterSpec`], which copies elements and has no views. An `OuterSpec` borrows its lists. A
/// list created in the brackets, such as `&vec![0, 2]`, lives until the end of the statement.
///
/// ```
/// use slice_core::s;
///
/// let keep = vec![true, false, true];
/// let selection = s![&keep, [3, 0]].resolve(&[3, 4])?;
/// assert_eq!(selection.output_shape(), [2, 2]);
/// assert_eq!(selection.indices().collect::<Vec<_>>(), [3, 0, 11, 8]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
///
/// # In constants
///
/// The expansion is one expression without `unsafe`. It is constant if its bounds are:
///
/// ```
/// use slice_core::s;
///
/// const SHAPE: [usize; 4] = s![1:, ..., newaxis, :-3:-1].output_shape([4, 5, 6]);
/// assert_eq!(SHAPE, [3, 5, 1, 2]);
/// ```
///
/// # Errors
///
/// All mistakes in a slice are reported at once, each on its own token and with a correction. A literal step of zero is
/// a mistake:
///
/// ```compile_fail
/// # use slice_core::s;
/// let spec = s![0, ..., ..., ::0]; // two errors: the second `...`, and the 0
/// ```
///
/// The compiler also evaluates a step that consists of literals, paths, names in capitals, and arithmetic with them.
/// Such a step is checked when code is generated (by `cargo build`, not by `cargo check`). It may use constants,
/// associated constants, const parameters and immutable statics. Any other step is checked when the spec is applied to
/// a shape.
///
/// ```compile_fail,E0080
/// # use slice_core::s;
/// const STEP: i32 = 3;
/// let spec = s![::STEP - 3];
/// ```
///
/// The macro cannot tell a constant from a variable. It treats a name in capitals as a constant, unless the source text
/// above the slice declares a variable of this name. If the macro has no source text, as in the expansion of another
/// macro, a variable in capitals is refused in a step (E0435). In braces, such a variable is an expression like any
/// other: `s![::{ K }]`.
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
    ($($items:tt)*) => { $crate::expansion::s! { $crate; $($items)* } };
}

/// Parses an expression in a separate macro, so that a syntax error stays within the expression.
#[doc(hidden)]
#[macro_export]
macro_rules! __expression {
    ($expression:expr) => {
        $expression
    };
}

/// Declares named slices without writing their types: `const NAME = s![...];`.
///
/// Python equivalent: `NAME = np.s_[...]`.
///
/// The type of a slice lists the kinds of its items, from which the compiler computes the rank of a result. This macro
/// writes the type for you. It can be used wherever constants can, including `impl` blocks, and accepts attributes,
/// visibility and `static` as Rust does. For a type that does not depend on the items, use [`SliceSpec::erase`].
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
    ($($declarations:tt)*) => { $crate::expansion::named! { $crate; $($declarations)* } };
}

/// Evaluates Rust code in which `x[items]`, with Python's slice syntax in the brackets, slices an ndarray array.
///
/// Python equivalent: the same text.
///
/// ```
/// use ndarray::{Axis, array};
/// use slice_core::py;
///
/// let x = array![1.0, 2.0, 4.0, 8.0];
/// assert_eq!(py!(x[1:] - x[:-1]), array![1.0, 2.0, 4.0]);
///
/// let e = array![[1.0, 3.0], [2.0, 6.0]];
/// assert_eq!(py!(e / e.sum_axis(Axis(1))[:, None]), array![[0.25, 0.75], [0.25, 0.75]]);
///
/// let mut u = array![0.0, 0.0, 4.0, 0.0, 0.0];
/// py! {
///     u[1:-1] += 0.25 * (u[:-2] + u[2:]) - 0.5 * u[1:-1];
///     u[0, ...] = 9.0;
/// }
/// assert_eq!(u, array![9.0, 1.0, 2.0, 1.0, 0.0]);
/// ```
///
/// The macro accepts an expression, or statements, which then form a block. Everything but the slices is ordinary Rust
/// and stays as written: calls, closures, `if`, `for`, `let`, `?`, `return`, blocks.
///
/// # Which brackets are slices
///
/// Brackets are a slice if they contain a `:`, `...`, `newaxis` or `None`, or several items: `x[1:]`, `x[..., 0]`,
/// `x[i, j]`. The items are those of [`s!`](crate::s!). All other brackets are Rust's own: `v[i]`, `v[1..]`,
/// `a[[i, j]]`. There are two exceptions: `x[-1]` counts from the end, and `x[1]` next to an operator or before
/// brackets is a row of an array with several axes. Brackets around a single path whose first name is a type or a
/// keyword are also Rust's own: `v[Self::N]`. Write any other path in parentheses, as in `v[(limits::N)]`, because
/// `x[n::step]` is a range that begins at `n`.
///
/// Slices are also found in the arguments of other macros, if these are expressions: `println!("{}", x[1:])`.
///
/// # Reading
///
/// As a value, an argument or the receiver of a method, a slice is a view, an [`ArrayView`](::ndarray::ArrayView). As
/// an operand of an operator (`+ - * / % & | ^ << >>`, unary `-` and `!`), the view is borrowed, because ndarray's
/// operators take references. Arrays in variables are borrowed in such arithmetic, too, and can still be used
/// afterwards. Numbers and references can be on either side. The result of a call is moved if it owns its elements, and
/// borrowed if it is a view. A variable that is neither an array nor `Copy` is refused; `{ x }` moves it.
///
/// With an index for every axis, `x[i, j]` is the element itself, a number with Rust's own operators. In arithmetic
/// with other slices, the element broadcasts. `x[i, j, ...]` is a view of rank 0. Comparing a slice with a number, or
/// two slices with `< <= > >=`, returns an array of `bool`. Comparing two arrays with `==` or `!=` returns one
/// `bool`, as in Rust.
///
/// After `let v = x[1:]`, arithmetic with the variable `v` borrows in the same way, and so does arithmetic with `row`
/// in `for row in x[1:]`. After `let v = &mut x[1:]`, `v += 1.0` writes to `x`.
///
/// Other arithmetic without a slice is Rust's own: `a + b` moves `a` and `b`. Neither `&a + &b` nor `a[...] + b` moves
/// them.
///
/// If the variable `x` is a view, `x[1:]` lives as long as the array. A slice of a result, as in `load()?[1:]`, lives
/// until the end of the statement, as the result does.
///
/// A slice with a list is a new array, a copy. `py!` accepts one list or mask. It refuses several lists, which NumPy
/// pairs element by element. It also refuses an index that another item separates from the list, if an axis before the
/// list is kept, because NumPy then puts the axis of the list first. `x[[0, 2]]` and `x[&i]` are Rust's own. With a
/// comma, as in `x[[0, 2],]`, or with other items, they are lists.
///
/// # Writing
///
/// `x[items] = value` and `+= -= *= /= %= &= |= ^= <<= >>=` write to arrays, mutable views, `Vec`, and Rust's arrays
/// and slices. The value broadcasts. It is a number of the array's type, an array or a view, or a nested literal
/// (`[[1, 2], [3, 4]]`). A value in a variable is borrowed, and can still be used afterwards.
///
/// As in Python, `=` evaluates the value first, then the sliced expression, then the bounds. `+=` evaluates the sliced
/// expression first, then the bounds, then the value. `x[1:] = x[:-1]` reads before it writes: the slice on the right
/// is copied if both sides name the same array, as a variable or as a field of one. If two names refer to the same
/// array, Rust does not let one be written while the other is read.
///
/// If a list repeats a position, the last value assigned to it stays, and `+=` adds only once, as in NumPy.
/// [`OuterSelection::scatter_add`] adds all values.
///
/// For an array with several axes, `x[0] = value` writes a row. The index is a number, which may count from the end. A
/// mask selects the elements to write in `x[x > 0.0] = value`, `x[(x > 0.0) & (y < 1.0)] = value`, `x[x % 2.0 == 0.0] =
/// value` and `x[mask] = value`. The mask has the shape of `x`, or one `bool` for each row. If `x` is not an array with
/// several axes, `x[0] = value` is Rust's own.
///
/// `&mut x[1:]` is a mutable view: `(&mut x[1:]).fill(0.0)`.
///
/// # Panics
///
/// Panics as [`at`](crate::StridedSliceExt::at) and [`set`](crate::StridedSliceExt::set) do. The message points at the
/// brackets. Operators panic if the shapes do not fit, and the message then points at the operator: "operands could not
/// be broadcast together with shapes (3,) (2,)".
///
/// # Errors
///
/// All mistakes in all slices are reported at once, as by [`s!`](crate::s!):
///
/// ```compile_fail
/// # use ndarray::array;
/// # use slice_core::py;
/// let x = array![1, 2, 3];
/// let d = py!(x[::0] - x[..., ...]); // two errors: the 0, and the second `...`
/// ```
#[cfg(feature = "py")]
#[macro_export]
macro_rules! py {
    ($($code:tt)*) => { $crate::expansion::py! { $crate; $($code)* } };
}
