//! What is written to.

use core::ops::{
    AddAssign, BitAndAssign, BitOrAssign, BitXorAssign, DivAssign, MulAssign, RemAssign, ShlAssign,
    ShrAssign, SubAssign,
};

use ndarray::{ArrayViewMut, Dimension};

use crate::ndarray::{SliceFor, StridedSliceExt, StridedSliceMove, ValuesFor};

/// The array that a slice is written to.
#[derive(Debug)]
pub struct Target<'a, A, D: Dimension>(ArrayViewMut<'a, A, D>);

/// Where expansions begin.
#[inline(always)]
pub fn target<A, D: Dimension>(array: ArrayViewMut<'_, A, D>) -> Target<'_, A, D> {
    Target(array)
}

impl<'a, A, D: Dimension> Target<'a, A, D> {
    /// The slice, to be written to.
    #[inline(always)]
    #[track_caller]
    pub fn at_mut<I: SliceFor<D>>(self, spec: I) -> ArrayViewMut<'a, A, I::OutDim> {
        self.0.at_move(spec)
    }

    /// `x[spec] = value`.
    #[inline(always)]
    #[track_caller]
    pub fn set<I: SliceFor<D>, V: ValuesFor<A>>(mut self, spec: I, value: V)
    where
        A: Clone,
    {
        if let Err(error) = value.write(&mut self.0, &spec) {
            error.panic()
        }
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident $sign:literal)*) => {
        impl<A: Clone, D: Dimension> Target<'_, A, D> { $(
            #[doc = concat!("`x[spec] ", $sign, " value`.")]
            #[inline(always)]
            #[track_caller]
            pub fn $method<I: SliceFor<D>, V: ValuesFor<A>>(mut self, spec: I, value: V)
            where
                A: $operator,
            {
                let slice = self.0.at_mut(spec);
                if let Err(error) = value.update(slice, |x, y| x.$method(y.clone())) {
                    error.panic()
                }
            }
        )* }
    };
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
