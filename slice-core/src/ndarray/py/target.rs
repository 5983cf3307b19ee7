//! What is written to.
//!
//! The value is the last argument, and the target the one before it, so that the compiler has inferred the type of the
//! elements when it looks for the way to write the value.

use core::ops::{
    AddAssign, BitAndAssign, BitOrAssign, BitXorAssign, DivAssign, MulAssign, RemAssign, ShlAssign,
    ShrAssign, SubAssign,
};

use ndarray::{ArrayViewMut, Dimension};

use crate::ndarray::{SliceFor, StridedSliceExt, StridedSliceMove, ValuesFor};

/// The array of a slice that is written later.
#[derive(Debug)]
pub struct MutOperand<'a, A, D: Dimension>(ArrayViewMut<'a, A, D>);

/// Where `&mut x[spec]` begins.
#[inline]
pub fn target<A, D: Dimension>(array: ArrayViewMut<'_, A, D>) -> MutOperand<'_, A, D> {
    MutOperand(array)
}

impl<'a, A, D: Dimension> MutOperand<'a, A, D> {
    /// The slice, to be written to.
    #[inline]
    #[track_caller]
    pub fn at_mut<I: SliceFor<D>>(self, spec: I) -> ArrayViewMut<'a, A, I::OutDim> {
        self.0.at_move(spec)
    }
}

/// `x[spec] = value`.
#[inline]
#[track_caller]
pub fn set<A: Clone, D: Dimension, I: SliceFor<D>, V: ValuesFor<A>>(
    spec: I,
    mut array: ArrayViewMut<'_, A, D>,
    value: V,
) {
    if let Err(error) = value.write(&mut array, &spec) {
        error.panic()
    }
}

macro_rules! operators {
    ($($operator:ident $function:ident $sign:literal)*) => { $(
        #[doc = concat!("`x[spec] ", $sign, " value`.")]
        #[inline]
        #[track_caller]
        pub fn $function<A, D: Dimension, I: SliceFor<D>, V: ValuesFor<A>>(
            spec: I,
            mut array: ArrayViewMut<'_, A, D>,
            value: V,
        )
        where
            A: Clone + $operator,
        {
            let slice = array.at_mut(spec);
            if let Err(error) = value.update(slice, |x, y| x.$function(y.clone())) {
                error.panic()
            }
        }
    )* };
}

operators! {
    AddAssign add_assign "+="
    SubAssign sub_assign "-="
    MulAssign mul_assign "*="
    DivAssign div_assign "/="
    RemAssign rem_assign "%="
    BitAndAssign bitand_assign "&="
    BitOrAssign bitor_assign "|="
    BitXorAssign bitxor_assign "^="
    ShlAssign shl_assign "<<="
    ShrAssign shr_assign ">>="
}
