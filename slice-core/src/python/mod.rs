//! Traits and types used by [`py!`](crate::py!). They are documented because they appear in compiler messages. The
//! methods of these traits and the functions called by `py!` are hidden. Use this module only through `py!`, because
//! everything in the module, except for [`Brackets`], may change in any version.
//!
//! [`Brackets`] gives a slice that is known at run time the meaning of NumPy's own `x[...]`.
//!
//! | trait | implemented for |
//! |---|---|
//! | [`Sliceable`] | types that can be sliced: ndarray's arrays and views, Rust's arrays and slices, `Vec`, and pointers to these |
//! | [`SlicedOperand`] | sliceable types, in slices that can outlive the statement |
//! | [`CopyOperand`] | types of variables in an operation with a slice, such as `n` in `x[1:] * n` |
//! | [`Side`] | types of the two sides of an operator, at least one of which is an array |
//! | [`PyAdd`], [`PySub`], [`PyMul`], [`PyDiv`], [`PyRem`], [`PyBitAnd`], [`PyBitOr`], [`PyBitXor`], [`PyShl`], [`PyShr`] | pairs of sides to which the operator can be applied |
//! | [`Comparand`], [`ComparedWith`] | types of values with which a slice can be compared |
//! | [`Comparable`], [`Equatable`] | element types that can be on the left of a comparison with elements of a given type |
//! | [`KnownValues`] | types of values that can be assigned in `x[1:] = value`, and from which the compiler can infer the type of the elements |
//! | [`ItemIndex`] | types of the index `i` in `x[i]`, where `x` is an array |
//! | [`Assign`] | types of `x` in `x[i] = value` and `x[i] += value` |
//! | [`LoopParts`] | dimensions of arrays that a `for` loop can iterate over |
//!
//! The following types are passed between the hidden functions and methods: [`OtherPlace`] refers to a place that is
//! not an array, [`Sides`] and [`Comparison`] hold both sides of an operator, [`Scalar`] refers to a value that is
//! compared with elements, [`Value`] holds a value that is not an array, and [`Indexed`] holds a part of an array.
//!
//! ```
//! use slice_core::py;
//!
//! let x = ndarray::array![1.0, 2.0, 4.0];
//! assert_eq!(py!(x[1:] - x[:-1]), ndarray::array![1.0, 2.0]);
//! ```

// The macro sees tokens, but no types. If the meaning of an operand depends on its type, the expansion calls a method
// of `PlaceOperand` or `ValueOperand`. The compiler first looks for a method for arrays and views, and then, after a
// dereference, for a method for all other types. Method lookup is the slowest part of compiling an expansion, so the
// expansion calls functions where the type makes no difference.

mod assign;
mod compare;
mod element;
mod index;
mod joint;
mod numpy_items;
mod operand;
mod operator;
mod parts;
mod place;
mod scalar;
mod shapes;
mod sliceable;
mod taken_once;
mod target;
mod value;
mod wrapped_index;

pub use crate::resolve::brackets::Brackets;
pub use assign::Assign;
#[doc(hidden)]
pub use assign::{
    AddAssign, ArrayAt, AssignToArray, AssignToValue, Assigned, BitAndAssign, BitOrAssign,
    BitXorAssign, DivAssign, MulAssign, PartMut, RemAssign, RustAt, Set, ShlAssign, ShrAssign,
    SubAssign,
};
pub use compare::{Comparable, Comparand, ComparedWith, Comparison, Equatable};
#[doc(hidden)]
pub use compare::{Compare, Eq, Ge, Gt, Le, Lt, Ne, ScalarComparand, Sign, compared, eq, ne};
pub use element::Indexed;
#[doc(hidden)]
pub use element::{Held, IndexedMut, OtherIndexed, OtherIndexedMut, element, element_mut};
pub use index::ItemIndex;
#[doc(hidden)]
pub use index::{FirstAxis, Items, OneList, items};
#[doc(hidden)]
pub use joint::{JointRank, JointSpec};
#[doc(hidden)]
pub use numpy_items::{EncodedItems, FollowedBy, NoLists, NumpyItems, SpecOf, WithLists};
#[doc(hidden)]
pub use operand::{Operand, place, value};
pub use operator::{
    PyAdd, PyBitAnd, PyBitOr, PyBitXor, PyDiv, PyMul, PyRem, PyShl, PyShr, PySub, Side, Sides,
};
#[doc(hidden)]
pub use operator::{both, list, number, rows, sides};
pub use parts::LoopParts;
#[doc(hidden)]
pub use parts::{Rows, RowsMut, owned_parts, parts, parts_mut};
#[doc(hidden)]
pub use place::{AnyPlace, ArrayOperand, CopiedOtherwise, List, PlaceOperand};
pub use place::{CopyOperand, OtherPlace};
pub use scalar::Scalar;
#[doc(hidden)]
pub use scalar::scalar;
#[doc(hidden)]
pub use sliceable::{IndexableArray, Is, copied, read};
pub use sliceable::{Sliceable, SlicedOperand};
pub use target::{KnownValues, Value};
#[doc(hidden)]
pub use target::{
    MutOperand, ViewMut, add_assign, add_assign_known, argument, bitand_assign,
    bitand_assign_known, bitor_assign, bitor_assign_known, bitxor_assign, bitxor_assign_known,
    div_assign, div_assign_known, mul_assign, mul_assign_known, rem_assign, rem_assign_known, set,
    set_known, shl_assign, shl_assign_known, shr_assign, shr_assign_known, sub_assign,
    sub_assign_known, target,
};
#[doc(hidden)]
pub use value::{OtherValue, ValueOperand, owned};
#[doc(hidden)]
pub use wrapped_index::{NonNumberIndex, NumberIndex, WrappedIndex, index_place, number_index};
