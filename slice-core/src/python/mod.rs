//! What the expansion of `py!` calls.
//!
//! The macro sees tokens and no types. Where the meaning of an operand depends on its type, it calls a method of
//! [`PlaceOperand`] or [`ValueOperand`]: one that is implemented for arrays and views is found first, and one for everything else
//! after a dereference. Finding a method takes the compiler more time than anything else here, so
//! functions are called where the type makes no difference.

mod compare;
mod element;
mod items;
mod operator;
mod place;
mod scalar;
mod shapes;
mod sliceable;
mod target;
mod value;

pub use compare::{Comparand, Equal, eq, ge, gt, le, lt, ne};
pub use element::{Indexed, OtherIndexed, element};
pub use items::{
    AnyIndex, IndexOperand, Indexable, IndexableArray, ItemIndex, Items, Known, ListPlace,
    NumberIndex, OneAxis, OtherIndex, RustItem, WrittenIndex, index,
};
pub use operator::{
    Add, BitAnd, BitOr, BitXor, Div, Mul, Rem, Shl, Shr, Side, Sides, Sub, both, list, rows, sides,
};
pub use place::{AnyPlace, ArrayOperand, CopyOperand, List, OtherPlace, PlaceOperand, place};
pub use scalar::{Scalar, scalar};
pub use sliceable::{Is, Sliceable, copied, read};
pub use target::{
    KnownValues, MutOperand, SliceViewMut, Value, add_assign, add_assign_known, bitand_assign,
    bitand_assign_known, bitor_assign, bitor_assign_known, bitxor_assign, bitxor_assign_known,
    div_assign, div_assign_known, mul_assign, mul_assign_known, rem_assign, rem_assign_known, set,
    set_known, shl_assign, shl_assign_known, shr_assign, shr_assign_known, sub_assign,
    sub_assign_known, target,
};
pub use value::{OtherValue, ValueOperand, unpack, value};
