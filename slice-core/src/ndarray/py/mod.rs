//! What the expansion of `py!` calls.
//!
//! The macro sees tokens and no types. Where the meaning of an operand depends on its type, it calls a method of
//! [`Place`] or [`Value`]: one that is implemented for arrays and views is found first, and one for everything else
//! after a dereference.

mod place;
mod source;
mod target;
mod value;

pub use place::{Place, place};
pub use target::{Target, target};
pub use value::{Value, unpack, value};
