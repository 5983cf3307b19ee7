//! Python slicing for Rust: `s![1:, ..., newaxis, :-3:-1]`, with NumPy's semantics, except that several lists select a grid.
//!
#![cfg_attr(
    feature = "ndarray",
    doc = "
Slicing an ndarray array returns a view whose rank is part of its type:

```
use ndarray::{Array3, ArrayView4};
use slice_core::{StridedSliceExt, s};

let mut a = Array3::from_shape_fn((4, 5, 6), |(i, j, k)| 100 * i + 10 * j + k);
let v: ArrayView4<_> = a.at(s![1:, ..., newaxis, :-3:-1]); // a view: nothing is copied
assert_eq!(v.shape(), [3, 5, 1, 2]);
a.set(s![0, ::2], 0); // a[0, ::2] = 0
assert_eq!(a[[0, 2, 5]], 0);
```

To slice a flat buffer, resolve the slice for the shape of the array in the buffer:
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
//! | task | API |
//! |---|---|
//! | write a slice | [`s!`](crate::s!) and [`named!`](crate::named!), which create a [`SliceSpec`] |
#![cfg_attr(
    feature = "ndarray",
    doc = "| slice an ndarray array, or assign to a slice of it | [`StridedSliceExt`]; [`StridedSliceMove`] slices by value |
| write a function that is generic over a slice, over several slices, over the assigned values or over the array | [`SliceFor`] (slices without lists), \
  [`SelectFor`] (all slices), [`SlicesFor`], [`ValuesFor`], [`WritableArray`] |"
)]
#![cfg_attr(
    feature = "py",
    doc = "| use Python's slice syntax in arithmetic and assignments | [`py!`](crate::py!), which expands to hidden items of [`python`] |"
)]
//! | write a function that is generic over a bound, or over the kinds of a slice's items | [`bound`], [`kind`] |
//! | build a slice at run time, or parse one from text | [`DynSliceSpec`], [`ParseSliceError`], [`ParseErrorKind`], [`MarkedLine`] |
//! | use lists, masks and points | [`s!`](crate::s!#lists-and-masks), [`ListSpec`], [`DynSliceSpec`], [`Item`], [`NdList`], [`nonzero`], [`Nonzero`], [`Brackets`], [`AxisPositions`] |
//! | inspect the items of a slice | [`Item`], [`ItemRole`], [`Masks`], [`ItemMasks`] |
//! | write a function that accepts slices of every type | [`Select`], [`SelectError`] |
//! | apply a slice to a shape, and read the selected positions on each axis or the offsets of all elements | [`Selection`], [`Indices`], [`AxisRange`], [`OutputAxis`], [`ResolvedStep`], [`ListedAxes`] |
//! | slice flat buffers | [`Selection`]; [`CopyPlan`] copies the same slice of many buffers; [`request_huge_pages`] requests huge pages for the memory of large results |
//! | slice in constant expressions, and slice nested arrays | [`SliceSpec`], [`StaticPlan`], [`NestedArray`], [`NestedElement`] |
//! | create a view in another tensor library | [`StridedLayout`]; [`SliceSpec::each_step`] passes the steps of a slice to a [`StepVisitor`] |
//! | resolve slices written in another notation | [`resolve`] |
//! | print shapes as NumPy does | [`DisplayShape`] |
//! | handle errors | [`SliceError`] |
#![cfg_attr(
    feature = "py",
    doc = "| read the guides, such as the [cheat sheet](guide::cheat_sheet), [NumPy to Rust](guide::numpy_to_rust) and [Coming from ndarray's `s!`](guide::from_ndarray) | [`guide`] |"
)]
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `std` | yes | run-time detection of the processor's instruction sets; without this feature, slice-core needs only `alloc`, and copies use only the instruction sets for which the program is compiled |
//! | `ndarray` | yes | slicing of ndarray arrays and views, and of Rust slices, arrays and `Vec`s |
//! | `py` | yes | the macro `py!`; includes `ndarray` |
//! | `serde` | no | serialization and deserialization of specs |
//! | `rayon` | no | large copies on several threads; includes `std` |
//!
#![cfg_attr(
    feature = "py",
    doc = "[`guide::compile_time`] states how much build time and program size each feature adds."
)]
//!
//! # Untrusted input
//!
//! Slices, shapes and buffers may come from untrusted sources. On such input, no function that returns a `Result`
//! panics, and no memory outside a buffer is accessed. Every size is checked before memory is allocated.
#![cfg_attr(
    feature = "py",
    doc = "[`guide::untrusted_input`] lists the exact guarantees, and the checks that the caller must make."
)]
//!
//! # Versions
//!
//! Version numbers follow [semantic versioning](https://semver.org). Only a new major version (before 1.0: a new minor
//! version) changes:
//!
//! * the meaning of a slice, whether it is written in Rust or as text, and the grammar of the two notations;
//! * the variant and the fields of an error, and which mistake is reported if there are several;
//! * the `Display` output of a slice, which can be parsed back unless a step is zero or a list has more than 31 axes, and
//!   the fields of a serialized slice;
//! * the traits implemented by public types, including auto traits, and the minimum supported version of Rust.
//!
//! Any version may change:
//!
//! * the wording of errors, notes, explanations, panics and compiler messages;
//! * the output of `Debug`;
//! * the speed of the crate, and the processor instructions that it uses;
//! * items hidden from the documentation, and the feature `__bench`.
//!
//! Any version may also add variants or fields to a `#[non_exhaustive]` type. [`Item`], [`ItemRole`], [`OutputAxis`] and
//! [`ResolvedStep`] are exhaustive: code that ignores a kind of item that it does not know selects the wrong elements, so a
//! new kind is a new major version, and the compiler finds the code that does not handle it.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod bits;
pub mod bound;
mod choice;
mod constant;
mod copy;
mod error;
#[cfg(all(any(doc, doctest), feature = "py"))]
pub mod guide;
#[cfg(feature = "ndarray")]
mod ndarray;
mod processor;
#[cfg(feature = "py")]
pub mod python;
#[cfg(test)]
mod random;
pub mod resolve;
mod spec;

pub use constant::{NestedArray, NestedElement, StaticPlan};
pub use copy::CopyPlan;
pub use copy::new_memory::request_huge_pages;
pub use error::SliceError;
pub use error::display::DisplayShape;
#[cfg(feature = "ndarray")]
pub use ndarray::{
    SelectFor, SliceFor, SlicesFor, StridedSliceExt, StridedSliceMove, ValuesFor, WritableArray,
};
#[cfg(feature = "__bench")]
#[doc(hidden)]
pub use processor::{instruction_set, isa::InstructionSet};
pub use resolve::axis::AxisRange;
pub use resolve::brackets::Brackets;
pub use resolve::indices::Indices;
pub use resolve::layout::StridedLayout;
pub use resolve::positions::AxisPositions;
pub use resolve::select::{Select, SelectError};
pub use resolve::selection::Selection;
pub use resolve::step::{ListedAxes, OutputAxis, ResolvedStep};
pub use resolve::walk::StepVisitor;
pub use spec::dyn_spec::DynSliceSpec;
pub use spec::item::{Item, ItemMasks, ItemRole, Masks};
pub use spec::list_spec::ListSpec;
pub use spec::nd_list::NdList;
pub use spec::nonzero::{Nonzero, nonzero};
pub use spec::slice_spec::SliceSpec;
pub use spec::text::{MarkedLine, ParseErrorKind, ParseSliceError};

/// The items that only expansions of [`s!`] and [`named!`] name. Compiler messages contain some of them. Any version may change
/// them. The items for [`py!`] are in `python`.
#[doc(hidden)]
pub mod expansion {
    pub use crate::bound::written::{bound, nonzero_step, opposite, saturate_all};
    pub use crate::choice::{FirstChoice, Is, LastChoice, SecondChoice};
    pub use crate::spec::borrowed_item::{
        BorrowedItem, Part, after, first, in_points, last_point, point,
    };
    pub use crate::spec::list::{IsRank, ListArray, ListRef, OwnedList, Scattered};
    #[cfg(feature = "py")]
    pub use slice_macro::py_in as py;
    pub use slice_macro::{named_in as named, s_in as s};
}

/// The kinds of items, as types.
///
/// `s![1:, ..., newaxis, 0]` has the type `SliceSpec<4, (Range, (Ellipsis, (NewAxis, (Index, ()))))>`. From this list
/// of kinds and the rank of the array, the compiler computes the rank of the result. [`named!`] writes the type in the
/// declaration of a constant or static, and [`SliceSpec::erase`] replaces the list with [`Erased`](kind::Erased).
pub mod kind {
    pub use crate::spec::kind::{Ellipsis, Erased, Index, List, NewAxis, Points, Range, Rank};

    /// The bounds of code that is generic over the dimension of an array or over the kinds of items.
    #[cfg(feature = "ndarray")]
    pub use crate::ndarray::{Axes, FitsIn, TypedRank};
    // Compiler messages contain these names, which are shorter than those of items in a hidden module.
    #[cfg(feature = "ndarray")]
    #[doc(hidden)]
    pub use crate::ndarray::{AnArray, AreAView, EnoughAxes, ViewFor};
}

/// Creates a [`SliceSpec`] from Python's slice syntax, which is checked at compile time.
///
/// Python equivalent: the contents of the brackets in `x[...]`, item for item.
///
/// | item | selects | the axis is |
/// |---|---|---|
/// | `i` | one element, counted from the end if negative | dropped |
/// | `begin:end:step` | a range; any part may be omitted, and the second `:` is needed only before a step: `:`, `1:`, `:-1`, `::2`, `:-3:-1` | kept |
/// | `...` | all positions of the axes to which no other item applies; at most one ellipsis per slice | kept |
/// | `newaxis`, `None` | nothing | new, with length 1 |
/// | `[0, 2, -1]`, `&rows` | the listed positions, or the positions at which a mask is true (see [below](#lists-and-masks)) | kept |
/// | `&mask`, `&table` with several axes, `zip(&rows, &columns)` | elements of several axes, or several axes of positions (see [below](#masks-and-lists-with-several-axes-and-points)) | replaced |
///
/// A slice has 0 (`s![]`) to 64 items, separated by commas. A comma may follow the last item.
///
/// # Bounds
///
/// A bound (an index, or a part of a range) is an expression of any primitive integer type except `u128`. Bounds are
/// evaluated once each, from left to right. The type of a bound does not change its value: `usize::MAX` is beyond the
/// end of every axis, and never means `-1`. A minus sign that applies to an entire bound, as in `-n` but not in
/// `-n + 1`, negates the value even if its type is unsigned. A part of a range can also be an `Option` of an integer,
/// where `None` stands for an omitted part, as in Python's `x[None:stop]`. The traits for generic code are in
/// [`bound`].
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
/// As in Python, every `:` outside inner brackets separates two parts of a range, except in a path. A path begins with
/// a keyword such as `Self` or `crate`, a primitive type, a name in CamelCase, a single capital letter, or `<`. The
/// path ends before a lower-case name that follows a constant:
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
/// // A lower-case name is read as a variable, and `::` before a variable means that the end is omitted, as in
/// // `n::step`. A constant in a module therefore needs parentheses, unless reading its `::` as two colons would give
/// // the range too many parts.
/// let spec = s![(config::N), config::N:, n:config::N];
/// assert_eq!(spec.begin(), &[4, 4, 1]);
/// # let _ = s![n::step];
/// ```
///
/// `Self::N::STEP` is read as one path, which does not compile if `N` is a constant. In this case, write
/// `(Self::N)::STEP`.
///
/// `newaxis` and `None` are part of the syntax. Names that are easily mistaken for the syntax (`NewAxis`, `new_axis`,
/// `none`, `Ellipsis`) are rejected. A variable with one of these names must be in parentheses: `s![(newaxis)]`.
///
/// # Lists and masks
///
/// An item may be a list: a literal that contains integer expressions, as in `[0, 2, -1]`, or a reference, as in
/// `&rows`, to a Rust slice, an array, a `Vec`, or an ndarray array or view. The elements of a referenced list may have
/// any primitive integer type. Negative positions count from the end. Positions may be in any order and
/// may repeat, and a list may be empty. A list of `bool` is a mask, with one element for each position of its axis.
///
/// Each list selects positions on its own axis, and the axes of the result are in the order of the items. NumPy selects
/// in this way with `np.ix_`, and zarr and xarray call this orthogonal indexing. In NumPy's `x[...]`, the elements of
/// several lists are paired instead:
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
/// A slice with a list is a [`ListSpec`]. With a `ListSpec`, elements can be copied and assigned to, but not
/// viewed. A `ListSpec` borrows its lists. A list created inside the brackets by a function or macro, such as
/// `&vec![0, 2]`, lives until the end of the statement.
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
/// # Masks and lists with several axes, and points
///
/// An item of the following kinds applies to several axes, or replaces its axis with several axes, which stand where the
/// item stands. The ranks are part of the types, so the rank of the result is, too.
///
/// | item | applies to | replaces them with |
/// |---|---|---|
/// | a mask with several axes: `&mask`, `[[true, false], [false, true]]` | as many axes as it has, which have the same lengths | one axis, with the positions at which the mask is true, in C order |
/// | a list with several axes: `&table`, `[[0, 2], [1, 1]]` | one axis | the axes of the list |
/// | points: `zip(&rows, &columns)` | one axis for each list | the axes of the lists, which are broadcast |
///
/// Points pair the elements of their lists, as NumPy's `x[rows, columns]` does. Each list in `zip` is a reference or a
/// literal. To call a function of your own that is named `zip`, put the call in parentheses: `s![(zip(a, b))]`.
///
/// ```
/// use slice_core::s;
///
/// let x = [[1, 2, 3], [4, 5, 6]].concat();
/// assert_eq!(s![zip([0, 1], [2, 0])].resolve(&[2, 3])?.gather(&x)?, [3, 4]);
/// assert_eq!(s![[[true, false, true], [false, true, false]]].resolve(&[2, 3])?.gather(&x)?, [1, 3, 5]);
/// assert_eq!(s![0, [[2, 0], [1, 1]]].resolve(&[2, 3])?.output_shape(), [2, 2]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
///
/// In constants, only lists and masks with one axis can be resolved.
///
/// # In constants
///
/// The expansion is one expression without `unsafe`. It is a constant expression if its bounds are constant:
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
/// All mistakes in a slice are reported at once. Each error points at the incorrect token and suggests a correction. A
/// literal step of zero is also a mistake:
///
/// ```compile_fail
/// # use slice_core::s;
/// let spec = s![0, ..., ..., ::0]; // two errors: the second `...`, and the 0
/// ```
///
/// If a step consists only of literals, paths, names in capitals and arithmetic operators, the compiler evaluates the
/// step, and rejects zero, when it generates code (in `cargo build`, but not in `cargo check`). Such a step may use
/// constants, associated constants, const parameters and immutable statics. Any other step is checked when the spec is
/// applied to a shape.
///
/// ```compile_fail,E0080
/// # use slice_core::s;
/// const STEP: i32 = 3;
/// let spec = s![::STEP - 3];
/// ```
///
/// The macro cannot tell a constant from a variable. It treats a name in capitals as a constant, so the compiler rejects a
/// step that contains a variable in capitals (E0435). Braces around the variable prevent this error: `s![::{ K }]`.
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
#[doc(alias = "strided slice")]
#[macro_export]
macro_rules! s {
    ($($items:tt)*) => { $crate::expansion::s! { $crate; $($items)* } };
}

/// Parses an expression in a separate macro, so that a syntax error in the expression does not affect the rest of the
/// expansion.
#[doc(hidden)]
#[macro_export]
macro_rules! __expression {
    ($expression:expr) => {
        $expression
    };
}

/// Declares slices as constants or statics without spelling out their types: `const NAME = s![...];`.
///
/// Python equivalent: `NAME = np.s_[...]`.
///
/// The type of a slice lists the kinds of its items, so that the compiler can compute the rank of a result. This macro
/// writes the type. It can be used wherever a constant can be declared, including in `impl` blocks. Attributes,
/// visibility and `static` are written as in Rust. A written type, as in `const NAME: SliceSpec<1> = ...`, is an error.
/// Literal lists and masks are also items. For a type that does not depend on the kinds of the items, use
/// [`SliceSpec::erase`].
///
/// # Example
///
/// ```
/// use slice_core::{named, s};
///
/// named! {
///     /// Flips an image upside down.
///     pub const FLIP = s![::-1, ...];
///     const BORDER = s![1:-1, 1:-1];
///     const CORNERS = s![[0, -1], ::2];
/// }
///
/// const SHAPE: [usize; 2] = BORDER.output_shape([480, 640]);
/// assert_eq!(SHAPE, [478, 638]);
/// assert_eq!(FLIP.output_shape([480, 640, 3]), [480, 640, 3]);
/// assert_eq!(CORNERS.output_shape([480, 640]), [2, 320]);
/// ```
#[macro_export]
macro_rules! named {
    ($($declarations:tt)*) => { $crate::expansion::named! { $crate; $($declarations)* } };
}

/// Evaluates Rust code in which `x[items]`, with Python's slice syntax in the brackets, slices an ndarray array.
///
/// Python equivalent: the same expression, without the macro.
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
/// The macro accepts an expression or a sequence of statements. A sequence of statements forms a block. Everything
/// except brackets and operators is ordinary Rust code with its usual meaning: calls, closures, `if`, `for`, `let`, `?`,
/// `return`, blocks.
///
/// # Brackets
///
/// After an ndarray array, brackets mean what they mean in NumPy: `x[0]` is an element or a row, `x[[0, 2]]` and
/// `x[rows]` are rows, `x[mask]` and `x[x > 0.0]` are elements, `x[rows, columns]` are points, and `x[ix]` is the slice
/// that the variable `ix` holds. After any other value, brackets mean what they mean in Rust: `v[i]`, `v[1..]`,
/// `map["key"]`. The types decide. An array is an ndarray array or view, a reference to one, or a pointer such as `Box`,
/// `Rc` or `MutexGuard`. The items are written as in [`s!`](crate::s!); in addition, a list or a mask in a variable needs
/// no `&`. The indices may be a tuple, as in `x[(1, 0)]` or `x[position]`; dereference an index that is a reference, as in
/// `x[*i]`. With a `:`, `...` or `newaxis`, as in `v[1:]`, the brackets also slice a `Vec`, a Rust array or a Rust slice.
///
/// Write a path to a constant in parentheses, as in `v[(limits::N)]`, because `x[n::step]` is a range that begins at `n`.
/// Paths that begin with a type or a keyword, as in `v[Self::N]`, need no parentheses.
///
/// Brackets are also recognized in the arguments of other macros if the arguments are expressions:
/// `println!("{}", x[1:])`.
///
/// # Reading
///
/// As a value, an argument or the receiver of a method, a slice is an [`ArrayView`](::ndarray::ArrayView). As an
/// operand of an operator (`+ - * / % & | ^ << >>`, unary `-` and `!`), the view is borrowed, because ndarray's
/// operators take references. Arrays in variables are also borrowed in such arithmetic, and can still be used
/// afterwards. Numbers and references can be on either side of an operator. The result of a call is moved if it owns
/// its elements, and borrowed if it is a view. A variable whose value is neither an array nor `Copy` is rejected. To
/// move such a variable, write `{ x }`.
///
/// If every axis has an index, `x[i, j]` is the element itself, and Rust's own operators apply to it. In arithmetic
/// with slices, the element is broadcast. `x[i, j, ...]` is a view of rank 0. Comparing an array with a number or an array
/// returns an array of `bool`, also with `==` and `!=`. In a condition, which must be a single `bool`, `==` between two
/// values without brackets keeps its Rust meaning: `if a + 1.0 == b` compares two whole arrays.
///
/// After `let v = x[1:]`, arithmetic with the variable `v` borrows in the same way, and so does arithmetic with `row`
/// in `for row in x[1:]`. After `let v = &mut x[1:]`, `v += 1.0` writes to `x`.
///
/// Arithmetic without a slice, such as `a + b` and `self.a + self.b`, borrows in the same way. With a string, or with an
/// explicit `&`, as in `&a + b`, it is Rust's own.
///
/// If the variable `x` is a view, `x[1:]` lives as long as the viewed array. A slice of a temporary value, as in
/// `load()?[1:]`, lives until the end of the statement, as the temporary value does: `let t = load()?[1:].sum();` compiles,
/// but `let v = load()?[1:];` does not.
///
/// A slice with a list or a mask is a copy, in a new array. Several lists, masks and indices are combined element by
/// element. If a range, an ellipsis or a new axis separates them, the axes of the lists come first in the result.
///
/// # Writing
///
/// `x[items] = value` and `+= -= *= /= %= &= |= ^= <<= >>=` write to arrays, mutable views, `Vec`, and Rust's arrays
/// and slices. The value is an element, an array, a view, or a nested literal (`[[1, 2], [3, 4]]`), and is broadcast to
/// the shape of the slice.
///
/// A value in a variable is borrowed, and can still be used afterwards, if the brackets contain a `:`, a `...`, a
/// `newaxis` or several items, as in `x[:, 0] = y`. With a single item, as in `x[0] = y`, `x[rows] = y` and
/// `x[mask] += y`, the value is moved, as in Rust, because `x` may be a `Vec` or a map: write `x[0] = &y` to use `y` again.
///
/// As in Python, `=` evaluates the value first, then the sliced expression, then the bounds. `+=` evaluates the sliced
/// expression first, then the bounds, then the value. `x[1:] = x[:-1]` reads before it writes: the slice on the right
/// is copied first if the same array (a variable, or a field of a variable) is named on both sides of `=`. If two names
/// refer to the same array, Rust does not allow a write through one name during a read through the other.
///
/// If a list repeats a position, the last value for this position remains, and `+=` adds only that value, as in NumPy.
/// To add all values, use [`Selection::scatter_add`].
///
/// `x[0] = value`, `x[rows] = value`, `x[mask] = value`, `x[x > 0.0] = value` and `x[0][1:] = value` write to the parts that
/// the brackets select.
///
/// `&mut x[1:]` is a mutable view: `(&mut x[1:]).fill(0.0)`.
///
/// # Panics
///
/// Panics in the same cases as [`at`](crate::StridedSliceExt::at) and [`set`](crate::StridedSliceExt::set). The panic
/// message gives the location of the brackets. An operator panics if the shapes of its operands cannot be broadcast:
/// "operands could not be broadcast together with shapes (3,) (2,); ...". In this case, the panic message gives the location
/// of the operator.
///
/// # Errors
///
/// All mistakes in all slices are reported at once, as in [`s!`](crate::s!):
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
