//! Implements [`List`], the trait of lists in slices, for ndarray arrays and views.

use core::panic::RefUnwindSafe;

use ndarray::{ArrayBase, Data, Dimension, Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn};

use crate::spec::kind::AnyKinds;
use crate::spec::list::{
    List, ListArray, ListElement, ListRef, NotPositions, OwnedList, Scattered,
};

macro_rules! arrays {
    ($($dim:ty => $kind:ty, $rank:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: ListElement, S: Data<Elem = T> + Sync + RefUnwindSafe> List for ArrayBase<S, $dim> {
            type Kind = $kind;
            type Rank = $rank;

            #[inline]
            fn borrowed(&self) -> ListArray<'_> {
                ListArray {
                    __elements: match self.as_slice() {
                        Some(elements) => T::list(elements),
                        None => ListRef::Scattered(self),
                    },
                    __shape: Some(self.shape()),
                }
            }
        }
    )* };
}

arrays! {
    Ix0 => T::Kind<0>, T::Rank<0>;
    Ix1 => T::Kind<1>, T::Rank<1>;
    Ix2 => T::Kind<2>, T::Rank<2>;
    Ix3 => T::Kind<3>, T::Rank<3>;
    Ix4 => T::Kind<4>, T::Rank<4>;
    Ix5 => T::Kind<5>, T::Rank<5>;
    Ix6 => T::Kind<6>, T::Rank<6>;
    IxDyn => AnyKinds, NotPositions;
}

impl<T: ListElement, S: Data<Elem = T> + Sync + RefUnwindSafe, D: Dimension + RefUnwindSafe>
    Scattered for ArrayBase<S, D>
{
    fn is_mask(&self) -> bool {
        T::IS_MASK
    }

    fn to_owned(&self) -> OwnedList {
        T::owned(self.iter().copied())
    }
}
