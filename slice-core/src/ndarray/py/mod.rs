//! What the expansion of `py!` calls.
//!
//! The macro sees tokens and no types. Where the meaning of an operand depends on its type, it calls a method of
//! [`PlaceOperand`] or [`ValueOperand`]: one that is implemented for arrays and views is found first, and one for everything else
//! after a dereference. Finding a method takes the compiler more time than anything else here, so
//! functions are called where the type makes no difference.

mod place;
mod sliceable;
mod target;
mod value;

pub use place::{PlaceOperand, place};
pub use sliceable::read;
pub use target::{
    MutOperand, add_assign, bitand_assign, bitor_assign, bitxor_assign, div_assign, mul_assign,
    rem_assign, set, shl_assign, shr_assign, sub_assign, target,
};
pub use value::{ValueOperand, unpack, value};
