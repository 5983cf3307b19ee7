//! The items that only expansions of [`py!`](crate::py!) name. They are hidden, and any version may change them. Their names
//! are in this module, because compiler messages contain them. The guide `numpy_to_rust` lists the traits among them.
//!
//! If the meaning of an operand depends on its type, the expansion calls a method of a [`FirstChoice`](crate::expansion::FirstChoice).
//! It contains a reference to a place, a value ([`Moved`]), a part of an array (a view or a new array), or both sides of an
//! operator (a tuple). In such a tuple, [`Value`] contains a value that is not an array.

// Method lookup is the slowest part of compiling an expansion, so the expansion calls functions where the type makes no
// difference.

/// Defines methods with the same body, for values that are used in the same way in several contexts.
macro_rules! methods {
    ($doc:literal $self:ident: $receiver:ty => $result:ty, $value:expr; $($method:ident)*) => { $(
        #[doc = $doc]
        #[inline]
        pub fn $method($self: $receiver) -> $result {
            $value
        }
    )* };
}

/// Defines `at_in_py` for a wrapper of an array, or of a pointer to an array. The result lives as long as `$part`.
macro_rules! sliced {
    ($([$($generics:tt)*] $Wrapper:ty, $self:ident: $receiver:ty, $part:lifetime => $array:expr;)*) => { $(
        impl<$($generics)*> $Wrapper {
            /// Slices the array.
            #[inline]
            #[track_caller]
            pub fn at_in_py<S, A, D, I>($self: $receiver, spec: I) -> ArrayView<$part, S::Elem, I::OutDim>
            where
                S: ArrayLike<A, D> + ?Sized + $part,
                I: SliceFor<S::Dim>,
                &$part T: Is<&$part S>,
            {
                $array.itself().all_in_py().at_move(spec)
            }
        }
    )* };
}

mod assign;
mod compare;
mod element;
mod index;
mod numpy_items;
mod operand;
mod operator;
mod parts;
mod place;
mod refused;
mod shapes;
mod sliceable;
mod target;
mod value;
mod wrapped_index;

#[doc(hidden)]
pub use self::{
    assign::{
        AddAssign, Assign, AssignToArray, AssignToValue, Assigned, BitAndAssign, BitOrAssign,
        BitXorAssign, DivAssign, ElementAt, MulAssign, MutablePart, PartAt, RemAssign, Set,
        ShlAssign, ShrAssign, SubAssign, assignment,
    },
    compare::{
        Comparand, Compare, ComparedIndex, Comparison, Condition, Eq, Ge, Gt, Le, Lt, Ne, compared,
    },
    element::Held,
    index::{IndexFor, Items, ListIndex, Listed, RustIndex, Selected, TupleIndex, items},
    numpy_items::{EncodedItems, JointSpec, NoLists, NumpyItems, SpecOf, WithLists},
    operand::{Operand, choice, place, value},
    operator::{Side, both, list, number, rows, sides},
    parts::{FirstAxis, parts_mut},
    place::{ArrayOperand, List},
    refused::{AssignableTo, ComparableWith, CopyOperand, Operator, SlicedByRange, Unimplemented},
    sliceable::{ArrayLike, NumPy, Rust, Sliceable},
    target::{KnownValues, Value, ViewMut, Writable, argument},
    value::Moved,
    wrapped_index::{
        Negated, Negative, NegativeIndex, NonNumberIndex, NumberIndex, WrappedIndex,
        negative_index, number_index,
    },
};
