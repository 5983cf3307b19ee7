//! What is written to.
//!
//! The value is the last argument, and the target the one before it, so that the compiler has inferred the type of the
//! elements when it looks for the way to write the value.

use core::ops::{
    AddAssign, BitAndAssign, BitOrAssign, BitXorAssign, DivAssign, MulAssign, RemAssign, ShlAssign,
    ShrAssign, SubAssign,
};

use ndarray::{ArrayViewMut, Dimension};

use crate::SliceSpec;
use crate::ndarray::{SliceFor, StridedSliceExt, StridedSliceMove, ValuesFor};

/// The array of a slice that is written later.
#[derive(Debug)]
pub struct Target<'a, A, D: Dimension>(ArrayViewMut<'a, A, D>);

/// Where `&mut x[spec]` begins.
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
}

// Methods of the slice, because it is made first and has the fewest methods among which the compiler looks.
impl<const M: usize, K> SliceSpec<M, K> {
    /// `x[self] = value`.
    #[doc(hidden)]
    #[inline(always)]
    #[track_caller]
    pub fn __set<A: Clone, D: Dimension, V: ValuesFor<A>>(
        self,
        mut array: ArrayViewMut<'_, A, D>,
        value: V,
    ) where
        Self: SliceFor<D>,
    {
        if let Err(error) = value.write(&mut array, &self) {
            error.panic()
        }
    }
}

macro_rules! operators {
    ($($operator:ident $function:ident $method:ident $sign:literal)*) => { $(
        impl<const M: usize, K> SliceSpec<M, K> {
            #[doc = concat!("`x[self] ", $sign, " value`.")]
            #[doc(hidden)]
            #[inline(always)]
            #[track_caller]
            pub fn $function<A, D: Dimension, V: ValuesFor<A>>(
                self,
                mut array: ArrayViewMut<'_, A, D>,
                value: V,
            )
            where
                A: Clone + $operator,
                Self: SliceFor<D>,
            {
                let slice = array.at_mut(self);
                if let Err(error) = value.update(slice, |x, y| x.$method(y.clone())) {
                    error.panic()
                }
            }
        }
    )* };
}

operators! {
    AddAssign __add_assign add_assign "+="
    SubAssign __sub_assign sub_assign "-="
    MulAssign __mul_assign mul_assign "*="
    DivAssign __div_assign div_assign "/="
    RemAssign __rem_assign rem_assign "%="
    BitAndAssign __bitand_assign bitand_assign "&="
    BitOrAssign __bitor_assign bitor_assign "|="
    BitXorAssign __bitxor_assign bitxor_assign "^="
    ShlAssign __shl_assign shl_assign "<<="
    ShrAssign __shr_assign shr_assign ">>="
}
